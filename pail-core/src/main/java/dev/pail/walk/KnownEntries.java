package dev.pail.walk;

import dev.pail.bytes.Utf8;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.Shard;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * For a walk through many versions, the entries that the version before had in the same place. Versions differ in few entries, so
 * what a walk does for each value, it does once for most. Holds the last shards with many entries, up to a weight. For one thread.
 */
public final class KnownEntries {
    /** Looking at fewer entries takes about as long as comparing them. */
    private static final int FEWEST = 16;

    /** How many bytes of shards are held. */
    private static final long MOST_BYTES = 16L << 20;

    /** The last shard of each place, the one used last at the end. */
    private final Map<KeyBytes, Shard> last = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;

    /**
     * The entries of a shard that the last shard with the same prefix did not have, byte for byte; null for all. Remembers the shard.
     *
     * @param prefix the path on which the shard was found
     */
    @Nullable
    public BitSet fresh(Shard shard, KeyBytes prefix) {
        if (shard.count() < FEWEST) {
            return null;
        }
        Shard before = last.put(KeyBytes.EMPTY.append(prefix), shard);
        bytes += size(shard) - (before == null ? 0 : size(before));
        Iterator<Shard> oldest = last.values().iterator();
        while (bytes > MOST_BYTES && last.size() > 1) {
            bytes -= size(oldest.next());
            oldest.remove();
        }
        return before == null ? null : added(before, shard);
    }

    private static long size(Shard shard) {
        return shard.bytes.length + 4L * shard.starts.length;
    }

    private static BitSet added(Shard before, Shard after) {
        BitSet added = new BitSet(after.count());
        int one = 0;
        int two = 0;
        while (two < after.count()) {
            if (one == before.count()) {
                added.set(two, after.count());
                break;
            }
            if (isSame(before, one, after, two)) {
                one++;
                two++;
                continue;
            }
            int order = Utf8.compare(
                    before.bytes,
                    before.keyStart(one),
                    before.keyEnd(one),
                    after.bytes,
                    after.keyStart(two),
                    after.keyEnd(two));
            if (order <= 0) {
                one++;
            }
            if (order >= 0) {
                added.set(two++);
            }
        }
        return added;
    }

    private static boolean isSame(Shard before, int one, Shard after, int two) {
        return Arrays.equals(
                before.bytes,
                before.starts[one],
                before.starts[one + 1],
                after.bytes,
                after.starts[two],
                after.starts[two + 1]);
    }
}
