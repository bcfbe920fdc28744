package dev.pail.table.query;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.Entry;
import dev.pail.KeyNotAllowedException;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the entries of a range, in their order. A flat map would make a stream of each entry. Over a store that is not near, the walk
 * reads some entries ahead, first one, then more: when the document of one of these rows is needed, the store fetches those of the rest
 * together with it. So it does with the shards that have the rows of an index.
 */
public final class RowWalk<R> implements Spliterator<R>, Consumer<Entry> {
    /** The most rows that are read ahead: their documents are in memory together. */
    private static final int MOST_AHEAD = 32;

    /** How many times as many are read ahead each time. */
    private static final int GROWTH = 4;

    /** Of the documents that are fetched together, in bytes. More than that, and the next time it is fewer documents. */
    private static final long ENOUGH = 1 << 20;

    private final Spliterator<Entry> entries;
    private final BiFunction<Entry, @Nullable Ahead, @Nullable R> row;
    private final Pail pail;
    private final BlockStore blocks;

    /** Where the row of an entry of an index is; null if the entries are those of rows. */
    private final @Nullable Function<Entry, @Nullable Entry> place;

    /** Those read ahead, and the first of them that is not handed over. */
    private final List<R> rows = new ArrayList<>();

    private int next;

    /** How many are read ahead at most: at first one. */
    private int most;

    /** Null over a store that is near. */
    private @Nullable Ahead ahead;

    /** What reading ahead has failed with, behind the last row. */
    private @Nullable RuntimeException failure;

    private RowWalk(
            Pail pail,
            KeyRange range,
            @Nullable Function<Entry, @Nullable Entry> place,
            BiFunction<Entry, @Nullable Ahead, @Nullable R> row) {
        this.pail = pail;
        this.entries = pail.entries(range).spliterator();
        this.place = place;
        this.row = row;
        this.blocks = pail.blocks();
        this.ahead = blocks.isNear() ? null : new Ahead(blocks);
    }

    /**
     * The rows of a range.
     *
     * @param row gives the row of an entry whose value is its document, or null if the entry has none
     */
    public static <R> Stream<R> of(Pail pail, KeyRange range, BiFunction<Entry, @Nullable Ahead, @Nullable R> row) {
        return StreamSupport.stream(new RowWalk<>(pail, range, null, row), false);
    }

    /**
     * The rows of a range of an index. An entry counts if the pail has its row with the same document.
     *
     * @param place gives the entry of the row, or null if there is none
     * @param row gives the row of its entry
     */
    public static <R> Stream<R> ofIndex(
            Pail pail,
            KeyRange range,
            Function<Entry, @Nullable Entry> place,
            BiFunction<Entry, @Nullable Ahead, @Nullable R> row) {
        return StreamSupport.stream(new RowWalk<>(pail, range, place, row), false);
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
            if (wanted != null && document.hashFunction() != Cid.IDENTITY) {
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
            if (ahead != null) {
                ahead.add(entry.value());
            }
        }
    }

    /** Takes the rows of the next entries. Returns whether there were any. */
    private boolean advance(int count, Function<Entry, @Nullable Entry> places) {
        List<Entry> some = new ArrayList<>();
        boolean isAny = false;
        try {
            while (some.size() < count
                    && entries.tryAdvance(entry -> {
                        Entry found = places.apply(entry);
                        if (found != null) {
                            some.add(found);
                        }
                    })) {
                isAny = true;
            }
        } catch (RuntimeException e) {
            take(some);
            throw e;
        }
        take(some);
        return isAny;
    }

    private void take(List<Entry> some) {
        Map<String, Cid> there = together(some);
        for (Entry each : some) {
            Cid cid = there == null ? pail.get(each.key()).orElse(null) : there.get(each.key());
            if (cid != null && cid.equals(each.value())) {
                accept(each);
            }
        }
    }

    /** What the pail has under the keys of some entries; null if it cannot be read, so that each failure is that of its own row. */
    private @Nullable Map<String, Cid> together(List<Entry> some) {
        try {
            return pail.getAll(some.stream().map(Entry::key).toList());
        } catch (BlockException | KeyNotAllowedException e) {
            return null;
        }
    }

    @Override
    public boolean tryAdvance(Consumer<? super R> action) {
        Ahead last = ahead;
        if (next == rows.size() && !(last == null ? readOne() : readAhead(last))) {
            return false;
        }
        action.accept(rows.get(next++));
        return true;
    }

    /** Takes the next row, without those behind it. */
    private boolean readOne() {
        rows.clear();
        next = 0;
        Consumer<Entry> taking = place == null ? this : this::acceptPlaced;
        while (rows.isEmpty()) {
            if (!entries.tryAdvance(taking)) {
                return false;
            }
        }
        return true;
    }

    private void acceptPlaced(Entry entry) {
        Entry found = Objects.requireNonNull(place).apply(entry);
        if (found != null && pail.get(found.key()).filter(found.value()::equals).isPresent()) {
            accept(found);
        }
    }

    /** Returns whether there are more rows. */
    private boolean readAhead(Ahead last) {
        RuntimeException failed = failure;
        if (failed != null) {
            throw failed;
        }
        most = last.isLarge() ? Math.max(1, most / 4) : Math.min(MOST_AHEAD, Math.max(1, GROWTH * most));
        last.close();
        ahead = new Ahead(blocks);
        rows.clear();
        next = 0;
        try {
            Function<Entry, @Nullable Entry> places = place;
            while (rows.size() < most
                    && (places == null ? entries.tryAdvance(this) : advance(most - rows.size(), places))) {
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
