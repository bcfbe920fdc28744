package dev.pail.cli.table;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.cli.command.Call;
import dev.pail.cli.terminal.Terminal;
import dev.pail.table.Document;
import dev.pail.table.FieldPath;
import dev.pail.table.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Rows of a table, printed with a column for each field; or as JSON, each with its document. */
final class DocumentPrinter {
    private static final String ID = "id";

    private final Terminal terminal;
    private final TablePrinter.Format format;
    private final TablePrinter.Cells cells;
    private final List<FieldPath> fields;
    private final List<Line> lines = new ArrayList<>();
    private boolean isEmpty = true;

    private record Line(String id, Map<String, String> cells) {}

    private DocumentPrinter(
            Terminal terminal, TablePrinter.Format format, TablePrinter.Cells cells, List<FieldPath> fields) {
        this.terminal = terminal;
        this.format = format;
        this.cells = cells;
        this.fields = fields;
    }

    /** @param fields those to print; all, if there are none */
    static DocumentPrinter of(Call call, List<FieldPath> fields) {
        TablePrinter.Format format = TablePrinter.Format.of(call.terminal(), call.get(TableQuery.FORMAT));
        return new DocumentPrinter(
                call.terminal(), format, TablePrinter.Cells.of(format, call.get(TableQuery.CELLS)), fields);
    }

    void add(Row row) {
        isEmpty = false;
        Document document = row.document(fields);
        if (format == TablePrinter.Format.NDJSON) {
            terminal.printJson(json -> write(json, row, document));
            return;
        }
        boolean isJson = cells == TablePrinter.Cells.JSON;
        Map<String, String> values = new LinkedHashMap<>();
        if (fields.isEmpty()) {
            values.putAll(isJson ? document.flatJson() : document.flat());
        } else {
            for (FieldPath field : fields) {
                Optional<String> value = isJson ? document.json(field) : document.plain(field);
                value.ifPresent(found -> values.put(field.text(), found));
            }
        }
        lines.add(new Line(row.id(), values));
    }

    private void write(JsonGenerator json, Row row, Document document) throws IOException {
        json.writeStringField(ID, row.id());
        if (fields.isEmpty()) {
            json.writeFieldName("document");
            json.writeRawValue(document.json());
            return;
        }
        json.writeObjectFieldStart("fields");
        for (FieldPath field : fields) {
            Optional<String> value = document.json(field);
            if (value.isPresent()) {
                json.writeFieldName(field.text());
                json.writeRawValue(value.get());
            }
        }
        json.writeEndObject();
    }

    /** Whether no row was added. */
    boolean isEmpty() {
        return isEmpty;
    }

    /** Whether the cells have whole documents in JSON, so that load makes the same rows. */
    private boolean isExact() {
        return cells == TablePrinter.Cells.JSON && fields.isEmpty();
    }

    /** Whether the column of ids can stand for the field of the line, too. */
    private boolean isId(Line line, TablePrinter printer) {
        String id = printer.text(line.id);
        return id.equals(isExact() ? line.cells.get(ID) : line.cells.getOrDefault(ID, id));
    }

    /** Prints what is not printed yet. */
    void end() {
        if (format == TablePrinter.Format.NDJSON) {
            return;
        }
        Set<String> paths = new LinkedHashSet<>();
        fields.forEach(field -> paths.add(field.text()));
        lines.forEach(line -> paths.addAll(line.cells.keySet()));
        List<String> columns = new ArrayList<>();
        TablePrinter printer = TablePrinter.of(terminal, format, cells, columns);
        // A field that repeats the id of each row is not shown.
        boolean isField = lines.stream().allMatch(line -> isId(line, printer));
        if (isField) {
            paths.remove(ID);
        }
        String id = isField || !isExact() ? ID : "row " + ID;
        while (paths.contains(id)) {
            id = "row " + id;
        }
        columns.add(id);
        columns.addAll(paths);
        for (Line line : lines) {
            List<String> row = new ArrayList<>(List.of(printer.text(line.id)));
            paths.forEach(path -> row.add(line.cells.getOrDefault(path, "")));
            printer.add(row.toArray(String[]::new));
        }
        printer.end();
    }
}
