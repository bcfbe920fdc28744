package dev.pail.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs the examples. */
class ExamplesTest {
    private interface Program {
        void run() throws Exception;
    }

    private static List<String> printed(Program program) throws Exception {
        PrintStream out = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            program.run();
        } finally {
            System.setOut(out);
        }
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void people() throws Exception {
        assertThat(printed(() -> People.main(new String[0])))
                .containsExactly(
                        "in Rome now:", "ada", "bo", "in Rome before:", "bo", "grown up:", "ada", "people ada changed");
    }

    @Test
    void twoReplicas() throws Exception {
        assertThat(printed(() -> TwoReplicas.main(new String[0])))
                .contains("conflict: shopping/2", "same root: true")
                .endsWith("shopping/1 milk", "shopping/2 tea", "shopping/3 salt");
    }

    @Test
    void ownStore() throws Exception {
        assertThat(printed(() -> OwnStore.main(new String[0]))).containsExactly("hello", "1 update");
    }
}
