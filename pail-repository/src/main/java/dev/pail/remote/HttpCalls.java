package dev.pail.remote;

import dev.pail.Escapes;
import dev.pail.StoreIOException;
import java.io.IOException;
import java.net.HttpRetryException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The requests to one server, each with its token and within its patience. Immutable.
 */
final class HttpCalls {
    static final String GZIP = "gzip";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int LAST_PORT = 65_535;
    private static final Pattern TOKEN = Pattern.compile("[!-~]+");

    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(?:\\.[0-9]{1,3}){3}|\\[::1]");

    private final URI address;
    private final Optional<String> token;
    private final Duration patience;
    private final HttpConnector connector;
    private final Waiting.Clock clock;

    /**
     * For a server.
     *
     * @param address the address of the server, without a slash at the end
     * @param patience how long to wait for the server
     */
    HttpCalls(URI address, Optional<String> token, Duration patience, HttpConnector connector, Waiting.Clock clock) {
        this.address = address;
        this.token = token;
        this.patience = patience;
        this.connector = connector;
        this.clock = clock;
    }

    /** The requests to an address, with the patience and the connections of the default. Throws as {@code HttpRemote.open} does. */
    static HttpCalls of(String address, Optional<String> token) {
        return new HttpCalls(
                address(address, token),
                token,
                PATIENCE,
                url -> (HttpURLConnection) url.openConnection(),
                Waiting.Clock.system(PATIENCE));
    }

    /** These calls with another patience, by the clock of the system. */
    HttpCalls withPatience(Duration time) {
        return new HttpCalls(address, token, time, connector, Waiting.Clock.system(time));
    }

    HttpCalls withConnector(HttpConnector other) {
        return new HttpCalls(address, token, patience, other, clock);
    }

    HttpCalls withClock(Waiting.Clock other) {
        return new HttpCalls(address, token, patience, connector, other);
    }

    String address() {
        return address.toString();
    }

    /** Whether a text begins like the address of a server. */
    static boolean isAddress(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return lower.startsWith("http://") || lower.startsWith("https://");
    }

    /**
     * Reads the address of a server. Throws as {@code HttpRemote.open} does.
     *
     * @param token the token for the server, if it needs one
     */
    static URI address(String address, Optional<String> token) {
        URI uri;
        try {
            uri = new URI(address);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("not an address of a server: " + Escapes.brief(address), e);
        }
        if (!isAddress(address) || uri.getHost() == null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "the address of a server is http://HOST or https://HOST, with a port or a path if need be: "
                            + Escapes.brief(address));
        }
        if (uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException("a token is no part of an address: " + uri.getHost());
        }
        if (uri.getPort() > LAST_PORT) {
            throw new IllegalArgumentException("a port is at most " + LAST_PORT + ": " + Escapes.brief(address));
        }
        // The sentence of the JDK would show it.
        if (token.isPresent() && !TOKEN.matcher(token.get()).matches()) {
            throw new IllegalArgumentException(
                    "the token for " + uri.getHost()
                            + " has a line break or another character that no token has; tokens are of visible ASCII characters");
        }
        if (token.isPresent()
                && uri.getScheme().equalsIgnoreCase("http")
                && !LOOPBACK.matcher(uri.getHost()).matches()) {
            throw new IllegalArgumentException("a token is sent by https:// alone, not to " + Escapes.brief(address));
        }
        return URI.create(address.replaceFirst("/+$", ""));
    }

    /** Writes the body of a request. */
    interface Body {
        void writeTo(HttpUpload out) throws IOException;
    }

    /** Makes a result of an answer. */
    interface Result<T> {
        T of(HttpAnswer answer) throws IOException;
    }

    /** Says that the message of the answer may be in gzip: a list of branches or of ref updates is several times as small (GW29). */
    static void takesGzip(HttpURLConnection header) {
        header.setRequestProperty("Accept-Encoding", GZIP);
    }

    <T> T call(String method, String path, Consumer<HttpURLConnection> header, @Nullable Body body, Result<T> result) {
        HttpURLConnection connection = null;
        Waiting waiting = null;
        boolean isDone = false;
        try {
            connection = open(method, path);
            waiting = new Waiting(patience, clock);
            waiting.watch();
            header.accept(connection);
            if (body != null) {
                send(connection, waiting, body);
            }
            int status = status(connection, waiting);
            waiting.restart();
            if (status == HttpURLConnection.HTTP_PROXY_AUTH) {
                throw ConnectionFailure.proxyRefuses();
            }
            T made = result.of(new HttpAnswer(address.toString(), token.isPresent(), connection, status, waiting));
            isDone = true;
            return made;
        } catch (IOException e) {
            throw ConnectionFailure.of(waiting != null && waiting.isOver() ? waiting.failure(e) : e, address, patience);
        } finally {
            if (waiting != null) {
                waiting.done();
            }
            // What is left of a body would be read by the next request.
            if (connection != null && !isDone) {
                if (waiting != null && waiting.isOver()) {
                    Waiting.aside(connection::disconnect);
                } else {
                    connection.disconnect();
                }
            }
        }
    }

    private HttpURLConnection open(String method, String path) throws IOException {
        HttpURLConnection connection =
                connector.connect(URI.create(address + path).toURL());
        connection.setRequestMethod(method);
        connection.setConnectTimeout((int) Math.min(patience.toMillis(), Integer.MAX_VALUE));
        connection.setReadTimeout((int) Math.min(patience.toMillis(), Integer.MAX_VALUE));
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        // Rule SY10.
        token.ifPresent(secret -> connection.setRequestProperty("Authorization", "Bearer " + secret));
        return connection;
    }

    /** A server may refuse a request before it has read the body. Then its answer counts, and not that the connection ended. */
    private static void send(HttpURLConnection connection, Waiting waiting, Body body) throws IOException {
        HttpUpload upload = new HttpUpload(connection, waiting);
        try {
            body.writeTo(upload);
            upload.end();
        } catch (IOException | StoreIOException e) {
            if (!upload.hasBegun() || waiting.isOver() || !isRefused(connection, waiting)) {
                throw e;
            }
        }
    }

    private static boolean isRefused(HttpURLConnection connection, Waiting waiting) {
        try {
            return status(connection, waiting) >= HttpAnswer.FIRST_ERROR;
        } catch (IOException e) {
            return false;
        }
    }

    private static int status(HttpURLConnection connection, Waiting waiting) throws IOException {
        try {
            return waiting.await(connection::getResponseCode, unused -> 0);
        } catch (HttpRetryException e) {
            // The body of a request was sent as it was made, so it is not repeated with a password.
            return e.responseCode();
        }
    }

    /** A name in the path of an address. */
    static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
    }
}
