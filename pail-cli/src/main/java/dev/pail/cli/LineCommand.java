package dev.pail.cli;

import dev.pail.cli.command.Call;
import dev.pail.cli.command.Globals;
import dev.pail.cli.text.Words;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A line with another command, which runs in this process.
 *
 * @param words without {@code pail} before them; none, if the line is empty or a comment
 */
record LineCommand(List<String> words) {
    LineCommand {
        words = List.copyOf(words);
    }

    /**
     * Reads a line.
     *
     * @param reader the command that reads lines, which runs no other of its kind: else a file could run itself without end
     * @throws IllegalArgumentException if it is no line of words, or names that command
     */
    static LineCommand of(String line, String reader) {
        List<String> words = Words.of(line);
        if (!words.isEmpty() && words.get(0).equals("pail")) {
            words = words.subList(1, words.size());
        }
        if (!words.isEmpty() && words.get(0).equals(reader)) {
            throw new IllegalArgumentException("a " + reader + " does not run another one");
        }
        return new LineCommand(words);
    }

    /**
     * Runs it with the global options of a call, where it does not have its own, and returns the exit status.
     *
     * @param in what it reads
     */
    int run(Call call, InputStream in) {
        List<String> arguments = new ArrayList<>(globals(call.globals()));
        arguments.addAll(words);
        // Each command says itself what it has changed.
        return call.runner().run(call.terminal().again(in), arguments.toArray(String[]::new));
    }

    private static List<String> globals(Globals globals) {
        List<String> options = new ArrayList<>();
        add(options, "-C", globals.store());
        add(options, "-b", globals.branch());
        add(options, "--color", globals.output().color());
        add(options, "--progress", globals.output().progress());
        add(options, "--lock-timeout", Long.toString(globals.lockTimeout()));
        if (globals.output().json()) {
            options.add("--json");
        }
        if (globals.output().quiet()) {
            options.add("-q");
        }
        return options;
    }

    private static void add(List<String> options, String name, @Nullable String value) {
        if (value != null) {
            options.addAll(List.of(name, value));
        }
    }
}
