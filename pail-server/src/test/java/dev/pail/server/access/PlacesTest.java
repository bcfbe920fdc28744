package dev.pail.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.server.Served;
import dev.pail.server.ServerLimits;
import dev.pail.server.http.Refusal;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who gets a place if there are too few. */
@Timeout(120)
@SuppressWarnings({"AddressSelection", "StringConcatToTextBlock"})
class PlacesTest {
    private static final Duration LONG = Duration.ofHours(1);

    private static Socket connect(Served served) throws IOException {
        return new Socket(
                served.server.address().getAddress(), served.server.address().getPort());
    }

    private static void close(List<Socket> all) throws IOException {
        for (Socket each : all) {
            each.close();
        }
    }

    /** Connections that never send a request take no place that a request needs, although there are more than the server accepts. */
    @Test
    void idleConnectionsMakeRoom_GW25() throws IOException {
        List<Socket> idle = new ArrayList<>();
        ServerLimits limits = new ServerLimits(16, LONG, Duration.ofSeconds(1), 64 << 20, LONG);
        try (Served served = new Served(Repository.inMemory(), limits)) {
            for (int i = 0; i < Deadlines.most(limits.connections()) + 16; i++) {
                Socket socket = connect(served);
                idle.add(socket);
                if (i % 2 == 0) {
                    socket.getOutputStream().write("GET / HT".getBytes(StandardCharsets.US_ASCII));
                }
            }
            for (String path : List.of("/healthz", "/v1/info", "/metrics")) {
                assertThat(served.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                        .as(path)
                        .startsWith("HTTP/1.1 200");
            }
        } finally {
            close(idle);
        }
    }

    /** A client that keeps its place without reading loses it to a request that waits, and health is answered meanwhile. */
    @Test
    void slowClientsMakeRoom_GW25() throws IOException {
        List<Socket> slow = new ArrayList<>();
        ServerLimits limits = new ServerLimits(4, LONG, Duration.ofMillis(1), 64 << 20, LONG);
        try (Served served = new Served(Repository.inMemory(), limits)) {
            Cid file = served.file(64 << 20);
            for (int i = 0; i < 4; i++) {
                Socket socket = connect(served);
                slow.add(socket);
                OutputStream out = socket.getOutputStream();
                out.write(("GET /ipfs/" + file + "?format=car HTTP/1.1\r\nHost: localhost\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
                assertThat(socket.getInputStream().read()).isEqualTo('H');
            }
            CompletableFuture<HttpResponse<byte[]>> waiting =
                    CompletableFuture.supplyAsync(() -> served.get("/v1/info"));
            assertThat(served.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 200");
            assertThat(waiting.join().statusCode()).isEqualTo(200);
        } finally {
            close(slow);
        }
    }

    /** All watchers that there may be, and a client that keeps the only place: the server accepts connections beyond both. */
    @Test
    void healthIsAnsweredIfAllPlacesAreTaken_GW25() throws IOException {
        List<Socket> all = new ArrayList<>();
        ServerLimits limits = new ServerLimits(1, LONG, Duration.ofMillis(1), 64 << 20, LONG);
        try (Served served = new Served(Repository.inMemory(), limits)) {
            String rest = " HTTP/1.1\r\nHost: localhost\r\n\r\n";
            String slow = "GET /ipfs/" + served.file(64 << 20) + "?format=car";
            int watchers = WatchPlaces.most(Runtime.getRuntime().maxMemory());
            for (int i = 0; i <= watchers; i++) {
                Socket socket = connect(served);
                all.add(socket);
                String request = (i < watchers ? "GET /v1/watch" : slow) + rest;
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                        .isEqualTo("HTTP/1.1 200");
            }
            assertThat(served.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 200");
        } finally {
            close(all);
        }
    }

    /** More connections than the limit, none of them idle: each has the time to send its request, and all are answered. */
    @Test
    void newConnectionsAreSpared_GW25() throws IOException {
        ServerLimits limits = new ServerLimits(16, LONG, Duration.ofSeconds(1), 64 << 20, LONG);
        try (Served served = new Served(Repository.inMemory(), limits)) {
            assertThat(served.get("/v1/info").statusCode()).isEqualTo(200);
            for (int round = 0; round < 100; round++) {
                List<Socket> all = new ArrayList<>();
                for (int i = 0; i < 24; i++) {
                    all.add(connect(served));
                }
                for (Socket each : all) {
                    each.getOutputStream()
                            .write("GET /v1/info HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
                }
                for (Socket each : all) {
                    assertThat(Served.rest(each.getInputStream())).startsWith("HTTP/1.1 200");
                }
                close(all);
            }
        }
    }

    /** If there are too many connections, that of a token stays for its next request, and that of others ends. */
    @Test
    void tokensKeepTheirConnections_GW13(@TempDir Path folder) throws IOException {
        Path tokens = Files.writeString(
                folder.resolve("tokens"), TokensTest.sha256("one") + " write ** ann\n", StandardCharsets.US_ASCII);
        Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
        ServerLimits limits = new ServerLimits(4, LONG, Duration.ofSeconds(1), 64 << 20, LONG);
        List<Socket> all = new ArrayList<>();
        try (Served served = new Served(
                Repository.inMemory(), options -> options.withLimits(limits).withTokens(tokens))) {
            String push = "POST /v1/push/main?blocks=1 HTTP/1.1\r\nHost: localhost\r\n"
                    + "Authorization: Bearer one\r\nContent-Length: 100\r\n\r\n";
            for (int i = 0; i < 3; i++) {
                Socket socket = connect(served);
                all.add(socket);
                socket.getOutputStream().write(push.getBytes(StandardCharsets.US_ASCII));
            }
            while (served.activeRequests() < 3) {
                Thread.onSpinWait();
            }
            String request = "GET /v1/info HTTP/1.1\r\nHost: localhost\r\n";
            String own = request + "Authorization: Bearer one\r\n";
            String two = served.send(own + "\r\n" + own + "Connection: close\r\n\r\n");
            assertThat(two.split("HTTP/1.1 200", -1)).hasSize(3);
            assertThat(served.send(request + "\r\n" + own + "\r\n"))
                    .startsWith("HTTP/1.1 401")
                    .contains("Connection: close")
                    .doesNotContain("HTTP/1.1 200");
        } finally {
            close(all);
        }
        assertThat(Deadlines.mayKeep(7, 127, 256)).isTrue();
        assertThat(Deadlines.mayKeep(8, 8, 256)).isFalse();
        assertThat(Deadlines.mayKeep(0, 128, 256)).isFalse();
    }

    /** Requests wait in turns of their senders. If too many wait, the sender with most loses its newest one. */
    @Test
    void sendersWaitInTurns_GW25() {
        List<String> begun = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        Places places = new Places(2, 4);
        assertThat(places.tryEnter()).isTrue();
        assertThat(places.tryEnter()).isTrue();
        assertThat(places.tryEnter()).isFalse();
        assertThat(places.isScarce()).isFalse();
        for (String name : List.of("a1", "a2", "a3", "a4", "a5", "b1", "b2", "c1")) {
            places.enterLater(name.substring(0, 1), new Places.Turn(0, () -> begun.add(name), refusal -> {
                assertThat(refusal.status()).isEqualTo(503);
                refused.add(name);
            }));
        }
        assertThat(refused).containsExactly("a5", "a4", "a3", "a2");
        assertThat(places.isScarce()).isTrue();
        for (int i = 0; i < 3; i++) {
            places.leave();
        }
        assertThat(begun).containsExactly("a1", "b1", "c1");
        places.refuseLate(Duration.ofSeconds(10).toNanos());
        assertThat(refused).hasSize(4);
        places.refuseLate(Duration.ofSeconds(11).toNanos());
        assertThat(refused).endsWith("b2").hasSize(5);
        assertThat(places.isScarce()).isFalse();
        places.leave();
        places.enterLater("d", new Places.Turn(0, () -> begun.add("d1"), refusal -> refused.add("d1")));
        assertThat(begun).endsWith("d1");
        assertThat(places.tryEnter()).isFalse();
    }

    @Test
    void aSenderIsAnAddressOrANetwork_GW25() throws IOException {
        for (InetAddress loopback : InetAddress.getAllByName("localhost")) {
            assertThat(Places.sender(new InetSocketAddress(loopback, 1))).isEmpty();
        }
        assertThat(Places.sender(new InetSocketAddress("192.0.2.1", 1)))
                .isEqualTo(Places.sender(new InetSocketAddress("192.0.2.1", 2)))
                .isNotEqualTo(Places.sender(new InetSocketAddress("192.0.2.2", 1)));
        assertThat(Places.sender(new InetSocketAddress("2001:db8::1", 1)))
                .isEqualTo(Places.sender(new InetSocketAddress("2001:db8::2", 1)))
                .isNotEqualTo(Places.sender(new InetSocketAddress("2001:db8:0:1::1", 1)));
    }

    @Test
    void aSmallHeapHasFewerWatchers_SY12() {
        assertThat(WatchPlaces.most(64L << 20)).isEqualTo(256);
        assertThat(WatchPlaces.most(256L << 20)).isEqualTo(1024);
        assertThat(WatchPlaces.most(16L << 30)).isEqualTo(1024);
    }

    /** A token with many watchers takes no place of another token. */
    @Test
    void tokensShareThePlacesOfWatchers_SY12() {
        WatchPlaces places = new WatchPlaces(10);
        List<String> ended = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            String watcher = "a" + i;
            places.enter("ann", () -> ended.add(watcher));
        }
        assertThatExceptionOfType(Refusal.class).isThrownBy(() -> places.enter("ann", () -> {}));
        for (int i = 0; i < 4; i++) {
            places.enter("bob", () -> ended.add("bob"));
        }
        assertThat(ended).containsExactly("a0", "a1", "a2", "a3");
        assertThatExceptionOfType(Refusal.class).isThrownBy(() -> {
            places.enter("bob", () -> ended.add("bob"));
            places.enter("bob", () -> ended.add("bob"));
        });
        assertThat(ended).doesNotContain("bob");
        assertThat(places.taken()).isEqualTo(10);
        Runnable last = () -> ended.add("carl");
        places.enter("carl", last);
        places.leave("carl", last);
        places.leave("carl", last);
        assertThat(places.taken()).isEqualTo(9);
    }

    @Test
    void anOldRequestWithAnEncodingIsTheLastOfItsConnection_GW20() throws IOException {
        try (Served served = new Served()) {
            List<String> lines = List.of(
                    "POST /v1/fetch HTTP/1.0",
                    "Host: localhost",
                    "Connection: keep-alive",
                    "Transfer-Encoding: chunked",
                    "",
                    "0",
                    "",
                    "GET /healthz HTTP/1.0",
                    "Host: localhost",
                    "",
                    "");
            assertThat(served.send(String.join("\r\n", lines)))
                    .matches("(?s)HTTP/1\\.[01] 400 .*")
                    .doesNotContain("ok\n");
        }
    }
}
