package dev.pail.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** The commands in the groups in which {@code pail help} lists them, each with a line of its own. */
final class CommandList implements CommandLine.IHelpSectionRenderer {
    private record Group(String title, List<Line> lines) {}

    private record Line(String name, String summary) {}

    private static final List<Group> GROUPS = List.of(
            new Group(
                    "start",
                    List.of(
                            new Line("init", "Make a repository: .pail here, or where -C says"),
                            new Line("clone", "Make a repository with all that a remote has"),
                            new Line("import", "Take in a CAR file and merge its history"),
                            new Line("config", "Show the settings, or set the author"))),
            new Group(
                    "change",
                    List.of(
                            new Line("put", "Give a key a value, or put the files of a folder"),
                            new Line("rm", "Remove keys"),
                            new Line("apply", "Make the changes that lines of JSON describe"),
                            new Line("load", "Put the keys and values of a text"),
                            new Line("restore", "Write the values of keys to files"))),
            new Group(
                    "look",
                    List.of(
                            new Line("get", "Print the CID of a key's value"),
                            new Line("cat", "Print the bytes of a key's value"),
                            new Line("ls", "List keys and values in order"),
                            new Line("du", "Add up the sizes of values"),
                            new Line("tree", "Draw the shards"),
                            new Line("stat", "Show entries, shards, depth and size"),
                            new Line("root", "Print the root of a version"))),
            new Group(
                    "history",
                    List.of(
                            new Line("log", "List changes, newest first"),
                            new Line("diff", "List the keys that differ between two versions"),
                            new Line("revert", "Take back one change by a new change"),
                            new Line("undo", "Move the branch back before its last update"),
                            new Line("redo", "Move the branch forward after an undo"),
                            new Line("reset", "Move the branch to any version"),
                            new Line("branch", "List, make, rename or remove branches"),
                            new Line("switch", "Make another branch the current one"),
                            new Line("tag", "List, make or remove tags"),
                            new Line("merge", "Merge another branch into this one"),
                            new Line("squash", "Start a new history with this version"),
                            new Line("convert", "Change the format of the branch"),
                            new Line("watch", "Wait for updates and list what they change"))),
            new Group(
                    "exchange",
                    List.of(
                            new Line("export", "Write a version with its history to a CAR file"),
                            new Line("remote", "List, add or remove other repositories"),
                            new Line("fetch", "Take in the versions of a remote"),
                            new Line("pull", "Take in a branch of a remote and merge it"),
                            new Line("push", "Send a branch to a remote"),
                            new Line("prove", "Write a proof of a key, a range or a diff to a CAR"),
                            new Line("check", "Check a proof with the root of the version"),
                            new Line("sign", "Sign the head of a branch or tag, or make a key"),
                            new Line("serve", "Serve blocks over HTTP to programs of this machine"))),
            new Group(
                    "look after",
                    List.of(
                            new Line("verify", "Check blocks, shards, events and logs"),
                            new Line("erase", "Remove the bytes of a value for good"),
                            new Line("recover", "Rebuild branches that a shared store has lost"),
                            new Line("gc", "Move blocks that nothing needs to the trash"),
                            new Line("pack", "Move blocks from files to segments"),
                            new Line("unpack", "Move blocks from segments to files"),
                            new Line("copy", "Copy a whole repository to another store"))),
            new Group("tables", List.of(new Line("table", "Keep tables of JSON documents with indexes"))),
            new Group(
                    "help",
                    List.of(
                            new Line("help", "Explain a command, or exit-codes"),
                            new Line("completion", "Print the completion script of a shell"))));

    /** The names of all commands, in the order of the list. */
    static List<String> names() {
        List<String> names = new ArrayList<>();
        GROUPS.forEach(group -> group.lines().forEach(line -> names.add(line.name())));
        return names;
    }

    @Override
    public String render(CommandLine.Help help) {
        StringBuilder text = new StringBuilder();
        for (Group group : GROUPS) {
            text.append(text.isEmpty() ? "" : "%n".formatted())
                    .append(group.title())
                    .append("%n".formatted());
            for (Line line : group.lines()) {
                text.append("  %-11s %s%n".formatted(line.name(), line.summary()));
            }
        }
        return text.toString();
    }

    /** The command that was probably meant, or null. */
    static @Nullable String nearest(String word) {
        String nearest = null;
        int least = word.length() <= 2 ? 1 : 2;
        for (String name : names()) {
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
