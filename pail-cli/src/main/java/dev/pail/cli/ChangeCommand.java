package dev.pail.cli;

import dev.pail.Pail;

/** A command that makes a new version, and prints its root. */
abstract class ChangeCommand extends Command {
    ChangeCommand(String name, String... description) {
        super(name, description);
    }

    static void printRoot(Call call, Pail pail) {
        if (call.terminal().json) {
            call.terminal()
                    .printJson(json -> json.writeStringField("root", pail.root().toString()));
        } else if (!call.terminal().quiet) {
            call.terminal().print(pail.root().toString());
        }
    }
}
