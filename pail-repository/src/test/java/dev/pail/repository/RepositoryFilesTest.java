package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ShardFormat;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Snapshot;
import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code spec/repository.md} says of the files of a repository, by a plain program beside it. */
class RepositoryFilesTest {
    private static final int STEPS = 40;
    private static final List<String> NAMES = List.of("main", "a", "B.2-_", "9");
    private static final List<String> REASONS = List.of(
            "", "plain", "tab\tand\nline", "back\\slash \\u0041", "größe \ud83d\ude00 \ud800", "x".repeat(1_200));

    @TempDir
    Path around;

    private Path folder = Path.of("");
    private Random random = new Random();
    private int undone;
    private int torn;

    @Test
    void aPlainProgramReadsTheSame_REP4_REP5_REP6_REP9_REP11_REP12() throws IOException {
        long seed = Randomness.seed("RepositoryFilesTest");
        int repositories = Randomness.times(10, 500);
        for (long each = seed; each < seed + repositories; each++) {
            folder = around.resolve("r" + each);
            random = new Random(each);
            try {
                run();
            } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError("repository " + each, e);
            }
        }
        assertThat(undone).isPositive();
        assertThat(torn).isPositive();
    }

    private void run() throws IOException {
        FileRepository.init(folder, ShardFormat.v1()).close();
        for (int step = 0; step < STEPS; step++) {
            Path head = folder.resolve("heads/main");
            byte[] before = Files.readAllBytes(head);
            int kind = random.nextInt(12);
            try (Repository repository = FileRepository.open(folder)) {
                if (kind < 2) {
                    put(repository, "main");
                } else {
                    step(repository);
                }
            }
            if (kind == 0) {
                // The power was lost before the head had its new name.
                Files.write(head, before);
                undone++;
            } else if (kind == 1) {
                tear(folder.resolve("logs/main"));
                torn++;
            }
            try (Repository repository = FileRepository.open(folder)) {
                check(repository);
            }
        }
    }

    private String any(List<String> list) {
        return list.get(random.nextInt(list.size()));
    }

    private void step(Repository repository) {
        String name = any(NAMES);
        if (random.nextInt(10) == 0) {
            if (repository.tags().head("tag").isPresent()) {
                repository.tags().remove("tag");
            } else if (!repository.snapshot("main").head().isEmpty()) {
                repository.tags().create("tag", repository.snapshot("main").head());
            }
        } else if (!repository.branches().contains(name)) {
            repository
                    .branches()
                    .create(
                            name,
                            random.nextBoolean()
                                    ? Head.empty()
                                    : repository.snapshot("main").head());
        } else if (random.nextInt(10) == 0) {
            repository.branches().switchTo(name);
        } else if (random.nextInt(5) == 0
                && !name.equals("main")
                && !name.equals(repository.branches().current())) {
            repository.branches().remove(name);
        } else if (random.nextInt(4) == 0) {
            Head other = repository.snapshot(any(repository.branches().names())).head();
            repository.move(repository.snapshot(name), merged(repository, name, other), any(REASONS));
        } else {
            put(repository, name);
        }
    }

    /** The events of both: a move leaves out those that another one follows. */
    private static Head merged(Repository repository, String name, Head other) {
        return Head.of(Stream.concat(repository.snapshot(name).head().events().stream(), other.events().stream())
                .toList());
    }

    private void put(Repository repository, String branch) {
        Cid value = Block.of(Cid.RAW, new byte[] {(byte) random.nextInt()}).cid();
        repository.update(branch, any(REASONS), pail -> pail.put("k" + random.nextInt(5), value));
    }

    /** Leaves at the end of a log what a loss of power may: part of a line, or one with other bytes. */
    private void tear(Path log) throws IOException {
        byte[] all = Files.readAllBytes(log);
        int from = new String(all, StandardCharsets.US_ASCII).lastIndexOf('\n', all.length - 2) + 1;
        byte[] line = Arrays.copyOfRange(all, from, all.length);
        if (random.nextBoolean()) {
            line = Arrays.copyOf(line, 1 + random.nextInt(line.length - 1));
        } else {
            line[random.nextInt(line.length - 1)] ^= 0x11;
        }
        Files.write(log, line, StandardOpenOption.APPEND);
    }

    private void check(Repository repository) throws IOException {
        PlainRepository plain = new PlainRepository(folder);
        assertThat(repository.branches().names()).isEqualTo(plain.names("heads"));
        assertThat(repository.tags().names()).isEqualTo(plain.names("tags"));
        assertThat(repository.branches().current()).isEqualTo(plain.current());
        for (String tag : repository.tags().names()) {
            assertThat(text(repository.tags().head(tag).orElseThrow())).isEqualTo(plain.head("tags", tag));
        }
        for (String branch : repository.branches().names()) {
            PlainRepository.State state = plain.branch(branch);
            Snapshot snapshot = repository.snapshot(branch);
            assertThat(snapshot.generation()).isEqualTo(state.generation());
            assertThat(text(snapshot.head())).isEqualTo(state.head());
            try (Stream<LogEntry> log = repository.history().log(branch)) {
                assertThat(log.map(RepositoryFilesTest::move)).isEqualTo(state.newestFirst());
            }
        }
    }

    private static String text(Head head) {
        return head.isEmpty() ? "-" : head.toString();
    }

    private static PlainRepository.Move move(LogEntry entry) {
        return new PlainRepository.Move(
                entry.generation(), entry.time().toString(), text(entry.from()), text(entry.to()), entry.reason());
    }
}
