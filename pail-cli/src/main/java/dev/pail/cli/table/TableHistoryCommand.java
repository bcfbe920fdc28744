package dev.pail.cli.table;

import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.MissingBlockException;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.HistoryText;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.Patch;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Terminal;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.table.Document;
import dev.pail.table.Tables;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Tells which documents a row had. */
final class TableHistoryCommand extends TableQuery {
    private static final Option.WholeNumber LIMIT = Option.number("N", "List at most N changes.", "--limit");

    TableHistoryCommand() {
        super(
                "history",
                "Lists the changes of a row, newest first, with the document that each left.",
                "An empty document means that the row was removed. With -p, each change is printed with the fields that it changed. Events that came from elsewhere have no time. After concurrent changes, the row",
                "need not have the first document: see log. The exit status is 1 if the row was never there. history finds the changes under the",
                "number that the table has now; a merge of two tables of one number gives one of them another.");
        parameter("TABLE", "1", "The table.");
        parameter("ID", "1", "The id of the row.");
        takes(LIMIT, Patch.PATCH);
        printsCells();
        readsAt();
        excludes(Patch.PATCH, FORMAT, "-p prints lines for people; for programs, give -p with --json");
        excludes(Patch.PATCH, CELLS, "-p prints lines for people, not cells");
        examples(
                "  pail table history people ada",
                "  pail table history people ada -p",
                "  pail table history people ada --at draft --limit 10",
                "  pail table history people ada --json");
    }

    @Override
    public int run(Call call) {
        String table = call.parameter(0);
        String id = call.parameter(1);
        long most = call.limit(LIMIT);
        TablePrinter.Format format = TablePrinter.Format.of(call.terminal(), call.get(FORMAT));
        TablePrinter.Cells cells = TablePrinter.Cells.of(format, call.get(CELLS));
        TablePrinter printer = TablePrinter.of(
                call.terminal(), format, cells, List.of("event", "time", "document", "author", "message"));
        try (Versions versions = call.versions()) {
            String key = Tables.of(versions.pail()).table(table).key(id);
            Head head = versions.head().orElseThrow(Versions::withoutHistory);
            boolean isEmpty = true;
            try (Stream<HistoryEntry> entries =
                    versions.history(head, key::equals).limit(most)) {
                for (Iterator<HistoryEntry> each = entries.iterator(); each.hasNext(); isEmpty = false) {
                    HistoryEntry entry = each.next();
                    if (call.get(Patch.PATCH)) {
                        printPatch(call.terminal(), versions, key, entry);
                    } else {
                        print(call.terminal(), format, printer, versions.blocks(), entry);
                    }
                }
            }
            printer.end();
            if (isEmpty && most > 0) {
                throw TableRowCommands.absent(Escapes.brief(id));
            }
            return Exit.DONE;
        }
    }

    /** Prints a change with the fields that differ from the version before it. */
    private static void printPatch(Terminal terminal, Versions versions, String key, HistoryEntry entry) {
        Optional<Cid> before = versions.pailAt(Head.of(entry.parents())).get(key);
        Patch patch = new Patch(terminal, versions.blocks());
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("event", entry.event().cid().toString());
                HistoryText.writeDescription(json, entry.time(), entry.note());
                Json.writeCid(json, "before", before);
                Json.writeCid(json, "after", entry.value());
                patch.write(json, before, entry.value());
            });
            return;
        }
        terminal.printStyled(HistoryText.brief(entry.event().cid())
                + entry.time()
                        .map(time -> "  " + terminal.faint(HistoryText.time(time)))
                        .orElse("")
                + HistoryText.text(entry.note()));
        patch.print(before, entry.value());
    }

    private static void print(
            Terminal terminal,
            TablePrinter.Format format,
            TablePrinter printer,
            BlockStore blocks,
            HistoryEntry entry) {
        Cid event = entry.event().cid();
        Optional<Cid> cid = entry.value();
        Optional<String> document = cid.flatMap(value -> document(blocks, value));
        if (format != TablePrinter.Format.NDJSON) {
            boolean isAligned = format == TablePrinter.Format.TABLE;
            printer.add(
                    printer.text(isAligned ? HistoryText.brief(event) : event.toString()),
                    entry.time().map(HistoryText::time).map(printer::text).orElse(""),
                    cid.map(value -> document.orElse("missing: " + value)).orElse(""),
                    entry.note().author().map(printer::text).orElse(""),
                    entry.note().message().map(printer::text).orElse(""));
            return;
        }
        terminal.printJson(json -> {
            json.writeStringField("event", event.toString());
            HistoryText.writeDescription(json, entry.time(), entry.note());
            if (cid.isPresent()) {
                json.writeStringField("cid", cid.get().toString());
            }
            if (document.isPresent()) {
                json.writeFieldName("document");
                json.writeRawValue(document.get());
            }
        });
    }

    /** The document in JSON; empty if its block is missing, as in a copy without old values. */
    private static Optional<String> document(BlockStore blocks, Cid cid) {
        try {
            return Optional.of(Document.read(blocks, cid).json());
        } catch (MissingBlockException e) {
            return Optional.empty();
        }
    }
}
