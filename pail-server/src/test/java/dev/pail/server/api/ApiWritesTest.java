package dev.pail.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Pail;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.server.JsonValues;
import dev.pail.server.Served;
import dev.pail.unixfs.UnixFs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the JSON API writes. */
@Timeout(120)
class ApiWritesTest {
    private static final String[] ANY = {"If-Match", "*"};

    private static Map<String, Object> written(HttpResponse<byte[]> response) {
        assertThat(response.statusCode()).as(Served.text(response)).isEqualTo(200);
        Map<String, Object> answer = JsonValues.object(response.body());
        assertThat(answer).containsOnlyKeys("name", "generation", "head", "root");
        assertThat(Served.header(response, "ETag")).matches("\"" + answer.get("generation") + "-[0-9a-f]{16}\"");
        return answer;
    }

    private static void refused(HttpResponse<byte[]> response, int status, String code) {
        assertThat(response.statusCode()).as(Served.text(response)).isEqualTo(status);
        assertThat(JsonValues.object(response.body())).as(Served.text(response)).containsEntry("code", code);
    }

    private static BodyPublisher bytes(String text) {
        return BodyPublishers.ofString(text);
    }

    private static Cid cid(String text) {
        return Block.of(Cid.RAW, text.getBytes(StandardCharsets.UTF_8)).cid();
    }

    @Test
    void aValueIsPutAndDeleted() throws IOException {
        try (Served served = new Served()) {
            Map<String, Object> first =
                    written(served.ask("PUT", "/v1/value?branch=main&key=a%2fb", bytes("milk"), ANY));
            assertThat(first.get("name")).isEqualTo("main");
            assertThat(first.get("generation")).isEqualTo(1L);
            assertThat(first.get("root"))
                    .isEqualTo(served.repository.root("main").toString());
            assertThat(first.get("head"))
                    .isEqualTo(served.repository.head("main").events().stream()
                            .map(Cid::toString)
                            .toList());
            assertThat(served.repository.pail().getBytes("a/b")).contains("milk".getBytes(StandardCharsets.UTF_8));
            byte[] large = new byte[5 << 20];
            new Random(1).nextBytes(large);
            written(served.ask("PUT", "/v1/value?branch=main&key=large", BodyPublishers.ofByteArray(large), ANY));
            assertThat(served.repository.pail().get("large"))
                    .contains(UnixFs.write(served.blocks(), new ByteArrayInputStream(large)));
            assertThat(served.get("/v1/value?key=large&format=raw").body()).isEqualTo(large);
            String json = "{\"cid\":\"" + cid("elsewhere") + "\"}";
            written(served.ask(
                    "PUT",
                    "/v1/value?branch=main&key=named",
                    bytes(json),
                    "If-Match",
                    "\"2\"",
                    "Content-Type",
                    "Application/JSON; charset=utf-8"));
            assertThat(served.repository.pail().get("named")).contains(cid("elsewhere"));
            Map<String, Object> deleted =
                    written(served.ask("DELETE", "/v1/value?branch=main&key=named", "If-Match", "\"3\""));
            assertThat(deleted.get("generation")).isEqualTo(4L);
            assertThat(served.repository.pail().get("named")).isEmpty();
            Map<String, Object> nothing = written(served.ask("DELETE", "/v1/value?branch=main&key=named", ANY));
            assertThat(nothing).isEqualTo(deleted);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "{}",
                "{\"cid\":1}",
                "{\"cid\":\"x\"}",
                "{\"cid\":\"bafkqaaa\"}x",
                "{\"cid\":\"bafkqaaa\",\"cid\":\"bafkqaaa\"}",
                "{\"CID\":\"bafkqaaa\"}"
            })
    void aBodyThatNamesNoCidIsRefused(String body) {
        try (Served served = new Served()) {
            refused(
                    served.ask(
                            "PUT",
                            "/v1/value?branch=main&key=a",
                            bytes(body),
                            "If-Match",
                            "*",
                            "Content-Type",
                            "application/json"),
                    400,
                    "bad-request");
            assertThat(served.repository.head("main")).isEqualTo(Head.empty());
        }
    }

    /** Else the client sends its next request to a connection that ends. */
    @Test
    void aRefusalThatLeavesABodyUnreadSaysThatTheConnectionEnds() throws IOException {
        try (Served served = new Served()) {
            String put =
                    "PUT /v1/value?branch=none&key=a HTTP/1.1\r\nHost: localhost\r\nIf-Match: *\r\nContent-Length: 3\r\n\r\n";
            assertThat(served.send(put)).startsWith("HTTP/1.1 404").contains("\r\nConnection: close\r\n");
            String next = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            assertThat(served.send(put + "one" + next))
                    .startsWith("HTTP/1.1 404")
                    .endsWith("ok\n");
        }
    }

    /** Other than what a system holds for a connection, the body is sent only if the server reads it. */
    @Test
    void aClientThatSendsAWholeBodyReadsTheRefusal() throws IOException {
        try (Served served = new Served()) {
            int length = 32 << 20;
            String put = "POST /v1/apply?branch=main HTTP/1.1\r\nHost: localhost\r\nIf-Match: *\r\nContent-Length: "
                    + length + "\r\n\r\n";
            assertThat(served.send(put + " ".repeat(length)))
                    .startsWith("HTTP/1.1 413")
                    .contains("body-too-large");
        }
    }

    @Test
    void aWriteSaysWhatItFollows() {
        try (Served served = new Served()) {
            String path = "/v1/value?branch=main&key=a";
            refused(served.ask("PUT", path, bytes("one")), 428, "precondition-required");
            refused(served.ask("DELETE", path), 428, "precondition-required");
            refused(served.ask("POST", "/v1/apply?branch=main", bytes("")), 428, "precondition-required");
            for (String malformed : List.of(
                    "1",
                    "W/\"0\"",
                    "\"x\"",
                    "\"0\", \"1\"",
                    "\"-1\"",
                    "\"9999999999999999999\"",
                    "\"0\", *",
                    "\"0-x\"",
                    "\"0-\"")) {
                refused(served.ask("PUT", path, bytes("one"), "If-Match", malformed), 400, "bad-request");
            }
            refused(served.ask("PUT", path, bytes("one"), "If-None-Match", "\"0\""), 400, "bad-request");
            refused(served.ask("PUT", path, bytes("one"), "If-Match", "*", "If-None-Match", "*"), 400, "bad-request");
            refused(served.ask("PUT", path, bytes("one"), "If-Match", "\"1\""), 412, "ref-moved");
            refused(served.ask("PUT", path, bytes("one"), "If-None-Match", "*"), 412, "already-exists");
            refused(served.ask("PUT", "/v1/value?branch=none&key=a", bytes("one"), ANY), 404, "no-such-branch");
            refused(served.ask("PUT", "/v1/value?branch=..&key=a", bytes("one"), ANY), 400, "bad-name");
            refused(served.ask("PUT", "/v1/value?key=a", bytes("one"), ANY), 400, "bad-request");
            refused(served.ask("PUT", "/v1/value?branch=main", bytes("one"), ANY), 400, "bad-request");
            assertThat(served.repository.head("main")).isEqualTo(Head.empty());
            written(served.ask("PUT", path, bytes("one"), "If-Match", "\"0\""));
            refused(served.ask("PUT", path, bytes("two"), "If-Match", "\"0\""), 412, "ref-moved");
            refused(served.ask("DELETE", path, "If-Match", "\"2\""), 412, "ref-moved");
        }
    }

    /** A generation comes again when a repository is restored from a backup. */
    @Test
    void aWriteFollowsAStateAndNotANumber_SY13() {
        try (Served lost = new Served();
                Served served = new Served()) {
            String path = "/v1/value?branch=main&key=a";
            HttpResponse<byte[]> seen = lost.ask("PUT", path, bytes("lost"), ANY);
            HttpResponse<byte[]> now = served.ask("PUT", path, bytes("one"), ANY);
            String[] follows = {"If-Match", Served.header(seen, "ETag")};
            refused(served.ask("PUT", path, bytes("two"), follows), 412, "ref-moved");
            refused(served.ask("DELETE", path, follows), 412, "ref-moved");
            written(served.ask("PUT", path, bytes("two"), "If-Match", Served.header(now, "ETag")));
            // As a program of version 0.2.0 sends it.
            written(served.ask("PUT", path, bytes("three"), "If-Match", "\"2\""));
        }
    }

    @Test
    void aBranchIsCreated() {
        try (Served served = new Served()) {
            String path = "/v1/value?branch=feature/x&key=a";
            written(served.ask("PUT", path, bytes("one"), "If-None-Match", "*"));
            assertThat(served.repository.pail("feature/x").get("a")).contains(cid("one"));
            refused(served.ask("PUT", path, bytes("two"), "If-None-Match", "*"), 412, "already-exists");
            written(served.ask("POST", "/v1/apply?branch=empty", bytes(""), "If-None-Match", "*"));
            assertThat(served.repository.head("empty")).isEqualTo(Head.empty());
        }
    }

    @Test
    void operationsAreAppliedAtOnce() {
        try (Served served = new Served()) {
            String lines = """
                    {"op":"put","key":"text","text":"gr\u00fcn"}
                    {"key":"base64","op":"put","base64":"AAH/"}

                    {"op":"put","key":"cid","value":"%s"}
                    {"ops":[{"op":"del","key":"cid"},{"op":"put","key":"b","text":""}],"op":"batch"}
                    """.formatted(cid("elsewhere"));
            Map<String, Object> answer = written(served.ask("POST", "/v1/apply?branch=main", bytes(lines), ANY));
            assertThat(answer.get("generation")).isEqualTo(1L);
            Pail pail = served.repository.pail();
            assertThat(pail.getBytes("text")).contains("gr\u00fcn".getBytes(StandardCharsets.UTF_8));
            assertThat(pail.getBytes("base64")).contains(new byte[] {0, 1, -1});
            assertThat(pail.getBytes("b")).contains(new byte[0]);
            assertThat(pail.get("cid")).isEmpty();
            written(served.ask(
                    "POST",
                    "/v1/apply?branch=main",
                    bytes("[{\"op\":\"del\",\"key\":\"b\"} , {\"op\":\"del\",\"key\":\"text\"}]"),
                    ANY));
            assertThat(served.repository.pail().entries()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "1",
                "null",
                "[",
                "[1]",
                "[] {}",
                "[[]]",
                "{}",
                "{\"op\":\"put\",\"key\":\"a\"}",
                "{\"op\":\"put\",\"key\":\"a\",\"text\":1}",
                "{\"op\":\"put\",\"key\":\"a\",\"text\":\"a\",\"value\":\"bafkqaaa\"}",
                "{\"op\":\"put\",\"key\":\"a\",\"value\":\"x\"}",
                "{\"op\":\"put\",\"key\":\"a\",\"base64\":\"x\"}",
                "{\"op\":\"put\",\"key\":\"a\",\"file\":\"/etc/passwd\"}",
                "{\"op\":\"put\",\"key\":\"a\",\"text\":\"\\ud800\"}",
                "{\"op\":\"put\",\"key\":\"a\",\"text\":\"a\",\"ops\":[]}",
                "{\"op\":\"put\",\"key\":\"a\",\"key\":\"b\",\"text\":\"a\"}",
                "{\"op\":\"del\",\"key\":\"a\",\"text\":\"a\"}",
                "{\"op\":\"del\"}",
                "{\"op\":\"DEL\",\"key\":\"a\"}",
                "{\"op\":\"batch\"}",
                "{\"op\":\"batch\",\"ops\":{}}",
                "{\"op\":\"batch\",\"key\":\"a\",\"ops\":[]}",
                "{\"op\":\"batch\",\"ops\":[{\"op\":\"batch\",\"ops\":[]}]}",
                "{\"op\":\"batch\",\"ops\":[{\"op\":\"del\",\"key\":\"a\"}"
            })
    void operationsThatAreMalformedChangeNothing(String wrong) {
        try (Served served = new Served()) {
            String good = "{\"op\":\"put\",\"key\":\"good\",\"text\":\"a\"}\n";
            refused(served.ask("POST", "/v1/apply?branch=main", bytes(wrong), ANY), 400, "bad-request");
            refused(served.ask("POST", "/v1/apply?branch=main", bytes(good + wrong), ANY), 400, "bad-request");
            assertThat(served.repository.head("main")).isEqualTo(Head.empty());
        }
    }

    @Test
    void whatTheFormatDoesNotTakeIsRefused() {
        try (Served served = new Served()) {
            refused(served.ask("PUT", "/v1/value?branch=main&key=%c3%a9", bytes("a"), ANY), 400, "key-not-allowed");
            HttpResponse<byte[]> third = served.ask(
                    "POST",
                    "/v1/apply?branch=main",
                    bytes("{\"op\":\"del\",\"key\":\"a\"}\n{\"op\":\"del\",\"key\":\"b\"}\n"
                            + "{\"op\":\"put\",\"key\":\"\\ud800\",\"text\":\"a\"}"),
                    ANY);
            refused(third, 400, "key-not-allowed");
            assertThat(Served.text(third)).contains("operation 3: ");
            refused(
                    served.ask("POST", "/v1/apply?branch=main", bytes(" ".repeat((8 << 20) + 1)), ANY),
                    413,
                    "body-too-large");
            refused(
                    served.ask(
                            "PUT",
                            "/v1/value?branch=main&key=a",
                            bytes(" ".repeat(10_000)),
                            "If-Match",
                            "*",
                            "Content-Type",
                            "application/json"),
                    413,
                    "body-too-large");
            assertThat(served.repository.head("main")).isEqualTo(Head.empty());
        }
    }

    @Test
    void ofWritersAtOnceNoneLosesItsChange() {
        try (Served served = new Served()) {
            List<CompletableFuture<Void>> writers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                String name = "writer" + i;
                writers.add(CompletableFuture.runAsync(() -> {
                    for (int n = 0; n < 25; n++) {
                        written(served.ask("PUT", "/v1/value?branch=main&key=" + name + "/" + n, bytes(name), ANY));
                    }
                }));
            }
            writers.forEach(CompletableFuture::join);
            assertThat(served.repository.pail().entries()).hasSize(100);
            assertThat(served.repository.snapshot("main").generation()).isEqualTo(100);
        }
    }

    /** Each value has one follower, also if another key changes the branch meanwhile. */
    @Test
    void ofWritersWithConditionsOneWins() {
        try (Served served = new Served()) {
            List<CompletableFuture<Void>> writers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                String name = "writer" + i;
                writers.add(CompletableFuture.runAsync(() -> {
                    for (int won = 0; won < 10; ) {
                        Pail pail = served.repository.pail();
                        int count = pail.getBytes("count")
                                .map(bytes -> Integer.parseInt(new String(bytes, StandardCharsets.UTF_8)))
                                .orElse(0);
                        String seen = pail.get("count").map(Cid::toString).orElse("absent");
                        HttpResponse<byte[]> response = served.ask(
                                "PUT",
                                "/v1/value?branch=main&key=count&if=" + seen,
                                bytes(Integer.toString(count + 1)),
                                ANY);
                        if (response.statusCode() == 200) {
                            won++;
                        } else {
                            refused(response, 412, "condition-failed");
                        }
                        written(served.ask("PUT", "/v1/value?branch=main&key=" + name, bytes("" + won), ANY));
                    }
                }));
            }
            writers.forEach(CompletableFuture::join);
            assertThat(served.repository.pail().getBytes("count")).contains("30".getBytes(StandardCharsets.UTF_8));
            String count = "/v1/value?branch=main&key=count";
            refused(served.ask("DELETE", count + "&if=absent", ANY), 412, "condition-failed");
            refused(served.ask("DELETE", count + "&if=x", ANY), 400, "bad-request");
            refused(
                    served.ask(
                            "POST",
                            "/v1/apply?branch=main",
                            bytes("{\"op\":\"del\",\"key\":\"writer0\"}"
                                    + "{\"op\":\"put\",\"key\":\"count\",\"text\":\"1\",\"ifAbsent\":true}"),
                            ANY),
                    412,
                    "condition-failed");
            assertThat(served.repository.pail().get("writer0")).isPresent();
            written(served.ask("DELETE", count + "&if=" + cid("30"), ANY));
            assertThat(served.repository.pail().get("count")).isEmpty();
        }
    }

    /** Each generation has one follower: a writer that is refused looks again. */
    @Test
    void ofWritersWithGenerationsOneWins() {
        try (Served served = new Served()) {
            Repository repository = served.repository;
            List<CompletableFuture<Integer>> writers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                String name = "writer" + i;
                writers.add(CompletableFuture.supplyAsync(() -> {
                    int won = 0;
                    while (won < 10) {
                        long seen = repository.snapshot("main").generation();
                        HttpResponse<byte[]> response = served.ask(
                                "PUT",
                                "/v1/value?branch=main&key=" + name + "/" + won,
                                bytes(name),
                                "If-Match",
                                "\"" + seen + "\"");
                        if (response.statusCode() == 412) {
                            refused(response, 412, "ref-moved");
                        } else {
                            assertThat(written(response).get("generation")).isEqualTo(seen + 1);
                            won++;
                        }
                    }
                    return won;
                }));
            }
            writers.forEach(CompletableFuture::join);
            assertThat(repository.pail().entries()).hasSize(30);
        }
    }
}
