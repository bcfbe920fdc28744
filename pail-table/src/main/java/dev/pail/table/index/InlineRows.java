package dev.pail.table.index;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.unsafe.UnsafeBlocks;
import org.jspecify.annotations.Nullable;

/** Rows whose documents are in the map: the value of such a row is a CID that has the bytes (Rule T21). */
public final class InlineRows {
    /** The most bytes of a document that a table can have in the map. */
    public static final int MAX = 256;

    private InlineRows() {}

    /**
     * The value of a row with a document.
     *
     * @param most how many bytes a document in the map can have; 0, if none is there
     */
    public static Cid value(Block document, int most) {
        return document.size() <= most
                ? Cid.ofIdentity(document.cid().codec(), UnsafeBlocks.bytes(document))
                : document.cid();
    }

    /** The document that a value has in itself; null, if its block is elsewhere. */
    public static @Nullable Block document(Cid value) {
        return value.hashFunction() == Cid.IDENTITY ? UnsafeBlocks.of(value.codec(), value.digest()) : null;
    }

    /** The document of a row, in the map or in a block store. */
    public static Block read(BlockStore blocks, Cid value) {
        Block here = document(value);
        return here == null ? blocks.require(value) : here;
    }
}
