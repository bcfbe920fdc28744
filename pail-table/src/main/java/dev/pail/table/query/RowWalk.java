package dev.pail.table.query;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.Entry;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Spliterator;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the entries of a range, in their order. A flat map would make a stream of each entry. The walk reads some entries ahead, first
 * one, then more: when the document of one of these rows is needed, a remote store fetches those of the rest together with it.
 */
public final class RowWalk<R> implements Spliterator<R>, Consumer<Entry> {
    /** The most rows that are read ahead: their documents are in memory together. */
    private static final int MOST_AHEAD = 32;

    /** Of the documents that are fetched together, in bytes. More than that, and the next time it is fewer documents. */
    private static final long ENOUGH = 1 << 20;

    private final Spliterator<Entry> entries;
    private final BiFunction<Entry, Ahead, @Nullable R> row;
    private final BlockStore blocks;

    /** Those read ahead, and the first of them that is not handed over. */
    private final List<R> rows = new ArrayList<>();

    private int next;

    /** How many are read ahead at most: at first one. */
    private int most;

    private Ahead ahead;

    /** What reading ahead has failed with, behind the last row. */
    private @Nullable RuntimeException failure;

    private RowWalk(Spliterator<Entry> entries, BiFunction<Entry, Ahead, @Nullable R> row, BlockStore blocks) {
        this.entries = entries;
        this.row = row;
        this.blocks = blocks;
        this.ahead = new Ahead(blocks);
    }

    /**
     * The rows of a range.
     *
     * @param row gives the row of an entry whose value is its document, or null if the entry has none
     */
    public static <R> Stream<R> of(Pail pail, KeyRange range, BiFunction<Entry, Ahead, @Nullable R> row) {
        return StreamSupport.stream(new RowWalk<>(pail.entries(range).spliterator(), row, pail.blocks()), false);
    }

    /** The documents of rows that were read ahead. Thread-safe, as rows are. */
    public static final class Ahead {
        private final BlockStore blocks;
        private @Nullable List<Cid> wanted = new ArrayList<>();
        private Map<Cid, Block> fetched = Map.of();
        private long bytes;

        public Ahead(BlockStore blocks) {
            this.blocks = blocks;
        }

        /** Takes the block of a document out. If it is not there, it is read alone: so each failure is that of its own row. */
        public synchronized @Nullable Block take(Cid cid) {
            List<Cid> some = wanted;
            wanted = null;
            if (some != null && some.size() > 1) {
                try {
                    fetched = new HashMap<>(blocks.getAll(some.subList(some.indexOf(cid), some.size())));
                    fetched.values().forEach(block -> bytes += block.size());
                } catch (BlockException e) {
                    fetched = Map.of();
                }
            }
            Block block = fetched.isEmpty() ? null : fetched.remove(cid);
            return block != null && block.cid().equals(cid) ? block : null;
        }

        /** Whether the documents are so large that fewer should be fetched together. */
        private synchronized boolean isLarge() {
            return bytes > ENOUGH;
        }

        private synchronized void add(Cid document) {
            if (wanted != null) {
                wanted.add(document);
            }
        }

        /** Lets go of what is left: rows that are kept must not keep documents. */
        private synchronized void close() {
            wanted = null;
            fetched = Map.of();
        }
    }

    @Override
    public void accept(Entry entry) {
        R found = row.apply(entry, ahead);
        if (found != null) {
            rows.add(found);
            ahead.add(entry.value());
        }
    }

    @Override
    public boolean tryAdvance(Consumer<? super R> action) {
        if (next == rows.size() && !readAhead()) {
            return false;
        }
        action.accept(rows.get(next++));
        return true;
    }

    /** Returns whether there are more rows. */
    private boolean readAhead() {
        RuntimeException failed = failure;
        if (failed != null) {
            throw failed;
        }
        most = ahead.isLarge() ? Math.max(1, most / 4) : Math.min(MOST_AHEAD, Math.max(1, 2 * most));
        ahead.close();
        ahead = new Ahead(blocks);
        rows.clear();
        next = 0;
        try {
            while (rows.size() < most && entries.tryAdvance(this)) {
                // The entry is taken in.
            }
        } catch (RuntimeException e) {
            failure = e;
            if (rows.isEmpty()) {
                throw e;
            }
        }
        return !rows.isEmpty();
    }

    @Override
    public @Nullable Spliterator<R> trySplit() {
        return null;
    }

    @Override
    public long estimateSize() {
        return Long.MAX_VALUE;
    }

    @Override
    public int characteristics() {
        return ORDERED | NONNULL;
    }
}
