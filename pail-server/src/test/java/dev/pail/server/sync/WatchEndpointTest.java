package dev.pail.server.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.clock.Head;
import dev.pail.remote.Exchange;
import dev.pail.remote.PushMode;
import dev.pail.remote.RepositoryRemote;
import dev.pail.repository.Repository;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.Note;
import dev.pail.server.Served;
import dev.pail.server.access.WatchPlaces;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Ref updates as server-sent events (SY12). */
class WatchEndpointTest {
    private static void put(Repository repository, String key) {
        repository.update("main", pail -> pail.putBytes(key, key.getBytes(StandardCharsets.UTF_8)));
    }

    /** One that watches. Its connection ends with the response: the server would keep it for half a minute. */
    private static final class Watcher implements AutoCloseable {
        private final Socket socket;
        private final BufferedReader in;

        Watcher(Served served, String query, String header) throws IOException {
            socket = new Socket(
                    served.server.address().getAddress(),
                    served.server.address().getPort());
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write(("GET /v1/watch" + query + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + header
                                    + "\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        }

        /** The next line that has this beginning; null at the end. */
        String next(String beginning) throws IOException {
            String line = in.readLine();
            while (line != null && !line.startsWith(beginning)) {
                line = in.readLine();
            }
            return line;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static String token(Served served) {
        return served.repository.snapshot("main").token().toString();
    }

    @Test
    void eachUpdateIsToldOnceInOrder_SY12() throws IOException {
        try (Served served = new Served()) {
            put(served.repository, "a");
            try (Watcher watcher = new Watcher(served, "", "")) {
                assertThat(watcher.next("HTTP/1.1")).isEqualTo("HTTP/1.1 200 OK");
                assertThat(watcher.next("Content-Type")).contains("text/event-stream");
                // The feed has begun when the first comment comes.
                assertThat(watcher.next(":")).isEqualTo(":");
                put(served.repository, "b");
                String second = token(served);
                put(served.repository, "c");
                assertThat(watcher.next("id: ")).isEqualTo("id: " + second);
                assertThat(watcher.next("event")).isEqualTo("event: update");
                assertThat(watcher.next("data: ")).contains("\"name\":\"main\",\"generation\":2", "put \\\"b\\\"");
                assertThat(watcher.next("id: ")).isEqualTo("id: " + token(served));
                assertThat(watcher.next("data: "))
                        .contains("\"head\":[\""
                                + served.repository.head("main").events().get(0) + "\"]");
            }
        }
    }

    /** A push has no note of its own here, so its event says who and why. */
    @Test
    void anUpdateHasItsAuthorAndMessage_SY12() throws IOException {
        try (Served served = new Served();
                Repository other = Repository.inMemory()) {
            try (Watcher watcher = new Watcher(served, "", "")) {
                assertThat(watcher.next(":")).isEqualTo(":");
                served.repository
                        .withNote(Note.of("Ann", "why"))
                        .update("main", pail -> pail.putBytes("a", new byte[] {1}));
                assertThat(watcher.next("data: ")).contains("\"author\":\"Ann\",\"message\":\"why\"");
                Exchange exchange = Exchange.of(other, "origin", RepositoryRemote.of(served.repository, "served"));
                assertThat(exchange.fetch("main").ref()).isEqualTo("origin/main");
                other.merge("main", "origin/main", MergeOptions.DEFAULT);
                other.withNote(Note.of("Bob", "pushed")).update("main", pail -> pail.putBytes("b", new byte[] {2}));
                assertThat(exchange.push("main", PushMode.FAST_FORWARD).branch().head())
                        .isEqualTo(other.head("main"));
                assertThat(watcher.next("data: "))
                        .contains("\"reason\":\"push\"", "\"author\":\"Bob\",\"message\":\"pushed\"");
            }
        }
    }

    @Test
    void aWatcherGoesOnBehindAGeneration_SY12() throws IOException {
        try (Served served = new Served()) {
            List<String> tokens = new ArrayList<>();
            for (String key : List.of("a", "b", "c", "d")) {
                put(served.repository, key);
                tokens.add(token(served));
            }
            for (String from : List.of("2", tokens.get(1))) {
                try (Watcher watcher = new Watcher(served, "?branch=main&from=" + from, "")) {
                    assertThat(watcher.next("id: ")).isEqualTo("id: " + tokens.get(2));
                    assertThat(watcher.next("id: ")).isEqualTo("id: " + tokens.get(3));
                }
            }
            for (String last : List.of("3", tokens.get(2))) {
                try (Watcher watcher = new Watcher(served, "?branch=main&from=0", "Last-Event-ID: " + last + "\r\n")) {
                    assertThat(watcher.next("id: ")).isEqualTo("id: " + tokens.get(3));
                }
            }
            // A generation of another state is no place to continue.
            assertThat(served.get("/v1/watch?from=2" + tokens.get(2).substring(1))
                            .statusCode())
                    .isEqualTo(400);
            assertThat(served.get("/v1/watch?branch=nothing").statusCode()).isEqualTo(404);
            assertThat(served.get("/v1/watch?from=x").statusCode()).isEqualTo(400);
            assertThat(served.get("/v1/watch?from=9").statusCode()).isEqualTo(400);
        }
    }

    @Test
    void aWatcherOfARenamedOrRemovedBranchIsTold_SY12() throws IOException {
        try (Served served = new Served()) {
            served.repository.branches().create("x", Head.empty());
            served.repository.update("x", pail -> pail.putBytes("a", new byte[1]));
            try (Watcher watcher = new Watcher(served, "?branch=x", "")) {
                assertThat(watcher.next(":")).isEqualTo(":");
                served.repository.branches().rename("x", "y");
                assertThat(watcher.next("event: ")).isEqualTo("event: removed");
                String data = watcher.next("data: ");
                assertThat(data)
                        .isEqualTo("data: {\"error\":\"branch x was renamed to y\",\"code\":\"no-such-branch\"}");
                assertThat(watcher.next("event: ")).isNull();
                HttpResponse<byte[]> again = served.get("/v1/watch?branch=x");
                assertThat(again.statusCode()).isEqualTo(404);
                assertThat("data: " + Served.text(again)).isEqualTo(data);
            }
            try (Watcher watcher = new Watcher(served, "?branch=y&from=0", "")) {
                assertThat(watcher.next("event: ")).isEqualTo("event: update");
                served.repository.branches().remove("y");
                assertThat(watcher.next("event: ")).isEqualTo("event: removed");
                assertThat(watcher.next("data: ")).contains("branch y was removed\"");
                assertThat(watcher.next("event: ")).isNull();
            }
        }
    }

    @Test
    void aServerThatStopsEndsTheResponse_SY12() throws IOException {
        try (Served served = new Served();
                Watcher watcher = new Watcher(served, "", "")) {
            assertThat(watcher.next(":")).isEqualTo(":");
            served.server.close();
            assertThat(watcher.next("id: ")).isNull();
        }
    }

    /** A proxy, or the system of a client that is stopped, takes all bytes of a client that does not read any more. */
    @Test
    void aWatcherThatVanishedFreesItsPlaceWithinAMinute_SY12() throws IOException {
        AtomicLong nanos = new AtomicLong();
        try (Served served = new Served(Repository.inMemory(), nanos::get);
                Watcher silent = new Watcher(served, "", "");
                Watcher reader = new Watcher(served, "", "")) {
            String first = reader.next("id: ");
            assertThat(first).isEqualTo("id: " + token(served));
            assertThat(reader.next(":")).isEqualTo(":");
            assertThat(silent.socket.getInputStream().read()).isEqualTo('H');
            awaitWatchers(served, 2);
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(44));
            put(served.repository, "a");
            List<String> tokens = new ArrayList<>(List.of(token(served)));
            assertThat(reader.next("id: ")).isEqualTo("id: " + tokens.get(0));
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(16));
            put(served.repository, "b");
            tokens.add(token(served));
            awaitWatchers(served, 0);

            // The reader sees a regular end, before or behind the update that came with it, and continues from there.
            put(served.repository, "c");
            tokens.add(token(served));
            String last = reader.next("id: ");
            int seen = last == null ? 0 : 1;
            if (last != null) {
                assertThat(last).isEqualTo("id: " + tokens.get(1));
                assertThat(reader.next("id: ")).isNull();
            }
            try (Watcher again = new Watcher(served, "", "Last-Event-ID: " + tokens.get(seen) + "\r\n")) {
                for (String each : tokens.subList(seen + 1, tokens.size())) {
                    assertThat(again.next("id: ")).isEqualTo("id: " + each);
                }
            }
        }
    }

    private static void awaitWatchers(Served served, int expected) {
        String line = "pail_server_watchers " + expected;
        String shown = "";
        while (!shown.contains(line)) {
            shown = Served.text(served.get("/metrics"));
        }
    }

    @Test
    void watchersHaveALimit_SY12() throws IOException {
        List<Watcher> watchers = new ArrayList<>();
        try (Served served = new Served()) {
            for (int i = 0; i < WatchPlaces.MOST; i++) {
                Watcher watcher = new Watcher(served, "", "");
                watchers.add(watcher);
                assertThat(watcher.next(":")).isEqualTo(":");
            }
            assertThat(served.get("/v1/watch").statusCode()).isEqualTo(503);
            assertThat(served.get("/healthz").statusCode()).isEqualTo(200);
            assertThat(served.get("/v1/info").statusCode()).isEqualTo(200);
            assertThat(Served.text(served.get("/metrics"))).contains("pail_server_watchers " + WatchPlaces.MOST);
        } finally {
            for (Watcher watcher : watchers) {
                watcher.close();
            }
        }
    }
}
