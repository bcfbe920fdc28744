package dev.pail;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A failed read or write below a store.
 *
 * <pre>{@code
 * try {
 *     Pail next = pail.put("title", value);
 * } catch (StoreIOException e) {
 *     System.err.println("look at " + e.place() + ": " + e.getMessage()); // such as: No space left on device
 * }
 * }</pre>
 */
public sealed class StoreIOException extends PailException permits StoreDamagedException {
    private final String place;
    private final @Nullable String hint;

    /**
     * @param what what could not be done
     * @param place the file or address
     * @param reason why not
     */
    public StoreIOException(String what, String place, String reason, @Nullable Throwable cause) {
        this(what, place, reason, null, cause);
    }

    /**
     * With a hint.
     *
     * @param what what could not be done
     * @param place the file or address
     * @param reason why not
     * @param hint what could be done about it, or null
     */
    public StoreIOException(
            String what, String place, String reason, @Nullable String hint, @Nullable Throwable cause) {
        super(what + ": " + place + ": " + reason, cause);
        this.place = place;
        this.hint = hint;
    }

    /**
     * Wraps an error of the operating system.
     *
     * @param what what could not be done
     * @param place the file or address
     */
    public StoreIOException(String what, String place, IOException cause) {
        this(what, place, reason(cause), cause);
    }

    /** The file or address. */
    public String place() {
        return place;
    }

    /** Describes an error of the operating system in a few words, without the name of the file. */
    public static String reason(IOException error) {
        if (error instanceof NoSuchFileException) {
            return "no such file or folder";
        }
        if (error instanceof FileAlreadyExistsException) {
            return "something of this name is there already";
        }
        if (error instanceof AccessDeniedException) {
            return "permission denied";
        }
        String reason = error instanceof FileSystemException system ? system.getReason() : error.getMessage();
        return reason == null ? error.getClass().getSimpleName() : reason;
    }

    @Override
    public Optional<String> hint() {
        return Optional.ofNullable(hint);
    }

    @Override
    public String code() {
        return "io";
    }

    @Override
    public Kind kind() {
        return Kind.INPUT_OUTPUT;
    }
}
