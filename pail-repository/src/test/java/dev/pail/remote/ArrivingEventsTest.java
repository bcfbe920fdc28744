package dev.pail.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Batch;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.MemoryBlocks;
import dev.pail.repository.Repository;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Where a fetch stands if it breaks off after any block. */
class ArrivingEventsTest {
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    @Test
    void nothingStandsWithinAChange_DE7() {
        try (Repository there = Repository.inMemory()) {
            there.update("main", pail -> pail.put("a", VALUE));
            Head first = there.head("main");
            there.update("main", pail -> {
                Batch batch = pail.batch();
                for (int i = 0; i < 12_000; i++) {
                    batch.put("k" + i, VALUE);
                }
                return batch.commit();
            });
            Head large = there.head("main");
            there.update("main", pail -> pail.put("b", VALUE));
            MerkleClock clock = MerkleClock.open(there.blocks());
            List<Cid> history = clock.history(there.head("main"));
            assertThat(history).hasSize(5);

            List<Block> blocks = new ArrayList<>();
            long unused = Heads.export(there.blocks(), there.head("main"), Head.empty())
                    .forEach(blocks::add);
            MemoryBlocks here = new MemoryBlocks();
            ArrivingEvents arriving =
                    new ArrivingEvents(here, new DiskReserve(OptionalLong::empty), "there", () -> {}, () -> {}, false);
            Set<Head> stood = new LinkedHashSet<>();
            for (Block block : blocks) {
                arriving.putAll(List.of(block));
                stood.add(arriving.whole());
            }
            assertThat(stood).containsExactly(Head.empty(), first, large);
            assertThat(stood.stream().flatMap(head -> head.events().stream()).map(clock::event))
                    .noneMatch(Event::isContinued);
        }
    }
}
