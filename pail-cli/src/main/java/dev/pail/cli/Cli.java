package dev.pail.cli;

import dev.pail.Escapes;
import dev.pail.MissingBlockException;
import dev.pail.OperationInterruptedException;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.Globals;
import dev.pail.cli.command.UserSettings;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.cli.text.Words;
import dev.pail.repository.model.HeadUpdateUncertainException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;

/**
 * The command {@code pail} with all its commands.
 *
 * <p>No lambda implements an interface of picocli: its class files are in an old format, and what a lambda links while the
 * launcher makes its archive would be left out of it, with all that depends on it.
 */
final class Cli {
    private static final String HELP = "pail help";

    private final Terminal terminal;
    private final Map<String, Command> commands = new LinkedHashMap<>();
    private final CommandLine parser;

    /** What says how the command is used that the arguments are for, as far as that is known. */
    private String help = HELP;

    /**
     * The command with those of its commands that its arguments can be for: setting up all of them takes longer than most of
     * them take to run.
     */
    Cli(Terminal terminal, String... arguments) {
        this.terminal = terminal;
        CommandSpec root = CommandSpec.create().name("pail");
        root.usageMessage()
                .description("An ordered map from keys to CIDs. Every version of it has a content address.")
                .synopsisSubcommandLabel("COMMAND")
                .footerHeading("%nMore: pail help COMMAND, pail help exit-codes.%n");
        Globals.addTo(root);
        root.addOption(OptionSpec.builder("-V", "--version")
                .type(boolean.class)
                .arity("0")
                .versionHelp(true)
                .description("Show the version.")
                .build());
        for (Commands each : wanted(List.of(arguments))) {
            Command command = each.make();
            commands.put(each.title(), command);
            root.addSubcommand(each.title(), command.spec());
        }
        parser = new CommandLine(root)
                .setExpandAtFiles(false)
                // As a bound, or any value of an option, a key may look like an option.
                .setAllowOptionsAsOptionParameters(true)
                // A branch may have the name of a command.
                .setAllowSubcommandsAsOptionParameters(true)
                .setUsageHelpAutoWidth(true)
                .registerConverter(Long.class, new Numbers());
        parser.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, new Nothing());
        parser.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, new Listing());
    }

    private static List<Commands> wanted(List<String> arguments) {
        List<Commands> all = List.of(Commands.values());
        List<Commands> named =
                all.stream().filter(each -> arguments.contains(each.title())).toList();
        boolean isOfAll =
                Stream.of("help", "--help", "-h", "completion", "shell").anyMatch(arguments::contains);
        return named.isEmpty() || isOfAll ? all : named;
    }

    /** The heading of the list of commands, which has headings of its own. */
    private static final class Nothing implements CommandLine.IHelpSectionRenderer {
        @Override
        public String render(CommandLine.Help help) {
            return System.lineSeparator();
        }
    }

    private static final class Listing implements CommandLine.IHelpSectionRenderer {
        @Override
        public String render(CommandLine.Help help) {
            return Commands.list();
        }
    }

    private static final class Numbers implements CommandLine.ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            if (!text.matches("[+-]?[0-9]+")) {
                throw new CommandLine.TypeConversionException(Escapes.brief(text) + " is no whole number");
            }
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException e) {
                throw new CommandLine.TypeConversionException(Escapes.brief(text) + " is too far from zero");
            }
        }
    }

    /** All commands, for what describes them. */
    static CommandSpec specification() {
        Terminal none = new Terminal(
                new Terminal.Streams(
                        InputStream.nullInputStream(),
                        OutputStream.nullOutputStream(),
                        OutputStream.nullOutputStream()),
                Map.of(),
                Path.of(""));
        return new Cli(none).parser.getCommandSpec();
    }

    /** Runs a command line and returns the exit status. */
    static int run(Terminal terminal, String... arguments) {
        String[] meant = aliased(terminal, Synonyms.replaced(arguments));
        return new Cli(terminal, meant).run(meant);
    }

    /** The arguments, with the words of an alias in its place. An alias stands for no other, and for no command that is there. */
    private static String[] aliased(Terminal terminal, String... arguments) {
        int at = Synonyms.command(arguments);
        if (at == arguments.length || Commands.names().contains(arguments[at])) {
            return arguments;
        }
        try {
            String alias = UserSettings.of(terminal).all().get(UserSettings.ALIAS + arguments[at]);
            if (alias == null) {
                return arguments;
            }
            List<String> words = new ArrayList<>(Arrays.asList(arguments));
            words.remove(at);
            words.addAll(at, Words.of(alias));
            return Synonyms.replaced(words.toArray(String[]::new));
        } catch (Failure.Found | IllegalArgumentException e) {
            // Then the word is no command, and the parser says so.
            return arguments;
        }
    }

    private int run(String... arguments) {
        try {
            try {
                return runParsed(arguments);
            } finally {
                terminal.flush();
            }
        } catch (Terminal.Closed e) {
            return Exit.PIPE;
        } catch (RuntimeException e) {
            terminal.json |= isJsonAskedFor(arguments);
            boolean isKnown = !(e instanceof HeadUpdateUncertainException);
            if (e instanceof OperationInterruptedException || (terminal.isInterrupted() && isKnown)) {
                terminal.trace(e);
                return terminal.failInterrupted();
            }
            Failure failure = e instanceof CommandLine.ParameterException wrong
                    ? OtherWords.failure(wrong, Commands.names())
                    : Failure.of(e);
            terminal.trace(e);
            terminal.fail(failure.withHelp(help));
            return failure.exit();
        }
    }

    private int runParsed(String... arguments) {
        ParseResult parsed = parse(arguments);
        List<ParseResult> levels = new ArrayList<>();
        boolean isHelp = false;
        for (CommandLine level : parsed.asCommandLineList()) {
            levels.add(level.getParseResult());
            isHelp |= level.getParseResult().isUsageHelpRequested();
        }
        ParseResult last = levels.get(levels.size() - 1);
        help = helpFor(last.commandSpec());
        Globals globals = Globals.of(levels);
        terminal.json = globals.output().json();
        terminal.quiet = globals.output().quiet();
        terminal.setColor(globals.output().color());
        if (parsed.isVersionHelpRequested()) {
            printVersion();
            return Exit.DONE;
        }
        if (isHelp || levels.size() == 1) {
            terminal.print(last.commandSpec().commandLine().getUsageMessage().stripTrailing());
            return Exit.DONE;
        }
        Command command = commands.get(levels.get(1).commandSpec().name());
        for (ParseResult level : levels.subList(2, levels.size())) {
            command =
                    command == null ? null : command.action(level.commandSpec().name());
        }
        if (command == null) {
            throw new IllegalStateException(
                    "a name without a command: " + last.commandSpec().name());
        }
        Call call = new Call(last, globals, terminal, Cli::run);
        try {
            return command.runChecked(call);
        } catch (MissingBlockException e) {
            throw call.explained(e);
        }
    }

    private ParseResult parse(String... arguments) {
        try {
            return parser.parseArgs(arguments);
        } catch (CommandLine.ParameterException e) {
            CommandSpec command = e.getCommandLine().getCommandSpec();
            help = helpFor(command);
            if (e instanceof CommandLine.MissingParameterException) {
                // What looks like an option is not taken for a key: say so, rather than that the key is missing.
                Optional<String> unknown = unknownOption(command, arguments);
                if (unknown.isPresent()) {
                    throw OtherWords.noOption(command, unknown.get());
                }
            }
            throw e;
        }
    }

    private static Optional<String> unknownOption(CommandSpec command, String... arguments) {
        return Arrays.stream(arguments)
                .takeWhile(argument -> !argument.equals("--"))
                .filter(argument -> argument.length() > 1 && argument.startsWith("-"))
                .filter(argument -> !command.optionsMap().containsKey(argument.replaceFirst("=.*", "")))
                .findFirst();
    }

    private static String helpFor(CommandSpec command) {
        return command.name().equals("help") ? HELP : command.qualifiedName(" ").replaceFirst("pail", HELP);
    }

    private void printVersion() {
        if (terminal.json) {
            terminal.printJson(json -> json.writeStringField("version", version()));
        } else {
            terminal.print("pail " + version());
        }
    }

    private static String version() {
        String version = Cli.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }

    /** Whether failures are to be told as JSON, as far as that is known before the arguments are read. */
    static boolean isJsonAskedFor(String... arguments) {
        return Arrays.stream(arguments)
                .takeWhile(argument -> !argument.equals("--"))
                .anyMatch("--json"::equals);
    }
}
