package dev.pail.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Answer;
import dev.pail.cli.Launched;
import dev.pail.cli.Main;
import dev.pail.cli.Shell;
import dev.pail.cli.text.NewValue;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors of Java in a real process, where the class that writes files is replaced by one that fails. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JavaFailureTest {
    private static final String WRITER = """
            package dev.pail.unixfs;
            import dev.pail.BlockStore;
            import java.io.InputStream;
            import java.time.Instant;
            import java.util.*;
            final class FileWriter {
                %s
                static FileNode.Part write(BlockStore blocks, FileLayout layout, InputStream in) {
                    return fail(1);
                }
                static FileNode.Part write(BlockStore blocks, FileLayout layout, InputStream in, OptionalInt mode, Optional<Instant> mtime) {
                    return fail(1);
                }
            }
            class Gone {
                static FileNode.Part fail(int depth) {
                    return null;
                }
            }
            """;

    private static final String FAIL = "static FileNode.Part fail(int depth) { %s }";

    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    Path folder;

    private Path work;

    @BeforeEach
    void makeRepository() throws IOException {
        work = Files.createDirectory(folder.resolve("work"));
        Shell.withRepository(work);
        Files.createDirectory(folder.resolve("files"));
        // Larger than one block.
        Files.write(folder.resolve("files/a"), new byte[NewValue.MAX_BLOCK + 1]);
    }

    /** Compiles a class that fails in the place of the one that writes files. Returns the folder of its classes. */
    private Path compiled(String failing) throws IOException {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        Path source = Files.writeString(folder.resolve("FileWriter.java"), WRITER.formatted(failing));
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int status = ToolProvider.getSystemJavaCompiler()
                .run(null, said, said, "-proc:none", "-cp", CLASS_PATH, "-d", classes.toString(), source.toString());
        assertThat(status).as(said.toString(UTF_8)).isZero();
        if (failing.contains("Gone")) {
            Files.delete(classes.resolve("dev/pail/unixfs/Gone.class"));
        }
        return classes;
    }

    private Answer put(Path classes, boolean isInPool, String... more) {
        String[] arguments = isInPool
                ? new String[] {"put", "-r", folder.resolve("files").toString()}
                : new String[] {
                    "put", "key", "--file", folder.resolve("files/a").toString()
                };
        List<String> words = Launched.command(Main.class, arguments);
        words.addAll(List.of(more));
        words.set(words.indexOf("-cp") + 1, classes + File.pathSeparator + CLASS_PATH);
        return Launched.start(Launched.builder(work, words)).answer();
    }

    /** What it says of a failure. The name of an error of Java is wanted here. */
    private static String failed(Answer answer) {
        assertThat(answer.status()).as(answer.err()).isEqualTo(Exit.FAILED);
        assertThat(answer.text()).isEmpty();
        return answer.err();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "return fail(depth + 1);          | Java cannot continue: java.lang.StackOverflowError | -Xss16m",
                "Object a = new long[Integer.MAX_VALUE]; return null; | not enough memory for this     | -Xmx8g",
                "return Gone.fail(depth);         | Java cannot continue: java.lang.NoClassDefFoundError: dev/pail/unixfs/Gone | install",
                "throw new AssertionError(\"no\");  | Java cannot continue: java.lang.AssertionError: no | report it",
            })
    void anErrorOfTheMainThreadAndOfAPoolIsSaidInOneSentence(String failing, String message, String hint)
            throws IOException {
        Path classes = compiled(FAIL.formatted(failing));
        for (boolean isInPool : List.of(false, true)) {
            String said = failed(put(classes, isInPool));
            assertThat(said.lines()).as("in a pool: " + isInPool).hasSize(2);
            assertThat(said).startsWith("error: " + message + "\n").contains("hint: ", hint);
        }
    }

    @Test
    void aClassThatCannotBeInitializedIsSaidWithTheReason() throws IOException {
        Path classes =
                compiled("static final int ZERO = Integer.parseInt(\"no number\");" + FAIL.formatted("return null;"));
        for (boolean isInPool : List.of(false, true)) {
            assertThat(failed(put(classes, isInPool)))
                    .startsWith("error: Java cannot continue: java.lang.ExceptionInInitializerError:"
                            + " java.lang.NumberFormatException: For input string: \"no number\"\n");
        }
    }

    @Test
    void anErrorIsJsonForPrograms() throws IOException {
        Answer put = put(compiled(FAIL.formatted("throw new OutOfMemoryError();")), true, "--json");
        assertThat(put.refusedInJson(Exit.FAILED).get("code").asText()).isEqualTo("memory");
    }
}
