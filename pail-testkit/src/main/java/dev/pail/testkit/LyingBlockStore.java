package dev.pail.testkit;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.Optional;

/**
 * A block store that breaks the contract: for one of its blocks, it gives another one.
 *
 * <pre>{@code
 * Block other = Block.of(Cid.RAW, new byte[] {1});
 * blocks.put(other);
 * BlockStore lying = new LyingBlockStore(blocks, pail.root(), other.cid());
 * Assertions.assertThrows(BlockException.class, () -> Pail.open(lying, pail.root()).get("title"));
 * }</pre>
 *
 * @param blocks the store that all else comes from
 * @param asked for this CID
 * @param given it gives this block
 */
public record LyingBlockStore(BlockStore blocks, Cid asked, Cid given) implements BlockStore {
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
