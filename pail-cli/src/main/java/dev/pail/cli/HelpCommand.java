package dev.pail.cli;

import dev.pail.Escapes;
import java.util.function.Supplier;
import picocli.CommandLine;

/** Says how the command, or one of its commands, is used. */
final class HelpCommand extends Command {
    private final Supplier<CommandLine> root;

    HelpCommand(Supplier<CommandLine> root) {
        super("help", "Says how pail, or one of its commands, is used: in words, also with --json.");
        this.root = root;
        parameter("COMMAND", "0..*", "The command; of table also the action.");
        examples("  pail help", "  pail help put", "  pail help table find");
    }

    @Override
    int run(Call call) {
        CommandLine asked = root.get();
        for (String name : call.parameters(0)) {
            CommandLine inner = asked.getSubcommands().get(name);
            if (inner == null) {
                throw Failure.usage("no such command: " + Escapes.brief(name));
            }
            asked = inner;
        }
        call.terminal().print(asked.getUsageMessage().stripTrailing());
        return Exit.DONE;
    }
}
