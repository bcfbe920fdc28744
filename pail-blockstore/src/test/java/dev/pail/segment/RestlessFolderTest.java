package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.Manifest;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A folder that another process changes at each look: a reader gives up after 100 looks, and does not look for ever. */
class RestlessFolderTest {
    private static final Path FOLDER = Path.of("/s");
    private static final Path MANIFEST = FOLDER.resolve("MANIFEST");
    private static final int SEGMENTS = 5;
    private static final int TOO_MANY = 1000;

    private final CrashDisk disk = new CrashDisk();
    private int looks;

    private static Block block(int number) {
        return Block.of(Cid.RAW, new byte[] {(byte) number});
    }

    @BeforeEach
    void fill() {
        try (Segments store = Segments.open(disk, FOLDER, 0, 1)) {
            for (int i = 0; i < SEGMENTS; i++) {
                store.putAll(List.of(block(i)), Map.of());
            }
        }
    }

    private void look() {
        assertThat(++looks).as("looks").isLessThan(TOO_MANY);
    }

    /** Each manifest is another one, and each lists the segments that are there. */
    @Test
    void theManifestChangesAtEachLook() {
        Disk restless = HookedDisk.telling(disk, (call, file) -> {
            if (file.equals(MANIFEST) && call.equals("read")) {
                look();
                replaceManifest();
            }
        });
        try (Segments store = Segments.open(restless, FOLDER, 0, 1)) {
            replaceManifest();
            for (int i = 0; i < SEGMENTS; i++) {
                assertThat(store.get(block(i).cid())).contains(block(i));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        assertThat(looks).isGreaterThan(100);
    }

    private void replaceManifest() throws IOException {
        int last = SEGMENTS - 1 - looks % 2;
        TreeSet<Integer> listed =
                new TreeSet<>(IntStream.rangeClosed(0, last).boxed().toList());
        disk.delete(MANIFEST);
        Disk.write(disk, MANIFEST, new Manifest(last, listed).toBytes());
    }

    @Test
    void aSegmentIsListedAndNeverThere() {
        Disk restless = HookedDisk.telling(disk, (call, file) -> {
            if (file.endsWith("00000.seg") && call.equals("open")) {
                look();
                throw new NoSuchFileException(file.toString());
            }
        });
        try (Segments store = Segments.open(restless, FOLDER, 0, 1)) {
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(() -> store.get(block(0).cid()))
                    .withMessageContaining("00000.seg");
        }
        assertThat(looks).isBetween(100, 200);
    }
}
