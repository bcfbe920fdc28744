package dev.pail.cli.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import de.siegmar.fastcsv.reader.CsvRecord;
import dev.pail.Escapes;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.table.Scalar;
import dev.pail.table.TableBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The records of a CSV text (RFC 4180) as JSON objects, each with an id and a document. The first record has the names of the columns: paths
 * of fields. An empty cell is no field.
 */
public final class CsvTexts {
    public static final String ID = "id";
    public static final String DOCUMENT = "document";

    private static final int MOST_LEVELS = 500;

    /** What scan names the first column if ids are no fields. */
    private static final Pattern ROW_ID = Pattern.compile("(?:row )+id");

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(2 * MOST_LEVELS)
                    .maxStringLength(CsvRecords.MOST_CELL)
                    .maxNameLength(CsvRecords.MOST_CELL)
                    .maxNumberLength(CsvRecords.MOST_CELL)
                    .build())
            .build();

    private final CsvRecords records;
    private final boolean isJson;
    private final @Nullable String idColumn;
    private final List<Column> columns = new ArrayList<>();
    private boolean isBegun;
    private int id;

    /** What the cells of a column are. */
    private enum Type {
        TEXT,
        NUMBER,
        BOOLEAN,
        JSON
    }

    /**
     * @param names the path of the field
     * @param isField whether the column is a field of the document
     */
    private record Column(List<String> names, Type type, boolean isField) {}

    /**
     * @param isJson whether each cell is JSON; else it is a text, unless the name of its column has a type
     * @param isRagged whether a record may have fewer fields than there are columns
     * @param idColumn the column with the ids of rows, or null for the usual one
     */
    public CsvTexts(Lines lines, boolean isJson, boolean isRagged, @Nullable String idColumn) {
        this.records = new CsvRecords(lines, isRagged);
        this.isJson = isJson;
        this.idColumn = idColumn;
    }

    /** Goes back to the beginning. */
    public void restart() {
        columns.clear();
        isBegun = false;
    }

    /** The place of the last record, or of the one that cannot be read behind it. */
    public String place() {
        return records.place();
    }

    /** The next record as an object with the fields {@link #ID} and {@link #DOCUMENT}, or null behind the last. */
    public TableBatch.@Nullable Text next() {
        if (!isBegun) {
            isBegun = true;
            readHeader(records.restart());
        }
        CsvRecord record = records.next();
        return record == null ? null : new TableBatch.Text(object(record), records.line(), 1);
    }

    private void readHeader(List<String> names) {
        Set<String> known = new LinkedHashSet<>();
        id = -1;
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            Type type = isJson ? Type.JSON : Type.TEXT;
            int colon = name.lastIndexOf(':');
            if (!isJson && colon >= 0) {
                for (Type each : Type.values()) {
                    if (name.substring(colon + 1).equals(each.name().toLowerCase(Locale.ROOT))) {
                        type = each;
                        name = name.substring(0, colon);
                        break;
                    }
                }
            }
            // The fields of any document come back by --cells json.
            if (!isJson && name.isBlank()) {
                throw syntax(
                        "column " + (i + 1) + " has no name", "name it in the first line, or leave the column out");
            }
            if (!known.add(name)) {
                throw Lines.syntax("two columns have the name " + Escapes.brief(name));
            }
            boolean isRowId = idColumn == null && i == 0 && ROW_ID.matcher(name).matches();
            if (isRowId || (id < 0 && name.equals(idColumn == null ? ID : idColumn))) {
                id = i;
            }
            columns.add(new Column(names(name), type, !isRowId));
        }
        if (id < 0) {
            throw records.noKeys(idColumn == null ? ID : idColumn, "--id", List.copyOf(known));
        }
    }

    private static Failure.Found syntax(String message, @Nullable String hint) {
        return new Failure.Found(Exit.FAILED, "syntax", message, hint);
    }

    /** The names in a path. Unlike the path of an index, it may have any length and empty names. */
    private static List<String> names(String path) {
        List<String> names = new ArrayList<>();
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            boolean isEscape =
                    c == '\\' && i + 1 < path.length() && (path.charAt(i + 1) == '.' || path.charAt(i + 1) == '\\');
            if (c == '.') {
                names.add(name.toString());
                name.setLength(0);
            } else {
                name.append(isEscape ? path.charAt(++i) : c);
            }
        }
        names.add(name.toString());
        if (names.size() >= MOST_LEVELS) {
            throw Lines.syntax("the name of a column has more than " + MOST_LEVELS + " levels");
        }
        return names;
    }

    private String object(CsvRecord record) {
        Map<String, Object> document = new LinkedHashMap<>();
        String rowId = "";
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            boolean isMissing = i >= record.getFieldCount();
            if (isMissing && i == id) {
                throw CsvRecords.missing(ID, id);
            }
            String cell = isMissing ? "" : record.getField(i);
            // An id may be empty, and is then no JSON.
            if (cell.isEmpty() && i != id) {
                continue;
            }
            String value = json(cell, column.type, i);
            rowId = i == id ? value : rowId;
            if (column.isField) {
                put(document, column.names, value);
            }
        }
        StringBuilder out = new StringBuilder("{\"" + ID + "\":").append(rowId).append(",\"" + DOCUMENT + "\":");
        append(out, document);
        return out.append('}').toString();
    }

    @SuppressWarnings("unchecked")
    private static void put(Map<String, Object> document, List<String> names, String value) {
        Map<String, Object> at = document;
        for (String name : names.subList(0, names.size() - 1)) {
            Object inner = at.computeIfAbsent(name, each -> new LinkedHashMap<String, Object>());
            if (!(inner instanceof Map<?, ?>)) {
                throw twice(names);
            }
            at = (Map<String, Object>) inner;
        }
        if (at.put(names.get(names.size() - 1), value) != null) {
            throw twice(names);
        }
    }

    private static Failure.Found twice(List<String> names) {
        return Lines.syntax("a field has both a value and fields in it: " + Escapes.brief(String.join(".", names)));
    }

    private static void append(StringBuilder out, Object value) {
        if (!(value instanceof Map<?, ?> fields)) {
            out.append(value);
            return;
        }
        char before = '{';
        for (Map.Entry<?, ?> field : fields.entrySet()) {
            out.append(before).append(Scalar.of((String) field.getKey()).json()).append(':');
            append(out, field.getValue());
            before = ',';
        }
        out.append(before == '{' ? "{}" : "}");
    }

    /** The value of a cell in JSON. What is no single value must not become part of the object. */
    private static String json(String cell, Type type, int column) {
        if (type == Type.TEXT) {
            return Scalar.of(cell).json();
        }
        try (JsonParser parser = JSON.createParser(cell)) {
            JsonToken first = parser.nextToken();
            boolean isType = first != null
                    && switch (type) {
                        case NUMBER -> first.isNumeric();
                        case BOOLEAN -> first.isBoolean();
                        default -> true;
                    };
            parser.skipChildren();
            if (isType && parser.nextToken() == null) {
                return cell;
            }
        } catch (IOException e) {
            // Refused below.
        }
        throw Lines.syntax("the cell " + Escapes.brief(cell) + " in column " + (column + 1) + " is no "
                + (type == Type.JSON ? "JSON" : type.name().toLowerCase(Locale.ROOT)));
    }
}
