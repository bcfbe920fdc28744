package dev.pail.unixfs;

import dev.pail.BlockException;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;

/** A file cannot be read from some place on: a node or a chunk of it is missing, damaged or malformed. */
final class DamagedFileException extends BlockException {
    private static final long serialVersionUID = 1;

    private final long offset;

    DamagedFileException(Cid cid, long offset, Exception cause) {
        super(cid, "byte " + offset + " of the file cannot be read: " + cause.getMessage());
        this.offset = offset;
        initCause(cause);
    }

    /** The refusal of a block that breaks a rule in its place. */
    static DamagedFileException malformed(Cid cid, long offset, String rule) {
        return new DamagedFileException(cid, offset, new MalformedDataException(0, rule));
    }

    /** Where in the file the block begins that cannot be read, in bytes. */
    long offset() {
        return offset;
    }

    @Override
    public String code() {
        return "damaged-file";
    }
}
