package dev.pail.clock;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.unsafe.UnsafeBlocks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The Merkle tree of RFC 6962 with SHA2-256 over the CIDs of events, the oldest first (spec rule DE10). It has the roots of the largest
 * perfect subtrees only, at most one for each bit of its size, so a leaf is appended without the leaves before it.
 *
 * <p>Immutable and safe for use by several threads.
 *
 * <pre>{@code
 * ReplicatedPail replica = ReplicatedPail.create(blocks, ShardFormat.v1()).put("a", value).put("b", value);
 * List<Cid> events = replica.clock().history(replica.head()); // two, the oldest first
 * HistoryTree tree = HistoryTree.of(events);
 * List<byte[]> path = HistoryTree.path(events, 1);
 * boolean isIn = HistoryTree.has(tree.root(), tree.size(), 1, events.get(1), path); // true
 * }</pre>
 */
@CheckReturnValue
public final class HistoryTree {
    /** The length of a hash, in bytes. */
    public static final int HASH = 32;

    private static final HistoryTree EMPTY = new HistoryTree(0, List.of());

    private final long size;

    /** The largest subtree first: one for each bit of the size that is set. */
    private final List<byte[]> subtrees;

    private HistoryTree(long size, List<byte[]> subtrees) {
        this.size = size;
        this.subtrees = subtrees;
    }

    /** Returns the tree without leaves. */
    public static HistoryTree empty() {
        return EMPTY;
    }

    /** Returns the tree over some events. */
    public static HistoryTree of(List<Cid> events) {
        HistoryTree tree = EMPTY;
        for (Cid event : events) {
            tree = tree.append(event);
        }
        return tree;
    }

    /**
     * The tree with these subtrees.
     *
     * @param subtrees as {@link #subtrees()} returns them
     * @throws IllegalArgumentException if no tree of this size has them
     */
    static HistoryTree of(long size, byte[] subtrees) {
        if (size < 0 || subtrees.length != Long.bitCount(size) * HASH) {
            throw new IllegalArgumentException("a tree of " + size + " events has not " + subtrees.length + " bytes");
        }
        List<byte[]> each = new ArrayList<>();
        for (int at = 0; at < subtrees.length; at += HASH) {
            each.add(Arrays.copyOfRange(subtrees, at, at + HASH));
        }
        return new HistoryTree(size, each);
    }

    /** The roots of the largest perfect subtrees, the largest first, one after the other. */
    byte[] subtrees() {
        byte[] all = new byte[subtrees.size() * HASH];
        for (int i = 0; i < subtrees.size(); i++) {
            System.arraycopy(subtrees.get(i), 0, all, i * HASH, HASH);
        }
        return all;
    }

    /** Returns the tree with one more event. */
    public HistoryTree append(Cid event) {
        return append(leaf(event.toBytes()));
    }

    HistoryTree append(byte[] leaf) {
        List<byte[]> next = new ArrayList<>(subtrees);
        byte[] last = leaf;
        for (long rest = size; (rest & 1) == 1; rest >>= 1) {
            last = node(next.remove(next.size() - 1), last);
        }
        next.add(last);
        return new HistoryTree(size + 1, next);
    }

    /** The number of leaves. */
    public long size() {
        return size;
    }

    /** The root: {@value #HASH} bytes, a new array. */
    public byte[] root() {
        if (size == 0) {
            return hash(new byte[0]);
        }
        byte[] root = subtrees.get(subtrees.size() - 1);
        for (int i = subtrees.size() - 2; i >= 0; i--) {
            root = node(subtrees.get(i), root);
        }
        return root.clone();
    }

    /**
     * Returns the path that shows that an event is in the tree over some events: the siblings on the way to the root, the lowest first.
     *
     * @param index of the event in the list
     * @throws IndexOutOfBoundsException if the list has no event there
     */
    public static List<byte[]> path(List<Cid> events, int index) {
        Objects.checkIndex(index, events.size());
        List<byte[]> path = new ArrayList<>();
        List<Cid> below = events;
        int at = index;
        // From the root down; turned around at the end.
        while (below.size() > 1) {
            int half = Integer.highestOneBit(below.size() - 1);
            List<Cid> left = below.subList(0, half);
            List<Cid> right = below.subList(half, below.size());
            path.add(0, of(at < half ? right : left).root());
            below = at < half ? left : right;
            at = at < half ? at : at - half;
        }
        return path;
    }

    /**
     * Returns whether an event is in the tree with a root. False for a path of another event, index or size.
     *
     * @param path as {@link #path} returns it, from any source
     */
    public static boolean has(byte[] root, long size, long index, Cid event, List<byte[]> path) {
        Objects.requireNonNull(root, "root");
        Objects.requireNonNull(path, "path");
        return has(root, size, index, leaf(event.toBytes()), path);
    }

    static boolean has(byte[] root, long size, long index, byte[] leaf, List<byte[]> path) {
        if (index < 0 || index >= size) {
            return false;
        }
        byte[] hash = leaf;
        long node = index;
        long last = size - 1;
        for (byte[] sibling : path) {
            if (last == 0) {
                return false;
            }
            if ((node & 1) == 1 || node == last) {
                hash = node(sibling, hash);
                // The last node of a level may have no sibling there: it goes up until it has one.
                while ((node & 1) == 0 && node != 0) {
                    node >>= 1;
                    last >>= 1;
                }
            } else {
                hash = node(hash, sibling);
            }
            node >>= 1;
            last >>= 1;
        }
        return last == 0 && Arrays.equals(hash, root);
    }

    static byte[] leaf(byte[] content) {
        byte[] bytes = new byte[1 + content.length];
        System.arraycopy(content, 0, bytes, 1, content.length);
        return hash(bytes);
    }

    private static byte[] node(byte[] left, byte[] right) {
        byte[] bytes = new byte[1 + left.length + right.length];
        bytes[0] = 1;
        System.arraycopy(left, 0, bytes, 1, left.length);
        System.arraycopy(right, 0, bytes, 1 + left.length, right.length);
        return hash(bytes);
    }

    private static byte[] hash(byte[] bytes) {
        Block block = UnsafeBlocks.of(Cid.RAW, bytes);
        return block.cid().digest();
    }

    /** The number of leaves. */
    @Override
    public String toString() {
        return "tree of " + size;
    }
}
