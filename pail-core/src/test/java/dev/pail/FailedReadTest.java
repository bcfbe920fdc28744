package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.shard.ClockCache;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A caller that retries an iterator after a failed read: the iterator skips nothing. */
class FailedReadTest {
    private static final int KEYS = 60;

    private final MapBlocks blocks = new MapBlocks();

    static Stream<ShardFormat> formats() {
        return Stream.of(ShardFormat.v0(1000, 16), ShardFormat.v1(), ShardFormat.v2());
    }

    /** A store with one read that fails; later reads succeed. */
    private static final class FailingOnce extends MapBlocks implements SharedShards {
        private final ShardCache cache = new ShardCache(new ClockCache(1));
        private int left = Integer.MAX_VALUE;

        FailingOnce(MapBlocks blocks) {
            this.blocks.putAll(blocks.blocks);
        }

        /** One that holds a single shard. */
        @Override
        public ShardCache shardCache() {
            return cache;
        }

        @Override
        public Optional<Block> get(Cid cid) {
            if (left-- == 0) {
                throw new StoreIOException("cannot read a block", "here", "for now", null);
            }
            return super.get(cid);
        }
    }

    private Pail pail(ShardFormat format) {
        Batch batch = Pail.create(blocks, format).batch();
        for (int i = 0; i < KEYS; i++) {
            batch.put("key " + Integer.toString(i * 7, 3), value(i));
        }
        return batch.commit();
    }

    private static Cid value(int i) {
        return Block.of(Cid.RAW, new byte[] {(byte) i}).cid();
    }

    @ParameterizedTest
    @MethodSource("formats")
    void entries(ShardFormat format) {
        Pail pail = pail(format);
        check(List.of(pail), pails -> pails.get(0).entries());
        check(List.of(pail), pails -> pails.get(0).entries(KeyRange.all().descending()));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void entriesOfANamespace(ShardFormat format) {
        Batch batch = Pail.create(blocks, format).batch();
        Namespace users = Pail.create(blocks, format).namespace("users");
        for (int i = 0; i < KEYS; i++) {
            batch.put(users.key("key " + i), value(i));
        }
        check(List.of(batch.commit()), pails -> users.in(pails.get(0)).entries());
    }

    @ParameterizedTest
    @MethodSource("formats")
    void changes(ShardFormat format) {
        Pail before = pail(format);
        Pail after = before.put("key 12", value(1)).put("later", value(2)).delete("key 21");
        check(List.of(before, after), pails -> pails.get(0).diff(pails.get(1)).keys());
    }

    /** Lets each read fail, of each of some versions. */
    private <T> void check(List<Pail> versions, Function<List<Pail>, Stream<T>> stream) {
        List<T> all = stream.apply(versions).toList();
        int failed = 0;
        for (int version = 0; version < versions.size(); version++) {
            boolean reads = true;
            for (int n = 0; reads; n++) {
                FailingOnce failing = new FailingOnce(blocks);
                List<Pail> opened = new ArrayList<>(versions);
                Pail reading = Pail.open(failing, versions.get(version).root());
                // The cache lets go of the root for another: then the read of the root is the first that can fail.
                assertThat(Pail.create(failing, ShardFormat.v2(1)).get("k")).isEmpty();
                opened.set(version, reading);
                failing.left = n;
                reads = fails(stream.apply(opened).iterator(), all);
                failed += reads ? 1 : 0;
            }
        }
        assertThat(failed).isPositive();
    }

    /** Whether a read has failed; then what was given is what is first of all, and nothing else is. */
    private static <T> boolean fails(Iterator<T> iterator, List<T> all) {
        List<T> given = new ArrayList<>();
        try {
            iterator.forEachRemaining(given::add);
        } catch (StoreIOException e) {
            assertThat(given).isEqualTo(all.subList(0, given.size()));
            assertThatThrownBy(() -> iterator.forEachRemaining(given::add)).isInstanceOf(IllegalStateException.class);
            assertThat(given).isEqualTo(all.subList(0, given.size()));
            return true;
        }
        assertThat(given).isEqualTo(all);
        return false;
    }
}
