package dev.pail.folder;

import com.google.errorprone.annotations.CheckReturnValue;
import java.util.List;
import java.util.Objects;

/**
 * The options of a {@link FolderPut}. Immutable; safe for use by several threads, if the keys and the listener are.
 *
 * <pre>{@code
 * PutOptions options = PutOptions.DEFAULT.withPrefix("photos")
 *         .withExcluded(List.of("*.tmp", "cache/"))
 *         .withMirror(PutOptions.Mirror.AT_MOST_HALF);
 * FolderPut.Result preview = FolderPut.of(folder, options.withDryRun()).into(repository, "main");
 * }</pre>
 *
 * @param prefix what keys begin with. One that is not empty ends with a slash
 * @param excluded patterns of files and folders to leave out, as lines of a {@code .pailignore}. They count more than those of files
 * @param mirror what to do with keys that begin with the prefix and have no file
 * @param preserve whether permissions and mtimes are kept, in the root block of each file. Other permissions or times make another CID
 * @param dryRun whether nothing is written, and only counted what would change
 * @param keys the keys of files
 * @param listener a listener to the progress
 */
@CheckReturnValue
public record PutOptions(
        String prefix,
        List<String> excluded,
        Mirror mirror,
        boolean preserve,
        boolean dryRun,
        FolderKeys keys,
        FolderListener listener) {
    /** What to do with keys that have no file. */
    public enum Mirror {
        /** They stay. */
        NOTHING,
        /** They are removed, unless that would be more than half of the keys with the prefix. */
        AT_MOST_HALF,
        /** They are removed. */
        ALL
    }

    /** The default options: all files, with their names as keys. */
    public static final PutOptions DEFAULT =
            new PutOptions("", List.of(), Mirror.NOTHING, false, false, FolderKeys.SAME, FolderListener.NONE);

    /**
     * Appends the slash to the prefix.
     *
     * @throws IllegalArgumentException if a mirror has no prefix: it would remove all other keys
     */
    public PutOptions {
        prefix = FolderKeys.below(Objects.requireNonNull(prefix, "prefix"));
        excluded = List.copyOf(Objects.requireNonNull(excluded, "excluded"));
        Objects.requireNonNull(mirror, "mirror");
        Objects.requireNonNull(keys, "keys");
        Objects.requireNonNull(listener, "listener");
        if (mirror != Mirror.NOTHING && prefix.isEmpty()) {
            throw new IllegalArgumentException("a mirror needs a prefix");
        }
    }

    /** Returns these options with a prefix of keys. A slash is appended, unless it ends with one or is empty. */
    public PutOptions withPrefix(String start) {
        return new PutOptions(start, excluded, mirror, preserve, dryRun, keys, listener);
    }

    /** Returns these options with patterns of files and folders to leave out. */
    public PutOptions withExcluded(List<String> patterns) {
        return new PutOptions(prefix, patterns, mirror, preserve, dryRun, keys, listener);
    }

    /**
     * Returns these options with another treatment of keys that have no file.
     *
     * @throws IllegalArgumentException if keys would be removed, and there is no prefix
     */
    public PutOptions withMirror(Mirror treatment) {
        return new PutOptions(prefix, excluded, treatment, preserve, dryRun, keys, listener);
    }

    /** Returns these options with permissions and mtimes kept. */
    public PutOptions withPreserve() {
        return new PutOptions(prefix, excluded, mirror, true, dryRun, keys, listener);
    }

    /** Returns these options for a put that writes nothing. */
    public PutOptions withDryRun() {
        return new PutOptions(prefix, excluded, mirror, preserve, true, keys, listener);
    }

    /** Returns these options with other keys. */
    public PutOptions withKeys(FolderKeys names) {
        return new PutOptions(prefix, excluded, mirror, preserve, dryRun, names, listener);
    }

    /** Returns these options with a listener to the progress. */
    public PutOptions withListener(FolderListener progress) {
        return new PutOptions(prefix, excluded, mirror, preserve, dryRun, keys, progress);
    }
}
