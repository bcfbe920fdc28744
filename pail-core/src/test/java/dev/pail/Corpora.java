package dev.pail;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/**
 * Test data of other projects, in the folder that {@code -Dpail.corpora} names. Tests that need it are skipped without; with
 * {@code -Dpail.complete} they fail, so that nobody takes them for passed.
 */
public final class Corpora {
    private Corpora() {}

    /** A file or folder; if it is not there, the test ends. */
    public static Path find(String name) {
        Path path = Path.of(System.getProperty("pail.corpora", "corpora")).resolve(name);
        if (!Files.exists(path)) {
            String missing = "no test data at " + path;
            if (Boolean.getBoolean("pail.complete")) {
                throw new AssertionError(missing);
            }
            Assumptions.abort(missing);
        }
        return path;
    }
}
