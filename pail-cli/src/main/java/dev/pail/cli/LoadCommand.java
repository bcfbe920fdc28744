package dev.pail.cli;

import dev.pail.Batch;
import dev.pail.Pail;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import org.jspecify.annotations.Nullable;

/** Puts many keys. */
final class LoadCommand extends ChangeCommand {
    LoadCommand() {
        super(
                "load",
                "Puts the keys and values of a text, all in one new version, and prints its root. A line is a key, a tab",
                "and a CID, as ls prints them. Sorted by key goes fastest. It takes a few hundred bytes of memory for a key.");
        parameter("FILE", "0..1", "Where the lines are; - or nothing: standard input.");
        examples("  pail load keys.tsv", "  pail -C other ls | pail load");
    }

    @Override
    int run(Call call) {
        try (Repository repository = call.repository();
                Lines lines = Inputs.lines(call, 0);
                Progress progress = call.progress("keys", lines)) {
            Replayed<Loaded> all = new Replayed<>(() -> read(lines, progress));
            Pail changed = repository.update(call.branch(repository), pail -> load(pail.batch(), all));
            printRoot(call, changed);
            return Exit.DONE;
        }
    }

    /** A line that was read: its number, from 1, and what it says. */
    private record Loaded(long line, String key, Cid value) {}

    private static @Nullable Loaded read(Lines lines, Progress progress) {
        String line;
        try {
            line = lines.next();
        } catch (RuntimeException e) {
            throw at(lines.number(), 1, e);
        }
        if (line == null) {
            return null;
        }
        int tab = line.lastIndexOf('\t');
        if (tab < 0) {
            RuntimeException error = Operations.syntax("a key, a tab and a CID are expected, and there is no tab");
            throw at(lines.number(), line.length() + 1, error);
        }
        int end = line.endsWith("\r") ? line.length() - 1 : line.length();
        try {
            Cid value = Values.parse(line.substring(tab + 1, end));
            progress.step();
            return new Loaded(lines.number(), line.substring(0, tab), value);
        } catch (RuntimeException e) {
            throw at(lines.number(), tab + 2, e);
        }
    }

    private static Pail load(Batch batch, Replayed<Loaded> all) {
        all.restart();
        for (Loaded next = all.next(); next != null; next = all.next()) {
            try {
                batch.put(next.key, next.value);
            } catch (RuntimeException e) {
                throw at(next.line, 1, e);
            }
        }
        return batch.commit();
    }

    private static RuntimeException at(long line, int column, RuntimeException error) {
        return Operations.at("line " + line + ", column " + column, error);
    }
}
