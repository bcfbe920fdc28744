package dev.pail.cli;

import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.Option;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Inputs;
import dev.pail.cli.terminal.Terminal;
import dev.pail.cli.text.Lines;
import dev.pail.cli.text.TextInputs;
import java.io.InputStream;

/** Runs the commands of a text in one process, which saves the start of Java for each. */
final class BatchCommand extends Command {
    private static final Option.Flag KEEP_GOING =
            Option.flag("Run the commands behind one that fails, too.", "-k", "--keep-going");

    BatchCommand() {
        super(
                "batch",
                "Runs the commands of a file, each in a line, in one process.",
                "A line has the words of a command, with or without pail before them, and quotes and backslashes as in a shell. Nothing in it is expanded. # begins",
                "a comment. -C, -b, -q, --json, --color, --progress and --lock-timeout hold for each command that does not have its own. batch ends at the first command whose exit",
                "status is not 0, names its line, and has that exit status. With --json, each command is followed by its line and its exit status. The commands read nothing from",
                "standard input, unless FILE is given.");
        parameter("FILE", "0..1", "The file; else, or with -, standard input.");
        takes(KEEP_GOING);
        examples("  pail batch commands.txt", "  printf 'put a --text 1\\nput b --text 2\\n' | pail batch");
    }

    @Override
    public int run(Call call) {
        Terminal terminal = call.terminal();
        String file = call.optionalParameter(0);
        int first = Exit.DONE;
        try (Lines lines = TextInputs.once(terminal, file)) {
            boolean readsCommands = file == null || file.equals(Inputs.STANDARD);
            for (String line = lines.next(); line != null; line = lines.next()) {
                LineCommand command = command(line, lines.number());
                if (command.words().isEmpty()) {
                    continue;
                }
                int exit = command.run(call, readsCommands ? InputStream.nullInputStream() : terminal.in());
                tell(terminal, lines.number(), exit);
                first = first == Exit.DONE ? exit : first;
                if (exit == Exit.PIPE || exit == Exit.INTERRUPTED || (exit != Exit.DONE && !call.get(KEEP_GOING))) {
                    return exit;
                }
            }
        }
        return first;
    }

    private LineCommand command(String line, long number) {
        try {
            return LineCommand.of(line, spec().name());
        } catch (IllegalArgumentException e) {
            throw Failure.usage("line " + number + ": " + e.getMessage());
        }
    }

    private static void tell(Terminal terminal, long line, int exit) {
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeNumberField("line", line);
                json.writeNumberField("exit", exit);
            });
            terminal.flush();
        } else if (exit != Exit.DONE) {
            terminal.note("line " + line + ": exit status " + exit);
        }
    }
}
