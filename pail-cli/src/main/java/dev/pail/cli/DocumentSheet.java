package dev.pail.cli;

import com.fasterxml.jackson.core.JsonGenerator;
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
final class DocumentSheet {
    private static final String ID = "id";

    private final Terminal terminal;
    private final Sheet.Format format;
    private final List<FieldPath> fields;
    private final List<Line> lines = new ArrayList<>();

    private record Line(String id, Map<String, String> cells) {}

    private DocumentSheet(Terminal terminal, Sheet.Format format, List<FieldPath> fields) {
        this.terminal = terminal;
        this.format = format;
        this.fields = fields;
    }

    /** @param fields those to print; all, if there are none */
    static DocumentSheet of(Command.Call call, List<FieldPath> fields) {
        Sheet.Format format = Sheet.Format.of(call.terminal(), call.option("--format"));
        return new DocumentSheet(call.terminal(), format, fields);
    }

    void add(Row row) {
        Document document = row.document();
        if (format == Sheet.Format.NDJSON) {
            terminal.printJson(json -> write(json, row, document));
            return;
        }
        Map<String, String> cells = new LinkedHashMap<>();
        if (fields.isEmpty()) {
            cells.putAll(document.flat());
        } else {
            fields.forEach(field -> document.plain(field).ifPresent(value -> cells.put(field.text(), value)));
        }
        lines.add(new Line(row.id(), cells));
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

    /** Prints what is not printed yet. */
    void end() {
        if (format == Sheet.Format.NDJSON) {
            return;
        }
        Set<String> paths = new LinkedHashSet<>();
        fields.forEach(field -> paths.add(field.text()));
        lines.forEach(line -> paths.addAll(line.cells.keySet()));
        // A field that repeats the id of each row is not shown.
        if (lines.stream().allMatch(line -> line.id.equals(line.cells.getOrDefault(ID, line.id)))) {
            paths.remove(ID);
        }
        List<String> columns = new ArrayList<>(List.of(ID));
        columns.addAll(paths);
        Sheet sheet = Sheet.of(terminal, format, columns);
        for (Line line : lines) {
            List<String> cells = new ArrayList<>(List.of(line.id));
            paths.forEach(path -> cells.add(line.cells.getOrDefault(path, "")));
            sheet.add(cells.toArray(String[]::new));
        }
        sheet.end();
    }
}
