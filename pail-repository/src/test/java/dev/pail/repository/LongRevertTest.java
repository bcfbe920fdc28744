package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.Batch;
import dev.pail.Entry;
import dev.pail.MergePolicy;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.clock.ReplicatedBatch;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.remote.Exchange;
import dev.pail.remote.RepositoryRemote;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.files.InitOptions;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.MergeResult;
import dev.pail.repository.model.RepositoryException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reverts of changes that have several plain events, which do not say which belong together. */
class LongRevertTest {
    private static final int MOST = ReplicatedBatch.MAX_CHANGES;
    private static final Cid OLD = Block.of(Cid.RAW, new byte[] {1}).cid();
    private static final Cid NEW = Block.of(Cid.RAW, new byte[] {2}).cid();

    @TempDir
    Path folder;

    private int made;

    private Repository empty() {
        InitOptions options = InitOptions.of(ShardFormat.v1()).withPlainEvents();
        return FileRepository.init(
                folder.resolve(Integer.toString(made++)), options.withStorage(BlockStorage.SEGMENTS));
    }

    /** Gives keys with a prefix a value, in one update. */
    private static Pail put(Repository repository, String prefix, int keys, Cid value) {
        return repository
                .update("main", "put " + prefix, pail -> {
                    Batch batch = pail.batch();
                    for (int i = 0; i < keys; i++) {
                        batch.put(prefix + i, value);
                    }
                    return batch.commit();
                })
                .pail();
    }

    private static List<Cid> events(Repository repository) {
        return repository.history().of("main").map(entry -> entry.event().cid()).toList();
    }

    @Test
    void allEventsOfAChangeAreReverted_M21() {
        for (int keys : List.of(MOST + 1, 2 * MOST, 2 * MOST + 7)) {
            try (Repository repository = empty()) {
                Pail before = put(repository, "a", 10, OLD);
                put(repository, "a", keys, NEW);
                List<Cid> all = events(repository);
                assertThat(all).hasSize(2 + (keys - 1) / MOST);
                put(repository, "b", 1, OLD);
                List<Entry> expected = before.put("b0", OLD).entries().toList();
                for (Cid event : all.subList(0, all.size() - 1)) {
                    MergeResult reverted = repository.revert("main", event, MergePolicy.fail());
                    assertThat(reverted.pail().entries()).containsExactlyElementsOf(expected);
                    repository.undo(repository.snapshot("main"), 1);
                }
            }
        }
    }

    @Test
    void aChangeOfLongKeysHasSeveralEventsToo_M21() {
        try (Repository repository = empty()) {
            put(repository, "a", 1, OLD);
            put(repository, "k".repeat(4000), 600, NEW);
            put(repository, "b", 1, OLD);
            List<Cid> all = events(repository);
            assertThat(all).hasSizeGreaterThan(4);
            for (Cid event : all.subList(1, all.size() - 1)) {
                assertThat(repository
                                .revert("main", event, MergePolicy.fail())
                                .pail()
                                .entries())
                        .extracting(Entry::key)
                        .containsExactly("a0", "b0");
                repository.undo(repository.snapshot("main"), 1);
            }
        }
    }

    @Test
    void aFullChangeAndTheNextOneAreTwo_M21() {
        try (Repository repository = empty()) {
            put(repository, "a", MOST, OLD);
            put(repository, "b", MOST, OLD);
            put(repository, "c", 2, OLD);
            Pail without = repository
                    .revert("main", events(repository).get(1), MergePolicy.fail())
                    .pail();
            assertThat(without.get("a0")).isPresent();
            assertThat(without.get("b0")).isEmpty();
            assertThat(without.get("b" + (MOST - 1))).isEmpty();
            assertThat(without.get("c0")).isPresent();
        }
    }

    @Test
    void aLogThatDoesNotSayWhichRefuses_M21() {
        try (Repository there = empty();
                Repository here = empty()) {
            put(there, "a", MOST, OLD);
            put(there, "b", 2, OLD);
            put(there, "c", 1, OLD);
            Exchange.of(here, "origin", RepositoryRemote.of(there, "there")).pull("main", MergeOptions.DEFAULT);
            List<Cid> all = events(here);
            Cid root = here.root("main");
            for (Cid event : all.subList(1, 3)) {
                assertThatExceptionOfType(RepositoryException.class)
                        .isThrownBy(() -> here.revert("main", event, MergePolicy.fail()))
                        .satisfies(e -> assertThat(e.code()).isEqualTo("part-of-change"))
                        .withMessageContaining("one of 2 events");
            }
            assertThat(here.root("main")).isEqualTo(root);
            assertThat(here.revert("main", all.get(0), MergePolicy.fail())
                            .pail()
                            .get("c0"))
                    .isEmpty();
        }
    }

    @Test
    void aRedoneChangeIsRevertedAsAWhole_M21() {
        try (Repository repository = empty()) {
            put(repository, "a", MOST + 3, OLD);
            repository.undo(repository.snapshot("main"), 1);
            repository.redo(repository.snapshot("main"), 1);
            Pail without = repository
                    .revert("main", events(repository).get(0), MergePolicy.fail())
                    .pail();
            assertThat(without.first()).isEmpty();
        }
    }
}
