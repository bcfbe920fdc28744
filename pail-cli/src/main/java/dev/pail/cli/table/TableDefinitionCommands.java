package dev.pail.cli.table;

import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Terminal;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Need;
import dev.pail.table.FieldForm;
import dev.pail.table.FieldPath;
import dev.pail.table.Orphans;
import dev.pail.table.Repair;
import dev.pail.table.Row;
import dev.pail.table.RowMerge;
import dev.pail.table.Table;
import dev.pail.table.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes tables and indexes, and tells which there are. */
final class TableDefinitionCommands {
    private TableDefinitionCommands() {}

    /** Makes a table. */
    static final class Create extends TableChange {
        private static final Option.WholeNumber INLINE =
                Option.number("BYTES", "Keep documents of at most 1 to 256 bytes in the map itself.", "--inline");

        Create() {
            super(
                    "create",
                    "Makes a table, and prints the new root.",
                    "With --inline, a row with a small document takes one read less. Equal documents then take their space in each row, and in each entry",
                    "of an index. The size stays with the table. Version 0.2 refuses such a table, and an IPFS node reads no CID with more than 128 bytes.");
            takes(INLINE);
            examples("  pail table create people", "  pail table create people --inline 256");
        }

        @Override
        public int run(Call call) {
            String name = call.parameter(0);
            Long given = call.get(INLINE);
            if (given != null && (given < 1 || given > Tables.MAX_INLINE)) {
                throw Failure.usage("--inline takes 1 to " + Tables.MAX_INLINE + " bytes, not " + given);
            }
            int inline = given == null ? 0 : given.intValue();
            return update(
                    call,
                    "table create " + name,
                    (repository, pail) -> Tables.of(pail)
                            .create(name, rowMerge(repository), inline)
                            .pail());
        }

        /** A program of version 0.2 refuses a table that merges by fields (T10), so a repository that it reads gets none. */
        private static RowMerge rowMerge(Repository repository) {
            return repository.refs().needs().contains(Need.EVENTS) ? RowMerge.FIELDS : RowMerge.WHOLE;
        }
    }

    /** Takes a table away. */
    static final class Drop extends TableChange {
        Drop() {
            super(
                    "drop",
                    "Removes a table with its rows and indexes, and prints the new root.",
                    "Earlier versions keep it.");
            examples("  pail table drop people");
        }

        @Override
        public int run(Call call) {
            String name = call.parameter(0);
            return TableRepairs.update(call, "table drop " + name, tables -> tables.drop(name));
        }
    }

    /** Lists tables, or the rows of one. */
    static final class Ls extends TableQuery {
        Ls() {
            super(
                    "ls",
                    "Lists the tables with their indexed fields and schemas, or the rows of a table with their CIDs.");
            parameter("TABLE", "0..1", "List the rows of this table.");
            prints();
            readsAt();
            examples("  pail table ls", "  pail table ls people");
        }

        @Override
        public int run(Call call) {
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
            TablePrinter.Format format = TablePrinter.Format.of(call.terminal(), call.get(FORMAT));
            // CSV has the columns of earlier versions.
            boolean hasSchemas = format == TablePrinter.Format.TABLE;
            TablePrinter printer = TablePrinter.of(
                    call.terminal(),
                    format,
                    hasSchemas ? List.of("table", "indexes", "schema") : List.of("table", "indexes"));
            for (Table table : tables.list()) {
                List<dev.pail.table.Index> indexes = table.declaredIndexes();
                if (format == TablePrinter.Format.NDJSON) {
                    call.terminal().printJson(json -> {
                        json.writeStringField("table", table.name());
                        Json.writeTexts(
                                json,
                                "indexes",
                                indexes.stream()
                                        .map(dev.pail.table.Index::toString)
                                        .toList());
                        if (table.hasSchema()) {
                            json.writeBooleanField("schema", true);
                        }
                    });
                } else {
                    String shown = indexes.stream()
                            .map(index -> index.isPlain() ? index.toString() : "(" + index + ")")
                            .collect(Collectors.joining(" "));
                    if (hasSchemas) {
                        printer.add(table.name(), shown, table.hasSchema() ? "yes" : "");
                    } else {
                        printer.add(table.name(), shown);
                    }
                }
            }
            printer.end();
        }

        private static void listRows(Call call, Table table) {
            TablePrinter printer = printer(call, "id", "cid");
            try (Stream<Row> rows = table.rows()) {
                rows.forEachOrdered(row -> printer.add(row.id(), row.cid().toString()));
            }
            printer.end();
        }
    }

    /** Declares an index, or takes it away. */
    static final class Index extends TableChange {
        private static final Option.Flag DROP = Option.flag("Remove the index on these fields.", "--drop");

        private static final Option.Flag UNIQUE =
                Option.flag("Refuse a row with the values of another one in all fields.", "--unique");

        private static final Option.Text INCLUDE = Option.text(
                "FIELDS",
                "Also keep the values of these fields, so that queries of them read no documents.",
                "--include");

        Index() {
            super(
                    "index",
                    "Adds an index on one or more fields, or removes it, and prints the new root.",
                    "FIELDS are paths with commas between them; desc behind a path puts greater values first. lower(PATH) has texts in lower case,",
                    "and PATH[] has each item of a list. A comma, space, ( or [ in a name has a backslash before it. The index has texts, numbers,",
                    "booleans and null; rows without the first field are not in it. It answers conditions on its first fields. Building it takes",
                    "memory for each row. Version 0.2 reads only tables whose indexes have one ascending field and no options.");
            parameter("FIELDS", "1", "The paths of the fields, as address.city,age.");
            takes(UNIQUE, INCLUDE, DROP);
            excludes(UNIQUE, DROP, "--unique and --drop exclude each other");
            excludes(INCLUDE, DROP, "--include and --drop exclude each other");
            examples(
                    "  pail table index people address.city",
                    "  pail table index people 'address.city,age desc'",
                    "  pail table index people 'lower(name)'",
                    "  pail table index people 'tags[]'",
                    "  pail table index people email --unique",
                    "  pail table index people address.city --include name,age",
                    "  pail table index people age --drop");
        }

        @Override
        public int run(Call call) {
            String name = call.parameter(0);
            dev.pail.table.Index fields = dev.pail.table.Index.parse(call.parameter(1));
            String include = call.get(INCLUDE);
            dev.pail.table.Index covering = include == null
                    ? fields
                    : fields.include(dev.pail.table.Index.parse(include).fields().stream()
                            .map(Index::includedPath)
                            .toList());
            dev.pail.table.Index index = call.get(UNIQUE) ? covering.unique() : covering;
            boolean drop = call.get(DROP);
            String reason = (drop ? "table index --drop " : "table index ") + name + " " + index;
            return update(call, reason, pail -> {
                Table table = Tables.of(pail).table(name);
                return (drop ? table.dropIndex(index) : table.createIndex(index)).pail();
            });
        }

        private static FieldPath includedPath(dev.pail.table.Index.Field field) {
            if (field.isDescending() || field.form() != FieldForm.VALUE) {
                throw Failure.usage("--include takes paths alone, not " + Escapes.brief(field.toString()));
            }
            return field.path();
        }
    }

    /** Makes indexes anew. */
    static final class Reindex extends ChangeCommand {
        Reindex() {
            super(
                    "reindex",
                    "Rebuilds the indexes of a table, or of all tables, and prints the root.",
                    "It reports how many entries were wrong, and lists rows that belong to no table. Use it after a merge by another program, or if",
                    "documents were missing in a merge. merge and import do it themselves. It takes memory for each row.");
            parameter("TABLE", "0..1", "Only this table.");
            examples("  pail table reindex", "  pail table reindex people");
        }

        @Override
        public int run(Call call) {
            String name = call.optionalParameter(0);
            List<Orphans> orphans = new ArrayList<>();
            int exit = TableRepairs.update(call, "table reindex" + (name == null ? "" : " " + name), tables -> {
                Repair repair = name == null ? tables.reindex() : tables.reindex(name);
                orphans.clear();
                orphans.addAll(name == null ? repair.tables().orphans() : List.of());
                return repair;
            });
            Orphan.print(call, orphans);
            return exit;
        }
    }

    /** Lists rows that belong to no table, takes them into a table, or deletes them. */
    static final class Orphan extends ChangeCommand {
        private static final Option.Text INTO = Option.text("TABLE", "Move the rows into this table.", "--into");

        private static final Option.Flag DELETE = Option.flag("Delete the rows.", "--delete");

        Orphan() {
            super(
                    "orphans",
                    "Lists rows that belong to no table.",
                    "A merge makes them if one side wrote to a table while the other dropped it and made another of its name. With NUMBER, orphans lists",
                    "the rows under it with their CIDs. --into moves them into a table, which keeps its own row where both have one id; --delete deletes them.");
            parameter("NUMBER", "0..1", "The number that the list without NUMBER shows.");
            takes(INTO, DELETE);
            excludes(INTO, DELETE, "--into and --delete exclude each other");
            examples(
                    "  pail table orphans",
                    "  pail table orphans 466",
                    "  pail table orphans 466 --into people",
                    "  pail table orphans 466 --delete");
        }

        @Override
        public int run(Call call) {
            String given = call.optionalParameter(0);
            String into = call.get(INTO);
            boolean delete = call.get(DELETE);
            if (given == null && (into != null || delete)) {
                throw Failure.usage("--into and --delete take a NUMBER: pail table orphans lists them");
            }
            if (given == null) {
                try (Versions versions = call.versions()) {
                    print(call, Tables.of(versions.pail()).orphans());
                    return Exit.DONE;
                }
            }
            int number = number(given);
            return into != null || delete ? change(call, number, into) : list(call, number);
        }

        private static int number(String given) {
            try {
                return Integer.parseInt(given);
            } catch (NumberFormatException e) {
                throw Failure.usage("not a number: " + Escapes.brief(given));
            }
        }

        private static int list(Call call, int number) {
            try (Versions versions = call.versions()) {
                TablePrinter printer = TableQuery.printer(call, "id", "cid");
                Tables.of(versions.pail())
                        .orphans(number)
                        .forEach(row -> printer.add(row.id(), row.cid().toString()));
                printer.end();
                return Exit.DONE;
            }
        }

        private static int change(Call call, int number, @Nullable String into) {
            String reason = "table orphans " + number + (into == null ? " --delete" : " --into " + into);
            long[] counts = new long[2];
            try (Repository repository = call.toWrite()) {
                Pail changed = repository
                        .update(call.branch(repository), reason, pail -> {
                            Tables tables = Tables.of(pail);
                            counts[0] = tables.orphans(number).size();
                            Tables next = into == null ? tables.deleteOrphans(number) : tables.adopt(number, into);
                            counts[1] = next.orphans(number).size();
                            return next.pail();
                        })
                        .pail();
                changed(call, changed.root());
                Terminal terminal = call.terminal();
                String done = into == null ? "deleted" : "taken into the table";
                if (terminal.json) {
                    terminal.printJson(json -> {
                        json.writeNumberField(into == null ? "deleted" : "taken", counts[0] - counts[1]);
                        json.writeNumberField("left", counts[1]);
                    });
                } else if (!terminal.quiet) {
                    terminal.print("rows " + done + ": " + (counts[0] - counts[1])
                            + (counts[1] == 0
                                    ? ""
                                    : ", left because the table has other rows of their ids: " + counts[1]));
                }
                printRoot(call, changed);
                return Exit.DONE;
            }
        }

        static void print(Call call, List<Orphans> orphans) {
            for (Orphans rows : orphans) {
                TableChecks.print(call.terminal(), null, rows);
            }
        }
    }
}
