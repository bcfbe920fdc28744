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
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Lists the conflicts that no one has decided. */
public final class ConflictsCommand extends Command {
    public ConflictsCommand() {
        super(
                "conflicts",
                "Lists the conflicts that merges left open: keys and rows that were changed on several sides in different ways, and not since.",
                "A merge without --policy gives such a key the same value in all copies. The conflict stays open until someone decides it with",
                "pail resolve, or changes the key. Base is the last value that all sides had, ours what this branch put itself, theirs what came by a",
                "merge. If the log of the branch does not tell, ours is the value that stands. A star marks the value that stands.");
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
            if (!open.isEmpty() && !terminal.quiet && !terminal.json) {
                terminal.note((open.size() == 1 ? "1 open conflict" : open.size() + " open conflicts")
                        + "; decide with: pail resolve KEY --ours|--theirs|--base|--text TEXT");
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
