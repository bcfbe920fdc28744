package dev.pail.cli.command.history;

import dev.pail.Pail;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Progress;
import dev.pail.repository.Repository;

/** Starts a new history with the current version. */
public final class SquashCommand extends ChangeCommand {
    public SquashCommand() {
        super(
                "squash",
                "Starts a new history with the version of the branch, and prints its root.",
                "Keys and values stay, and the log of changes begins again. undo brings the old history back; after 90 days gc takes away what only",
                "that needs. A copy with the old history cannot merge the new one: squash before you share.");
        takesMessage();
        examples("  pail squash", "  pail squash -m 'start of 2027'");
    }

    @Override
    public int run(Call call) {
        try (Repository repository = call.toWrite();
                Progress progress = call.progress("working")) {
            String branch = call.branch(repository);
            Pail squashed =
                    repository.startHistory(branch, "squash", pail -> pail).pail();
            progress.hide();
            printRoot(call, squashed);
            return Exit.DONE;
        }
    }
}
