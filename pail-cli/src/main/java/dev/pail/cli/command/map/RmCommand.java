package dev.pail.cli.command.map;

import dev.pail.KeyRange;
import dev.pail.Namespace;
import dev.pail.NamespaceEntry;
import dev.pail.Pail;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.command.Option;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.text.KeyPattern;
import dev.pail.keys.Name;
import dev.pail.repository.Repository;
import dev.pail.values.LongBatch;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** Removes keys. */
public final class RmCommand extends ChangeCommand {
    private static final Option.Text PREFIX =
            Option.text("PREFIX", "Remove all keys that start with this.", "--prefix");

    public RmCommand() {
        super(
                "rm",
                "Removes keys, all in one change, and prints the new root.",
                "The exit status is 1 if one of them did not exist. A word with * or ? removes all keys that match it, as in ls, unless it is a key.");
        parameter("KEY", "0..*", "The keys.");
        takes(PREFIX, IF);
        excludes(PREFIX, IF, "--if is for one KEY");
        inNamespace();
        takesMessage();
        examples(
                "  pail rm photos/1.jpg photos/2.jpg",
                "  pail rm 'tmp/**'",
                "  pail rm --prefix tmp/",
                "  pail rm -- -key-that-starts-with-a-dash");
    }

    @Override
    public int run(Call call) {
        String prefix = call.get(PREFIX);
        if (call.parameters(0).isEmpty() == (prefix == null)) {
            throw Failure.usage("give KEY or " + PREFIX + ", one of them");
        }
        if (call.get(IF) != null && call.parameters(0).size() != 1) {
            throw Failure.usage("--if is for one KEY");
        }
        List<String> absent = new ArrayList<>();
        try (Repository repository = call.toWrite()) {
            Pail changed = repository
                    .update(call.branch(repository), pail -> {
                        absent.clear();
                        if (prefix != null) {
                            Pail left = withoutPrefix(call, pail, prefix);
                            if (left.root().equals(pail.root())) {
                                absent.add(prefix);
                            }
                            return left;
                        }
                        LongBatch batch = new LongBatch(pail);
                        for (String word : call.parameters(0)) {
                            if (!remove(call, pail, word, batch)) {
                                absent.add(word);
                            }
                        }
                        return batch.commit();
                    })
                    .pail();
            printRoot(call, changed);
        }
        if (absent.isEmpty()) {
            return Exit.DONE;
        }
        throw GetCommand.absent(absent);
    }

    private static Pail withoutPrefix(Call call, Pail pail, String prefix) {
        Namespace namespace = call.namespace(pail);
        return namespace == null
                ? pail.deletePrefix(prefix)
                : namespace.deletePrefix(prefix).pail();
    }

    /** Whether there was anything to remove. */
    private static boolean remove(Call call, Pail pail, String word, LongBatch batch) {
        String whole = call.key(pail, word);
        batch.change(condition(call, whole));
        if (pail.get(whole).isPresent()) {
            batch.change(changes -> changes.delete(whole));
            return true;
        }
        if (!KeyPattern.isPattern(word)) {
            return false;
        }
        KeyPattern pattern = KeyPattern.of(word);
        KeyRange range = KeyRange.prefix(pattern.prefix());
        boolean removed = false;
        try (Stream<NamespaceEntry> entries = LsCommand.entries(call, pail, range)) {
            for (Iterator<NamespaceEntry> each = entries.iterator(); each.hasNext(); ) {
                Name name = each.next().key();
                if (name.text().filter(pattern::matches).isPresent()) {
                    Namespace namespace = call.namespace(pail);
                    String key = namespace == null ? name.text().orElseThrow() : namespace.key(name);
                    batch.change(changes -> changes.delete(key));
                    removed = true;
                }
            }
        }
        return removed;
    }
}
