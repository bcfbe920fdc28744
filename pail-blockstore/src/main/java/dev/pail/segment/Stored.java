package dev.pail.segment;

import org.jspecify.annotations.Nullable;

/** A block that is kept, with what has to be known of it to keep another as what differs from it. */
final class Stored {
    final Location location;

    /** See {@link Head.Kept}. */
    final int generation;

    /** See {@link Head.Kept}. */
    final @Nullable Location base;

    /** Of the block in bytes. */
    final int size;

    /** The base, from when the writer has asked for it. For who holds the writer's lock, as {@link #used}. */
    @Nullable
    Stored knownBase;

    /** The bytes, until it is written, and for as long as {@link Recent} holds them. */
    volatile @Nullable Held held;

    /** Whether another was made of it, since that was asked last. */
    boolean used;

    Stored(Location location, Head.Kept kept) {
        this.location = location;
        this.generation = kept.generation();
        this.base = kept.base();
        this.size = kept.size();
    }
}
