package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.CorruptBlockException;
import dev.pail.PailException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.DamageException;
import dev.pail.segment.format.Input;
import dev.pail.segment.format.Output;
import dev.pail.segment.format.RecordHeader;
import dev.pail.segment.format.SegmentFile;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Deltas that copy what other records have, when these move, are damaged, or come from a writer that packs nothing. */
class PackedDeltasTest {
    private static final Path FOLDER = Path.of("/s");
    private static final int SEGMENT = 20_000;

    private final CrashDisk disk = new CrashDisk();
    private final List<Block> blocks = new ArrayList<>();

    private Segments open(boolean packs) {
        return Segments.open(disk, FOLDER, 0, SEGMENT, packs, Duration.ZERO);
    }

    private void put(Random random, boolean packs, int count) {
        Lineages lineages = new Lineages(random, 2, 20);
        try (Segments store = open(packs)) {
            for (int i = 0; i < count; i++) {
                Block block = lineages.next();
                store.putAll(List.of(block), lineages.origins);
                blocks.add(block);
            }
        }
    }

    /** How many packed deltas the file of a segment has. */
    public static int packed(byte[] file) throws DamageException {
        int salt = new Input(file, 8, 12).integer();
        int packed = 0;
        int at = SegmentFile.BEGINNING;
        while (at < file.length && file[at] != 0) {
            RecordHeader header = RecordHeader.read(file, at, file.length, salt, at);
            packed += header.isPacked() ? 1 : 0;
            at += header.length() + (header.payload() == 0 ? 0 : header.payload() + Output.CHECKSUM);
        }
        return packed;
    }

    private List<Path> segments() throws IOException {
        return disk.list(FOLDER).stream()
                .filter(file -> file.toString().matches(".*\\.(seg|open)"))
                .sorted()
                .toList();
    }

    private int packed() throws IOException {
        int packed = 0;
        for (Path file : segments()) {
            packed += packed(disk.read(file, 1 << 20));
        }
        return packed;
    }

    private void assertAllThere(Set<Cid> removed) {
        try (Segments store = open(true)) {
            for (Block block : blocks) {
                if (!removed.contains(block.cid())) {
                    assertThat(store.get(block.cid())).contains(block);
                }
            }
        }
    }

    @Test
    void aCompactionPacksAtTheNewPlace_SEG17_SEG20() throws IOException {
        Random random = new Random(Randomness.seed("PackedDeltasTest"));
        put(random, true, 200);
        assertThat(packed()).isGreaterThan(30);
        Set<Cid> removed = new HashSet<>();
        for (int i = 0; i < blocks.size(); i += 3) {
            removed.add(blocks.get(i).cid());
        }
        try (Segments store = open(true)) {
            store.compact(cid -> !removed.contains(cid));
        }
        assertThat(packed()).isGreaterThan(10);
        assertAllThere(removed);
    }

    @Test
    void aWriterThatPacksNothingUnpacksWhatItMoves_SEG17_SEG20() throws IOException {
        put(new Random(Randomness.seed("PackedDeltasTest, unpacked")), true, 200);
        Set<Cid> removed = new HashSet<>();
        blocks.subList(0, 60).forEach(block -> removed.add(block.cid()));
        try (Segments store = open(false)) {
            store.compact(cid -> !removed.contains(cid));
        }
        assertThat(packed()).isZero();
        assertAllThere(removed);
    }

    @Test
    void aWriterThatPacksNothingWritesPlainDeltas_REP25() throws IOException {
        put(new Random(1), false, 50);
        assertThat(packed()).isZero();
        assertAllThere(Set.of());
        put(new Random(2), true, 50);
        assertThat(packed()).isPositive();
        assertAllThere(Set.of());
    }

    /** Where a copied byte has changed, a block is corrupt, also after a compaction, and never another block. */
    @Test
    void whatCopiesAChangedByteStaysCorrupt_SEG17_SEG20() throws IOException {
        Random random = new Random(Randomness.seed("PackedDeltasTest, changes"));
        put(random, true, 120);
        Path file = segments().get(0);
        byte[] whole = disk.read(file, 1 << 20);
        int lost = 0;
        for (int i = 0; i < Randomness.times(60, 2000); i++) {
            int at = SegmentFile.BEGINNING + random.nextInt(whole.length - SegmentFile.BEGINNING);
            byte[] bytes = whole.clone();
            bytes[at] ^= (byte) (1 + random.nextInt(255));
            CrashDisk changed = with(file, bytes);
            try (Segments store = Segments.open(changed, FOLDER, 0, SEGMENT, true, Duration.ZERO)) {
                Set<Cid> before = readable(store);
                Cid unwanted = blocks.get(random.nextInt(blocks.size())).cid();
                try {
                    store.compact(cid -> !cid.equals(unwanted));
                } catch (PailException e) {
                    // A header is damaged: then nothing is moved.
                    assertThat(e).hasMessageContaining(file.toString());
                }
                before.remove(unwanted);
                assertThat(readable(store)).containsAll(before);
                lost += before.size() < blocks.size() - 1 ? 1 : 0;
            }
        }
        assertThat(lost).isPositive();
    }

    /** The same store, with other bytes in a file. */
    private CrashDisk with(Path changed, byte[] bytes) throws IOException {
        CrashDisk copy = new CrashDisk();
        copy.createDirectory(FOLDER);
        for (Path file : disk.list(FOLDER)) {
            if (disk.status(file).orElseThrow().isFile()) {
                try (Disk.WritableFile out = copy.create(file)) {
                    out.write(file.equals(changed) ? bytes : disk.read(file, 1 << 20));
                }
            }
        }
        return copy;
    }

    /** The blocks that are read as they were put; others must be refused. */
    private Set<Cid> readable(Segments store) {
        Set<Cid> readable = new HashSet<>();
        for (Block block : blocks) {
            try {
                store.get(block.cid()).ifPresent(found -> {
                    assertThat(found).isEqualTo(block);
                    readable.add(block.cid());
                });
            } catch (CorruptBlockException e) {
                assertThat(e).hasMessageContaining("at offset");
            }
        }
        return readable;
    }
}
