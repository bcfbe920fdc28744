package dev.pail.cli;

import dev.pail.repository.Collected;
import dev.pail.repository.GarbageCollection;
import dev.pail.repository.Repository;
import dev.pail.repository.RepositoryException;

/** Takes away blocks that nothing needs. */
final class GcCommand extends Command {
    GcCommand() {
        super(
                "gc",
                "Moves blocks to the trash that nothing needs: what no branch, no tag and no move of the last 90 days leads to, and was",
                "put more than 14 days ago. What was in the trash for 14 days is deleted; until then, whatever reads or puts",
                "a block brings it back. Others may work meanwhile. If a block that a branch or a tag needs is missing or",
                "damaged, none is taken away: see pail verify.");
        flag("Only tell what would be done.", "--dry-run");
        examples("  pail gc --dry-run", "  pail gc");
    }

    @Override
    int run(Call call) {
        boolean dry = call.flag("--dry-run");
        try (Repository repository = call.repository();
                Progress progress = call.progress("blocks")) {
            call.warnOfForeignFiles(repository);
            warnIfReplaced(call.terminal(), repository);
            GarbageCollection collection = repository.garbageCollection().withProgress(progress::step);
            Collected collected = dry ? collection.dryRun() : collection.run();
            call.terminal().changed = dry ? null : "what nobody needs was taken away";
            progress.hide();
            collected
                    .lost()
                    .forEach(lost -> call.terminal()
                            .warn("a log leads to what is lost, and what only that leads to is not kept: "
                                    + Failure.message(lost)));
            print(call.terminal(), collected, dry);
            return Exit.DONE;
        }
    }

    private static void warnIfReplaced(Terminal terminal, Repository repository) {
        try {
            repository.logsHeededSince();
        } catch (RepositoryException e) {
            terminal.warn(Failure.message(e)
                    + ": it is replaced, and versions that only logs lead to are kept as far as they are there");
        }
    }

    private static void print(Terminal terminal, Collected collected, boolean dry) {
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeBooleanField("dryRun", dry);
                for (Line line : Line.values()) {
                    Collected.Amount amount = line.of(collected);
                    json.writeNumberField(line.field, amount.blocks());
                    json.writeNumberField(line.field + "Bytes", amount.bytes());
                }
            });
        } else if (!terminal.quiet) {
            for (Line line : Line.values()) {
                Collected.Amount amount = line.of(collected);
                if (!line.always && amount.blocks() == 0) {
                    continue;
                }
                terminal.print(line.text + "\tblocks " + amount.blocks() + ", bytes " + amount.bytes());
            }
        }
    }

    /** What is told. */
    private enum Line {
        KEPT("kept", "kept", true),
        MOVED("moved to the trash", "moved", true),
        WAITING("in the trash before", "waiting", false),
        DELETED("deleted from the trash", "deleted", true),
        RESTORED("brought back from the trash", "restored", false);

        private final String text;
        private final String field;

        /** Whether it is printed even if there are no blocks. */
        private final boolean always;

        Line(String text, String field, boolean always) {
            this.text = text;
            this.field = field;
            this.always = always;
        }

        Collected.Amount of(Collected collected) {
            return switch (this) {
                case KEPT -> collected.kept();
                case MOVED -> collected.moved();
                case WAITING -> collected.waiting();
                case DELETED -> collected.deleted();
                case RESTORED -> collected.restored();
            };
        }
    }
}
