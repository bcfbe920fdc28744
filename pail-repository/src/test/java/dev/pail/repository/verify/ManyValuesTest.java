package dev.pail.repository.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.StoreDamagedException;
import dev.pail.StoreIOException;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.car.ValueCheck;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import dev.pail.threads.TaskThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("sets a system property")
class ManyValuesTest {
    @AfterEach
    void clear() {
        System.clearProperty(TaskThread.PROPERTY);
    }

    /** Blocks; some cannot be read. */
    private record Faulty(BlockStore blocks, Set<Cid> corrupt, Set<Cid> unreadable, Set<Cid> fatal)
            implements BlockStore {
        private void check(Cid cid) {
            if (fatal.contains(cid)) {
                throw new StoreDamagedException("cannot find blocks", "/r", "at " + cid, null);
            }
            if (unreadable.contains(cid)) {
                throw new StoreIOException("cannot read a block", cid.toString(), new IOException("bad sector"));
            }
        }

        @Override
        public Optional<Block> get(Cid cid) {
            check(cid);
            if (corrupt.contains(cid)) {
                throw new CorruptBlockException(cid, "other bytes");
            }
            return blocks.get(cid);
        }

        @Override
        public boolean has(Cid cid) {
            check(cid);
            return corrupt.contains(cid) || blocks.has(cid);
        }

        @Override
        public void putAll(Collection<Block> all) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException();
        }
    }

    /** A block of dag-cbor: an array with one link. */
    private static Block linking(Cid to) {
        byte[] cid = to.toBytes();
        return Block.of(
                Cid.DAG_CBOR,
                ByteBuffer.allocate(6 + cid.length)
                        .put((byte) 0x81)
                        .put((byte) 0xd8)
                        .put((byte) 0x2a)
                        .put((byte) 0x58)
                        .put((byte) (cid.length + 1))
                        .put((byte) 0)
                        .put(cid)
                        .array());
    }

    /** Some values and a store that has most of them. */
    private static final class World {
        private final List<Cid> values = new ArrayList<>();
        private final Faulty blocks =
                new Faulty(new MemoryBlockStore(), new HashSet<>(), new HashSet<>(), new HashSet<>());
        private final Set<Cid> lost = new HashSet<>();

        World(Random random, int faults) {
            List<Cid> before = new ArrayList<>();
            int count = random.nextInt(3000);
            for (int i = 0; i < count; i++) {
                byte[] bytes =
                        ByteBuffer.allocate(4).putInt(random.nextInt(2000)).array();
                Block block = before.isEmpty() || random.nextInt(4) > 0
                        ? Block.of(Cid.RAW, bytes)
                        : linking(before.get(random.nextInt(before.size())));
                before.add(block.cid());
                values.add(block.cid());
                switch (random.nextInt(faults)) {
                    case 0 -> blocks.corrupt.add(block.cid());
                    case 1 -> blocks.unreadable.add(block.cid());
                    case 2 -> lost.add(block.cid());
                    case 3, 4, 5 -> {}
                    default -> blocks.blocks.put(block);
                }
            }
        }

        private CheckedBlocks checked(BlockStore from) {
            return new CheckedBlocks(from, lost, e -> {});
        }

        /** The way of one thread, value by value. */
        private List<String> plain(ValueCheck.Extent extent) {
            List<String> told = new ArrayList<>();
            long[] steps = new long[1];
            ValueCheck check = new ValueCheck(
                    checked(CheckedBlocks.readable(blocks)),
                    extent,
                    () -> steps[0]++,
                    (key, place, cause) -> told.add(line(key, place, cause)));
            for (int i = 0; i < values.size(); i++) {
                String key = "k" + i;
                check.check(values.get(i), () -> key);
            }
            return end(told, steps[0], check);
        }

        private List<String> together(ValueCheck.Extent extent, int threads) {
            System.setProperty(TaskThread.PROPERTY, Integer.toString(threads));
            List<String> told = new ArrayList<>();
            long[] steps = new long[1];
            Thread own = Thread.currentThread();
            try (ManyValues many = new ManyValues(
                    CheckedBlocks.readable(blocks),
                    this::checked,
                    extent,
                    () -> steps[0] += Thread.currentThread() == own ? 1 : 1_000_000,
                    (key, place, cause) -> told.add(line(key, place, cause)))) {
                for (int i = 0; i < values.size(); i++) {
                    String key = "k" + i;
                    many.add(values.get(i), () -> key);
                }
                ValueCheck check = many.end();
                return end(told, steps[0], check);
            }
        }

        private static String line(String key, ValueCheck.Place place, BlockException cause) {
            return key + " " + place + " " + cause.cid() + " " + cause + " " + cause.getCause();
        }

        private static List<String> end(List<String> told, long steps, ValueCheck check) {
            told.add(check.values() + " " + check.absentValues() + " " + check.below() + " " + check.absentBelow() + " "
                    + check.bytes() + " " + steps);
            return told;
        }
    }

    /** Reads and finds the same as the check of one value after the other, in the same order. */
    @Test
    void findsWhatOneThreadFindsValueByValue() {
        long seed = Randomness.seed("ManyValuesTest");
        for (int i = 0; i < Randomness.times(60, 3000); i++) {
            Random random = Randomness.random(seed + i);
            World world = new World(random, 7 + random.nextInt(200));
            for (ValueCheck.Extent extent : ValueCheck.Extent.values()) {
                List<String> plain = world.plain(extent);
                assertThat(world.together(extent, 1)).isEqualTo(plain);
                assertThat(world.together(extent, 2)).isEqualTo(plain);
            }
        }
    }

    @Test
    void throwsWhatEndsTheCheckAndEndsItsThread() {
        World world = new World(Randomness.random("ManyValuesTest.throws"), 50);
        Cid first = Block.of(Cid.RAW, new byte[] {1}).cid();
        Cid second = Block.of(Cid.RAW, new byte[] {2}).cid();
        world.values.add(world.values.size() / 2, first);
        world.values.add(second);
        world.blocks.fatal.addAll(List.of(first, second));
        for (int threads = 1; threads <= 2; threads++) {
            int with = threads;
            assertThatThrownBy(() -> world.together(ValueCheck.Extent.LINKED, with))
                    .isInstanceOf(StoreDamagedException.class)
                    .hasMessageContaining(first.toString());
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("pail-values"));
    }
}
