package dev.pail.blockstore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.OriginHints;
import dev.pail.WatchedBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WatchedBlockStoreTest {
    private static final Block FIRST = Block.of(Cid.RAW, new byte[] {1});
    private static final Block SECOND = Block.of(Cid.RAW, new byte[] {2});

    /** Notes what is put, and the origins that come with it. */
    private static final class Noting implements OriginHints {
        final List<Block> put = new ArrayList<>();
        final Map<Cid, Cid> origins = new HashMap<>();

        @Override
        public Optional<Block> get(Cid cid) {
            return Optional.empty();
        }

        @Override
        public void putAll(Collection<Block> blocks, Map<Cid, Cid> of) {
            put.addAll(blocks);
            origins.putAll(of);
        }

        @Override
        public boolean has(Cid cid) {
            return false;
        }

        @Override
        public void close() {}
    }

    @Test
    void originsAreHandedOn() {
        Noting noting = new Noting();
        List<Block> watched = new ArrayList<>();
        WatchedBlockStore blocks = new WatchedBlockStore(noting, watched::add);
        blocks.put(FIRST);
        blocks.putAll(List.of(SECOND), Map.of(SECOND.cid(), FIRST.cid()));
        assertThat(noting.put).containsExactly(FIRST, SECOND);
        assertThat(watched).containsExactly(FIRST, SECOND);
        assertThat(noting.origins).containsExactly(Map.entry(SECOND.cid(), FIRST.cid()));
    }

    @Test
    void blocksThatAreReadTogetherAreToldOf() {
        MemoryBlockStore below = new MemoryBlockStore();
        below.put(FIRST);
        List<Block> watched = new ArrayList<>();
        WatchedBlockStore blocks = new WatchedBlockStore(below, watched::add);
        assertThat(blocks.getAll(List.of(FIRST.cid(), SECOND.cid()))).containsOnly(Map.entry(FIRST.cid(), FIRST));
        assertThat(blocks.get(SECOND.cid())).isEmpty();
        assertThat(watched).containsExactly(FIRST);
    }
}
