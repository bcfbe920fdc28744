package dev.pail.folder;

import dev.pail.Pail;
import java.util.Objects;
import java.util.Optional;

/**
 * The keys of the files of a folder. By default, the key of a file is its name below the folder behind the prefix. An implementation can
 * put files into a namespace, and keep keys free.
 *
 * <pre>{@code
 * FolderKeys keys = (pail, name) -> pail.namespace("users").key(name);
 * FolderPut.of(folder, PutOptions.DEFAULT.withKeys(keys)).into(repository, "main");
 * }</pre>
 *
 * <p>Only the thread that puts calls it.
 */
@FunctionalInterface
public interface FolderKeys {
    /** Takes each name as the key. */
    FolderKeys SAME = (pail, name) -> name;

    /**
     * Returns the key of a file, or what the keys of files begin with.
     *
     * @param name the prefix and the name of the file below the folder, with slashes; or the prefix alone
     */
    String key(Pail pail, String name);

    /** Returns why a key that the format of the pail allows is not to be used, as a sentence; empty if it may be. */
    default Optional<String> refusal(Pail pail, String key) {
        Objects.requireNonNull(pail, "pail");
        Objects.requireNonNull(key, "key");
        return Optional.empty();
    }

    /** Returns the prefix of keys below a folder: it ends with a slash, unless it is empty. */
    static String below(String folder) {
        return folder.isEmpty() || folder.endsWith("/") ? folder : folder + '/';
    }
}
