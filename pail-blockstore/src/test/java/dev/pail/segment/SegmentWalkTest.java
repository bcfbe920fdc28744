package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.SegmentFile;
import dev.pail.testkit.disk.HookedDisk;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What others do to a store while all that it keeps is listed. */
class SegmentWalkTest extends StoreInFolder {
    private static final int BLOCKS = 8;

    /** Each is kept as what differs from the one before, and in a segment of its own. */
    private final List<Block> blocks = new ArrayList<>();

    private final List<Cid> cids = new ArrayList<>();

    private void write() {
        byte[] bytes = block(1, 500).bytes();
        try (Segments store = open(Disk.system(), 1)) {
            for (int i = 0; i < BLOCKS; i++) {
                bytes[i]++;
                Block block = Block.of(Cid.RAW, bytes.clone());
                store.putAll(List.of(block), i == 0 ? Map.of() : Map.of(block.cid(), cids.get(i - 1)));
                blocks.add(block);
                cids.add(block.cid());
            }
        }
    }

    private Map<Cid, Integer> chains() {
        Map<Cid, Integer> chains = new LinkedHashMap<>();
        try (Segments store = open()) {
            store.forEach(kept -> chains.put(kept.cid(), kept.chain()));
        }
        return chains;
    }

    /** Compacts a store. */
    private interface Compacted {
        void compact(Segments listed);
    }

    private void compactByAnother(Segments listed) {
        try (Segments another = open(Disk.system(), LARGE)) {
            another.compact(cid -> !cid.equals(cids.get(BLOCKS - 1)));
        }
        listed.renew();
    }

    private void compactItself(Segments listed) {
        listed.compact(cid -> !cid.equals(cids.get(BLOCKS - 1)));
    }

    /** Lists all while a compaction comes as the given segment is about to be read, and says whether one came. */
    private boolean list(int before, Compacted compacted) {
        List<Runnable> due = new ArrayList<>();
        AtomicInteger reads = new AtomicInteger(before);
        Disk disk = HookedDisk.of(Disk.system(), (method, path, call) -> {
            // Only what lists reads all that a segment holds.
            boolean listing = method.equals("read") && call.arguments[0].equals((long) SegmentFile.BEGINNING);
            if (listing && !due.isEmpty() && reads.decrementAndGet() == 0) {
                due.remove(0).run();
            }
            return call.make();
        });
        Map<Cid, Integer> chains = chains();
        try (Segments store = open(disk, LARGE)) {
            assertThat(store.get(cids.get(0))).contains(blocks.get(0));
            due.add(() -> compacted.compact(store));
            List<Cid> listed = new ArrayList<>();
            Listing seen = store.forEach(kept -> {
                listed.add(kept.cid());
                assertThat(kept.chain()).isEqualTo(chains.get(kept.cid()));
            });
            assertThat(listed).as("before read " + before).containsAll(cids.subList(0, BLOCKS - 1));
            assertThat(seen.damages()).isEmpty();
            if (!seen.repeated()) {
                assertThat(listed).as("before read " + before).doesNotHaveDuplicates();
            }
            return due.isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatACompactionMovesIsNotLeftOut(boolean byAnother) {
        boolean reached = true;
        for (int before = 1; reached; before++) {
            folder = temporary.resolve("s" + before);
            blocks.clear();
            cids.clear();
            write();
            reached = list(before, byAnother ? this::compactByAnother : this::compactItself);
            assertThat(before > BLOCKS || reached).isTrue();
        }
    }

    @Test
    void whoListsMayCompact() {
        write();
        try (Segments store = open(Disk.system(), LARGE)) {
            List<Cid> listed = new ArrayList<>();
            Listing seen = store.forEach(kept -> {
                if (listed.size() == 2) {
                    compactItself(store);
                }
                listed.add(kept.cid());
            });
            assertThat(listed.subList(0, 3)).isEqualTo(cids.subList(0, 3));
            assertThat(new HashSet<>(listed)).isEqualTo(new HashSet<>(cids.subList(0, BLOCKS - 1)));
            assertThat(seen.repeated()).isTrue();
        }
    }

    /** A listing ends even if a writer puts blocks as fast as it lists them. */
    @Test
    void whatIsPutMeanwhileDoesNotMakeItLonger() {
        write();
        try (Segments store = open(Disk.system(), 1)) {
            List<Cid> listed = new ArrayList<>();
            Listing seen = store.forEach(kept -> {
                listed.add(kept.cid());
                put(store, block(100 + listed.size(), 300), block(200 + listed.size(), 300));
            });
            assertThat(listed).startsWith(cids.toArray(Cid[]::new)).hasSizeLessThan(BLOCKS + 4);
            assertThat(seen.repeated()).isFalse();
        }
    }

    /** SEG11: one for each of the last versions up to a multiple of four, and one for each bit that this has. */
    @Test
    void chainsGoOverSegments() {
        write();
        assertThat(chains().values()).containsExactly(0, 1, 2, 3, 1, 2, 3, 4);
    }
}
