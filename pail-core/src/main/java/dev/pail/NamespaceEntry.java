package dev.pail;

import dev.pail.ipld.Cid;
import dev.pail.keys.Name;
import java.util.Objects;

/**
 * An entry of a namespace.
 *
 * <pre>{@code
 * for (NamespaceEntry entry : pail.namespace("users").entries().toList()) {
 *     System.out.println(entry.key().text().orElseThrow() + " " + entry.value()); // ann bafkrei...
 * }
 * }</pre>
 *
 * @param key the application's key
 * @param value the CID that the key maps to
 */
public record NamespaceEntry(Name key, Cid value) {
    /** Neither may be null. */
    public NamespaceEntry {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
    }
}
