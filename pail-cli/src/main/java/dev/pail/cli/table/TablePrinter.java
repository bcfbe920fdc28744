package dev.pail.cli.table;

import dev.pail.Escapes;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.cli.terminal.TextWidth;
import dev.pail.table.Scalar;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints rows of cells under columns: one JSON object a row at once, or all rows at the end, aligned or as CSV. */
final class TablePrinter {
    /** The output format. */
    enum Format {
        TABLE,
        NDJSON,
        CSV;

        static Format of(Terminal terminal, @Nullable String name) {
            if (name == null) {
                return terminal.json ? NDJSON : TABLE;
            }
            Format format = switch (name) {
                case "table" -> TABLE;
                case "ndjson" -> NDJSON;
                case "csv" -> CSV;
                default -> throw Failure.usage("--format is table, ndjson or csv, not " + Escapes.brief(name));
            };
            if (terminal.json && format != NDJSON) {
                throw Failure.usage("--json is --format ndjson: give one of --json and --format " + name);
            }
            return format;
        }
    }

    /** The content of the cells of CSV. */
    enum Cells {
        /** Texts as they are, other values as JSON: null and the text null look the same, and so do nothing and an empty text. */
        PLAIN,
        /** Each cell is JSON, and an empty cell is no value. */
        JSON,
        /** As plain, with an apostrophe before what a spreadsheet would take for a formula. */
        SPREADSHEET;

        static Cells of(Format format, @Nullable String name) {
            if (name == null) {
                return PLAIN;
            }
            if (format != Format.CSV) {
                throw Failure.usage("--cells is for --format csv");
            }
            return switch (name) {
                case "plain" -> PLAIN;
                case "json" -> JSON;
                case "spreadsheet" -> SPREADSHEET;
                default -> throw Failure.usage("--cells is plain, json or spreadsheet, not " + Escapes.brief(name));
            };
        }
    }

    private static final String BETWEEN = "  ";

    /** Spreadsheets take wide characters of these for the others. */
    private static final String FORMULA_STARTS = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20";

    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");

    private final Terminal terminal;
    private final Format format;
    private final Cells cells;
    private final List<String> columns;
    private final List<List<String>> rows = new ArrayList<>();

    private TablePrinter(Terminal terminal, Format format, Cells cells, List<String> columns) {
        this.terminal = terminal;
        this.format = format;
        this.cells = cells;
        this.columns = columns;
    }

    static TablePrinter of(Terminal terminal, @Nullable String format, String... columns) {
        return of(terminal, Format.of(terminal, format), List.of(columns));
    }

    static TablePrinter of(Terminal terminal, Format format, List<String> columns) {
        return of(terminal, format, Cells.PLAIN, columns);
    }

    static TablePrinter of(Terminal terminal, Format format, Cells cells, List<String> columns) {
        return new TablePrinter(terminal, format, cells, columns);
    }

    /** A text in the form of the cells. */
    String text(String text) {
        return cells == Cells.JSON ? Scalar.of(text).json() : text;
    }

    /** Adds a row with a cell for each column. */
    void add(String... cells) {
        if (format != Format.NDJSON) {
            rows.add(List.of(cells));
            return;
        }
        terminal.printJson(json -> {
            for (int i = 0; i < cells.length; i++) {
                json.writeStringField(columns.get(i), cells[i]);
            }
        });
    }

    /** Prints the rows that are not printed yet. */
    void end() {
        if (format == Format.CSV) {
            rows.forEach(TablePrinter::checkText);
            print(columns);
            rows.forEach(this::print);
        } else if (format == Format.TABLE) {
            printAligned();
        }
    }

    /** JSON has escapes for what is no text in any encoding; CSV has none. */
    private static void checkText(List<String> cells) {
        for (String cell : cells) {
            if (!StandardCharsets.UTF_8.newEncoder().canEncode(cell)) {
                throw new Failure.Found(
                        Exit.FAILED,
                        "bad-value",
                        "a text with a lone surrogate cannot be written as csv: " + Escapes.brief(cell),
                        "choose another form: --format ndjson");
            }
        }
    }

    private void print(List<String> row) {
        terminal.print(row.stream().map(cell -> csv(defused(cell), row.size())).collect(Collectors.joining(",")));
    }

    private String defused(String cell) {
        boolean isFormula = cells == Cells.SPREADSHEET
                && !cell.isEmpty()
                && FORMULA_STARTS.indexOf(cell.charAt(0)) >= 0
                && !NUMBER.matcher(cell).matches();
        return isFormula ? "'" + cell : cell;
    }

    /** An empty cell that is alone in its row has quotes: a reader would skip an empty line. */
    private static String csv(String cell, int columns) {
        boolean plain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain && !(columns == 1 && cell.isEmpty()) ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }

    private void printAligned() {
        if (rows.isEmpty()) {
            return;
        }
        List<List<String>> lines = new ArrayList<>();
        // As --fields takes them: a backslash in a path is one that belongs there.
        lines.add(columns.stream().map(Escapes::printable).toList());
        rows.forEach(row -> lines.add(escaped(row)));
        int[] widths = new int[columns.size()];
        for (List<String> line : lines) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], TextWidth.of(line.get(i)));
            }
        }
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                text.append(line.get(i))
                        .append(" ".repeat(widths[i] - TextWidth.of(line.get(i))))
                        .append(BETWEEN);
            }
            terminal.print(text.toString().stripTrailing());
        }
    }

    private static List<String> escaped(List<String> cells) {
        return cells.stream().map(Escapes::escape).toList();
    }
}
