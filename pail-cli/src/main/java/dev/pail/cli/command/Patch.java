package dev.pail.cli.command;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.KeyChange;
import dev.pail.Pail;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Terminal;
import dev.pail.cli.text.Codecs;
import dev.pail.cli.text.WordDiff;
import dev.pail.content.Content;
import dev.pail.content.ContentDiff;
import dev.pail.content.ContentJson;
import dev.pail.content.lines.Edit;
import dev.pail.ipld.Cid;
import dev.pail.table.Bytes;
import dev.pail.table.Index;
import dev.pail.table.Row;
import dev.pail.table.RowChange;
import dev.pail.table.Table;
import dev.pail.table.TableKey;
import dev.pail.table.Tables;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Prints how the values of two versions differ: text by lines, documents by fields, folders by files, other bytes by size. */
public final class Patch {
    public static final Option.Flag PATCH = Option.flag(
            "Show what differs in the values: text by lines, JSON, dag-cbor and rows by fields, folders by files,"
                    + " other bytes by size.",
            "-p",
            "--patch");

    /** For commands that have no numbers of their own. */
    public static final Option.Flag STAT = Option.flag(
            "As -p, but show only how many lines, fields or names of each value were added and removed.", "--stat");

    public static final Option.Flag WORD_DIFF = Option.flag(
            "As -p, but mark the words that differ within lines: [-removed-] and {+added+}.", "--word-diff");

    /** How much is shown of a difference. */
    private enum Form {
        LINES,
        WORDS,
        COUNTS
    }

    /** The longest path whose folder is opened, in characters. */
    private static final int MOST_PATH = 4096;

    /** The longest bar of signs beside a count. */
    private static final int MOST_SIGNS = 40;

    /** The unchanged lines that are printed around a run that differs. */
    private static final int CONTEXT = 3;

    private static final String ARROW = " -> ";

    private final Terminal terminal;
    private final BlockStore blocks;
    private final Form form;
    private int values;
    private long added;
    private long removed;

    public Patch(Terminal terminal, BlockStore blocks) {
        this(terminal, blocks, Form.LINES);
    }

    private Patch(Terminal terminal, BlockStore blocks, Form form) {
        this.terminal = terminal;
        this.blocks = blocks;
        this.form = form;
    }

    /** What {@link #PATCH}, {@link #STAT} and {@link #WORD_DIFF} ask for, if one of them is given. */
    public static Optional<Patch> of(Call call, BlockStore blocks) {
        Form form = call.get(STAT) ? Form.COUNTS : call.get(WORD_DIFF) ? Form.WORDS : Form.LINES;
        return form == Form.LINES && !call.get(PATCH)
                ? Optional.empty()
                : Optional.of(new Patch(call.terminal(), blocks, form));
    }

    /**
     * Prints the keys and rows that differ.
     *
     * @param keys chooses the keys whose changes are printed; tables and rows have keys, too
     * @param tables chooses the tables, by name, whose changes are all printed
     * @return whether any differ
     */
    public boolean print(Pail before, Pail after, Predicate<String> keys, Predicate<String> tables) {
        boolean areTables = Tables.mayBeIn(before) || Tables.mayBeIn(after);
        boolean[] any = new boolean[1];
        try (Stream<KeyChange> changes = before.diff(after).keys()) {
            changes.filter(change -> keys.test(change.key())).forEachOrdered(change -> {
                any[0] = true;
                if (!areTables || !Tables.mayHave(change.key())) {
                    print(change);
                }
            });
        }
        if (areTables) {
            Map<String, Table> old = tables(before);
            Map<String, Table> now = tables(after);
            any[0] |=
                    printTables(old, now, name -> tables.test(name) || keys.test(new TableKey(Bytes.of(name)).toKey()));
            try (Stream<RowChange> rows = Tables.of(before).diff(Tables.of(after))) {
                rows.filter(row -> tables.test(row.table()) || keys.test(key(row, old, now)))
                        .forEachOrdered(row -> {
                            any[0] = true;
                            print(row);
                        });
            }
        }
        if (form == Form.COUNTS && !terminal.json) {
            printSum();
        }
        return any[0];
    }

    private static String key(RowChange row, Map<String, Table> before, Map<String, Table> after) {
        Table table = (row.after().isPresent() ? after : before).get(row.table());
        return Objects.requireNonNull(table).key(row.id());
    }

    private static Map<String, Table> tables(Pail pail) {
        Map<String, Table> tables = new TreeMap<>();
        Tables.of(pail).list().forEach(table -> tables.put(table.name(), table));
        return tables;
    }

    /** The indexed fields of a table; null if there is no table. */
    private static @Nullable List<String> indexes(@Nullable Table table) {
        return table == null
                ? null
                : table.declaredIndexes().stream().map(Index::toString).toList();
    }

    private boolean printTables(Map<String, Table> before, Map<String, Table> after, Predicate<String> tables) {
        boolean any = false;
        Set<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        for (String name : names) {
            List<String> old = indexes(before.get(name));
            List<String> now = indexes(after.get(name));
            if (Objects.equals(old, now) || !tables.test(name)) {
                continue;
            }
            any = true;
            if (terminal.json) {
                terminal.printJson(json -> {
                    json.writeStringField("change", old == null ? "added" : now == null ? "removed" : "changed");
                    json.writeStringField("table", name);
                    Json.writeTexts(json, "indexesBefore", old == null ? List.of() : old);
                    Json.writeTexts(json, "indexesAfter", now == null ? List.of() : now);
                });
                continue;
            }
            terminal.print((old == null ? "+ " : now == null ? "- " : "~ ") + "table " + Escapes.escape(name));
            for (String field : now == null ? List.<String>of() : now) {
                if (old == null || !old.contains(field)) {
                    terminal.print("  index on " + Escapes.printable(field) + " (added)");
                }
            }
            for (String field : old == null ? List.<String>of() : old) {
                if (now != null && !now.contains(field)) {
                    terminal.print("  index on " + Escapes.printable(field) + " (removed)");
                }
            }
        }
        return any;
    }

    private void print(KeyChange change) {
        ContentDiff diff = diff(change.before(), change.after());
        if (terminal.json) {
            terminal.printJson(json -> {
                write(json, change);
                write(json, diff);
            });
            return;
        }
        print(mark(change.before(), change.after()) + Escapes.escape(change.key()), diff);
    }

    private void print(RowChange change) {
        Optional<Cid> before = change.before().map(Row::cid);
        Optional<Cid> after = change.after().map(Row::cid);
        ContentDiff diff = diff(before, after);
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("change", before.isEmpty() ? "added" : after.isEmpty() ? "removed" : "changed");
                json.writeStringField("table", change.table());
                json.writeStringField("row", change.id());
                Json.writeCid(json, "before", before);
                Json.writeCid(json, "after", after);
                write(json, diff);
            });
            return;
        }
        print(
                mark(before, after) + "table " + Escapes.escape(change.table()) + " row " + Escapes.escape(change.id()),
                diff);
    }

    /** Prints what differs between two values. */
    public void print(Optional<Cid> before, Optional<Cid> after) {
        print(diff(before, after));
    }

    /** Writes what differs between two values. */
    public void write(JsonGenerator json, Optional<Cid> before, Optional<Cid> after) throws IOException {
        write(json, diff(before, after));
    }

    private void write(JsonGenerator json, ContentDiff diff) throws IOException {
        if (form == Form.COUNTS && !(diff instanceof ContentDiff.Whole)) {
            json.writeNumberField("added", diff.added());
            json.writeNumberField("removed", diff.removed());
        } else {
            ContentJson.write(json, diff);
        }
    }

    private ContentDiff diff(Optional<Cid> before, Optional<Cid> after) {
        return ContentDiff.of(Content.read(blocks, before), Content.read(blocks, after));
    }

    private static String mark(Optional<Cid> before, Optional<Cid> after) {
        return before.isEmpty() ? "+ " : after.isEmpty() ? "- " : "~ ";
    }

    private void print(String name, ContentDiff diff) {
        if (form != Form.COUNTS) {
            terminal.print(name);
            print(diff);
            return;
        }
        values++;
        added += diff.added();
        removed += diff.removed();
        terminal.printStyled(name + " | " + (diff instanceof ContentDiff.Whole whole ? text(whole) : bar(diff)));
    }

    /** The number of parts that differ, and a sign for each; of many, a sign for several. */
    private String bar(ContentDiff diff) {
        int sum = diff.added() + diff.removed();
        int signs = Math.min(sum, MOST_SIGNS);
        int plus = sum == 0 ? 0 : (int) Math.ceil((double) diff.added() * signs / sum);
        return (sum + " " + terminal.added("+".repeat(plus)) + terminal.removed("-".repeat(signs - plus)));
    }

    private void printSum() {
        if (values > 0) {
            terminal.print(values + (values == 1 ? " value" : " values") + " changed, " + added
                    + (added == 1 ? " insertion(+), " : " insertions(+), ") + removed
                    + (removed == 1 ? " deletion(-)" : " deletions(-)"));
        }
        values = 0;
        added = 0;
        removed = 0;
    }

    private void print(ContentDiff diff) {
        if (diff instanceof ContentDiff.Lines lines) {
            printLines(lines);
        } else if (diff instanceof ContentDiff.Fields fields) {
            for (ContentDiff.Part<String> field : fields.fields()) {
                terminal.printStyled("  " + Escapes.printable(field.name()) + ": "
                        + between(
                                field.before().map(Escapes::printable),
                                field.after().map(Escapes::printable)));
            }
        } else if (diff instanceof ContentDiff.Names names) {
            printNames(names.names());
        } else if (diff instanceof ContentDiff.Whole whole) {
            terminal.printStyled("  " + text(whole));
        }
    }

    /** The files below a folder that differ, with what differs in them. */
    private void printNames(List<ContentDiff.Part<Cid>> names) {
        Deque<ContentDiff.Part<Cid>> open = new ArrayDeque<>(names);
        // A folder may be in many folders: the number of paths has no bound.
        for (int left = Content.MOST_NAMES; !open.isEmpty(); left--) {
            if (left == 0) {
                terminal.print("  more than " + Content.MOST_NAMES + " names differ");
                return;
            }
            ContentDiff.Part<Cid> part = open.pop();
            ContentDiff diff = diff(part.before(), part.after());
            if (diff instanceof ContentDiff.Names inner
                    && !inner.names().isEmpty()
                    && part.name().length() < MOST_PATH) {
                for (int i = inner.names().size() - 1; i >= 0; i--) {
                    ContentDiff.Part<Cid> below = inner.names().get(i);
                    open.push(new ContentDiff.Part<>(part.name() + "/" + below.name(), below.before(), below.after()));
                }
            } else {
                terminal.print("  " + mark(part.before(), part.after()) + Escapes.escape(part.name()));
                if (!(diff instanceof ContentDiff.Names)) {
                    print(diff);
                }
            }
        }
    }

    private String text(ContentDiff.Whole whole) {
        return between(text(whole.before()), text(whole.after()));
    }

    /** Both values; for one that is not there, what became of the other. */
    private String between(Optional<String> before, Optional<String> after) {
        Optional<String> old = before.map(terminal::removed);
        Optional<String> now = after.map(terminal::added);
        if (old.isEmpty()) {
            return now.orElse("") + " (added)";
        }
        return now.map(text -> old.get() + ARROW + text).orElse(old.get() + " (removed)");
    }

    private static Optional<String> text(Content content) {
        if (content instanceof Content.Nothing) {
            return Optional.empty();
        }
        if (content instanceof Content.Absent absent) {
            return Optional.of("not here: " + absent.value());
        }
        if (content instanceof Content.Bytes bytes) {
            String size = bytes.size() < 0 ? "" : ", " + bytes.size() + " bytes";
            return Optional.of(Codecs.name(bytes.value()) + size);
        }
        return Optional.of(content instanceof Content.Folder ? "a folder" : kind(content));
    }

    private static String kind(Content content) {
        return content instanceof Content.Fields ? "fields" : "text";
    }

    /** Runs with the lines around them, as a unified diff has them. Runs that are near each other are printed together. */
    private void printLines(ContentDiff.Lines lines) {
        List<Edit> edits = lines.edits();
        for (int from = 0, to; from < edits.size(); from = to) {
            to = from + 1;
            while (to < edits.size()
                    && edits.get(to).beforeFrom() - edits.get(to - 1).beforeTo() <= 2 * CONTEXT) {
                to++;
            }
            printHunk(lines, edits.subList(from, to));
        }
    }

    private void printHunk(ContentDiff.Lines lines, List<Edit> edits) {
        List<String> before = lines.before().lines();
        List<String> after = lines.after().lines();
        Edit first = edits.get(0);
        Edit last = edits.get(edits.size() - 1);
        int lead = Math.min(CONTEXT, first.beforeFrom());
        int tail = Math.min(CONTEXT, before.size() - last.beforeTo());
        int from = first.beforeFrom() - lead;
        terminal.printStyled(terminal.faint("@@ -" + range(from, last.beforeTo() + tail) + " +"
                + range(first.afterFrom() - lead, last.afterTo() + tail) + " @@"));
        int at = from;
        for (Edit edit : edits) {
            printAll(" ", before.subList(at, edit.beforeFrom()));
            List<String> gone = before.subList(edit.beforeFrom(), edit.beforeTo());
            List<String> come = after.subList(edit.afterFrom(), edit.afterTo());
            if (form == Form.WORDS) {
                String words = WordDiff.of(terminal, gone, come);
                terminal.printStyled(words.endsWith("\n") ? words.substring(0, words.length() - 1) : words);
            } else {
                printAll("-", gone);
                printAll("+", come);
            }
            at = edit.beforeTo();
        }
        printAll(" ", before.subList(at, at + tail));
    }

    private void printAll(String mark, List<String> lines) {
        for (String line : lines) {
            boolean isTerminated = line.endsWith("\n");
            String text = isTerminated ? line.substring(0, line.length() - 1) : line;
            String shown = (form == Form.WORDS ? "" : mark) + Escapes.printableLines(text);
            terminal.printStyled(
                    mark.equals("-") ? terminal.removed(shown) : mark.equals("+") ? terminal.added(shown) : shown);
            if (!isTerminated && form != Form.WORDS) {
                terminal.print("\\ No newline at end of file");
            }
        }
    }

    /** As unified diffs write lines: the first, and how many if that is not one. */
    private static String range(int from, int to) {
        int count = to - from;
        int first = count == 0 ? from : from + 1;
        return count == 1 ? Integer.toString(first) : first + "," + count;
    }

    public static void write(JsonGenerator json, KeyChange change) throws IOException {
        json.writeStringField("change", change.kind().name().toLowerCase(Locale.ROOT));
        json.writeStringField("key", change.key());
        Json.writeCid(json, "before", change.before());
        Json.writeCid(json, "after", change.after());
    }
}
