package dev.pail.repository.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ShardFormat;
import dev.pail.clock.Description;
import dev.pail.clock.Event;
import dev.pail.clock.HistoryTree;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Note;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The trees that a repository in a folder writes into its events, and where it keeps them. */
class TreesFileTest {
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();
    private static final Note ANN = Note.of("Ann <ann@example.org>", "");

    @TempDir
    Path folder;

    private int number;

    private void put(Repository repository) {
        repository.withNote(ANN).update("main", pail -> pail.put("key" + number++, VALUE));
    }

    /** Each event of the history, which is linear, has its tree. */
    private static void check(Repository repository, int events) {
        List<Cid> history = repository.replica("main").clock().history(repository.head("main"));
        assertThat(history).hasSize(events);
        for (int i = 0; i < events; i++) {
            Event event = repository.replica("main").clock().event(history.get(i));
            assertThat(event.description().flatMap(Description::tree))
                    .contains(Description.Tree.of(HistoryTree.of(history.subList(0, i))));
        }
    }

    @Test
    void eachEventHasItsTreeAndTheNextProcessGoesOn_DE10_REP38() throws IOException {
        Path file = folder.resolve("r/derived/trees");
        try (Repository repository = FileRepository.init(folder.resolve("r"), ShardFormat.v1())) {
            put(repository);
            repository
                    .withNote(ANN)
                    .change(
                            "main",
                            "batch",
                            state -> state.batch()
                                    .put("a", VALUE)
                                    .put("b", VALUE)
                                    .commit());
            assertThat(file).doesNotExist();
        }
        assertThat(file).exists();
        byte[] kept = Files.readAllBytes(file);
        // What a reader does not change stays.
        try (Repository repository = FileRepository.open(folder.resolve("r"))) {
            check(repository, 2);
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(kept);
        try (Repository repository = FileRepository.open(folder.resolve("r"))) {
            put(repository);
        }
        assertThat(Files.readAllBytes(file)).isNotEqualTo(kept);
        try (Repository repository = FileRepository.open(folder.resolve("r"))) {
            check(repository, 3);
        }
    }

    /** Lost, cut off, changed, of an older state of the branch, or no file at all. */
    @Test
    void aDamagedFileIsNoError_REP38() throws IOException {
        Path file = folder.resolve("r/derived/trees");
        try (Repository repository = FileRepository.init(folder.resolve("r"), ShardFormat.v1())) {
            put(repository);
        }
        byte[] old = Files.readAllBytes(file);
        int events = 1;
        byte[] changed = old.clone();
        changed[changed.length - 1] ^= 1;
        for (byte[] damaged : List.of(new byte[0], new byte[20], changed, old)) {
            Files.write(file, damaged);
            try (Repository repository = FileRepository.open(folder.resolve("r"))) {
                put(repository);
                events++;
                check(repository, events);
            }
        }
        Files.delete(file);
        Files.createDirectory(file);
        try (Repository repository = FileRepository.open(folder.resolve("r"))) {
            put(repository);
            check(repository, events + 1);
        }
    }

    @Test
    void plainEventsHaveNone_DE10() {
        try (Repository repository = FileRepository.init(folder.resolve("r"), ShardFormat.v1())) {
            repository.update("main", pail -> pail.put("a", VALUE));
            put(repository);
            List<Cid> history = repository.replica("main").clock().history(repository.head("main"));
            Event plain = repository.replica("main").clock().event(history.get(0));
            assertThat(plain.isDescribed()).isFalse();
            Event described = repository.replica("main").clock().event(history.get(1));
            assertThat(described.description().flatMap(Description::tree))
                    .isEqualTo(Optional.of(Description.Tree.of(HistoryTree.of(history.subList(0, 1)))));
        }
    }
}
