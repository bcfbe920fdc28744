package dev.pail.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.MalformedBlockException;
import dev.pail.MapBlocks;
import dev.pail.Pail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is held at once, and what is refused. */
class PinnedShardsTest {
    private final MapBlocks blocks = new MapBlocks();

    private Pail pail(int shards) {
        Pail pail = Pail.create(blocks);
        for (int i = 0; i < shards; i++) {
            pail = pail.put(
                    i + "-".repeat(64), Block.of(Cid.RAW, new byte[] {(byte) i}).cid());
        }
        return pail;
    }

    private Shards shards() {
        Layout layout = new LayoutV0(LayoutV0.DEFAULT_MAX_SIZE, LayoutV0.DEFAULT_MAX_KEY_LENGTH);
        return new Shards(blocks, layout, ClockCache.ofDefaultWeight());
    }

    private static List<ShardRef> refs(Pail pail) {
        List<ShardRef> refs = new ArrayList<>();
        pail.shard()
                .items()
                .forEach(
                        item -> refs.add(new ShardRef(item.shard().orElseThrow().cid())));
        return refs;
    }

    @Test
    void moreThanThereIsRoomForIsRefusedAndWhatNobodyHoldsGoesBefore() {
        Pail pail = pail(10);
        PinnedShards pinned = new PinnedShards(shards(), pail.root());
        KeyBytes prefix = KeyBytes.of("-");
        List<ShardRef> refs = refs(pail);
        assertThat(refs).hasSize(10);
        List<PinnedShards.Pin> all = new ArrayList<>();
        refs.forEach(ref -> all.add(pinned.pin(ref, prefix)));
        for (int i = 0; i < 10; i++) {
            assertThat(pinned.pin(new ShardRef(refs.get(i).cid), prefix)).isSameAs(all.get(i));
        }
        long most = ClockCache.defaultWeight();
        assertThatExceptionOfType(MalformedBlockException.class)
                .isThrownBy(() -> pinned.add(most))
                .withMessageContaining("more shards overlap here than can be followed (V0.7)");
        pinned.remove(most);
        Stream.of(all, all).forEach(times -> times.forEach(pinned::unpin));
        long reads = blocks.reads.get();
        assertThat(pinned.pin(new ShardRef(refs.get(0).cid), prefix)).isSameAs(all.get(0));
        assertThat(blocks.reads.get()).isEqualTo(reads);
        pinned.add(most);
        assertThatExceptionOfType(MalformedBlockException.class).isThrownBy(() -> pinned.add(1));
        pinned.remove(1);
        assertThat(pinned.pin(new ShardRef(refs.get(1).cid), prefix)).isNotSameAs(all.get(1));
        assertThat(blocks.reads.get()).isEqualTo(reads + 1);
    }

    @Test
    void aFewAreHeldForEachKeyHoweverHeavyTheyAre() {
        Pail pail = pail(9);
        PinnedShards pinned = new PinnedShards(shards(), pail.root(), 1);
        KeyBytes prefix = KeyBytes.of("-");
        List<ShardRef> refs = refs(pail);
        refs.subList(0, 4).forEach(ref -> pinned.pin(ref, prefix));
        pinned.nextKey();
        refs.subList(4, 8).forEach(ref -> pinned.pin(ref, prefix));
        assertThatExceptionOfType(MalformedBlockException.class).isThrownBy(() -> pinned.pin(refs.get(8), prefix));
    }

    @Test
    void soManyLooksAreRefused() {
        Pail pail = Pail.create(blocks);
        PinnedShards pinned = new PinnedShards(shards(), pail.root());
        pinned.countLooks(PinnedShards.MOST_LOOKS);
        pinned.nextKey();
        pinned.countLooks(PinnedShards.MOST_LOOKS);
        assertThatExceptionOfType(MalformedBlockException.class).isThrownBy(() -> pinned.countLooks(1));
    }
}
