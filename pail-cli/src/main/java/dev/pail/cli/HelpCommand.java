package dev.pail.cli;

import dev.pail.Escapes;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;

/** Says how the command, or one of its commands, is used. */
final class HelpCommand extends Command {
    private final Supplier<CommandLine> root;

    HelpCommand(Supplier<CommandLine> root) {
        super("help", "Says how pail, or one of its commands, is used.");
        this.root = root;
        parameter("COMMAND", "0..1", "The command.");
        examples("  pail help", "  pail help put");
    }

    @Override
    int run(Call call) {
        String name = call.optionalParameter(0);
        Map<String, CommandLine> commands = root.get().getSubcommands();
        CommandLine asked = name == null ? root.get() : commands.get(name);
        if (asked == null) {
            throw Failure.usage("no such command: " + Escapes.brief(String.valueOf(name)));
        }
        call.terminal().print(asked.getUsageMessage().stripTrailing());
        return Exit.DONE;
    }
}
