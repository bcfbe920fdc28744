package dev.pail.cli;

import dev.pail.ipld.Cid;

/** Prints the current root. */
final class RootCommand extends Command {
    RootCommand() {
        super("root", "Prints the root CID of the current version, or of another.");
        readsAt();
        examples("  pail root", "  pail root --at other-branch");
    }

    @Override
    int run(Call call) {
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
