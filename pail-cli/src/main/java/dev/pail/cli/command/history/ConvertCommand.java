package dev.pail.cli.command.history;

import dev.pail.Entry;
import dev.pail.Escapes;
import dev.pail.KeyNotAllowedException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.command.Option;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Progress;
import dev.pail.repository.Repository;
import dev.pail.values.LongBatch;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Gives a branch another shard format. */
public final class ConvertCommand extends ChangeCommand {
    private static final Option.Text FORMAT =
            Option.text("FORMAT", "v0, v1 or v2.", "--format").offering("v0", "v1", "v2");

    private static final int MOST_SHOWN = 10;

    public ConvertCommand() {
        super(
                "convert",
                "Changes the shard format of the branch, and prints the new root.",
                "Keys and values stay. The branch gets a new history, as with squash, and undo goes back to the old one. If the new format does not",
                "allow some keys, convert names them and changes nothing. Empty branches keep the format of the repository.");
        takes(FORMAT);
        takesMessage();
        examples("  pail convert --format v1");
    }

    @Override
    public int run(Call call) {
        ShardFormat format = format(call);
        try (Repository repository = call.toWrite();
                Progress progress = call.progress("keys")) {
            String branch = call.branch(repository);
            Pail before = repository.pail(branch);
            if (before.format().name().equals(format.name())) {
                call.terminal().warn("the branch " + branch + " has the format " + format.name() + " already");
                printRoot(call, before);
                return Exit.DONE;
            }
            checkKeys(before, format, progress);
            printRoot(
                    call,
                    repository
                            .startHistory(
                                    branch, "convert to " + format.name(), pail -> converted(pail, format, progress))
                            .root());
            return Exit.DONE;
        }
    }

    private static ShardFormat format(Call call) {
        String name = call.get(FORMAT);
        if (name == null) {
            throw Failure.usage("give the new format: pail convert --format v1");
        }
        try {
            return ShardFormat.named(name.toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw Failure.usage("--format is v0, v1 or v2, not " + Escapes.brief(name));
        }
    }

    /** Refuses a version that is empty, or has keys that the format does not allow: names the first of these, and counts all. */
    private static void checkKeys(Pail pail, ShardFormat format, Progress progress) {
        List<String> refused = new ArrayList<>();
        long count = 0;
        String rule = "";
        boolean isEmpty = true;
        try (Stream<Entry> entries = pail.entries()) {
            for (Iterator<Entry> each = entries.iterator(); each.hasNext(); progress.step()) {
                String key = each.next().key();
                isEmpty = false;
                try {
                    format.checkKey(key);
                } catch (KeyNotAllowedException e) {
                    rule = count++ == 0 ? e.rule() : rule;
                    if (refused.size() < MOST_SHOWN) {
                        refused.add(Escapes.brief(key));
                    }
                }
            }
        }
        if (isEmpty) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "key-not-allowed",
                    "an empty branch has nothing to convert",
                    "make a repository of this format with: pail -C DIR init --format " + format.name());
        }
        if (count > 0) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "key-not-allowed",
                    (count == 1 ? "1 key is" : count + " keys are") + " not allowed in " + format.name() + ": "
                            + String.join(", ", refused) + (count > refused.size() ? ", ..." : "") + "; the first: "
                            + rule,
                    "put their values under other keys, remove them with pail rm, then convert");
        }
    }

    private static Pail converted(Pail pail, ShardFormat format, Progress progress) {
        LongBatch batch = new LongBatch(Pail.create(pail.blocks(), format));
        try (Stream<Entry> entries = pail.entries()) {
            for (Iterator<Entry> each = entries.iterator(); each.hasNext(); progress.step()) {
                Entry entry = each.next();
                batch.change(changes -> changes.put(entry.key(), entry.value()));
            }
        }
        return batch.commit();
    }
}
