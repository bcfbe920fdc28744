package dev.pail.repository.spi;

import dev.pail.StoreIOException;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.RepositoryException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Numbered records that are created and never changed, removed or renumbered: the least that a ref store needs (spec rules REF1 to
 * REF6). For authors of ref stores, for example over a table of a database or the objects of a bucket; {@link RecordRefs} makes a
 * {@link RefStore} from it. The contract:
 *
 * <ol>
 *   <li>{@code create} makes a record only if there is none of this name and number, as one atomic step among all processes.
 *   <li>After {@code create} returned, the record is durable, and each read in each process shows it.
 *   <li>If it is not known whether {@code create} has made the record, it throws {@link StoreIOException}. The caller then
 *       creates the same record again, with the same number and content.
 *   <li>The numbers of a name are 1, 2, 3 and so on, as the caller gives them.
 *   <li>All methods may be called by several threads at once.
 * </ol>
 *
 * <p>Neither side changes an array that it passed or received. Each method throws {@link StoreIOException} if the store fails.
 *
 * <pre>{@code
 * class OwnRecords implements RefRecords { // in maps; a database has a table with name and number as its key
 *     private final TreeMap<String, TreeMap<Long, byte[]>> all = new TreeMap<>();
 *     public synchronized Optional<Map.Entry<Long, byte[]>> newest(String name) {
 *         return Optional.ofNullable(all.get(name)).map(TreeMap::lastEntry);
 *     }
 *     public synchronized Optional<byte[]> read(String name, long number) {
 *         return Optional.ofNullable(all.get(name)).map(records -> records.get(number));
 *     }
 *     public synchronized boolean create(String name, long number, byte[] content) {
 *         return all.computeIfAbsent(name, any -> new TreeMap<>()).putIfAbsent(number, content) == null;
 *     }
 *     public synchronized List<String> names(String prefix) {
 *         return all.keySet().stream().filter(name -> name.startsWith(prefix)).toList();
 *     }
 * }
 * RefStore refs = new RecordRefs(new OwnRecords(), "my records", Clock.systemUTC());
 * }</pre>
 */
public interface RefRecords {
    /** The maximum size of a record, in bytes. A store need not read more. */
    int MAX_SIZE = 256 << 10;

    /** Returns the record of a name with the greatest number, with that number; empty if there is none. */
    Optional<Map.Entry<Long, byte[]>> newest(String name);

    /** The record of a name with a number. */
    Optional<byte[]> read(String name, long number);

    /**
     * Creates a record.
     *
     * @return false, if there is one of this name and number
     */
    boolean create(String name, long number, byte[] content);

    /** All names with records that begin with a prefix, in order. */
    List<String> names(String prefix);

    /**
     * Checks that no record was lost, as far as the store can tell. A collection asks before it removes a block, as a store without its
     * records would need none. By default, the store cannot tell.
     *
     * @throws dev.pail.repository.model.RepositoryException if records are missing
     */
    default void checkWhole() {}

    /**
     * Checks by a request of its own that the store does what {@code create} needs. By default, the store is trusted.
     *
     * @throws dev.pail.repository.model.RepositoryException if it does not
     */
    default void probe() {}

    /** Returns what the readers of the repository must understand: see {@link RefStore#needs}. */
    default Set<Need> needs() {
        return Set.of(Need.EVENTS);
    }

    /**
     * Allows described events: see {@link RefStore#describeEvents}.
     *
     * @throws dev.pail.repository.model.RepositoryException if the store cannot change its needs
     */
    default void describeEvents() {
        if (!needs().contains(Need.EVENTS)) {
            throw new RepositoryException(
                    RepositoryException.Reason.NOT_UNDERSTOOD,
                    "this repository cannot be changed to take described events",
                    "copy it into a new repository",
                    null);
        }
    }

    /** Returns the random id that the repository got when it was made; empty if the store keeps none. */
    default Optional<String> repositoryId() {
        return Optional.empty();
    }

    /** Whether {@link #atOnce} creates all records of an update, or none. By default false: then each exists when {@code create} returns. */
    default boolean hasTransactions() {
        return false;
    }

    /**
     * Runs an update. A store with transactions, which {@link #hasTransactions} says, creates all of its records at once at the end, or none; reads within the update already
     * see them. By default, each record exists when {@code create} returns.
     *
     * @param unknown makes the exception to throw if the store cannot find out whether it has created the records
     * @throws dev.pail.repository.model.RefChangedException if no record was created, and the caller should read again and try again
     * @throws StoreIOException if no record was created
     */
    default <T> T atOnce(Supplier<T> update, Function<StoreIOException, RuntimeException> unknown) {
        Objects.requireNonNull(update, "update");
        Objects.requireNonNull(unknown, "unknown");
        return update.get();
    }
}
