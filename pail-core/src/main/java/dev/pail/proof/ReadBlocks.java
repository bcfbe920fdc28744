package dev.pail.proof;

import dev.pail.BlockStore;
import dev.pail.LimitException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.proof.form.ProofForm;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The blocks that a query reads, up to {@link ProofLimits}. For one thread. */
final class ReadBlocks implements BlockStore {
    private final Function<Cid, Optional<Block>> source;
    private final ProofLimits limits;
    private final Map<Cid, Block> read = new HashMap<>();
    private long size = ProofForm.MAX_HEADER;

    /** @param source gives each block, checked against its CID */
    ReadBlocks(Function<Cid, Optional<Block>> source, ProofLimits limits) {
        this.source = source;
        this.limits = limits;
    }

    /** @throws LimitException if this is one too many */
    @Override
    public Optional<Block> get(Cid cid) {
        Block known = read.get(cid);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<Block> found = source.apply(cid);
        found.ifPresent(this::add);
        return found;
    }

    private void add(Block block) {
        size += ProofForm.sectionSize(block.size());
        if (read.size() == limits.blocks() || size > limits.bytes()) {
            throw LimitException.ofProof(
                    "a proof of at most " + limits.blocks() + " blocks and " + limits.bytes() + " bytes (PF12)");
        }
        read.put(block.cid(), block);
    }

    /** The CIDs of all blocks that were read. */
    Set<Cid> cids() {
        return read.keySet();
    }

    @Override
    public boolean has(Cid cid) {
        return get(cid).isPresent();
    }

    /** @throws UnsupportedOperationException as a query writes nothing */
    @Override
    public void putAll(Collection<Block> blocks) {
        throw new UnsupportedOperationException("a query writes nothing");
    }

    @Override
    public void close() {}
}
