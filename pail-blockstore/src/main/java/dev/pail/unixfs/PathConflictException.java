package dev.pail.unixfs;

import dev.pail.Escapes;
import dev.pail.PailException;

/**
 * Two paths that cannot be in one folder. One path is a file and the other is below it, or the folder must be sharded and two names have
 * the same hash of 64 bits. Such names are very unlikely by chance, but can be made.
 *
 * <pre>{@code
 * FolderWriter writer = new FolderWriter(blocks, blocks);
 * writer.add("a", value);
 * try {
 *     writer.add("a/b", value);
 * } catch (PathConflictException e) {
 *     System.err.println(e.path() + " and " + e.other());
 * }
 * }</pre>
 */
public final class PathConflictException extends PailException {
    private static final long serialVersionUID = 1;

    private final String path;
    private final String other;

    private PathConflictException(String path, String other, String message) {
        super(message);
        this.path = path;
        this.other = other;
    }

    static PathConflictException below(String file, String below) {
        return new PathConflictException(
                file,
                below,
                Escapes.brief(file) + " is a file, so " + Escapes.brief(below) + " cannot be below it in a folder");
    }

    static PathConflictException sameHash(String one, String other) {
        return new PathConflictException(
                one,
                other,
                Escapes.brief(one) + " and " + Escapes.brief(other)
                        + " cannot be in one sharded folder, because their names have the same hash");
    }

    /** The path of the file, or of one of two names with the same hash. */
    public String path() {
        return path;
    }

    /** The path that is below the file, or that of the other name. */
    public String other() {
        return other;
    }

    @Override
    public String code() {
        return "path-conflict";
    }

    @Override
    public Kind kind() {
        return Kind.MALFORMED;
    }
}
