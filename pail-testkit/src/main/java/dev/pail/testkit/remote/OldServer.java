package dev.pail.testkit.remote;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * A way to a server of this machine that passes requests on as version 0.2.0 reads them, and answers as version 0.2.0 writes them: it knows
 * generations, but no tokens, ids, tags, logs, or names of what is read next. Safe for use by several threads.
 *
 * <pre>{@code
 * try (OldServer old = new OldServer(port)) {
 *     Remote remote = HttpRemote.open("http://127.0.0.1:" + old.port(), Optional.empty());
 * }
 * }</pre>
 */
public final class OldServer implements AutoCloseable {
    private static final Pattern UNKNOWN_PATHS = Pattern.compile("/v1/(tags|signed-heads|erasures|log)(/.*)?");
    private static final Pattern NUMBER = Pattern.compile("\"[0-9]+\"");

    /** The last members of messages that version 0.2.0 does not read. */
    private static final Pattern UNKNOWN_OF_REQUESTS =
            Pattern.compile(",\"(unlessToken\":\"[^\"]*\"|events\":true|next\":.*(?=}$))");

    private static final Pattern UNKNOWN_OF_INFO = Pattern.compile(",\"(id\":\"[^\"]*\"|needs\":\\[[^]]*])");
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;

    static {
        // Otherwise each answer waits for 40 ms: the server of the JDK writes headers and body apart.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer http;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int target;
    private final AtomicInteger requests = new AtomicInteger();

    /** A way to a port of this machine. */
    public OldServer(int target) throws IOException {
        this.target = target;
        this.http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", this::pass);
        http.start();
    }

    /** The port that clients connect to. */
    public int port() {
        return http.getAddress().getPort();
    }

    /** How many requests came. */
    public int requests() {
        return requests.get();
    }

    private void pass(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        byte[] body = exchange.getRequestBody().readAllBytes();
        String path = exchange.getRequestURI().getPath();
        String match = exchange.getRequestHeaders().getFirst("If-Match");
        if (UNKNOWN_PATHS.matcher(path).matches()) {
            refuse(exchange, NOT_FOUND, "not-found");
        } else if (match != null && !NUMBER.matcher(match).matches()) {
            refuse(exchange, BAD_REQUEST, "bad-request");
        } else {
            answer(exchange, path, asked(exchange, path, body));
        }
    }

    private HttpResponse<byte[]> asked(HttpExchange exchange, String path, byte[] body) throws IOException {
        boolean isMessage = path.equals("/v1/fetch") || path.equals("/v1/blocks");
        boolean hasQuery = exchange.getRequestURI().getRawQuery() != null && !path.equals("/v1/info");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + target
                        + exchange.getRequestURI().getRawPath()
                        + (hasQuery ? "?" + exchange.getRequestURI().getRawQuery() : "")))
                .method(
                        exchange.getRequestMethod(),
                        HttpRequest.BodyPublishers.ofByteArray(
                                isMessage
                                        ? UNKNOWN_OF_REQUESTS
                                                .matcher(new String(body, StandardCharsets.UTF_8))
                                                .replaceAll("")
                                                .getBytes(StandardCharsets.UTF_8)
                                        : body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (name.matches("(?i)If-Match|If-None-Match|Content-type|Accept")) {
                request.header(name, values.get(0));
            }
        });
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(e.getMessage());
        }
    }

    private static void answer(HttpExchange exchange, String path, HttpResponse<byte[]> answer) throws IOException {
        for (String name : List.of("Content-Type", "Pail-Generation")) {
            answer.headers()
                    .firstValue(name)
                    .ifPresent(value -> exchange.getResponseHeaders().set(name, value));
        }
        byte[] body = answer.body();
        if (path.equals("/v1/info") && answer.statusCode() == OK) {
            body = UNKNOWN_OF_INFO
                    .matcher(new String(body, StandardCharsets.UTF_8))
                    .replaceAll("")
                    .replaceFirst(
                            "\"features\":\\[[^]]*]",
                            "\"features\":[\"fetch\",\"push\",\"merge\",\"blocks\",\"delta\"]")
                    .getBytes(StandardCharsets.UTF_8);
        }
        send(exchange, answer.statusCode(), body);
    }

    private static void refuse(HttpExchange exchange, int status, String code) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        send(
                exchange,
                status,
                ("{\"error\":\"not known here\",\"code\":\"" + code + "\"}").getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
