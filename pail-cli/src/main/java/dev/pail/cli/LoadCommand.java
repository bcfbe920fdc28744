package dev.pail.cli;

import dev.pail.Pail;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;

/** Puts many keys. */
final class LoadCommand extends ChangeCommand {
    LoadCommand() {
        super(
                "load",
                "Puts the keys and values of a text, all in one new version, and prints its root. A line is a key, a tab",
                "and a CID, as ls prints them. Sorted by key goes fastest.");
        parameter("FILE", "0..1", "Where the lines are; - or nothing: standard input.");
        examples("  pail load keys.tsv", "  pail -C other ls | pail load");
    }

    @Override
    int run(Call call) {
        try (Repository repository = call.repository();
                Lines lines = Inputs.lines(call, 0);
                Progress progress = call.progress("keys", lines)) {
            Pail changed = repository.update(call.branch(repository), pail -> load(pail, lines, progress));
            printRoot(call, changed);
            return Exit.DONE;
        }
    }

    private static Pail load(Pail pail, Lines lines, Progress progress) {
        lines.restart();
        progress.restart();
        LongBatch batch = new LongBatch(pail);
        while (put(lines, batch)) {
            progress.step();
        }
        return batch.commit();
    }

    /** Puts what the next line says, if there is one. */
    private static boolean put(Lines lines, LongBatch batch) {
        int column = 1;
        try {
            String line = lines.next();
            if (line == null) {
                return false;
            }
            int tab = line.lastIndexOf('\t');
            if (tab < 0) {
                column = line.length() + 1;
                throw Operations.syntax("a key, a tab and a CID are expected, and there is no tab");
            }
            column = tab + 2;
            Cid value = Values.parse(line.substring(tab + 1, line.endsWith("\r") ? line.length() - 1 : line.length()));
            column = 1;
            batch.change(each -> each.put(line.substring(0, tab), value));
            return true;
        } catch (RuntimeException e) {
            throw Operations.at("line " + lines.number() + ", column " + column, e);
        }
    }
}
