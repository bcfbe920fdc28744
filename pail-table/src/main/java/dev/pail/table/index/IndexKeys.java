package dev.pail.table.index;

import dev.pail.Batch;
import dev.pail.Entry;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.ipld.Cid;
import dev.pail.table.FieldKey;
import dev.pail.table.ReverseKey;
import dev.pail.table.TableException;
import dev.pail.table.document.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The keys of the entries of one index, made and taken apart as text: what {@link FieldKey} and {@link ReverseKey} do slowly. */
public final class IndexKeys {
    private static final byte[] SEPARATOR = {KeyText.SEPARATOR};
    private static final String SEPARATOR_TEXT = EscapedText.of(SEPARATOR);

    /** The prefix of the keys of all index entries of all tables. */
    public static final String ALL_ENTRIES = (char) KeyText.FIELD + SEPARATOR_TEXT;

    /** The prefix of the keys of all reverse entries of all tables. */
    public static final String ALL_REVERSE = (char) KeyText.REVERSE + SEPARATOR_TEXT;

    /** The first text behind all that starts with a separator. */
    private static final String BEHIND_SEPARATOR = EscapedText.of(new byte[] {KeyText.SEPARATOR + 1});

    /** Version, codec, hash function; then the length and the bytes themselves. */
    private static final byte[] INLINE = {1, (byte) Cid.RAW, (byte) Cid.IDENTITY};

    private static final int MORE = 0x80;

    public final String table;
    public final IndexName name;

    /** What all keys of index entries start with. */
    public final String entries;

    /** What all keys of reverse entries start with. */
    public final String reverse;

    public IndexKeys(String table, IndexName name) {
        this.table = table;
        this.name = name;
        String label = EscapedText.of(table) + SEPARATOR_TEXT;
        String field = EscapedText.of(name.text()) + SEPARATOR_TEXT;
        this.entries = ALL_ENTRIES + field + label;
        this.reverse = ALL_REVERSE + label + field;
    }

    /**
     * What the index has of a row, in the ordered form; nothing, where it has no entry. Rule T5.
     *
     * @param found what the document has in the field
     * @throws TableException if the index does not take it
     */
    public Optional<byte[]> indexed(String row, @Nullable Object found) {
        Object value = found == null ? null : name.kind().indexed(found);
        if (value == null) {
            return Optional.empty();
        }
        if (!Values.isScalar(value)) {
            throw notIndexable(row, value instanceof List<?> ? "a list" : "an object");
        }
        byte[] ordered = OrderedValue.indexable(value);
        if (ordered == null) {
            throw notIndexable(row, OrderedValue.notIndexable(value));
        }
        return Optional.of(ordered);
    }

    private TableException notIndexable(String row, String what) {
        return new TableException(
                TableException.Reason.NOT_INDEXABLE,
                "the row " + TableText.quoted(row) + " has " + what + " in the field "
                        + TableText.quoted(name.field().text()) + ", which the index of the table "
                        + TableText.quoted(table) + " does not take (T5)");
    }

    /**
     * What the keys of the entries start with that a table has, whichever indexes it declares: of each field one prefix, and
     * one for all reverse entries. Reads an entry for each field that any table has entries for.
     */
    public static List<String> prefixes(Pail pail, String table) {
        String label = EscapedText.of(table) + SEPARATOR_TEXT;
        List<String> prefixes = new ArrayList<>(List.of(ALL_REVERSE + label));
        KeyRange all = KeyRange.prefix(ALL_ENTRIES);
        Optional<Entry> next = first(pail, all);
        while (next.isPresent()) {
            String key = next.get().key();
            int end = key.indexOf(SEPARATOR_TEXT, ALL_ENTRIES.length());
            if (end < 0) {
                next = first(pail, all.after(key));
                continue;
            }
            String field = key.substring(0, end);
            prefixes.add(field + SEPARATOR_TEXT + label);
            next = first(pail, all.from(field + BEHIND_SEPARATOR));
        }
        return prefixes;
    }

    private static Optional<Entry> first(Pail pail, KeyRange range) {
        try (Stream<Entry> entries = pail.entries(range)) {
            return entries.findFirst();
        }
    }

    /** Takes away all entries of a table that are there, whichever indexes it declares. */
    public static void clear(Pail pail, Batch batch, String table) {
        prefixes(pail, table).forEach(prefix -> delete(pail, batch, prefix));
    }

    /** Takes away all entries that are there. */
    public void clear(Pail pail, Batch batch) {
        delete(pail, batch, entries);
        delete(pail, batch, reverse);
    }

    private static void delete(Pail pail, Batch batch, String prefix) {
        try (Stream<Entry> entries = pail.entries(KeyRange.prefix(prefix))) {
            entries.forEachOrdered(entry -> batch.delete(entry.key()));
        }
    }

    /** The keys of the entries with values in a range, which start with the range's bytes. */
    public KeyRange range(OrderedRange values) {
        return KeyRange.prefix(entries)
                .from(entries + EscapedText.of(values.low()))
                .before(entries + EscapedText.of(values.high()));
    }

    /**
     * The key of an entry.
     *
     * @param row the id of the row as escaped text
     */
    public String entry(byte[] value, String row) {
        StringBuilder key = new StringBuilder(entries.length() + 2 * value.length + 2 + row.length());
        key.append(entries);
        EscapedText.append(key, value);
        return key.append(SEPARATOR_TEXT).append(row).toString();
    }

    /**
     * What an index has of a row: the entry, and the reverse entry.
     *
     * @param row its id as escaped text
     */
    public List<Entry> entriesOf(byte[] value, String row, Cid document) {
        return List.of(new Entry(entry(value, row), document), new Entry(reverse + row, inline(value)));
    }

    /** The name of the table that an index entry or a reverse entry is of, or null if the key can be the key of none. */
    public static @Nullable String tableOf(String key) {
        try {
            if (key.startsWith(ALL_ENTRIES)) {
                return FieldKey.parse(key).label();
            }
            return key.startsWith(ALL_REVERSE) ? ReverseKey.parse(key).label() : null;
        } catch (TableException e) {
            return null;
        }
    }

    /** The id of the row as escaped text, of the key of an index entry; none of another key that starts so. */
    public static Optional<String> rowOf(String entry) {
        try {
            return Optional.of(EscapedText.of(FieldKey.parse(entry).row().toByteArray()));
        } catch (TableException e) {
            return Optional.empty();
        }
    }

    /** Reads the rows of the entries of one walk. As {@link #rowOf}, but it reads the value of entries next to each other once. */
    public static final class EntryRows {
        /** What the keys of entries with the last value start with: all but the row. */
        private String known = "";

        @Nullable
        public String rowOf(String entry) {
            int length = known.length();
            if (length > 0 && entry.startsWith(known) && entry.indexOf(SEPARATOR_TEXT, length) < 0) {
                return entry.substring(length);
            }
            String row = IndexKeys.rowOf(entry).orElse(null);
            known = row == null ? "" : entry.substring(0, entry.length() - row.length());
            return row;
        }
    }

    /** What a reverse entry has as its value: a CID that holds the bytes of the indexed value itself. Rule T6. */
    public static Cid inline(byte[] value) {
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

    /** The bytes of the indexed value, or null if the CID holds none, or more bytes than an indexed value has. */
    public static byte @Nullable [] value(Cid inline) {
        byte[] value = inline.digest();
        return inline.hashFunction() == Cid.IDENTITY && value.length <= OrderedValue.MAX_LENGTH ? value : null;
    }
}
