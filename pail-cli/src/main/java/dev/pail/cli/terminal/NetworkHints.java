package dev.pail.cli.terminal;

import java.net.ConnectException;
import java.net.HttpRetryException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertPathBuilderException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** What to do about a network that fails, by what the JDK says of it. */
public final class NetworkHints {
    /** The option that names a file of authorities. */
    public static final String AUTHORITIES = "--tls-ca";

    private static final int MOST_CAUSES = 16;

    private NetworkHints() {}

    /** What to do about a failure; null, if it is none of the network. */
    public static @Nullable String of(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; cause != null && i < MOST_CAUSES; i++) {
            String hint = ofCause(cause);
            if (hint != null) {
                return hint;
            }
            cause = cause.getCause();
        }
        return null;
    }

    private static @Nullable String ofCause(Throwable cause) {
        if (cause instanceof UnknownHostException) {
            return "check the name of the host, and the network; if there is a proxy, name it in HTTPS_PROXY or http_proxy";
        }
        if (cause instanceof ConnectException) {
            return "see whether the server runs, and whether the host and the port are right";
        }
        if (cause instanceof SocketTimeoutException) {
            return "see whether the server runs; if only a proxy leads to it, name it in HTTPS_PROXY or http_proxy";
        }
        if (cause instanceof HttpRetryException) {
            return "name the proxy with them in HTTPS_PROXY or http_proxy: http://USER:PASSWORD@HOST:PORT";
        }
        if (cause instanceof CertPathBuilderException) {
            return "if you trust the authority, give its certificate with " + AUTHORITIES
                    + " FILE, or in SSL_CERT_FILE";
        }
        return cause instanceof SSLException
                        && String.valueOf(cause.getMessage()).contains("unrecognized SSL")
                ? "see whether the address is one of http://"
                : null;
    }
}
