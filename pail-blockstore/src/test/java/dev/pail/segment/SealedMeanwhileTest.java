package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.sweep.SweepRule;
import dev.pail.testkit.disk.HookedDisk;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What other threads do when a segment has got its other name, and is not yet shown under it. */
class SealedMeanwhileTest {
    private static final long SEGMENT_SIZE = 300;
    private static final Block FIRST = Block.of(Cid.RAW, new byte[10]);
    private static final Block LARGE = Block.of(Cid.RAW, new byte[400]);

    @TempDir
    Path temporary;

    private void whileSealing(Consumer<Segments> action) {
        AtomicInteger renamed = new AtomicInteger();
        Segments[] opened = new Segments[1];
        Disk disk = HookedDisk.of(Disk.system(), (call, file, made) -> {
            Object result = made.make();
            if (call.equals("rename") && file.toString().endsWith(Catalog.OPEN) && renamed.getAndIncrement() == 0) {
                action.accept(opened[0]);
            }
            return result;
        });
        try (Segments store = Segments.open(disk, temporary.resolve("s"), 0, SEGMENT_SIZE)) {
            opened[0] = store;
            store.putAll(List.of(FIRST), Map.of());
            store.putAll(List.of(LARGE), Map.of());
            assertThat(renamed).hasPositiveValue();
            assertThat(store.get(FIRST.cid())).contains(FIRST);
            assertThat(store.get(LARGE.cid())).contains(LARGE);
        }
    }

    @Test
    void whatIsThereIsPutAgain() {
        whileSealing(store -> store.putAll(List.of(FIRST), Map.of()));
    }

    @Test
    void aCollectionLooksThroughTheStore() {
        whileSealing(store -> {
            SweepRule rule = new SweepRule(cid -> true, Instant.MAX);
            assertThat(store.preview(rule).isChange()).isFalse();
        });
    }
}
