package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LookalikesTest {
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
        for (int from = start; from + Lookalikes.RUN <= end; from++) {
            int hash = 0;
            for (int i = 0; i < Lookalikes.RUN; i++) {
                hash += Lookalikes.HASHES[bytes[from + i] & 0xff] << (Lookalikes.RUN - 1 - i);
            }
            greatest = Math.max(greatest, hash);
        }
        return greatest;
    }

    private static int[] marks(byte[] bytes) {
        int end = bytes.length - Lookalikes.BACK;
        int part = (end - Lookalikes.FRONT) / 2;
        part = part < Lookalikes.RUN ? Lookalikes.RUN : Math.min(part, Lookalikes.PART);
        return new int[] {mark(bytes, Lookalikes.FRONT, Lookalikes.FRONT + part), mark(bytes, end - part, end)};
    }

    /** The slow twin: goes back through all blocks to the last that has taken the place of the mark. */
    private static Set<Location> find(List<Noted> all, byte[] bytes) {
        Set<Location> found = new LinkedHashSet<>();
        int[] marks = marks(bytes);
        for (int kind = 0; kind < 2; kind++) {
            for (int i = all.size() - 1; i >= 0; i--) {
                byte[] other = all.get(i).bytes;
                int[] others = marks(other);
                int slot = Lookalikes.slot(marks[kind]);
                if (Lookalikes.slot(others[0]) == slot || Lookalikes.slot(others[1]) == slot) {
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
        RecordRef stored = new RecordRef(location, new RecordHead.Kept(CID, null, 0, bytes.length));
        stored.cached = new CachedBlock(bytes, 0, null);
        return stored;
    }

    private static List<Location> find(Lookalikes lookalikes, byte[] bytes) {
        return lookalikes.find(bytes).stream().map(block -> block.location).toList();
    }

    @Test
    void theLastWithAMarkIsFound() {
        Random random = new Random(Randomness.seed("LookalikesTest"));
        int found = 0;
        for (int round = 0; round < Randomness.times(100, 10_000); round++) {
            Lookalikes lookalikes = new Lookalikes();
            List<Noted> all = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                byte[] bytes = next(random, all);
                if (random.nextBoolean()) {
                    List<Location> now = find(lookalikes, bytes);
                    assertThat(now).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(find(all, bytes));
                    found += now.size();
                }
                Location location = new Location(random.nextInt(3), 32 + 1000L * i, bytes.length);
                lookalikes.add(stored(location, bytes));
                all.add(new Noted(bytes, location));
            }
            lookalikes.clear();
            assertThat(lookalikes.find(all.get(0).bytes)).isEmpty();
        }
        System.out.println("LookalikesTest: " + found + " found");
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
        Lookalikes lookalikes = new Lookalikes();
        Location location = new Location(0, 32, 1100);
        lookalikes.add(stored(location, bytes));
        byte[] front = new byte[1060];
        System.arraycopy(bytes, 0, front, 60, 1000);
        assertThat(find(lookalikes, front)).containsExactly(location);
        byte[] back = Arrays.copyOf(bytes, 1060);
        assertThat(find(lookalikes, back)).containsExactly(location);
        assertThat(lookalikes.find(new byte[1000])).isEmpty();
        assertThat(lookalikes.find(Arrays.copyOf(bytes, 2002))).isEmpty();
    }

    private static byte[] random(long seed, int size) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** What came with its origin is marked only when that is worth it; what came without, at once. */
    @Test
    void whatIsAddedLaterIsFoundByLargeBlocks() {
        Lookalikes lookalikes = new Lookalikes();
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(random(i, Lookalikes.WORTH_MARKING - 2 + i));
            Location location = new Location(0, i, 2000);
            if (i == 1) {
                lookalikes.add(stored(location, all.get(i)));
            } else {
                lookalikes.addLater(stored(location, all.get(i)));
            }
        }
        assertThat(find(lookalikes, all.get(0))).isEmpty();
        assertThat(find(lookalikes, all.get(1))).containsExactly(new Location(0, 1, 2000));
        for (int i = 2; i < 5; i++) {
            assertThat(find(lookalikes, all.get(i))).containsExactly(new Location(0, i, 2000));
        }
        assertThat(find(lookalikes, all.get(0))).containsExactly(new Location(0, 0, 2000));
        lookalikes.addLater(stored(new Location(0, 9, 2000), random(9, 2000)));
        lookalikes.clear();
        assertThat(find(lookalikes, random(9, 2000))).isEmpty();
    }

    @Test
    void ofWhatIsAddedLaterTheFirstAreForgottenAndWhatIsNotHeldIsNotMarked() {
        Lookalikes lookalikes = new Lookalikes();
        for (int i = 0; i <= Lookalikes.MOST_UNMARKED; i++) {
            lookalikes.addLater(stored(new Location(0, i, 2000), random(i, i < 3 ? 2000 : 200)));
        }
        RecordRef gone = stored(new Location(1, 0, 2000), random(-1, 2000));
        lookalikes.addLater(gone);
        gone.cached = null;
        assertThat(find(lookalikes, random(0, 2000))).isEmpty();
        assertThat(find(lookalikes, random(1, 2000))).isEmpty();
        assertThat(find(lookalikes, random(2, 2000))).containsExactly(new Location(0, 2, 2000));
        assertThat(find(lookalikes, random(-1, 2000))).isEmpty();
    }
}
