package dev.pail.unixfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.BlockStore;
import dev.pail.StoreIOException;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import org.junit.jupiter.api.Test;

/** Chunks are hashed by several threads: the file does not depend on that, and failures reach the caller. */
class FileWriterTest {
    private static final int MIB = 1 << 20;

    /** An endless stream of bytes. */
    private static final class Bytes extends InputStream {
        private final long size;
        long read;

        Bytes(long size) {
            this.size = size;
        }

        @Override
        public int read() {
            return read == size ? -1 : (int) ((read++ * 31) >>> 13) & 0xff;
        }

        @Override
        public int read(byte[] out, int from, int length) {
            if (read == size) {
                return -1;
            }
            int count = (int) Math.min(length, size - read);
            for (int i = 0; i < count; i += 4096) {
                out[from + i] = (byte) ((read + i) >>> 12);
            }
            read += count;
            return count;
        }
    }

    /** Counts the bytes that it gets, and fails when it has too many. */
    private static final class Sink implements BlockStore {
        private final long most;
        private long stored;
        private final List<Cid> cids = new ArrayList<>();

        Sink(long most) {
            this.most = most;
        }

        @Override
        public Optional<Block> get(Cid cid) {
            return Optional.empty();
        }

        @Override
        public void putAll(Collection<Block> blocks) {
            for (Block block : blocks) {
                stored += block.size();
                cids.add(block.cid());
            }
            if (stored > most) {
                throw new StoreIOException("write", "the sink", "it is full", new IOException("no space"));
            }
        }

        @Override
        public boolean has(Cid cid) {
            return false;
        }

        @Override
        public void close() {}
    }

    private static Cid expected(long size) throws IOException {
        // One chunk at a time, on this thread.
        FileLayout layout = FileLayout.V1_2025;
        MemoryBlockStore blocks = new MemoryBlockStore();
        List<FileNode.Part> parts = new ArrayList<>();
        Bytes bytes = new Bytes(size);
        for (byte[] chunk = bytes.readNBytes(MIB); chunk.length > 0; chunk = bytes.readNBytes(MIB)) {
            Cid cid = FileWriter.write(blocks, layout, new ByteArrayInputStream(chunk))
                    .cid();
            parts.add(new FileNode.Part(cid, chunk.length, chunk.length));
        }
        return FileNode.block(parts).cid();
    }

    @Test
    void atMostTwoPortionsAreInMemory_FS8() throws IOException {
        for (FileLayout layout : List.of(FileLayout.V1_2025, FileLayout.KIBI_256, new FileLayout(Block.MAX_SIZE, 3))) {
            Sink sink = new Sink(Long.MAX_VALUE);
            Bytes bytes = new Bytes(60L * MIB + 5);
            long[] most = new long[1];
            InputStream watched = new FilterInputStream(bytes) {
                @Override
                public int read(byte[] out, int from, int length) throws IOException {
                    int count = super.read(out, from, length);
                    most[0] = Math.max(most[0], bytes.read - sink.stored);
                    return count;
                }
            };
            Cid root = UnixFs.write(sink, watched, layout);
            assertThat(most[0]).isLessThanOrEqualTo(16 * MIB);
            assertThat(sink.cids).last().isEqualTo(root);
            if (layout.equals(FileLayout.V1_2025)) {
                assertThat(root).isEqualTo(expected(60L * MIB + 5));
            }
        }
    }

    @Test
    void aPoolThatIsBusyDoesNotHoldItUp() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        List<ForkJoinTask<?>> others = new ArrayList<>();
        for (int i = 0; i < 4 * ForkJoinPool.getCommonPoolParallelism() + 4; i++) {
            others.add(ForkJoinPool.commonPool().submit(() -> {
                busy.await();
                return null;
            }));
        }
        try {
            assertThat(UnixFs.write(new Sink(Long.MAX_VALUE), new Bytes(20L * MIB)))
                    .isEqualTo(expected(20L * MIB));
        } finally {
            busy.countDown();
            others.forEach(ForkJoinTask::join);
        }
    }

    @Test
    void anInterruptDoesNotChangeTheFileAndIsKept() throws IOException {
        Cid expected = expected(20L * MIB);
        Thread.currentThread().interrupt();
        try {
            assertThat(UnixFs.write(new Sink(Long.MAX_VALUE), new Bytes(20L * MIB)))
                    .isEqualTo(expected);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void aFailureOfTheStoreOrTheStreamReachesTheCaller() {
        for (long most : new long[] {0, 5 * MIB, 30 * MIB}) {
            Sink full = new Sink(most);
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(() -> UnixFs.write(full, new Bytes(40L * MIB)))
                    .withMessageContaining("it is full");
            assertThat(full.stored).isLessThanOrEqualTo(most + 8 * MIB);
        }
        InputStream broken = new FilterInputStream(new Bytes(40L * MIB)) {
            private int reads;

            @Override
            public int read(byte[] out, int from, int length) throws IOException {
                if (++reads == 30) {
                    throw new IOException("broken");
                }
                return super.read(out, from, length);
            }
        };
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> UnixFs.write(new Sink(Long.MAX_VALUE), broken))
                .withMessage("broken");
    }
}
