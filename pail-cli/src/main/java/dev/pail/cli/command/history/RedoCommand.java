package dev.pail.cli.command.history;

import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.terminal.Exit;
import dev.pail.repository.Repository;

/** Moves a branch forward again after undos. */
public final class RedoCommand extends ChangeCommand {
    public RedoCommand() {
        super(
                "redo",
                "Moves the branch forward after an undo, and prints the root.",
                "Each redo takes back one undo. After any other change of the branch there is nothing to redo.");
        parameter("N", "0..1", "How many moves; else 1.");
        examples("  pail redo", "  pail redo 3");
    }

    @Override
    public int run(Call call) {
        int steps = UndoCommand.steps(call);
        try (Repository repository = call.toWrite()) {
            printRoot(
                    call,
                    repository
                            .redo(toMove(call, repository, call.branch(repository)), steps)
                            .root());
            return Exit.DONE;
        }
    }
}
