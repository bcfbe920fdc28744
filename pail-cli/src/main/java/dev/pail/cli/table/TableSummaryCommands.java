package dev.pail.cli.table;

import dev.pail.Escapes;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.table.FieldPath;
import dev.pail.table.Filter;
import dev.pail.table.Scalar;
import dev.pail.table.Summary;
import dev.pail.table.Table;
import dev.pail.table.Tables;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Counts rows and sums up their fields. */
final class TableSummaryCommands {
    private TableSummaryCommands() {}

    /** An action that prints one value. */
    private abstract static class Summing extends TableQuery {
        private static final Option.Text WHERE =
                Option.text("FILTER", "Only the rows that match this filter: see scan.", "--where");

        final String name;

        Summing(String name, String... description) {
            super(name, description);
            this.name = name;
            parameter("TABLE", "1", "The table.");
        }

        final void sums() {
            takes(WHERE);
            printsCells();
            readsAt();
        }

        /** The field to sum up, or null. */
        abstract @Nullable FieldPath field(Call call);

        /** The value of all rows that match. */
        abstract Optional<Scalar> value(Call call, Table table, Filter filter, @Nullable FieldPath field);

        /** Prints what is asked for. */
        void print(
                Call call,
                TablePrinter.Format format,
                TablePrinter.Cells cells,
                Table table,
                Filter filter,
                @Nullable FieldPath field) {
            one(call, format, cells, value(call, table, filter, field).orElseThrow(() -> none(field)));
        }

        @Override
        public final int run(Call call) {
            String where = call.get(WHERE);
            Filter filter = where == null ? Filter.all() : Filter.parse(where);
            FieldPath field = field(call);
            TablePrinter.Format format = TablePrinter.Format.of(call.terminal(), call.get(FORMAT));
            TablePrinter.Cells cells = TablePrinter.Cells.of(format, call.get(CELLS));
            try (Versions versions = call.versions()) {
                print(call, format, cells, Tables.of(versions.pail()).table(call.parameter(0)), filter, field);
                return Exit.DONE;
            }
        }

        private Failure.Found none(@Nullable FieldPath field) {
            return new Failure.Found(
                    Exit.NO, "absent", "no row has a value for " + name + " in the field " + field, null);
        }

        private void one(Call call, TablePrinter.Format format, TablePrinter.Cells cells, Scalar value) {
            switch (format) {
                case TABLE -> call.terminal().print(Escapes.escape(value.plain()));
                case NDJSON ->
                    call.terminal().printJson(json -> {
                        json.writeFieldName(name);
                        json.writeRawValue(value.json());
                    });
                case CSV -> {
                    TablePrinter printer = TablePrinter.of(call.terminal(), format, cells, List.of(name));
                    printer.add(cell(cells, Optional.of(value)));
                    printer.end();
                }
            }
        }

        static String cell(TablePrinter.Cells cells, Optional<Scalar> value) {
            return value.map(cells == TablePrinter.Cells.JSON ? Scalar::json : Scalar::plain)
                    .orElse("");
        }
    }

    /** An action that prints one value, or one for each group of rows. */
    private abstract static class Grouping extends Summing {
        private static final Option.Text BY =
                Option.text("FIELD", "Print one line for each value of this field, in the order of values.", "--by");

        Grouping(String name, String... description) {
            super(name, description);
        }

        final void groups() {
            takes(BY);
            sums();
        }

        /** The value of some rows. */
        abstract Optional<Scalar> value(Summary summary);

        @Override
        final void print(
                Call call,
                TablePrinter.Format format,
                TablePrinter.Cells cells,
                Table table,
                Filter filter,
                @Nullable FieldPath field) {
            String by = call.get(BY);
            if (by == null) {
                super.print(call, format, cells, table, filter, field);
                return;
            }
            FieldPath group = FieldPath.parse(by);
            groups(call, format, cells, group, table.summaries(filter, group, Optional.ofNullable(field)));
        }

        private void groups(
                Call call,
                TablePrinter.Format format,
                TablePrinter.Cells cells,
                FieldPath by,
                List<Summary.Group> groups) {
            List<String> columns = new ArrayList<>(List.of(by.text(), name));
            TablePrinter printer = TablePrinter.of(call.terminal(), format, cells, columns);
            for (Summary.Group group : groups) {
                Optional<Scalar> value = value(group.summary());
                if (format != TablePrinter.Format.NDJSON) {
                    printer.add(cell(cells, group.value()), cell(cells, value));
                    continue;
                }
                call.terminal().printJson(json -> {
                    if (group.value().isPresent()) {
                        json.writeFieldName("group");
                        json.writeRawValue(group.value().get().json());
                    }
                    if (value.isPresent()) {
                        json.writeFieldName(name);
                        json.writeRawValue(value.get().json());
                    }
                });
            }
            printer.end();
        }
    }

    /** Counts rows. */
    static final class Count extends Grouping {
        Count() {
            super(
                    "count",
                    "Counts the rows of a table, or those that match a filter.",
                    "With --by, rows without the field, and with a list or an object in it, come last as one group without a value.");
            groups();
            examples(
                    "  pail table count people",
                    "  pail table count people --where 'age >= 18'",
                    "  pail table count people --by address.city");
        }

        @Override
        @Nullable
        FieldPath field(Call call) {
            return null;
        }

        @Override
        Optional<Scalar> value(Call call, Table table, Filter filter, @Nullable FieldPath field) {
            return Optional.of(Scalar.of(table.count(filter)));
        }

        @Override
        Optional<Scalar> value(Summary summary) {
            return Optional.of(Scalar.of(summary.rows()));
        }
    }

    /** Sums up a field. */
    static final class Total extends Grouping {
        private static final String NUMBERS =
                "It takes numbers alone, as exact decimals: 0.1 and 0.2 make 0.3, and nothing overflows. ";
        private static final String VALUES =
                "It takes all values but null: false, true, numbers, then texts, as an index orders them. ";
        private static final String NONE =
                "If no row has such a value, the exit status is 1; with --by, the group has an empty cell.";

        private final Function<Summary, Optional<Scalar>> function;

        private Total(Function<Summary, Optional<Scalar>> function, String name, String... description) {
            super(name, description);
            this.function = function;
            parameter("FIELD", "1", "The path of the field, as address.city.");
            groups();
            examples(
                    "  pail table " + name + " orders price",
                    "  pail table " + name + " orders price --by customer.city");
        }

        static Total sum() {
            return new Total(
                    summary -> Optional.of(summary.sum()),
                    "sum",
                    "Adds the numbers that the rows of a table have in a field.",
                    NUMBERS + "The sum of no numbers is 0. It refuses numbers of 10^2047 and more.");
        }

        static Total min() {
            return new Total(
                    Summary::min, "min", "Prints the least value that the rows have in a field.", VALUES + NONE);
        }

        static Total max() {
            return new Total(
                    Summary::max, "max", "Prints the greatest value that the rows have in a field.", VALUES + NONE);
        }

        static Total avg() {
            return new Total(
                    Summary::average,
                    "avg",
                    "Prints the average of the numbers that the rows have in a field.",
                    NUMBERS + "An average of more than 34 digits is rounded, half to even. " + NONE);
        }

        @Override
        FieldPath field(Call call) {
            return FieldPath.parse(call.parameter(1));
        }

        @Override
        Optional<Scalar> value(Call call, Table table, Filter filter, @Nullable FieldPath field) {
            return field == null ? Optional.empty() : value(table.summary(filter, field));
        }

        @Override
        Optional<Scalar> value(Summary summary) {
            return function.apply(summary);
        }
    }

    private static final int MOST_DIGITS = 20;

    /** Finds the value at a place in the order of all values. */
    static final class Percentile extends Summing {
        Percentile() {
            super(
                    "percentile",
                    "Prints the value that some percent of the values in a field do not exceed: with 50, the median.",
                    "It is one of the values, and takes all of them but null, in the order of min and max. If there are none, the exit status is 1. "
                            + "Of a whole table with an index on this field alone, it reads one row.");
            parameter("FIELD", "1", "The path of the field, as address.city.");
            parameter("PERCENT", "1", "From 0, the least value, to 100, the greatest one: 50, or 99.9.");
            sums();
            examples(
                    "  pail table percentile orders price 50",
                    "  pail table percentile orders price 99.9 --where 'customer.city == Oslo'");
        }

        @Override
        FieldPath field(Call call) {
            return FieldPath.parse(call.parameter(1));
        }

        @Override
        Optional<Scalar> value(Call call, Table table, Filter filter, @Nullable FieldPath field) {
            return field == null ? Optional.empty() : table.percentile(filter, field, percent(call.parameter(2)));
        }

        private static BigDecimal percent(String text) {
            try {
                BigDecimal percent = text.length() > MOST_DIGITS ? null : new BigDecimal(text);
                if (percent != null
                        && percent.scale() <= MOST_DIGITS
                        && percent.signum() >= 0
                        && percent.compareTo(BigDecimal.valueOf(100)) <= 0) {
                    return percent;
                }
            } catch (NumberFormatException e) {
                // It is said below.
            }
            throw Failure.usage("a percentage is a number from 0 to 100, not " + Escapes.brief(text));
        }
    }
}
