package dev.pail.table;

import dev.pail.KeyRange;
import dev.pail.ipld.Cid;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The keys of the entries of one index, made and taken apart as text: what {@link FieldKey} and {@link ReverseKey} do slowly. */
final class IndexKeys {
    private static final byte[] SEPARATOR = {FieldKey.SEPARATOR};
    private static final String SEPARATOR_TEXT = EscapedText.of(SEPARATOR);

    /** Version, codec, hash function; then the length and the bytes themselves. */
    private static final byte[] INLINE = {1, (byte) Cid.RAW, (byte) Cid.IDENTITY};

    private static final int MORE = 0x80;

    final FieldPath field;

    /** What all keys of index entries start with. */
    final String entries;

    /** What all keys of reverse entries start with. */
    final String reverse;

    IndexKeys(String table, FieldPath field) {
        this.field = field;
        this.entries = EscapedText.of(FieldKey.prefix(field.text(), table));
        this.reverse =
                EscapedText.of(KeyParts.join(ReverseKey.PREFIX, Bytes.of(table), Bytes.of(field.text()), Bytes.of("")));
    }

    /** The keys of the entries with values in a range, which start with the range's bytes. */
    KeyRange range(ValueRange values) {
        return KeyRange.prefix(entries)
                .from(entries + EscapedText.of(values.low.array))
                .before(entries + EscapedText.of(values.high.array));
    }

    /** @param row the id of the row as escaped text */
    String entry(byte[] value, String row) {
        StringBuilder key = new StringBuilder(entries.length() + 2 * value.length + 2 + row.length());
        key.append(entries);
        EscapedText.append(key, value);
        return key.append(SEPARATOR_TEXT).append(row).toString();
    }

    /** The id of the row as escaped text, of the key of an index entry. */
    String rowOf(String entry) {
        int separator = entry.indexOf(SEPARATOR_TEXT, entries.length());
        if (separator < 0) {
            throw KeyParts.malformed(EscapedText.bytes(entry, 0), "an index entry has a value and a row id (B4)");
        }
        return entry.substring(separator + SEPARATOR_TEXT.length());
    }

    /** What a reverse entry has as its value: a CID that holds the bytes of the indexed value itself (spec rule T6). */
    static Cid inline(byte[] value) {
        boolean longer = value.length >= MORE;
        byte[] cid = Arrays.copyOf(INLINE, INLINE.length + (longer ? 2 : 1) + value.length);
        int at = INLINE.length;
        if (longer) {
            cid[at++] = (byte) ((value.length & (MORE - 1)) | MORE);
            cid[at++] = (byte) (value.length >> 7);
        } else {
            cid[at++] = (byte) value.length;
        }
        System.arraycopy(value, 0, cid, at, value.length);
        return Cid.fromBytes(cid);
    }

    /** The bytes of the indexed value, or null if the CID holds none. */
    static byte @Nullable [] value(Cid inline) {
        if (inline.hashFunction() != Cid.IDENTITY) {
            return null;
        }
        byte[] multihash = inline.multihash();
        int head = (multihash[1] & MORE) == 0 ? 2 : 3;
        return Arrays.copyOfRange(multihash, Math.min(head, multihash.length), multihash.length);
    }
}
