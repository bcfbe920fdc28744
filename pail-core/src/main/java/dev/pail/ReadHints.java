package dev.pail;

import dev.pail.ipld.Cid;

/**
 * A block store that takes hints about the reads to come. If it is far away, it fetches the shards of several levels together. Reads return
 * the same with and without hints.
 *
 * <pre>{@code
 * record Logging(BlockStore store, List<KeyRange> ranges) implements ReadHints {
 *     public void willRead(Cid root, KeyRange range) { ranges.add(range); }
 *     public void willCompare(Cid before, Cid after, KeyRange range) { ranges.add(range); }
 *     public Optional<Block> get(Cid cid) { return store.get(cid); }
 *     public void putAll(Collection<Block> blocks) { store.putAll(blocks); }
 *     public boolean has(Cid cid) { return store.has(cid); }
 *     public void close() { store.close(); }
 * }
 * Pail logged = pail.in(new Logging(pail.blocks(), new ArrayList<>()));
 * }</pre>
 */
public interface ReadHints extends BlockStore {
    /** Whether it has any use for hints. A pail asks once, when it is created or opened. By default true. */
    default boolean takesReadHints() {
        return true;
    }

    /**
     * Says that a reader begins to read the entries of a range, in its direction. Some of their shards may be cached. Called for each get,
     * so it must be fast. It must not throw.
     *
     * @param root of the version that is read
     */
    void willRead(Cid root, KeyRange range);

    /** Says that a reader begins to compare the keys of a range of two versions. It must not throw. */
    void willCompare(Cid before, Cid after, KeyRange range);
}
