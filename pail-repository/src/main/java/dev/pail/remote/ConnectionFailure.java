package dev.pail.remote;

import dev.pail.Escapes;
import dev.pail.StoreIOException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpRetryException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** Why an exchange over HTTP failed, in words. */
final class ConnectionFailure {
    private static final int PROXY_WANTS_PASSWORD = 407;
    private static final int MOST_CAUSES = 16;
    private static final String TUNNEL = "Unable to tunnel through proxy";

    private ConnectionFailure() {}

    /** A proxy that wants a user and a password, which it was not given, or refused. */
    static HttpRetryException proxyRefuses() {
        return new HttpRetryException("the proxy wants a user and a password: status 407", PROXY_WANTS_PASSWORD);
    }

    /** What the caller of the remote gets. Nothing of it is a secret: the address has none. */
    static StoreIOException of(IOException cause, URI address, Duration patience) {
        IOException known = isProxyRefusal(cause) ? proxyRefuses() : cause;
        return new StoreIOException("cannot exchange", address.toString(), reason(known, address, patience), known);
    }

    private static boolean isProxyRefusal(IOException cause) {
        String message = String.valueOf(cause.getMessage());
        return message.startsWith(TUNNEL) && message.contains(" " + PROXY_WANTS_PASSWORD);
    }

    private static String reason(IOException cause, URI address, Duration patience) {
        if (cause instanceof UnknownHostException) {
            return "no such host: "
                    + Escapes.brief(String.valueOf(cause.getMessage()).replaceFirst(":.*", ""));
        }
        if (cause instanceof SocketTimeoutException) {
            return "no answer within " + seconds(patience);
        }
        if (cause instanceof NoRouteToHostException) {
            return "the network has no route to the host";
        }
        if (cause instanceof ConnectException) {
            // The JDK says in other words that nothing listens there.
            return "the connection was refused: no server listens there";
        }
        if (cause instanceof SSLException) {
            return tls(cause, address);
        }
        return Escapes.printable(StoreIOException.reason(cause));
    }

    static String seconds(Duration time) {
        return time.toMillis() < 1000 ? time.toMillis() + " ms" : time.toSeconds() + " s";
    }

    private static String tls(IOException cause, URI address) {
        String certificate = "the certificate of " + address.getHost();
        if (find(cause, CertificateExpiredException.class).isPresent()) {
            return certificate + " has expired";
        }
        if (find(cause, CertificateNotYetValidException.class).isPresent()) {
            return certificate + " is not valid yet";
        }
        if (find(cause, CertPathBuilderException.class).isPresent()) {
            return certificate + " is signed by no authority that is trusted here";
        }
        Optional<CertificateException> other = find(cause, CertificateException.class);
        if (other.isPresent()) {
            return certificate + " does not fit: "
                    + Escapes.printable(String.valueOf(other.get().getMessage()));
        }
        String message = String.valueOf(cause.getMessage());
        return message.startsWith("Unsupported or unrecognized SSL message")
                ? "the server does not speak TLS at this port"
                : "TLS failed: " + Escapes.printable(message);
    }

    private static <T extends Throwable> Optional<T> find(Throwable error, Class<T> type) {
        return Stream.iterate(error, each -> each != null, Throwable::getCause)
                .limit(MOST_CAUSES)
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst();
    }
}
