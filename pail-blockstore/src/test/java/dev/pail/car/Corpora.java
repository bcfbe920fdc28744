package dev.pail.car;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Test data of other projects, in the folder that {@code -Dpail.corpora} names. Tests that need it are skipped without. */
final class Corpora {
    private Corpora() {}

    /** A file or folder; if it is not there, the test is skipped. */
    static Path find(String name) {
        Path path = Path.of(System.getProperty("pail.corpora", "corpora")).resolve(name);
        Assumptions.assumeTrue(Files.exists(path), () -> "no test data at " + path);
        return path;
    }
}
