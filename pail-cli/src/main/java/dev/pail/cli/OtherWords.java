package dev.pail.cli;

import dev.pail.Escapes;
import dev.pail.cli.terminal.Failure;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Hints for words of git, restic, shells and databases that are no commands here. */
final class OtherWords {
    /** Of words that are not longer, most that differ in two letters are others. */
    private static final int LONGEST_SHORT = 5;

    private OtherWords() {}

    /** What to type instead of a word, or of a command with an option or an argument; null if nothing is known. */
    static @Nullable String hint(String words) {
        return switch (words) {
            case "add", "commit", "stage" ->
                "each put is a version at once, so nothing is committed; put a value with: pail put KEY";
            case "insert", "update", "edit", "write", "store", "save" -> "give a key a value with: pail put KEY";
            case "entries", "ls-files", "ls-tree", "get-all", "dir", "tables" -> "list keys with: pail ls";
            case "find", "grep", "search" ->
                "list keys by prefix with: pail ls PREFIX; search rows with: pail table find";
            case "query", "scan", "select", "sql" -> "list keys with: pail ls; search rows with: pail table scan";
            case "has", "exists", "test" -> "get exits with 1 if there is no such key: pail get KEY";
            case "count", "stats", "info", "size", "wc" -> "count entries and bytes with: pail stat";
            case "rebase" -> "make your changes again behind those of a remote with: pail pull --rebase";
            case "stash", "worktree" ->
                "each put is a version, so nothing is put aside; try things out on a branch: pail switch -c NAME";
            case "tag -m" -> "a tag is a name alone; a change has a message: pail put KEY VALUE -m MESSAGE";
            case "clone --depth" -> "clone takes the whole history; leave values there with: pail clone --no-values";
            case "restore" ->
                "read an old value with: pail cat KEY --at REVISION; move the branch back with: pail undo";
            case "rollback" ->
                "move the branch back with: pail undo; take back one earlier change with: pail revert EVENT";
            case "bundle", "backup", "dump", "archive" ->
                "write what another repository takes in with: pail export FILE.car";
            case "sync", "upload", "download" -> "exchange versions with a remote: pail pull, then: pail push";
            case "gateway", "server", "daemon", "http" -> "serve blocks over HTTP with: pail serve";
            case "follow", "tail", "subscribe", "changes" -> "wait for updates of the branch with: pail watch";
            case "prune", "forget", "clean", "compact", "vacuum" -> "free space with: pail gc";
            case "repair" ->
                "check blocks, and take lost ones from a remote, with: pail verify --all --values --heal; rebuild branches"
                        + " with: pail recover";
            case "put DIR" -> "put a text of several words into quotes: pail put KEY 'buy milk'";
            case "init DIR" -> "make a repository in a folder with: pail -C DIR init";
            case "reflog" -> "list the updates of a branch with: pail log --head";
            case "rev-parse" -> "print the root of a revision with: pail root --at REVISION";
            default -> null;
        };
    }

    /**
     * The hint for a word that is no command.
     *
     * @param names those of all commands
     */
    static @Nullable String hintForCommand(String word, Collection<String> names) {
        String hint = hint(word);
        String nearest = hint == null ? nearest(word, names) : null;
        return nearest == null ? hint : "did you mean: " + nearest;
    }

    /**
     * The failure for arguments that the command does not take.
     *
     * @param names those of all commands
     */
    static Failure failure(CommandLine.ParameterException error, Collection<String> names) {
        return (error instanceof CommandLine.UnmatchedArgumentException unmatched
                        ? unmatched(unmatched, names)
                        : Failure.usage(Failure.message(error)))
                .failure();
    }

    /** What looks like an option is never taken for a key or a value. */
    static Failure.Found noOption(CommandLine.Model.CommandSpec command, String given) {
        String hint = hint(command.name() + " " + given);
        if (hint == null && command.positionalParameters().stream().anyMatch(OtherWords::mayStartWithDash)) {
            hint = "what starts with a dash and is no option goes behind --, after all options";
        }
        return Failure.usage("no such option: " + Escapes.brief(given), hint);
    }

    private static boolean mayStartWithDash(CommandLine.Model.PositionalParamSpec parameter) {
        return !List.of("COMMAND", "NAME", "REVISION", "FROM", "TO", "N").contains(parameter.paramLabel());
    }

    private static Failure.Found unmatched(CommandLine.UnmatchedArgumentException error, Collection<String> names) {
        String first = error.getUnmatched().get(0);
        CommandLine command = error.getCommandLine();
        if (error.isUnknownOption()) {
            return noOption(command.getCommandSpec(), first);
        }
        if (command.getSubcommands().isEmpty()) {
            return Failure.usage(
                    "an argument too many: " + Escapes.brief(first), hint(command.getCommandName() + " DIR"));
        }
        return Failure.usage(
                "no such command: " + Escapes.brief(first),
                command.getParent() == null ? hintForCommand(first, names) : null);
    }

    /** The command that was probably meant, or null. */
    private static @Nullable String nearest(String word, Collection<String> names) {
        String nearest = null;
        int least = word.length() <= LONGEST_SHORT ? 1 : 2;
        for (String name : names) {
            int distance = distance(word, name);
            if (distance <= least && distance < Math.max(word.length(), name.length())) {
                least = distance - 1;
                nearest = name;
            }
        }
        return nearest;
    }

    /** How many characters to insert, remove, replace or swap with the next one. */
    private static int distance(String from, String to) {
        if (Math.abs(from.length() - to.length()) > 2) {
            return Integer.MAX_VALUE;
        }
        int[][] steps = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                if (i == 0 || j == 0) {
                    steps[i][j] = i + j;
                    continue;
                }
                int replaced = steps[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                steps[i][j] = Math.min(replaced, Math.min(steps[i - 1][j], steps[i][j - 1]) + 1);
                if (i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1)) {
                    steps[i][j] = Math.min(steps[i][j], steps[i - 2][j - 2] + 1);
                }
            }
        }
        return steps[from.length()][to.length()];
    }
}
