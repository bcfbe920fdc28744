package dev.pail.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.car.CarImport;
import dev.pail.car.CarReader;
import dev.pail.car.CarSection;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.unixfs.FileLayout;
import dev.pail.unixfs.UnixFs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/** A server over a repository, and clients of it. */
public final class Served implements AutoCloseable {
    /** A client may keep the server waiting for a moment. */
    public static final ServerLimits IMPATIENT =
            new ServerLimits(16, Duration.ofMillis(300), Duration.ofSeconds(10), 64 << 20, Duration.ofHours(1));

    public final Repository repository;
    public final PailServer server;
    public final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    public Served(Repository repository, ServerLimits limits) {
        this(repository, options -> options.withLimits(limits));
    }

    /** @param nanos the clock of watchers */
    public Served(Repository repository, LongSupplier nanos) {
        this.repository = repository;
        this.server = PailServer.start(PailServer.over(repository), nanos);
    }

    public Served(Repository repository, UnaryOperator<ServerOptions> options) {
        this.repository = repository;
        this.server = options.apply(PailServer.over(repository)).start();
    }

    public Served(Repository repository) {
        this(repository, ServerLimits.DEFAULT);
    }

    public Served() {
        this(Repository.inMemory());
    }

    public BlockStore blocks() {
        return repository.blocks();
    }

    /** Stores the blocks of a fixture of ipfs/gateway-conformance, and gives its root. */
    public Cid fixture(String name) throws IOException {
        Path file = Path.of(System.getProperty("pail.project", ".."))
                .resolve("pail-blockstore/src/test/resources/dev/pail/unixfs/gateway-conformance/" + name + ".car");
        try (CarReader car = CarReader.open(file)) {
            return CarImport.of(car, blocks()).header().roots().get(0);
        }
    }

    /** Stores bytes and gives their CID. */
    public Cid raw(String text) {
        Block block = Block.of(Cid.RAW, text.getBytes(StandardCharsets.UTF_8));
        blocks().put(block);
        return block.cid();
    }

    /** Stores a file of this size in bytes. No two of its chunks are equal. */
    public Cid file(int size) throws IOException {
        return file(size, FileLayout.V1_2025);
    }

    /** Stores a file of this size in chunks of another size. */
    public Cid file(int size, FileLayout layout) throws IOException {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return UnixFs.write(blocks(), new ByteArrayInputStream(bytes), layout);
    }

    /** How many requests are being answered. */
    public int activeRequests() {
        return server.activeRequests();
    }

    /** How many connections are open. */
    public int connections() {
        return server.connections();
    }

    public String host() {
        return "127.0.0.1:" + server.address().getPort();
    }

    /**
     * Sends a request without a body.
     *
     * @param headers names and values, in turn
     */
    public HttpResponse<byte[]> ask(String method, String path, String... headers) {
        return ask(method, path, HttpRequest.BodyPublishers.noBody(), headers);
    }

    /**
     * Sends a request.
     *
     * @param headers names and values, in turn
     */
    public HttpResponse<byte[]> ask(String method, String path, HttpRequest.BodyPublisher body, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://" + host() + path)).method(method, body);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new AssertionError("no whole response to " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    public HttpResponse<byte[]> get(String path, String... headers) {
        return ask("GET", path, headers);
    }

    public static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    private static String brief(HttpResponse<byte[]> response) {
        return Escapes.brief(text(response));
    }

    public static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    /** Refused with a status and one line that has these words. */
    public void assertRefused(int status, String path, String... words) {
        HttpResponse<byte[]> response = get(path);
        assertThat(response.statusCode()).as("%s: %s", path, brief(response)).isEqualTo(status);
        assertThat(text(response)).endsWith("\n").contains(words).hasLineCount(1);
        assertThat(header(response, "Cache-Control")).isEqualTo("no-store");
    }

    /** The blocks of a CAR, in its order. Each is checked against its CID. */
    public static List<Cid> cids(HttpResponse<byte[]> response) {
        assertThat(response.statusCode()).as(brief(response)).isEqualTo(200);
        List<Cid> cids = new ArrayList<>();
        CarReader reader = CarReader.of(new ByteArrayInputStream(response.body()), "response");
        reader.forEach((CarSection section) -> cids.add(section.block().cid()));
        return cids;
    }

    public static List<Cid> roots(HttpResponse<byte[]> response) {
        return CarReader.of(new ByteArrayInputStream(response.body()), "response")
                .header()
                .roots();
    }

    public List<Cid> car(String path, String... headers) {
        return cids(get(path, headers));
    }

    /** Sends bytes as they are, and gives all that comes until the server ends the connection. */
    public String send(String request) throws IOException {
        try (Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort())) {
            // Longer than anything waits here: a server that does not answer fails the test.
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return rest(socket.getInputStream());
        }
    }

    public static String rest(InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        server.close();
        repository.close();
    }
}
