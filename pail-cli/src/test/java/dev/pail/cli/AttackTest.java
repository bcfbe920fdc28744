package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Honest clients of a server with 64 MiB of heap and 64 MB of disk, beside {@link Attackers}. */
@Tag("stress")
@SuppressWarnings({"AddressSelection", "StringConcatToTextBlock"})
@Timeout(900)
class AttackTest {
    /** How long the attack takes, in seconds. */
    private static final int LONG = "nightly".equals(System.getProperty("pail.stress")) ? 300 : 30;

    private static final String HONEST = "token-of-the-honest";

    /** For how long health may say that a write failed after the disk has space again: so old may its own attempt be. */
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

    /** Answers that each attack has at least once: it reached what it attacks, and was stopped there. */
    private static final List<String> STOPPED = List.of(
            "branch 200",
            "idle ended",
            "header drips ended",
            "body drips ended",
            "watchers 200",
            "huge pushes 507",
            "tiny blocks (202|507)",
            "bombs 507",
            "uploads (200|507)",
            "foreign pages 403",
            "old encodings 400");

    /** How often an honest client sends a request again, as the answer says. */
    private static final int TRIES = 5;

    @TempDir(factory = MemoryTempDir.class)
    Path temp;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(30))
            .build();

    private final Map<String, String> written = new ConcurrentHashMap<>();
    private final List<String> wrong = new CopyOnWriteArrayList<>();
    private final AtomicInteger next = new AtomicInteger();

    /** How often health said so while the disk was full. */
    private final AtomicInteger sawFull = new AtomicInteger();

    private volatile boolean isFull;

    /** When the disk had space again, as {@link System#nanoTime}. */
    private volatile long freed = System.nanoTime() - PAUSE;

    /** The fewest free bytes beside those times when this test filled the disk. */
    private volatile long leastFree = Long.MAX_VALUE;

    private String url = "";

    /** If the server itself was stopped for a while, it has not read what clients sent meanwhile: they are not idle. */
    @Test
    void aServerThatWasStoppedClosesNoConnectionWithARequest_GW25() throws Exception {
        Shell shell = Shell.withRepository(temp);
        Launched server = Launched.start(Launched.builder(
                shell.folder(), Launched.command(Main.class, "serve", "--listen", "127.0.0.1:0", "--json")));
        List<Socket> all = new ArrayList<>();
        try {
            int port = URI.create(Answer.parse(server.readLine()).get("url").asText())
                    .getPort();
            for (int i = 0; i < 280; i++) {
                all.add(new Socket("127.0.0.1", port));
            }
            String pid = String.valueOf(server.process().pid());
            assumeTrue(run("kill", "-STOP", pid));
            for (Socket each : all) {
                each.getOutputStream()
                        .write("GET /v1/info HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
            }
            TimeUnit.SECONDS.sleep(2);
            assertThat(run("kill", "-CONT", pid)).isTrue();
            for (Socket each : all) {
                assertThat(new String(each.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .startsWith("HTTP/1.1 200");
            }
        } finally {
            for (Socket each : all) {
                each.close();
            }
            server.kill();
        }
    }

    /** What honest clients saw for a while. */
    private static final class Load {
        final AtomicInteger asked = new AtomicInteger();
        final AtomicInteger answered = new AtomicInteger();
        final AtomicInteger again = new AtomicInteger();
        final List<Long> millis = new CopyOnWriteArrayList<>();

        @Override
        public String toString() {
            long[] times = millis.stream().mapToLong(Long::longValue).sorted().toArray();
            return answered + " of " + asked + " answered, " + again + " sent again, median "
                    + (times.length == 0
                            ? "-"
                            : times[times.length / 2] + " ms, 99 % " + times[times.length * 99 / 100] + " ms, most "
                                    + times[times.length - 1] + " ms");
        }
    }

    private static String line(String token, String rest) {
        byte[] digest = Block.of(Cid.RAW, token.getBytes(StandardCharsets.US_ASCII))
                .cid()
                .digest();
        return HexFormat.of().formatHex(digest) + " " + rest + "\n";
    }

    private static List<String> onCore(int core, List<String> words) {
        List<String> all = new ArrayList<>();
        if (Files.isExecutable(Path.of("/usr/bin/taskset"))
                && Runtime.getRuntime().availableProcessors() > 1) {
            all.addAll(List.of("/usr/bin/taskset", "-c", String.valueOf(core)));
        }
        all.addAll(words);
        return all;
    }

    private static boolean run(String... words) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(words).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void honestClientsAreServedBesideAttackers_GW25() throws Exception {
        Path disk = Files.createDirectory(temp.resolve("disk"));
        boolean isSmall = run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", disk.toString());
        try {
            attack(disk, isSmall);
        } finally {
            if (isSmall) {
                run("umount", "-l", disk.toString());
            }
        }
    }

    private void attack(Path disk, boolean isSmall) throws Exception {
        Shell shell = Shell.withRepository(disk);
        String lines = line(HONEST, "write main honest")
                + Attackers.TOKENS.stream()
                        .map(token -> line(token, "write feature/* " + token))
                        .collect(Collectors.joining());
        Path tokens = Files.writeString(temp.resolve("tokens"), lines);
        Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
        List<String> words = Launched.command(
                Main.class, "serve", "--listen", "127.0.0.1:0", "--json", "--tokens", tokens.toString());
        words.add(1, "-Xmx64m");
        Launched server = Launched.start(Launched.builder(shell.folder(), onCore(0, words)));
        try {
            attack(disk, isSmall, server);
        } finally {
            server.kill();
        }
    }

    private void attack(Path disk, boolean isSmall, Launched server) throws Exception {
        url = Answer.parse(server.readLine()).get("url").asText();
        String port = String.valueOf(URI.create(url).getPort());
        HttpResponse<String> first = ask(new Load(), "PUT", "/v1/value?branch=main&key=first", "1");
        assertThat(first == null ? 0 : first.statusCode()).isEqualTo(200);
        written.put("first", "1");
        Load alone = load(disk, LONG / 3, () -> {});
        Launched attackers = Launched.start(Launched.builder(temp, onCore(1, Launched.command(Attackers.class, port))));
        Load beside;
        String seen;
        try {
            beside = load(disk, LONG, () -> fill(disk, isSmall));
            seen = seen(attackers, isSmall);
        } finally {
            attackers.kill();
        }
        System.out.println("alone: " + alone + "\nbeside attackers: " + beside + "\nattackers: " + seen + "\nfree: "
                + disk.toFile().getUsableSpace() + ", at least " + leastFree + "\nhealth saw the full disk " + sawFull
                + " times\n" + wrong.size() + " wrong: "
                + wrong.stream().distinct().limit(20).toList());
        assertThat(server.process().isAlive()).isTrue();
        server.process().toHandle().destroy();
        String err = server.answer().err();
        assertThat(err).doesNotContain("OutOfMemoryError: Metaspace", "a defect in pail");
        assertThat(wrong).isEmpty();
        if (isSmall) {
            assertThat(sawFull).as("health while the disk was full").hasPositiveValue();
        }
        assertThat(alone.answered.get()).isEqualTo(alone.asked.get());
        assertThat(beside.answered.get()).isEqualTo(beside.asked.get());
        assertThat(unseen(seen, isSmall)).as(seen).isEmpty();
        assertThat(seen).doesNotContain("foreign pages 2", "old encodings 2", "died");
        assertThat(leastFree).isPositive();
        try (Repository repository = Repository.open(disk.resolve(".pail"))) {
            written.forEach((key, value) -> assertThat(repository.pail().get(key))
                    .as(key)
                    .contains(Block.of(Cid.RAW, value.getBytes(StandardCharsets.US_ASCII))
                            .cid()));
        }
    }

    /** What attackers have not seen. On a large disk, none is stopped by the end of the space. */
    private static List<String> unseen(String seen, boolean isSmall) {
        return STOPPED.stream()
                .filter(each -> isSmall || !each.endsWith("507"))
                .filter(each -> !Pattern.compile(each).matcher(seen).find())
                .toList();
    }

    /** What attackers saw, when each of them was stopped at least once, or five minutes later. */
    private static String seen(Launched attackers, boolean isSmall) throws IOException, InterruptedException {
        String seen = "";
        for (int i = 0; i < 300 && !unseen(seen, isSmall).isEmpty(); i++) {
            TimeUnit.SECONDS.sleep(1);
            attackers.write("\n");
            seen = attackers.readLine();
        }
        return seen;
    }

    /** Fills the disk, keeps it full for a sixth of the time and until health has seen that, and frees it. */
    private void fill(Path disk, boolean isSmall) {
        if (!isSmall) {
            return;
        }
        Path ballast = disk.resolve("ballast");
        isFull = true;
        try (OutputStream out = Files.newOutputStream(ballast)) {
            // What the server deletes meanwhile is filled, too.
            for (int i = 0; i < 600 && (i < LONG || sawFull.get() == 0); i++) {
                fill(out);
                TimeUnit.MILLISECONDS.sleep(1000 / 6);
            }
            Files.delete(ballast);
        } catch (IOException | InterruptedException e) {
            wrong.add("the disk: " + e);
        }
        freed = System.nanoTime();
        isFull = false;
    }

    private static void fill(OutputStream out) {
        try {
            while (true) {
                out.write(new byte[4096]);
            }
        } catch (IOException e) {
            // It is full.
        }
    }

    /** The same load, for some seconds: ten reads, two writes and two questions for health a second. */
    private Load load(Path disk, int seconds, Runnable inTheMiddle) throws InterruptedException {
        Load load = new Load();
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(40);
        var unusedRead =
                timer.scheduleAtFixedRate(() -> timer.execute(() -> read(load)), 0, 100, TimeUnit.MILLISECONDS);
        var unusedWrite =
                timer.scheduleAtFixedRate(() -> timer.execute(() -> write(load)), 0, 500, TimeUnit.MILLISECONDS);
        var unusedHealth =
                timer.scheduleAtFixedRate(() -> timer.execute(() -> health(load)), 0, 500, TimeUnit.MILLISECONDS);
        var unusedLook =
                timer.scheduleAtFixedRate(() -> look(disk), 0, 100, TimeUnit.MILLISECONDS);
        TimeUnit.MILLISECONDS.sleep(seconds * 1000L / 3);
        inTheMiddle.run();
        TimeUnit.MILLISECONDS.sleep(seconds * 1000L * 2 / 3);
        timer.shutdown();
        assertThat(timer.awaitTermination(120, TimeUnit.SECONDS)).isTrue();
        return load;
    }

    private void look(Path disk) {
        long begun = System.nanoTime();
        long free = disk.toFile().getUsableSpace();
        if (!wasFull(begun)) {
            leastFree = Math.min(leastFree, free);
        }
    }

    /** Whether this test kept the disk full at some time since then, or does so now. */
    private boolean wasFull(long since) {
        return isFull || freed - since > 0;
    }

    private void read(Load load) {
        List<String> keys = List.copyOf(written.keySet());
        String key = keys.get((int) (System.nanoTime() % keys.size()));
        HttpResponse<String> answer = ask(load, "GET", "/v1/value?format=raw&key=" + key, "");
        if (answer != null && (answer.statusCode() != 200 || !answer.body().equals(written.get(key)))) {
            wrong.add("read " + key + ": " + answer.statusCode() + " " + answer.body());
        }
    }

    private void write(Load load) {
        String key = "key" + next.incrementAndGet();
        String value = "value of " + key;
        long begun = System.nanoTime();
        HttpResponse<String> answer = ask(load, "PUT", "/v1/value?branch=main&key=" + key, value);
        if (answer != null && answer.statusCode() == 200) {
            written.put(key, value);
        } else if (answer != null && !wasFull(begun)) {
            wrong.add("write " + key + ": " + answer.statusCode() + " " + answer.body());
        }
    }

    /** Health says that writes fail as long as the disk is full, and for a second after that at most. */
    private void health(Load load) {
        long begun = System.nanoTime();
        HttpResponse<String> answer = ask(load, "GET", "/healthz", "");
        if (answer == null || answer.statusCode() == 200) {
            return;
        }
        if (answer.statusCode() == 503 && wasFull(begun - PAUSE)) {
            sawFull.incrementAndGet();
        } else {
            wrong.add("health: " + answer.statusCode() + " " + answer.body());
        }
    }

    /** The answer to an honest request, which is sent again after 429 and 503, and if its connection breaks. */
    private @org.jspecify.annotations.Nullable HttpResponse<String> ask(
            Load load, String method, String path, String body) {
        load.asked.incrementAndGet();
        long begun = System.nanoTime();
        String last = "";
        for (int i = 0; i < TRIES; i++) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
                    .timeout(Duration.ofSeconds(30))
                    .header("Authorization", "Bearer " + HONEST)
                    .method(method, HttpRequest.BodyPublishers.ofString(body));
            if (method.equals("PUT")) {
                request.header("If-Match", "*");
            }
            try {
                HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
                if (!Arrays.asList(429, 503).contains(answer.statusCode()) || path.equals("/healthz")) {
                    load.answered.incrementAndGet();
                    load.millis.add((System.nanoTime() - begun) / 1_000_000);
                    return answer;
                }
                last = answer.statusCode() + " " + answer.body();
                TimeUnit.SECONDS.sleep(1);
            } catch (IOException e) {
                last = e.toString();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            load.again.incrementAndGet();
        }
        wrong.add(method + " " + path + ": no answer: " + last);
        return null;
    }
}
