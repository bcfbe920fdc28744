package dev.pail.cli.table;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.Escapes;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Json;
import dev.pail.table.Document;
import dev.pail.table.DocumentException;
import dev.pail.table.FieldPath;
import dev.pail.table.Filter;
import dev.pail.table.Index;
import dev.pail.table.Plan;
import dev.pail.table.Row;
import dev.pail.table.RowChange;
import dev.pail.table.Scalar;
import dev.pail.table.Table;
import dev.pail.table.Tables;
import dev.pail.table.ValueRange;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds rows. */
final class TableQueryCommands {
    private TableQueryCommands() {}

    /** An action that prints rows. */
    private abstract static class Rows extends TableQuery {
        private static final Option.WholeNumber LIMIT = Option.number("N", "Print at most N rows.", "--limit");

        private static final Option.Text FIELDS =
                Option.text("FIELDS", "Only these fields, with commas between them: name,address.city", "--fields");

        Rows(String name, String... description) {
            super(name, description);
            parameter("TABLE", "1", "The table.");
        }

        final void printsRows() {
            takes(LIMIT, FIELDS);
            printsCells();
            readsAt();
        }

        /** @param most how many of them are printed */
        abstract Stream<Row> rows(Call call, Table table, long most);

        @Override
        public final int run(Call call) {
            long most = call.limit(LIMIT);
            List<FieldPath> fields = fields(call.get(FIELDS));
            try (Versions versions = call.versions()) {
                Table table = Tables.of(versions.pail()).table(call.parameter(0));
                DocumentPrinter printer = DocumentPrinter.of(call, fields);
                try (Stream<Row> rows = rows(call, table, most)) {
                    rows.limit(most).forEachOrdered(printer::add);
                }
                printer.end();
                if (most > 0 && printer.isEmpty()) {
                    foundNone(call, table);
                }
                return Exit.DONE;
            }
        }

        /** Says what the caller may have meant, if there is a guess. */
        void foundNone(Call call, Table table) {}

        private static List<FieldPath> fields(@Nullable String text) {
            Set<FieldPath> fields = new LinkedHashSet<>();
            if (text != null) {
                for (String field : text.split(",", -1)) {
                    fields.add(FieldPath.parse(field));
                }
            }
            return List.copyOf(fields);
        }
    }

    /** Finds rows by the value of an indexed field. */
    static final class Find extends Rows {
        private static final Option.Text GT = Option.text("VALUE", "Only greater values.", "--gt");

        private static final Option.Text GTE = Option.text("VALUE", "Only this value and greater ones.", "--gte");

        private static final Option.Text LT = Option.text("VALUE", "Only lesser values.", "--lt");

        private static final Option.Text LTE = Option.text("VALUE", "Only this value and lesser ones.", "--lte");

        private static final Option.Text PREFIX = Option.text("TEXT", "Only texts that start with this.", "--prefix");

        Find() {
            super(
                    "find",
                    "Prints the rows whose indexed field has a value, in the order of values.",
                    "A value is a number, true, false, null or a text; put a text that looks like another value in double quotes. Or give a range.");
            parameter("FIELD", "1", "The path of the field. It must be indexed.");
            parameter("VALUE", "0..1", "The value.");
            takes(GT, GTE, LT, LTE, PREFIX);
            printsRows();
            examples(
                    "  pail table find people address.city Oslo",
                    "  pail table find people age --gte 18 --lt 65 --fields name,age",
                    "  pail table find people name --prefix A --json");
        }

        @Override
        Stream<Row> rows(Call call, Table table, long most) {
            return table.find(FieldPath.parse(call.parameter(1)), range(call));
        }

        @Override
        void foundNone(Call call, Table table) {
            String given = call.optionalParameter(2);
            if (given == null) {
                return;
            }
            Scalar value = value(given);
            // A number that was meant as a text, or a text in quotes that was meant as a number.
            String json = given.strip();
            Scalar other = isText(value) && !value.equals(Scalar.of(given))
                    ? value(json.substring(1, json.length() - 1))
                    : Scalar.of(given);
            if (isText(other) == isText(value)) {
                return;
            }
            try (Stream<Row> rows = table.find(FieldPath.parse(call.parameter(1)), ValueRange.equal(other))) {
                if (rows.findFirst().isPresent()) {
                    call.terminal()
                            .warn("no row has " + (isText(value) ? "the text " : "the value ") + value.json()
                                    + ", but there is " + (isText(other) ? "the text " : "the value ") + other.json()
                                    + ": find it with '" + other.json() + "'");
                }
            }
        }

        private static boolean isText(Scalar value) {
            return value.json().startsWith("\"");
        }

        private static ValueRange range(Call call) {
            ValueRange range = ValueRange.all();
            String value = call.optionalParameter(2);
            range = value == null ? range : range.and(ValueRange.equal(value(value)));
            String gt = call.get(GT);
            range = gt == null ? range : range.and(ValueRange.after(value(gt)));
            String gte = call.get(GTE);
            range = gte == null ? range : range.and(ValueRange.from(value(gte)));
            String lt = call.get(LT);
            range = lt == null ? range : range.and(ValueRange.before(value(lt)));
            String lte = call.get(LTE);
            range = lte == null ? range : range.and(ValueRange.through(value(lte)));
            String prefix = call.get(PREFIX);
            return prefix == null ? range : range.and(ValueRange.prefix(prefix));
        }

        private static Scalar value(String text) {
            try {
                return Scalar.parse(text);
            } catch (DocumentException e) {
                return Scalar.of(text);
            }
        }
    }

    private static final Option.Text ORDER_BY = Option.text(
            "FIELDS",
            "Order the rows by the values of these fields, as city,age desc, then by ids; rows without a value last.",
            "--order-by");

    private static final Option.Flag DESC =
            Option.flag("With --order-by: greatest values first, in all its fields.", "--desc");

    private static final String DESC_NEEDS = "--desc needs --order-by FIELDS";

    private static List<Table.Order> orders(Call call, String fields) {
        boolean isDescending = call.get(DESC);
        return Index.parse(fields).fields().stream()
                .map(field -> new Table.Order(field.path(), isDescending || field.isDescending()))
                .toList();
    }

    /** Prints the rows that a filter lets through. */
    static final class Scan extends Rows {
        private static final Option.Text WHERE = Option.text("FILTER", "The filter.", "--where");

        Scan() {
            super(
                    "scan",
                    "Prints the rows of a table, or those that match a filter.",
                    "If an index helps, scan reads only the rows that it names: see explain. A filter compares fields with values by == or =, !=, <, <=, >,",
                    ">=, in [..], starts and contains; exists FIELD is true if the row has the field. Combine them with and, or, not and brackets.",
                    "lower(FIELD) compares texts in lower case, and FIELD[] holds for one item of a list.",
                    "--order-by reads an index that has this order, behind fields with an equality in the filter. Without one, or if another index answers",
                    "an equality in the filter, it sorts the rows in memory: with --limit N, it holds N of them.");
            takes(WHERE, ORDER_BY, DESC);
            needs(DESC, ORDER_BY, DESC_NEEDS);
            printsRows();
            examples(
                    "  pail table scan people",
                    "  pail table scan people --where 'age >= 30 and tags contains \"vip\"'",
                    "  pail table scan people --where 'tags[] = \"vip\" and lower(name) starts \"a\"'",
                    "  pail table scan people --where 'exists email' --format csv",
                    "  pail table scan people --order-by age --desc --limit 10",
                    "  pail table scan people --order-by 'address.city,age desc'");
        }

        @Override
        Stream<Row> rows(Call call, Table table, long most) {
            String where = call.get(WHERE);
            String field = call.get(ORDER_BY);
            Filter filter = where == null ? Filter.all() : Filter.parse(where);
            if (field != null) {
                return table.rows(filter, orders(call, field), most);
            }
            return where == null ? table.rows() : table.rows(filter);
        }
    }

    /** Tells how rows are found. */
    static final class Explain extends Command {
        Explain() {
            super("explain", "Shows how scan finds the rows of a filter: by an index, or by reading all.");
            parameter("TABLE", "1", "The table.");
            parameter("FILTER", "1", "The filter, as scan has it.");
            takes(ORDER_BY, DESC, Rows.FIELDS);
            needs(DESC, ORDER_BY, DESC_NEEDS);
            readsAt();
            examples(
                    "  pail table explain people 'age >= 30 and age < 40'",
                    "  pail table explain people 'address.city == \"Oslo\"' --order-by age");
        }

        @Override
        public int run(Call call) {
            Filter filter = Filter.parse(call.parameter(1));
            try (Versions versions = call.versions()) {
                Table table = Tables.of(versions.pail()).table(call.parameter(0));
                String fields = call.get(ORDER_BY);
                Plan plan = fields == null ? table.explain(filter) : table.explain(filter, orders(call, fields));
                boolean isCovered = plan.covers(Rows.fields(call.get(Rows.FIELDS))) && call.get(Rows.FIELDS) != null;
                if (!call.terminal().json) {
                    String read = isCovered ? "; documents: none, the index has the fields" : "";
                    call.terminal().print(Escapes.printable(plan + read));
                    return Exit.DONE;
                }
                call.terminal().printJson(json -> {
                    json.writeBooleanField("fullScan", plan.isFullScan());
                    json.writeArrayFieldStart("indexes");
                    for (Plan.Access access : plan.accesses()) {
                        json.writeStartObject();
                        json.writeStringField("field", access.field().text());
                        json.writeStringField("values", access.values().toString());
                        if (!access.index().isPlain()) {
                            json.writeStringField("index", access.index().toString());
                            Json.writeTexts(
                                    json,
                                    "ranges",
                                    access.ranges().stream()
                                            .map(ValueRange::toString)
                                            .toList());
                        }
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                    if (isCovered) {
                        json.writeBooleanField("covered", true);
                    }
                    if (plan.sort() != Plan.Sort.NONE) {
                        json.writeStringField("order", plan.sort() == Plan.Sort.INDEX ? "index" : "memory");
                    }
                    json.writeStringField("filter", filter.toString());
                });
                return Exit.DONE;
            }
        }
    }

    /** Tells which rows are different in another version. */
    static final class Diff extends TableQuery {
        Diff() {
            super(
                    "diff",
                    "Lists the rows that differ between two versions, with both documents.",
                    "With one revision, diff compares it with the current version. Without any, it compares the version before the last move of the branch.");
            parameter("FROM", "0..1", "The earlier version: " + Versions.HOW + "; else @{1}.");
            parameter("TO", "0..1", "The later version; else the current one.");
            printsCells();
            examples("  pail table diff", "  pail table diff @{3} --format csv");
        }

        @Override
        public int run(Call call) {
            String from = call.optionalParameter(0);
            String to = call.optionalParameter(1);
            TablePrinter.Format format = TablePrinter.Format.of(call.terminal(), call.get(FORMAT));
            TablePrinter.Cells cells = TablePrinter.Cells.of(format, call.get(CELLS));
            TablePrinter printer = TablePrinter.of(
                    call.terminal(), format, cells, List.of("change", "table", "id", "before", "after"));
            try (Versions versions = call.versions()) {
                Tables before =
                        Tables.of(versions.find(from == null ? "@{1}" : from).pail());
                Tables after = Tables.of(
                        to == null ? versions.pail() : versions.find(to).pail());
                try (Stream<RowChange> changes = before.diff(after)) {
                    changes.forEachOrdered(change -> {
                        if (format == TablePrinter.Format.NDJSON) {
                            call.terminal().printJson(json -> write(json, change));
                        } else {
                            printer.add(
                                    printer.text(kind(change)),
                                    printer.text(change.table()),
                                    printer.text(change.id()),
                                    json(change.before()),
                                    json(change.after()));
                        }
                    });
                }
                printer.end();
                return Exit.DONE;
            }
        }

        private static String kind(RowChange change) {
            return change.before().isEmpty() ? "added" : change.after().isEmpty() ? "removed" : "changed";
        }

        private static String json(Optional<Row> row) {
            return row.map(Row::document).map(Document::json).orElse("");
        }

        private static void write(JsonGenerator json, RowChange change) throws IOException {
            json.writeStringField("change", kind(change));
            json.writeStringField("table", change.table());
            json.writeStringField("id", change.id());
            if (change.before().isPresent()) {
                json.writeFieldName("before");
                json.writeRawValue(json(change.before()));
            }
            if (change.after().isPresent()) {
                json.writeFieldName("after");
                json.writeRawValue(json(change.after()));
            }
        }
    }
}
