package dev.pail.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** Temporary folders in memory, where the machine has such: syncing files to a disk is most of what tests would wait for. */
final class InMemory implements TempDirFactory {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
        return Files.isWritable(SHARED_MEMORY)
                ? Files.createTempDirectory(SHARED_MEMORY, "pail-test")
                : Files.createTempDirectory("pail-test");
    }
}
