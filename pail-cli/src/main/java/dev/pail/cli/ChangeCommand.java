package dev.pail.cli;

import dev.pail.Pail;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.ipld.Cid;

/** A command that makes a new version, and prints its root. */
abstract class ChangeCommand extends Command {
    private static final String UNRELATED = "--allow-unrelated-histories";

    ChangeCommand(String name, String... description) {
        super(name, description);
    }

    /** The option that lets histories be merged that began apart from each other: {@link #unrelated} heeds it. */
    final void mayMergeUnrelated() {
        flag("Merge even histories that began apart from each other.", UNRELATED);
    }

    static UnrelatedHistories unrelated(Call call) {
        return call.flag(UNRELATED) ? UnrelatedHistories.MERGE_FROM_EMPTY : UnrelatedHistories.REFUSE;
    }

    static void printRoot(Call call, Pail pail) {
        printRoot(call, pail.root());
    }

    /** Notes what was changed, before anything about it is printed. */
    static void changed(Call call, Cid root) {
        if (!call.flag("--dry-run")) {
            call.terminal().changed = "the root is " + root;
        }
    }

    static void printRoot(Call call, Cid root) {
        changed(call, root);
        if (call.terminal().json) {
            call.terminal().printJson(json -> json.writeStringField("root", root.toString()));
        } else if (!call.terminal().quiet) {
            call.terminal().print(root.toString());
        }
    }
}
