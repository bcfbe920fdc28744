package dev.pail.cli;

import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;

/** Prints the current root. */
final class RootCommand extends Command {
    RootCommand() {
        super("root", "Prints the root CID of the current version.");
        examples("  pail root");
    }

    @Override
    int run(Call call) {
        try (Repository repository = call.repository()) {
            Cid root = repository.root(call.branch());
            if (call.terminal().json) {
                call.terminal().printJson(json -> json.writeStringField("root", root.toString()));
            } else {
                call.terminal().print(root.toString());
            }
            return Exit.DONE;
        }
    }
}
