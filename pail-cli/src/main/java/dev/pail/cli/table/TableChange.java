package dev.pail.cli.table;

import dev.pail.Pail;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Progress;
import dev.pail.repository.Repository;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** An action that makes a new version of the tables, and prints its root. */
abstract class TableChange extends ChangeCommand {
    TableChange(String name, String... description) {
        super(name, description);
        parameter("TABLE", "1", "The table.");
    }

    /**
     * Changes the branch, and prints the new root.
     *
     * @param reason what the log says
     */
    static int update(Call call, String reason, UnaryOperator<Pail> change) {
        return update(call, reason, (repository, pail) -> change.apply(pail));
    }

    /** The same, by a change that asks the repository what its readers understand. */
    static int update(Call call, String reason, BiFunction<Repository, Pail, Pail> change) {
        try (Repository repository = call.toWrite();
                Progress progress = call.progress("working")) {
            Pail changed = repository
                    .update(call.branch(repository), reason, pail -> change.apply(repository, pail))
                    .pail();
            progress.hide();
            printRoot(call, changed);
            return Exit.DONE;
        }
    }
}
