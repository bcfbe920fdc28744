package dev.pail.table;

import dev.pail.table.index.EscapedText;
import dev.pail.table.index.KeyText;
import java.util.Objects;

/**
 * The key of a table: {@code T} and the id of the table. Rule B2.
 *
 * <pre>{@code
 * Optional<Cid> declaration = pail.get(new TableKey(Bytes.of("people")).toKey());
 * boolean isTable = declaration.isPresent();
 * }</pre>
 *
 * @param id any bytes; in {@link Tables}, the name
 */
public record TableKey(Bytes id) {
    public TableKey {
        Objects.requireNonNull(id, "id");
    }

    /** The key as bytes. */
    public byte[] toBytes() {
        return KeyParts.concat(new byte[] {KeyText.TABLE}, id.array);
    }

    /**
     * Reads the byte form.
     *
     * @throws TableException if the bytes are no such key
     */
    public static TableKey fromBytes(byte[] bytes) {
        KeyParts.checkPrefix(KeyText.TABLE, "table", bytes);
        return new TableKey(Bytes.of(bytes).range(1, bytes.length));
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
    public static TableKey parse(String key) {
        return fromBytes(EscapedText.bytes(key, 0));
    }
}
