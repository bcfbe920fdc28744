package dev.pail;

import org.jspecify.annotations.Nullable;

/**
 * A damaged part of a store prevented an operation. Nothing more was changed.
 *
 * <pre>{@code
 * try (SegmentBlockStore store = SegmentBlockStore.open(folder)) {
 *     store.forEach(System.out::println);
 * } catch (StoreDamagedException e) {
 *     System.err.println("restore " + e.place() + " from a copy: " + e.getMessage());
 * }
 * }</pre>
 */
public final class StoreDamagedException extends StoreIOException {
    /**
     * @param what the operation that failed, for the message
     * @param place the store, as its path or address
     * @param damage what is damaged, and where
     */
    public StoreDamagedException(String what, String place, String damage, @Nullable Throwable cause) {
        super(what, place, damage, cause);
    }

    @Override
    public String code() {
        return "damaged-store";
    }

    @Override
    public Kind kind() {
        return Kind.DAMAGED;
    }
}
