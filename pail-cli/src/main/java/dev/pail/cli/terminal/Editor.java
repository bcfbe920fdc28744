package dev.pail.cli.terminal;

import dev.pail.bytes.Utf8;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Lets a person edit a text in the editor of their choice. */
public final class Editor {
    private static final List<String> VARIABLES = List.of("PAIL_EDITOR", "VISUAL", "EDITOR");

    /** The largest text that is read back, in bytes. */
    private static final int MAX_SIZE = 8 << 20;

    private Editor() {}

    /**
     * The bytes that the editor saves. The text is in a temporary file meanwhile, which only this user may read.
     *
     * @param suffix of the name of the file, such as {@code .txt}
     */
    public static byte[] edit(Terminal terminal, String text, String suffix) {
        String editor = VARIABLES.stream()
                .map(terminal::environment)
                .filter(Objects::nonNull)
                .filter(command -> !command.isBlank())
                .findFirst()
                .orElseThrow(() ->
                        failure("no editor is set", "name one in the variable EDITOR, or give the value with --text"));
        List<String> command = new ArrayList<>(List.of(editor.strip().split("\\s+")));
        try {
            Path file = Files.createTempFile("pail-", suffix);
            try {
                Files.write(file, Utf8.encode(text));
                command.add(file.toString());
                run(command, editor);
                if (Files.size(file) > MAX_SIZE) {
                    throw failure(
                            "the editor saved more than " + MAX_SIZE + " bytes",
                            "put a large file with: pail put KEY --file PATH");
                }
                return Files.readAllBytes(file);
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw failure("cannot edit with " + editor + ": " + e.getMessage(), "set EDITOR to a program that is here");
        }
    }

    private static void run(List<String> command, String editor) throws IOException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        try {
            int status = process.waitFor();
            if (status != 0) {
                throw failure("the editor failed with status " + status + ": " + editor, "nothing was changed");
            }
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw failure("interrupted while the editor was open", "nothing was changed");
        }
    }

    private static Failure.Found failure(String message, String hint) {
        return new Failure.Found(Exit.FAILED, "editor", message, hint);
    }
}
