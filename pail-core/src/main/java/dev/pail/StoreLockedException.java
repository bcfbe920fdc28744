package dev.pail;

/**
 * A store that another writer holds. Nothing more was changed. What takes the lock several times, as pack and unpack do, may already have
 * done part of its work.
 *
 * <pre>{@code
 * try {
 *     Pail next = repository.update("main", before -> before.put("title", value));
 * } catch (StoreLockedException e) {
 *     System.err.println(e.store() + " is held by " + e.holder()); // after ten seconds: try again later
 * }
 * }</pre>
 */
public final class StoreLockedException extends PailException {
    private final String store;
    private final String holder;

    /** @param holder who holds it, as far as that is known */
    public StoreLockedException(String store, String holder) {
        super("locked by " + holder + ": " + store);
        this.store = store;
        this.holder = holder;
    }

    /** The store, as its path or address. */
    public String store() {
        return store;
    }

    /** Who holds it, as far as that is known. */
    public String holder() {
        return holder;
    }

    @Override
    public String code() {
        return "store-locked";
    }
}
