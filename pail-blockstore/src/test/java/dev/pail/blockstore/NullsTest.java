package dev.pail.blockstore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.BlockStore;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.PailException;
import dev.pail.ShardFormat;
import dev.pail.car.CarBlockStore;
import dev.pail.car.CarExport;
import dev.pail.car.CarHeader;
import dev.pail.car.CarReader;
import dev.pail.car.CarWriter;
import dev.pail.clock.Head;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Collected;
import dev.pail.repository.GarbageCollection;
import dev.pail.repository.LogEntry;
import dev.pail.repository.Packing;
import dev.pail.repository.Repository;
import dev.pail.repository.Snapshot;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Null is refused at once. */
class NullsTest {
    @TempDir
    Path folder;

    @Test
    void nullIsRefusedAtOnce() throws Exception {
        Path car = folder.resolve("one.car");
        Block block = Block.of(Cid.RAW, new byte[1]);
        try (CarWriter writer = CarWriter.of(Files.newOutputStream(car), "", List.of())) {
            writer.write(block);
        }
        try (Repository repository = Repository.init(folder.resolve("repository"), ShardFormat.v0());
                BlockStore files = DirectoryBlockStore.open(folder.resolve("files"));
                SegmentBlockStore segments = SegmentBlockStore.open(folder.resolve("segments"))) {
            repository.update("main", before -> before.put("key", block.cid()));
            repository.createBranch("key", repository.pail());
            Snapshot snapshot = repository.snapshot("main");
            Map<Class<?>, Callable<?>> samples = new HashMap<>();
            samples.put(String.class, () -> "key");
            samples.put(List.class, List::of);
            samples.put(Map.class, Map::of);
            samples.put(Collection.class, List::of);
            samples.put(Optional.class, Optional::empty);
            samples.put(Runnable.class, () -> (Runnable) () -> {});
            samples.put(Consumer.class, () -> (Consumer<?>) given -> {});
            samples.put(LongConsumer.class, () -> (LongConsumer) given -> {});
            samples.put(Predicate.class, () -> (Predicate<?>) given -> true);
            samples.put(UnaryOperator.class, UnaryOperator::identity);
            samples.put(Duration.class, () -> Duration.ZERO);
            samples.put(Instant.class, () -> Instant.EPOCH);
            samples.put(InputStream.class, () -> Files.newInputStream(car));
            samples.put(OutputStream.class, OutputStream::nullOutputStream);
            samples.put(Path.class, repository::folder);
            samples.put(Disk.class, Disk::system);
            samples.put(Block.class, () -> block);
            samples.put(Cid.class, block::cid);
            samples.put(PailException.class, () -> new MissingBlockException(block.cid()));
            samples.put(ShardFormat.class, ShardFormat::v0);
            samples.put(Pail.class, snapshot::pail);
            samples.put(Head.class, snapshot::head);
            samples.put(BlockStore.class, repository::blocks);
            samples.put(MemoryBlockStore.class, MemoryBlockStore::new);
            samples.put(CachingBlockStore.class, () -> new CachingBlockStore(segments, 0));
            samples.put(DirectoryBlockStore.class, () -> files);
            samples.put(SegmentBlockStore.class, () -> segments);
            samples.put(SegmentStatistics.class, segments::statistics);
            samples.put(CarHeader.class, () -> new CarHeader(1, List.of()));
            samples.put(CarReader.class, () -> CarReader.of(Files.newInputStream(car), ""));
            samples.put(CarBlockStore.class, () -> CarBlockStore.open(car));
            samples.put(CarWriter.class, () -> CarWriter.of(OutputStream.nullOutputStream(), "", List.of()));
            samples.put(CarExport.class, () -> CarExport.of(repository.blocks(), List.of()));
            samples.put(Repository.class, () -> repository);
            samples.put(Snapshot.class, () -> snapshot);
            samples.put(LogEntry.class, () -> new LogEntry(1, Instant.EPOCH, "", Head.of(), Head.of()));
            samples.put(GarbageCollection.class, repository::garbageCollection);
            samples.put(Packing.class, repository::packing);
            samples.put(Collected.Amount.class, () -> new Collected.Amount(0, 0));
            assertThat(new Nulls(samples).taken("dev.pail.blockstore", "dev.pail.car", "dev.pail.repository"))
                    .isEmpty();
        }
    }
}
