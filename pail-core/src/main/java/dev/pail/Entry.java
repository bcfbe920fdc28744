package dev.pail;

import dev.pail.ipld.Cid;
import java.util.Objects;

/**
 * A key with its value.
 *
 * <pre>{@code
 * try (Stream<Entry> entries = pail.entries()) {
 *     entries.forEach(entry -> System.out.println(entry.key() + " " + entry.value())); // in the order of keys
 * }
 * }</pre>
 *
 * @param key the whole key
 * @param value the CID that was put under the key
 */
public record Entry(String key, Cid value) {
    public Entry {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
    }
}
