package dev.pail.cli.command.history;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.Conflict;
import dev.pail.Escapes;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.HistoryText;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.terminal.Terminal;
import dev.pail.cli.text.ValueText;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.OpenConflict;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.ConflictEntry;
import dev.pail.repository.model.Note;
import dev.pail.table.TableConflict;
import dev.pail.table.TableMerge;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Lists the conflicts that no one has decided. */
public final class ConflictsCommand extends Command {
    /** The most rows of one table that are listed because the table does not allow them. */
    private static final int MOST_KEPT = 1000;

    public ConflictsCommand() {
        super(
                "conflicts",
                "Lists the conflicts that merges left open: keys and rows that were changed on several sides in different ways, and not since.",
                "A merge without --policy gives such a key the same value in all copies. The conflict stays open until someone decides it with",
                "pail resolve, or changes the key. Base is the last value that all sides had, ours what this branch put itself, theirs what came by a",
                "merge. If the log of the branch does not tell, ours is the value that stands. A star marks the value that stands.",
                "Last come rows that a merge kept though a table does not allow them: rows with the same values in a unique index, and rows that do",
                "not fit the schema. To decide, change or remove a row.");
        examples("  pail conflicts", "  pail conflicts --json");
    }

    @Override
    public int run(Call call) {
        Terminal terminal = call.terminal();
        try (Repository repository = call.repository();
                Progress progress = call.progress("looking for conflicts")) {
            List<ConflictEntry> open = repository.conflicts().of(call.branch(repository));
            progress.hide();
            // One clock for all of them: many conflicts have the same events.
            MerkleClock clock = MerkleClock.open(repository.blocks());
            open.forEach(each -> {
                if (terminal.json) {
                    printJson(terminal, each);
                } else {
                    print(terminal, clock, each);
                }
            });
            List<TableConflict> kept =
                    TableMerge.kept(repository.snapshot(call.branch(repository)).pail(), MOST_KEPT);
            progress.hide();
            kept.forEach(each -> {
                if (terminal.json) {
                    printJson(terminal, each);
                } else {
                    terminal.print(Escapes.escape(each.subject()));
                }
            });
            if (!terminal.quiet && !terminal.json) {
                if (!open.isEmpty()) {
                    terminal.note((open.size() == 1 ? "1 open conflict" : open.size() + " open conflicts")
                            + "; decide with: pail resolve KEY --ours|--theirs|--base|--text TEXT");
                }
                if (!kept.isEmpty()) {
                    terminal.note(
                            "rows that their tables do not allow: change or remove them with pail table put or rm");
                }
            }
            return Exit.DONE;
        }
    }

    private static void print(Terminal terminal, MerkleClock clock, ConflictEntry entry) {
        Conflict conflict = entry.conflict();
        terminal.print(place(conflict));
        print(terminal, clock, "base", conflict.base(), entry);
        print(terminal, clock, "ours", conflict.ours(), entry);
        entry.sides().stream()
                .map(OpenConflict.Side::value)
                .filter(value -> !value.equals(conflict.ours()))
                .distinct()
                .forEach(value -> print(terminal, clock, "theirs", value, entry));
    }

    /** A side of a conflict: its value, and who put it when. */
    private static void print(
            Terminal terminal, MerkleClock clock, String side, Optional<Cid> value, ConflictEntry entry) {
        String mark = !side.equals("base") && value.equals(entry.stands()) ? "*" : " ";
        terminal.print("  " + side + " ".repeat("theirs".length() - side.length()) + " " + mark + " "
                + ValueText.brief(clock.blocks(), value)
                + (side.equals("base") ? "" : who(clock, value, entry)));
    }

    private static String who(MerkleClock clock, Optional<Cid> value, ConflictEntry entry) {
        return entry.sides().stream()
                .filter(side -> side.value().equals(value))
                .findFirst()
                .map(side -> clock.event(side.event()))
                .map(event -> HistoryText.text(event.description().map(Note::of).orElse(Note.NONE)) + "  "
                        + HistoryText.brief(event.cid()))
                .orElse("");
    }

    /** The key, or the table and the row. */
    static String place(Conflict conflict) {
        return conflict instanceof TableConflict found && found.table().isPresent()
                ? "table " + Escapes.escape(found.table().get())
                        + found.row().map(row -> " row " + Escapes.escape(row)).orElse("")
                : Escapes.escape(conflict.key());
    }

    private static void printJson(Terminal terminal, ConflictEntry entry) {
        Conflict conflict = entry.conflict();
        terminal.printJson(json -> {
            json.writeStringField("key", conflict.key());
            writeSides(json, conflict);
            Json.writeCid(json, "now", entry.stands());
            json.writeArrayFieldStart("sides");
            for (OpenConflict.Side side : entry.sides()) {
                json.writeStartObject();
                json.writeStringField("event", side.event().toString());
                Json.writeCid(json, "value", side.value());
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    private static void printJson(Terminal terminal, TableConflict kept) {
        terminal.printJson(json -> {
            json.writeStringField("table", kept.table().orElseThrow());
            json.writeArrayFieldStart("rows");
            for (String row : kept.duplicate()
                    .map(TableConflict.Duplicate::rows)
                    .orElse(kept.row().stream().toList())) {
                json.writeString(row);
            }
            json.writeEndArray();
            if (kept.duplicate().isPresent()) {
                json.writeStringField("unique", kept.duplicate().get().index().name());
                json.writeStringField("values", kept.duplicate().get().values());
            }
            if (kept.schema().isPresent()) {
                json.writeStringField("schema", kept.schema().get());
            }
        });
    }

    /** Writes the table and the row of a conflict, if it is of a table, and the values. */
    static void writeSides(JsonGenerator json, Conflict conflict) throws IOException {
        if (conflict instanceof TableConflict found && found.table().isPresent()) {
            json.writeStringField("table", found.table().get());
            if (found.row().isPresent()) {
                json.writeStringField("row", found.row().get());
            }
        }
        Json.writeCid(json, "base", conflict.base());
        Json.writeCid(json, "ours", conflict.ours());
        Json.writeCid(json, "theirs", conflict.theirs());
    }
}
