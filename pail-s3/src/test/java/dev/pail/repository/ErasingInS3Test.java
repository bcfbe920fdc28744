package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.ErasedBlockException;
import dev.pail.PailException;
import dev.pail.ShardFormat;
import dev.pail.ipld.Block;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.model.VerifyReport;
import dev.pail.s3.TestBucket;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Erasing values of a repository in S3. */
class ErasingInS3Test extends ErasingContract {
    private final TestBucket place = TestBucket.inMemory(Clock.systemUTC());

    @Override
    Repository init() {
        return place.init(ShardFormat.v1());
    }

    @Override
    Repository open() {
        return place.open();
    }

    @Override
    List<byte[]> stored() {
        return place.contents();
    }

    private Block filled(Block other) {
        Block block = random(300);
        try (Repository repository = init()) {
            repository.blocks().putAll(List.of(block, other));
            for (int i = 0; i < 3; i++) {
                String key = "key" + i;
                repository.update("main", pail -> pail.putBytes(key, random(100).bytes()));
            }
            repository.update("main", pail -> pail.put("a", block.cid()).put("b", other.cid()));
        }
        return block;
    }

    /** A process ends at each of its writes: before it, or behind it, so that no answer comes. */
    @Test
    void aProcessThatEndsAtAnyWriteLosesNothingElse_OS17() {
        Block other = random(300);
        int ended = 0;
        int unfinished = 0;
        for (int writes = 0; ; writes++) {
            TestBucket each = TestBucket.inMemory(Clock.systemUTC());
            Block block;
            try (Repository repository = each.init(ShardFormat.v1())) {
                block = random(300);
                Block erased = block;
                repository.blocks().putAll(List.of(block, other));
                repository.update("main", pail -> pail.put("a", erased.cid()).put("b", other.cid()));
                repository
                        .maintenance()
                        .garbageCollection()
                        .withAnyGrace(Duration.ZERO)
                        .run();
            }
            for (boolean isDone : List.of(true, false)) {
                TestBucket copy = each.copied();
                boolean hasEnded = false;
                try (Repository repository = copy.endingAfter(writes, isDone).open()) {
                    repository.maintenance().erasing().erase(List.of(block.cid()));
                } catch (PailException e) {
                    hasEnded = true;
                    ended++;
                }
                try (Repository repository = copy.open()) {
                    assertThat(repository.blocks().get(other.cid())).contains(other);
                    assertThat(repository.pail().get("a")).contains(block.cid());
                    boolean isErased = repository.blocks().isErased(block.cid());
                    assertThat(repository.blocks().get(block.cid()).isPresent()).isEqualTo(!isErased);
                    boolean isThere = contains(copy, block);
                    if (isErased && isThere) {
                        unfinished++;
                        assertThat(repository.verify(VerifyOptions.DEFAULT).unremoved())
                                .isEqualTo(1);
                        repository.maintenance().garbageCollection().run();
                    } else if (!isErased) {
                        repository.maintenance().erasing().erase(List.of(block.cid()));
                    }
                    assertThat(contains(copy, block)).isFalse();
                    assertThat(repository.blocks().get(other.cid())).contains(other);
                    VerifyReport report = repository.verify(VerifyOptions.DEFAULT.withAllVersions());
                    assertThat(report.problems()).isEmpty();
                }
                if (!hasEnded && !isDone) {
                    assertThat(ended).isGreaterThan(6);
                    assertThat(unfinished).isPositive();
                    return;
                }
            }
        }
    }

    private static boolean contains(TestBucket place, Block block) {
        return place.has(block.bytes());
    }

    @Test
    void answersThatAreLostAreNoDoubleErasure_OS17() {
        Block other = random(300);
        Block block = filled(other);
        try (Repository repository = place.withLostAnswers(3).open()) {
            repository.maintenance().erasing().erase(List.of(block.cid()));
            assertThat(isStored(block)).isFalse();
            assertThat(repository.blocks().get(other.cid())).contains(other);
        }
        try (Repository repository = open()) {
            assertThat(repository.maintenance().erasing().records()).hasSize(1);
            assertThat(repository.maintenance().erasing().left()).isEmpty();
        }
    }

    @Test
    void theObjectsOfMergedPacksGo_OS17() {
        Block other = random(300);
        Block block = filled(other);
        try (Repository repository = open()) {
            for (int i = 0; i < 80; i++) {
                String key = "more" + i;
                repository.update("main", pail -> pail.putBytes(key, random(50).bytes()));
            }
            assertThat(place.count(block.bytes())).isGreaterThan(1);
            repository.maintenance().erasing().erase(List.of(block.cid()));
            assertThat(isStored(block)).isFalse();
            assertThat(repository.blocks().get(other.cid())).contains(other);
        }
    }

    @Test
    void aRecoveryKeepsTheMarks_OS13() {
        Block other = random(300);
        Block block = filled(other);
        try (Repository repository = open()) {
            repository.maintenance().erasing().erase(List.of(block.cid()));
            repository.update("main", pail -> pail.putBytes("c", new byte[] {1}));
        }
        place.remove("log/", 3);
        assertThat(place.storage().recover(place.name())).isPresent();
        try (Repository repository = open()) {
            assertThat(repository.blocks().isErased(block.cid())).isTrue();
            assertThatThrownBy(() -> repository.blocks().put(block)).isInstanceOf(ErasedBlockException.class);
            assertThat(repository.blocks().get(other.cid())).contains(other);
        }
    }
}
