package dev.pail.sql.calcite;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.calcite.linq4j.Enumerator;
import org.jspecify.annotations.Nullable;

/** Rows as they are asked for; ended by close, or by the flag with which a statement is cancelled. */
final class StreamRows<T extends @Nullable Object> implements Enumerator<T> {
    private final Stream<T> stream;
    private final Iterator<T> rows;
    private final @Nullable AtomicBoolean cancel;
    private @Nullable T current;
    private boolean isAtRow;

    StreamRows(Stream<T> stream, @Nullable AtomicBoolean cancel) {
        this.stream = stream;
        this.rows = stream.iterator();
        this.cancel = cancel;
    }

    @Override
    @SuppressWarnings("NullAway") // A row of one column may be null.
    public T current() {
        if (!isAtRow) {
            throw new NoSuchElementException("no row");
        }
        return current;
    }

    @Override
    public boolean moveNext() {
        isAtRow = (cancel == null || !cancel.get()) && rows.hasNext();
        current = isAtRow ? rows.next() : null;
        return isAtRow;
    }

    @Override
    public void reset() {
        throw new UnsupportedOperationException("rows are read once");
    }

    @Override
    public void close() {
        stream.close();
    }
}
