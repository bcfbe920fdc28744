package dev.pail.table.schema;

import dev.pail.Escapes;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import dev.pail.table.Column;
import dev.pail.table.FieldPath;
import dev.pail.table.TableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How the declaration of a table has its schema (Rule T14). */
public final class SchemaForm {
    private static final String KEY = "key";
    private static final String CHECKS = "checks";
    private static final String CLOSED = "closed";
    private static final String COLUMNS = "columns";
    private static final String NULL = "null";
    private static final String PATH = "path";
    private static final String TYPE = "type";
    private static final String DEFAULT = "default";
    private static final String REQUIRED = "required";

    private SchemaForm() {}

    public static void write(DagCborWriter writer, SchemaParts parts) {
        writer.map(count(
                parts.key().isPresent(),
                !parts.checks().isEmpty(),
                parts.isClosed(),
                !parts.columns().isEmpty()));
        parts.key().ifPresent(key -> writer.text(KEY).text(key.text()));
        if (!parts.checks().isEmpty()) {
            writer.text(CHECKS).array(parts.checks().size());
            parts.checks().forEach(writer::text);
        }
        if (parts.isClosed()) {
            writer.text(CLOSED).bool(true);
        }
        if (!parts.columns().isEmpty()) {
            writer.text(COLUMNS).array(parts.columns().size());
            parts.columns().values().forEach(column -> write(writer, column));
        }
    }

    private static void write(DagCborWriter writer, Column column) {
        writer.map(2 + count(column.isNullable(), column.defaultValue().isPresent(), column.isRequired()));
        if (column.isNullable()) {
            writer.text(NULL).bool(true);
        }
        writer.text(PATH).text(column.path().text());
        writer.text(TYPE).text(column.type().toString());
        column.defaultValue().ifPresent(json -> writer.text(DEFAULT).text(json));
        if (column.isRequired()) {
            writer.text(REQUIRED).bool(true);
        }
    }

    private static int count(boolean... members) {
        int count = 0;
        for (boolean member : members) {
            count += member ? 1 : 0;
        }
        return count;
    }

    /**
     * Reads a schema. The caller compares the bytes with those that a writer makes.
     *
     * @throws MalformedDataException if it is none
     * @throws TableException if a path or a column is none
     */
    public static SchemaParts read(DagCborReader reader) {
        Optional<FieldPath> key = Optional.empty();
        List<String> checks = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        boolean isClosed = false;
        int at = reader.position();
        for (int left = reader.readMap(); left > 0; left--) {
            String member = reader.readText();
            switch (member) {
                case KEY -> key = Optional.of(FieldPath.parse(reader.readText()));
                case CHECKS -> {
                    for (int items = reader.readArray(); items > 0; items--) {
                        checks.add(reader.readText());
                    }
                }
                case CLOSED -> isClosed = reader.readBoolean();
                case COLUMNS -> {
                    for (int items = reader.readArray(); items > 0; items--) {
                        columns.add(column(reader));
                    }
                }
                default -> throw unknown(at, "a schema", member);
            }
        }
        SchemaParts parts = SchemaParts.of(columns, checks, key, isClosed);
        if (parts.equals(SchemaParts.NONE)) {
            throw new MalformedDataException(at, "a schema says something");
        }
        return parts;
    }

    private static Column column(DagCborReader reader) {
        int at = reader.position();
        @Nullable FieldPath path = null;
        Column.@Nullable Type type = null;
        Optional<String> json = Optional.empty();
        boolean isNullable = false;
        boolean isRequired = false;
        for (int left = reader.readMap(); left > 0; left--) {
            String member = reader.readText();
            switch (member) {
                case NULL -> isNullable = reader.readBoolean();
                case PATH -> path = FieldPath.parse(reader.readText());
                case TYPE -> type = Column.Type.parse(reader.readText());
                case DEFAULT -> json = Optional.of(reader.readText());
                case REQUIRED -> isRequired = reader.readBoolean();
                default -> throw unknown(at, "a column", member);
            }
        }
        if (path == null || type == null) {
            throw new MalformedDataException(at, "a column has a path and a type");
        }
        return new Column(path, type, isRequired, isNullable, json);
    }

    private static MalformedDataException unknown(int at, String what, String member) {
        return new MalformedDataException(
                at, what + " has a member that this program does not know: " + Escapes.brief(member));
    }
}
