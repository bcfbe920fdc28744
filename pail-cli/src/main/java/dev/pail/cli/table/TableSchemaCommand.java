package dev.pail.cli.table;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.pail.Escapes;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.cli.text.JsonTexts;
import dev.pail.table.Column;
import dev.pail.table.FieldPath;
import dev.pail.table.Filter;
import dev.pail.table.Schema;
import dev.pail.table.Table;
import dev.pail.table.Tables;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Shows the schema of a table, or changes it. */
final class TableSchemaCommand extends TableChange {
    private static final Option.Text SET =
            Option.text("FILE", "Take the JSON Schema in this file; - for standard input.", "--set");

    private static final Option.Texts COLUMN = Option.texts(
            "COLUMN",
            "Add a column, or replace it: 'PATH TYPE [required] [null] [default JSON]'. May be repeated.",
            "--column");

    private static final Option.Texts CHECK =
            Option.texts("FILTER", "Add a check: a filter that accepts each row. May be repeated.", "--check");

    private static final Option.Texts REMOVE = Option.texts(
            "TEXT", "Remove the column with this path, or the check with this text. May be repeated.", "--remove");

    private static final Option.Text KEY = Option.text("PATH", "The column with the id of the row.", "--key");

    private static final Option.Flag CLOSED = Option.flag("Refuse fields that are no columns.", "--closed");

    private static final Option.Flag OPEN = Option.flag("Take fields that are no columns.", "--open");

    private static final Option.Flag DROP = Option.flag("Remove the schema.", "--drop");

    private static final Option.Flag JSON_SCHEMA = Option.flag("Print the schema as JSON Schema.", "--json-schema");

    /** Those that change a schema part by part. */
    private static final List<Option> PARTS = List.of(COLUMN, CHECK, REMOVE, KEY, CLOSED, OPEN);

    TableSchemaCommand() {
        super(
                "schema",
                "Shows the schema of a table, or changes it and prints the new root.",
                "A put or load of a row that does not fit is refused. A type is text, integer, decimal, boolean, timestamp, date, bytes (base64), list,",
                "object or json. A required column is in each row; a put writes the default of a column that is absent. In a check, a comparison",
                "with an absent field does not hold. If a row does not fit the new schema, nothing changes. --set takes a JSON Schema with",
                "the keywords of spec/tables.md, and refuses any other by its name. Version 0.2 reads no table with a schema.");
        takes(SET, COLUMN, CHECK, REMOVE, KEY, CLOSED, OPEN, DROP, JSON_SCHEMA);
        Stream.concat(Stream.of(SET), PARTS.stream()).forEach(option -> {
            excludes(DROP, option, "--drop takes no other option");
            excludes(JSON_SCHEMA, option, "--json-schema shows a schema, and changes none");
        });
        excludes(DROP, JSON_SCHEMA, "--drop takes no other option");
        PARTS.forEach(option -> excludes(SET, option, "--set takes the whole schema from a file: give it alone"));
        excludes(CLOSED, OPEN, "--closed and --open exclude each other");
        readsAt();
        takesMessage();
        examples(
                "  pail table schema people",
                "  pail table schema people --column 'age integer' --column 'address.city text required'",
                "  pail table schema people --check 'not exists age or age >= 0' --key id",
                "  pail table schema people --json-schema > people.schema.json",
                "  pail table schema people --set people.schema.json");
    }

    @Override
    public int run(Call call) {
        String name = call.parameter(0);
        boolean drop = call.get(DROP);
        String file = call.get(SET);
        boolean isChange = drop || file != null || PARTS.stream().anyMatch(call::isGiven);
        if (!isChange) {
            return show(call, name);
        }
        if (call.isGiven(Call.AT)) {
            throw Failure.usage("--at shows the schema of a version, and changes none");
        }
        String reason = "table schema " + name + (drop ? " --drop" : "");
        if (drop) {
            return update(
                    call,
                    reason,
                    pail -> Tables.of(pail).table(name).withoutSchema().pail());
        }
        UnaryOperator<Schema> change = file == null ? changes(call) : whole(call, file);
        return update(call, reason, pail -> {
            Table table = Tables.of(pail).table(name);
            Schema before = table.schema().orElseGet(() -> Schema.of(List.of()));
            return table.withSchema(change.apply(before)).pail();
        });
    }

    private static UnaryOperator<Schema> whole(Call call, String file) {
        Schema.Imported read = Schema.ofJsonSchema(TableRowCommands.content(call, file, "JSON Schema"));
        if (!read.notKept().isEmpty() && !call.terminal().quiet) {
            call.terminal().note("not kept, because it says nothing of rows: " + String.join(", ", read.notKept()));
        }
        return before -> read.schema();
    }

    private static UnaryOperator<Schema> changes(Call call) {
        List<Column> columns = call.get(COLUMN).stream().map(Column::parse).toList();
        List<Filter> checks = call.get(CHECK).stream().map(Filter::parse).toList();
        List<String> removed = call.get(REMOVE);
        String key = call.get(KEY);
        return before -> {
            Schema schema = before;
            for (String each : removed) {
                schema = without(schema, each);
            }
            for (Column column : columns) {
                schema = schema.with(column);
            }
            for (Filter check : checks) {
                schema = schema.check(check);
            }
            schema = key == null ? schema : schema.key(FieldPath.parse(key));
            return call.get(CLOSED) ? schema.closed() : call.get(OPEN) ? schema.open() : schema;
        };
    }

    private static Schema without(Schema schema, String name) {
        for (Column column : schema.columns()) {
            if (column.path().text().equals(name)) {
                boolean isKey = schema.key().equals(Optional.of(column.path()));
                return (isKey ? schema.withoutKey() : schema).without(column.path());
            }
        }
        for (Filter check : schema.checks()) {
            if (check.toString().equals(name)) {
                return schema.withoutCheck(check);
            }
        }
        throw Failure.usage("the schema has no column or check " + Escapes.brief(name));
    }

    private static int show(Call call, String name) {
        Terminal terminal = call.terminal();
        try (Versions versions = call.versions()) {
            Schema schema = Tables.of(versions.pail())
                    .table(name)
                    .schema()
                    .orElseThrow(() -> new Failure.Found(
                            Exit.NO,
                            "no-such-schema",
                            "the table " + Escapes.brief(name) + " has no schema",
                            "give it one with: pail table schema TABLE --column 'FIELD TYPE'"));
            if (call.get(JSON_SCHEMA)) {
                terminal.print(
                        Escapes.printableJson(terminal.json ? schema.jsonSchema() : indented(schema.jsonSchema())));
            } else if (terminal.json) {
                terminal.printJson(json -> {
                    json.writeStringField("table", name);
                    json.writeFieldName("schema");
                    json.writeRawValue(Escapes.printableJson(schema.jsonSchema()));
                });
            } else {
                print(terminal, schema);
            }
            return Exit.DONE;
        }
    }

    private static void print(Terminal terminal, Schema schema) {
        TablePrinter printer =
                TablePrinter.of(terminal, TablePrinter.Format.TABLE, List.of("column", "type", "required", "default"));
        for (Column column : schema.columns()) {
            printer.add(
                    column.path().text(),
                    column.type() + (column.isNullable() ? " or null" : ""),
                    column.isRequired() ? "required" : "",
                    column.defaultValue().orElse(""));
        }
        printer.end();
        schema.checks().forEach(check -> terminal.print("check: " + Escapes.printable(check.toString())));
        schema.key().ifPresent(key -> terminal.print("key: " + Escapes.printable(key.text())));
        if (schema.isClosed()) {
            terminal.print("closed: a row has no other fields");
        }
    }

    /** JSON over several lines. Its numbers keep their digits. */
    private static String indented(String json) {
        JsonFactory factory = JsonTexts.unbounded();
        StringWriter out = new StringWriter();
        try (JsonParser parser = factory.createParser(json);
                JsonGenerator generator = factory.createGenerator(out)) {
            generator.setPrettyPrinter(new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));
            while (parser.nextToken() != null) {
                generator.copyCurrentEventExact(parser);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }
}
