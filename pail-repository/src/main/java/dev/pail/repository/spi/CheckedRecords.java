package dev.pail.repository.spi;

import dev.pail.Escapes;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.model.RefChangedException;
import dev.pail.repository.model.RepositoryException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The records of a {@link RecordRefs}, checked: a reader gets no record that is older than one read before, or that is bound to another
 * name or number; a writer learns whether its record was created. Reads no meaning into them. Safe for use by several threads.
 */
final class CheckedRecords {
    /** How often a record is created whose outcome stays unknown. */
    private static final int TRIES = 3;

    private final RefRecords records;
    private final String location;

    /** The greatest number of each name that was read. */
    private final Map<String, Long> seen = new ConcurrentHashMap<>();

    /**
     * The update under way, in a store whose writers exclude each other.
     *
     * @param seen the numbers that were read before it. Its own reads may show the state at its start, while other threads read newer
     *     records
     */
    private record Running(Thread owner, Map<String, Long> seen) {}

    private volatile @Nullable Running running;

    private volatile boolean closed;

    CheckedRecords(RefRecords records, String location) {
        this.records = records;
        this.location = location;
    }

    /** The records themselves. */
    RefRecords open() {
        checkOpen();
        return records;
    }

    String location() {
        return location;
    }

    /** Notes that this thread begins an update that excludes all others, until {@link #endUpdate}. */
    void beginUpdate() {
        running = new Running(Thread.currentThread(), Map.copyOf(seen));
    }

    void endUpdate() {
        running = null;
    }

    /** Whether an exclusive update of this thread is under way. */
    boolean isInUpdate() {
        return own() != null;
    }

    private @Nullable Running own() {
        Running now = running;
        return now != null && Thread.currentThread().equals(now.owner) ? now : null;
    }

    /** The names with this prefix, without it. */
    List<String> names(String prefix) {
        return open().names(prefix).stream()
                .map(name -> name.substring(prefix.length()))
                .toList();
    }

    /** What the newest record of a name says. */
    <T> Optional<T> newest(String name, Function<byte[], T> reader) {
        return newest(name).map(found -> read(name, found.getKey(), found.getValue(), reader));
    }

    /** The newest record of a name, which is not older than one that this has seen. (REF7). */
    Optional<Map.Entry<Long, byte[]>> newest(String name) {
        Running own = own();
        long before = (own == null ? seen : own.seen).getOrDefault(name, 0L);
        Optional<Map.Entry<Long, byte[]>> found = open().newest(name);
        long number = found.map(Map.Entry::getKey).orElse(0L);
        if (number < before) {
            throw RepositoryException.damaged(
                    "the repository went back: record " + before + " of " + Escapes.brief(name)
                            + ", which this process knows, is gone: " + location,
                    "end this program; if the store was restored, open the repository again",
                    null);
        }
        // An update may not happen, so what it has made does not count.
        if (number > before && own == null) {
            seen.merge(name, number, Math::max);
        }
        return found;
    }

    /** What a record says that must be there. */
    <T> T read(String name, long number, Function<byte[], T> reader) {
        byte[] content = open().read(name, number).orElseThrow(() -> damaged(name, number, "it is missing", null));
        return read(name, number, content, reader);
    }

    /** What a record says. */
    <T> T read(String name, long number, byte[] content, Function<byte[], T> reader) {
        try {
            RefRecord.checkBound(content, name, number);
            return reader.apply(content);
        } catch (MalformedDataException e) {
            throw damaged(name, number, String.valueOf(e.getMessage()), e);
        }
    }

    private RepositoryException damaged(String name, long number, String reason, @Nullable PailException cause) {
        return RepositoryException.damaged(
                "damaged record " + number + " of " + Escapes.brief(name) + ": " + location + ": " + reason,
                "restore the record from a copy",
                cause);
    }

    /**
     * Creates a record. Rule REF5.
     *
     * @throws RefChangedException if another writer has created the one of this number
     * @throws StoreIOException if that stays unknown
     */
    void create(String ref, String name, long number, byte[] unbound) {
        byte[] content = RefRecord.bound(unbound, name, number);
        @Nullable StoreIOException unknown = null;
        for (int tries = 0; tries < TRIES; tries++) {
            try {
                // A record of this number may be this one: from an attempt before, or one that the store has made by
                // itself.
                if (open().create(name, number, content)
                        || open().read(name, number)
                                .filter(found -> Arrays.equals(found, content))
                                .isPresent()) {
                    return;
                }
                throw new RefChangedException(ref, "record " + number);
            } catch (StoreIOException e) {
                unknown = e;
            }
        }
        throw Objects.requireNonNull(unknown);
    }

    /** The number behind the greatest one of a name. Rule REF1. */
    long nextNumber(String name) {
        return open().newest(name).map(Map.Entry::getKey).orElse(0L) + 1;
    }

    void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the refs are closed: " + location);
        }
    }

    void close() {
        closed = true;
    }
}
