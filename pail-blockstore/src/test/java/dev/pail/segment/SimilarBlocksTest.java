package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.CachedBlock;
import dev.pail.segment.format.Location;
import dev.pail.segment.format.RecordHeader;
import dev.pail.segment.format.RecordRef;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimilarBlocksTest {
    private static final Cid CID = Block.of(Cid.RAW, new byte[1]).cid();

    private static final class Noted {
        final byte[] bytes;
        final Location location;

        Noted(byte[] bytes, Location location) {
            this.bytes = bytes;
            this.location = location;
        }
    }

    /** The slow twin: each run by itself. */
    private static int mark(byte[] bytes, int start, int end) {
        int greatest = Integer.MIN_VALUE;
        for (int from = start; from + SimilarBlocks.RUN <= end; from++) {
            int hash = 0;
            for (int i = 0; i < SimilarBlocks.RUN; i++) {
                hash += SimilarBlocks.HASHES[bytes[from + i] & 0xff] << (SimilarBlocks.RUN - 1 - i);
            }
            greatest = Math.max(greatest, hash);
        }
        return greatest;
    }

    private static int[] marks(byte[] bytes) {
        int end = bytes.length - SimilarBlocks.BACK;
        int part = (end - SimilarBlocks.FRONT) / 2;
        part = part < SimilarBlocks.RUN ? SimilarBlocks.RUN : Math.min(part, SimilarBlocks.PART);
        return new int[] {mark(bytes, SimilarBlocks.FRONT, SimilarBlocks.FRONT + part), mark(bytes, end - part, end)};
    }

    /** The slow twin: goes back through all blocks to the last that has taken the place of the mark. */
    private static Set<Location> find(List<Noted> all, byte[] bytes) {
        Set<Location> found = new LinkedHashSet<>();
        int[] marks = marks(bytes);
        for (int kind = 0; kind < 2; kind++) {
            for (int i = all.size() - 1; i >= 0; i--) {
                byte[] other = all.get(i).bytes;
                int[] others = marks(other);
                int slot = SimilarBlocks.slot(marks[kind]);
                if (SimilarBlocks.slot(others[0]) == slot || SimilarBlocks.slot(others[1]) == slot) {
                    if (others[kind] == marks[kind]
                            && other.length / 2 <= bytes.length
                            && bytes.length / 2 <= other.length) {
                        found.add(all.get(i).location);
                    }
                    break;
                }
            }
        }
        return found;
    }

    private static RecordRef stored(Location location, byte[] bytes) {
        RecordRef stored = new RecordRef(location, new RecordHeader.BlockContent(CID, null, 0, bytes.length));
        stored.cache(new CachedBlock(bytes, 0, null));
        return stored;
    }

    private static List<Location> find(SimilarBlocks similarBlocks, byte[] bytes) {
        return similarBlocks.find(bytes).stream().map(block -> block.location()).toList();
    }

    @Test
    void theLastWithAMarkIsFound() {
        Random random = new Random(Randomness.seed("SimilarBlocksTest"));
        int found = 0;
        for (int round = 0; round < Randomness.times(100, 10_000); round++) {
            SimilarBlocks similarBlocks = new SimilarBlocks();
            List<Noted> all = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                byte[] bytes = next(random, all);
                if (random.nextBoolean()) {
                    List<Location> now = find(similarBlocks, bytes);
                    assertThat(now).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(find(all, bytes));
                    found += now.size();
                }
                Location location = new Location(random.nextInt(3), 32 + 1000L * i, bytes.length);
                similarBlocks.add(stored(location, bytes));
                all.add(new Noted(bytes, location));
            }
            similarBlocks.clear();
            assertThat(similarBlocks.find(all.get(0).bytes)).isEmpty();
        }
        assertThat(found).isPositive();
    }

    /** A new block; or one that was there, with more or fewer bytes, or others somewhere. */
    private static byte[] next(Random random, List<Noted> all) {
        if (all.isEmpty() || random.nextInt(5) == 0) {
            byte[] bytes = new byte[84 + random.nextInt(400)];
            random.nextBytes(bytes);
            return bytes;
        }
        byte[] from = all.get(random.nextInt(all.size())).bytes;
        byte[] bytes = new byte[Math.max(84, from.length + random.nextInt(3) * (random.nextInt(200) - 100))];
        int at = random.nextInt(Math.min(from.length, bytes.length));
        random.nextBytes(bytes);
        System.arraycopy(from, 0, bytes, 0, at);
        int back = random.nextInt(1 + Math.min(from.length, bytes.length) - at);
        System.arraycopy(from, from.length - back, bytes, bytes.length - back, back);
        return bytes;
    }

    /** Entries that come at the front, beside another number of entries there, leave the mark of the back, and the other way round. */
    @Test
    void oneEndIsEnough() {
        byte[] bytes = new byte[1000];
        new Random(2).nextBytes(bytes);
        SimilarBlocks similarBlocks = new SimilarBlocks();
        Location location = new Location(0, 32, 1100);
        similarBlocks.add(stored(location, bytes));
        byte[] front = new byte[1060];
        System.arraycopy(bytes, 0, front, 60, 1000);
        assertThat(find(similarBlocks, front)).containsExactly(location);
        byte[] back = Arrays.copyOf(bytes, 1060);
        assertThat(find(similarBlocks, back)).containsExactly(location);
        assertThat(similarBlocks.find(new byte[1000])).isEmpty();
        assertThat(similarBlocks.find(Arrays.copyOf(bytes, 2002))).isEmpty();
    }

    private static byte[] random(long seed, int size) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** What came with its origin is marked only when that is worth it; what came without, at once. */
    @Test
    void whatIsAddedLaterIsFoundByLargeBlocks() {
        SimilarBlocks similarBlocks = new SimilarBlocks();
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(random(i, SimilarBlocks.WORTH_MARKING - 2 + i));
            Location location = new Location(0, i, 2000);
            if (i == 1) {
                similarBlocks.add(stored(location, all.get(i)));
            } else {
                similarBlocks.addLater(stored(location, all.get(i)));
            }
        }
        assertThat(find(similarBlocks, all.get(0))).isEmpty();
        assertThat(find(similarBlocks, all.get(1))).containsExactly(new Location(0, 1, 2000));
        for (int i = 2; i < 5; i++) {
            assertThat(find(similarBlocks, all.get(i))).containsExactly(new Location(0, i, 2000));
        }
        assertThat(find(similarBlocks, all.get(0))).containsExactly(new Location(0, 0, 2000));
        similarBlocks.addLater(stored(new Location(0, 9, 2000), random(9, 2000)));
        similarBlocks.clear();
        assertThat(find(similarBlocks, random(9, 2000))).isEmpty();
    }

    @Test
    void ofWhatIsAddedLaterTheFirstAreForgottenAndWhatIsNotHeldIsNotMarked() {
        SimilarBlocks similarBlocks = new SimilarBlocks();
        for (int i = 0; i <= SimilarBlocks.MOST_UNMARKED; i++) {
            similarBlocks.addLater(stored(new Location(0, i, 2000), random(i, i < 3 ? 2000 : 200)));
        }
        RecordRef gone = stored(new Location(1, 0, 2000), random(-1, 2000));
        similarBlocks.addLater(gone);
        gone.uncache();
        assertThat(find(similarBlocks, random(0, 2000))).isEmpty();
        assertThat(find(similarBlocks, random(1, 2000))).isEmpty();
        assertThat(find(similarBlocks, random(2, 2000))).containsExactly(new Location(0, 2, 2000));
        assertThat(find(similarBlocks, random(-1, 2000))).isEmpty();
    }
}
