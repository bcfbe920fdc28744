package dev.pail.car;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Batch;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.blockstore.SmallHeap;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.Operation;
import dev.pail.ipld.Block;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Export, import and reading of large CARs, in a process with a heap of 64 MiB. */
class CarMemoryTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1"})
    void aLargePailInASmallHeap(String format) throws Exception {
        int entries = Randomness.times(200_000, 1_000_000);
        Path car = folder.resolve("large.car");
        long written = write(car, ShardFormat.named(format), entries);
        assertPasses(car, written, entries + " entries of " + format);
    }

    @Test
    void aLongHistoryInASmallHeap() throws Exception {
        int events = Randomness.times(200_000, 1_000_000);
        Path car = folder.resolve("long.car");
        assertPasses(car, writeHistory(car, events), events + " events");
    }

    private void assertPasses(Path car, long written, String what) throws Exception {
        Path again = folder.resolve("again.car");
        List<String> said = run(car, again);
        assertThat(said).as(what).hasSize(4).allMatch(line -> line.endsWith(" ms"), "is a report");
        assertThat(said.get(2)).startsWith("exported " + written + " blocks");
        assertThat(said.get(3)).startsWith("imported " + written + " blocks");
        assertThat(Files.mismatch(car, again)).isEqualTo(-1);
    }

    private static long write(Path car, ShardFormat format, int entries) throws IOException {
        try (MemoryBlockStore blocks = new MemoryBlockStore();
                OutputStream out = Files.newOutputStream(car)) {
            Batch batch = Pail.create(blocks, format).batch();
            for (int i = 0; i < entries; i++) {
                Block value = Cars.raw("value " + i);
                batch.put(String.format("key %07d", i), value.cid());
                if (i % 4 == 0) {
                    blocks.put(value);
                }
            }
            Pail pail = batch.commit();
            return CarExport.of(blocks, List.of(pail.root()))
                    .writeTo(out, car.toString())
                    .blocks();
        }
    }

    /** Events that follow each other, and the pail that all of them lead to, in the order of a walk. */
    private static long writeHistory(Path car, int events) throws IOException {
        Pail pail = Pail.create(new MemoryBlockStore());
        List<Block> history = new ArrayList<>();
        Head head = Head.empty();
        for (int i = 0; i < events; i++) {
            Event event = Event.of(new Operation.Delete("key " + i), pail.root(), head.events());
            history.add(event.block());
            head = Head.of(event.cid());
        }
        history.add(events - 1, pail.blocks().get(pail.root()).orElseThrow());
        Collections.reverse(history);
        try (OutputStream out = Files.newOutputStream(car)) {
            CarWriter writer = CarWriter.of(out, car.toString(), head.events());
            history.forEach(writer::write);
            writer.flush();
            return writer.blocks();
        }
    }

    private static List<String> run(Path from, Path to) throws Exception {
        return SmallHeap.run(SmallHeapMain.class, List.of(from.toString(), to.toString()));
    }
}
