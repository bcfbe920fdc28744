package dev.pail.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/**
 * Test data of other projects, in the folder that {@code -Dpail.corpora} names. If the data is absent, a test is skipped; with
 * {@code -Dpail.complete=true} it fails.
 *
 * <pre>{@code
 * Path car = Corpora.find("clock/clock.car"); // below the folder that -Dpail.corpora names
 * try (CarReader reader = CarReader.open(car)) {
 *     reader.forEach(section -> Assertions.assertEquals(section.cid(), section.block().cid()));
 * }
 * }</pre>
 */
public final class Corpora {
    private Corpora() {}

    /** Finds a file or folder, or ends the test if it is absent. */
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
