package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.Batch;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.Verification;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Snapshot;
import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that write to real files, and are killed as {@code kill -9} does, after a random number of answers
 * and of looks for another. What was answered is there, and at most the change that was under way beside.
 */
@Tag("stress")
class KilledWritersTest {
    private static final int REPOSITORIES = 4;
    private static final int KILLS_OF_EACH = Randomness.times(50, 2500);
    private static final int ROUNDS = Randomness.times(10, 200);
    private static final int KILLS_FOR_A_FULL_CHECK = 20;
    private static final int MOST_ANSWERS = 8;
    /** What a writer is given beyond the answers that are awaited: of these it gives no more than are left unread before it is killed. */
    private static final int LEAST_MORE = 40;

    private static final int MOST_MORE = 60;
    private static final int MOST_UNREAD = 1000;
    private static final int MOST_LOOKS = 50_000;
    private static final int MOST_LOOKS_AT_THE_START = 1_500_000;

    @TempDir
    Path folder;

    /** Counts what came of a number of kills. */
    private record Sum(long kills, long inTheMiddle, long answers, long underWay) {
        static final Sum ZERO = new Sum(0, 0, 0, 0);

        /** One kill of a writer that had received {@code lines} lines. */
        static Sum kill(int lines, int answers, long underWay) {
            return new Sum(1, answers < lines ? 1 : 0, answers, underWay);
        }

        Sum plus(Sum other) {
            return new Sum(
                    kills + other.kills,
                    inTheMiddle + other.inTheMiddle,
                    answers + other.answers,
                    underWay + other.underWay);
        }

        @Override
        public String toString() {
            return kills + " kills, " + inTheMiddle + " of them before the last answer, " + answers + " answers, "
                    + underWay + " changes that were under way are there";
        }
    }

    @Test
    void whatWasAnsweredIsThere() throws Exception {
        long seed = Randomness.seed("KilledWritersTest");
        List<Callable<Sum>> series = new ArrayList<>();
        for (int i = 0; i < REPOSITORIES; i++) {
            Path own = Files.createDirectory(folder.resolve("r" + i));
            Series each = new Series(
                    own, i % 2 == 0 ? "v1" : "v0", i < 2 ? "files" : "segments", Randomness.random(seed + i));
            series.add(each::run);
        }
        Sum sum = Sum.ZERO;
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (Future<Sum> each : threads.invokeAll(series)) {
                sum = sum.plus(each.get());
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(sum.kills).isEqualTo((long) REPOSITORIES * KILLS_OF_EACH);
        assertThat(sum.answers).isGreaterThan(sum.kills);
        assertThat(sum.inTheMiddle).isGreaterThan(sum.kills * 3 / 4);
        // How many of so few kills hit a change between its head and its answer is left to chance.
        assertThat(sum.underWay).isGreaterThanOrEqualTo(Randomness.times(0, 1));
    }

    /** Gives a process more to do, kills it some time after {@code answers} answers, and returns all its answers. */
    private static List<String> kill(Launched writer, Random random, int answers) throws IOException {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < answers; i++) {
            out.append(writer.readLine()).append('\n');
        }
        int looks = random.nextInt(answers == 0 ? MOST_LOOKS_AT_THE_START : MOST_LOOKS);
        while (looks > 0 && writer.process().getInputStream().available() < MOST_UNREAD) {
            looks--;
        }
        writer.kill();
        Answer rest = writer.answer();
        assertThat(rest.status()).as(rest.err()).isEqualTo(137);
        assertThat(rest.err()).isEmpty();
        out.append(new String(rest.bytes(), StandardCharsets.US_ASCII));
        return out.substring(0, out.lastIndexOf("\n") + 1)
                .lines()
                .map(line -> Answer.parse(line).get("root").asText())
                .toList();
    }

    /** One repository that grows, with the roots that follow on each other in it. */
    private static final class Series {
        private final Path folder;
        private final Shell shell;
        private final Random random;
        private final List<String> lines = new ArrayList<>();
        private final List<String> roots = new ArrayList<>();
        private final List<String> keys = new ArrayList<>();
        private Pail pail;
        private Sum sum = Sum.ZERO;
        private int done;

        Series(Path folder, String format, String blocks, Random random) {
            this.folder = folder;
            this.random = random;
            boolean isV1 = format.equals("v1");
            this.shell = isV1
                    ? Shell.withRepository(folder, "--format", format, "--blocks", blocks)
                    : Shell.withRepository(folder, "--max-size", "1000", "--blocks", blocks);
            this.pail = Pail.create(new MemoryBlockStore(), isV1 ? ShardFormat.v1() : ShardFormat.v0(1000, 64));
            roots.add(pail.root().toString());
        }

        Sum run() throws IOException {
            for (int kill = 1; kill <= KILLS_OF_EACH; kill++) {
                int answers = random.nextInt(MOST_ANSWERS);
                write(answers);
                if (kill % KILLS_FOR_A_FULL_CHECK == 0) {
                    shell.run("verify", "--all").done();
                }
            }
            shell.run("verify", "--all").done();
            return sum;
        }

        private void write(int answers) throws IOException {
            int more = answers + LEAST_MORE + random.nextInt(MOST_MORE - LEAST_MORE);
            while (lines.size() < done + more) {
                add();
            }
            Launched writer = Launched.pail(folder, "apply", "--each");
            writer.write(String.join("", lines.subList(done, done + more)));
            List<String> answered = kill(writer, random, answers);
            int last = done + answered.size();
            assertThat(answered).isEqualTo(roots.subList(done + 1, last + 1));
            int stands = check(last);
            sum = sum.plus(Sum.kill(more, answered.size(), stands - last));
            done = stands;
        }

        /** Checks what was written since the last time, and returns how many of all changes are there. */
        private int check(int answered) {
            try (Repository repository = FileRepository.open(folder.resolve(".pail"));
                    Stream<LogEntry> log = repository.history().log(Repository.MAIN)) {
                Snapshot snapshot = repository.snapshot(Repository.MAIN);
                int stands = (int) snapshot.generation();
                assertThat(stands).isBetween(answered, answered + 1);
                assertThat(snapshot.root()).hasToString(roots.get(stands));
                assertThat(log.limit(stands - done)
                                .map(move -> repository.pailAt(move.to()).root().toString()))
                        .containsExactlyElementsOf(reversed(roots.subList(done + 1, stands + 1)));
                assertThat(Verification.of(repository.blocks(), snapshot.root()).problems())
                        .isEmpty();
                return stands;
            }
        }

        private static List<String> reversed(List<String> list) {
            List<String> reversed = new ArrayList<>(list);
            Collections.reverse(reversed);
            return reversed;
        }

        /** One more change, which is never nothing. */
        private void add() {
            int number = lines.size();
            if (keys.size() > 10 && random.nextInt(4) == 0) {
                String gone = keys.remove(random.nextInt(keys.size()));
                lines.add(Line.delete(gone));
                pail = pail.delete(gone);
            } else if (random.nextInt(4) == 0) {
                List<Map<String, Object>> puts = new ArrayList<>();
                Batch batch = pail.batch();
                for (int i = random.nextInt(5); i >= 0; i--) {
                    String key = key();
                    puts.add(Line.putting(key, Shell.cid(number)));
                    batch.put(key, Cid.parse(Shell.cid(number)));
                }
                pail = batch.commit();
                lines.add(Line.batch(puts));
            } else {
                String key = key();
                lines.add(Line.put(key, number));
                pail = pail.put(key, Cid.parse(Shell.cid(number)));
            }
            roots.add(pail.root().toString());
        }

        /** A key that is put. */
        private String key() {
            String key = Integer.toString(random.nextInt(400), 7) + (random.nextInt(3) == 0 ? "/more" : "");
            if (!keys.contains(key)) {
                keys.add(key);
            }
            return key;
        }
    }

    /** Two writers of the same branch, each with keys of its own, and a process that reads meanwhile. */
    @Test
    void ofTwoWritersAndAReader() throws IOException {
        Random random = new Random(Randomness.seed("KilledWritersTest"));
        Shell shell = Shell.withRepository(folder, "--format", "v1", "--blocks", "segments");
        Map<String, Integer> there = new HashMap<>(Map.of("a", 0, "b", 0));
        Sum sum = Sum.ZERO;
        for (int round = 0; round < ROUNDS; round++) {
            Map<String, Launched> writers = new HashMap<>();
            for (String name : List.of("a", "b")) {
                Launched writer = Launched.pail(folder, "apply", "--each", "--lock-timeout", "120");
                for (int i = 1; i <= MOST_ANSWERS + MOST_MORE; i++) {
                    int number = there.get(name) + i;
                    writer.write(Line.put(name + number, number));
                }
                writers.put(name, writer);
            }
            Launched reader = Launched.pail(folder, "ls", "--json");
            for (String name : List.of("a", "b")) {
                List<String> answered = kill(writers.get(name), random, random.nextInt(MOST_ANSWERS));
                checkAnswers(answered, name, there.get(name));
                sum = sum.plus(Sum.kill(MOST_ANSWERS + MOST_MORE, answered.size(), 0));
                int before = there.get(name) + answered.size();
                there.put(name, before);
            }
            checkReader(reader.answer());
            for (String name : List.of("a", "b")) {
                int stands = count(shell.keys(), name);
                assertThat(stands).isBetween(there.get(name), there.get(name) + 1);
                sum = sum.plus(new Sum(0, 0, 0, stands - there.get(name)));
                there.put(name, stands);
            }
        }
        shell.run("verify", "--all").done();
        assertThat(sum.kills).isEqualTo(2L * ROUNDS);
        assertThat(sum.answers).isGreaterThan(ROUNDS);
        // The second of the two may be through while the first is awaited.
        assertThat(sum.inTheMiddle).isGreaterThan(ROUNDS / 2);
    }

    /** Each version that was answered has all that its writer had put before. */
    private void checkAnswers(List<String> answered, String name, int before) {
        try (Repository repository = FileRepository.open(folder.resolve(".pail"))) {
            for (int i = 0; i < answered.size(); i++) {
                Pail pail = Pail.open(repository.blocks(), Cid.parse(answered.get(i)));
                assertThat(pail.get(name + (before + i + 1))).hasValue(Cid.parse(Shell.cid(before + i + 1)));
                assertThat(count(pail.entries().map(entry -> entry.key()).toList(), name))
                        .isEqualTo(before + i + 1);
            }
        }
    }

    private static void checkReader(Answer answer) {
        List<String> keys = answer.done().json().stream()
                .map((JsonNode entry) -> entry.get("key").asText())
                .toList();
        count(keys, "a");
        count(keys, "b");
    }

    /** How many keys a writer has put: all from the first to the last. */
    private static int count(List<String> keys, String name) {
        TreeSet<Integer> numbers = new TreeSet<>();
        keys.stream()
                .filter(key -> key.startsWith(name))
                .forEach(key -> numbers.add(Integer.parseInt(key, 1, key.length(), 10)));
        assertThat(numbers.isEmpty() ? 0 : numbers.last()).isEqualTo(numbers.size());
        return numbers.size();
    }
}
