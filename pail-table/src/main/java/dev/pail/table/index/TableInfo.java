package dev.pail.table.index;

import dev.pail.CorruptBlockException;
import dev.pail.Entry;
import dev.pail.KeyRange;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import dev.pail.table.Index;
import dev.pail.table.RowMerge;
import dev.pail.table.TableException;
import dev.pail.table.schema.SchemaForm;
import dev.pail.table.schema.SchemaParts;
import dev.pail.unsafe.UnsafeBlocks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is known of a table: its name, and what its block has: number, indexes, how rows merge, and the schema (spec rules T1 to T3, T10). */
public final class TableInfo {
    private static final int MAX_NAME = 255;
    private static final String NUMBER = "number";
    private static final String INDEXES = "indexes";
    private static final String DECLARATION = "declaration";
    private static final String MERGE = "merge";
    private static final String SCHEMA = "schema";
    private static final String FIELDS = "fields";
    private static final String INLINE = "inline";

    public final String name;
    public final int number;

    /** In the order of their fields. */
    public final List<IndexKeys> indexes;

    public final RowMerge rowMerge;

    /** The most bytes of a document that is in the map (spec rule T21); 0 if none is there. */
    public final int inline;

    /** The schema; null, if there is none. */
    @Nullable
    public final SchemaParts schema;

    /** What the keys of its rows start with. */
    public final String rows;

    private TableInfo(
            String name,
            int number,
            List<IndexKeys> indexes,
            RowMerge rowMerge,
            int inline,
            @Nullable SchemaParts schema) {
        this.name = name;
        this.number = number;
        this.indexes = indexes;
        this.rowMerge = rowMerge;
        this.inline = inline;
        this.schema = schema;
        this.rows = KeyText.rows(number);
    }

    public static TableInfo of(String name, int number, Collection<IndexName> names, RowMerge rowMerge) {
        List<IndexKeys> indexes = new ArrayList<>();
        new TreeSet<>(names).forEach(index -> indexes.add(new IndexKeys(name, index)));
        return new TableInfo(name, number, List.copyOf(indexes), rowMerge, 0, null);
    }

    /** The table with other indexes. */
    public TableInfo with(Collection<IndexName> names) {
        return of(name, number, names, rowMerge).withInline(inline).withSchema(schema);
    }

    /** The table with another size of rows in the map; 0 for none. */
    public TableInfo withInline(int most) {
        return new TableInfo(name, number, indexes, rowMerge, most, schema);
    }

    /** The table with another schema; null for none. */
    public TableInfo withSchema(@Nullable SchemaParts other) {
        return new TableInfo(name, number, indexes, rowMerge, inline, other);
    }

    /** The key of a table with this name. Rule T1. */
    public static String key(String name) {
        KeyText.check("table", name);
        int length = Utf8.encode(name).length;
        if (length == 0 || length > MAX_NAME) {
            throw new TableException(
                    TableException.Reason.NAME,
                    "the name of a table has 1 to " + MAX_NAME + " bytes, not " + length + " (T1)");
        }
        return KeyText.TABLES + EscapedText.of(name);
    }

    /** The name of the table whose key this is, or null if it can be the key of none. */
    public static @Nullable String name(String key) {
        if (!key.startsWith(KeyText.TABLES)) {
            return null;
        }
        try {
            String name = KeyText.text(EscapedText.bytes(key, KeyText.TABLES.length()));
            return name != null && key(name).equals(key) ? name : null;
        } catch (TableException e) {
            return null;
        }
    }

    /** The number that a table gets, if no other has it: so it has the same in all copies of a pail. */
    public static int wishedNumber(String name) {
        byte[] hash = Block.of(Cid.RAW, Utf8.encode(name)).cid().digest();
        return ((hash[hash.length - 2] & 0xff) << Byte.SIZE) | (hash[hash.length - 1] & 0xff);
    }

    /** The key of a row. */
    public String rowKey(String id) {
        return rows + EscapedText.of(id);
    }

    /** The id of the row whose key this is, or null if it can be the key of none: other keys may start as those of rows do. */
    @Nullable
    public String rowId(String key) {
        if (key.length() - rows.length() <= KeyText.MAX_ID && EscapedText.isPlain(key, rows.length())) {
            return key.substring(rows.length());
        }
        try {
            byte[] bytes = EscapedText.bytes(key, rows.length());
            String id = bytes.length <= KeyText.MAX_ID ? KeyText.text(bytes) : null;
            return id != null && id.indexOf(KeyText.SEPARATOR) < 0 ? id : null;
        } catch (TableException e) {
            return null;
        }
    }

    /** Does something with each entry that is a row of the table. */
    public void forEachRow(Pail pail, Consumer<Entry> action) {
        try (Stream<Entry> entries = pail.entries(KeyRange.prefix(rows))) {
            entries.filter(entry -> rowId(entry.key()) != null).forEachOrdered(action);
        }
    }

    public SortedSet<IndexName> names() {
        SortedSet<IndexName> names = new TreeSet<>();
        indexes.forEach(index -> names.add(index.name));
        return names;
    }

    /** Whether the table has an index with the same properties. */
    public boolean has(IndexName name) {
        return indexes.stream().anyMatch(index -> index.name.equals(name));
    }

    /** The index on the same fields. */
    @Nullable
    public IndexKeys index(Index wanted) {
        for (IndexKeys index : indexes) {
            if (index.name.index().fields().equals(wanted.fields())) {
                return index;
            }
        }
        return null;
    }

    /** The block that declares the table. Rule T2. */
    public Block block() {
        DagCborWriter writer = new DagCborWriter().map(2).text(NUMBER).integer(number);
        boolean byFields = rowMerge == RowMerge.FIELDS;
        if (byFields
                || inline > 0
                || schema != null
                || !indexes.stream().allMatch(index -> index.name.index().isPlain())) {
            // Rule T10. A program without this rule refuses the table, because there are no indexes here.
            writer.text(DECLARATION).map(1 + (byFields ? 1 : 0) + (inline > 0 ? 1 : 0) + (schema == null ? 0 : 1));
            if (byFields) {
                writer.text(MERGE).text(FIELDS);
            }
            if (inline > 0) {
                writer.text(INLINE).integer(inline);
            }
            if (schema != null) {
                SchemaForm.write(writer.text(SCHEMA), schema);
            }
        }
        writer.text(INDEXES).array(indexes.size());
        indexes.forEach(index -> IndexForm.write(writer, index.name.index()));
        return UnsafeBlocks.of(Cid.DAG_CBOR, writer.toByteArray());
    }

    /**
     * Goes through the declared tables, in the order of their keys.
     *
     * @param unreadable receives the key of each malformed or unreadable declaration
     */
    public static void forEach(Pail pail, Consumer<TableInfo> action, BiConsumer<String, TableException> unreadable) {
        try (Stream<Entry> entries = pail.entries(KeyRange.prefix(KeyText.TABLES))) {
            entries.forEachOrdered(entry -> {
                TableInfo info;
                try {
                    info = read(pail, entry.key(), entry.value());
                } catch (TableException e) {
                    unreadable.accept(entry.key(), e);
                    return;
                }
                if (info != null) {
                    action.accept(info);
                }
            });
        }
    }

    /**
     * The table that an entry declares, or null if it declares none: other keys may start as those of tables do. Rule T9.
     *
     * @throws TableException if that cannot be told, or it is not as it should be
     */
    public static @Nullable TableInfo read(Pail pail, String key, Cid cid) {
        String name = name(key);
        if (name == null || cid.codec() != Cid.DAG_CBOR) {
            return null;
        }
        Block block;
        try {
            block = pail.blocks().require(cid);
        } catch (MissingBlockException | CorruptBlockException e) {
            throw new TableException(
                    TableException.Reason.KEY,
                    "the key " + TableText.quoted(key) + " is where the table " + TableText.quoted(name)
                            + " would be, and the block of its value is "
                            + (e instanceof MissingBlockException ? "missing: " : "damaged: ") + cid + " (T2)",
                    e);
        }
        try {
            DagCborReader reader = new DagCborReader(UnsafeBlocks.bytes(block));
            TableInfo info = isTable(reader) ? read(name, reader) : null;
            if (info != null && info.schema != null && !info.block().cid().equals(cid)) {
                throw new MalformedDataException(0, "a schema says each thing once, in order (T14)");
            }
            return info;
        } catch (MalformedDataException | TableException e) {
            throw new TableException(
                    TableException.Reason.DAMAGED,
                    "the block " + cid + " does not describe the table " + TableText.quoted(name) + ": "
                            + e.getMessage() + " (T2)",
                    e);
        }
    }

    private static boolean isTable(DagCborReader reader) {
        try {
            return reader.readMap() == 2 && reader.readText().equals(NUMBER);
        } catch (MalformedDataException e) {
            return false;
        }
    }

    /** @param reader stands behind the name of the number */
    private static TableInfo read(String name, DagCborReader reader) {
        int at = reader.position();
        long number = reader.readLong();
        String next = reader.readText();
        boolean isDeclaration = next.equals(DECLARATION);
        RowMerge rowMerge = RowMerge.WHOLE;
        long inline = 0;
        @Nullable SchemaParts schema = null;
        if (isDeclaration) {
            int members = reader.readMap();
            next = reader.readText();
            if (next.equals(MERGE) && members > 1) {
                check(reader.readText().equals(FIELDS), at, "rows merge by fields, or no rule is there");
                rowMerge = RowMerge.FIELDS;
                next = reader.readText();
                members--;
            }
            if (next.equals(INLINE) && members > 1) {
                inline = reader.readLong();
                check(
                        inline > 0 && inline <= InlineRows.MAX,
                        at,
                        "a row in the map has 1 to " + InlineRows.MAX + " bytes");
                next = reader.readText();
                members--;
            }
            if (next.equals(SCHEMA) && members > 1) {
                schema = SchemaForm.read(reader);
                next = reader.readText();
                members--;
            }
            check(members == 1, at, "a declaration has a member that this program does not know");
        }
        check(
                number >= 0 && number <= KeyText.MAX_TABLE && next.equals(INDEXES),
                at,
                "a table has a number and indexes");
        List<IndexName> names = new ArrayList<>();
        for (int items = reader.readArray(); items > 0; items--) {
            IndexName index = new IndexName(IndexForm.read(reader, isDeclaration));
            check(
                    names.isEmpty() || names.get(names.size() - 1).compareTo(index) < 0,
                    reader.position(),
                    "indexes are in order, each once");
            names.add(index);
        }
        reader.end();
        check(
                !isDeclaration
                        || rowMerge == RowMerge.FIELDS
                        || inline > 0
                        || schema != null
                        || names.stream().anyMatch(index -> !index.index().isPlain()),
                at,
                "a table of plain indexes has no declaration");
        return of(name, (int) number, names, rowMerge).withInline((int) inline).withSchema(schema);
    }

    private static void check(boolean isRight, int at, String rule) {
        if (!isRight) {
            throw new MalformedDataException(at, rule);
        }
    }
}
