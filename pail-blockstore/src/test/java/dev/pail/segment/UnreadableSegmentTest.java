package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The error for an unreadable segment names its file: the folder alone would not help to repair it. */
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

    /** A put of the block repairs it, as it repairs a damaged one. */
    @Test
    void aPutOfWhatTheDiskCannotReadWritesItAnew() {
        Block origin = BLOCK;
        byte[] changed = origin.bytes();
        changed[7]++;
        Block next = Block.of(Cid.RAW, changed);
        putByAnother(LARGE, origin, block(2, 70));
        AtomicBoolean failing = new AtomicBoolean();
        Disk disk = HookedDisk.of(Disk.system(), (method, path, call) -> {
            // The first record alone.
            if (failing.get()
                    && method.equals("read")
                    && call.arguments.length == 4
                    && (long) call.arguments[0] < 500) {
                throw new IOException("Input/output error");
            }
            return call.make();
        });
        try (Segments store = open(disk, LARGE)) {
            // Opened, it has looked where everything is.
            put(store, block(3, 70));
            failing.set(true);
            store.putAll(List.of(next), Map.of(next.cid(), origin.cid()));
            put(store, origin);
            assertThat(store.get(origin.cid())).contains(origin);
            assertThat(store.get(next.cid())).contains(next);
        }
        assertThatFreshReads(origin, next);
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
