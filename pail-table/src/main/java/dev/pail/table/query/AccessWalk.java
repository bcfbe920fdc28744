package dev.pail.table.query;

import dev.pail.table.index.IndexRange;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators.AbstractSpliterator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The rows of several accesses, one access after the other, and each row once. It is no flat map, because an iterator of one
 * holds all rows of an access at once. Which rows were seen is known here and not in a filter, because several threads may
 * apply a filter to the rows.
 */
public final class AccessWalk<R> extends AbstractSpliterator<R> {
    public static final int CHARACTERISTICS = Spliterator.NONNULL;

    private final Iterator<IndexRange> accesses;
    private final Function<IndexRange, Stream<R>> rows;
    private final Function<R, String> id;
    private final Set<String> seen = new HashSet<>();
    private Iterator<R> current = Collections.emptyIterator();

    /**
     * A walk over several accesses.
     *
     * @param rows those that one access gives
     * @param id the id of a row
     */
    public AccessWalk(List<IndexRange> accesses, Function<IndexRange, Stream<R>> rows, Function<R, String> id) {
        super(Long.MAX_VALUE, CHARACTERISTICS);
        this.accesses = accesses.iterator();
        this.rows = rows;
        this.id = id;
    }

    @Override
    public boolean tryAdvance(Consumer<? super R> action) {
        while (true) {
            while (current.hasNext()) {
                R row = current.next();
                if (seen.add(id.apply(row))) {
                    action.accept(row);
                    return true;
                }
            }
            if (!accesses.hasNext()) {
                return false;
            }
            current = rows.apply(accesses.next()).iterator();
        }
    }
}
