package dev.pail.cli.command.history;

import dev.pail.Escapes;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.command.HistoryText;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.clock.Head;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Snapshot;

/** Moves a branch back to where it stood. */
public final class UndoCommand extends ChangeCommand {
    public UndoCommand() {
        super(
                "undo",
                "Moves the branch back before its last change, and prints the root.",
                "Each undo goes one move further back, and redo goes forward. undo changes this repository alone: a copy that has the change brings it back",
                "with the next import. To take a change back in all copies, use revert. To see the moves: pail log --head.");
        parameter("N", "0..1", "How many moves; else 1.");
        examples("  pail undo", "  pail undo 3");
    }

    @Override
    public int run(Call call) {
        int steps = steps(call);
        try (Repository repository = call.toWrite()) {
            Snapshot now = toMove(call, repository, call.branch(repository));
            Snapshot after = repository.undo(now, steps);
            warnIfLost(call, repository, now, after);
            printRoot(call, after.root());
            call.terminal()
                    .hint(
                            "a replica that has this change brings it back with the next import; to take it back everywhere: "
                                    + "pail redo, then pail revert " + event(now.head()));
            return Exit.DONE;
        }
    }

    private static String event(Head head) {
        return head.size() == 1 ? HistoryText.brief(head.events().get(0)) : "EVENT";
    }

    /** How many moves: the first parameter, or 1. */
    static int steps(Call call) {
        String given = call.optionalParameter(0);
        if (given == null) {
            return 1;
        }
        if (!given.matches("[1-9][0-9]{0,8}")) {
            throw Failure.usage("how many moves is a number from 1, not " + Escapes.brief(given));
        }
        return Integer.parseInt(given);
    }
}
