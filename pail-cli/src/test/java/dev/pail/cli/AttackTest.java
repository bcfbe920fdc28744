package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
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
import java.util.concurrent.atomic.AtomicReference;
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

    /** The milliseconds between two writes: all writes fit into what the server reserves of the disk. */
    private static final int WRITES = LONG < 60 ? 500 : 2000;

    /** What the test leaves of the disk while only small changes fit, in bytes. The server reserves 6.4 MiB. */
    private static final long LEFT = 5 << 20;

    /** Answers that each attack has at least once: it reached what it attacks, and was stopped there. */
    private static final List<String> STOPPED = List.of(
            "branch 200",
            "idle ended",
            "header drips ended",
            "body drips ended",
            "watchers 200",
            "huge pushes (202|507)",
            "tiny blocks (202|507)",
            "bombs (202|507)",
            "uploads (200|507)",
            "foreign pages 403",
            "old encodings 400");

    /** Answers of attacks that the end of the space stops. */
    private static final List<String> WITHOUT_SPACE =
            List.of("huge pushes 507", "tiny blocks 507", "bombs 507", "uploads 507");

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

    static boolean run(String... words) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(words).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void honestClientsAreServedBesideAttackers_GW25() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(temp.resolve("disk"))) {
            attack(disk);
        }
    }

    private void attack(SmallDisk disk) throws Exception {
        Shell shell = Shell.withRepository(disk.path());
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
            attack(disk, server);
        } finally {
            server.kill();
        }
    }

    private void attack(SmallDisk disk, Launched server) throws Exception {
        url = Answer.parse(server.readLine()).get("url").asText();
        String port = String.valueOf(URI.create(url).getPort());
        HttpResponse<String> first = ask(new Load(), "PUT", "/v1/value?branch=main&key=first", "1");
        assertThat(first == null ? 0 : first.statusCode()).isEqualTo(200);
        written.put("first", "1");
        Load alone = load(disk, () -> TimeUnit.SECONDS.sleep(LONG / 3));
        List<String> words = onCore(1, Launched.command(Attackers.class, port));
        // Attackers on a slow core attack less if they hash slowly.
        words.removeAll(Launched.OPTIONS);
        Launched attackers = Launched.start(Launched.builder(temp, words));
        Load beside;
        AtomicReference<String> last = new AtomicReference<>("");
        try {
            beside = load(disk, () -> {
                TimeUnit.SECONDS.sleep(LONG / 3);
                if (disk.isSmall()) {
                    fill(disk, attackers);
                }
                TimeUnit.SECONDS.sleep(LONG * 2 / 3);
                last.set(seen(attackers, STOPPED, () -> {}));
            });
        } finally {
            attackers.kill();
        }
        String seen = last.get();
        System.out.println("alone: " + alone + "\nbeside attackers: " + beside + "\nattackers: " + seen + "\nfree: "
                + disk.free() + ", at least " + disk.leastFree() + "\nhealth saw the full disk " + sawFull
                + " times\n" + wrong.size() + " wrong: "
                + wrong.stream().distinct().limit(20).toList());
        assertThat(server.process().isAlive()).isTrue();
        server.process().toHandle().destroy();
        String err = server.answer().err();
        assertThat(err).doesNotContain("OutOfMemoryError: Metaspace", "a defect in pail");
        assertThat(wrong).isEmpty();
        if (disk.isSmall()) {
            assertThat(sawFull).as("health while the disk was full").hasPositiveValue();
        }
        assertThat(alone.answered.get()).isEqualTo(alone.asked.get());
        assertThat(beside.answered.get()).isEqualTo(beside.asked.get());
        assertThat(unseen(seen, STOPPED)).as(seen).isEmpty();
        assertThat(seen).doesNotContain("foreign pages 2", "old encodings 2", "died");
        assertThat(disk.leastFree()).isPositive();
        try (Repository repository = FileRepository.open(disk.path().resolve(".pail"))) {
            written.forEach((key, value) -> assertThat(repository.pail().get(key))
                    .as(key)
                    .contains(Block.of(Cid.RAW, value.getBytes(StandardCharsets.US_ASCII))
                            .cid()));
        }
    }

    private static List<String> unseen(String seen, List<String> wanted) {
        return wanted.stream()
                .filter(each -> !Pattern.compile(each).matcher(seen).find())
                .toList();
    }

    /** What attackers saw, when they have seen some answers, or five minutes later. */
    private static String seen(Launched attackers, List<String> wanted, Course meanwhile) throws Exception {
        String seen = "";
        for (int i = 0; i < 300 && !unseen(seen, wanted).isEmpty(); i++) {
            meanwhile.run();
            TimeUnit.SECONDS.sleep(1);
            attackers.write("\n");
            seen = attackers.readLine();
        }
        return seen;
    }

    /**
     * Fills the disk but for a part of the reserve, until the server has refused each attack that needs space. Then fills it, for a sixth of
     * the time and until health has seen that, and frees it.
     */
    private void fill(SmallDisk disk, Launched attackers) throws Exception {
        // What the server deletes meanwhile is filled, too.
        String seen = seen(attackers, WITHOUT_SPACE, () -> disk.fillBut(LEFT));
        assertThat(unseen(seen, WITHOUT_SPACE)).as(seen).isEmpty();
        for (int i = 0; i < 600 && (i < LONG || sawFull.get() == 0); i++) {
            disk.fill();
            TimeUnit.MILLISECONDS.sleep(1000 / 6);
        }
        disk.empty();
    }

    /** What happens while honest clients are served. */
    private interface Course {
        void run() throws Exception;
    }

    /** The same load, as long as something takes: ten reads, up to two writes and two questions for health a second. */
    private Load load(SmallDisk disk, Course course) throws Exception {
        Load load = new Load();
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(40);
        var unusedRead =
                timer.scheduleAtFixedRate(() -> timer.execute(() -> read(load)), 0, 100, TimeUnit.MILLISECONDS);
        var unusedWrite = timer.scheduleAtFixedRate(
                () -> timer.execute(() -> write(disk, load)), 0, WRITES, TimeUnit.MILLISECONDS);
        var unusedHealth =
                timer.scheduleAtFixedRate(() -> timer.execute(() -> health(disk, load)), 0, 500, TimeUnit.MILLISECONDS);
        var unusedLook = timer.scheduleAtFixedRate(disk::look, 0, 100, TimeUnit.MILLISECONDS);
        try {
            course.run();
        } finally {
            timer.shutdown();
        }
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

    private void write(SmallDisk disk, Load load) {
        String key = "key" + next.incrementAndGet();
        String value = "value of " + key;
        long begun = System.nanoTime();
        HttpResponse<String> answer = ask(load, "PUT", "/v1/value?branch=main&key=" + key, value);
        if (answer != null && answer.statusCode() == 200) {
            written.put(key, value);
        } else if (answer != null && !disk.wasFull(begun)) {
            wrong.add("write " + key + ": " + answer.statusCode() + " " + answer.body());
        }
    }

    /** Health says that writes fail as long as the disk is full, and for a second after that at most. */
    private void health(SmallDisk disk, Load load) {
        long begun = System.nanoTime();
        HttpResponse<String> answer = ask(load, "GET", "/healthz", "");
        if (answer == null || answer.statusCode() == 200) {
            return;
        }
        if (answer.statusCode() == 503 && disk.wasFull(begun - PAUSE)) {
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
