package dev.pail.keys;

/**
 * A property that a {@link KeyCodec} may have.
 *
 * <pre>{@code
 * boolean takesAll = KeyCodec.separatedHex('!').properties().contains(KeyProperty.ANY_BYTES); // true
 * boolean isOrdered = KeyCodec.lengthPrefixed().properties().contains(KeyProperty.NAMESPACE_ORDER); // false
 * }</pre>
 */
public enum KeyProperty {
    /** Namespaces and keys may be any bytes, however many. */
    ANY_BYTES,

    /** No two keys, of one namespace or of two, become one key of the pail. */
    COLLISION_FREE,

    /**
     * The keys of a namespace stay in their order: that of their bytes, unsigned; where a codec takes text alone, the
     * order that {@link String#compareTo} has for it. Rule N11.
     */
    KEY_ORDER,

    /**
     * Namespaces stay in the order of their names, level by level: where none of two is within the other, all keys of one
     * and of what is nested in it come before all of the other. Rule N12.
     */
    NAMESPACE_ORDER,

    /** Namespaces are nested, however deep, and what is nested in a namespace lies together. Rule N13. */
    LEVELS
}
