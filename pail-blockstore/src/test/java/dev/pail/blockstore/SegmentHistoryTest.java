package dev.pail.blockstore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Batch;
import dev.pail.BlockStore;
import dev.pail.Entry;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.Segments;
import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What it costs to keep every version of a pail, and that every version is there. */
class SegmentHistoryTest {
    private static final int PUTS = Randomness.times(2000, 10_000);
    private static final int LISTED = Randomness.times(20, 200);

    @TempDir
    Path folder;

    private final Random random = new Random(Randomness.seed("SegmentHistoryTest"));
    private final List<Cid> roots = new ArrayList<>();

    /** What some of the versions must list. */
    private final Map<Integer, Map<String, Cid>> models = new HashMap<>();

    private Path store() {
        return folder.resolve("store");
    }

    /** Makes a number of versions, and returns the bytes that a version took. */
    private long make(ShardFormat format, int changesOfOld) throws IOException {
        TreeMap<String, Cid> model = new TreeMap<>();
        try (SegmentBlockStore blocks = SegmentBlockStore.open(store(), Durability.NONE)) {
            Pail pail = Pail.create(blocks, format);
            for (int i = 0; i < PUTS; i++) {
                Cid value = value();
                boolean old = !model.isEmpty() && random.nextInt(100) < changesOfOld;
                String key = old ? model.ceilingKey(model.firstKey()) : Long.toString(random.nextLong() >>> 1, 36);
                if (old) {
                    String near = model.floorKey(Long.toString(random.nextLong() >>> 1, 36));
                    key = near == null ? key : near;
                }
                if (old && random.nextBoolean()) {
                    pail = pail.delete(key);
                    model.remove(key);
                } else {
                    pail = pail.put(key, value);
                    model.put(key, value);
                }
                roots.add(pail.root());
                if ((i + 1) % (PUTS / LISTED) == 0) {
                    models.put(i, new TreeMap<>(model));
                }
            }
        }
        return size(store());
    }

    private Cid value() {
        byte[] bytes = new byte[8];
        random.nextBytes(bytes);
        return Block.of(Cid.RAW, bytes).cid();
    }

    private static long size(Path store) throws IOException {
        long size = 0;
        for (Path file : Disk.system().list(store)) {
            size += Disk.system().status(file).orElseThrow().size();
        }
        return size;
    }

    private void check() {
        try (SegmentBlockStore blocks = SegmentBlockStore.open(store())) {
            SegmentStatistics statistics = blocks.statistics();
            for (Cid root : roots) {
                assertThat(blocks.get(root).map(Block::cid)).contains(root);
            }
            models.forEach((version, model) ->
                    assertThat(list(blocks, roots.get(version))).isEqualTo(model));
            assertThat(models).hasSize(LISTED);
            assertThat(statistics.longestChain()).isLessThanOrEqualTo(32);
        }
    }

    /** Puts all blocks to another store that is not told how they were made, and gives how many bytes that takes. */
    private long copy(boolean newestFirst) throws IOException {
        Path to = folder.resolve(newestFirst ? "backwards" : "forwards");
        try (SegmentBlockStore from = SegmentBlockStore.open(store());
                SegmentBlockStore blocks = SegmentBlockStore.open(to, Durability.NONE)) {
            List<Cid> all = new ArrayList<>();
            from.forEach(all::add);
            if (newestFirst) {
                Collections.reverse(all);
            }
            for (Cid cid : all) {
                blocks.put(from.get(cid).orElseThrow());
            }
            for (Cid cid : all) {
                assertThat(blocks.get(cid)).isEqualTo(from.get(cid));
            }
            assertThat(blocks.statistics().longestChain()).isLessThanOrEqualTo(32);
        }
        return size(to);
    }

    private void checkCopies(long size) throws IOException {
        long forwards = copy(false);
        long backwards = copy(true);
        assertThat(forwards).isLessThan(2 * size);
        assertThat(backwards).isLessThan(2 * size);
    }

    private static Map<String, Cid> list(BlockStore blocks, Cid root) {
        try (Stream<Entry> entries = Pail.open(blocks, root).entries()) {
            return entries.collect(Collectors.toMap(Entry::key, Entry::value, (a, b) -> a, TreeMap::new));
        }
    }

    @Test
    void version0() throws IOException {
        long size = make(ShardFormat.v0(), 0);
        check();
        assertThat(size).isLessThan(2000L * PUTS);
        checkCopies(size);
    }

    @Test
    void version1() throws IOException {
        long size = make(ShardFormat.v1(), 0);
        check();
        assertThat(size).isLessThan(2000L * PUTS);
        checkCopies(size);
    }

    @Test
    void overwritesAndDeletes() throws IOException {
        long size = make(ShardFormat.v0(), 50);
        check();
        assertThat(size).isLessThan(2000L * PUTS);
        checkCopies(size);
    }

    @Test
    void overwritesAndDeletesInVersion1() throws IOException {
        long size = make(ShardFormat.v1(), 50);
        check();
        assertThat(size).isLessThan(2000L * PUTS);
        checkCopies(size);
    }

    /** The bytes of a version grow no faster than its number has digits, whichever keys have whichever values. */
    @ParameterizedTest
    @CsvSource({
        "0, own, random", "0, one, random", "0, ten, random",
        "0, own, sorted", "0, one, sorted", "0, ten, sorted",
        "0, own, deleted", "0, one, deleted", "0, ten, deleted",
        "1, own, random", "1, one, random", "1, ten, random",
        "1, own, sorted", "1, one, sorted", "1, ten, sorted",
        "1, own, deleted", "1, one, deleted", "1, ten, deleted"
    })
    void aVersionTakesWhatChanged(int version, String values, String keys) throws IOException {
        int first = Randomness.times(200, 1000);
        long most = version == 0 ? 1000 : 2000;
        int different = values.equals("one") ? 1 : values.equals("ten") ? 10 : 10 * first;
        List<Cid> few = Stream.generate(this::value).limit(different).toList();
        List<String> made = new ArrayList<>();
        List<Cid> given = new ArrayList<>();
        for (int i = 0; i < 10 * first; i++) {
            boolean sorted = keys.equals("sorted");
            made.add(sorted ? String.format(Locale.ROOT, "key%09d", i) : Long.toString(random.nextLong() >>> 1, 36));
            given.add(few.get(random.nextInt(few.size())));
        }
        ShardFormat format = version == 0 ? ShardFormat.v0() : ShardFormat.v1();
        long[] plain = bytes(folder.resolve("plain"), false, format, made, given, keys.equals("deleted"));
        assertThat(plain[1]).isLessThan(most).isLessThan(3 * plain[0] / 2);
        long[] packed = bytes(folder.resolve("packed"), true, format, made, given, keys.equals("deleted"));
        assertThat(packed[0]).isLessThanOrEqualTo(plain[0]);
        assertThat(packed[1]).isLessThanOrEqualTo(plain[1]);
    }

    /** The mean bytes of a version after a tenth of the changes, and after all. */
    private static long[] bytes(
            Path store, boolean packs, ShardFormat format, List<String> keys, List<Cid> values, boolean deleted)
            throws IOException {
        int count = keys.size();
        try (SegmentBlockStore blocks = SegmentBlockStore.open(
                Disk.system(), store, Durability.NONE, Segments.SEGMENT_SIZE, packs, Duration.ZERO)) {
            Pail pail = Pail.create(blocks, format);
            if (deleted) {
                Batch all = pail.batch();
                for (int i = 0; i < count; i++) {
                    all.put(keys.get(i), values.get(i));
                }
                pail = all.commit();
            }
            long before = size(store);
            long atFirst = 0;
            for (int i = 0; i < count; i++) {
                pail = deleted ? pail.delete(keys.get(i)) : pail.put(keys.get(i), values.get(i));
                atFirst = i + 1 == count / 10 ? (size(store) - before) / (count / 10) : atFirst;
            }
            return new long[] {atFirst, (size(store) - before) / count};
        }
    }
}
