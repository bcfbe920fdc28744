package dev.pail.cli.command.history;

import dev.pail.car.Completeness;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.command.RepositoryVersions;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.clock.Head;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Revision;
import dev.pail.repository.model.Snapshot;
import java.util.List;

/** Moves a branch to any version. */
public final class ResetCommand extends ChangeCommand {
    public ResetCommand() {
        super(
                "reset",
                "Moves the branch to another version, and prints the root.",
                "Nothing is lost: undo takes it back. A root without a history becomes a change of the current version.");
        parameter("REVISION", "1", "The version: " + Versions.HOW + ".");
        examples("  pail reset @{5}", "  pail reset bafyreiawitiesapwxz4qhbcskjnbj6q63qplajvtsg3ikd6tfbcx6pzime");
    }

    @Override
    public int run(Call call) {
        try (Repository repository = call.toWrite()) {
            Snapshot now = toMove(call, repository, call.branch(repository));
            Revision there = RepositoryVersions.resolve(repository, now.branch(), call.parameter(0));
            String reason = "reset to " + call.parameter(0);
            Head head = there.head().orElse(null);
            if (head != null) {
                Snapshot after = repository.move(now, head, reason);
                warnIfLost(call, repository, now, after);
                printRoot(call, after.root());
                return Exit.DONE;
            }
            Completeness.require(repository.blocks(), List.of(there.pail().root()));
            printRoot(
                    call,
                    repository
                            .replace(now.branch(), reason, before -> there.pail())
                            .pail());
            return Exit.DONE;
        }
    }
}
