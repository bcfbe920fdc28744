package dev.pail.cli.table;

import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Option;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Progress;
import dev.pail.repository.Repository;
import dev.pail.table.Document;
import dev.pail.table.DocumentException;
import dev.pail.table.FieldPath;
import dev.pail.table.Filter;
import dev.pail.table.Row;
import dev.pail.table.Scalar;
import dev.pail.table.Table;
import dev.pail.table.TableBatch;
import dev.pail.table.Tables;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Changes fields of all rows that match a filter. */
final class TableUpdateCommand extends TableChange {
    private static final Option.Texts SET = Option.texts(
            "FIELD=VALUE",
            "Give a field a value: JSON, or else a text. In quotes, 7 is a text: 'number=\"7\"'. May be repeated.",
            "--set");

    private static final Option.Texts UNSET = Option.texts("FIELD", "Remove a field. May be repeated.", "--unset");

    private static final Option.Flag ALL = Option.flag("Change all rows.", "--all");

    TableUpdateCommand() {
        super(
                "update",
                "Changes fields of the rows that match a filter, all in one change, and prints the new root.",
                "The document of a row keeps its other fields. update reports how many rows were changed: those that are as they were do not count.");
        parameter("FILTER", "0..1", "The filter, as scan has it.");
        takes(SET, UNSET, ALL);
        takesMessage();
        examples(
                "  pail table update people 'age > 30' --set city=Oslo",
                "  pail table update people 'not exists email' --set address.zip='\"0150\"' --unset phone",
                "  pail table update people --all --set active=true");
    }

    @Override
    public int run(Call call) {
        String name = call.parameter(0);
        String text = call.optionalParameter(1);
        if ((text == null) != call.get(ALL)) {
            throw Failure.usage("give FILTER or " + ALL + ", one of them");
        }
        Filter filter = text == null ? Filter.all() : Filter.parse(text);
        List<UnaryOperator<Document>> changes = changes(call);
        long[] changed = new long[1];
        try (Repository repository = call.toWrite();
                Progress progress = call.progress("rows")) {
            Pail pail = repository
                    .update(call.branch(repository), "table update " + name, before -> {
                        changed[0] = 0;
                        progress.restart();
                        Tables tables = Tables.of(before);
                        Table table = tables.table(name);
                        TableBatch batch = tables.batch();
                        try (Stream<Row> rows = table.rows(filter)) {
                            for (Iterator<Row> each = rows.iterator(); each.hasNext(); ) {
                                changed[0] += change(batch, name, each.next(), changes);
                                progress.step();
                            }
                        }
                        return batch.commit().pail();
                    })
                    .pail();
            progress.hide();
            print(call, pail, changed[0]);
            return Exit.DONE;
        }
    }

    private static void print(Call call, Pail pail, long changed) {
        if (call.terminal().json) {
            changed(call, pail.root());
            call.terminal().printJson(json -> {
                json.writeStringField("root", pail.root().toString());
                json.writeNumberField("changed", changed);
            });
            return;
        }
        printRoot(call, pail);
        if (!call.terminal().quiet) {
            call.terminal().note("changed " + changed + (changed == 1 ? " row" : " rows"));
        }
    }

    private static int change(TableBatch batch, String table, Row row, List<UnaryOperator<Document>> changes) {
        Document before = row.document();
        Document after = before;
        for (UnaryOperator<Document> change : changes) {
            after = change.apply(after);
        }
        // Another form of the same content is no change.
        if (after.json().equals(before.json())) {
            return 0;
        }
        batch.put(table, row.id(), after);
        return 1;
    }

    private static List<UnaryOperator<Document>> changes(Call call) {
        List<UnaryOperator<Document>> changes = new ArrayList<>();
        for (String set : call.get(SET)) {
            int equals = set.indexOf('=');
            if (equals < 1) {
                throw Failure.usage("--set takes FIELD=VALUE, not " + Escapes.brief(set));
            }
            FieldPath field = FieldPath.parse(set.substring(0, equals));
            String value = json(field, set.substring(equals + 1));
            changes.add(document -> document.with(field, value));
        }
        for (String unset : call.get(UNSET)) {
            FieldPath field = FieldPath.parse(unset);
            changes.add(document -> document.without(field));
        }
        if (changes.isEmpty()) {
            throw Failure.usage("give " + SET + " or " + UNSET);
        }
        return changes;
    }

    /** The value if it is JSON; else the text. */
    private static String json(FieldPath field, String value) {
        try {
            Document tried = Document.parse("{}").with(field, value);
            return tried.json(field).orElse(value);
        } catch (DocumentException e) {
            return Scalar.of(value).json();
        }
    }
}
