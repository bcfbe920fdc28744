package dev.pail.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.server.Served;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Formats, headers, caching and refusals of the gateway. */
class GatewayTest {
    private static final String RAW = "application/vnd.ipld.raw";
    private static final String CAR = "application/vnd.ipld.car";
    private static final String CAR_AS_SENT = CAR + "; version=1; order=dfs; dups=n";
    private static final Cid ABSENT =
            Block.of(Cid.RAW, "absent".getBytes(StandardCharsets.UTF_8)).cid();

    @TempDir
    Path folder;

    private final Served served = new Served();
    private final Cid cid = served.raw("bytes of a block");

    @AfterEach
    void close() {
        served.close();
    }

    @Test
    void aRawBlockIsItsBytes_GW3_GW11() {
        HttpResponse<byte[]> response = served.get("/ipfs/" + cid + "?format=raw");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(Served.text(response)).isEqualTo("bytes of a block");
        assertThat(Served.header(response, "Content-Type")).isEqualTo(RAW);
        assertThat(Served.header(response, "Content-Length")).isEqualTo("16");
        assertThat(Served.header(response, "Content-Disposition"))
                .isEqualTo("attachment; filename=\"" + cid + ".bin\"");
        assertThat(Served.header(response, "X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(Served.header(response, "Cache-Control")).isEqualTo("public, max-age=29030400, immutable");
        assertThat(Served.header(response, "Etag")).isEqualTo("\"" + cid + ".raw\"");
        assertThat(Served.header(response, "X-Ipfs-Path")).isEqualTo("/ipfs/" + cid);
        assertThat(Served.header(response, "Ipfs-Uri")).isEqualTo("ipfs://" + cid);
        assertThat(Served.header(response, "X-Ipfs-Roots")).isEqualTo(cid.toString());
        assertThat(Served.header(response, "Vary")).isEqualTo("Accept");
        assertThat(response.headers().firstValue("Content-Location")).isEmpty();
        assertThat(response.headers().firstValue("Server")).isEmpty();
        served.assertRefused(400, "/ipfs/" + cid + "/a?format=raw", "a raw block has no path");
        assertThat(served.get("/ipfs/" + cid + "/?format=raw").statusCode()).isEqualTo(200);
    }

    @Test
    void aRawBlockIsReadInParts_GW28() {
        String path = "/ipfs/" + cid + "?format=raw";
        for (String[] each : new String[][] {
            {"bytes=6-", "of a block", "6-15/16"},
            {"bytes=0-0", "b", "0-0/16"},
            {"bytes=15-999999999", "k", "15-15/16"},
            {"bytes=-5", "block", "11-15/16"},
            {"bytes=-99", "bytes of a block", "0-15/16"}
        }) {
            HttpResponse<byte[]> response = served.get(path, "Range", each[0]);
            assertThat(response.statusCode()).as(each[0]).isEqualTo(206);
            assertThat(Served.text(response)).as(each[0]).isEqualTo(each[1]);
            assertThat(Served.header(response, "Content-Range")).isEqualTo("bytes " + each[2]);
            assertThat(Served.header(response, "Content-Length")).isEqualTo("" + each[1].length());
            assertThat(Served.header(response, "Accept-Ranges")).isEqualTo("bytes");
            assertThat(Served.header(response, "Etag")).isEqualTo("\"" + cid + ".raw\"");
        }
        for (String whole : List.of("bytes=0-1,3-4", "bytes=-", "bytes=5-3", "items=1-2", "bytes=1-9999999999")) {
            HttpResponse<byte[]> response = served.get(path, "Range", whole);
            assertThat(response.statusCode()).as(whole).isEqualTo(200);
            assertThat(Served.text(response)).as(whole).isEqualTo("bytes of a block");
        }
        for (String none : List.of("bytes=16-", "bytes=16-20", "bytes=-0")) {
            HttpResponse<byte[]> response = served.get(path, "Range", none);
            assertThat(response.statusCode()).as(none).isEqualTo(416);
            assertThat(Served.text(response)).contains("which has 16 bytes");
        }
        String tag = "\"" + cid + ".raw\"";
        assertThat(served.get(path, "Range", "bytes=6-", "If-Range", tag).statusCode())
                .isEqualTo(206);
        assertThat(served.get(path, "Range", "bytes=6-", "If-Range", "\"other\"")
                        .statusCode())
                .isEqualTo(200);
        assertThat(served.get(path, "Range", "bytes=6-", "If-None-Match", tag).statusCode())
                .isEqualTo(304);
        assertThat(served.ask("HEAD", path, "Range", "bytes=6-").statusCode()).isEqualTo(200);
        HttpResponse<byte[]> car = served.get("/ipfs/" + cid + "?format=car", "Range", "bytes=6-");
        assertThat(car.statusCode()).isEqualTo(200);
        assertThat(Served.header(car, "Accept-Ranges")).isEqualTo("none");
    }

    /** A block is found under each CID with its multihash, if the store does that; the bytes are the same. */
    @Test
    void aShardIsABlock_GW3() {
        Pail pail = served.repository
                .update("main", before -> before.put("key", cid))
                .pail();
        HttpResponse<byte[]> response = served.get("/ipfs/" + pail.root() + "?format=raw");
        assertThat(Block.verified(pail.root(), response.body()).cid()).isEqualTo(pail.root());
        assertThat(served.car("/ipfs/" + pail.root() + "?format=car")).containsExactly(pail.root(), cid);
        assertThat(served.car("/ipfs/" + pail.root() + "?format=car&dag-scope=entity"))
                .containsExactly(pail.root());
    }

    @Test
    void theFormatIsNegotiated_GW2() {
        String path = "/ipfs/" + cid;
        assertType(RAW, path + "?format=raw", "*/*");
        assertType(RAW, path + "?format=raw", CAR);
        assertType(CAR_AS_SENT, path + "?format=car", RAW);
        assertType(RAW, path, RAW);
        assertType(CAR_AS_SENT, path, CAR);
        assertType(CAR_AS_SENT, path, CAR + ";order=unk");
        assertType(CAR_AS_SENT, path, "text/html, " + RAW + ";q=0.1, " + CAR + ";q=0.2");
        assertType(RAW, path, CAR + ";q=0, " + RAW + ";q=0.001");
        assertType(CAR_AS_SENT, path, CAR + ";order=foo, " + CAR + ";order=dfs;dups=n;q=0.5");
        assertType(RAW, path, "Application/VND.ipld.RAW");
        assertType(CAR_AS_SENT, path + "?format=car&car-order=dfs&car-version=1", CAR + "; order=foo; version=2");
    }

    private void assertType(String type, String path, String accept) {
        HttpResponse<byte[]> response = served.get(path, "Accept", accept);
        assertThat(response.statusCode()).as("%s of %s", accept, path).isEqualTo(200);
        assertThat(Served.header(response, "Content-Type")).isEqualTo(type);
    }

    @Test
    void aRequestWithoutAFormatIsRefused_GW2() {
        String path = "/ipfs/" + cid;
        served.assertRefused(400, path, "add ?format=raw or ?format=car");
        assertThat(served.get(path, "Accept", "*/*").statusCode()).isEqualTo(400);
        assertThat(served.get(path, "Accept", "text/html, */*;q=0.8").statusCode())
                .isEqualTo(406);
        assertThat(served.get(path, "Accept", "application/vnd.ipld.dag-json").statusCode())
                .isEqualTo(406);
        assertThat(served.get(path, "Accept", CAR + ";version=2").statusCode()).isEqualTo(406);
        assertThat(served.get(path, "Accept", CAR + ";dups=maybe").statusCode()).isEqualTo(406);
        for (String format : List.of("", "tar", "dag-json", "ipns-record", "RAW")) {
            served.assertRefused(406, path + "?format=" + format, "the formats raw and car");
        }
        for (String part : List.of("car-version=2", "car-order=bfs", "car-dups=", "car-dups=yes")) {
            served.assertRefused(406, path + "?format=car&" + part, "CARs of version 1");
        }
        served.assertRefused(400, path + "?format=raw&format=car", "the parameter format is there twice");
    }

    @Test
    void whatAHeaderDecidedHasAnAddress_GW11() {
        String path = "/ipfs/" + cid;
        assertLocation(path + "?format=raw", path, RAW);
        assertLocation(path + "?format=raw", path + "?format=raw", CAR);
        assertLocation("", path + "?format=car", "*/*");
        assertLocation("", path + "?format=car", CAR);
        String location = path + "?car-dups=y&car-order=dfs&car-version=1&dag-scope=block&format=car";
        assertLocation(location, path + "?dag-scope=block", CAR + ";dups=y");
        assertLocation(location, path + "?format=car&dag-scope=block", CAR + ";dups=y");
    }

    private void assertLocation(String location, String path, String accept) {
        HttpResponse<byte[]> response = served.get(path, "Accept", accept);
        assertThat(Served.header(response, "Content-Location")).as(accept).isEqualTo(location);
        if (!location.isEmpty()) {
            assertThat(served.get(location).body()).isEqualTo(response.body());
        }
    }

    @Test
    void headHasTheHeadersOfGetAndNoBody_GW1() {
        for (String format : List.of("raw", "car")) {
            String path = "/ipfs/" + cid + "?format=" + format;
            HttpResponse<byte[]> head = served.ask("HEAD", path);
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(head.body()).isEmpty();
            assertThat(Served.header(head, "Etag")).isNotEmpty().isEqualTo(Served.header(served.get(path), "Etag"));
            assertThat(served.ask("HEAD", "/ipfs/" + ABSENT + "?format=" + format)
                            .statusCode())
                    .isEqualTo(404);
        }
        assertThat(Served.header(served.ask("HEAD", "/ipfs/" + cid + "?format=raw"), "Content-Length"))
                .isEqualTo("16");
        HttpResponse<byte[]> post = served.ask("POST", "/ipfs/" + cid);
        assertThat(post.statusCode()).isEqualTo(405);
        assertThat(Served.header(post, "Allow")).isEqualTo("GET, HEAD");
    }

    @Test
    void whatIsKnownIsNotSentAgain_GW10() {
        for (String query : List.of("?format=raw", "?format=car", "?format=car&dag-scope=entity&car-dups=y")) {
            String path = "/ipfs/" + cid + query;
            String etag = Served.header(served.get(path), "Etag");
            for (String known : List.of(etag, "W/" + etag, "*", "\"other\", " + etag)) {
                HttpResponse<byte[]> response = served.get(path, "If-None-Match", known);
                assertThat(response.statusCode()).as(known).isEqualTo(304);
                assertThat(response.body()).isEmpty();
                assertThat(Served.header(response, "Etag")).isEqualTo(etag);
            }
            assertThat(served.get(path, "If-None-Match", "\"other\"").statusCode())
                    .isEqualTo(200);
        }
        assertThat(served.get("/ipfs/" + ABSENT + "?format=raw", "If-None-Match", "*")
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void differentAnswersHaveDifferentTags_GW10() throws IOException {
        Cid file = served.file(3 << 20);
        List<String> queries = List.of(
                "?format=raw",
                "?format=car",
                "?format=car&car-dups=y",
                "?format=car&dag-scope=entity",
                "?format=car&dag-scope=block",
                "?format=car&entity-bytes=0:1",
                "?format=car&entity-bytes=0:*",
                "?format=car&entity-bytes=0:1&car-dups=y");
        assertThat(queries.stream().map(query -> Served.header(served.get("/ipfs/" + file + query), "Etag")))
                .doesNotHaveDuplicates()
                .doesNotContain("");
    }

    @Test
    void anAbsentBlockIsNotFound_GW8() {
        for (String format : List.of("raw", "car")) {
            String path = "/ipfs/" + ABSENT + "?format=" + format;
            served.assertRefused(404, path, "missing", ABSENT.toString());
            assertThat(served.get(path, "Cache-Control", "only-if-cached").statusCode())
                    .isEqualTo(412);
            assertThat(served.ask("HEAD", path, "Cache-Control", "only-if-cached")
                            .statusCode())
                    .isEqualTo(412);
            assertThat(served.get("/ipfs/" + cid + "?format=" + format, "Cache-Control", "only-if-cached")
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void errorsAreJsonWhereThatIsAccepted_GW14() {
        HttpResponse<byte[]> response = served.get("/ipfs/" + ABSENT + "?format=raw", "Accept", "application/json");
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(Served.header(response, "Content-Type")).isEqualTo("application/json");
        assertThat(Served.text(response)).startsWith("{\"error\":\"").endsWith("\"code\":\"missing-block\"}");
        assertThat(Served.text(served.get("/none", "Accept", "application/json")))
                .endsWith("\"code\":\"not-found\"}");
    }

    @Test
    void aFileNameIsPlain_GW11() {
        assertDisposition("a.txt", "attachment; filename=\"a.txt\"; filename*=UTF-8''a.txt");
        assertDisposition(
                "%22%5C%0D%0Ax%C3%A9", "attachment; filename=\"____x_\"; filename*=UTF-8''%22%5C%0D%0Ax%C3%A9");
    }

    private void assertDisposition(String name, String expected) {
        HttpResponse<byte[]> response = served.get("/ipfs/" + cid + "?format=raw&filename=" + name);
        assertThat(Served.header(response, "Content-Disposition")).isEqualTo(expected);
    }

    @Test
    void wrongBytesNeverLeave_GW9() throws IOException {
        Cid wrong;
        Cid root;
        try (Repository made = FileRepository.init(folder.resolve("p"), ShardFormat.v0())) {
            Block block = Block.of(Cid.RAW, "right bytes".getBytes(StandardCharsets.UTF_8));
            made.blocks().put(block);
            wrong = block.cid();
            root = made.update("main", before -> before.put("key", block.cid())).root();
        }
        try (Stream<Path> files = Files.walk(folder.resolve("p"))) {
            for (Path file : files.filter(each -> each.getFileName().toString().startsWith(wrong.multihashName()))
                    .toList()) {
                file.toFile().setWritable(true);
                Files.writeString(file, "wrong bytes");
            }
        }
        try (Served damaged = new Served(FileRepository.open(folder.resolve("p")))) {
            for (String path : List.of(wrong + "?format=raw", wrong + "?format=car", root + "?format=car")) {
                HttpResponse<byte[]> response = damaged.get("/ipfs/" + path, "Accept", "application/json");
                assertThat(response.statusCode()).isEqualTo(500);
                assertThat(Served.text(response))
                        .contains(wrong.toString(), "corrupt-block")
                        .doesNotContain("wrong bytes");
            }
            assertThat(damaged.ask("HEAD", "/ipfs/" + wrong + "?format=raw").statusCode())
                    .isEqualTo(500);
            assertThat(damaged.get("/ipfs/" + root + "?format=raw").statusCode())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "bafy",
                "Qm",
                "..",
                ".",
                "%2e%2e",
                "a%2Fb",
                "%00",
                "%",
                "%4",
                "%zz",
                "%ff",
                "bafkqaaa%20",
                "b",
                "z",
                "f",
                "m+/+",
                "bafkqaaaa",
                "zzzzzzzz",
                "baaaaaaaaaaaa"
            })
    void whatIsNoCidIsRefused_GW1(String text) {
        String answer = sent("/ipfs/" + text + "?format=raw");
        assertThat(answer).startsWith("HTTP/1.1 400").doesNotContain("\tat ");
        assertThat(answer.substring(answer.indexOf("\r\n\r\n") + 4)).hasLineCount(1);
    }

    private String sent(String path) {
        try {
            return served.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "..",
                ".",
                "a/../b",
                "%2e%2e",
                "%2E%2e/a",
                "a//b",
                "a%2Fb",
                "a%2f..%2fb",
                "a%00",
                "%ff",
                "%c0%af",
                "%ed%a0%80",
                "%",
                "%e",
                "a/./b"
            })
    void whatIsNoNameIsRefused_GW1(String path) {
        assertThat(sent("/ipfs/" + cid + "/" + path + "?format=car")).startsWith("HTTP/1.1 400");
    }

    @Test
    void hostileAddressesAreRefused_GW1_GW13() {
        assertThat(sent("/ipfs/" + cid + "/a".repeat(257) + "?format=car")).contains("a path has at most 256 names");
        assertThat(sent("/ipfs/" + cid + "/a".repeat(256) + "?format=car")).startsWith("HTTP/1.1 404");
        assertThat(sent("/ipfs/" + "b".repeat(20_000) + "?format=car")).startsWith("HTTP/1.1 414");
        assertThat(sent("/ipfs/" + "b".repeat(5000) + "?format=car")).startsWith("HTTP/1.1 400");
        assertThat(sent("/ipfs/" + cid + "?format=car&entity-bytes=" + "9".repeat(5000) + ":*"))
                .startsWith("HTTP/1.1 400");
        assertThat(sent("/ipfs/" + cid + "?format=raw&" + "a&".repeat(5000))).startsWith("HTTP/1.1 200");
        assertThat(sent("/ipfs/" + cid + "\u00e9?format=raw")).startsWith("HTTP/1.1 400");
        assertThat(sent("/ipfs")).startsWith("HTTP/1.1 404");
        assertThat(sent("/ipns/x?format=ipns-record")).startsWith("HTTP/1.1 404");
        assertThat(sent("/routing/v1/providers/" + cid)).startsWith("HTTP/1.1 404");
        assertThat(sent("*")).startsWith("HTTP/1.1 4");
        // The longest CID there is: its text is in several headers.
        byte[] bytes = new byte[2048];
        bytes[0] = 1;
        bytes[1] = 0x55;
        bytes[3] = (byte) 0xfb;
        bytes[4] = 0x0f;
        assertThat(sent("/ipfs/" + Cid.fromBytes(bytes) + "?format=raw")).startsWith("HTTP/1.1 200");
    }

    @Test
    void aHashFunctionThatIsNotHereIsNamed_GW8() {
        byte[] unknown = new byte[36];
        unknown[0] = 1;
        unknown[1] = 0x55;
        unknown[2] = 0x7d;
        unknown[3] = 32;
        Cid other = Cid.fromBytes(unknown);
        HttpResponse<byte[]> response = served.get("/ipfs/" + other + "?format=raw");
        assertThat(response.statusCode()).isIn(400, 404);
        assertThat(Served.text(response)).contains(other.toString());
    }

    @Test
    void noServiceWorkerComesFromHere_GW11() {
        assertThat(served.get("/ipfs/" + cid + "?format=raw", "Service-Worker", "script")
                        .statusCode())
                .isEqualTo(400);
    }
}
