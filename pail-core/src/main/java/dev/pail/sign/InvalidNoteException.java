package dev.pail.sign;

import dev.pail.PailException;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that are no signed note, that the owner of the key has not signed, or whose text is no signed head.
 *
 * <pre>{@code
 * VerifierKey ann = VerifierKey.parse(Files.readString(file.resolveSibling("ann.key.pub")).strip());
 * try {
 *     SignedHead signed = SignedHead.open(Files.readAllBytes(file), ann);
 * } catch (InvalidNoteException e) {
 *     System.err.println(e.reason()); // such as: no signature by example.com/ann+0a1b2c3d (SN6)
 * }
 * }</pre>
 */
public final class InvalidNoteException extends PailException {
    private final String reason;

    public InvalidNoteException(String reason) {
        this(reason, null);
    }

    public InvalidNoteException(String reason, @Nullable Throwable cause) {
        super("invalid signed note: " + reason, cause);
        this.reason = reason;
    }

    /** What is wrong, in a few words. */
    public String reason() {
        return reason;
    }

    @Override
    public String code() {
        return "invalid-note";
    }

    @Override
    public Kind kind() {
        return Kind.MALFORMED;
    }
}
