package dev.pail.shard;

import dev.pail.ipld.Cid;
import dev.pail.unsafe.UnsafeBlocks;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A decoded shard: its encoded bytes and where each entry starts in them. Entries are numbered from 0 in the order of
 * their keys. Nothing is made of an entry before it is asked for.
 *
 * <p>The bytes were checked against all rules of the format, or written by {@link ShardEncoder}, which keeps them. An entry is
 * an array of two: the key, a text; and the value, a link (user data) or an array of one or two links (the shard, the
 * user data).
 */
public final class Shard extends ShardKeys {
    /** After more searches than this, what leads on without a choice is made a chain. */
    private static final int SEARCHES_FOR_CHAIN = 2;

    /** What fits the nearest caches of a processor, and is enough for what waits to be side by side. */
    private static final int MOST_TOUCHED = 64;

    /** A chain takes no further key once its keys have this many bytes. */
    private static final int MOST_CHAINED = 64;

    /**
     * The refs of shard links that were followed or made, by number of the entry. Null where there are no links. Two threads may make
     * the ref of one entry twice; either serves, and the CID is final.
     */
    private final @Nullable ShardRef @Nullable [] refs;

    /** Where only one key leads on, what it and those behind it lead to. Made by any thread. */
    private volatile @Nullable Chain chain;

    /** What {@link #outer} says; computed when it is first asked for, by any thread. */
    private volatile int @Nullable [] outer;

    /** Whether keys may be here that start with the key of a shard link (spec rule V0.7). */
    public final boolean overlapping;

    public final Midstates midstates;

    Shard(byte[] bytes, int[] starts, @Nullable ShardRef @Nullable [] refs, boolean overlapping, Midstates midstates) {
        super(bytes, starts);
        this.refs = refs;
        this.overlapping = overlapping;
        this.midstates = midstates;
    }

    @Override
    public int weight() {
        return super.weight() + (refs == null ? 0 : 4 * refs.length) + midstates.weight();
    }

    /**
     * Reads a little of each linked shard that is cached, up to {@link #MOST_TOUCHED} of them. Who goes through them next then waits for
     * memory once, and not once for each: the processor loads them side by side.
     *
     * @return something that depends on all that was read, so that nothing can be left out
     */
    public int touchLinked() {
        int touched = 0;
        if (refs == null) {
            return touched;
        }
        int end = Math.min(refs.length, MOST_TOUCHED);
        for (int entry = 0; entry < end; entry++) {
            ShardRef ref = refs[entry];
            Shard linked = ref == null ? null : ref.shard;
            if (linked != null) {
                touched += linked.bytes[linked.bytes.length >> 1] + linked.starts[0];
                touched += linked.refs == null ? 0 : linked.refs.length;
            }
        }
        return touched;
    }

    /** The user data of an entry that has some. */
    public Cid data(int entry) {
        return data(entry, keyEnd(entry));
    }

    /** The user data of an entry whose key has this length, or null if there is none. */
    @Nullable
    Cid dataBehind(int entry, int keyLength) {
        int value = keyEnd(entry, keyLength);
        return bytes[value] == LINK ? null : data(entry, value);
    }

    private Cid data(int entry, int value) {
        int end = starts[entry + 1];
        if (value == end - ShardRef.ENCODED_LENGTH) {
            // Nothing else has this size, and how much to copy is known without a look at it.
            return UnsafeBlocks.cid(bytes, end - ShardRef.CID_LENGTH, end);
        }
        return cid(bytes[value] == DATA ? value : value + 1 + ShardRef.ENCODED_LENGTH);
    }

    /**
     * What follows where there is one key, which only leads on: shards in which there is nothing to choose.
     *
     * @param keys the keys of all of them, one behind the other
     * @param end where they lead
     */
    public record Chain(KeyBytes keys, ShardRef end) {
        /** Whether longer keys than these lead on to the end. A key that ends within the chain has no value. */
        boolean leadsTo(byte[] key, int from, int to) {
            int length = keys.length();
            return length < to - from && Arrays.equals(keys.array, keys.from, keys.to, key, from, from + length);
        }
    }

    /** What follows, if there is no choice, and it was gone through before. */
    @Nullable
    Chain chain() {
        Chain known = chain;
        if (known == null && leadsOn() && searched() > SEARCHES_FOR_CHAIN) {
            known = takeChain();
            chain = known;
        }
        return known;
    }

    private boolean leadsOn() {
        return count() == 1 && !hasData(0);
    }

    private Chain takeChain() {
        KeyBytes keys = key(0);
        ShardRef end = ref(0);
        for (Shard next = end.use(); next != null && next.leadsOn() && keys.length() < MOST_CHAINED; next = end.use()) {
            keys = keys.append(next.key(0));
            end = next.ref(0);
        }
        return new Chain(keys, end);
    }

    /** The shard link of an entry that has one. */
    public ShardRef ref(int entry) {
        ShardRef ref = refs == null ? null : refs[entry];
        if (ref == null) {
            int link = keyEnd(entry) + 1;
            ref = new ShardRef(cid(link));
            if (refs != null) {
                refs[entry] = ref;
            }
        }
        return ref;
    }

    /** The CID of a link that starts here: tag (2 bytes), head of the byte string, 0, CID. */
    private Cid cid(int start) {
        int head = start + 2;
        int from = textStart(head);
        return UnsafeBlocks.cid(bytes, from + 1, textEnd(head));
    }

    /** In an overlapping shard, the nearest link before an entry whose key the entry's starts with, or -1. */
    public int outer(int entry) {
        int[] known = outer;
        if (known == null) {
            known = outers();
            outer = known;
        }
        return known[entry];
    }

    private int[] outers() {
        int[] found = new int[count()];
        int innermost = -1;
        for (int entry = 0; entry < found.length; entry++) {
            KeyBytes key = key(entry);
            while (innermost >= 0 && !key.startsWith(key(innermost))) {
                innermost = found[innermost];
            }
            found[entry] = innermost;
            if (hasShard(entry)) {
                innermost = entry;
            }
        }
        return found;
    }

    public ShardValue value(int entry) {
        return new ShardValue(hasData(entry) ? data(entry) : null, hasShard(entry) ? ref(entry) : null);
    }

    /** Whether any entry links to a shard. */
    public boolean isLinked() {
        return refs != null;
    }

    /** A copy of the refs, if there are any. */
    @Nullable
    ShardRef @Nullable [] copyRefs() {
        return refs == null ? null : refs.clone();
    }

    /** Copies the refs of a range of entries. */
    void copyRefs(int from, int to, @Nullable ShardRef[] target, int at) {
        if (refs != null) {
            System.arraycopy(refs, from, target, at, to - from);
        }
    }
}
