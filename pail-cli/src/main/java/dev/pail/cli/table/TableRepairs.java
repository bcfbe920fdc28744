package dev.pail.cli.table;

import dev.pail.Escapes;
import dev.pail.MergeRules;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.terminal.Terminal;
import dev.pail.content.merge.MergedValues;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Updated;
import dev.pail.table.Orphans;
import dev.pail.table.Repair;
import dev.pail.table.Tables;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes tables right after a merge, and tells what was done. */
public final class TableRepairs {
    private TableRepairs() {}

    /**
     * Changes the branch, tells what was done to indexes, and prints the new root.
     *
     * @param reason what the log says
     */
    static int update(Call call, String reason, Function<Tables, Repair> change) {
        try (Repository repository = call.toWrite();
                Progress progress = call.progress("working")) {
            AtomicReference<@Nullable Repair> last = new AtomicReference<>();
            Updated right = repository.update(call.branch(repository), reason, pail -> {
                Repair repair = change.apply(Tables.of(pail));
                last.set(repair);
                return repair.pail();
            });
            progress.hide();
            ChangeCommand.changed(call, right.root());
            print(call.terminal(), List.of(Objects.requireNonNull(last.get())));
            ChangeCommand.printRoot(call, right.pail());
            return Exit.DONE;
        }
    }

    /** Says what can be done about rows of no table. */
    static String advice(Orphans rows) {
        String command = "pail table orphans " + rows.number();
        return "list them with: " + command + "; take them in with: " + command + " --into TABLE; delete them with: "
                + command + " --delete";
    }

    /** Tells what was done, if anything was, or could not be. */
    public static void print(Terminal terminal, List<? extends MergeRules.Outcome> outcomes) {
        outcomes.forEach(outcome -> {
            if (outcome instanceof Repair repair) {
                print(terminal, repair);
            } else if (outcome instanceof MergedValues values) {
                print(terminal, List.of(values.below()));
            }
        });
    }

    private static void print(Terminal terminal, Repair repair) {
        if (repair.added() + repair.removed() == 0 && repair.notes().isEmpty()) {
            return;
        }
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("repaired", "tables");
                json.writeNumberField("added", repair.added());
                json.writeNumberField("removed", repair.removed());
                Json.writeTexts(json, "notes", repair.notes());
            });
        } else {
            if (!terminal.quiet) {
                terminal.print(
                        "tables repaired: index entries added " + repair.added() + ", removed " + repair.removed());
            }
            repair.notes().forEach(note -> terminal.print("! " + Escapes.printable(note)));
            repair.orphans().forEach(rows -> terminal.print("! rows of no table: " + advice(rows)));
        }
    }
}
