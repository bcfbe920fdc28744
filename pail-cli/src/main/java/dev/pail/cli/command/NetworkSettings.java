package dev.pail.cli.command;

import dev.pail.cli.terminal.NetworkHints;
import dev.pail.cli.terminal.Terminal;
import dev.pail.remote.HttpConnector;
import java.io.IOException;
import java.net.Authenticator;
import java.net.HttpURLConnection;
import java.net.PasswordAuthentication;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** Connects to servers with the proxies and the certificates that the user names. */
final class NetworkSettings implements HttpConnector {
    private static final String CERTIFICATES = "SSL_CERT_FILE";

    private final Terminal terminal;
    private final @Nullable String authorities;
    private @Nullable SSLSocketFactory sockets;

    /** @param authorities the file that {@link NetworkHints#AUTHORITIES} names; null, if there is none */
    NetworkSettings(Terminal terminal, @Nullable String authorities) {
        this.terminal = terminal;
        this.authorities = authorities;
    }

    @Override
    public HttpURLConnection connect(URL url) throws IOException {
        Optional<ProxyVariables.Way> way = new ProxyVariables(terminal).to(url);
        way.flatMap(ProxyVariables.Way::login).ifPresent(login -> allowPasswords());
        HttpURLConnection connection = (HttpURLConnection)
                (way.isPresent() ? url.openConnection(way.get().proxy()) : url.openConnection());
        if (connection instanceof HttpsURLConnection secure) {
            secure.setSSLSocketFactory(sockets());
        }
        way.flatMap(ProxyVariables.Way::login).ifPresent(login -> logIn(connection, login));
        return connection;
    }

    /** Java gives a proxy of https no password, unless it is set otherwise before the first connection. */
    private static void allowPasswords() {
        System.setProperty("jdk.http.auth.tunneling.disabledSchemes", "");
    }

    private static void logIn(HttpURLConnection connection, PasswordAuthentication login) {
        if (connection instanceof HttpsURLConnection) {
            // A header would reach the server behind the proxy, too.
            connection.setAuthenticator(new Authenticator() {
                @Override
                protected @Nullable PasswordAuthentication getPasswordAuthentication() {
                    return getRequestorType() == RequestorType.PROXY ? login : null;
                }
            });
        } else {
            String text = login.getUserName() + ":" + new String(login.getPassword());
            connection.setRequestProperty(
                    "Proxy-Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** The option counts more than the variable, and that more than what Java and the system have. */
    private synchronized SSLSocketFactory sockets() {
        SSLSocketFactory known = sockets;
        if (known == null) {
            String variable = terminal.environment(CERTIFICATES);
            String file = authorities == null ? variable : authorities;
            known = file == null
                    ? TrustedCertificates.ofSystem()
                    : TrustedCertificates.ofFile(
                            terminal.path(file), authorities == null ? CERTIFICATES : NetworkHints.AUTHORITIES);
            sockets = known;
        }
        return known;
    }
}
