package dev.pail.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is read from an input that can be read only once, kept so that it can be gone through again: a change that has lost a
 * race against another is made again.
 */
final class Replayed<T> {
    private final Supplier<@Nullable T> source;
    private final List<T> read = new ArrayList<>();
    private int next;

    /** @param source gives what comes next, and null at the end */
    Replayed(Supplier<@Nullable T> source) {
        this.source = source;
    }

    /** Goes back to the beginning. */
    void restart() {
        next = 0;
    }

    /** What comes next, or null at the end. */
    @Nullable
    T next() {
        if (next == read.size()) {
            T item = source.get();
            if (item == null) {
                return null;
            }
            read.add(item);
        }
        return read.get(next++);
    }
}
