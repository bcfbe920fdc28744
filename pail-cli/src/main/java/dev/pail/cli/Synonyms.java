package dev.pail.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Words and options of git, restic and databases that mean the same as some here. What means something else has a hint: {@link OtherWords}. */
final class Synonyms {
    /** Options with a value behind them, which may stand before the command. */
    private static final Set<String> WITH_VALUE =
            Set.of("-C", "--store", "-b", "--branch", "--color", "--progress", "--lock-timeout");

    /** What {@code config} does. */
    private static final Set<String> ACTIONS = Set.of("list", "get", "set", "unset");

    private static final Map<String, String> WORDS = Map.ofEntries(
            Map.entry("list", "ls"),
            Map.entry("keys", "ls"),
            Map.entry("set", "put"),
            Map.entry("delete", "rm"),
            Map.entry("del", "rm"),
            Map.entry("remove", "rm"),
            Map.entry("unset", "rm"),
            Map.entry("move", "mv"),
            Map.entry("rename", "mv"),
            Map.entry("checkout", "switch"),
            Map.entry("history", "log"),
            Map.entry("snapshots", "log"),
            Map.entry("annotate", "blame"),
            Map.entry("praise", "blame"),
            Map.entry("fsck", "verify"),
            Map.entry("version", "--version"));

    private Synonyms() {}

    /** The arguments, with the words of this program. */
    static String[] replaced(String... arguments) {
        int at = command(arguments);
        if (at == arguments.length) {
            return arguments;
        }
        String given = arguments[at];
        String word = WORDS.getOrDefault(given, given);
        List<String> all = new ArrayList<>(Arrays.asList(arguments).subList(0, at));
        all.add(word);
        List<String> rest = Arrays.asList(arguments).subList(at + 1, arguments.length);
        switch (given) {
            case "checkout" -> replace(rest, all, Map.of("-b", "-c"));
            case "reset" -> replace(rest, all, Map.of("--hard", ""));
            case "remote" -> replace(rest, all, Map.of("-v", "", "--verbose", ""));
            case "branch" -> replace(rest, all, Map.of("-l", "", "--list", ""));
            case "config" -> config(rest, all);
            case "log" ->
                rest.forEach(each -> {
                    boolean isNumber = each.matches("-[0-9]+");
                    all.addAll(isNumber ? List.of("-n", each.substring(1)) : List.of(each));
                });
            default -> all.addAll(rest);
        }
        return all.toArray(String[]::new);
    }

    /** Where the command is; behind all, if there is none. */
    static int command(String... arguments) {
        int at = 0;
        while (at < arguments.length && arguments[at].startsWith("-")) {
            at += WITH_VALUE.contains(arguments[at]) ? 2 : 1;
        }
        return Math.min(at, arguments.length);
    }

    /** Replaces options, or leaves them out, up to the one behind which there are none. */
    private static void replace(List<String> from, List<String> to, Map<String, String> options) {
        int end = from.indexOf("--");
        for (int i = 0; i < from.size(); i++) {
            String each = end < 0 || i < end ? options.getOrDefault(from.get(i), from.get(i)) : from.get(i);
            if (!each.isEmpty() || from.get(i).isEmpty()) {
                to.add(each);
            }
        }
    }

    /** As git has it: {@code config --list}, {@code config --get NAME}, {@code config NAME} and {@code config NAME VALUE}. */
    private static void config(List<String> rest, List<String> all) {
        String first = rest.isEmpty() ? "--list" : rest.get(0);
        boolean isGit = first.equals("--list") || first.equals("-l") || first.equals("--get");
        if (isGit) {
            all.add(first.equals("--get") ? "get" : "list");
        } else if (!first.startsWith("-") && !ACTIONS.contains(first)) {
            all.add(rest.size() > 1 ? "set" : "get");
        }
        all.addAll(isGit ? rest.subList(Math.min(1, rest.size()), rest.size()) : rest);
    }
}
