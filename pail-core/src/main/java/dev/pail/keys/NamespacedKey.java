package dev.pail.keys;

import java.util.List;
import java.util.Objects;

/**
 * The namespace and the name in a key of a pail.
 *
 * <pre>{@code
 * KeyCodec codec = KeyCodec.separatedHex('!');
 * NamespacedKey read = codec.decode(pail.namespace("orders", "2026").key("7"));
 * System.out.println(read.path() + " " + read.key());
 * }</pre>
 *
 * @param path the names of the namespace, from the outermost; one or more
 * @param key the key within it
 */
public record NamespacedKey(List<Name> path, Name key) {
    /** @throws IllegalArgumentException if the path has no level */
    public NamespacedKey {
        Objects.requireNonNull(key, "key");
        path = List.copyOf(Objects.requireNonNull(path, "path"));
        if (path.isEmpty()) {
            throw new IllegalArgumentException("a namespace has one level or more");
        }
    }
}
