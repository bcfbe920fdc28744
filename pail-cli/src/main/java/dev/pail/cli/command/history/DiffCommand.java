package dev.pail.cli.command.history;

import dev.pail.Escapes;
import dev.pail.KeyChange;
import dev.pail.Pail;
import dev.pail.PailDiff;
import dev.pail.ShardChanges;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.CarFile;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.Patch;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.ipld.Cid;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tells what is different in another version. */
public final class DiffCommand extends Command {
    private static final Option.Text PREFIX = Option.text(
            "PREFIX", "Only keys that start with this. With -p, it may be the name of a table, too.", "--prefix");

    private static final Option.Flag STAT = Option.flag(
            "Print only how many keys and shards differ; with --prefix, how many keys. With -p, print how many lines, fields or names of each"
                    + " value were added and removed.",
            "--stat");

    private static final Option.Flag EXIT_CODE =
            Option.flag("Exit with 1 if there is a difference. -q does the same and prints nothing.", "--exit-code");

    public DiffCommand() {
        super(
                "diff",
                "Lists the keys that differ between two versions, in order: + added, - removed, ~ changed, then the CIDs.",
                "With -p, it shows what differs in the values, and rows of tables by their ids. With one revision, diff compares it with the current",
                "version. Without any, it compares the version before the last move of the branch.");
        parameter("FROM", "0..1", "The earlier version: " + Versions.HOW + "; else @{1}.");
        parameter("TO", "0..1", "The later version; else the current one.");
        takes(Patch.PATCH, Patch.WORD_DIFF, PREFIX, STAT, EXIT_CODE);
        excludes(STAT, Patch.WORD_DIFF, "--stat prints numbers, and --word-diff words: give one of them");
        examples(
                "  pail diff",
                "  pail diff -p",
                "  pail diff @{5} --stat",
                "  pail diff -p --stat",
                "  pail diff --prefix photos/",
                "  pail diff main other-branch --json");
    }

    @Override
    public boolean isPaged() {
        return true;
    }

    @Override
    public int run(Call call) {
        String from = call.optionalParameter(0);
        String to = call.optionalParameter(1);
        Terminal terminal = call.terminal();
        try (Versions versions = call.versions()) {
            Pail before = earlier(versions, from);
            Pail after = to == null ? versions.pail() : versions.find(to).pail();
            PailDiff diff = before.diff(after);
            String prefix = call.get(PREFIX);
            boolean different;
            if (terminal.quiet) {
                try (Stream<KeyChange> keys = within(prefix, diff.keys())) {
                    different = keys.findFirst().isPresent();
                }
            } else if (call.get(Patch.PATCH) || call.get(Patch.WORD_DIFF)) {
                different = Patch.of(call, versions.blocks())
                        .orElseThrow()
                        .print(
                                before,
                                after,
                                key -> prefix == null || key.startsWith(prefix),
                                table -> table.equals(prefix));
            } else if (call.get(STAT)) {
                different = printCounts(terminal, diff, prefix);
            } else {
                different = printKeys(terminal, within(prefix, diff.keys()));
            }
            return different && (terminal.quiet || call.get(EXIT_CODE)) ? Exit.NO : Exit.DONE;
        }
    }

    private static Pail earlier(Versions versions, @Nullable String from) {
        if (from == null && versions instanceof CarFile) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "no-such-version",
                    "a CAR file has no moves: there is none to compare with",
                    "name two versions, by the CIDs of their roots or events");
        }
        return versions.find(from == null ? "@{1}" : from).pail();
    }

    /** The changes of the keys that start with a prefix. They stand together, as changes come in the order of keys. */
    private static Stream<KeyChange> within(@Nullable String prefix, Stream<KeyChange> changes) {
        return prefix == null
                ? changes
                : changes.dropWhile(change -> change.key().compareTo(prefix) < 0)
                        .takeWhile(change -> change.key().startsWith(prefix));
    }

    private static boolean printKeys(Terminal terminal, Stream<KeyChange> changes) {
        boolean[] any = new boolean[1];
        try (Stream<KeyChange> keys = changes) {
            keys.forEachOrdered(change -> {
                any[0] = true;
                print(terminal, change);
            });
        }
        return any[0];
    }

    public static void print(Terminal terminal, KeyChange change) {
        if (terminal.json) {
            terminal.printJson(json -> Patch.write(json, change));
            return;
        }
        String mark = switch (change.kind()) {
            case ADDED -> "+ ";
            case REMOVED -> "- ";
            case CHANGED -> "~ ";
        };
        String between = change.kind() == KeyChange.Kind.CHANGED ? " -> " : "";
        terminal.printStyled(mark + Escapes.escape(change.key()) + "\t"
                + terminal.faint(text(change.before()) + between + text(change.after())));
    }

    private static String text(Optional<Cid> cid) {
        return cid.map(Cid::toString).orElse("");
    }

    private static boolean printCounts(Terminal terminal, PailDiff diff, @Nullable String prefix) {
        Map<KeyChange.Kind, Long> kinds = new EnumMap<>(KeyChange.Kind.class);
        try (Stream<KeyChange> keys = within(prefix, diff.boundedKeys())) {
            keys.forEach(change -> kinds.merge(change.kind(), 1L, Long::sum));
        }
        Map<String, Long> numbers = new LinkedHashMap<>();
        numbers.put("added", kinds.getOrDefault(KeyChange.Kind.ADDED, 0L));
        numbers.put("changed", kinds.getOrDefault(KeyChange.Kind.CHANGED, 0L));
        numbers.put("removed", kinds.getOrDefault(KeyChange.Kind.REMOVED, 0L));
        if (prefix == null) {
            ShardChanges shards = diff.shards();
            numbers.put("shardsAdded", (long) shards.added().size());
            numbers.put("shardsRemoved", (long) shards.removed().size());
        }
        terminal.printNumbers(numbers);
        return !kinds.isEmpty();
    }
}
