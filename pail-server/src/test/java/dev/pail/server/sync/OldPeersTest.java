package dev.pail.server.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.pail.remote.Exchange;
import dev.pail.remote.FetchResult;
import dev.pail.remote.HttpRemote;
import dev.pail.remote.PushMode;
import dev.pail.remote.Pushed;
import dev.pail.remote.RemoteException;
import dev.pail.repository.HeadNotes;
import dev.pail.repository.Repository;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.MergeResult;
import dev.pail.repository.model.Snapshot;
import dev.pail.server.Served;
import dev.pail.sign.HeadNote;
import dev.pail.sign.SignedHead;
import dev.pail.sign.SigningKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Exchanges with a server of version 0.2.0: it knows generations, but no tokens and no ids. */
@Timeout(120)
class OldPeersTest {
    private static final String MAIN = Repository.MAIN;

    /** Passes requests on to a server, as version 0.2.0 reads them, and its answers as version 0.2.0 writes them. */
    private static final class Old implements AutoCloseable {
        private final HttpServer http;
        private final Served served;

        Old(Served served) throws IOException {
            this.served = served;
            this.http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            http.createContext("/", this::pass);
            http.start();
        }

        HttpRemote remote() {
            return HttpRemote.open("http://127.0.0.1:" + http.getAddress().getPort(), Optional.empty());
        }

        private void pass(HttpExchange exchange) throws IOException {
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (exchange.getRequestURI().getPath().equals("/v1/fetch")) {
                body = new String(body, StandardCharsets.UTF_8)
                        .replaceFirst(",\"unlessToken\":\"[^\"]*\"", "")
                        .getBytes(StandardCharsets.UTF_8);
            }
            String path = exchange.getRequestURI().getPath();
            if (path.startsWith("/v1/tags") || path.startsWith("/v1/signed-heads")) {
                answer(
                        exchange,
                        404,
                        "{\"error\":\"no such path\",\"code\":\"not-found\"}".getBytes(StandardCharsets.UTF_8));
                return;
            }
            String match = exchange.getRequestHeaders().getFirst("If-Match");
            if (match != null && !match.matches("\"[0-9]+\"")) {
                answer(
                        exchange,
                        400,
                        "{\"error\":\"If-Match is the generation\",\"code\":\"bad-request\"}"
                                .getBytes(StandardCharsets.UTF_8));
                return;
            }
            HttpResponse<byte[]> response = served.ask(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    HttpRequest.BodyPublishers.ofByteArray(body),
                    headers(exchange));
            for (String name : new String[] {"Content-Type", "Pail-Generation"}) {
                response.headers()
                        .firstValue(name)
                        .ifPresent(value -> exchange.getResponseHeaders().set(name, value));
            }
            answer(
                    exchange,
                    response.statusCode(),
                    Served.text(response).startsWith("{\"format\"")
                            ? Served.text(response)
                                    .replaceFirst(",\"id\":\"[^\"]*\"", "")
                                    .getBytes(StandardCharsets.UTF_8)
                            : response.body());
        }

        private static String[] headers(HttpExchange exchange) {
            return exchange.getRequestHeaders().entrySet().stream()
                    .filter(header -> header.getKey().matches("(?i)If-Match|If-None-Match|Content-type|Accept"))
                    .flatMap(header -> java.util.stream.Stream.of(
                            header.getKey(), header.getValue().get(0)))
                    .toArray(String[]::new);
        }

        private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
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

    private static void put(Repository repository, String key) {
        repository.update(MAIN, pail -> pail.putBytes(key, key.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aServerOfVersion020ExchangesNoTags_SY19() throws IOException {
        try (Served served = new Served();
                Old old = new Old(served);
                HttpRemote remote = old.remote();
                Repository here = Repository.inMemory()) {
            put(served.repository, "a");
            served.repository.tags().create("v1", served.repository.head(MAIN));
            Exchange exchange = Exchange.of(here, "origin", remote);
            assertThat(exchange.cloneAll(remote.info()).current().head()).isEqualTo(served.repository.head(MAIN));
            assertThat(exchange.fetchTags()).isEmpty();
            here.tags().create("v2", here.head(MAIN));
            assertThatExceptionOfType(RemoteException.class)
                    .isThrownBy(() -> exchange.pushTag("v2"))
                    .withMessageContaining("the remote takes no tags");
            assertThat(served.repository.tags().names()).containsExactly("v1");
        }
    }

    @Test
    void aServerOfVersion020KeepsNoSignedHeads_SY22_SY23() throws IOException {
        try (Served served = new Served();
                Old old = new Old(served);
                HttpRemote remote = old.remote()) {
            put(served.repository, "a");
            Snapshot now = served.repository.snapshot(MAIN);
            HeadNote note = HeadNote.parse(
                    new SignedHead(MAIN, 1, now.root(), now.head()).sign(SigningKey.generate("example.com/ann")));
            assertThat(remote.headNotes().keep(note)).isEqualTo(HeadNotes.Outcome.LEFT);
            assertThat(remote.headNotes().all()).isEmpty();
            assertThat(served.repository.headNotes().all()).isEmpty();
        }
    }

    @Test
    void aServerOfVersion020IsFetchedFromAndPushedTo_SY6() throws IOException {
        try (Served served = new Served();
                Old old = new Old(served);
                HttpRemote remote = old.remote();
                Repository here = Repository.inMemory()) {
            put(served.repository, "a");
            Exchange exchange = Exchange.of(here, "origin", remote);
            assertThat(remote.info().id()).isEmpty();
            MergeResult first = exchange.pull(MAIN, MergeOptions.DEFAULT);
            assertThat(first.root()).isEqualTo(served.repository.root(MAIN));
            FetchResult again = exchange.fetch(MAIN);
            assertThat(again.isChanged()).isFalse();
            put(here, "b");
            Pushed pushed = exchange.push(MAIN, PushMode.FAST_FORWARD);
            assertThat(pushed.branch().generation()).isEqualTo(2);
            assertThat(served.repository.head(MAIN)).isEqualTo(here.head(MAIN));
            put(here, "c");
            put(served.repository, "d");
            assertThatExceptionOfType(RemoteException.class)
                    .isThrownBy(() -> exchange.push(MAIN, PushMode.FORCE))
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(RemoteException.Reason.MOVED));
            assertThat(exchange.push(MAIN, PushMode.MERGE).isMerged()).isTrue();
        }
    }

    @Test
    void aServerOfVersion020ThatWentBackLosesNothing_SY13() throws IOException {
        try (Served lost = new Served();
                Old oldLost = new Old(lost);
                Served served = new Served();
                Old old = new Old(served);
                HttpRemote before = oldLost.remote();
                HttpRemote remote = old.remote();
                Repository here = Repository.inMemory()) {
            put(lost.repository, "a");
            put(lost.repository, "b");
            MergeResult unused = Exchange.of(here, "origin", before).pull(MAIN, MergeOptions.DEFAULT);
            put(served.repository, "a");
            put(served.repository, "important");
            Exchange exchange = Exchange.of(here, "origin", remote);
            assertThatExceptionOfType(RemoteException.class)
                    .isThrownBy(() -> exchange.push(MAIN, PushMode.FORCE))
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(RemoteException.Reason.MOVED));
            assertThat(served.repository.pail().getBytes("important")).isPresent();
            FetchResult fetched = exchange.fetch(MAIN);
            assertThat(fetched.isBack()).isTrue();
            assertThat(fetched.now().head()).isEqualTo(served.repository.head(MAIN));
        }
    }
}
