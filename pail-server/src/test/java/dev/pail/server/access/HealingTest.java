package dev.pail.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ShardFormat;
import dev.pail.disk.Disk;
import dev.pail.repository.Repository;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.server.Served;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server whose disk or heap is full for a while, and what its clients read of that. */
@Timeout(120)
@SuppressWarnings({"AddressSelection", "StringConcatToTextBlock"})
class HealingTest {
    private static final Set<String> WRITES = Set.of("write", "writeDurably", "sync", "create", "append");

    @TempDir
    private Path folder;

    private Served served(BlockStorage storage, AtomicBoolean isFull) {
        Path path = folder.resolve("repository");
        FileRepository.init(Disk.system(), path, ShardFormat.v1(), storage).close();
        Disk disk = HookedDisk.telling(Disk.system(), (call, file) -> {
            if (isFull.get() && WRITES.contains(call)) {
                throw new FileSystemException(file.toString(), null, "No space left on device");
            }
        });
        return new Served(FileRepository.open(disk, path, Duration.ofSeconds(5)));
    }

    private static HttpResponse<byte[]> put(Served served, String key) {
        return served.ask(
                "PUT",
                "/v1/value?branch=main&key=" + key,
                HttpRequest.BodyPublishers.ofString("value of " + key),
                "If-Match",
                "*");
    }

    @ParameterizedTest
    @EnumSource(BlockStorage.class)
    void writesSucceedWhenTheDiskHasSpaceAgain_GW23(BlockStorage storage) {
        AtomicBoolean isFull = new AtomicBoolean();
        try (Served served = served(storage, isFull)) {
            served.repository.update("main", pail -> pail.putBytes("old", new byte[] {1}));
            for (int round = 0; round < 3; round++) {
                assertThat(served.get("/healthz").statusCode()).isEqualTo(200);
                isFull.set(true);
                HttpResponse<byte[]> refused = put(served, "a" + round);
                assertThat(refused.statusCode()).isEqualTo(500);
                assertThat(Served.text(refused)).contains("\"io\"").doesNotContain(folder.toString());
                HttpResponse<byte[]> health = served.get("/healthz");
                assertThat(health.statusCode()).isEqualTo(503);
                assertThat(Served.header(health, "Retry-After")).isNotEmpty();
                assertThat(Served.text(served.get("/metrics"))).contains("pail_server_writes_failing 1.0");
                assertThat(served.get("/v1/value?key=old").statusCode()).isEqualTo(200);
                isFull.set(false);
                assertThat(put(served, "b" + round).statusCode()).isEqualTo(200);
                assertThat(served.get("/healthz").statusCode()).isEqualTo(200);
            }
            assertThat(Served.text(served.get("/metrics")))
                    .contains("pail_server_writes_failing 0.0", "pail_server_writes_failed 3.0");
        }
        try (Repository again = FileRepository.open(folder.resolve("repository"))) {
            assertThat(again.pail().get("b2")).isPresent();
            assertThat(again.pail().get("a1")).isEmpty();
        }
    }

    @Test
    void healthFindsOutThatWritesSucceedAgain_GW23() {
        AtomicBoolean isFull = new AtomicBoolean();
        try (Served served = served(BlockStorage.SEGMENTS, isFull)) {
            AtomicLong now = new AtomicLong();
            WriteHealth health = new WriteHealth(served.blocks(), now::get);
            RuntimeException full = new dev.pail.StoreIOException("cannot keep blocks", "x", new IOException("full"));
            assertThat(health.isFailing()).isFalse();
            health.failed(full);
            assertThat(health.isFailing()).as("a failure of one write alone").isFalse();
            isFull.set(true);
            assertThat(health.isFailing()).as("without a failure").isFalse();
            health.failed(full);
            assertThat(health.isFailing()).as("asked of a full disk").isTrue();
            isFull.set(false);
            now.addAndGet(Duration.ofSeconds(1).toNanos() - 1);
            assertThat(health.isFailing()).as("within the pause").isTrue();
            health.failed(full);
            now.incrementAndGet();
            assertThat(health.isFailing()).as("a second after the attempt").isFalse();
            assertThat(health.failures()).isEqualTo(3);
        }
    }

    /** How a client ends its push says nothing about the disk of the server. */
    @Test
    void aClientThatBreaksOffIsNoFailureOfTheDisk_GW23() throws IOException {
        AtomicBoolean isFull = new AtomicBoolean();
        try (Served served = served(BlockStorage.SEGMENTS, isFull)) {
            assertThat(put(served, "a").statusCode()).isEqualTo(200);
            List<String> begun = List.of(
                    "POST /v1/push/main?blocks=1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n:",
                    "POST /v1/push/main?blocks=1 HTTP/1.1\r\n"
                            + "Host: localhost\r\n"
                            + "Transfer-Encoding: chunked\r\n\r\n"
                            + "7\r\n"
                            + ":",
                    "POST /v1/push/main?blocks=1 HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nx",
                    "PUT /v1/value?branch=main&key=b HTTP/1.1\r\n"
                            + "Host: localhost\r\n"
                            + "If-Match: *\r\n"
                            + "Content-Length: 100\r\n\r\n"
                            + ":");
            for (String each : begun) {
                try (java.net.Socket socket =
                        new java.net.Socket("127.0.0.1", served.server.address().getPort())) {
                    socket.getOutputStream().write(each.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                    socket.shutdownOutput();
                    assertThat(Served.rest(socket.getInputStream()))
                            .as(each)
                            .doesNotContain("HTTP/1.1 2", "HTTP/1.1 5");
                }
            }
            // The failures of the disk are read by the metrics alone: health would try to write, and succeed.
            assertThat(Served.text(served.get("/metrics"))).contains("pail_server_writes_failed 0.0");
        }
    }

    /** More uploads at once than have room wait for each other, and all are taken. */
    @Test
    void uploadsWaitForMemory_GW22() {
        byte[] body = new byte[8 << 20];
        try (Served served = new Served()) {
            List<CompletableFuture<HttpResponse<byte[]>>> all = new ArrayList<>();
            IntStream.range(0, 24)
                    .forEach(i -> all.add(CompletableFuture.supplyAsync(() -> served.ask(
                            "PUT",
                            "/v1/value?branch=main&key=" + i,
                            HttpRequest.BodyPublishers.ofByteArray(body),
                            "If-Match",
                            "*"))));
            assertThat(all)
                    .allSatisfy(each -> assertThat(each.join().statusCode()).isEqualTo(200));
            // The memory of a body is free once its request has ended, which a client cannot see.
            String metrics;
            do {
                metrics = Served.text(served.get("/metrics"));
            } while (!metrics.contains("pail_server_requests_active 1.0"));
            assertThat(metrics).contains("pail_server_memory_bodies 0.0");
        }
    }

    /** A client that sends nothing holds the memory for a large body. A small one has memory at once, also behind a large one that waits. */
    @Test
    void smallBodiesWaitForNoLargeOne_GW22() throws IOException {
        try (Served served = new Served()) {
            assertThat(put(served, "a").statusCode()).isEqualTo(200);
            List<java.net.Socket> large = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                java.net.Socket socket =
                        new java.net.Socket("127.0.0.1", served.server.address().getPort());
                large.add(socket);
                socket.getOutputStream()
                        .write(("PUT /v1/value?branch=main&key=b HTTP/1.1\r\nHost: localhost\r\nIf-Match: *\r\n"
                                        + "Content-Length: 8388608\r\n\r\n")
                                .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            }
            // The server ends those that it has waited for. Others wait for 10 seconds each.
            while (active(served) < 150) {
                Thread.onSpinWait();
            }
            assertThat(put(served, "c").statusCode()).isEqualTo(200);
            assertThat(active(served)).as("large ones that still wait").isGreaterThan(50);
            for (java.net.Socket each : large) {
                each.close();
            }
        }
    }

    private static int active(Served served) {
        return Served.text(served.get("/metrics"))
                .lines()
                .filter(line -> line.startsWith("pail_server_requests_active "))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(line.indexOf(' '))))
                .findFirst()
                .orElse(0);
    }

    /** Each way to fail that a client can bring about, and each that the server finds. */
    @Test
    void noErrorNamesAFileOrACommandOfTheServer_GW19() throws IOException {
        AtomicBoolean isFull = new AtomicBoolean();
        try (Served served = served(BlockStorage.FILES, isFull)) {
            served.repository.update("main", pail -> pail.putBytes("a", new byte[] {1}));
            served.repository.branches().create("other", served.repository.head("main"));
            Path heads = folder.resolve("repository/heads");
            java.nio.file.Files.writeString(heads.resolve("stray"), "no head");
            java.nio.file.Files.writeString(heads.resolve("other"), "no head");
            String absent = "bafkreicdqo6hrhezh5yl2jipom52s5yco2p43wyfx4h5dfsh7oqgdboq6a";
            List<String> paths = new ArrayList<>(List.of("/nothing", "/v1/nothing", "/ipfs/x", "/ipfs/" + absent));
            for (String name : List.of("nothing", "stray", "other", "main@%7B99%7D", "..", "%00", "a%20b", absent)) {
                for (String path : List.of(
                        "/v1/keys?at=",
                        "/v1/value?key=a&at=",
                        "/v1/value?key=",
                        "/v1/history?branch=",
                        "/v1/log?branch=",
                        "/v1/watch?from=9&branch=",
                        "/v1/branches/",
                        "/v1/tables?at=",
                        "/v1/table/x?at=",
                        "/v1/diff?from=main&to=",
                        "/v1/proof?key=a&at=",
                        "/v1/shard?cid=",
                        "/v1/node?cid=",
                        "/ipfs/")) {
                    paths.add(path + name);
                }
            }
            isFull.set(true);
            int errors = 0;
            for (String path : paths) {
                errors += check(served.get(path), path);
                errors += check(served.get(path, "Accept", "application/json"), path);
                for (String method : List.of("PUT", "DELETE", "POST")) {
                    HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.ofString("{}");
                    errors += check(served.ask(method, path, body), method + " " + path);
                    errors += check(served.ask(method, path, body, "If-None-Match", "*"), method + " " + path);
                }
            }
            for (String branch : List.of("main", "other", "stray", "nothing", "a%20b")) {
                for (String path : List.of(
                        "/v1/value?key=b&branch=" + branch,
                        "/v1/apply?branch=" + branch,
                        "/v1/push/" + branch,
                        "/v1/push/" + branch + "?force",
                        "/v1/push/" + branch + "?merge")) {
                    for (String tag : List.of("*", "\"1\"", "\"7\"")) {
                        HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.ofString("body");
                        errors += check(served.ask("POST", path, body, "If-Match", tag), path);
                        errors += check(served.ask("PUT", path, body, "If-Match", tag), path);
                    }
                }
            }
            assertThat(errors).isGreaterThan(500);
        }
    }

    private int check(HttpResponse<byte[]> response, String what) {
        if (response.statusCode() < 400) {
            return 0;
        }
        assertThat(Served.text(response))
                .as(what)
                .doesNotContain(
                        folder.toString(),
                        "/repository",
                        "repository/",
                        "/heads/",
                        " heads/",
                        "\"heads/",
                        "pail -C",
                        "with: pail")
                .doesNotContainPattern("\\bpail (init|gc|branch|tag|recover|switch|verify|merge|remote)\\b");
        assertThat(response.headers().firstValue("Cross-Origin-Resource-Policy"))
                .as(what)
                .hasValue("same-origin");
        return 1;
    }
}
