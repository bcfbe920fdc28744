package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.disk.HookedDisk;
import dev.pail.ipld.Block;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Where a segment cannot be read, its name is told: that of the folder says nothing to whoever is to mend it. */
class UnreadableSegmentTest extends StoreInFolder {
    private static final Block BLOCK = block(1, 500);

    private void assertThatItIsNamed(HookedDisk.Told told, String reason) {
        putByAnother(LARGE, BLOCK);
        Path segment = folder.resolve("00000.open");
        Disk disk = HookedDisk.telling(Disk.system(), (call, file) -> {
            if (file.equals(segment)) {
                told.before(call, file);
            }
        });
        try (Segments store = open(disk, LARGE)) {
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(() -> store.get(BLOCK.cid()))
                    .withMessage("cannot read a block: " + segment + ": " + reason)
                    .matches(e -> e.place().equals(segment.toString()));
        }
    }

    @Test
    void oneThatMustNotBeReadIsNamed() {
        assertThatItIsNamed(
                (call, file) -> {
                    if (call.equals("open")) {
                        throw new AccessDeniedException(file.toString());
                    }
                },
                "permission denied");
    }

    @Test
    void oneThatTheDiskCannotReadIsNamed() {
        assertThatItIsNamed(
                (call, file) -> {
                    if (call.equals("read")) {
                        throw new IOException("Input/output error");
                    }
                },
                "Input/output error");
    }
}
