package dev.pail.remote;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.StoreIOException;
import dev.pail.dag.Link;
import dev.pail.dag.Links;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a repository, and behind them those of a remote: a block that is not here is fetched and put here, together with others
 * that a reader will soon ask for. For one use, by one thread.
 */
final class FetchingBlocks implements BlockStore {
    /** How many shards are remembered that a reader may ask for. */
    private static final int MAX_AHEAD = 16 * Remote.MAX_BLOCKS;

    private final BlockStore blocks;
    private final ArrivingEvents arriving;
    private final BlockTransfer transfer;

    /** Why nothing more is fetched. A walk that gets this for many blocks asks for each again. */
    private @Nullable StoreIOException failed;

    /** Shards that blocks link to which were read. */
    private final Set<Cid> ahead = new LinkedHashSet<>();

    /**
     * @param blocks those that are here
     * @param arriving takes those that come; it puts them into {@code blocks}
     * @param endurance decides whether a request that broke off continues
     */
    FetchingBlocks(BlockStore blocks, Remote remote, ArrivingEvents arriving, Endurance endurance) {
        this.blocks = blocks;
        this.arriving = arriving;
        this.transfer = new BlockTransfer(remote, arriving, endurance);
    }

    @Override
    public Optional<Block> get(Cid cid) {
        ahead.remove(cid);
        Optional<Block> here = blocks.getChecked(cid);
        if (here.isEmpty()) {
            List<Cid> wanted = new ArrayList<>(List.of(cid));
            ahead.stream().limit(Remote.MAX_BLOCKS - 1).forEach(wanted::add);
            fetch(wanted);
            wanted.forEach(ahead::remove);
            here = blocks.getChecked(cid);
        }
        here.ifPresent(this::lookAhead);
        return here;
    }

    private void lookAhead(Block block) {
        if (block.cid().codec() != Cid.DAG_CBOR) {
            return;
        }
        try {
            Links.of(block, Links.shape(block)).stream()
                    .filter(link -> link.role() == Link.Role.SHARD)
                    .limit(Math.max(0, MAX_AHEAD - ahead.size()))
                    .forEach(link -> ahead.add(link.cid()));
        } catch (BlockException | MalformedDataException e) {
            // The reader says what is wrong with it, if it is no value.
            return;
        }
    }

    @Override
    public boolean has(Cid cid) {
        return hasAll(List.of(cid)).contains(cid);
    }

    /** Fetches those that are not here. */
    @Override
    public Set<Cid> hasAll(Collection<Cid> cids) {
        List<Cid> all = List.copyOf(cids);
        for (int at = 0; at < all.size(); at += Remote.MAX_BLOCKS) {
            fetch(all.subList(at, Math.min(all.size(), at + Remote.MAX_BLOCKS)));
        }
        return blocks.hasAll(cids);
    }

    private void fetch(List<Cid> cids) {
        StoreIOException before = failed;
        if (before != null) {
            throw before;
        }
        try {
            Set<Cid> here = blocks.hasAll(cids);
            transfer.fetch(cids.stream().filter(cid -> !here.contains(cid)).toList(), Optional.empty());
        } catch (StoreIOException e) {
            failed = e;
            // The transfer has counted it.
            long unused = arriving.takeGained();
            throw e;
        }
    }

    @Override
    public void putAll(Collection<Block> all) {
        blocks.putAll(all);
    }

    @Override
    public void close() {
        // The store is the repository's.
    }
}
