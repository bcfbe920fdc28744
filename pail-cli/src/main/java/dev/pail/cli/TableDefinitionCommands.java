package dev.pail.cli;

import dev.pail.Pail;
import dev.pail.table.FieldPath;
import dev.pail.table.Row;
import dev.pail.table.Table;
import dev.pail.table.Tables;
import java.util.List;
import java.util.stream.Stream;

/** Makes tables and indexes, and tells which there are. */
final class TableDefinitionCommands {
    private TableDefinitionCommands() {}

    /** Makes a table. */
    static final class Create extends TableCommand.Change {
        Create() {
            super("create", "Makes a table, and prints the new root.");
            examples("  pail table create people");
        }

        @Override
        int run(Call call) {
            String name = call.parameter(0);
            return update(
                    call,
                    "table create " + name,
                    pail -> Tables.of(pail).create(name).pail());
        }
    }

    /** Takes a table away. */
    static final class Drop extends TableCommand.Change {
        Drop() {
            super(
                    "drop",
                    "Takes a table away with its rows and indexes, and prints the new root.",
                    "Earlier versions still have it.");
            examples("  pail table drop people");
        }

        @Override
        int run(Call call) {
            String name = call.parameter(0);
            return TableRepairs.update(call, "table drop " + name, tables -> tables.drop(name));
        }
    }

    /** Lists tables, or the rows of one. */
    static final class Ls extends TableCommand.Query {
        Ls() {
            super("ls", "Lists the tables with their indexed fields; or the rows of one table with their CIDs.");
            parameter("TABLE", "0..1", "List the rows of this table.");
            prints();
            readsAt();
            examples("  pail table ls", "  pail table ls people");
        }

        @Override
        int run(Call call) {
            String name = call.optionalParameter(0);
            try (Versions versions = call.versions()) {
                Tables tables = Tables.of(versions.pail());
                if (name == null) {
                    listTables(call, tables);
                } else {
                    listRows(call, tables.table(name));
                }
                return Exit.DONE;
            }
        }

        private static void listTables(Call call, Tables tables) {
            Sheet.Format format = Sheet.Format.of(call.terminal(), call.option("--format"));
            Sheet sheet = Sheet.of(call.terminal(), format, List.of("table", "indexes"));
            for (Table table : tables.list()) {
                List<String> fields =
                        table.indexes().stream().map(FieldPath::text).toList();
                if (format == Sheet.Format.NDJSON) {
                    call.terminal().printJson(json -> {
                        json.writeStringField("table", table.name());
                        Json.writeTexts(json, "indexes", fields);
                    });
                } else {
                    sheet.add(table.name(), String.join(" ", fields));
                }
            }
            sheet.end();
        }

        private static void listRows(Call call, Table table) {
            Sheet sheet = sheet(call, "id", "cid");
            try (Stream<Row> rows = table.rows()) {
                rows.forEachOrdered(row -> sheet.add(row.id(), row.cid().toString()));
            }
            sheet.end();
        }
    }

    /** Declares an index, or takes it away. */
    static final class Index extends TableCommand.Change {
        Index() {
            super(
                    "index",
                    "Declares an index on a field, builds it of the rows that are there, and prints the new root.",
                    "Texts, numbers, booleans and null are indexed; rows without the field are not in the index. It takes",
                    "memory for each row.");
            parameter("FIELD", "1", "The path of the field, as address.city.");
            flag("Take the index away.", "--drop");
            examples("  pail table index people address.city", "  pail table index people age --drop");
        }

        @Override
        int run(Call call) {
            String name = call.parameter(0);
            FieldPath field = FieldPath.parse(call.parameter(1));
            boolean drop = call.flag("--drop");
            String reason = (drop ? "table index --drop " : "table index ") + name + " " + field;
            return update(call, reason, pail -> changed(pail, name, field, drop));
        }

        private static Pail changed(Pail pail, String name, FieldPath field, boolean drop) {
            Table table = Tables.of(pail).table(name);
            return (drop ? table.dropIndex(field) : table.createIndex(field)).pail();
        }
    }

    /** Makes indexes anew. */
    static final class Reindex extends ChangeCommand {
        Reindex() {
            super(
                    "reindex",
                    "Makes the indexes of a table, or of all, those that the rows ask for, tells how many entries were",
                    "wrong, and prints the root. To be used where a merge was made by other means than merge and",
                    "import, which do so themselves, or where documents were missing then. It takes memory for each row.");
            parameter("TABLE", "0..1", "Only this table.");
            examples("  pail table reindex", "  pail table reindex people");
        }

        @Override
        int run(Call call) {
            String name = call.optionalParameter(0);
            return TableRepairs.update(
                    call,
                    "table reindex" + (name == null ? "" : " " + name),
                    tables -> name == null ? tables.reindex() : tables.reindex(name));
        }
    }
}
