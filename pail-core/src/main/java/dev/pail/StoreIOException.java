package dev.pail;

import org.jspecify.annotations.Nullable;

/** Reading or writing failed below a store. */
public sealed class StoreIOException extends PailException permits StoreDamagedException {
    private final String place;

    /**
     * @param what what could not be done
     * @param place the file or address
     * @param reason why not
     */
    @SuppressWarnings("exports")
    public StoreIOException(String what, String place, String reason, @Nullable Throwable cause) {
        super(what + ": " + place + ": " + reason, cause);
        this.place = place;
    }

    /** The file or address. */
    public String place() {
        return place;
    }
}
