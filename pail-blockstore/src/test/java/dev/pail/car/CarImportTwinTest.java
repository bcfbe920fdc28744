package dev.pail.car;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.dag.Link;
import dev.pail.dag.Links;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.testkit.Randomness;
import dev.pail.threads.TaskThread;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** An import by two threads beside a plain one, section by section. */
@Isolated("sets a system property")
class CarImportTwinTest {
    @AfterEach
    void clear() {
        System.clearProperty(TaskThread.PROPERTY);
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("pail-car"));
    }

    /** Blocks in memory. Some are corrupt until they are put, and one of the puts fails. */
    private static final class Store implements BlockStore {
        private final MemoryBlockStore blocks = new MemoryBlockStore();
        private final Set<Cid> corrupt = new HashSet<>();
        private final List<Cid> puts = new ArrayList<>();
        private final int failing;

        Store(World world) {
            failing = world.failing;
            corrupt.addAll(world.corrupt);
            blocks.putAll(world.before);
        }

        @Override
        public Optional<Block> get(Cid cid) {
            return blocks.get(cid);
        }

        @Override
        public boolean has(Cid cid) {
            synchronized (corrupt) {
                if (corrupt.contains(cid)) {
                    throw new CorruptBlockException(cid, "lost here");
                }
            }
            return blocks.has(cid);
        }

        @Override
        public void putAll(Collection<Block> all) {
            for (Block block : all) {
                if (puts.size() == failing) {
                    throw new StoreIOException("cannot keep blocks", "/r", new IOException("disk full"));
                }
                puts.add(block.cid());
                synchronized (corrupt) {
                    corrupt.remove(block.cid());
                }
                blocks.put(block);
            }
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException();
        }
    }

    /** A CAR, and a store that has some of its blocks. */
    private static final class World {
        private final List<Block> before = new ArrayList<>();
        private final Set<Cid> corrupt = new HashSet<>();
        private final byte[] car;
        private final boolean failsAtEnd;
        private final int failing;
        private final int most;

        World(Random random) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.writeBytes(Cars.header());
            List<Block> blocks = new ArrayList<>();
            int count = random.nextInt(3000);
            int faults = 20 + random.nextInt(1000);
            for (int i = 0; i < count; i++) {
                boolean isLink = random.nextInt(3) == 0 && !blocks.isEmpty();
                byte[] bytes = isLink
                        ? linking(blocks.get(random.nextInt(blocks.size())).cid(), random)
                        : Cars.varint(random.nextInt(10_000));
                Block block = Block.of(isLink ? Cid.DAG_CBOR : Cid.RAW, bytes);
                blocks.add(block);
                if (random.nextInt(5) == 0) {
                    before.add(block);
                }
                switch (random.nextInt(faults)) {
                    case 0 -> out.writeBytes(Cars.section(block.cid(), new byte[] {1}));
                    case 1 ->
                        out.writeBytes(
                                Cars.section(Cid.fromBytes(Cars.hex("0155000568656c6c6f")), Cars.hex("68656c6c6f")));
                    case 2 ->
                        out.writeBytes(
                                Cars.section(Cid.fromBytes(Cars.join(Cars.hex("0155ffff7f20"), new byte[32])), bytes));
                    case 3 -> corrupt.add(block.cid());
                    case 4, 5, 6 -> {}
                    default -> out.writeBytes(Cars.section(block));
                }
            }
            if (random.nextInt(4) == 0) {
                out.writeBytes(Cars.varint(0));
            }
            byte[] whole = out.toByteArray();
            this.car = random.nextInt(4) == 0
                    ? Arrays.copyOf(whole, Cars.header().length + random.nextInt(whole.length))
                    : whole;
            this.failsAtEnd = random.nextInt(4) == 0;
            this.failing = random.nextInt(3) == 0 ? random.nextInt(count + 1) : -1;
            this.most = random.nextInt(3) == 0 ? random.nextInt(count + 1) : Integer.MAX_VALUE;
        }

        private static byte[] linking(Cid to, Random random) {
            byte[] cid = to.toBytes();
            if (random.nextInt(4) == 0) {
                cid[cid.length - 1]++;
            }
            return Cars.join(new byte[] {(byte) 0x81, (byte) 0xd8, 0x2a, 0x58, (byte) (cid.length + 1), 0}, cid);
        }

        private CarReader reader() {
            InputStream in = new ByteArrayInputStream(car);
            return CarReader.of(failsAtEnd ? new SequenceInputStream(in, new Broken(null)) : in, "test.car");
        }

        /** What an import returned or threw, what it put in which order, and what it reported meanwhile. */
        private List<Object> told(Import importing) {
            Store store = new Store(this);
            int[] steps = new int[1];
            List<Object> told = new ArrayList<>();
            try (CarReader reader = reader()) {
                told.add(importing
                        .of(reader, store, () -> {
                            steps[0]++;
                            if (steps[0] > most) {
                                throw new CancellationException("enough");
                            }
                        })
                        .toString());
            } catch (PailException | CancellationException e) {
                told.add(e.toString());
            }
            told.add(steps[0]);
            told.add(store.puts);
            return told;
        }
    }

    private interface Import {
        CarImport of(CarReader car, BlockStore blocks, Runnable progress);
    }

    /** Throws what it has, for each read. */
    private static final class Broken extends InputStream {
        private final @Nullable Error error;

        Broken(@Nullable Error error) {
            this.error = error;
        }

        @Override
        public int read() throws IOException {
            if (error != null) {
                throw error;
            }
            throw new IOException("connection reset");
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            return read();
        }
    }

    /** Section by section, as one thread did it: asks the store for each block when it comes. */
    private static CarImport plain(CarReader car, BlockStore blocks, Runnable progress) {
        List<Block> batch = new ArrayList<>();
        Set<Cid> inBatch = new HashSet<>();
        Set<Cid> linked = new HashSet<>();
        Set<Cid> absent = new HashSet<>();
        List<CarImport.Refusal> refusals = new ArrayList<>();
        long[] counts = new long[4];
        Consumer<CarSection> take = section -> {
            if (section.cid().hashFunction() != Cid.IDENTITY) {
                Block block = null;
                try {
                    block = section.block();
                } catch (CorruptBlockException | UnsupportedHashException e) {
                    counts[2]++;
                    counts[3] += e instanceof CorruptBlockException ? 1 : 0;
                    refusals.add(new CarImport.Refusal(section.cid(), section.offset(), e));
                }
                linked.add(section.cid().raw());
                absent.remove(section.cid().raw());
                if (block != null) {
                    counts[inBatch.contains(block.cid()) || has(blocks, block.cid()) ? 1 : 0]++;
                    if (inBatch.add(block.cid())) {
                        batch.add(block);
                    }
                    for (Link link : Links.of(block, Link.Role.VALUE)) {
                        if (linked.add(link.cid().raw()) && !has(blocks, link.cid())) {
                            absent.add(link.cid().raw());
                        }
                    }
                    if (batch.size() == CarImport.BATCH_BLOCKS) {
                        blocks.putAll(batch);
                        batch.clear();
                        inBatch.clear();
                    }
                }
            }
            progress.run();
        };
        for (Optional<CarSection> next = next(car, blocks, batch); next.isPresent(); next = next(car, blocks, batch)) {
            take.accept(next.get());
        }
        blocks.putAll(batch);
        return new CarImport(
                car.header(), counts[0], counts[1], counts[2], counts[3], absent.size(), firstOf(refusals));
    }

    /** Puts what came before the CAR breaks off. */
    private static Optional<CarSection> next(CarReader car, BlockStore blocks, List<Block> batch) {
        try {
            return car.next();
        } catch (StoreIOException | MalformedDataException e) {
            try {
                blocks.putAll(batch);
            } catch (StoreIOException failed) {
                e.addSuppressed(failed);
            }
            throw e;
        }
    }

    private static List<CarImport.Refusal> firstOf(List<CarImport.Refusal> refusals) {
        return refusals.subList(0, Math.min(refusals.size(), CarImport.MAX_REFUSALS));
    }

    private static boolean has(BlockStore blocks, Cid cid) {
        try {
            return blocks.has(cid);
        } catch (CorruptBlockException e) {
            return false;
        }
    }

    private static Import by(int threads) {
        return (car, blocks, progress) -> {
            System.setProperty(TaskThread.PROPERTY, Integer.toString(threads));
            return CarImport.of(car, blocks, progress);
        };
    }

    @Test
    void takesAndThrowsTheSameAsSectionBySection() {
        long seed = Randomness.seed("CarImportTwinTest");
        for (int i = 0; i < Randomness.times(100, 5000); i++) {
            World world = new World(Randomness.random(seed + i));
            List<Object> plain = world.told(CarImportTwinTest::plain);
            assertThat(world.told(by(1))).isEqualTo(plain);
            assertThat(world.told(by(2))).isEqualTo(plain);
        }
    }

    @Test
    void keepsAnInterrupt() {
        World world = new World(Randomness.random("CarImportTwinTest.interrupt"));
        List<Object> plain = world.told(CarImportTwinTest::plain);
        Thread.currentThread().interrupt();
        assertThat(world.told(by(2))).isEqualTo(plain);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void throwsAnErrorOfTheReader() {
        for (int threads = 1; threads <= 2; threads++) {
            AssertionError error = new AssertionError("of the reader");
            Import importing = by(threads);
            byte[] start = Cars.join(Cars.header(), Cars.section(Cars.raw("one")));
            try (CarReader reader = CarReader.of(
                    new SequenceInputStream(new ByteArrayInputStream(start), new Broken(error)), "test.car")) {
                assertThatThrownBy(() -> importing.of(reader, new MemoryBlockStore(), () -> {}))
                        .isSameAs(error);
            }
        }
    }
}
