package dev.pail.table;

import java.util.Objects;

/**
 * The key of a table: {@code T} and the id of the table. Rule B2.
 *
 * <pre>{@code
 * Optional<Cid> declaration = pail.get(new TableKey(Bytes.of("people")).toKey());
 * boolean isTable = declaration.isPresent();
 * }</pre>
 *
 * @param id any bytes; in a {@link Tables} the name
 */
public record TableKey(Bytes id) {
    static final byte PREFIX = 'T';

    public TableKey {
        Objects.requireNonNull(id, "id");
    }

    /** The key as bytes. */
    public byte[] toBytes() {
        return KeyParts.concat(new byte[] {PREFIX}, id.array);
    }

    /**
     * The key with these bytes.
     *
     * @throws TableException if there is none
     */
    public static TableKey fromBytes(byte[] bytes) {
        KeyParts.checkPrefix(PREFIX, "table", bytes);
        return new TableKey(Bytes.of(bytes).range(1, bytes.length));
    }

    /** The key of a pail. */
    public String toKey() {
        return EscapedText.of(toBytes());
    }

    /**
     * The key that a key of a pail stands for.
     *
     * @throws TableException if it stands for none
     */
    public static TableKey parse(String key) {
        return fromBytes(EscapedText.bytes(key, 0));
    }
}
