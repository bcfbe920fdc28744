package dev.pail.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Entry;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.GarbageCollection;
import dev.pail.repository.Repository;
import dev.pail.repository.model.LogEntry;
import dev.pail.testkit.HandClock;
import org.junit.jupiter.api.Test;

/** A repository over stores that are no part of the library, {@link OwnStore} and {@link ToyBlocks}. */
class ToyRepositoryTest {
    private final HandClock clock = new HandClock();
    private final ToyBlocks blocks = new ToyBlocks(clock);
    private final Repository repository = Repository.open(OwnStore.refs(clock), blocks, ShardFormat.v1());

    private static Cid value(int number) {
        return Block.of(Cid.RAW, new byte[] {(byte) number}).cid();
    }

    @Test
    void keepsHistoryBranchesAndTags() {
        repository.update("main", pail -> pail.put("a", value(1)));
        repository.branches().create("side", repository.snapshot("main").head());
        repository.update("side", pail -> pail.put("b", value(2)));
        repository.update("main", pail -> pail.put("c", value(3)));
        repository.change("main", "merge", replica -> replica.merge(repository.head("side")));
        repository.tags().create("one", repository.head("main"));
        repository.undo(repository.snapshot("main"), 1);

        assertThat(repository.pail("main").entries()).extracting(Entry::key).containsExactly("a", "c");
        assertThat(repository.resolve("one").pail().entries())
                .extracting(Entry::key)
                .containsExactly("a", "b", "c");
        assertThat(repository.history().log("main").map(LogEntry::generation)).containsExactly(4L, 3L, 2L, 1L);
    }

    @Test
    void isCollected() {
        Pail lost =
                repository.update("main", pail -> pail.put("lost", value(1))).pail();
        repository.undo(repository.snapshot("main"), 1);
        repository.update("main", pail -> pail.put("kept", value(2)));
        GarbageCollection gc = repository.maintenance().garbageCollection();
        clock.pass(GarbageCollection.RETENTION.plus(GarbageCollection.GRACE));
        repository.update("main", pail -> pail.put("later", value(3)));

        assertThat(gc.run().moved().blocks()).isPositive();
        assertThat(blocks.look(lost.root())).isPresent();
        clock.pass(GarbageCollection.GRACE.plusSeconds(1));
        assertThat(gc.run().deleted().blocks()).isPositive();
        assertThat(blocks.look(lost.root())).isEmpty();
        assertThat(repository.pail().entries()).extracting(Entry::key).containsExactly("kept", "later");
    }
}
