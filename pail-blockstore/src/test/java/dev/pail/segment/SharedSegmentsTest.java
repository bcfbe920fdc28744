package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.RecordHeader;
import dev.pail.segment.format.SegmentFile;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several who write to the same folder in turns, as processes do: none knows of the others but by the files. */
class SharedSegmentsTest {
    @TempDir
    Path folder;

    private final Random random = new Random(Randomness.seed("SharedSegmentsTest"));
    private final List<Segments> stores = new ArrayList<>();
    private final List<Block> blocks = new ArrayList<>();
    private final Set<Cid> gone = new HashSet<>();
    private String name = "s";
    private int compactions;

    private Segments open() {
        return Segments.open(Disk.system(), folder.resolve(name), 0, 2000);
    }

    @Test
    void takeTurns() {
        for (int round = Randomness.times(1, 100); round > 0; round--) {
            name = "s" + round;
            stores.clear();
            blocks.clear();
            gone.clear();
            takeTurnsAtOne();
        }
    }

    private void takeTurnsAtOne() {
        for (int i = 0; i < 3; i++) {
            stores.add(open());
        }
        Lineages made = new Lineages(random, 4, 5);
        for (int i = 0; i < 600; i++) {
            step(made);
        }
        for (Block block : blocks) {
            if (!gone.contains(block.cid())) {
                assertThat(stores)
                        .allSatisfy(store -> assertThat(store.get(block.cid())).contains(block));
            }
        }
        stores.forEach(Segments::close);
        assertThat(compactions).isPositive();
    }

    private void step(Lineages made) {
        int at = random.nextInt(stores.size());
        Segments store = stores.get(at);
        switch (random.nextInt(40)) {
            case 0 -> {
                store.close();
                stores.set(at, open());
            }
            case 1 -> {
                Set<Cid> unwanted = new HashSet<>();
                blocks.stream().filter(block -> random.nextInt(20) == 0).forEach(block -> unwanted.add(block.cid()));
                store.compact(cid -> !unwanted.contains(cid));
                gone.addAll(unwanted);
                compactions++;
            }
            case 2 -> store.compact(cid -> true);
            default -> {
                List<Block> more = new ArrayList<>();
                for (int i = random.nextInt(3); i >= 0; i--) {
                    more.add(made.next());
                }
                store.putAll(more, made.origins);
                blocks.addAll(more);
                more.forEach(block -> gone.remove(block.cid()));
            }
        }
        if (!blocks.isEmpty()) {
            Block block = blocks.get(random.nextInt(blocks.size()));
            if (!gone.contains(block.cid())) {
                assertThat(stores.get(random.nextInt(stores.size())).get(block.cid()))
                        .contains(block);
            }
        }
    }

    /** A compaction that removes whole segments writes to none, so the last one looks as before to the others. */
    @Test
    void aSegmentThatAnotherRemovedHasNeitherBlocksNorBases_SEG16() {
        byte[] bytes = new byte[1500];
        random.nextBytes(bytes);
        Block removed = Block.of(Cid.RAW, bytes);
        bytes[700]++;
        Block made = Block.of(Cid.RAW, bytes);
        Block filling = Block.of(Cid.RAW, new byte[1000]);
        Block last = Block.of(Cid.RAW, new byte[] {1});
        try (Segments one = open();
                Segments another = open()) {
            one.putAll(List.of(removed, filling), Map.of());
            one.putAll(List.of(last), Map.of());
            assertThat(folder.resolve(name).resolve("00000.seg")).exists();

            another.compact(cid -> cid.equals(last.cid()));
            assertThat(folder.resolve(name).resolve("00000.seg")).doesNotExist();
            one.putAll(List.of(made), Map.of(made.cid(), removed.cid()));
            assertThat(another.get(made.cid())).contains(made);
            one.putAll(List.of(removed), Map.of());
            assertThat(another.get(removed.cid())).contains(removed);
            assertThat(one.get(made.cid())).contains(made);
        }
    }

    /** As if another process was killed when it had set space aside, and had not yet written there. */
    @Test
    void whatOthersHaveSetAsideIsCutOffBeforeTheSeal() throws IOException {
        Block one = Block.of(Cid.RAW, new byte[] {1});
        Block two = Block.of(Cid.RAW, new byte[] {2});
        try (Segments store = open()) {
            store.putAll(List.of(one), Map.of());
            try (Disk.WritableFile out = Disk.system().append(folder.resolve("s/00000.open"))) {
                out.write(new byte[5000]);
            }
            store.compact(cid -> true);
            store.putAll(List.of(two), Map.of());
        }
        try (Segments fresh = open()) {
            assertThat(fresh.get(one.cid())).contains(one);
            assertThat(fresh.get(two.cid())).contains(two);
            assertThat(fresh.forEach(kept -> {}).damages()).isEmpty();
        }
    }

    /** As if a process was killed when it had ended a tail in which nothing was, and had not yet begun another. */
    @Test
    void theNumberOfAnEmptyTailIsGivenAgain() throws IOException {
        Block one = Block.of(Cid.RAW, new byte[] {1});
        Block two = Block.of(Cid.RAW, new byte[] {2});
        try (Segments first = open();
                Segments reader = open()) {
            first.putAll(List.of(one), Map.of());
            first.compact(cid -> false);
            assertThat(reader.get(one.cid())).isEmpty();
            Path tail = Disk.system().list(folder.resolve("s")).stream()
                    .filter(file -> file.toString().endsWith(".open"))
                    .findFirst()
                    .orElseThrow();
            Disk.system().delete(tail);
            try (Segments second = open()) {
                second.putAll(List.of(Block.of(Cid.RAW, new byte[] {3})), Map.of());
            }
            assertThat(Disk.system().status(tail)).isPresent();
            first.putAll(List.of(one), Map.of());
            assertThat(reader.get(one.cid())).contains(one);
            try (Segments third = open()) {
                assertThat(third.get(one.cid())).contains(one);
                third.putAll(List.of(two), Map.of());
            }
            assertThat(first.get(two.cid())).contains(two);
        }
    }

    /**
     * As if the power was lost when a tail in which nothing was had been removed and another begun, and of both only a part was
     * kept.
     */
    @Test
    void twoTails() throws IOException {
        Disk disk = Disk.system();
        Block one = Block.of(Cid.RAW, new byte[] {1});
        byte[] first = SegmentFile.beginning(0, 7);
        byte[] second = SegmentFile.beginning(1, 8);
        for (int kept = 0; kept <= second.length; kept += second.length / 2) {
            Path shared = Files.createTempDirectory(folder, "s");
            Files.write(shared.resolve("00000.open"), first);
            Files.write(shared.resolve("00001.open"), Arrays.copyOf(second, kept));
            try (Segments reader = Segments.open(disk, shared, 0, 2000);
                    Segments writer = Segments.open(disk, shared, 0, 2000)) {
                assertThat(reader.get(one.cid())).isEmpty();
                writer.putAll(List.of(one), Map.of());
                assertThat(reader.get(one.cid())).contains(one);
            }
            assertThat(disk.list(shared).stream().filter(file -> file.toString().endsWith(".open")))
                    .hasSize(1);
        }
    }

    /** Two that have something were never made so: what is in them is found, and what is not, is not there. */
    @Test
    void twoTailsWithBlocks() throws IOException {
        Block one = Block.of(Cid.RAW, new byte[] {1});
        Block two = Block.of(Cid.RAW, new byte[] {2});
        try (Segments store = open()) {
            store.putAll(List.of(one), Map.of());
        }
        WriteBatch batch = WriteBatch.first(1, 5, 0, true);
        batch.add(new RecordHeader.BlockContent(two.cid(), null, 0, 1), new byte[] {2});
        batch.add(new RecordHeader.Commit(1, 0, 1, SegmentFile.BEGINNING), new byte[0]);
        try (Disk.WritableFile out = Disk.system().create(folder.resolve("s/00001.open"))) {
            out.write(SegmentFile.beginning(1, 5));
            out.write(batch.out.toBytes());
        }
        try (Segments store = open()) {
            assertThat(store.get(one.cid())).contains(one);
            assertThat(store.get(two.cid())).contains(two);
            assertThat(store.get(Block.of(Cid.RAW, new byte[] {3}).cid())).isEmpty();
        }
    }

    /** A disk that does something before each reading of a window. */
    private static Disk diskThat(Deque<Runnable> meanwhile) {
        return HookedDisk.of(Disk.system(), (call, file, made) -> {
            boolean isWindow = call.equals("read") && made.arguments.length == 4 && made.arguments[3].equals(64 * 1024);
            if (isWindow && !meanwhile.isEmpty()) {
                meanwhile.remove().run();
            }
            return made.make();
        });
    }

    /** What was set aside when it was read may be written when what is behind it is read: that is no damage. */
    @Test
    void whatIsWrittenWhileItIsRead() {
        Path shared = folder.resolve("s");
        List<Block> large = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            byte[] bytes = new byte[50_000];
            random.nextBytes(bytes);
            large.add(Block.of(Cid.RAW, bytes));
        }
        Deque<Runnable> meanwhile = new ArrayDeque<>();
        try (Segments writer = Segments.open(Disk.system(), shared, 0, 1 << 20);
                Segments reader = Segments.open(diskThat(meanwhile), shared, 0, 1 << 20)) {
            for (byte i = 0; i < 10; i++) {
                Block block = Block.of(Cid.RAW, new byte[] {i});
                writer.putAll(List.of(block), Map.of());
                assertThat(reader.get(block.cid())).contains(block);
            }
            Block more = Block.of(Cid.RAW, new byte[] {10});
            writer.putAll(List.of(more), Map.of());
            meanwhile.add(() -> {});
            meanwhile.add(() -> large.forEach(block -> writer.putAll(List.of(block), Map.of())));
            assertThat(reader.get(more.cid())).contains(more);
            assertThat(meanwhile).isEmpty();
            assertThat(large)
                    .allSatisfy(block -> assertThat(reader.get(block.cid())).contains(block));
            reader.putAll(List.of(Block.of(Cid.RAW, new byte[] {11})), Map.of());
        }
    }

    @Test
    void byEveryCidOfTheMultihash_SEG15() {
        try (Segments store = open()) {
            byte[] bytes = {(byte) 0xa0};
            Block raw = Block.of(Cid.RAW, bytes);
            Block cbor = Block.of(Cid.DAG_CBOR, bytes);
            store.putAll(List.of(raw), Map.of());
            for (int i = 0; i < 2; i++) {
                assertThat(store.get(cbor.cid())).contains(cbor);
                assertThat(store.get(raw.cid())).contains(raw);
                assertThat(store.has(cbor.cid())).isTrue();
            }
            store.putAll(List.of(cbor), Map.of());
            List<Cid> kept = new ArrayList<>();
            store.forEach(each -> kept.add(each.cid()));
            assertThat(kept).containsExactly(raw.cid());
            store.compact(cid -> true);
            assertThat(store.get(cbor.cid())).contains(cbor);
        }
    }

    /** Also who only reads lists what others have put since. */
    @Test
    void whatOthersHavePutIsListed() {
        Block first = StoreInFolder.block(1, 100);
        try (Segments reader = open();
                Segments writer = open()) {
            StoreInFolder.put(writer, first);
            assertThat(reader.get(first.cid())).contains(first);
            Set<Cid> put = new HashSet<>(Set.of(first.cid()));
            for (int seed = 2; seed < 20; seed++) {
                Block block = StoreInFolder.block(seed, 500);
                StoreInFolder.put(writer, block);
                put.add(block.cid());
            }
            Set<Cid> listed = new HashSet<>();
            assertThat(reader.forEach(each -> listed.add(each.cid())))
                    .isEqualTo(new Listing(List.of(), List.of(), false));
            assertThat(listed).isEqualTo(put);
        }
    }

    /** A load that fails may already have added blocks, which a reader that looked just before has not seen. */
    @Test
    void aReaderLooksAgainAfterALoadThatFailed() throws IOException {
        int failures = 0;
        boolean failed = true;
        try (Segments writer = open()) {
            StoreInFolder.put(writer, StoreInFolder.block(0, 10));
            for (int at = 1; failed; at++) {
                AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
                Disk disk = HookedDisk.telling(Disk.system(), (call, file) -> {
                    if (!call.equals("close")
                            && !call.equals("isDirectory")
                            && !call.equals("exists")
                            && left.decrementAndGet() == 0) {
                        throw new IOException("injected");
                    }
                });
                CurrentView view = new CurrentView(disk, new Catalog(disk, folder.resolve(name)));
                View seen = view.found();
                StoreInFolder.put(writer, StoreInFolder.block(at, 10));
                left.set(at);
                failed = false;
                try {
                    assertThat(view.refresh(seen)).isTrue();
                } catch (IOException e) {
                    failed = true;
                    failures++;
                    assertThat(view.refresh(seen)).as("after call " + at).isTrue();
                }
                view.close();
            }
        }
        assertThat(failures).isGreaterThan(5);
    }
}
