package dev.pail;

import org.jspecify.annotations.Nullable;

/** Reading or writing failed below a store. */
public final class StoreIOException extends PailException {
    private final String place;

    /**
     * @param what what could not be done
     * @param place the file or address
     */
    public StoreIOException(String what, String place, @Nullable Throwable cause) {
        super(what + ": " + place + (cause == null ? "" : ": " + reason(cause)), cause);
        this.place = place;
    }

    private static String reason(Throwable cause) {
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }

    /** The file or address. */
    public String place() {
        return place;
    }
}
