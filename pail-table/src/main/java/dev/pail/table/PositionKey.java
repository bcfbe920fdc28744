package dev.pail.table;

import dev.pail.table.index.EscapedText;
import dev.pail.table.index.KeyText;
import java.util.Objects;

/**
 * The key of a row: {@code P}, the number of its table in two bytes, little-endian, and the id of the row. Rule B3.
 *
 * <pre>{@code
 * String key = new PositionKey(0, Bytes.of("ann")).toKey();
 * Optional<Cid> document = pail.get(key); // the row ann of the table with the number 0
 * Bytes row = PositionKey.parse(key).row(); // ann
 * }</pre>
 *
 * @param table from 0 to 65,535
 * @param row any bytes
 */
public record PositionKey(int table, Bytes row) {
    static final int HEAD = 3;

    /** @throws IllegalArgumentException if the number of the table is out of range */
    public PositionKey {
        checkTable(table);
        Objects.requireNonNull(row, "row");
    }

    private static void checkTable(int table) {
        if (table < 0 || table > KeyText.MAX_TABLE) {
            throw new IllegalArgumentException(
                    "a table has a number from 0 to " + KeyText.MAX_TABLE + ", not " + table);
        }
    }

    /** The key as bytes. */
    public byte[] toBytes() {
        return KeyParts.concat(prefix(table), row.array);
    }

    /** Returns the common prefix of the keys of all rows of a table. */
    public static byte[] prefix(int table) {
        checkTable(table);
        return new byte[] {KeyText.POSITION, (byte) table, (byte) (table >> Byte.SIZE)};
    }

    /**
     * Reads the byte form.
     *
     * @throws TableException if the bytes are no such key
     */
    public static PositionKey fromBytes(byte[] bytes) {
        KeyParts.checkPrefix(KeyText.POSITION, "position", bytes);
        if (bytes.length < HEAD) {
            throw KeyParts.malformed(bytes, "the number of a table has two bytes (B3)");
        }
        int table = (bytes[1] & 0xff) | ((bytes[2] & 0xff) << Byte.SIZE);
        return new PositionKey(table, Bytes.of(bytes).range(HEAD, bytes.length));
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
    public static PositionKey parse(String key) {
        return fromBytes(EscapedText.bytes(key, 0));
    }
}
