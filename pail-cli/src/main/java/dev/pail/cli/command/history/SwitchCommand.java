package dev.pail.cli.command.history;

import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.repository.Repository;

/** Makes another branch the current one. */
public final class SwitchCommand extends ChangeCommand {
    public SwitchCommand() {
        super("switch", "Makes another branch the current one, and prints its root.");
        parameter("NAME", "1", "The branch.");
        examples("  pail switch experiment");
    }

    @Override
    public int run(Call call) {
        if (call.globals().branch() != null) {
            throw Failure.usage("-b chooses a branch for one command, switch for those that follow: give one of them");
        }
        try (Repository repository = call.toWrite()) {
            String name = call.parameter(0);
            repository.branches().switchTo(name);
            printRoot(call, repository.root(name));
            return Exit.DONE;
        }
    }
}
