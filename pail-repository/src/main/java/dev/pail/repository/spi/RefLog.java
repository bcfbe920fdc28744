package dev.pail.repository.spi;

import dev.pail.repository.model.LogEntry;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The updates of a branch, newest first, read one at a time. Close it, since it may hold a file or a connection open. For one thread
 * at a time.
 *
 * <pre>{@code
 * RefStore refs = repository.refs();
 * try (RefLog log = refs.log(refs.branch("main")); Stream<LogEntry> entries = log.stream()) {
 *     Optional<LogEntry> newest = entries.findFirst();
 * }
 * }</pre>
 */
public interface RefLog extends AutoCloseable {
    /**
     * Returns the next older entry, or null if there is none.
     *
     * @throws dev.pail.repository.model.RepositoryException if the entry is damaged
     */
    @Nullable
    @SuppressWarnings("exports")
    LogEntry next();

    @Override
    void close();

    /** Returns the remaining entries. Closing the stream closes this. */
    default Stream<LogEntry> stream() {
        Spliterator<LogEntry> entries =
                new Spliterators.AbstractSpliterator<>(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL) {
                    @Override
                    public boolean tryAdvance(Consumer<? super LogEntry> action) {
                        LogEntry entry = next();
                        if (entry != null) {
                            action.accept(entry);
                        }
                        return entry != null;
                    }
                };
        return StreamSupport.stream(entries, false).onClose(this::close);
    }
}
