package dev.pail.table;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.Batch;
import dev.pail.KeyNotAllowedException;
import dev.pail.Pail;
import dev.pail.ipld.Cid;
import dev.pail.table.document.JsonReader;
import dev.pail.table.document.Values;
import dev.pail.table.index.IndexKeys;
import dev.pail.table.index.InlineRows;
import dev.pail.table.index.KeyText;
import dev.pail.table.index.TableInfo;
import dev.pail.table.index.TableText;
import dev.pail.update.Derivation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Several changes of rows that make one new version, with the entries of their indexes. Later changes build on earlier ones. A
 * refused change leaves the batch as it was. A batch takes about a kilobyte of memory for a row, and a third of that for each index,
 * but none for documents: it stores them at once.
 *
 * <p>Not for use by several threads at once.
 *
 * <pre>{@code
 * Tables next = Tables.of(pail).batch()
 *         .put("people", "ann", Document.parse("{\"age\":30}"))
 *         .insert("people", "eve", Document.parse("{\"age\":17}")) // or throws, if the row is there
 *         .commit(); // one new version, with the entries of all indexes
 * }</pre>
 */
@CheckReturnValue
public final class TableBatch {
    /** The most changes, or bytes of their shards, that are committed together, since they take much memory beside all changes. */
    private static final int MOST_TOGETHER = 1 << 17;

    private static final long MOST_OPENED = 1 << 27;

    private final Pail base;

    /** Null outside of updates. */
    private final @Nullable Derivation derivation;

    private final Map<String, TableInfo> tables = new HashMap<>();

    /** The rows that were changed, by their keys. */
    private final Map<String, State> rows = new HashMap<>();

    private final UniqueValues unique = new UniqueValues();
    private final SchemaRows schemas = new SchemaRows();

    private final List<Change> changes = new ArrayList<>();
    private final DocumentBlocks blocks;
    private boolean over;

    /** How many documents were put in the place of others. */
    private long replaced;

    /** What a key is to have; nothing, if it is to be deleted. */
    private record Change(String key, @Nullable Cid value) implements Comparable<Change> {
        @Override
        public int compareTo(Change other) {
            return key.compareTo(other.key);
        }
    }

    /**
     * What a row has.
     *
     * @param document its CID, or null if the row is not there
     * @param values what is indexed of it, index by index, as the CIDs of the reverse entries; null where nothing is
     * @param from where a load has it from: the line of a text as its id, the negative line of an integer; else 0
     */
    private record State(@Nullable Cid document, List<Optional<Cid>> values, long from) {}

    TableBatch(Pail base) {
        this.base = base;
        this.derivation = Derivation.of(base);
        this.blocks = new DocumentBlocks(base.blocks());
    }

    /** @param table one that is known to be there */
    TableBatch(Pail base, TableInfo table) {
        this(base);
        tables.put(table.name, table);
    }

    /**
     * Gives a row a document, whether the row is there or not.
     *
     * @throws TableException if there is no such table; if the id is longer than 1,024 bytes, or has a unit separator or a lone
     *     surrogate; if an indexed field has a value that is not indexable; if another row has its values in a unique index; if the
     *     document does not fit the {@link Schema} of the table; or if the pail does not take the key of the row or of an index entry
     */
    @CanIgnoreReturnValue
    public TableBatch put(String table, String id, Document document) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(document, "document");
        putOpen(info(table), id, document, IfPresent.REPLACE, 0);
        return this;
    }

    /**
     * Adds a row.
     *
     * @throws TableException as {@link #put} throws, and if the row is there already
     */
    @CanIgnoreReturnValue
    public TableBatch insert(String table, String id, Document document) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(document, "document");
        putOpen(info(table), id, document, IfPresent.REFUSE, 0);
        return this;
    }

    /**
     * Removes a row, if it is there. Finds its index entries by its reverse entries.
     *
     * @return whether the row was there
     * @throws TableException if there is no such table
     */
    @CanIgnoreReturnValue
    public boolean delete(String table, String id) {
        Objects.requireNonNull(id, "id");
        TableInfo info = info(table);
        String row = KeyText.escapedId(id);
        String key = info.rows + row;
        State old = state(info, key, row);
        if (old.document == null) {
            return false;
        }
        List<Change> removed = new ArrayList<>();
        removed.add(new Change(key, null));
        List<Optional<Cid>> none = new ArrayList<>();
        for (int i = 0; i < info.indexes.size(); i++) {
            reindex(removed, info.indexes.get(i), row, old.values.get(i), Optional.empty());
            none.add(Optional.empty());
        }
        add(removed);
        unique.remove(info, row, old.values);
        rows.put(key, new State(null, none, 0));
        return true;
    }

    /** How a block keeps a loaded document. */
    public enum Blob {
        /** As {@link Document#parse(String)}. */
        ENCODED,
        /** As {@link Document#raw}: the JSON text itself, from its first brace to its last. */
        RAW,
        /** As {@link #RAW}, and whole in a segment, if the store can have segments: {@link Table#locate} gives its place. */
        RAW_WHOLE
    }

    /**
     * The options for loading rows from the lines of a text.
     *
     * @param id the field with the id of a row: a text or an integer
     * @param document the field with its document; if empty, the whole line is the document
     * @param replace whether to replace the document of an existing row; else such a row is refused
     * @param blob how blocks keep the documents
     */
    public record Load(FieldPath id, Optional<FieldPath> document, boolean replace, Blob blob) {
        /** @throws IllegalArgumentException if the document is a field, and is to be raw: its own bytes are not those of a text */
        public Load {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(document, "document");
            Objects.requireNonNull(blob, "blob");
            if (document.isPresent() && blob != Blob.ENCODED) {
                throw new IllegalArgumentException("a document in a field is not raw");
            }
        }

        /** For documents that are {@link Blob#ENCODED}. */
        public Load(FieldPath id, Optional<FieldPath> document, boolean replace) {
            this(id, document, replace, Blob.ENCODED);
        }

        /** For lines that are the documents. */
        public Load(FieldPath id, boolean replace) {
            this(id, Optional.empty(), replace);
        }
    }

    /**
     * Puts a row for each line of a text. A line is an object in JSON; blank lines are skipped. After a refused line, the batch
     * cannot be used any more.
     *
     * @param lines returns the next line, and null at the end
     * @param progress receives the number of rows so far, after each row
     * @return the number of rows
     * @throws DocumentException if a line is no document, or has no document or id in its field; it names line and column
     * @throws TableException as for {@link #put} and {@link #insert}, and if an integer and a text make the same id; it names the line
     */
    @CanIgnoreReturnValue
    public long load(String table, Supplier<@Nullable String> lines, Load load, LongConsumer progress) {
        Objects.requireNonNull(lines, "lines");
        AtomicLong number = new AtomicLong();
        Supplier<@Nullable Text> texts = () -> {
            String line = lines.get();
            return line == null ? null : new Text(line, number.incrementAndGet(), 1);
        };
        return loadTexts(table, texts, load, progress).rows();
    }

    /**
     * A JSON object, and its place in the loaded text for messages.
     *
     * @param line from 1
     * @param column from 1
     */
    public record Text(String json, long line, int column) {
        public Text {
            Objects.requireNonNull(json, "json");
        }
    }

    /**
     * The result of a load.
     *
     * @param rows the number of rows that were put
     * @param replaced the number of those that replaced a different document, from before the load or from an earlier text
     */
    public record Loaded(long rows, long replaced) {}

    /**
     * As {@link #load}, for texts that may begin anywhere in a line and span several lines.
     *
     * @param texts returns the next text, and null at the end
     */
    @CanIgnoreReturnValue
    public Loaded loadTexts(String table, Supplier<@Nullable Text> texts, Load load, LongConsumer progress) {
        Objects.requireNonNull(texts, "texts");
        Objects.requireNonNull(load, "load");
        Objects.requireNonNull(progress, "progress");
        TableInfo info = info(table);
        over = true;
        long before = replaced;
        long count = 0;
        for (Text text = texts.get(); text != null; text = texts.get()) {
            if (!text.json.isBlank()) {
                loadText(info, text, load);
                progress.accept(++count);
            }
        }
        over = false;
        return new Loaded(count, replaced - before);
    }

    private void loadText(TableInfo info, Text text, Load load) {
        try {
            // What is around a document is no part of it, and is not bound by the rules of one.
            Object tree = JsonReader.value(
                    text.json, load.document.map(FieldPath::depth).orElse(0));
            Document document = load.blob == Blob.ENCODED
                    ? load.document.map(field -> document(tree, field)).orElseGet(() -> Document.ofTree(tree))
                    : Document.raw(tree, text.json.strip());
            if (load.blob == Blob.RAW_WHOLE) {
                blocks.keepWhole(document);
            }
            long from = isInteger(load.id.in(tree)) ? -text.line : text.line;
            putOpen(info, rowId(tree, load.id), document, load.replace ? IfPresent.REPLACE : IfPresent.REFUSE, from);
        } catch (DocumentException e) {
            throw e.at(text.line, text.column);
        } catch (TableException e) {
            throw new TableException(e.reason(), "line " + text.line + ": " + e.getMessage(), e);
        }
    }

    private static Document document(Object tree, FieldPath field) {
        if (field.in(tree) instanceof Map<?, ?> object) {
            return Document.ofTree(object);
        }
        throw new DocumentException(
                0, 1, "a row has its document in the field " + TableText.quoted(field.text()) + ": an object");
    }

    /**
     * Returns the id in a field of a document: a text, or an integer as it is written.
     *
     * @throws DocumentException if the field has no id
     */
    public static String rowId(Document document, FieldPath field) {
        return rowId(document.tree(), field);
    }

    private static String rowId(Object tree, FieldPath field) {
        String id = idText(field.in(tree));
        if (id != null) {
            return id;
        }
        throw new DocumentException(
                0, 1, "a row has its id in the field " + TableText.quoted(field.text()) + ": a text or an integer");
    }

    /** The id that a value makes: a text, or an integer as it is written; else null. */
    static @Nullable String idText(@Nullable Object id) {
        return id instanceof String || isInteger(id) ? String.valueOf(id) : null;
    }

    private static boolean isInteger(@Nullable Object id) {
        return id != null && Values.isInteger(id);
    }

    private TableInfo info(String table) {
        checkOpen();
        return tables.computeIfAbsent(table, name -> Tables.of(base).table(name).info());
    }

    /** What happens if there is a row with the id. */
    private enum IfPresent {
        REPLACE,
        REFUSE
    }

    /** @param from as {@link State} has it */
    private void putOpen(TableInfo info, String id, Document given, IfPresent ifPresent, long from) {
        checkInterrupted();
        String row = KeyText.escapedId(id);
        String key = info.rows + row;
        Document document = schemas.fitted(info, id, given);
        Cid cid = InlineRows.value(document.block(), blocks.isWhole(document) ? 0 : info.inline);
        List<Optional<IndexKeys.Indexed>> now = new ArrayList<>(info.indexes.size());
        for (IndexKeys index : info.indexes) {
            now.add(index.indexed(id, cid, document::at));
        }
        List<Optional<Cid>> values = now.stream()
                .map(indexed -> indexed.map(IndexKeys.Indexed::reverse))
                .toList();
        State old = state(info, key, row);
        boolean isOtherKind = old.from < 0 ? from > 0 : old.from > 0 && from < 0;
        if (old.document != null && (ifPresent == IfPresent.REFUSE || isOtherKind)) {
            throw new TableException(
                    TableException.Reason.ROW_EXISTS,
                    "there is a row " + TableText.quoted(id) + " in the table " + TableText.quoted(info.name)
                            + " already"
                            + (old.from == 0 ? "" : ", from line " + Math.abs(old.from))
                            + (isOtherKind ? ": an integer and a text make one id" : ""));
        }
        boolean isNew = old.document == null || !cid.equals(old.document);
        if (isNew || !old.values.equals(values)) {
            unique.check(base, info, row, now, each -> !rows.containsKey(info.rows + each));
            add(changes(info, id, new Change(key, cid), old.values, now));
        }
        if (isNew || from != 0 || !old.values.equals(values)) {
            unique.remove(info, row, old.values);
            unique.add(info, row, values);
            rows.put(key, new State(cid, values, from));
        }
        replaced += isNew && old.document != null ? 1 : 0;
        if (InlineRows.document(cid) == null) {
            // What the row has already, too: its block may be missing or damaged.
            blocks.add(document);
        }
    }

    private void add(List<Change> more) {
        if (derivation != null && changes.isEmpty()) {
            derivation.begin();
        }
        changes.addAll(more);
    }

    /** What changes with a row. It is refused here if the pail does not take it: a commit would refuse the whole batch. */
    private List<Change> changes(
            TableInfo info, String id, Change row, List<Optional<Cid>> old, List<Optional<IndexKeys.Indexed>> now) {
        List<Change> all = new ArrayList<>();
        all.add(row);
        String why = refusal(all);
        if (why != null) {
            throw new TableException(
                    TableException.Reason.NAME, row(info, id) + " has a key that the pail does not take: " + why);
        }
        for (int i = 0; i < now.size(); i++) {
            IndexKeys index = info.indexes.get(i);
            int before = all.size();
            reindex(all, index, row.key.substring(info.rows.length()), old.get(i), now.get(i));
            why = refusal(all.subList(before, all.size()));
            if (why != null) {
                throw new TableException(
                        TableException.Reason.NOT_INDEXABLE,
                        row(info, id) + " has in " + TableText.indexOn(index.name.index())
                                + " a key that the pail does not take (T5): " + why);
            }
        }
        return all;
    }

    private static String row(TableInfo info, String id) {
        return "the row " + TableText.quoted(id) + " of the table " + TableText.quoted(info.name);
    }

    /** Why the pail does not take a key that gets a value, or null if it takes all. */
    private @Nullable String refusal(List<Change> some) {
        try {
            for (Change change : some) {
                if (change.value != null) {
                    base.format().checkKey(change.key);
                }
            }
            return null;
        } catch (KeyNotAllowedException e) {
            return e.getMessage();
        }
    }

    private static void reindex(
            List<Change> to, IndexKeys index, String row, Optional<Cid> old, Optional<IndexKeys.Indexed> now) {
        Optional<Cid> reverse = now.map(IndexKeys.Indexed::reverse);
        if (!old.equals(reverse)) {
            // Of changes of one key the last counts: values that stay are put below.
            old.map(IndexKeys::values)
                    .ifPresent(values -> values.forEach(value -> to.add(new Change(index.entry(value, row), null))));
            to.add(new Change(index.reverse + row, reverse.orElse(null)));
        }
        now.ifPresent(indexed ->
                indexed.values().forEach(value -> to.add(new Change(index.entry(value, row), indexed.link()))));
    }

    private State state(TableInfo info, String key, String row) {
        State known = rows.get(key);
        if (known != null) {
            return known;
        }
        Cid document = base.get(key).orElse(null);
        List<Optional<Cid>> values = new ArrayList<>(info.indexes.size());
        for (IndexKeys index : info.indexes) {
            values.add(document == null ? Optional.empty() : base.get(index.reverse + row));
        }
        return new State(document, values, 0);
    }

    /**
     * Stores the new version and returns its tables. A batch can be committed once.
     *
     * @throws IllegalStateException if the batch is over: it was committed, or loading failed
     */
    public Tables commit() {
        return commit(MOST_TOGETHER, MOST_OPENED);
    }

    Tables commit(int mostTogether, long mostOpened) {
        checkOpen();
        over = true;
        if (derivation != null && !changes.isEmpty()) {
            derivation.commit();
        }
        blocks.flush();
        rows.clear();
        unique.clear();
        // Rule T8.
        // In the order of keys: the root must not depend on anything else, and it goes faster. Of changes of one key
        // the last counts.
        changes.sort(null);
        Batch batch = base.batch();
        int together = 0;
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            if (i + 1 < changes.size() && changes.get(i + 1).key.equals(change.key)) {
                continue;
            }
            if (together == mostTogether || batch.openedBytes() > mostOpened) {
                batch = batch.commit().batch();
                together = 0;
            }
            together++;
            if (change.value == null) {
                batch.delete(change.key);
            } else {
                batch.put(change.key, change.value);
            }
        }
        return Tables.of(batch.commit());
    }

    private void checkInterrupted() {
        if (derivation != null) {
            derivation.checkInterrupted();
        }
    }

    private void checkOpen() {
        checkInterrupted();
        if (over) {
            throw new IllegalStateException("the batch was committed, or a load of it failed: start another");
        }
    }
}
