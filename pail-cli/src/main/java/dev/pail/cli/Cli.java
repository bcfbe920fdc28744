package dev.pail.cli;

import dev.pail.Escapes;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code pail} with all its commands. */
final class Cli {
    private final Terminal terminal;
    private final Map<String, Command> commands = new LinkedHashMap<>();
    private final CommandLine parser;

    Cli(Terminal terminal) {
        this.terminal = terminal;
        CommandSpec root = CommandSpec.create().name("pail");
        root.usageMessage()
                .description("An ordered map from keys to CIDs, every version of which has a content address.")
                .synopsisSubcommandLabel("COMMAND")
                .footerHeading("%nExit status: 0 done, 1 a negative answer, 2 wrong usage, 3 failed,%n"
                        + "4 conflict or locked, 5 damaged or missing data, 130 interrupted.%n");
        Globals.addTo(root);
        root.addOption(CommandLine.Model.OptionSpec.builder("-V", "--version")
                .type(boolean.class)
                .arity("0")
                .versionHelp(true)
                .description("Show the version.")
                .build());
        for (Command command : List.of(
                new InitCommand(),
                new PutCommand(),
                new GetCommand(),
                new CatCommand(),
                new RmCommand(),
                new LsCommand(),
                new RootCommand(),
                new ApplyCommand(),
                new TreeCommand(),
                new StatCommand(),
                new VerifyCommand())) {
            commands.put(command.spec().name(), command);
            root.addSubcommand(command.spec().name(), command.spec());
        }
        root.addSubcommand("help", CommandSpec.forAnnotatedObject(new CommandLine.HelpCommand()));
        parser = new CommandLine(root).setExpandAtFiles(false).setUsageHelpAutoWidth(true);
        parser.setCaseInsensitiveEnumValuesAllowed(true);
    }

    /** Runs a command line and returns the exit status. */
    int run(String... arguments) {
        try {
            int status = runParsed(arguments);
            terminal.flush();
            return status;
        } catch (Terminal.Closed e) {
            return Exit.PIPE;
        } catch (RuntimeException e) {
            terminal.json |= isJsonAskedFor(arguments);
            Failure failure = Failure.of(e);
            try {
                terminal.flush();
            } catch (RuntimeException again) {
                return Exit.FAILED;
            }
            terminal.fail(failure);
            return failure.exit();
        }
    }

    private int runParsed(String... arguments) {
        ParseResult parsed = parser.parseArgs(arguments);
        ParseResult last = parsed.hasSubcommand() ? parsed.subcommand() : parsed;
        Globals globals = Globals.of(parsed, last);
        terminal.json = globals.json();
        terminal.quiet = globals.quiet();
        terminal.setColor(globals.color());
        if (parsed.isVersionHelpRequested()) {
            terminal.print("pail " + version());
            return Exit.DONE;
        }
        if (parsed.isUsageHelpRequested() || last.isUsageHelpRequested()) {
            terminal.print(last.commandSpec().commandLine().getUsageMessage().stripTrailing());
            return Exit.DONE;
        }
        Command command = commands.get(last.commandSpec().name());
        if (command == null) {
            return help(last);
        }
        return command.run(new Command.Call(last, globals, terminal));
    }

    private int help(ParseResult help) {
        List<String> names = help.originalArgs().stream()
                .dropWhile(argument -> !argument.equals("help"))
                .skip(1)
                .toList();
        if (names.isEmpty()) {
            if (!help.commandSpec().name().equals("help")) {
                throw Failure.usage("no command was given");
            }
            terminal.print(parser.getUsageMessage().stripTrailing());
            return Exit.DONE;
        }
        Command command = commands.get(names.get(0));
        if (command == null) {
            throw Failure.usage("no such command: " + Escapes.quote(names.get(0)));
        }
        terminal.print(command.spec().commandLine().getUsageMessage().stripTrailing());
        return Exit.DONE;
    }

    private static String version() {
        String version = Cli.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }

    private static boolean isJsonAskedFor(String... arguments) {
        return Arrays.stream(arguments)
                .takeWhile(argument -> !argument.equals("--"))
                .anyMatch("--json"::equals);
    }
}
