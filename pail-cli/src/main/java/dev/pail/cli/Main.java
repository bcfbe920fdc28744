package dev.pail.cli;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.nio.file.Path;

/** Starts the command {@code pail}. */
public final class Main {
    private Main() {}

    /** Runs a command line and exits with its status. */
    public static void main(String[] arguments) {
        // The launcher says which of the streams are terminals, since nothing in Java does.
        String terminals = System.getProperty("pail.terminals", "");
        Terminal terminal = new Terminal(
                new FileInputStream(FileDescriptor.in),
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err),
                System.getenv(),
                Path.of(""),
                terminals.contains("out"),
                terminals.contains("err"));
        System.exit(new Cli(terminal).run(arguments));
    }
}
