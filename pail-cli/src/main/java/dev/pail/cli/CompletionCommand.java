package dev.pail.cli;

import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Prints the completion script of a shell, and for these scripts the candidates for a word. */
final class CompletionCommand extends Command {
    private static final String WORDS = "words";
    private static final List<String> SHELLS = List.of("bash", "zsh", "fish");

    CompletionCommand() {
        super(
                "completion",
                "Prints the completion script of a shell.",
                "The script completes commands, options, branches, tags and keys.");
        parameter("SHELL", "1", "bash, zsh or fish.", SHELLS.toArray(String[]::new));
        parameter("WORD", "0..*", "With words as the shell, which the scripts use: complete the last of these words.");
        examples(
                "  eval \"$(pail completion bash)\"",
                "  eval \"$(pail completion zsh)\"",
                "  pail completion fish | source");
    }

    @Override
    public int run(Call call) {
        String shell = call.parameter(0);
        List<String> words = call.parameters(1);
        if (shell.equals(WORDS)) {
            Completion.of(call.arguments().commandSpec().root(), call, words)
                    .candidates()
                    .forEach(call.terminal()::print);
            return Exit.DONE;
        }
        if (!SHELLS.contains(shell) || !words.isEmpty()) {
            throw Failure.usage("completion is for one of: " + String.join(", ", SHELLS));
        }
        call.terminal().print(script(shell).stripTrailing());
        return Exit.DONE;
    }

    private static String script(String shell) {
        try (InputStream in = CompletionCommand.class.getResourceAsStream("completion." + shell)) {
            if (in == null) {
                throw new IllegalStateException("no completion script for " + shell);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
