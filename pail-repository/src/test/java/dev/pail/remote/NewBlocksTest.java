package dev.pail.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.BlockStore;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What of an answer brings nothing. */
class NewBlocksTest {
    /** A body without end. */
    private static final class Endless extends InputStream {
        @Override
        public int read() {
            return 0;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            return length;
        }
    }

    /** A store that keeps nothing. */
    private static final class Nowhere implements BlockStore {
        @Override
        public Optional<Block> get(Cid cid) {
            return Optional.empty();
        }

        @Override
        public boolean has(Cid cid) {
            return false;
        }

        @Override
        public void putAll(Collection<Block> blocks) {
            // Nothing is kept.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    /** A delta of a few bytes makes it. */
    @Test
    void aLargeBlockThatComesAgainCounts_SY17() {
        MemoryBlockStore store = new MemoryBlockStore();
        NewBlocks blocks = new NewBlocks(store, "test");
        Block large = Block.of(Cid.RAW, new byte[Block.MAX_SIZE]);
        for (long bytes = 0; bytes <= NewBlocks.MOST_OTHER; bytes += Block.MAX_SIZE) {
            blocks.putAll(List.of(large));
        }
        assertThatExceptionOfType(RemoteException.class)
                .isThrownBy(() -> blocks.putAll(List.of(large)))
                .withMessageContaining("bring no new block");
        assertThat(blocks.has(large.cid())).isTrue();
    }

    /** The section of a small block is mostly its CID. */
    @Test
    void smallNewBlocksAreNoneThatBringNothing_SY17() throws IOException {
        NewBlocks blocks = new NewBlocks(new Nowhere(), "test");
        InputStream body = blocks.body(new Endless());
        byte[] read = new byte[1 << 20];
        long most = NewBlocks.MOST_OTHER / read.length;
        for (int i = 0; i < most; i++) {
            assertThat(body.read(read)).isEqualTo(read.length);
        }
        int section = 40;
        for (int i = 0; i < read.length / section; i++) {
            blocks.put(Block.of(Cid.RAW, ByteBuffer.allocate(4).putInt(i).array()));
        }
        for (int i = 0; i < 3; i++) {
            assertThat(body.read(read)).isEqualTo(read.length);
        }
        assertThatExceptionOfType(RemoteException.class)
                .isThrownBy(() -> {
                    while (true) {
                        assertThat(body.read(read)).isEqualTo(read.length);
                    }
                })
                .withMessageContaining("bring no new block");
    }
}
