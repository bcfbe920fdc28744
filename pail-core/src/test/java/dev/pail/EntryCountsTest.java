package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.MapOperation;
import dev.pail.testkit.RandomOperations;
import dev.pail.testkit.Randomness;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Counts, and entries at a place, against going through all entries. */
class EntryCountsTest {
    /** Counts its reads, and remembers all numbers. */
    private static final class Counting implements SharedShards, EntryCounts {
        private final MapBlocks blocks = new MapBlocks();
        private final Map<Cid, Long> known = new HashMap<>();
        private int reads;

        @Override
        public Optional<Block> get(Cid cid) {
            reads++;
            return blocks.get(cid);
        }

        @Override
        public void putAll(Collection<Block> all) {
            blocks.putAll(all);
        }

        @Override
        public boolean has(Cid cid) {
            return blocks.has(cid);
        }

        /** Each pail that is opened reads all anew. */
        @Override
        public ShardCache shardCache() {
            return ShardCache.ofDefaultWeight();
        }

        @Override
        public EntryCounts entryCounts() {
            return this;
        }

        @Override
        public long find(Cid shard) {
            return known.getOrDefault(shard, -1L);
        }

        @Override
        public void note(Cid shard, long entries) {
            known.put(shard, entries);
        }

        @Override
        public void close() {}

        Pail opened(Pail pail) {
            Pail opened = Pail.open(this, pail.root());
            reads = 0;
            return opened;
        }
    }

    private static KeyRange range(Random random, RandomOperations source) {
        KeyRange range = random.nextInt(3) == 0 ? KeyRange.all() : KeyRange.prefix(source.key());
        range = random.nextBoolean() ? range.from(source.key()) : range;
        range = random.nextBoolean() ? range.before(source.key()) : range;
        return random.nextBoolean() ? range.descending() : range;
    }

    @Test
    void countsAsEntriesDo() {
        long seed = Randomness.seed("EntryCountsTest");
        for (int i = 0; i < Randomness.times(300, 30_000); i++) {
            Random random = Randomness.random(seed + i);
            ShardFormat format = RandomOperations.format(random);
            RandomOperations source = new RandomOperations(random, format);
            Pail pail = Pail.create(new Counting(), format);
            for (int n = random.nextInt(80); n > 0; n--) {
                MapOperation operation = source.next();
                if (ModelTest.isAllowed(format, operation)) {
                    try {
                        pail = operation.applyTo(pail);
                    } catch (LimitException e) {
                        break;
                    }
                }
                if (random.nextInt(8) == 0) {
                    compare(pail, range(random, source), random, "-Dpail.seed=" + (seed + i));
                }
            }
            compare(pail, KeyRange.all(), random, "-Dpail.seed=" + (seed + i));
        }
    }

    private static void compare(Pail pail, KeyRange range, Random random, String place) {
        List<Entry> entries = pail.entries(range).toList();
        assertThat(pail.count(range)).as(place).isEqualTo(entries.size());
        int at = random.nextInt(entries.size() + 2);
        assertThat(pail.entryAt(range, at))
                .as(place)
                .isEqualTo(entries.stream().skip(at).findFirst());
    }

    /** After a change, the shards on the way to it are read, and small ones beside it. */
    @Test
    void onlyWhatIsNewIsRead() {
        for (ShardFormat format : List.of(ShardFormat.v0(), ShardFormat.v1(), ShardFormat.v2())) {
            Counting blocks = new Counting();
            Batch batch = Pail.create(blocks, format).batch();
            Random random = new Random(1);
            for (int i = 0; i < 20_000; i++) {
                batch.put("k" + Long.toHexString(random.nextLong()), Vectors.value(1));
            }
            Pail pail = batch.commit();
            assertThat(blocks.opened(pail).entries().count()).isEqualTo(20_000);
            int all = blocks.reads;
            assertThat(blocks.opened(pail).count(KeyRange.all())).isEqualTo(20_000);
            assertThat(blocks.reads).as(format.name()).isEqualTo(all);
            Pail next = pail.put("k0", Vectors.value(1));
            assertThat(blocks.opened(next).count(KeyRange.all())).isEqualTo(20_001);
            assertThat(blocks.reads).as(format.name()).isLessThanOrEqualTo(all / 10);
            assertThat(blocks.opened(next).count(KeyRange.all())).isEqualTo(20_001);
            assertThat(blocks.reads).as(format.name()).isZero();
            List<Entry> entries = next.entries().toList();
            assertThat(blocks.opened(next).entryAt(KeyRange.all().descending(), 5_000))
                    .contains(entries.get(15_000));
            assertThat(blocks.reads).as(format.name()).isLessThanOrEqualTo(all / 10);
        }
    }

    @Test
    void aPlaceIsNotNegative() {
        Pail pail = Pail.create(new MapBlocks());
        assertThatIllegalArgumentException().isThrownBy(() -> pail.entryAt(KeyRange.all(), -1));
        assertThat(pail.entryAt(KeyRange.all(), 0)).isEmpty();
        assertThat(pail.entryAt(KeyRange.all().descending(), Long.MAX_VALUE)).isEmpty();
    }
}
