package dev.pail;

import dev.pail.ipld.Cid;

/**
 * Bytes that do not match the CID they stand under. They are never handed out, and never deleted.
 *
 * <pre>{@code
 * try {
 *     Block block = blocks.require(value);
 * } catch (CorruptBlockException e) {
 *     System.err.println("restore " + e.cid() + " from a copy: " + e.found());
 * }
 * }</pre>
 */
public final class CorruptBlockException extends BlockException {
    private final String found;

    /** @param found what was found in the place of the block, and where */
    public CorruptBlockException(Cid cid, String found) {
        super(cid, "corrupt block: " + cid + ": " + found);
        this.found = found;
    }

    /** What was found in its place, and where. */
    public String found() {
        return found;
    }

    @Override
    public String code() {
        return "corrupt-block";
    }
}
