package dev.pail.unixfs;

import dev.pail.BlockException;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;

/**
 * A file or folder with an unreadable block: it is missing, corrupt or malformed, or beyond a limit of the reader. {@link #cid} names
 * the block, and the cause says why.
 *
 * <pre>{@code
 * try (InputStream in = UnixFs.open(blocks, value)) {
 *     in.transferTo(OutputStream.nullOutputStream());
 * } catch (DamagedFileException e) {
 *     System.err.println("readable up to byte " + e.offset() + "; then " + e.cid());
 * }
 * }</pre>
 */
public final class DamagedFileException extends BlockException {
    private static final long serialVersionUID = 1;

    private final long offset;

    private DamagedFileException(Cid cid, long offset, String message, Exception cause) {
        super(cid, message);
        this.offset = offset;
        initCause(cause);
    }

    /** A block of a file that cannot be read, and where in the file it begins. */
    static DamagedFileException ofFile(Cid cid, long offset, Exception cause) {
        return new DamagedFileException(
                cid, offset, "byte " + offset + " of the file cannot be read: " + reason(cid, cause), cause);
    }

    /** The refusal of a block of a file that breaks a rule. */
    static DamagedFileException ofFile(Cid cid, long offset, String rule) {
        return ofFile(cid, offset, new MalformedDataException(0, rule));
    }

    /** A node that cannot be read. */
    static DamagedFileException ofNode(Cid cid, Exception cause) {
        return new DamagedFileException(cid, 0, "the UnixFS node cannot be read: " + reason(cid, cause), cause);
    }

    private static String reason(Cid cid, Exception cause) {
        return cause instanceof MalformedDataException
                ? cid + ": " + cause.getMessage()
                : String.valueOf(cause.getMessage());
    }

    /** Returns the start of the block in the file, in bytes; 0 for folders and symbolic links. */
    public long offset() {
        return offset;
    }

    @Override
    public String code() {
        return "damaged-file";
    }

    @Override
    public Kind kind() {
        return Kind.DAMAGED;
    }
}
