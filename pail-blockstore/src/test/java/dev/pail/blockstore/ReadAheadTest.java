package dev.pail.blockstore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Batch;
import dev.pail.BlockStore;
import dev.pail.Entry;
import dev.pail.KeyChange;
import dev.pail.Pail;
import dev.pail.PailStatistics;
import dev.pail.ShardFormat;
import dev.pail.car.CarExport;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.io.OutputStream;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading ahead saves requests to a remote store, and fetches few unneeded blocks. */
class ReadAheadTest {
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[1]).cid();

    /** A store that counts how often it is asked, and for how many blocks. */
    private static final class Far implements BlockStore {
        private final MemoryBlockStore blocks;
        private int asked;
        private int fetched;
        private final Set<Cid> once = new HashSet<>();

        Far(MemoryBlockStore blocks) {
            this.blocks = blocks;
        }

        @Override
        public Optional<Block> get(Cid cid) {
            return Optional.ofNullable(getAll(List.of(cid)).get(cid));
        }

        @Override
        public Map<Cid, Block> getAll(Collection<Cid> cids) {
            asked++;
            fetched += cids.size();
            once.addAll(cids);
            return blocks.getAll(cids);
        }

        @Override
        public void putAll(Collection<Block> all) {
            blocks.putAll(all);
        }

        @Override
        public boolean has(Cid cid) {
            return blocks.has(cid);
        }

        @Override
        public void close() {}
    }

    private final MemoryBlockStore blocks = new MemoryBlockStore();

    private static String key(int i) {
        return Integer.toString(i * 0x9e3779b1, 36);
    }

    private Pail pail(ShardFormat format, int keys) {
        Batch batch = Pail.create(blocks, format).batch();
        for (int i = 0; i < keys; i++) {
            batch.put(key(i), VALUE);
        }
        return batch.commit();
    }

    /** Reads a version through a far store, once as it is and once ahead, and compares. */
    private Far read(Pail pail, int timesFewer, Consumer<Pail> action) {
        Far plain = new Far(blocks);
        action.accept(Pail.open(plain, pail.root()));
        Far far = new Far(blocks);
        action.accept(Pail.open(new CachingBlockStore(far, 64 << 20, 64), pail.root()));
        assertThat(far.asked * timesFewer).isLessThanOrEqualTo(plain.asked);
        assertThat(far.once).containsAll(plain.once);
        assertThat(far.fetched).isLessThanOrEqualTo(plain.fetched + plain.fetched / 4 + 64);
        return far;
    }

    private static ShardFormat format(String name) {
        return name.equals("v0") ? ShardFormat.v0(10_000, 64) : ShardFormat.v1();
    }

    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1"})
    void aWalkAsksForMany(String name) {
        Pail pail = pail(format(name), 20_000);
        read(pail, 8, opened -> {
            try (Stream<Entry> entries = opened.entries()) {
                assertThat(entries.count()).isEqualTo(20_000);
            }
        });
        read(pail, 8, opened -> assertThat(PailStatistics.of(opened).entries()).isEqualTo(20_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1"})
    void anExportAsksForMany(String name) throws Exception {
        Pail pail = pail(format(name), 20_000);
        Far far = new Far(blocks);
        CarExport.of(new CachingBlockStore(far, 64 << 20, 64), List.of(pail.root()))
                .writeTo(OutputStream.nullOutputStream(), "a test");
        assertThat(far.asked * 2).isLessThan(far.once.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1"})
    void lookUpsAndDiffsFetchNothingInVain(String name) {
        Pail pail = pail(format(name), 20_000);
        Pail changed = pail.put("a", VALUE).put("zz", VALUE).delete(key(7));
        read(pail, 1, opened -> {
            for (int i = 0; i < 20_000; i += 997) {
                assertThat(opened.get(key(i))).contains(VALUE);
            }
        });
        read(pail, 1, opened -> {
            try (Stream<KeyChange> changes =
                    opened.diff(Pail.open(opened.blocks(), changed.root())).keys()) {
                assertThat(changes.count()).isEqualTo(3);
            }
        });
    }
}
