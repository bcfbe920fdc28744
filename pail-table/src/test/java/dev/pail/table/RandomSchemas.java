package dev.pail.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Schemas and documents of few fields, so that they often meet. */
final class RandomSchemas {
    private static final List<String> PATHS = List.of("a", "b", "id", "o", "o.a", "o.p.a");
    private static final List<String> VALUES = List.of(
            "0",
            "1",
            "-1.5",
            "2.0",
            "\"\"",
            "\"1\"",
            "\"x\"",
            "true",
            "null",
            "[]",
            "{}",
            "{\"a\":1}",
            "\"2026-01-31\"",
            "\"2026-01-31T00:00:00Z\"",
            "\"AA==\"");

    private RandomSchemas() {}

    private static <T> T any(Random random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    static Schema schema(Random random) {
        List<Column> columns = new ArrayList<>();
        for (String path : PATHS) {
            if (random.nextBoolean()) {
                columns.add(column(random, path));
            }
        }
        Schema schema = Schema.of(columns);
        for (int i = random.nextInt(4); i > 0; i--) {
            schema = schema.check(check(random));
        }
        if (random.nextInt(8) == 0) {
            schema = schema.key(FieldPath.parse("id"));
        }
        return random.nextInt(4) == 0 ? schema.closed() : schema;
    }

    static Column column(Random random, String path) {
        // A column above others has objects, or is none.
        List<Column.Type> types =
                path.equals("o") ? List.of(Column.Type.OBJECT, Column.Type.JSON) : List.of(Column.Type.values());
        Column column = new Column(
                FieldPath.parse(path),
                any(random, types),
                random.nextInt(3) == 0,
                random.nextInt(3) == 0,
                Optional.empty());
        try {
            return random.nextInt(3) == 0 ? column.withDefault(any(random, VALUES)) : column;
        } catch (TableException e) {
            return column;
        }
    }

    static Filter check(Random random) {
        String path = any(random, PATHS);
        return Filter.parse(
                switch (random.nextInt(5)) {
                    case 0 -> "not exists " + path + " or " + path + " >= " + random.nextInt(3);
                    case 1 -> "not exists " + path + " or " + path + " == null or " + path + " < 1.5";
                    case 2 -> "not exists " + path + " or " + path + " in [1, \"x\", null]";
                    case 3 -> "exists " + path;
                    default -> path + " != 1";
                });
    }

    static Document document(Random random) {
        Document document = Document.parse("{}");
        for (String path : PATHS) {
            if (random.nextBoolean()) {
                document = document.with(FieldPath.parse(path), any(random, VALUES));
            }
        }
        return document;
    }
}
