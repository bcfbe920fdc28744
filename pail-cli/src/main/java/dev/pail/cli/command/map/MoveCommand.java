package dev.pail.cli.command.map;

import dev.pail.Batch;
import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.command.Option;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import java.util.List;

/** Gives the value of a key to another key, and keeps the first one or removes it. */
public final class MoveCommand extends ChangeCommand {
    private static final Option.Flag FORCE = Option.flag("Replace the value that NEW has.", "-f", "--force");

    private final boolean isCopy;

    private MoveCommand(boolean isCopy, String name, String... description) {
        super(name, description);
        this.isCopy = isCopy;
        parameter("OLD", "1", "The key that has the value.");
        parameter("NEW", "1", "The key that gets it.");
        takes(FORCE);
        inNamespace();
        takesMessage();
        examples("  pail " + name + " notes/today notes/2026-11-29");
    }

    /** {@code mv}. */
    public static MoveCommand renaming() {
        return new MoveCommand(
                false,
                "mv",
                "Renames a key: NEW gets the value of OLD, in one change.",
                "mv prints the new root. It refuses a NEW that has a value, without -f.");
    }

    /** {@code cp}. */
    public static MoveCommand copying() {
        return new MoveCommand(
                true,
                "cp",
                "Gives NEW the value of OLD, and keeps both.",
                "cp prints the new root. It copies no bytes: both keys lead to one CID. It refuses a NEW that has a value, without -f.");
    }

    @Override
    public int run(Call call) {
        String from = call.parameter(0);
        String to = call.parameter(1);
        try (Repository repository = call.toWrite()) {
            printRoot(
                    call,
                    repository
                            .update(call.branch(repository), pail -> moved(call, pail, from, to))
                            .pail());
            return Exit.DONE;
        }
    }

    private Pail moved(Call call, Pail pail, String from, String to) {
        String old = call.key(pail, from);
        String next = call.key(pail, to);
        Cid value = pail.get(old).orElseThrow(() -> GetCommand.absent(List.of(from)));
        if (pail.get(next).isPresent() && !call.get(FORCE)) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "key-exists",
                    "the key has a value: " + Escapes.brief(to) + "; nothing was changed",
                    "replace it with " + FORCE);
        }
        Batch batch = pail.batch();
        if (!isCopy) {
            batch.delete(old);
        }
        return batch.put(next, value).commit();
    }
}
