package dev.pail.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.pail.StoreIOException;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.RepositoryServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server as such: its address, who may ask, how long, and how it ends. */
@Timeout(120)
class PailServerTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofHours(1);
    private static final long BODY = 64 << 20;
    private static final ServerLimits TWO_CONNECTIONS = new ServerLimits(2, LONG, Duration.ofSeconds(10), BODY, LONG);

    @Test
    void itListensOnLoopbackOnly_GW12() throws IOException {
        try (Repository repository = Repository.inMemory()) {
            ServerOptions options = PailServer.over(repository);
            for (String other : List.of("0.0.0.0", "192.0.2.1", "::")) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> options.withAddress(new InetSocketAddress(other, 0))
                                .start())
                        .withMessageContaining("127.0.0.1 or [::1] only");
            }
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> options.withAddress(InetSocketAddress.createUnresolved("localhost", 0)));
            try (PailServer server = options.start()) {
                assertThat(server.address().getAddress().isLoopbackAddress()).isTrue();
                assertThat(server.address().getPort()).isPositive();
                assertThatExceptionOfType(StoreIOException.class)
                        .isThrownBy(() -> options.withAddress(server.address()).start())
                        .withMessageContainingAll(
                                "cannot listen", "" + server.address().getPort());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:80",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "192.0.2.1",
                "0.0.0.0",
                "[::2]",
                "localhost.",
                "127.1",
                "2130706433"
            })
    void aForeignHostIsRefused_GW12(String host) throws IOException {
        try (Served served = new Served()) {
            assertThat(served.send("GET /healthz HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 403")
                    .doesNotContain("ok\n");
            assertThat(served.send("GET http://" + host + "/healthz HTTP/1.1\r\nHost: " + host
                            + "\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 403");
        }
    }

    @Test
    void hostsOfThisMachineAreServed_GW12() throws IOException {
        try (Served served = new Served()) {
            for (String host :
                    List.of("localhost", "LOCALHOST:1", "127.0.0.1", "127.8.9.10:80", "[::1]", "[::1]:8080")) {
                assertThat(served.send("GET /healthz HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
                        .startsWith("HTTP/1.1 200")
                        .endsWith("ok\n");
            }
            assertThat(served.send("GET /healthz HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 403");
            assertThat(served.send("GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 400");
        }
    }

    @Test
    void aForeignOriginIsRefused_GW12() {
        try (Served served = new Served()) {
            for (String origin : List.of(
                    "http://evil.example",
                    "null",
                    "https://" + served.host(),
                    "http://127.0.0.1:1",
                    "http://localhost")) {
                assertThat(served.get("/healthz", "Origin", origin).statusCode())
                        .as(origin)
                        .isEqualTo(403);
            }
            assertThat(served.get("/healthz", "Origin", "http://" + served.host())
                            .statusCode())
                    .isEqualTo(200);
            assertThat(served.get("/healthz").headers().firstValue("Access-Control-Allow-Origin"))
                    .isEmpty();
            assertThat(served.ask("OPTIONS", "/healthz").statusCode()).isEqualTo(405);
        }
    }

    /** Each byte comes in time, and the header does not. */
    @Test
    void aHeaderThatDripsIsEnded_GW13() throws IOException {
        try (Served served = new Served(Repository.inMemory(), Served.IMPATIENT);
                Socket socket = connect(served)) {
            drip(socket);
        }
    }

    /** As above, behind a request that was answered. */
    @Test
    void aSecondHeaderThatDripsIsEnded_GW13() throws IOException {
        try (Served served = new Served(Repository.inMemory(), Served.IMPATIENT);
                Socket socket = connect(served)) {
            write(socket, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
            InputStream in = socket.getInputStream();
            StringBuilder answer = new StringBuilder();
            while (!answer.toString().endsWith("ok\n")) {
                answer.append((char) in.read());
            }
            drip(socket);
        }
    }

    private static Socket connect(Served served) throws IOException {
        return new Socket(
                served.server.address().getAddress(), served.server.address().getPort());
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** Sends a byte whenever nothing has come for a while, until the server ends the connection. */
    private static void drip(Socket socket) throws IOException {
        socket.setSoTimeout(20);
        write(socket, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ");
        while (true) {
            try {
                assertThat(socket.getInputStream().read()).isEqualTo(-1);
                return;
            } catch (SocketTimeoutException e) {
                try {
                    write(socket, "x");
                } catch (SocketException broken) {
                    return;
                }
            } catch (SocketException reset) {
                return;
            }
        }
    }

    /** A client that reads a response a byte at a time is ended, so that it holds no thread. */
    @Test
    void aResponseThatIsNotReadIsEnded_GW13() throws IOException {
        try (Served served = new Served(Repository.inMemory(), Served.IMPATIENT)) {
            Cid file = served.file(64 << 20);
            try (Socket socket = connect(served)) {
                socket.setReceiveBufferSize(4096);
                write(socket, "GET /ipfs/" + file + "?format=car HTTP/1.1\r\nHost: localhost\r\n\r\n");
                long begun = System.nanoTime();
                assertThat(socket.getInputStream().read()).isEqualTo('H');
                awaitNoConnection(served);
                assertThat(System.nanoTime() - begun).isGreaterThan(SHORT.toNanos() / 2);
            }
        }
    }

    /** A client that keeps its connection for later takes no place that another one waits for. */
    /** A client that does not know would send its next request to a connection that is closed. */
    @Test
    void aMalformedRequestEndsItsConnectionAndSaysSo() throws IOException {
        try (Served served = new Served()) {
            assertThat(served.send("GET /ipfs/%00 HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                    .startsWith("HTTP/1.1 400")
                    .contains("\r\nConnection: close\r\n");
        }
    }

    @Test
    void aConnectionThatIsKeptMakesRoom_GW13() throws IOException {
        try (Served served = new Served(Repository.inMemory(), TWO_CONNECTIONS)) {
            Cid file = served.file(32 << 20);
            try (Socket kept = connect(served)) {
                write(kept, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
                assertThat(kept.getInputStream().read()).isEqualTo('H');
                try (Socket busy = connect(served)) {
                    write(busy, "GET /ipfs/" + file + "?format=car HTTP/1.1\r\nHost: localhost\r\n\r\n");
                    assertThat(busy.getInputStream().read()).isEqualTo('H');
                    Served.rest(kept.getInputStream());
                    try (Socket silent = connect(served)) {
                        while (served.connections() < 2) {
                            Thread.onSpinWait();
                        }
                        assertThat(Served.rest(busy.getInputStream())).hasSizeGreaterThan(32 << 20);
                        write(silent, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
                        assertThat(silent.getInputStream().read()).isEqualTo('H');
                    }
                }
            }
        }
    }

    private static void awaitNoConnection(Served served) {
        while (served.connections() > 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void itStopsAfterTheResponsesThatHaveBegun() throws Exception {
        Served served = new Served();
        Cid file = served.file(32 << 20);
        try (Socket idle = connect(served);
                Socket socket = connect(served)) {
            write(socket, "GET /ipfs/" + file + "?format=car HTTP/1.1\r\nHost: localhost\r\n\r\n");
            int first = socket.getInputStream().read();
            CompletableFuture<Void> closing = CompletableFuture.runAsync(served.server::close);
            assertThat(first).isEqualTo('H');
            assertThat(idle.getInputStream().read()).isEqualTo(-1);
            assertThat(Served.rest(socket.getInputStream()))
                    .endsWith("\r\n0\r\n\r\n")
                    .hasSizeGreaterThan(32 << 20);
            closing.get();
            assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> connect(served));
        } finally {
            served.close();
        }
    }

    @Test
    void aServiceStartsIt() throws IOException {
        List<RepositoryServer> servers = ServiceLoader.load(RepositoryServer.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        assertThat(servers).hasSize(1);
        try (Repository repository = Repository.inMemory();
                RepositoryServer.Running running =
                        servers.get(0).over(repository).start();
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), running.address().getPort())) {
            write(socket, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            assertThat(Served.rest(socket.getInputStream())).endsWith("ok\n");
        }
    }

    @Test
    void limitsHaveBounds() {
        assertThatIllegalArgumentException().isThrownBy(() -> new ServerLimits(0, SHORT, SHORT, BODY, LONG));
        assertThatIllegalArgumentException().isThrownBy(() -> new ServerLimits(10_001, SHORT, SHORT, BODY, LONG));
        assertThatIllegalArgumentException().isThrownBy(() -> new ServerLimits(1, Duration.ZERO, SHORT, BODY, LONG));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServerLimits(1, SHORT, Duration.ofDays(2), BODY, LONG));
        assertThatIllegalArgumentException().isThrownBy(() -> new ServerLimits(1, SHORT, SHORT, 1 << 20, LONG));
    }

    @Test
    void nullIsRefused() {
        assertThatNullPointerException().isThrownBy(() -> PailServer.over(null)).withMessage("repository");
        assertThatNullPointerException()
                .isThrownBy(() -> new ServerLimits(1, null, SHORT, BODY, LONG))
                .withMessage("patience");
        assertThatNullPointerException()
                .isThrownBy(() -> new ServerLimits(1, SHORT, null, BODY, LONG))
                .withMessage("stopTime");
        assertThatNullPointerException()
                .isThrownBy(() -> new ServerLimits(1, SHORT, SHORT, BODY, null))
                .withMessage("requestTime");
        try (Repository repository = Repository.inMemory()) {
            ServerOptions options = PailServer.over(repository);
            assertThatNullPointerException()
                    .isThrownBy(() -> options.withAddress(null))
                    .withMessage("other");
            assertThatNullPointerException()
                    .isThrownBy(() -> options.withLimits(null))
                    .withMessage("other");
            assertThatNullPointerException()
                    .isThrownBy(() -> options.withTokens(null))
                    .withMessage("file");
        }
    }
}
