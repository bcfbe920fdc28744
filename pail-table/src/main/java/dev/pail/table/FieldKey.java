package dev.pail.table;

import dev.pail.table.index.EscapedText;
import dev.pail.table.index.KeyText;
import dev.pail.table.index.OrderedValue;
import java.util.Arrays;
import java.util.Objects;

/**
 * The key of an index entry: {@code F}, and behind separators field, label, value and row id (Rule B4). The byte form has the
 * value as JSON. The key of a pail has the value in its ordered form instead.
 *
 * <pre>{@code
 * FieldKey key = new FieldKey("age", "people", Scalar.of(30), Bytes.of("ann"));
 * Optional<Cid> entry = pail.get(key.toKey()); // the entry of the index, if the row has this age
 * FieldKey same = FieldKey.parse(key.toKey());
 * }</pre>
 *
 * @param field the path of the indexed field
 * @param label the kind of the row: the name of its table
 * @param value the field's value
 * @param row the id of the row
 */
public record FieldKey(String field, String label, Scalar value, Bytes row) {
    /** The unit separator, which stands between the parts of a key and in none of them. */
    public static final byte SEPARATOR = KeyText.SEPARATOR;

    /** @throws TableException if a part has a separator or a lone surrogate, or the value is not indexable */
    public FieldKey {
        KeyText.check("field", field);
        KeyText.check("label", label);
        KeyParts.part("row id", row);
        Objects.requireNonNull(value, "value");
        if (!OrderedValue.isIndexable(value.value)) {
            throw new TableException(
                    TableException.Reason.NOT_INDEXABLE,
                    "an index does not take " + OrderedValue.notIndexable(value.value));
        }
    }

    /** The key as bytes, with the value in JSON. */
    public byte[] toBytes() {
        return KeyParts.join(KeyText.FIELD, Bytes.of(field), Bytes.of(label), Bytes.of(value.json()), row);
    }

    /**
     * Reads the byte form.
     *
     * @throws TableException if the bytes are no such key
     */
    public static FieldKey fromBytes(byte[] bytes) {
        Bytes[] parts = KeyParts.split(KeyText.FIELD, "field", "field, label, value and row id", 4, bytes);
        String json = KeyParts.text(bytes, "the value", parts[2]);
        Scalar value = KeyParts.scalar(bytes, json);
        FieldKey key = new FieldKey(
                KeyParts.text(bytes, "the field", parts[0]),
                KeyParts.text(bytes, "the label", parts[1]),
                value,
                parts[3]);
        if (!value.json().equals(json)) {
            throw KeyParts.malformed(bytes, "the value " + json + " is canonically " + value.json() + " (B5)");
        }
        return key;
    }

    /** The key of a pail. */
    public String toKey() {
        return EscapedText.of(KeyParts.join(
                KeyText.FIELD, Bytes.of(field), Bytes.of(label), Bytes.owned(OrderedValue.encode(value.value)), row));
    }

    /**
     * Parses a key of a pail.
     *
     * @throws TableException if it is no such key
     */
    public static FieldKey parse(String key) {
        byte[] bytes = EscapedText.bytes(key, 0);
        Bytes[] parts = KeyParts.split(KeyText.FIELD, "field", "field, label, value and row id", 4, bytes);
        return new FieldKey(
                KeyParts.text(bytes, "the field", parts[0]),
                KeyParts.text(bytes, "the label", parts[1]),
                new Scalar(OrderedValue.decode(parts[2].array)),
                parts[3]);
    }

    /** Returns the common prefix of all keys of an index, as bytes: all parts but value and row id. */
    public static byte[] prefix(String field, String label) {
        KeyText.check("field", field);
        KeyText.check("label", label);
        byte[] parts = KeyParts.join(KeyText.FIELD, Bytes.of(field), Bytes.of(label));
        byte[] prefix = Arrays.copyOf(parts, parts.length + 1);
        prefix[parts.length] = SEPARATOR;
        return prefix;
    }
}
