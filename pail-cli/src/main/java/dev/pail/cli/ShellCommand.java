package dev.pail.cli;

import dev.pail.Escapes;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.cli.terminal.UserFolder;
import dev.pail.cli.text.Lines;
import dev.pail.cli.text.TextInputs;
import dev.pail.repository.Repository;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Runs the commands that a user types, in one process, which saves the start of Java for each. */
final class ShellCommand extends Command {
    private static final List<String> ENDS = List.of("exit", "quit");

    /** The exit statuses of commands that end the shell. */
    private static final Set<Integer> ENDING = Set.of(Exit.PIPE, Exit.INTERRUPTED);

    ShellCommand() {
        super(
                "shell",
                "Runs the commands that are typed, in one process.",
                "The prompt names the repository and the branch. The tab key completes commands, options, keys, branches and tags; the arrow keys find the lines typed before. They",
                "are kept in XDG_STATE_HOME/pail/history, else ~/.local/state/pail/history; a line that begins with a space is not kept. Ctrl-C ends the line, and while a command",
                "runs, the shell; Ctrl-D, exit and quit end the shell. A line is as in a file of pail batch. -C, -b, -q, --json, --color, --progress and --lock-timeout",
                "hold for each command that does not have its own. If standard input is no terminal, its lines are run without prompts. The shell does not end at a",
                "command that fails. Its exit status is that of the last command. The commands read nothing from standard input.");
        examples("  pail shell", "  pail -C fruit shell -b draft", "  pail shell < commands.txt");
    }

    @Override
    public int run(Call call) {
        return call.terminal().isInteractive() ? typed(call) : read(call);
    }

    private int typed(Call call) {
        Terminal terminal = call.terminal();
        Path history = UserFolder.of(terminal, "XDG_STATE_HOME", ".local/state")
                .map(folder -> folder.resolve("pail/history"))
                .orElse(null);
        try (ShellLines lines = new ShellLines(history, words -> candidates(call, words))) {
            return run(call, () -> terminal.typed(() -> lines.next(prompt(call))));
        } catch (NoClassDefFoundError e) {
            // The small package has no library for it.
            throw new Failure.Found(
                    Exit.FAILED,
                    "not-installed",
                    "this installation cannot read typed lines",
                    "install pail, not pail-core; or give the lines in a file: pail shell < FILE");
        }
    }

    private int read(Call call) {
        try (Lines lines = TextInputs.once(call.terminal(), null)) {
            return run(call, lines::next);
        }
    }

    /** @param lines gives the next line, or null at the end */
    private int run(Call call, Supplier<@Nullable String> lines) {
        int exit = Exit.DONE;
        for (String line = lines.get(); line != null && !ENDING.contains(exit); line = lines.get()) {
            try {
                LineCommand command = LineCommand.of(line, spec().name());
                if (!command.words().isEmpty()) {
                    if (ENDS.contains(command.words().get(0))) {
                        return exit;
                    }
                    exit = command.run(call, InputStream.nullInputStream());
                }
            } catch (IllegalArgumentException e) {
                Failure failure = Failure.usage(String.valueOf(e.getMessage())).failure();
                call.terminal().fail(failure);
                exit = failure.exit();
            }
        }
        return exit;
    }

    private static List<String> candidates(Call call, List<String> words) {
        CommandSpec root = call.arguments().commandSpec().root();
        boolean isNamed = words.size() > 1 && words.get(0).equals("pail");
        List<String> candidates =
                new ArrayList<>(Completion.of(root, call, isNamed ? words.subList(1, words.size()) : words)
                        .candidates());
        if (words.size() == 1) {
            candidates.addAll(ENDS);
        }
        return candidates;
    }

    /** The name of the repository's folder and the branch, without what a terminal would not show as it is. */
    private static String prompt(Call call) {
        try (Repository repository = call.repository()) {
            return Escapes.escape(name(call)) + ":" + Escapes.escape(call.branch(repository)) + "> ";
        } catch (RuntimeException e) {
            // The next command says why.
            return "pail> ";
        }
    }

    private static String name(Call call) {
        String url = call.url();
        if (url != null) {
            // The rest may have a password.
            return url.substring(0, url.indexOf(':'));
        }
        Path folder = call.path().orElseThrow().toAbsolutePath().normalize();
        Path parent = folder.getParent();
        return String.valueOf(folder.endsWith(".pail") && parent != null ? parent.getFileName() : folder.getFileName());
    }
}
