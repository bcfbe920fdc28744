package dev.pail.values;

/** A JSON value is no operation. The message says why. */
public final class MalformedOperationException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** With a sentence. */
    public MalformedOperationException(String message) {
        super(message);
    }

    /** The sentence. */
    public String text() {
        return String.valueOf(getMessage());
    }
}
