package dev.pail.server.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpServer;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.car.CarExport;
import dev.pail.car.Completeness;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import dev.pail.remote.Exchange;
import dev.pail.remote.FetchRequest;
import dev.pail.remote.HttpRemote;
import dev.pail.remote.PushMode;
import dev.pail.remote.RemoteException;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Tracking;
import dev.pail.server.Served;
import dev.pail.server.ServerLimits;
import dev.pail.server.ServerOptions;
import dev.pail.testkit.Randomness;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server answers to peers that are no client of ours, and a client to servers that are not ours. */
class SyncEndpointTest {
    private static final String MAIN = Repository.MAIN;

    private static void put(Repository repository, String key) {
        repository.update(MAIN, pail -> pail.putBytes(key, key.getBytes(StandardCharsets.UTF_8)));
    }

    private static HttpResponse<byte[]> post(Served served, String path, byte[] body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + served.host() + path))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try {
            return served.client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] car(Repository repository) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CarExport.of(repository.blocks(), repository.head(MAIN).events()).writeTo(out, "");
        return out.toByteArray();
    }

    @Test
    void programsReadBranches_SY1() {
        try (Served served = new Served()) {
            assertThat(Served.text(served.get("/v1/info")))
                    .contains(
                            "\"format\":{\"name\":\"v1\",\"maxKeySize\":4096}",
                            "\"current\":\"main\"",
                            "\"maxBody\":67108864");
            put(served.repository, "a");
            served.repository.branches().create("feature/ü-1".replace("ü", "u"), served.repository.head(MAIN));
            String head = served.repository.head(MAIN).events().get(0).toString();
            assertThat(Served.text(served.get("/v1/branches")))
                    .isEqualTo("{\"branches\":[{\"name\":\"feature/u-1\",\"generation\":1,\"head\":[\"" + head
                            + "\"]},{\"name\":\"main\",\"generation\":1,\"head\":[\"" + head + "\"]}]}");
            HttpResponse<byte[]> main = served.get("/v1/branches/main");
            assertThat(Served.text(main))
                    .isEqualTo("{\"name\":\"main\",\"generation\":1,\"head\":[\"" + head + "\"],\"root\":\""
                            + served.repository.root(MAIN) + "\"}");
            assertThat(Served.header(main, "ETag"))
                    .isEqualTo("\"" + served.repository.snapshot(MAIN).token() + "\"");
            assertThat(served.get("/v1/branches/feature%2Fu-1").statusCode()).isEqualTo(200);
            assertThat(served.get("/v1/branches/feature/u-1").statusCode()).isEqualTo(200);
            for (String absent : List.of("nothing", "..%2Fmain", "a%20b", "%E2%80%AE")) {
                HttpResponse<byte[]> none = served.get("/v1/branches/" + absent);
                assertThat(none.statusCode()).as(absent).isEqualTo(404);
                assertThat(Served.text(none)).contains("no-such-remote-branch");
            }
        }
    }

    @Test
    void aFetchHasTheOldestEventsFirst_SY5() {
        try (Served served = new Served()) {
            for (int i = 0; i < 20; i++) {
                put(served.repository, "key/" + i);
            }
            HttpResponse<byte[]> response =
                    post(served, "/v1/fetch", bytes("{\"want\":[\"main\"],\"understands\":[\"events\"]}"));
            assertThat(Served.header(response, "Pail-Generation")).isEqualTo("20");
            assertThat(Served.roots(response))
                    .isEqualTo(served.repository.head(MAIN).events());
            MerkleClock clock = MerkleClock.open(served.blocks());
            List<Cid> history = clock.history(served.repository.head(MAIN));
            Set<Cid> before = new HashSet<>();
            List<Cid> events = new ArrayList<>();
            for (Cid cid : Served.cids(response)) {
                if (history.contains(cid)) {
                    Event event = clock.event(cid);
                    assertThat(before).containsAll(event.parents());
                    for (Cid parent : event.parents()) {
                        assertThat(before).contains(clock.event(parent).root());
                    }
                    events.add(cid);
                }
                before.add(cid);
            }
            assertThat(events).isEqualTo(history);
        }
    }

    @Test
    void aFetchThatUnderstandsTooLittleGetsNoEvents_SY18() {
        try (Served served = new Served()) {
            put(served.repository, "a");
            for (String understood : List.of("", ",\"understands\":[]", ",\"understands\":[\"moonlight\"]")) {
                HttpResponse<byte[]> answer =
                        post(served, "/v1/fetch", bytes("{\"want\":[\"main\"]" + understood + "}"));
                assertThat(answer.statusCode()).isEqualTo(409);
                assertThat(new String(answer.body(), StandardCharsets.UTF_8))
                        .contains("\"code\":\"not-understood-remote\"")
                        .contains("understand: events");
            }
            HttpResponse<byte[]> more = post(
                    served, "/v1/fetch", bytes("{\"want\":[\"main\"],\"understands\":[\"moonlight\",\"events\"]}"));
            assertThat(more.statusCode()).isEqualTo(200);
        }
    }

    @Test
    void whoAsksForDeltasGetsThem_SY11() {
        try (Served served = new Served()) {
            for (int i = 0; i < 50; i++) {
                put(served.repository, "key/" + i);
            }
            byte[] message = bytes("{\"want\":[\"main\"],\"understands\":[\"events\"]}");
            HttpResponse<byte[]> plain = post(served, "/v1/fetch", message);
            HttpResponse<byte[]> deltas = post(
                    served, "/v1/fetch", message, "Accept", "application/vnd.pail.delta, application/vnd.ipld.car");
            assertThat(Served.header(plain, "Content-Type")).isEqualTo("application/vnd.ipld.car; version=1");
            assertThat(Served.header(deltas, "Content-Type")).isEqualTo("application/vnd.pail.delta");
            assertThat(deltas.body().length).isLessThan(plain.body().length * 7 / 10);
            assertThat(Served.cids(plain)).hasSizeGreaterThan(150);
        }
    }

    @Test
    void aServerWithoutDeltasGetsPlainBlocks_SY11() throws IOException {
        List<String> types = new ArrayList<>();
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        try (Repository mine = Repository.inMemory()) {
            put(mine, "a");
            String head = mine.head(MAIN).events().get(0).toString();
            other.createContext("/", exchange -> {
                String type = exchange.getRequestHeaders().getFirst("Content-Type");
                types.add(type);
                byte[] unread = exchange.getRequestBody().readAllBytes();
                boolean isPlain = type.equals("application/vnd.ipld.car") && unread.length > 0;
                byte[] answer = bytes(
                        isPlain ? "{\"name\":\"main\",\"generation\":1,\"head\":[\"" + head + "\"]}" : "no such type");
                exchange.sendResponseHeaders(isPlain ? 200 : 415, answer.length);
                exchange.getResponseBody().write(answer);
                exchange.close();
            });
            other.start();
            HttpRemote remote =
                    HttpRemote.open("http://127.0.0.1:" + other.getAddress().getPort(), Optional.empty());
            assertThat(Exchange.of(mine, "origin", remote)
                            .push(MAIN, PushMode.FAST_FORWARD)
                            .branch()
                            .generation())
                    .isEqualTo(1);
            assertThat(types).containsExactly("application/vnd.pail.delta", "application/vnd.ipld.car");
        } finally {
            other.stop(0);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{\"want\":\"main\"}",
                "{\"want\":[]}",
                "{\"want\":[1]}",
                "{\"want\":[\"main\"],\"have\":[\"x\"]}",
                "{\"want\":[\"main\"],\"have\":[\"bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy\"]}",
                "{\"want\":[\"main\"],\"values\":1}",
                "{\"want\":[\"main\"],\"unless\":1.5}",
                "{\"want\":[\"main\"],\"unless\":99999999999999999999}",
                "{\"want\":[\"main\"],\"want\":[\"main\"]}",
                "{\"want\":[\"main\"]} ]",
                "{\"want\":[[[[[[[[[[]]]]]]]]]]}"
            })
    void aMessageThatIsNoneIsRefused_SY2(String message) {
        try (Served served = new Served()) {
            HttpResponse<byte[]> response = post(served, "/v1/fetch", bytes(message));
            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(Served.text(response)).hasLineCount(1);
        }
    }

    @Test
    void aMessageThatIsTooLongIsRefused_SY2() throws IOException {
        try (Served served = new Served()) {
            assertThat(served.send("POST /v1/fetch HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1048577\r\n\r\n"))
                    .startsWith("HTTP/1.1 413");
            assertThat(post(served, "/v1/fetch", bytes("[".repeat(1 << 20))).statusCode())
                    .isEqualTo(400);
        }
    }

    @Test
    void blocksAreSentThatAreHere_SY1() {
        try (Served served = new Served()) {
            Cid here = served.raw("here");
            Cid absent = Cid.parse("bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy");
            HttpResponse<byte[]> response =
                    post(served, "/v1/blocks", bytes("{\"cids\":[\"" + here + "\",\"" + absent + "\",\"bafkqaaa\"]}"));
            assertThat(Served.cids(response)).containsExactly(here);
            String many = ("\"" + here + "\",").repeat(1001);
            assertThat(post(served, "/v1/blocks", bytes("{\"cids\":[" + many.substring(0, many.length() - 1) + "]}"))
                            .statusCode())
                    .isEqualTo(400);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', 428",
        "If-Match: 0, 400",
        "If-Match: \"x\", 400",
        "If-Match: W/\"0\", 400",
        "If-None-Match: \"0\", 400"
    })
    void aPushSaysWhatItFollows_SY6(String header, int status) {
        try (Served served = new Served();
                Repository other = Repository.inMemory()) {
            put(other, "a");
            String[] headers = header.isEmpty() ? new String[0] : header.split(": ");
            assertThat(post(served, "/v1/push/main", car(other), headers).statusCode())
                    .isEqualTo(status);
            assertThat(served.repository.head(MAIN).isEmpty()).isTrue();
        }
    }

    @Test
    void aPushThatIsWrongMovesNothing_SY6() {
        Random random = Randomness.random("SyncEndpointTest.aPushThatIsWrongMovesNothing");
        try (Served served = new Served();
                Repository other = Repository.inMemory()) {
            put(other, "a");
            put(other, "b");
            byte[] whole = car(other);
            for (int i = 0; i < Randomness.times(150, 3000); i++) {
                byte[] body = whole.clone();
                if (random.nextBoolean()) {
                    body = java.util.Arrays.copyOf(body, random.nextInt(body.length));
                } else {
                    body[random.nextInt(body.length)] ^= (byte) (1 << random.nextInt(8));
                }
                HttpResponse<byte[]> response = post(served, "/v1/push/b" + i, body, "If-None-Match", "*");
                if (response.statusCode() == 200) {
                    // Only a value was lost, which may be anywhere.
                    assertThat(served.repository.head("b" + i)).isEqualTo(other.head(MAIN));
                    served.repository.branches().remove("b" + i);
                } else {
                    assertThat(response.statusCode()).as(Served.text(response)).isIn(400, 422);
                }
                assertThat(served.repository.branches().names()).containsExactly(MAIN);
            }
            assertThat(post(served, "/v1/push/main", whole, "If-None-Match", "*")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(post(served, "/v1/push/..%2Fx", whole, "If-None-Match", "*")
                            .statusCode())
                    .isEqualTo(400);
            assertThat(post(served, "/v1/push/main?merge=1&force=1", whole, "If-None-Match", "*")
                            .statusCode())
                    .isEqualTo(400);
        }
    }

    /** The least that a server can take; a push of 40 MB, and a change of 20 MB. */
    @Test
    void aPushThatIsTooLargeGoesInParts_SY9() {
        ServerLimits limits = new ServerLimits(
                ServerLimits.DEFAULT.connections(),
                Duration.ofSeconds(30),
                Duration.ofSeconds(10),
                9 << 20,
                Duration.ofMinutes(5));
        Random random = Randomness.random("SyncEndpointTest.aPushThatIsTooLargeGoesInParts");
        try (Served served = new Served(Repository.inMemory(), limits);
                Repository other = Repository.inMemory()) {
            byte[] value = new byte[1 << 20];
            for (int i = 0; i < 20; i++) {
                random.nextBytes(value);
                String key = "key/" + i;
                other.update(MAIN, pail -> pail.putBytes(key, value));
            }
            other.update(MAIN, pail -> {
                dev.pail.Pail next = pail;
                for (int i = 0; i < 20; i++) {
                    random.nextBytes(value);
                    next = next.putBytes("large/" + i, value);
                }
                return next;
            });
            put(other, "last");
            HttpRemote remote = HttpRemote.open("http://" + served.host(), Optional.empty());
            Exchange.of(other, "origin", remote).push(MAIN, PushMode.FAST_FORWARD);
            assertThat(served.repository.head(MAIN)).isEqualTo(other.head(MAIN));
            assertThat(served.repository.pail().getBytes("large/19").orElseThrow())
                    .isEqualTo(value);
            // Each part of the history is a prefix.
            assertThat(served.repository.snapshot(MAIN).generation()).isBetween(4L, 8L);
        }
    }

    @Test
    void aTokenGoesToItsAddressAlone_SY10() throws IOException {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpRemote.open("http://example.org", Optional.of("secret")))
                .withMessageContaining("https");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpRemote.open("https://secret@example.org", Optional.empty()))
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
        AtomicInteger asked = new AtomicInteger();
        AtomicReference<String> seen = new AtomicReference<>();
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", exchange -> {
            asked.incrementAndGet();
            seen.set(exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.getResponseHeaders()
                    .add("Location", "http://127.0.0.1:" + other.getAddress().getPort() + "/x");
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
        other.start();
        try {
            HttpRemote remote =
                    HttpRemote.open("http://127.0.0.1:" + other.getAddress().getPort(), Optional.of("secret"));
            assertThatExceptionOfType(RemoteException.class)
                    .isThrownBy(remote::branches)
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(RemoteException.Reason.PROTOCOL))
                    .withMessageContaining("moved");
            assertThat(asked.get()).isEqualTo(1);
            assertThat(seen.get()).isEqualTo("Bearer secret");
        } finally {
            other.stop(0);
        }
    }

    /** A server that answers one request with these bytes, and closes the connection. */
    private static final class Foreign implements AutoCloseable {
        private final ServerSocket socket = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        private final Thread thread;

        Foreign(byte[] answer) throws IOException {
            thread = new Thread(() -> {
                try {
                    while (true) {
                        try (Socket client = socket.accept()) {
                            readRequest(client.getInputStream());
                            client.getOutputStream().write(answer);
                            client.getOutputStream().flush();
                        }
                    }
                } catch (IOException e) {
                    return;
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        private static void readRequest(InputStream in) throws IOException {
            StringBuilder header = new StringBuilder();
            while (header.indexOf("\r\n\r\n") < 0) {
                header.append((char) in.read());
            }
            int at = header.toString().toLowerCase(java.util.Locale.ROOT).indexOf("content-length: ");
            if (at >= 0) {
                String rest = header.substring(at + "content-length: ".length());
                in.readNBytes(Integer.parseInt(rest.substring(0, rest.indexOf('\r'))));
            }
        }

        HttpRemote remote() {
            return HttpRemote.open("http://127.0.0.1:" + socket.getLocalPort(), Optional.empty())
                    .withPatience(Duration.ofSeconds(20));
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void aBranchIsRemovedByItsGeneration_SY15() {
        try (Served served = new Served()) {
            put(served.repository, "a");
            String path = "/v1/branches/x/y-z";
            Object made = served.repository.branches().create("x/y-z", served.repository.head(MAIN));
            assertThat(made).isNotNull();
            assertThat(served.ask("DELETE", path).statusCode()).isEqualTo(428);
            assertThat(served.ask("DELETE", path, "If-None-Match", "*").statusCode())
                    .isEqualTo(400);
            HttpResponse<byte[]> moved = served.ask("DELETE", path, "If-Match", "\"7\"");
            assertThat(moved.statusCode()).isEqualTo(412);
            assertThat(Served.text(moved)).contains("remote-moved", "\"current\"");
            assertThat(served.ask("DELETE", path, "If-Match", "\"1\"").statusCode())
                    .isEqualTo(204);
            assertThat(served.repository.branches().names()).containsExactly(MAIN);
            assertThat(served.ask("DELETE", path, "If-Match", "\"1\"").statusCode())
                    .isEqualTo(404);
            assertThat(served.ask("DELETE", "/v1/branches/main", "If-Match", "\"1\"")
                            .statusCode())
                    .isEqualTo(409);
            assertThat(served.ask("DELETE", "/v1/branches", "If-Match", "\"1\"").statusCode())
                    .isEqualTo(405);
        }
        try (Served served = new Served(Repository.inMemory(), ServerOptions::readOnly)) {
            assertThat(served.ask("DELETE", "/v1/branches/main", "If-Match", "\"0\"")
                            .statusCode())
                    .isEqualTo(403);
        }
    }

    @Test
    void anAnswerWithoutAnEndIsRefused_SY1() throws IOException {
        try (Repository other = Repository.inMemory();
                Repository fresh = Repository.inMemory()) {
            put(other, "a");
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            answer.write(bytes("HTTP/1.1 200 OK\r\nPail-Generation: 1\r\nConnection: close\r\n\r\n"));
            answer.write(car(other));
            try (Foreign foreign = new Foreign(answer.toByteArray())) {
                assertThatExceptionOfType(RemoteException.class)
                        .isThrownBy(() ->
                                Exchange.of(fresh, "origin", foreign.remote()).fetch(MAIN))
                        .withMessageContaining("where it ends");
                assertThat(fresh.remotes().refs()).isEmpty();
            }
        }
    }

    /** An answer that was cut off, or has wrong bytes, moves no ref to what is not whole. */
    @Test
    void answersThatAreWrongMoveNothing_SY1() throws IOException {
        Random random = Randomness.random("SyncEndpointTest.answersThatAreWrongMoveNothing");
        try (Repository other = Repository.inMemory()) {
            for (int i = 0; i < 12; i++) {
                put(other, "key/" + i);
            }
            byte[] whole = car(other);
            for (int i = 0; i < Randomness.times(120, 2000); i++) {
                byte[] body = whole.clone();
                int length = body.length;
                boolean isCut = random.nextBoolean();
                if (isCut) {
                    length = random.nextInt(body.length);
                } else {
                    body[random.nextInt(body.length)] ^= (byte) (1 << random.nextInt(8));
                }
                ByteArrayOutputStream answer = new ByteArrayOutputStream();
                answer.write(
                        bytes("HTTP/1.1 200 OK\r\nPail-Generation: 1\r\nContent-Length: " + body.length + "\r\n\r\n"));
                answer.write(body, 0, length);
                try (Foreign foreign = new Foreign(answer.toByteArray());
                        Repository fresh = Repository.inMemory()) {
                    try {
                        // Only a value was lost, which may be anywhere.
                        assertThat(Exchange.of(fresh, "origin", foreign.remote())
                                        .fetch(MAIN)
                                        .now()
                                        .head())
                                .isEqualTo(other.head(MAIN));
                        assertThat(isCut).isFalse();
                    } catch (PailException e) {
                        assertThat(e.code())
                                .isIn(
                                        "io",
                                        "corrupt-block",
                                        "bad-remote",
                                        "missing-block",
                                        "malformed-car",
                                        "malformed-shard",
                                        "malformed-event",
                                        "unsupported-hash");
                    }
                    for (Tracking tracking : fresh.remotes().refs().values()) {
                        assertThat(Completeness.require(
                                        fresh.blocks(), tracking.head().events()))
                                .isPositive();
                    }
                    assertThat(fresh.head(MAIN)).isEqualTo(Head.empty());
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
                "HTTP/1.1 204 No Content\r\n\r\n",
                "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 70\r\n\r\n{\"branches\":[{\"name\":\"main\",\"generation\":-1,\"head\":[]}],\"more\":[1,2]}"
            })
    void otherServersAreTold(String answer) throws IOException {
        try (Foreign foreign = new Foreign(bytes(answer))) {
            assertThatExceptionOfType(RemoteException.class)
                    .isThrownBy(() -> foreign.remote().branches())
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(RemoteException.Reason.PROTOCOL));
            assertThatExceptionOfType(PailException.class)
                    .isThrownBy(() -> foreign.remote().fetch(FetchRequest.of(MAIN), new MemoryBlockStore()));
        }
    }

    @Test
    void aServerThatIsNotThereIsNamed() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        HttpRemote remote = HttpRemote.open("http://127.0.0.1:" + port, Optional.empty());
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(remote::info)
                .withMessageContaining("127.0.0.1:" + port);
    }

    @Test
    void oldClientsGetNoCar() throws IOException {
        try (Served served = new Served()) {
            put(served.repository, "a");
            String message = "{\"want\":[\"main\"],\"understands\":[\"events\"]}";
            assertThat(served.send("POST /v1/fetch HTTP/1.0\r\nHost: localhost\r\nContent-Length: " + message.length()
                            + "\r\n\r\n" + message))
                    .startsWith("HTTP/1.1 505");
        }
    }
}
