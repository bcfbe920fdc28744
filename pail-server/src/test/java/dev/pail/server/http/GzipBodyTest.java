package dev.pail.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Pail;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.server.Served;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers in gzip. */
@Timeout(120)
class GzipBodyTest {
    private static final String KEYS = "/v1/keys?limit=1000";

    /** @param length of each key */
    private static Served withKeys(int count, int length) {
        Served served = new Served();
        Cid value = served.raw("value");
        served.repository.update("main", pail -> {
            Pail all = pail;
            for (int i = 0; i < count; i++) {
                // Hardly any text repeats, so that much is left in gzip, too.
                StringBuilder key = new StringBuilder(String.format("%04d", i));
                for (long x = i; key.length() < length; x = x * 6364136223846793005L + 1442695040888963407L) {
                    key.append((char) ('a' + (x >>> 40) % 26));
                }
                all = all.put(key.toString(), value);
            }
            return all;
        });
        return served;
    }

    private static byte[] unzipped(HttpResponse<byte[]> response) throws IOException {
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(Served.header(response, "Content-Encoding")).isEqualTo("gzip");
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
            return in.readAllBytes();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gzip",
                "GZIP",
                "x-gzip",
                "deflate, gzip;q=0.5",
                "gzip;q=0.001",
                "br, zstd, gzip",
                "identity;q=0.5, gzip"
            })
    void jsonIsCompressedIfTheClientTakesIt_GW29(String accepted) throws IOException {
        try (Served served = withKeys(100, 20)) {
            HttpResponse<byte[]> plain = served.get(KEYS);
            HttpResponse<byte[]> response = served.get(KEYS, "Accept-Encoding", accepted);
            assertThat(unzipped(response)).isEqualTo(plain.body());
            assertThat(response.body().length).isLessThan(plain.body().length / 2);
            assertThat(Served.header(response, "Content-Length")).isEqualTo("" + response.body().length);
            assertThat(Served.header(response, "Vary")).isEqualTo("Accept-Encoding");
            assertThat(Served.header(response, "Cache-Control")).isEqualTo("no-store");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "gzip;q=0", "identity", "identity, gzip;q=0.5", "br", "*;q=0", "gzip2", "deflate"})
    void jsonIsNotCompressedIfTheClientDoesNotAskForIt_GW29(String accepted) {
        try (Served served = withKeys(100, 20)) {
            HttpResponse<byte[]> response = served.get(KEYS, "Accept-Encoding", accepted);
            assertThat(response.body()).isEqualTo(served.get(KEYS).body());
            assertThat(Served.header(response, "Content-Encoding")).isEmpty();
            assertThat(Served.header(response, "Content-Length")).isEqualTo("" + response.body().length);
            assertThat(Served.header(response, "Vary")).isEqualTo("Accept-Encoding");
        }
    }

    /** More than the server has in memory at a time. */
    @Test
    void largeJsonIsCompressedInParts_GW29() throws IOException {
        try (Served served = withKeys(1000, 300)) {
            HttpResponse<byte[]> plain = served.get(KEYS);
            HttpResponse<byte[]> response = served.get(KEYS, "Accept-Encoding", "gzip");
            assertThat(unzipped(response)).isEqualTo(plain.body());
            assertThat(response.body().length).isGreaterThan(128 << 10);
            assertThat(Served.header(response, "Content-Length")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 1000})
    void headSaysTheSameWithoutBody_GW29(int count) {
        try (Served served = withKeys(count, 300)) {
            HttpResponse<byte[]> get = served.get(KEYS, "Accept-Encoding", "gzip");
            HttpResponse<byte[]> head = served.ask("HEAD", KEYS, "Accept-Encoding", "gzip");
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(head.body()).isEmpty();
            assertThat(Served.header(head, "Content-Encoding")).isEqualTo("gzip");
            for (String name : new String[] {"Content-Length", "Content-Type", "Vary"}) {
                assertThat(Served.header(head, name)).isEqualTo(Served.header(get, name));
            }
            // The connection is still in step.
            assertThat(served.get(KEYS).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void smallJsonAndErrorsAreNotCompressed_GW29() {
        try (Served served = withKeys(100, 20)) {
            String small = "/v1/keys?limit=7";
            assertThat(served.get(small).body().length).isBetween(700, 1023);
            assertThat(Served.header(served.get(small, "Accept-Encoding", "gzip"), "Content-Encoding"))
                    .isEmpty();
            HttpResponse<byte[]> error = served.get("/v1/value?key=none", "Accept-Encoding", "gzip");
            assertThat(error.statusCode()).isEqualTo(404);
            assertThat(Served.header(error, "Content-Encoding")).isEmpty();
        }
    }

    @Test
    void theEtagOfABranchIsOfBytesThatAreNotCompressed_GW29() {
        try (Served served = new Served()) {
            // A head of many events makes a long answer.
            List<Cid> events = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String branch = "b" + i;
                Cid value = served.raw(branch);
                served.repository.branches().create(branch, Head.empty());
                served.repository.update(branch, pail -> pail.put(branch, value));
                events.addAll(served.repository.head(branch).events());
            }
            served.repository.branches().create("all", Head.of(events));
            HttpResponse<byte[]> branch = served.get("/v1/branches/all", "Accept-Encoding", "gzip");
            assertThat(branch.body().length).isGreaterThan(1024);
            String tag = Served.header(branch, "ETag");
            assertThat(tag).isNotEmpty();
            assertThat(Served.header(branch, "Content-Encoding")).isEmpty();
            HttpResponse<byte[]> put = served.ask(
                    "PUT",
                    "/v1/value?branch=all&key=more",
                    BodyPublishers.ofString("x"),
                    "If-Match",
                    tag,
                    "Accept-Encoding",
                    "gzip");
            assertThat(put.statusCode()).as(Served.text(put)).isEqualTo(200);
        }
    }

    @Test
    void blocksAndValuesAreNotCompressed_GW29() {
        try (Served served = new Served()) {
            String text = "text ".repeat(1000);
            Cid value = served.raw(text);
            served.repository.update("main", pail -> pail.put("key", value));
            for (String path : new String[] {
                "/ipfs/" + value + "?format=raw",
                "/ipfs/" + value + "?format=car",
                "/v1/value?format=raw&key=key",
                "/v1/node?format=raw&cid=" + value,
                "/v1/proof?key=key"
            }) {
                HttpResponse<byte[]> response = served.get(path, "Accept-Encoding", "gzip");
                assertThat(response.statusCode()).as(path).isEqualTo(200);
                assertThat(Served.header(response, "Content-Encoding")).as(path).isEmpty();
            }
        }
    }
}
