package dev.pail.table.index;

import dev.pail.Batch;
import dev.pail.Entry;
import dev.pail.Escapes;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.Cid;
import dev.pail.table.FieldForm;
import dev.pail.table.FieldKey;
import dev.pail.table.FieldPath;
import dev.pail.table.Index;
import dev.pail.table.ReverseKey;
import dev.pail.table.TableException;
import dev.pail.table.document.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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

    /** The most bytes of the values of all entries of a row. One entry has fewer than 1,100. */
    private static final int MAX_VALUES = 2000;

    /** Of an entry: its letter, index, table, value and row. */
    private static final int PARTS = 5;

    private static final String MARKED = ".";

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

    /** What an index has of a row. */
    public static final class Indexed {
        private final List<byte[]> values;
        private final Cid reverse;
        private final Cid link;

        private Indexed(List<byte[]> values, Cid reverse, Cid link) {
            this.values = values;
            this.reverse = reverse;
            this.link = link;
        }

        /** The forms of the indexed values, of each entry: at least one, and several if the index has the items of a list. */
        public List<byte[]> values() {
            return values;
        }

        /** The value of the reverse entry. */
        public Cid reverse() {
            return reverse;
        }

        /** The value of each entry. */
        public Cid link() {
            return link;
        }
    }

    /**
     * What the index has of a row; nothing, where it has no entry. Rule T5, and for items spec rule T20.
     *
     * @param fields returns what the document has in a field
     * @throws TableException if the index does not take it
     */
    public Optional<Indexed> indexed(String row, Cid document, Function<FieldPath, @Nullable Object> fields) {
        List<byte @Nullable []> forms = new ArrayList<>();
        // Of the one field that has several values, if there is one.
        int several = -1;
        List<byte[]> items = List.of();
        for (Index.Field field : name.fields()) {
            Object found = fields.apply(field.path());
            List<byte[]> some = found == null ? List.of() : forms(row, field, found);
            if (some.isEmpty() && forms.isEmpty()) {
                return Optional.empty();
            }
            if (some.size() > 1) {
                several = forms.size();
                items = some;
            }
            forms.add(some.isEmpty() ? null : some.get(0));
        }
        List<byte[]> values = List.of(JoinedValue.of(name.fields(), forms));
        if (several >= 0) {
            values = new ArrayList<>();
            for (byte[] item : items) {
                forms.set(several, item);
                values.add(JoinedValue.of(name.fields(), forms));
            }
            values.sort(Arrays::compareUnsigned);
        }
        byte[] reversed = JoinedValue.list(values);
        checkSize(row, reversed.length);
        return Optional.of(new Indexed(List.copyOf(values), inline(reversed), link(document, fields)));
    }

    private Cid link(Cid document, Function<FieldPath, @Nullable Object> fields) {
        if (name.index().included().isEmpty()) {
            return document;
        }
        List<@Nullable Object> values = new ArrayList<>();
        name.index().covered().forEach(field -> values.add(fields.apply(field)));
        return Cover.of(document, values);
    }

    /** The ordered forms of the values in a field, none twice. */
    private List<byte[]> forms(String row, Index.Field field, Object found) {
        if (field.form() != FieldForm.ITEMS) {
            return IndexKinds.of(field.form())
                    .values(found)
                    .map(value -> form(row, field.path(), value))
                    .toList();
        }
        SortedSet<byte[]> forms = new TreeSet<>(Arrays::compareUnsigned);
        int[] size = {0};
        IndexKinds.of(field.form()).values(found).forEachOrdered(value -> {
            byte[] form = form(row, field.path(), value);
            size[0] += forms.add(form) ? form.length + 1 : 0;
            checkSize(row, size[0] - 1);
        });
        return List.copyOf(forms);
    }

    /** A list can have any number of items. */
    private void checkSize(String row, int bytes) {
        if (bytes > MAX_VALUES) {
            throw refused(
                    row,
                    "has items of more than " + MAX_VALUES + " bytes in " + TableText.indexOn(name.index())
                            + " of the table " + TableText.quoted(table) + " (T20)");
        }
    }

    private byte[] form(String row, FieldPath field, Object value) {
        if (!Values.isScalar(value)) {
            throw notIndexable(row, field, value instanceof List<?> ? "a list" : "an object");
        }
        byte[] ordered = OrderedValue.indexable(value);
        if (ordered == null) {
            throw notIndexable(row, field, OrderedValue.notIndexable(value));
        }
        return ordered;
    }

    private TableException notIndexable(String row, FieldPath field, String what) {
        return refused(
                row,
                "has " + what + " in the field " + TableText.quoted(field.text()) + ", which the index of the table "
                        + TableText.quoted(table) + " does not take (T5)");
    }

    private static TableException refused(String row, String why) {
        return new TableException(TableException.Reason.NOT_INDEXABLE, "the row " + TableText.quoted(row) + " " + why);
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

    /** The keys of the entries from some bytes behind the prefix of the index to others. */
    KeyRange range(byte[] low, byte[] high) {
        return KeyRange.prefix(entries).from(entries + EscapedText.of(low)).before(entries + EscapedText.of(high));
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
        return key.append(SEPARATOR_TEXT)
                .append(isReversed(name.index()) ? reversed(row) : row)
                .toString();
    }

    /** What the keys of all entries with a value start with. */
    public String entriesWith(byte[] value) {
        return entries + EscapedText.of(value) + SEPARATOR_TEXT;
    }

    /** The value in the key of an entry of this index. */
    byte[] valueOf(String entry) {
        return EscapedText.bytes(entry.substring(entries.length(), entry.lastIndexOf(SEPARATOR_TEXT)), 0);
    }

    /** What the keys of all entries with the value of one start with, if no second row is to have it. */
    Optional<String> uniqueStart(String entry) {
        return Of.key(entry) == null || !isUnique(valueOf(entry))
                ? Optional.empty()
                : Optional.of(entriesWith(valueOf(entry)));
    }

    /** Whether a second row with this value is refused (spec rule T12). */
    public boolean isUnique(byte[] value) {
        return name.index().isUnique() && !JoinedValue.isFree(name.fields(), value);
    }

    /**
     * Another row that has a value in this index; null, if none has. Entries of other versions of a row do not count (spec rule T7).
     *
     * @param rows what the keys of rows start with
     * @param row the id of the one row as escaped text
     * @param counts whether a row counts
     */
    public @Nullable String otherRow(Pail pail, String rows, byte[] value, String row, Predicate<String> counts) {
        try (Stream<Entry> found = pail.entries(KeyRange.prefix(entriesWith(value)))) {
            return found.map(entry -> {
                        String other = rowOf(entry.key()).orElse(row);
                        boolean isOther = !other.equals(row)
                                && counts.test(other)
                                && pail.get(rows + other).equals(Optional.of(document(entry.value())));
                        return Optional.of(other).filter(id -> isOther);
                    })
                    .flatMap(Optional::stream)
                    .findFirst()
                    .orElse(null);
        }
    }

    /** What to say of a row that has the values of another one. */
    public TableException notUnique(byte[] value, @Nullable String row, @Nullable String other) {
        return new TableException(
                TableException.Reason.NOT_UNIQUE,
                "the row " + TableText.quoted(String.valueOf(row)) + " of the table " + TableText.quoted(table)
                        + " has " + valuesText(value)
                        + " in " + TableText.indexOn(name.index()) + ", which is unique, as the row "
                        + TableText.quoted(String.valueOf(other)) + " has (T12)");
    }

    /** The values of an entry in JSON. */
    public String valuesText(byte[] value) {
        return JoinedValue.values(name.fields(), value).stream()
                .map(each -> each == null ? "nothing" : Escapes.printable(Values.json(each)))
                .collect(Collectors.joining(", "));
    }

    /** Whether the ids of rows are in descending order, as the last field is (spec rule B8). */
    private static boolean isReversed(Index index) {
        return index.fields().get(index.fields().size() - 1).isDescending();
    }

    private static String reversed(String row) {
        byte[] bytes = EscapedText.bytes(row, 0);
        String id = Utf8.decode(bytes, 0, bytes.length);
        return EscapedText.of(JoinedValue.reversed(OrderedValue.text(id)));
    }

    /** The document that an entry links to. */
    public static Cid document(Cid link) {
        return Cover.document(link);
    }

    /**
     * What an index has of a row: the entries, and the reverse entry.
     *
     * @param row its id as escaped text
     */
    public List<Entry> entriesOf(Indexed indexed, String row) {
        List<Entry> all = new ArrayList<>();
        indexed.values.forEach(value -> all.add(new Entry(entry(value, row), indexed.link)));
        all.add(new Entry(reverse + row, indexed.reverse));
        return all;
    }

    /**
     * The table and the row that an index entry or a reverse entry is of.
     *
     * @param row the id as escaped text
     */
    public record Of(String table, String row) {
        /** Returns null if the key can be the key of none: keys of other kinds may start as those of entries do. */
        public static @Nullable Of key(String key) {
            try {
                if (key.startsWith(ALL_ENTRIES + MARKED)) {
                    return ofMarked(key);
                }
                if (key.startsWith(ALL_ENTRIES)) {
                    FieldKey entry = FieldKey.parse(key);
                    return new Of(entry.label(), EscapedText.of(entry.row().toByteArray()));
                }
                if (!key.startsWith(ALL_REVERSE)) {
                    return null;
                }
                ReverseKey entry = ReverseKey.parse(key);
                return new Of(entry.label(), EscapedText.of(entry.row().toByteArray()));
            } catch (TableException e) {
                return null;
            }
        }

        /** An entry of an index that is not plain. */
        private static @Nullable Of ofMarked(String key) {
            String[] parts = key.split(SEPARATOR_TEXT, -1);
            if (parts.length != PARTS) {
                return null;
            }
            Index index = IndexName.parse(text(parts[1]));
            String table = text(parts[2]);
            KeyText.check("table", table);
            JoinedValue.values(index.fields(), EscapedText.bytes(parts[3], 0));
            return new Of(
                    table, isReversed(index) ? restored(parts[4]) : EscapedText.of(EscapedText.bytes(parts[4], 0)));
        }

        private static String text(String part) {
            String text = KeyText.text(EscapedText.bytes(part, 0));
            if (text == null) {
                throw new TableException(TableException.Reason.KEY, "no UTF-8: " + TableText.quoted(part) + " (B4)");
            }
            return text;
        }

        private static String restored(String part) {
            byte[] form = JoinedValue.restored(EscapedText.bytes(part, 0));
            String row = EscapedText.of(form.length == 0 ? "" : OrderedValue.decodedText(form));
            if (!reversed(row).equals(part)) {
                throw new TableException(TableException.Reason.KEY, "no row id: " + TableText.quoted(part) + " (B8)");
            }
            return row;
        }
    }

    /** The name of the table that an index entry or a reverse entry is of, or null if the key can be the key of none. */
    public static @Nullable String tableOf(String key) {
        Of found = Of.key(key);
        return found == null ? null : found.table;
    }

    /** The id of the row as escaped text, of the key of an index entry; none of another key that starts so. */
    public static Optional<String> rowOf(String entry) {
        return entry.startsWith(ALL_ENTRIES)
                ? Optional.ofNullable(Of.key(entry)).map(Of::row)
                : Optional.empty();
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
            known = row == null || !entry.endsWith(SEPARATOR_TEXT + row)
                    ? ""
                    : entry.substring(0, entry.length() - row.length());
            return row;
        }
    }

    /** What a reverse entry has as its value: a CID that holds the bytes of the indexed value itself. Rule T6. */
    public static Cid inline(byte[] value) {
        return Cid.ofIdentity(Cid.RAW, value);
    }

    /** The indexed values that a reverse entry has; none, if the CID holds none, or more bytes than a row has in an index. */
    public static List<byte[]> values(Cid inline) {
        byte[] values = inline.digest();
        return inline.hashFunction() == Cid.IDENTITY && values.length <= MAX_VALUES
                ? JoinedValue.parts(values)
                : List.of();
    }
}
