package dev.pail.remote;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URL;

/**
 * Makes the connections of an {@link HttpRemote}: by way of a proxy, or with certificates of its own. Safe for use by several threads.
 *
 * <pre>{@code
 * Proxy proxy = new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved("proxy.example", 3128));
 * Remote remote = HttpRemote.open("https://pail.example.org", Optional.of(token))
 *         .withConnector(url -> (HttpURLConnection) url.openConnection(proxy));
 * }</pre>
 */
@FunctionalInterface
public interface HttpConnector {
    /**
     * Makes a connection for one request, and sends nothing yet.
     *
     * @throws IOException if it cannot be made
     */
    HttpURLConnection connect(URL url) throws IOException;
}
