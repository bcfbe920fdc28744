package dev.pail.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.server.access.TokensTest;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the server says of its requests: the log and the metrics. */
@Timeout(120)
class TrafficTest {
    private static final String SECRET = "s3cret-of-ann";

    private final Queue<String> log = new ConcurrentLinkedQueue<>();

    @TempDir
    Path folder;

    private Path tokens() throws IOException {
        Path file = Files.writeString(folder.resolve("tokens"), TokensTest.sha256(SECRET) + " read * ann\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private Served served() throws IOException {
        Path tokens = tokens();
        return new Served(
                Repository.inMemory(), options -> options.withTokens(tokens).withAccessLog(log::add));
    }

    /** The next line. The server writes it after the response. */
    private String line() {
        String line = log.poll();
        while (line == null) {
            Thread.onSpinWait();
            line = log.poll();
        }
        return line;
    }

    @Test
    void aLineForEachRequest_GW19() throws IOException {
        try (Served served = served()) {
            Cid milk = served.raw("milk");
            served.get("/ipfs/" + milk + "?format=raw&token=" + SECRET, "Authorization", "Bearer " + SECRET);
            String time = "[0-9]{4}-[0-9-]+T[0-9:.]+Z ";
            assertThat(line()).matches(time + "ann GET /ipfs/" + milk + " 200 4 [0-9]+");
            served.get("/x?" + SECRET, "Authorization", "Bearer " + SECRET + "x");
            assertThat(line()).matches(time + "- GET /x 401 [0-9]+ [0-9]+").doesNotContain(SECRET);
            served.get("/healthz", "Cookie", SECRET);
            assertThat(line()).matches(time + "- GET /healthz 200 3 [0-9]+");
        }
        assertThat(log).isEmpty();
    }

    @Test
    void nothingOfOutsideIsRaw_GW19() throws IOException {
        try (Served served = served()) {
            for (String path :
                    List.of("/\u001b[31m", "/%1b[31m%0aann", "/\u0085\u009b1m", "/" + "a".repeat(5000), "/a%20b")) {
                served.send("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
                assertThat(line())
                        .hasSizeLessThan(500)
                        .matches("(\\S+ ){4}[0-9]+ [0-9]+ [0-9]+")
                        .doesNotContainPattern("\\p{Cntrl}|[\\x{80}-\\x{9f}]");
            }
            served.send("B\u0001D /secret HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(line()).matches("[ -~]+");
        }
    }

    /** The client gets a sentence without the name of the file, and the log says which it is. */
    @Test
    void theLogSaysWhyTheServerFailed_GW19() throws IOException {
        try (Served served = served()) {
            Files.writeString(tokens(), "nonsense " + SECRET);
            assertThat(served.get("/none", "Authorization", "Bearer " + SECRET).statusCode())
                    .isEqualTo(503);
            assertThat(line())
                    .contains(" 503 ", "line 1 of the file of tokens", folder.toString())
                    .doesNotContain(SECRET);
        }
    }

    @Test
    void metricsCountRequests() throws IOException {
        try (Served served = served()) {
            assertThat(served.get("/metrics").statusCode()).isEqualTo(401);
            Cid milk = served.raw("milk");
            for (int i = 0; i < 3; i++) {
                served.get("/ipfs/" + milk + "?format=raw", "Authorization", "Bearer " + SECRET);
                served.get("/nothing" + i, "Authorization", "Bearer " + SECRET);
            }
            for (int i = 0; i < 7; i++) {
                line();
            }
            var answer = served.get("/metrics", "Authorization", "Bearer " + SECRET);
            assertThat(Served.header(answer, "Content-Type")).startsWith("text/plain; version=0.0.4");
            assertThat(new String(answer.body(), StandardCharsets.UTF_8))
                    .contains(
                            "pail_server_requests_seconds_count{endpoint=\"/ipfs/\",status=\"2xx\"} 3\n",
                            "pail_server_requests_seconds_count{endpoint=\"none\",status=\"4xx\"} 4\n",
                            "pail_server_requests_seconds_sum{",
                            "\npail_server_response_bytes_total ",
                            "\npail_server_connections 1.0\n",
                            "\npail_server_requests_active 1.0\n",
                            "jvm_memory_used_bytes{area=\"heap\"")
                    .doesNotContain("nothing1", milk.toString(), SECRET, "ann");
        }
    }

    /** What a response that fails in the middle looks like: the log says that it was not whole. */
    @Test
    void aCutIsInTheLog_GW19() throws IOException {
        try (Served served = new Served(
                Repository.inMemory(),
                options -> options.withLimits(Served.IMPATIENT).withAccessLog(log::add))) {
            Cid file = served.file(64 << 20);
            try (Socket socket = new Socket(
                    served.server.address().getAddress(),
                    served.server.address().getPort())) {
                socket.setReceiveBufferSize(4096);
                socket.getOutputStream()
                        .write(("GET /ipfs/" + file + "?format=car HTTP/1.1\r\nHost: localhost\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                assertThat(line()).contains("local GET /ipfs/" + file + " 200 ", "the client is too slow");
            }
        }
    }

    @Test
    void nullIsRefused() {
        try (Repository repository = Repository.inMemory()) {
            ServerOptions options = PailServer.over(repository);
            assertThatNullPointerException()
                    .isThrownBy(() -> options.withAccessLog(null))
                    .withMessage("lines");
            assertThatNullPointerException()
                    .isThrownBy(() -> options.withTls(null, folder))
                    .withMessage("certificates");
            assertThatNullPointerException()
                    .isThrownBy(() -> options.withTls(folder, null))
                    .withMessage("key");
        }
    }
}
