package dev.pail.edit;

import dev.pail.ipld.Cid;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.ShardRef;
import dev.pail.shard.Shards;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts into an empty pail of a format in which nothing but the keys decides where an entry goes (spec rules V1.2 to V1.4). They are sorted,
 * and make the shards from the leaves up; no key is looked for. If many come in order, their shards are made and stored meanwhile.
 *
 * <p>Not for use by several threads at once.
 */
final class GatheredPuts {
    /** What puts that came in order take in memory before their shards are made, in bytes. */
    private static final long MOST_IN_ORDER = 16 << 20;

    /** What a put takes beside the bytes of its key and value: five objects and a place in a list. */
    private static final int PUT = 108;

    private final Shards shards;
    private final ShardRef root;
    private final long mostInOrder;
    private List<Put> puts = new ArrayList<>();
    private long bytes;
    private boolean inOrder = true;
    private @Nullable SortedBuild build;

    /** A key and its value. */
    record Put(KeyBytes key, Cid value) {
        /** What it takes in memory, in bytes. */
        static int bytes(KeyBytes key, Cid value) {
            return PUT + key.length() + value.byteLength();
        }
    }

    /** @param root a root without entries */
    GatheredPuts(Shards shards, ShardRef root) {
        this(shards, root, MOST_IN_ORDER);
    }

    GatheredPuts(Shards shards, ShardRef root, long mostInOrder) {
        this.shards = shards;
        this.root = root;
        this.mostInOrder = mostInOrder;
    }

    /**
     * Adds a put. Of those of one key the last counts.
     *
     * @return false if its shard may be made already; then it is not added
     */
    boolean add(KeyBytes key, Cid value) {
        if (build != null) {
            boolean isNext = build.takes(key);
            if (isNext) {
                build.add(key, value);
            }
            return isNext;
        }
        inOrder = inOrder && (puts.isEmpty() || puts.get(puts.size() - 1).key.compareTo(key) <= 0);
        puts.add(new Put(key, value));
        bytes += Put.bytes(key, value);
        if (inOrder && bytes > mostInOrder) {
            build = built(puts);
            puts = List.of();
        }
        return true;
    }

    private SortedBuild built(List<Put> sorted) {
        SortedBuild made = new SortedBuild(shards, root);
        sorted.forEach(put -> made.add(put.key, put.value));
        return made;
    }

    /** What the puts took in memory that are held or were held, in bytes. */
    long bytes() {
        return bytes;
    }

    /** Whether shards were made, so that only {@link #finish} can follow. */
    boolean isBuilding() {
        return build != null;
    }

    boolean isEmpty() {
        return puts.isEmpty() && build == null;
    }

    /** The puts in the order of their keys. */
    List<Put> sorted() {
        return inOrder ? puts : List.of(SortedPuts.of(puts));
    }

    /** Stores the shards of all puts and returns the root. There must be puts. */
    ShardRef finish() {
        return (build == null ? built(sorted()) : build).finish();
    }
}
