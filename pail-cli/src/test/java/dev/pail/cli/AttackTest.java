package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.io.OutputStream;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Honest clients of a server with 64 MiB of heap and 64 MB of disk, beside {@link Attackers}. */
@Tag("stress")
@Timeout(900)
class AttackTest {
    /** How long the attack takes, in seconds. */
    private static final int LONG = "nightly".equals(System.getProperty("pail.stress")) ? 300 : 30;

    private static final String HONEST = "token-of-the-honest";
    private static final String HOSTILE = "token-of-the-hostile";

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

    /** How often in a row health said that a write failed, while the disk had space. */
    private final AtomicInteger failing = new AtomicInteger();

    /** How often health said so while the disk was full. */
    private final AtomicInteger sawFull = new AtomicInteger();

    private volatile boolean isFull;
    private String url = "";

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
        Path tokens = Files.writeString(
                temp.resolve("tokens"), line(HONEST, "write main honest") + line(HOSTILE, "write feature/* hostile"));
        Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
        List<String> words = Launched.command(
                Main.class, "serve", "--listen", "127.0.0.1:0", "--json", "--tokens", tokens.toString());
        words.add(1, "-Xmx64m");
        Launched server = Launched.start(Launched.builder(shell.folder(), onCore(0, words)));
        url = Answer.parse(server.readLine()).get("url").asText();
        String port = String.valueOf(URI.create(url).getPort());
        HttpResponse<String> first = ask(new Load(), "PUT", "/v1/value?branch=main&key=first", "1");
        assertThat(first == null ? 0 : first.statusCode()).isEqualTo(200);
        written.put("first", "1");
        Load alone = load(LONG / 3, () -> {});
        Launched attackers =
                Launched.start(Launched.builder(temp, onCore(1, Launched.command(Attackers.class, port, HOSTILE))));
        Load beside;
        String seen;
        try {
            beside = load(LONG, () -> fill(disk, isSmall));
            attackers.write("\n");
            seen = attackers.readLine();
        } finally {
            attackers.kill();
        }
        System.out.println("alone: " + alone + "\nbeside attackers: " + beside + "\nattackers: " + seen + "\nfree: "
                + disk.toFile().getUsableSpace() + "\n" + wrong.size() + " wrong: "
                + wrong.stream().distinct().limit(20).toList());
        assertThat(server.process().isAlive()).isTrue();
        server.process().toHandle().destroy();
        String err = server.answer().err();
        assertThat(err).doesNotContain("OutOfMemoryError: Metaspace", "a defect in pail");
        assertThat(wrong).isEmpty();
        if (isSmall) {
            assertThat(sawFull).as("health while the disk was full").hasPositiveValue();
        }
        assertThat(beside.answered.get()).isEqualTo(beside.asked.get());
        assertThat(seen).contains("foreign pages 403").doesNotContain("foreign pages 2", "old encodings 2");
        assertThat(disk.toFile().getUsableSpace()).isPositive();
        try (Repository repository = Repository.open(disk.resolve(".pail"))) {
            written.forEach((key, value) -> assertThat(repository.pail().get(key))
                    .as(key)
                    .contains(Block.of(Cid.RAW, value.getBytes(StandardCharsets.US_ASCII))
                            .cid()));
        }
    }

    /** Fills the disk, keeps it full for a sixth of the time, and frees it. */
    private void fill(Path disk, boolean isSmall) {
        if (!isSmall) {
            return;
        }
        Path ballast = disk.resolve("ballast");
        isFull = true;
        try (OutputStream out = Files.newOutputStream(ballast)) {
            while (true) {
                out.write(new byte[4096]);
            }
        } catch (IOException e) {
            // Full.
        }
        try {
            TimeUnit.MILLISECONDS.sleep(LONG * 1000L / 6);
            Files.delete(ballast);
            TimeUnit.SECONDS.sleep(5);
        } catch (IOException | InterruptedException e) {
            wrong.add("the disk: " + e);
        }
        isFull = false;
    }

    /** The same load, for some seconds: ten reads, two writes and two questions for health a second. */
    private Load load(int seconds, Runnable inTheMiddle) throws InterruptedException {
        Load load = new Load();
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(40);
        timer.scheduleAtFixedRate(() -> timer.execute(() -> read(load)), 0, 100, TimeUnit.MILLISECONDS);
        timer.scheduleAtFixedRate(() -> timer.execute(() -> write(load)), 0, 500, TimeUnit.MILLISECONDS);
        timer.scheduleAtFixedRate(() -> timer.execute(() -> health(load)), 0, 500, TimeUnit.MILLISECONDS);
        TimeUnit.MILLISECONDS.sleep(seconds * 1000L / 3);
        inTheMiddle.run();
        TimeUnit.MILLISECONDS.sleep(seconds * 1000L * 2 / 3);
        timer.shutdown();
        assertThat(timer.awaitTermination(120, TimeUnit.SECONDS)).isTrue();
        return load;
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
        boolean wasFull = isFull;
        HttpResponse<String> answer = ask(load, "PUT", "/v1/value?branch=main&key=" + key, value);
        if (answer != null && answer.statusCode() == 200) {
            written.put(key, value);
        } else if (answer != null && !wasFull && !isFull) {
            wrong.add("write " + key + ": " + answer.statusCode() + " " + answer.body());
        }
    }

    /** Health may say that a write failed: of an attacker, too, if the heap is full. It says so no longer than 20 questions after the disk has space. */
    private void health(Load load) {
        boolean wasFull = isFull;
        HttpResponse<String> answer = ask(load, "GET", "/healthz", "");
        if (answer == null || answer.statusCode() == 200) {
            failing.set(0);
        } else if (answer.statusCode() != 503 || (!wasFull && !isFull && failing.incrementAndGet() > 20)) {
            wrong.add("health: " + answer.statusCode() + " " + answer.body());
        } else if (wasFull) {
            sawFull.incrementAndGet();
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
