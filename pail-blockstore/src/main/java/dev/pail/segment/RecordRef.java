package dev.pail.segment;

import dev.pail.ipld.Cid;
import org.jspecify.annotations.Nullable;

/** A block that is kept, with what has to be known of it to keep another as what differs from it. */
final class RecordRef {
    final Cid cid;

    final Location location;

    /** See {@link RecordHeader.BlockContent}. */
    final int generation;

    /** See {@link RecordHeader.BlockContent}. */
    final @Nullable Location base;

    /** Of the block in bytes. */
    final int size;

    /** The base, from when the writer has asked for it. Guarded by the writer's lock, as is {@link #used}. */
    @Nullable
    RecordRef knownBase;

    /** The bytes, until it is written, and for as long as {@link WriteCache} holds them. */
    volatile @Nullable CachedBlock cached;

    /** Whether another was made of it, since that was asked last. */
    boolean used;

    RecordRef(Location location, RecordHeader.BlockContent content) {
        this.cid = content.cid();
        this.location = location;
        this.generation = content.generation();
        this.base = content.base();
        this.size = content.size();
    }

    /** Whether a CID names this block, perhaps another one than it was kept by. */
    @SuppressWarnings("ReferenceEquality") // As a rule it is the same: then its bytes need not be looked at.
    boolean isOf(Cid name) {
        return cid == name || RecordHeader.isSame(cid, name);
    }
}
