package dev.pail.table;

import dev.pail.table.index.EscapedText;
import dev.pail.table.index.KeyText;

/**
 * The key of a reverse entry, which holds the indexed value of a field for a row: {@code R}, and behind separators label, field and row
 * id (spec rule B4).
 *
 * <pre>{@code
 * String key = new ReverseKey("people", "age", Bytes.of("ann")).toKey();
 * Optional<Cid> indexed = pail.get(key); // names the age that the index has for the row ann
 * }</pre>
 *
 * @param label the kind of the row: the name of its table
 * @param field the path of the indexed field
 * @param row the id of the row
 */
public record ReverseKey(String label, String field, Bytes row) {
    /** @throws TableException if a part has a separator or a lone surrogate */
    public ReverseKey {
        KeyText.check("label", label);
        KeyText.check("field", field);
        KeyParts.part("row id", row);
    }

    /** The key as bytes. */
    public byte[] toBytes() {
        return KeyParts.join(KeyText.REVERSE, Bytes.of(label), Bytes.of(field), row);
    }

    /**
     * Reads the byte form.
     *
     * @throws TableException if the bytes are no such key
     */
    public static ReverseKey fromBytes(byte[] bytes) {
        Bytes[] parts = KeyParts.split(KeyText.REVERSE, "reverse", "label, field and row id", 3, bytes);
        return new ReverseKey(
                KeyParts.text(bytes, "the label", parts[0]), KeyParts.text(bytes, "the field", parts[1]), parts[2]);
    }

    /** The key of a pail. */
    public String toKey() {
        return EscapedText.of(toBytes());
    }

    /**
     * Parses a key of a pail.
     *
     * @throws TableException if it is no such key
     */
    public static ReverseKey parse(String key) {
        return fromBytes(EscapedText.bytes(key, 0));
    }
}
