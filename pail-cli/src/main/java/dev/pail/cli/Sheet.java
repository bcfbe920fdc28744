package dev.pail.cli;

import dev.pail.Escapes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows of cells under columns, printed at the end: aligned, as CSV; or at once as one JSON object a row. */
final class Sheet {
    /** How rows look. */
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

    private static final String BETWEEN = "  ";

    private final Terminal terminal;
    private final Format format;
    private final List<String> columns;
    private final List<List<String>> rows = new ArrayList<>();

    private Sheet(Terminal terminal, Format format, List<String> columns) {
        this.terminal = terminal;
        this.format = format;
        this.columns = columns;
    }

    static Sheet of(Terminal terminal, @Nullable String format, String... columns) {
        return of(terminal, Format.of(terminal, format), List.of(columns));
    }

    static Sheet of(Terminal terminal, Format format, List<String> columns) {
        return new Sheet(terminal, format, columns);
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

    /** Prints what is not printed yet. */
    void end() {
        if (format == Format.CSV) {
            rows.forEach(Sheet::checkText);
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
                        "value",
                        "a text with a lone surrogate cannot be written as csv: " + Escapes.brief(cell),
                        "choose another form: --format ndjson");
            }
        }
    }

    private void print(List<String> cells) {
        terminal.print(cells.stream().map(cell -> csv(cell, cells.size() == 1)).collect(Collectors.joining(",")));
    }

    private static String csv(String cell, boolean alone) {
        boolean plain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain && !(alone && cell.isEmpty()) ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }

    private void printAligned() {
        if (rows.isEmpty()) {
            return;
        }
        List<List<String>> lines = new ArrayList<>();
        lines.add(escaped(columns));
        rows.forEach(row -> lines.add(escaped(row)));
        int[] widths = new int[columns.size()];
        for (List<String> line : lines) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], width(line.get(i)));
            }
        }
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                text.append(line.get(i))
                        .append(" ".repeat(widths[i] - width(line.get(i))))
                        .append(BETWEEN);
            }
            terminal.print(text.toString().stripTrailing());
        }
    }

    /** Columns have the names of fields of documents, whose hidden characters must not reach a terminal, either. */
    private static List<String> escaped(List<String> cells) {
        return cells.stream().map(Escapes::escape).toList();
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }
}
