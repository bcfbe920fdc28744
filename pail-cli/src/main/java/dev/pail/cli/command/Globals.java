package dev.pail.cli.command;

import dev.pail.cli.terminal.Failure;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The options that all commands have, before or behind the name of the command.
 *
 * @param store the repository's own folder, a CAR file or a URL, if one was named
 * @param branch the branch to work on, if one was named; else it is the current one of the repository
 * @param lockTimeout how many seconds to wait for another writer
 */
public record Globals(@Nullable String store, @Nullable String branch, Output output, long lockTimeout) {
    /**
     * How results are printed.
     *
     * @param color {@code auto}, {@code always} or {@code never}, as is progress
     */
    public record Output(boolean json, boolean quiet, String color, String progress) {}

    /** How long to wait for another writer, in seconds, if nothing else is said. */
    public static final long LOCK_TIMEOUT = 10;

    private static final long MAX_TIMEOUT = 1_000_000;
    private static final List<String> WHEN = List.of("auto", "always", "never");

    /** What the help of a command says of the options that it does not list. */
    static final String SEE = "%nGlobal options, such as -C, -b, --json and -q: see pail help.%n";

    /** Adds the options to a command, whose help does not list them. */
    static void addUnlistedTo(CommandSpec spec) {
        CommandSpec listed = CommandSpec.create();
        addTo(listed);
        listed.options()
                .forEach(option ->
                        spec.addOption(OptionSpec.builder(option).hidden(true).build()));
    }

    public static void addTo(CommandSpec spec) {
        spec.addOption(OptionSpec.builder("-C", "--store")
                .type(String.class)
                .paramLabel("STORE")
                .description(
                        "The repository's own folder, the one around .pail, a CAR file to read, the URL of one in a database (see"
                                + " pail help init), the address of a server, or a version to read from a gateway, ipfs+https://GATEWAY/ROOT; else"
                                + " PAIL_STORE, else the nearest .pail.")
                .build());
        spec.addOption(OptionSpec.builder("-b", "--branch")
                .type(String.class)
                .paramLabel("NAME")
                .description("The branch to work on; else the current one.")
                .build());
        spec.addOption(flag("One JSON object a line, errors too.", "--json"));
        spec.addOption(when("When to use color: auto, always or never.", "--color"));
        spec.addOption(when("When to show progress: auto, always or never.", "--progress"));
        spec.addOption(flag("Print nothing that was not asked for.", "-q", "--quiet"));
        spec.addOption(OptionSpec.builder("--lock-timeout")
                .type(Long.class)
                .paramLabel("SECONDS")
                .description("How long to wait for another writer; else 10.")
                .build());
        spec.addOption(OptionSpec.builder("-h", "--help")
                .type(boolean.class)
                .arity("0")
                .usageHelp(true)
                .description("Show this.")
                .build());
    }

    private static OptionSpec flag(String description, String... names) {
        return OptionSpec.builder(names)
                .type(boolean.class)
                .arity("0")
                .description(description)
                .build();
    }

    private static OptionSpec when(String description, String name) {
        return OptionSpec.builder(name)
                .type(String.class)
                .paramLabel("WHEN")
                .completionCandidates(WHEN)
                .description(description)
                .build();
    }

    /**
     * Reads the options.
     *
     * @param parsed the arguments before the name of the command, and those behind it; of several options the last counts
     */
    public static Globals of(List<ParseResult> parsed) {
        long timeout = orElse(value(parsed, "--lock-timeout", null), LOCK_TIMEOUT);
        if (timeout < 0 || timeout > MAX_TIMEOUT) {
            throw Failure.usage("--lock-timeout is from 0 to " + MAX_TIMEOUT + ", not " + timeout);
        }
        return new Globals(
                value(parsed, "--store", null),
                value(parsed, "--branch", null),
                new Output(
                        isJson(parsed),
                        Boolean.TRUE.equals(value(parsed, "--quiet", false)),
                        when(parsed, "--color"),
                        when(parsed, "--progress")),
                timeout);
    }

    private static boolean isJson(List<ParseResult> parsed) {
        return Boolean.TRUE.equals(value(parsed, "--json", false));
    }

    private static String when(List<ParseResult> parsed, String name) {
        String when = orElse(value(parsed, name, null), "auto");
        if (!WHEN.contains(when)) {
            throw Failure.usage(name + " is auto, always or never, not \"" + when + "\"");
        }
        return when;
    }

    private static <T> @Nullable T value(List<ParseResult> parsed, String name, @Nullable T none) {
        T found = none;
        for (ParseResult each : parsed) {
            found = each.matchedOptionValue(name, found);
        }
        return found;
    }

    private static <T> T orElse(@Nullable T value, T other) {
        return value == null ? other : value;
    }
}
