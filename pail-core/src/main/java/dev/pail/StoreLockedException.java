package dev.pail;

/**
 * A store whose lock another writer holds. Nothing more was changed. An operation that takes the lock several times, such as pack or
 * unpack, may already have done part of its work.
 *
 * <pre>{@code
 * try {
 *     Updated next = repository.update("main", before -> before.put("title", value));
 * } catch (StoreLockedException e) {
 *     System.err.println(e.store() + " is held by " + e.holder()); // after ten seconds: try again later
 * }
 * }</pre>
 */
public final class StoreLockedException extends PailException {
    private final String store;
    private final String holder;

    /** @param holder the process that holds the lock, as far as it is known */
    public StoreLockedException(String store, String holder) {
        super("locked by " + holder + ": " + store);
        this.store = store;
        this.holder = holder;
    }

    /** The store, as its path or address. */
    public String store() {
        return store;
    }

    /** Returns the process that holds the lock, as far as it is known. */
    public String holder() {
        return holder;
    }

    @Override
    public String code() {
        return "store-locked";
    }

    @Override
    public Kind kind() {
        return Kind.BUSY;
    }
}
