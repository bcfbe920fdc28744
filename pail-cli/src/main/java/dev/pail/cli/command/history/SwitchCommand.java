package dev.pail.cli.command.history;

import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.RepositoryVersions;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Revision;
import dev.pail.repository.model.Snapshot;

/** Makes another branch the current one. */
public final class SwitchCommand extends ChangeCommand {
    private static final Option.Flag CREATE = Option.flag("Make the branch first.", "-c", "--create");

    public SwitchCommand() {
        super("switch", "Makes another branch the current one, and prints its root.");
        parameter("NAME", "1", "The branch.");
        parameter("REVISION", "0..1", "With -c, where it begins: " + Versions.HOW + "; else the current version.");
        takes(CREATE);
        examples("  pail switch experiment", "  pail switch -c experiment");
    }

    @Override
    public int run(Call call) {
        if (call.globals().branch() != null) {
            throw Failure.usage("-b chooses a branch for one command, switch for those that follow: give one of them");
        }
        String given = call.optionalParameter(1);
        if (given != null && !call.get(CREATE)) {
            throw Failure.usage("only a branch that is made begins at a revision: " + CREATE);
        }
        try (Repository repository = call.toWrite()) {
            String name = call.parameter(0);
            if (call.get(CREATE)) {
                String from = call.branch(repository);
                Revision revision = RepositoryVersions.resolveOrNewest(repository, from, given);
                Snapshot unused = repository.branches().create(name, revision);
            }
            repository.branches().switchTo(name);
            printRoot(call, repository.root(name));
            return Exit.DONE;
        }
    }
}
