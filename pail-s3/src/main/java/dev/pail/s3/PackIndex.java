package dev.pail.s3;

import dev.pail.ipld.Cid;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the blocks of a pack are. Immutable. */
final class PackIndex {
    /** About what a block takes in memory, in bytes. */
    private static final int WEIGHT = 110;

    /**
     * A block.
     *
     * @param raw the raw CID of its multihash
     * @param from where its section begins
     */
    record Entry(Cid raw, long from) {}

    private final Pack pack;
    private final Cid[] names;
    private final long[] begins;

    /** Where the sections begin, and where the last one ends, in order. */
    private final long[] ends;

    PackIndex(Pack pack, List<Entry> all) {
        this.pack = pack;
        List<Entry> sorted =
                all.stream().sorted(Comparator.comparing(Entry::raw)).toList();
        this.names = sorted.stream().map(Entry::raw).toArray(Cid[]::new);
        this.begins = sorted.stream().mapToLong(Entry::from).toArray();
        this.ends = Arrays.copyOf(begins, begins.length + 1);
        ends[begins.length] = pack.index();
        Arrays.sort(ends);
    }

    /** The pack as it was when its index was read: it may be condemned since. */
    Pack pack() {
        return pack;
    }

    @Nullable
    Entry find(Cid raw) {
        int at = Arrays.binarySearch(names, raw);
        return at < 0 ? null : new Entry(names[at], begins[at]);
    }

    /** All blocks, in the order in which they are in the pack. */
    List<Entry> inOrder() {
        Entry[] all = new Entry[names.length];
        for (int i = 0; i < all.length; i++) {
            all[Arrays.binarySearch(ends, begins[i])] = new Entry(names[i], begins[i]);
        }
        return List.of(all);
    }

    /** How many bytes the section of a block has. */
    int length(Entry entry) {
        int at = Arrays.binarySearch(ends, entry.from);
        return (int) (ends[at + 1] - entry.from);
    }

    /** About what this takes in memory, in bytes. */
    int weight() {
        return WEIGHT * ends.length;
    }
}
