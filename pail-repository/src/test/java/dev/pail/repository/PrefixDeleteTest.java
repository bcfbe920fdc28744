package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Batch;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.clock.Event;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.Snapshot;
import org.junit.jupiter.api.Test;

/** A deleted prefix is one ref update, of as many events as its keys need. */
class PrefixDeleteTest {
    private static final int KEYS = 12_000;

    @Test
    void aPrefixOfManyKeysIsOneRefUpdateOfSeveralEvents() {
        Cid value = Block.of(Cid.RAW, new byte[1]).cid();
        for (ShardFormat format : new ShardFormat[] {ShardFormat.v0(), ShardFormat.v1()}) {
            try (Repository repository = Repository.inMemory(format)) {
                Pail full = repository
                        .update("main", pail -> {
                            Batch batch = pail.batch().put("y", value);
                            for (int i = 0; i < KEYS; i++) {
                                batch.put("x/" + i, value);
                            }
                            return batch.commit();
                        })
                        .pail();
                Snapshot before = repository.snapshot("main");
                Pail left = repository
                        .update("main", pail -> pail.deletePrefix("x/"))
                        .pail();
                Snapshot after = repository.snapshot("main");
                assertThat(left.count(KeyRange.all())).isOne();
                assertThat(after.generation()).isEqualTo(before.generation() + 1);
                assertThat(after.pail().root())
                        .isEqualTo(full.deletePrefix("x/").root());
                MerkleClock clock = MerkleClock.open(repository.blocks());
                int events = 0;
                for (Cid at = after.head().events().get(0);
                        !at.equals(before.head().events().get(0));
                        events++) {
                    Event event = clock.event(at);
                    at = event.parents().get(0);
                }
                assertThat(events).isEqualTo(3);
            }
        }
    }
}
