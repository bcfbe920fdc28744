package dev.pail;

import dev.pail.ipld.Cid;

/**
 * A block whose stored bytes do not match its CID. A store never returns such bytes and never deletes them.
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

    /** @param found the bytes that were found in place of the block, in words, and where */
    public CorruptBlockException(Cid cid, String found) {
        super(cid, "corrupt block: " + cid + ": " + found);
        this.found = found;
    }

    /** Says what was found in place of the block, and where. */
    public String found() {
        return found;
    }

    @Override
    public String code() {
        return "corrupt-block";
    }

    @Override
    public Kind kind() {
        return Kind.DAMAGED;
    }
}
