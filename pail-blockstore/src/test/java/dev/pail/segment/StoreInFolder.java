package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A store in a folder of its own, which a test opens several times, each as another process would. */
abstract class StoreInFolder {
    /** The size of segments that none comes to. */
    static final long LARGE = 1 << 25;

    @TempDir
    Path temporary;

    Path folder;

    @BeforeEach
    void name() {
        folder = temporary.resolve("s");
    }

    static Block block(int seed, int size) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return Block.of(Cid.RAW, bytes);
    }

    Segments open() {
        return open(Disk.system(), LARGE);
    }

    Segments open(Disk disk, long segmentSize) {
        return Segments.open(disk, folder, 0, segmentSize);
    }

    static void put(Segments store, Block... blocks) {
        store.putAll(Arrays.asList(blocks), Map.of());
    }

    /** Puts two blocks at once, and does something when the second is asked for. */
    static void put(Segments store, Block first, Runnable between, Block second) {
        store.putAll(
                new AbstractList<>() {
                    @Override
                    public int size() {
                        return 2;
                    }

                    @Override
                    public Block get(int index) {
                        if (index == 0) {
                            return first;
                        }
                        between.run();
                        return second;
                    }
                },
                Map.of());
    }

    /** Files that are open, by what was done on a disk. */
    static Disk counting(AtomicInteger open, HookedDisk.Hook hook) {
        return HookedDisk.of(Disk.system(), (method, path, call) -> {
            Object made = hook.at(method, path, call);
            if (made instanceof Disk.ReadableFile || made instanceof Disk.WritableFile) {
                open.incrementAndGet();
            } else if (method.equals("close")) {
                open.decrementAndGet();
            }
            return made;
        });
    }

    /** A disk that lets a test look at what was written safely, and says then that it could not be. */
    static Disk failingWhenSeen(AtomicReference<Runnable> look) {
        return HookedDisk.of(Disk.system(), (method, path, call) -> {
            Object made = call.make();
            if (method.equals("writeDurably") && look.get() != null) {
                look.get().run();
                throw new IOException("Input/output error");
            }
            return made;
        });
    }

    void putByAnother(long segmentSize, Block... blocks) {
        try (Segments another = open(Disk.system(), segmentSize)) {
            for (Block block : blocks) {
                put(another, block);
            }
        }
    }

    /** All can be read by who opens the store now, who can also put more, and nothing was found that had to be put aside. */
    void assertThatFreshReads(Block... blocks) {
        try (Segments fresh = open()) {
            for (Block block : blocks) {
                assertThat(fresh.get(block.cid())).contains(block);
            }
            put(fresh, block(99, 70));
        }
        assertThat(folder.resolve("lost")).doesNotExist();
    }
}
