package dev.pail.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Batch;
import dev.pail.BlockStore;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.WatchedBlockStore;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.Operation;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.testkit.Randomness;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a pull from a large pail costs: the shards that differ, and the events. */
@Tag("stress")
class LargePullTest {
    private static final int KEYS = 1_000_000;
    private static final int CHANGES = 100;

    private static Cid value(int number) {
        byte[] bytes = {(byte) number, (byte) (number >> 8), (byte) (number >> 16), (byte) (number >> 24)};
        return Block.of(Cid.RAW, bytes).cid();
    }

    private static String key(int number) {
        return "user/" + Integer.toString(number * 7919 % KEYS, 36) + "/name";
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1", "v0"})
    void aPullCostsTheShardsThatDiffer_SY5(String format) {
        Random random = Randomness.random("LargePullTest.aPullCostsTheShardsThatDiffer");
        ShardFormat shards = ShardFormat.named(format);
        try (Repository there = Repository.inMemory(shards);
                Repository here = Repository.inMemory(shards)) {
            Batch batch = Pail.create(there.blocks(), shards).batch();
            for (int i = 0; i < KEYS; i++) {
                batch.put(key(i), value(i));
            }
            // An event cannot hold a million changes, so this one names the root of all.
            Pail before = batch.commit();
            there.branches()
                    .create(
                            "large",
                            there.replica("main").put("first", value(0)).head());
            Event event = Event.of(new Operation.Put("first", value(0)), before.root(), List.of());
            there.blocks().put(event.block());
            there.move(there.snapshot("large"), Head.of(event.cid()), "load");
            FetchResult first = Exchange.of(here, "origin", RepositoryRemote.of(there, "there"))
                    .fetch("large");
            assertThat(first.now().head()).isEqualTo(there.head("large"));
            Pail after = there.update("large", pail -> {
                        Batch changes = pail.batch();
                        for (int i = 0; i < CHANGES; i++) {
                            changes.put(key(random.nextInt(KEYS)), value(KEYS + i));
                        }
                        return changes.commit();
                    })
                    .pail();
            long least = before.diff(after).shards().added().stream()
                    .mapToLong(cid -> there.blocks().require(cid).size())
                    .sum();
            AtomicLong bytes = new AtomicLong();
            BlockStore counted = new WatchedBlockStore(here.blocks(), block -> bytes.addAndGet(block.size()));
            FetchReply reply = RepositoryRemote.of(there, "there")
                    .fetch(FetchRequest.of("large").withHave(first.now().head().events()), counted);
            System.out.println(
                    format + ": " + bytes + " bytes in " + reply.blocks() + " blocks, the shards have " + least);
            assertThat(bytes.get()).isLessThanOrEqualTo(least * 12 / 10);
        }
    }
}
