package dev.pail.cli;

import dev.pail.Escapes;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;

/** Says how the command, or one of its commands, is used. */
final class HelpCommand extends Command {
    private static final String EXIT_CODES = "exit-codes";

    /** The page on exit statuses. */
    static final String STATUSES = """
            0    done
            1    a negative answer: no such key, or versions that differ where that was asked
            2    wrong usage: a wrong command, option or argument
            3    failed: no repository, bad input, trouble with files
            4    a conflict, a lost race, or a lock that another process holds
            5    damaged, missing or erased data, or a proof or signature that shows nothing
            130  interrupted, as by Ctrl-C; a line says what is kept
            141  the reader of standard output went away""";

    HelpCommand() {
        super("help", "Explains pail, or one of its commands.");
        parameter("COMMAND", "0..*", "A command, for table also an action, as in: table find; or exit-codes.");
        examples("  pail help", "  pail help put", "  pail help table find", "  pail help exit-codes");
    }

    @Override
    public int run(Call call) {
        if (call.parameters(0).equals(List.of(EXIT_CODES))) {
            call.terminal().print(STATUSES);
            return Exit.DONE;
        }
        CommandLine asked = call.arguments().commandSpec().root().commandLine();
        Set<String> names = asked.getSubcommands().keySet();
        for (String name : call.parameters(0)) {
            CommandLine inner = asked.getSubcommands().get(name);
            if (inner == null) {
                throw Failure.usage("no such command: " + Escapes.brief(name), OtherWords.hintForCommand(name, names));
            }
            asked = inner;
        }
        call.terminal().print(asked.getUsageMessage().stripTrailing());
        return Exit.DONE;
    }
}
