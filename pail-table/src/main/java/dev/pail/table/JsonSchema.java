package dev.pail.table;

import dev.pail.Escapes;
import dev.pail.table.document.JsonReader;
import dev.pail.table.document.JsonText;
import dev.pail.table.document.Values;
import dev.pail.table.schema.SchemaParts;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Schemas as JSON Schema (Rule T18). For one reading. It is nested as deep as paths are long: 128 levels at most. */
final class JsonSchema {
    private static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";
    private static final String CHECK = "x-pail-check";
    private static final String KEY = "x-pail-key";
    private static final String TYPE = "type";
    private static final String FORMAT = "format";
    private static final String ENCODING = "contentEncoding";
    private static final String BASE64 = "base64";
    private static final String DEFAULT = "default";
    private static final String PROPERTIES = "properties";
    private static final String REQUIRED = "required";
    private static final String ADDITIONAL = "additionalProperties";
    private static final String ENUM = "enum";

    /** These say nothing of documents. */
    private static final Set<String> ANNOTATIONS = Set.of("title", "description", "examples", "$comment", "$id");

    private static final Map<Filter.Comparison, String> BOUNDS = new EnumMap<>(Map.of(
            Filter.Comparison.AT_LEAST, "minimum",
            Filter.Comparison.AT_MOST, "maximum",
            Filter.Comparison.GREATER, "exclusiveMinimum",
            Filter.Comparison.LESS, "exclusiveMaximum"));

    private static final Map<Column.Type, String> TYPES = new EnumMap<>(Map.of(
            Column.Type.TEXT, "string",
            Column.Type.INTEGER, "integer",
            Column.Type.DECIMAL, "number",
            Column.Type.BOOLEAN, "boolean",
            Column.Type.LIST, "array",
            Column.Type.OBJECT, "object"));

    private static final Set<String> OF_OBJECTS = Set.of(PROPERTIES, REQUIRED, ADDITIONAL);
    private static final Set<String> OF_FIELDS = Stream.concat(
                    Stream.of(TYPE, FORMAT, ENCODING, DEFAULT, ENUM), BOUNDS.values().stream())
            .collect(Collectors.toUnmodifiableSet());

    private final List<Column> columns = new ArrayList<>();
    private final List<Filter> checks = new ArrayList<>();
    private final SortedSet<String> notKept = new TreeSet<>();

    /** Whether objects with columns are closed: the first one says it for all. */
    private @Nullable Boolean isClosed;

    Schema.Imported read(String json) {
        Object tree;
        try {
            tree = JsonReader.value(json);
        } catch (DocumentException e) {
            throw new TableException(
                    TableException.Reason.SCHEMA, "no JSON Schema: it is not JSON: " + e.getMessage(), e);
        }
        check(tree instanceof Map, null, "it is no object");
        Map<?, ?> root = (Map<?, ?>) tree;
        check("object".equals(root.get(TYPE)), null, "its type is not \"object\"");
        check(
                !root.containsKey("$schema") || DIALECT.equals(root.get("$schema")),
                null,
                "its $schema is not " + DIALECT);
        object(null, root, Set.of("$schema", TYPE, KEY, CHECK));
        Object more = root.get(CHECK);
        for (Object text : more == null ? List.of() : list(null, CHECK, more)) {
            check(text instanceof String, null, CHECK + " is a list of filters");
            checks.add(Filter.parse((String) text));
        }
        Object key = root.get(KEY);
        check(key == null || key instanceof String, null, KEY + " is the path of a column");
        SchemaParts parts = SchemaParts.of(
                columns,
                checks.stream().map(Filter::toString).toList(),
                Optional.ofNullable((String) key).map(FieldPath::parse),
                Boolean.TRUE.equals(isClosed));
        return new Schema.Imported(Schema.of(parts), List.copyOf(notKept));
    }

    /** @param others the keywords that the caller reads */
    private void object(@Nullable FieldPath path, Map<?, ?> object, Set<String> others) {
        for (Object each : object.keySet()) {
            String keyword = (String) each;
            boolean isNote = ANNOTATIONS.contains(keyword);
            boolean isKnown = isNote || others.contains(keyword) || OF_OBJECTS.contains(keyword);
            check(isKnown, path, "the keyword " + Escapes.brief(keyword) + " is not supported");
            if (isNote) {
                notKept.add(keyword);
            }
        }
        Object properties = object.containsKey(PROPERTIES) ? object.get(PROPERTIES) : Map.of();
        Object required = object.containsKey(REQUIRED) ? object.get(REQUIRED) : List.of();
        Object additional = object.containsKey(ADDITIONAL) ? object.get(ADDITIONAL) : true;
        check(properties instanceof Map, path, PROPERTIES + " is an object");
        check(additional instanceof Boolean, path, ADDITIONAL + " is true or false");
        Map<?, ?> fields = (Map<?, ?>) properties;
        Set<String> names = new TreeSet<>();
        for (Object name : list(path, REQUIRED, required)) {
            check(name instanceof String, path, REQUIRED + " is a list of names");
            check(
                    fields.containsKey(name),
                    path,
                    "the required field " + Escapes.brief((String) name) + " is not in " + PROPERTIES);
            names.add((String) name);
        }
        boolean closes = Boolean.FALSE.equals(additional);
        if (path == null || !fields.isEmpty()) {
            check(
                    isClosed == null || isClosed == closes,
                    path,
                    ADDITIONAL + " is not the same in all objects with " + PROPERTIES);
            isClosed = closes;
        } else {
            check(!closes, path, ADDITIONAL + " is false, and there are no " + PROPERTIES);
        }
        fields.forEach((name, schema) -> {
            check(!((String) name).isEmpty(), path, "a property has an empty name");
            property(FieldPath.below(path, (String) name), schema, names.contains((String) name));
        });
    }

    private static List<?> list(@Nullable FieldPath path, String keyword, Object value) {
        check(value instanceof List, path, keyword + " is a list");
        return (List<?>) value;
    }

    private void property(FieldPath path, Object schema, boolean isRequired) {
        check(schema instanceof Map || Boolean.TRUE.equals(schema), path, "it is an object or true");
        Map<?, ?> found = schema instanceof Map<?, ?> map ? map : Map.of();
        Object type = found.get(TYPE);
        boolean isNullable = false;
        if (type instanceof List<?> types) {
            isNullable = types.size() == 2 && types.contains("null");
            check(isNullable, path, "its type is one, or one and \"null\"");
            type = types.get(1 - types.indexOf("null"));
        }
        Optional<String> json = Optional.ofNullable(found.get(DEFAULT)).map(JsonText::of);
        Column column = new Column(path, type(path, type, found), isRequired, isNullable, json);
        checkKeywords(column, found);
        int before = columns.size();
        object(path, found, OF_FIELDS);
        ColumnTree below =
                ColumnTree.of(columns.subList(before, columns.size())).at(path);
        boolean isImplied = below != null
                && column.type() == Column.Type.OBJECT
                && !isNullable
                && json.isEmpty()
                && isRequired == below.isRequired();
        if (!isImplied) {
            columns.add(column);
        }
        constraints(column, found);
    }

    private static Column.Type type(FieldPath path, @Nullable Object type, Map<?, ?> found) {
        Object format = found.get(FORMAT);
        Object encoding = found.get(ENCODING);
        if (type == null && !found.containsKey(TYPE)) {
            return Column.Type.JSON;
        }
        if ("string".equals(type) && (format != null || encoding != null)) {
            boolean isBytes = format == null && BASE64.equals(encoding);
            boolean isDate = encoding == null && "date".equals(format);
            boolean isTime = encoding == null && "date-time".equals(format);
            check(
                    isBytes || isDate || isTime,
                    path,
                    "a text has the format \"date-time\" or \"date\", or the contentEncoding \"base64\"");
            return isBytes ? Column.Type.BYTES : isDate ? Column.Type.DATE : Column.Type.TIMESTAMP;
        }
        for (Map.Entry<Column.Type, String> each : TYPES.entrySet()) {
            if (each.getValue().equals(type)) {
                return each.getKey();
            }
        }
        throw malformed(path, "its type is one of " + new TreeSet<>(TYPES.values()));
    }

    private static void checkKeywords(Column column, Map<?, ?> found) {
        Column.Type type = column.type();
        boolean isNumber = type == Column.Type.INTEGER || type == Column.Type.DECIMAL;
        boolean isText = type == Column.Type.TIMESTAMP || type == Column.Type.DATE || type == Column.Type.BYTES;
        boolean isObject = type == Column.Type.OBJECT || type == Column.Type.JSON;
        for (Object keyword : found.keySet()) {
            boolean isHere = (isNumber || !BOUNDS.containsValue((String) keyword))
                    && (isText || !Set.of(FORMAT, ENCODING).contains((String) keyword))
                    && (isObject || !OF_OBJECTS.contains((String) keyword));
            check(
                    isHere,
                    column.path(),
                    "the keyword " + Escapes.brief((String) keyword) + " is not supported for the type " + type);
        }
    }

    /** Keywords that are checks here. They hold for an absent field. */
    private void constraints(Column column, Map<?, ?> found) {
        FieldPath path = column.path();
        BOUNDS.forEach((comparison, keyword) -> {
            Object bound = found.get(keyword);
            if (bound != null) {
                check(bound instanceof Number, path, keyword + " is a number");
                checks.add(bound(column, new Filter.Compare(path, comparison, new Scalar(bound))));
            }
        });
        if (found.containsKey(ENUM)) {
            List<Scalar> values = new ArrayList<>();
            for (Object value : list(path, ENUM, found.get(ENUM))) {
                check(Values.isScalar(value), path, ENUM + " has texts, numbers, true, false and null");
                values.add(new Scalar(value));
            }
            check(!values.isEmpty(), path, ENUM + " has a value");
            checks.add(new Filter.Or(List.of(absent(path), new Filter.In(path, values))));
        }
    }

    private static Filter absent(FieldPath path) {
        return new Filter.Not(new Filter.Exists(path));
    }

    /** A bound does not hold for null where that is allowed. */
    private static Filter bound(Column column, Filter.Compare compare) {
        FieldPath path = column.path();
        Filter isNull = new Filter.Compare(path, Filter.Comparison.EQUAL, Scalar.ofNull());
        return new Filter.Or(
                column.isNullable() ? List.of(absent(path), isNull, compare) : List.of(absent(path), compare));
    }

    private static TableException malformed(@Nullable FieldPath path, String why) {
        return new TableException(
                TableException.Reason.SCHEMA,
                "a JSON Schema that is not supported: "
                        + (path == null ? "" : "in the field " + Escapes.brief(path.text()) + ", ") + why + " (T18)");
    }

    private static void check(boolean isRight, @Nullable FieldPath path, String why) {
        if (!isRight) {
            throw malformed(path, why);
        }
    }

    static String of(Schema schema) {
        Map<String, Map<String, Object>> constraints = new TreeMap<>();
        List<Object> rest = new ArrayList<>();
        for (Filter check : schema.checks()) {
            if (!isConstraint(schema, check, constraints)) {
                rest.add(check.toString());
            }
        }
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("$schema", DIALECT);
        root.put(TYPE, "object");
        putFields(root, schema.tree(), schema.isClosed(), constraints);
        if (schema.isClosed()) {
            root.put(ADDITIONAL, false);
        }
        schema.key().ifPresent(key -> root.put(KEY, key.text()));
        if (!rest.isEmpty()) {
            root.put(CHECK, rest);
        }
        return JsonText.of(root);
    }

    /** Whether a check is what {@link #constraints} makes of a keyword. Notes it. */
    private static boolean isConstraint(Schema schema, Filter check, Map<String, Map<String, Object>> constraints) {
        List<Filter> parts = check instanceof Filter.Or or ? or.filters() : List.of();
        Filter last = parts.isEmpty() ? check : parts.get(parts.size() - 1);
        FieldPath path = last instanceof Filter.Compare compare
                ? compare.field()
                : last instanceof Filter.In in ? in.field() : null;
        Column column = path == null ? null : schema.parts().columns().get(path.text());
        if (path == null || column == null) {
            return false;
        }
        String keyword = null;
        Object value = null;
        boolean isScalar = column.type() != Column.Type.OBJECT && column.type() != Column.Type.LIST;
        if (last instanceof Filter.In in && isScalar && !in.values().isEmpty()) {
            keyword = check.equals(new Filter.Or(List.of(absent(path), in))) ? ENUM : null;
            value = in.values().stream().map(each -> each.value).toList();
        } else if (last instanceof Filter.Compare compare && compare.value().value instanceof Number number) {
            boolean isNumber = column.type() == Column.Type.INTEGER || column.type() == Column.Type.DECIMAL;
            keyword = isNumber && check.equals(bound(column, compare)) ? BOUNDS.get(compare.comparison()) : null;
            value = number;
        }
        return keyword != null
                && constraints
                                .computeIfAbsent(path.text(), each -> new LinkedHashMap<>())
                                .putIfAbsent(keyword, value)
                        == null;
    }

    private static void putFields(
            Map<String, Object> to, ColumnTree tree, boolean isClosed, Map<String, Map<String, Object>> constraints) {
        if (tree.fields.isEmpty()) {
            return;
        }
        Map<String, Object> properties = new LinkedHashMap<>();
        List<Object> required = new ArrayList<>();
        tree.fields.forEach((name, field) -> {
            properties.put(name, property(field, isClosed, constraints));
            if (field.isRequired()) {
                required.add(name);
            }
        });
        to.put(PROPERTIES, properties);
        if (!required.isEmpty()) {
            to.put(REQUIRED, required);
        }
        if (isClosed) {
            to.put(ADDITIONAL, false);
        }
    }

    private static Map<String, Object> property(
            ColumnTree field, boolean isClosed, Map<String, Map<String, Object>> constraints) {
        Map<String, Object> property = new LinkedHashMap<>();
        Column column = field.column;
        Column.Type type = column == null ? Column.Type.OBJECT : column.type();
        String name = TYPES.getOrDefault(type, "string");
        if (type != Column.Type.JSON) {
            property.put(TYPE, column != null && column.isNullable() ? List.of(name, "null") : name);
        }
        switch (type) {
            case TIMESTAMP -> property.put(FORMAT, "date-time");
            case DATE -> property.put(FORMAT, "date");
            case BYTES -> property.put(ENCODING, BASE64);
            default -> {
                // The type says it all.
            }
        }
        if (column != null) {
            Object value = column.defaultTree();
            if (value != null) {
                property.put(DEFAULT, value);
            }
            property.putAll(constraints.getOrDefault(column.path().text(), Map.of()));
        }
        putFields(property, field, isClosed, constraints);
        return property;
    }
}
