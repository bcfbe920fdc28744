package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.Location;
import dev.pail.segment.format.Scan;
import dev.pail.sweep.SweepRule;
import dev.pail.sweep.Swept;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a sweep of segments takes away, and when (spec rules SEG18 and SEG19). */
class SweepTest {
    private static final Path FOLDER = Path.of("/s");
    private static final Duration GRACE = Duration.ofDays(14);

    private final CrashDisk disk = new CrashDisk();
    private final Map<Cid, Block> there = new HashMap<>();
    private final Set<Cid> needed = new HashSet<>();

    /** Since when each sweep has found a block not to be needed. */
    private final Map<Cid, Instant> unneeded = new HashMap<>();

    private final Map<Cid, Instant> putAt = new HashMap<>();

    private long removed;

    private SweepRule rule() {
        return new SweepRule(cid -> needed.contains(cid), disk.now().minus(GRACE));
    }

    private void days(int days) {
        disk.pause(Duration.ofDays(days).toMillis());
    }

    private void put(Segments store, Block block, Map<Cid, Cid> origins) {
        store.putAll(List.of(block), origins);
        there.put(block.cid(), block);
        putAt.put(block.cid(), disk.now());
    }

    private Swept sweep(Segments store) {
        SweepRule rule = rule();
        Swept preview = store.preview(rule);
        Swept swept = preview.isChange() ? store.sweep(rule) : preview;
        assertThat(swept).isEqualTo(preview);
        Instant now = disk.now();
        long removedBefore = removed;
        for (Block block : List.copyOf(there.values())) {
            Cid cid = block.cid();
            if (store.get(cid).isEmpty()) {
                assertThat(needed).doesNotContain(cid);
                assertThat(unneeded.get(cid))
                        .as("it was found before, and long ago")
                        .isBefore(now.minus(GRACE));
                assertThat(putAt.get(cid)).isBefore(now.minus(GRACE));
                unneeded.remove(cid);
                there.remove(cid);
                removed++;
            } else if (needed.contains(cid)) {
                unneeded.remove(cid);
            } else {
                unneeded.putIfAbsent(cid, now);
            }
        }
        assertThat(swept.deleted().blocks()).isEqualTo(removed - removedBefore);
        return swept;
    }

    /** What is written anew since something beside it was removed, is as old as it was. */
    @Test
    void noBlockGetsYoungerByBeingMoved() {
        byte[] large = new byte[4000];
        new Random(1).nextBytes(large);
        Block gone = Block.of(Cid.RAW, new byte[] {1});
        Block stays = Block.of(Cid.RAW, large);
        Block behind = Block.of(Cid.RAW, new byte[] {2});
        try (Segments store = Segments.open(disk, FOLDER, 0, 3000)) {
            store.putAll(List.of(gone, stays), Map.of());
            there.put(gone.cid(), gone);
            putAt.put(gone.cid(), disk.now());
            put(store, behind, Map.of());
            needed.addAll(List.of(stays.cid(), behind.cid()));
            days(15);
            assertThat(sweep(store).moved().blocks()).isEqualTo(1);
            days(15);
            assertThat(sweep(store).deleted().blocks()).isEqualTo(1);
            needed.clear();
            assertThat(store.preview(rule()).moved().blocks()).isEqualTo(1);
        }
    }

    @Test
    void takesAwayWhatIsNotNeededForLong_G16_SEG18_SEG19() throws IOException {
        long seed = Randomness.seed("SweepTest");
        for (long each = seed; each < seed + Randomness.times(30, 3000); each++) {
            there.clear();
            needed.clear();
            unneeded.clear();
            history(new Random(each));
        }
        assertThat(removed).isPositive();
    }

    private void history(Random random) throws IOException {
        Path folder = Path.of("/s" + random.nextLong());
        Lineages made = new Lineages(random, 3, 10);
        disk.pause(1);
        try (Segments store = Segments.open(disk, folder, 0, 3000)) {
            List<Block> blocks = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                switch (random.nextInt(12)) {
                    case 0 -> sweep(store);
                    case 1 -> days(random.nextInt(20));
                    case 2 -> needed.removeIf(cid -> random.nextInt(4) == 0);
                    case 3 -> {
                        if (!blocks.isEmpty()) {
                            Block again = blocks.get(random.nextInt(blocks.size()));
                            put(store, again, Map.of());
                            needed.add(again.cid());
                        }
                    }
                    default -> {
                        Block block = made.next();
                        put(store, block, made.origins);
                        blocks.add(block);
                        needed.add(block.cid());
                    }
                }
                needed.forEach(cid -> assertThat(store.has(cid)).isTrue());
            }
            endsWithWhatIsNeeded(store, folder);
        }
        try (Segments again = Segments.open(disk, folder, 0, 3000)) {
            needed.forEach(cid -> assertThat(again.get(cid)).contains(there.get(cid)));
        }
    }

    private void endsWithWhatIsNeeded(Segments store, Path folder) throws IOException {
        for (int i = 0; i < 4; i++) {
            days(15);
            sweep(store);
        }
        Map<Cid, Cid> basesOf = basesOf(folder);
        Set<Cid> bases = new HashSet<>();
        for (Cid cid : needed) {
            for (Cid base = cid; base != null; base = basesOf.get(base)) {
                bases.add(base);
            }
        }
        List<Cid> kept = new ArrayList<>();
        store.forEach(each -> kept.add(each.cid()));
        assertThat(kept).doesNotHaveDuplicates();
        assertThat(new HashSet<>(kept)).isEqualTo(bases);
    }

    /** The block that each delta is made of. */
    private Map<Cid, Cid> basesOf(Path folder) throws IOException {
        Map<Cid, Cid> bases = new HashMap<>();
        Map<Long, Cid> places = new HashMap<>();
        for (View.Segment segment :
                ViewLoader.load(disk, new Catalog(disk, folder), View.NONE).segments()) {
            for (Scan.Entry entry : segment.scan().entries()) {
                places.put(entry.location().place(), entry.content().cid());
                Location base = entry.content().base();
                if (base != null) {
                    bases.put(entry.content().cid(), places.get(base.place()));
                }
            }
        }
        return bases;
    }

    @Test
    void putRenewsTheMtime_SEG19() {
        Block block = Block.of(Cid.RAW, new byte[] {1});
        try (Segments store = Segments.open(disk, FOLDER, 0, 3000)) {
            put(store, block, Map.of());
            days(15);
            assertThat(sweep(store).moved().blocks()).isEqualTo(1);
            days(15);
            put(store, block, Map.of());
            assertThat(sweep(store).restored().blocks()).isEqualTo(1);
            days(15);
            assertThat(sweep(store).moved().blocks()).isEqualTo(1);
            days(15);
            assertThat(store.preview(rule()).deleted().blocks()).isEqualTo(1);
        }
    }
}
