package dev.pail.cli.command.map;

import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.ipld.Cid;

/** Prints the current root. */
public final class RootCommand extends Command {
    public RootCommand() {
        super("root", "Prints the root CID of the current version, or of another.");
        readsAt();
        examples("  pail root", "  pail root --at other-branch");
    }

    @Override
    public int run(Call call) {
        try (Versions versions = call.versions()) {
            Cid root = versions.root();
            if (call.terminal().json) {
                call.terminal().printJson(json -> json.writeStringField("root", root.toString()));
            } else {
                call.terminal().print(root.toString());
            }
            return Exit.DONE;
        }
    }
}
