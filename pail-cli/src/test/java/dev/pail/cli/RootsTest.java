package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.clock.ReplicatedPail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RootsTest {
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    /** Gives another block for one of them. */
    private record Lying(MemoryBlockStore blocks, Cid asked, Cid given) implements BlockStore {
        @Override
        public Optional<Block> get(Cid cid) {
            return blocks.get(cid.equals(asked) ? given : cid);
        }

        @Override
        public void putAll(Collection<Block> all) {
            blocks.putAll(all);
        }

        @Override
        public boolean has(Cid cid) {
            return blocks.has(cid);
        }

        @Override
        public void close() {
            blocks.close();
        }
    }

    @Test
    void anotherBlockThanTheRootDoesNotTellWhatTheRootIs() {
        MemoryBlockStore blocks = new MemoryBlockStore();
        ReplicatedPail replica = ReplicatedPail.create(blocks).put("a", VALUE);
        Cid event = replica.head().events().get(0);
        Cid pail = replica.root();
        assertThat(Roots.of(blocks, List.of(event, pail))).isEqualTo(new Roots(List.of(event), List.of(pail)));
        assertThatExceptionOfType(CorruptBlockException.class)
                .isThrownBy(() -> Roots.isEvent(new Lying(blocks, event, pail), event))
                .withMessageContaining(pail.toString());
    }
}
