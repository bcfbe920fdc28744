package dev.pail.segment.format;

import dev.pail.ipld.Cid;
import org.jspecify.annotations.Nullable;

/** The record of a block: where it is, what its header says, and what the writer has in memory of the block. */
public final class RecordRef {
    private final Cid cid;
    private final Location location;
    private final int generation;
    private final @Nullable Location base;
    private final int size;

    /** Guarded by the writer's lock. */
    private @Nullable RecordRef knownBase;

    /** Written under the writer's lock; readers take no lock. */
    private volatile @Nullable CachedBlock cached;

    /** Guarded by the writer's lock. */
    private boolean used;

    public RecordRef(Location location, RecordHeader.BlockContent content) {
        this.cid = content.cid();
        this.location = location;
        this.generation = content.generation();
        this.base = content.base();
        this.size = content.size();
    }

    Cid cid() {
        return cid;
    }

    public Location location() {
        return location;
    }

    /** See {@link RecordHeader.BlockContent}. */
    public int generation() {
        return generation;
    }

    /** See {@link RecordHeader.BlockContent}. */
    @Nullable
    public Location base() {
        return base;
    }

    /** The size of the block in bytes. */
    public int size() {
        return size;
    }

    /** Whether a CID names this block: CIDs with the same multihash do. */
    @SuppressWarnings("ReferenceEquality") // Mostly it is the same object, and its bytes need not be compared.
    boolean isOf(Cid name) {
        return cid == name || RecordHeader.isSame(cid, name);
    }

    /** The record at {@link #base}, if the writer has looked it up before. */
    @Nullable
    public RecordRef knownBase() {
        return knownBase;
    }

    public void setKnownBase(@Nullable RecordRef found) {
        knownBase = found;
    }

    /** The bytes of the block, until it is written, and then for as long as the cache of the writer has them. */
    @Nullable
    public CachedBlock cached() {
        return cached;
    }

    public void cache(CachedBlock bytes) {
        cached = bytes;
    }

    public void uncache() {
        cached = null;
    }

    /** Notes that a delta to this block was made. */
    public void use() {
        used = true;
    }

    /** Whether {@link #use} was called since this method was called last. */
    public boolean takeUse() {
        boolean was = used;
        used = false;
        return was;
    }
}
