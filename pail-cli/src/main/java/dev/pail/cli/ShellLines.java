package dev.pail.cli;

import dev.pail.cli.command.KeyFiles;
import dev.pail.cli.terminal.Failure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/** The lines that a user types at a terminal, with completion and a history. All that loads JLine is here. */
final class ShellLines implements AutoCloseable {
    private final Terminal terminal;
    private final LineReader reader;

    /**
     * Takes over the terminal of this process while a line is typed.
     *
     * @param history the file of the history; null for none
     * @param candidates the candidates for the last word of the words typed so far
     */
    ShellLines(@Nullable Path history, Function<List<String>, List<String>> candidates) {
        try {
            // The native provider is not there, and the one of Java 22 warns.
            terminal = TerminalBuilder.builder()
                    .system(true)
                    .provider("exec")
                    .graphemeCluster(false)
                    .encoding(StandardCharsets.UTF_8)
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        LineReaderBuilder builder = LineReaderBuilder.builder()
                .terminal(terminal)
                .appName("pail")
                .completer((typing, line, found) -> complete(line, candidates, found))
                // A key may have an exclamation mark.
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                // A value may have no newline at its end.
                .option(LineReader.Option.AUTO_FRESH_LINE, true);
        made(history).ifPresent(file -> builder.variable(LineReader.HISTORY_FILE, file));
        reader = builder.build();
    }

    private static void complete(
            ParsedLine line, Function<List<String>, List<String>> candidates, List<Candidate> found) {
        List<String> words = new ArrayList<>(line.words().subList(0, line.wordIndex()));
        words.add(line.word().substring(0, line.wordCursor()));
        candidates.apply(words).forEach(value -> found.add(new Candidate(value)));
    }

    /** The file, made if it was not there: readable by its owner alone, as a URL in a command may have a password. */
    private static Optional<Path> made(@Nullable Path history) {
        if (history == null) {
            return Optional.empty();
        }
        try {
            if (!Files.exists(history)) {
                Files.createDirectories(history.toAbsolutePath().getParent());
                Files.createFile(history, KeyFiles.ownerAlone(history));
            }
            return Optional.of(history);
        } catch (IOException e) {
            // Such as a home that is read-only: then the history ends with the shell.
            return Optional.empty();
        }
    }

    /** Returns the next line, or null at the end. A line that was interrupted is empty. */
    @Nullable
    String next(String prompt) {
        try {
            // JLine takes % for a pattern.
            return reader.readLine(prompt.replace("%", "%%"));
        } catch (UserInterruptException e) {
            return "";
        } catch (EndOfFileException e) {
            return null;
        }
    }

    @Override
    public void close() {
        try {
            terminal.close();
        } catch (IOException e) {
            throw new UncheckedIOException(Failure.message(e), e);
        }
    }
}
