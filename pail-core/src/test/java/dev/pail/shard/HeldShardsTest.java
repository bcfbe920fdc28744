package dev.pail.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.MalformedShardException;
import dev.pail.MapBlocks;
import dev.pail.Pail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is held at once, and what is refused. */
class HeldShardsTest {
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
        HeldShards held = new HeldShards(shards(), pail.root());
        KeyBytes prefix = KeyBytes.of("-");
        List<ShardRef> refs = refs(pail);
        assertThat(refs).hasSize(10);
        List<HeldShards.Held> all = new ArrayList<>();
        refs.forEach(ref -> all.add(held.hold(ref, prefix)));
        for (int i = 0; i < 10; i++) {
            assertThat(held.hold(new ShardRef(refs.get(i).cid), prefix)).isSameAs(all.get(i));
        }
        long most = ClockCache.defaultWeight();
        assertThatExceptionOfType(MalformedShardException.class)
                .isThrownBy(() -> held.add(most))
                .withMessageContaining("more shards overlap here than can be followed (V0.7)");
        held.remove(most);
        Stream.of(all, all).forEach(times -> times.forEach(held::release));
        long reads = blocks.reads.get();
        assertThat(held.hold(new ShardRef(refs.get(0).cid), prefix)).isSameAs(all.get(0));
        assertThat(blocks.reads.get()).isEqualTo(reads);
        held.add(most);
        assertThatExceptionOfType(MalformedShardException.class).isThrownBy(() -> held.add(1));
        held.remove(1);
        assertThat(held.hold(new ShardRef(refs.get(1).cid), prefix)).isNotSameAs(all.get(1));
        assertThat(blocks.reads.get()).isEqualTo(reads + 1);
    }

    @Test
    void aFewAreHeldForEachKeyHoweverHeavyTheyAre() {
        Pail pail = pail(9);
        HeldShards held = new HeldShards(shards(), pail.root(), 1);
        KeyBytes prefix = KeyBytes.of("-");
        List<ShardRef> refs = refs(pail);
        refs.subList(0, 4).forEach(ref -> held.hold(ref, prefix));
        held.startAgain();
        refs.subList(4, 8).forEach(ref -> held.hold(ref, prefix));
        assertThatExceptionOfType(MalformedShardException.class).isThrownBy(() -> held.hold(refs.get(8), prefix));
    }

    @Test
    void soManyLooksAreRefused() {
        Pail pail = Pail.create(blocks);
        HeldShards held = new HeldShards(shards(), pail.root());
        held.looked(HeldShards.MOST_LOOKS);
        held.startAgain();
        held.looked(HeldShards.MOST_LOOKS);
        assertThatExceptionOfType(MalformedShardException.class).isThrownBy(() -> held.looked(1));
    }
}
