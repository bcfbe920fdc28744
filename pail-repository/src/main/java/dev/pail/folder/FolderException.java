package dev.pail.folder;

import dev.pail.Escapes;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A folder that cannot be put, restored, imported or exported. {@link #reason} says why. A put or an import has changed no key; of a
 * restore, the files that were written stay.
 *
 * <pre>{@code
 * try {
 *     FolderPut.of(Path.of("photos"), PutOptions.DEFAULT).into(repository, "main");
 * } catch (FolderException e) {
 *     System.err.println(e.getMessage());
 *     e.refused().forEach((name, rule) -> System.err.println(name + ": " + rule));
 * }
 * }</pre>
 */
public final class FolderException extends PailException {
    /** Why the folder was refused. */
    public enum Reason {
        /** A file is in the place of the folder. */
        NOT_A_FOLDER("io", Kind.INPUT_OUTPUT),
        /** A file or a folder cannot be read. */
        READ("io", Kind.INPUT_OUTPUT),
        /** A file was written while it was read. */
        CHANGED("io", Kind.INPUT_OUTPUT),
        /** A file cannot be written. */
        WRITE("io", Kind.INPUT_OUTPUT),
        /** Names of files cannot be keys. */
        NAMES("key-not-allowed", Kind.REFUSED),
        /** A mirror would remove more than half of the keys. */
        MIRROR("mirror-removes-most", Kind.STATE),
        /** Keys cannot be names of files. */
        KEYS("not-restored", Kind.REFUSED),
        /** Files with other bytes, or links with other targets, are in the place of files. */
        OCCUPIED("not-restored", Kind.STATE),
        /** Keys make no folder, as one is a file and a folder at once or no path; or the root of an import is no folder. */
        NO_FOLDER("no-folder", Kind.REFUSED),
        /** A value of an export, or an entry of a strict import, cannot be read. */
        DAMAGED("damaged-file", Kind.DAMAGED);

        private final String code;
        private final Kind kind;

        Reason(String code, Kind kind) {
            this.code = code;
            this.kind = kind;
        }
    }

    private final Reason reason;
    private final Map<String, String> refused;

    FolderException(Reason reason, String message) {
        this(reason, message, null);
    }

    FolderException(Reason reason, String message, @Nullable Throwable cause) {
        this(reason, message, Map.of(), cause);
    }

    /** @param refused in their order */
    FolderException(Reason reason, String message, Map<String, String> refused, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = Objects.requireNonNull(reason, "reason");
        this.refused = Collections.unmodifiableMap(new LinkedHashMap<>(refused));
    }

    /** A file that cannot be read. */
    static FolderException read(Path path, IOException cause) {
        String name = Escapes.printable(path.toString());
        String message = cause instanceof NoSuchFileException
                ? "no such file: " + name
                : cause instanceof AccessDeniedException
                        ? StoreIOException.reason(cause) + ": " + name
                        : "cannot read: " + name + ": " + StoreIOException.reason(cause);
        return new FolderException(Reason.READ, message, Map.of(), cause);
    }

    /** A file that cannot be read or written in the folder of a restore. */
    static FolderException write(Path path, IOException cause) {
        return new FolderException(
                Reason.WRITE,
                "cannot write: " + Escapes.printable(path.toString()) + ": " + StoreIOException.reason(cause),
                Map.of(),
                cause);
    }

    /** Returns the reason. */
    public Reason reason() {
        return reason;
    }

    /** All names that were refused, with a sentence that says why; empty for other reasons than names. */
    public Map<String, String> refused() {
        return refused;
    }

    @Override
    public String code() {
        return reason.code;
    }

    @Override
    public Kind kind() {
        return reason.kind;
    }
}
