package dev.pail.cli;

import dev.pail.Escapes;
import dev.pail.repository.Repository;
import dev.pail.repository.Revision;
import dev.pail.repository.Snapshot;

/** Moves a branch back to where it stood. */
final class UndoCommand extends ChangeCommand {
    UndoCommand() {
        super(
                "undo",
                "Moves the branch back to where it stood before its last moves, and prints the root. That is a move, too:",
                "so a second undo takes back the first, and nothing is lost. See the moves with: pail log --head");
        parameter("N", "0..1", "How many moves; else 1.");
        examples("  pail undo", "  pail undo 3");
    }

    @Override
    int run(Call call) {
        String given = call.optionalParameter(0);
        int moves = given == null ? 1 : number(given);
        try (Repository repository = call.repository()) {
            Snapshot now = toMove(call, repository, call.branch(repository));
            Revision before = repository.resolve(now.branch() + "@{" + moves + "}");
            String reason = moves == 1 ? "undo" : "undo " + moves;
            Snapshot after = repository.move(now, before.head().orElseThrow(), reason);
            warnIfLost(call, repository, now, after);
            printRoot(call, after.root());
            return Exit.DONE;
        }
    }

    private static int number(String text) {
        if (!text.matches("[1-9][0-9]{0,8}")) {
            throw Failure.usage("how many moves is a number from 1, not " + Escapes.brief(text));
        }
        return Integer.parseInt(text);
    }
}
