package dev.pail;

import dev.pail.ipld.Cid;

/**
 * A block that was erased from its repository for good. It is neither missing nor corrupt: the repository has a mark that says so, and
 * takes the block in no more while it has the mark.
 *
 * <pre>{@code
 * try {
 *     Block block = repository.blocks().require(value);
 * } catch (ErasedBlockException e) {
 *     System.err.println("erased on purpose: " + e.cid());
 * }
 * }</pre>
 */
public final class ErasedBlockException extends BlockException {
    private final Use use;

    /** What a caller wanted with the block. */
    public enum Use {
        /** To read it. */
        READ,
        /** To put it again. */
        PUT
    }

    private ErasedBlockException(Cid cid, String message, Use use) {
        super(cid, message);
        this.use = use;
    }

    /** Makes the exception for a block that is read. */
    public ErasedBlockException(Cid cid) {
        this(cid, "erased block: " + cid, Use.READ);
    }

    /** Makes the exception for a block that is put again. */
    public static ErasedBlockException ofPut(Cid cid) {
        return new ErasedBlockException(cid, "the repository takes no block that was erased from it: " + cid, Use.PUT);
    }

    /** Returns what the caller wanted with the block. */
    public Use use() {
        return use;
    }

    @Override
    public String code() {
        return "erased-block";
    }

    @Override
    public Kind kind() {
        return use == Use.PUT ? Kind.STATE : Kind.MISSING;
    }
}
