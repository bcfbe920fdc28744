package dev.pail.cli;

import dev.pail.repository.Repository;

/** Starts a new history with the current version. */
final class SquashCommand extends ChangeCommand {
    SquashCommand() {
        super(
                "squash",
                "Starts a new history with the version of the branch, and prints its root. Keys and values stay; the changes",
                "before are no part of the branch any more. undo brings them back, and gc takes away what only they need",
                "after 90 days. Copies with the old history cannot merge the new one: squash before you share.");
        takesMessage();
        examples("  pail squash", "  pail squash -m 'start of 2027'");
    }

    @Override
    int run(Call call) {
        try (Repository repository = call.toWrite()) {
            String branch = call.branch(repository);
            printRoot(
                    call,
                    repository.startHistory(branch, "squash", pail -> pail).root());
            return Exit.DONE;
        }
    }
}
