package dev.pail.table;

import dev.pail.Entry;
import dev.pail.KeyRange;
import dev.pail.Pail;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The rows of the entries of a range, in their order. A flat map would make a stream of each entry. */
final class RowWalk implements Spliterator<Row>, Consumer<Entry> {
    private final Spliterator<Entry> entries;
    private final Function<Entry, @Nullable Row> row;
    private @Nullable Row next;

    private RowWalk(Spliterator<Entry> entries, Function<Entry, @Nullable Row> row) {
        this.entries = entries;
        this.row = row;
    }

    /** @param row gives the row of an entry, or null if the entry has none */
    static Stream<Row> of(Pail pail, KeyRange range, Function<Entry, @Nullable Row> row) {
        return StreamSupport.stream(new RowWalk(pail.entries(range).spliterator(), row), false);
    }

    @Override
    public void accept(Entry entry) {
        next = row.apply(entry);
    }

    @Override
    public boolean tryAdvance(Consumer<? super Row> action) {
        while (entries.tryAdvance(this)) {
            Row found = next;
            if (found != null) {
                next = null;
                action.accept(found);
                return true;
            }
        }
        return false;
    }

    @Override
    public @Nullable Spliterator<Row> trySplit() {
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
