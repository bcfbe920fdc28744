package dev.pail.folder;

import com.google.errorprone.annotations.CheckReturnValue;
import java.util.Objects;

/**
 * The options of a {@link FolderImport}. Immutable; safe for use by several threads, if the keys and the listener are.
 *
 * <pre>{@code
 * FolderImportOptions options = FolderImportOptions.DEFAULT.withPrefix("www").withStrict();
 * FolderImport.Result result = FolderImport.of(value, options).into(repository, "main");
 * }</pre>
 *
 * @param prefix what keys begin with. One that is not empty ends with a slash
 * @param strict whether no key changes if an entry cannot be read; else all others are taken
 * @param keys the keys of entries
 * @param listener a listener to entries that are taken, and to those that cannot be read
 */
@CheckReturnValue
public record FolderImportOptions(String prefix, boolean strict, FolderKeys keys, FolderListener listener) {
    /** The default options: paths are keys, and entries that cannot be read are left out. */
    public static final FolderImportOptions DEFAULT =
            new FolderImportOptions("", false, FolderKeys.SAME, FolderListener.NONE);

    /** Appends the slash to the prefix. */
    public FolderImportOptions {
        prefix = FolderKeys.below(Objects.requireNonNull(prefix, "prefix"));
        Objects.requireNonNull(keys, "keys");
        Objects.requireNonNull(listener, "listener");
    }

    /** Returns these options with a prefix of keys. A slash is appended, unless it ends with one or is empty. */
    public FolderImportOptions withPrefix(String start) {
        return new FolderImportOptions(start, strict, keys, listener);
    }

    /** Returns these options for an import that changes no key if an entry cannot be read. */
    public FolderImportOptions withStrict() {
        return new FolderImportOptions(prefix, true, keys, listener);
    }

    /** Returns these options with other keys. */
    public FolderImportOptions withKeys(FolderKeys names) {
        return new FolderImportOptions(prefix, strict, names, listener);
    }

    /** Returns these options with a listener. */
    public FolderImportOptions withListener(FolderListener progress) {
        return new FolderImportOptions(prefix, strict, keys, progress);
    }
}
