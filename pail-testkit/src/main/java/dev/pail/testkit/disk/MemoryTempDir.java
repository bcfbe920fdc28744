package dev.pail.testkit.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Temporary folders in memory where the system has some, because tests sync thousands of files.
 *
 * <pre>{@code
 * class StoreTest { @TempDir(factory = MemoryTempDir.class) Path temporary; } // JUnit makes and removes it
 * }</pre>
 */
@SuppressWarnings({"exports", "missing-explicit-ctor"})
public final class MemoryTempDir implements TempDirFactory {
    private static final Path MEMORY = Path.of("/dev/shm");

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
        return Files.isWritable(MEMORY)
                ? Files.createTempDirectory(MEMORY, "pail-test-")
                : Files.createTempDirectory("pail-test-");
    }
}
