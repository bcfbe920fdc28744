package dev.pail.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A program that shows long output on a terminal page by page: {@code PAIL_PAGER}, else {@code PAGER}, else {@code less}. An empty one and
 * {@code cat} are none, as for git.
 */
final class Pager {
    private static final String LESS = "less";

    private final Process process;

    private Pager(Process process) {
        this.process = process;
    }

    /** Starts it, if there is one. */
    static @Nullable Pager start(Map<String, String> environment) {
        String command = environment.getOrDefault("PAIL_PAGER", environment.getOrDefault("PAGER", LESS));
        if (command.isBlank() || command.equals("cat") || (command.equals(LESS) && !isThere(environment))) {
            return null;
        }
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        // What fits on the screen is printed, and the pager ends. Colors are shown. Other settings of the user stay.
        builder.environment().putIfAbsent("LESS", "FRX");
        builder.environment().putIfAbsent("LV", "-c");
        try {
            Pager pager = new Pager(builder.start());
            // Ctrl-C ends the command. The pager has the terminal until its user ends it.
            Runtime.getRuntime().addShutdownHook(new Thread(pager::await));
            return pager;
        } catch (IOException e) {
            return null;
        }
    }

    private static boolean isThere(Map<String, String> environment) {
        String path = environment.getOrDefault("PATH", "");
        return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(path)
                .filter(folder -> !folder.isEmpty())
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, LESS)));
    }

    /** What it shows. Closing it lets it end. */
    OutputStream input() {
        return process.getOutputStream();
    }

    /** Waits until its user ends it. */
    void await() {
        Process unused = process.onExit().join();
    }
}
