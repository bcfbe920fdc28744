package dev.pail.remote;

import dev.pail.BlockStore;
import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Asks a remote for blocks. If the connection breaks, asks for those that did not come on a new one (SY16). For one thread. */
final class BlockTransfer {
    private final Remote remote;
    private final BlockStore target;
    private final Endurance endurance;

    /** The bytes that came since the endurance counted them last. */
    private long gained;

    /**
     * @param target takes the blocks that come
     * @param endurance decides whether a request that broke off continues
     */
    BlockTransfer(Remote remote, BlockStore target, Endurance endurance) {
        this.remote = remote;
        this.target = target;
        this.endurance = endurance;
    }

    /**
     * Fetches those of some blocks that the remote has.
     *
     * @param cids at most {@link Remote#MAX_BLOCKS}
     * @param next what is read behind the first block. It is asked for once: a reader asks for what did not come
     */
    void fetch(List<Cid> cids, Optional<NextReads> next) {
        Taking taking = new Taking(cids);
        Optional<NextReads> ahead = next;
        while (!taking.missing.isEmpty()) {
            List<Cid> asked = List.copyOf(taking.missing);
            try {
                if (ahead.isPresent()) {
                    remote.blocks(asked, ahead.get(), taking);
                } else {
                    remote.blocks(asked, taking);
                }
                return;
            } catch (StoreIOException e) {
                if (taking.hasFailed) {
                    throw e;
                }
                ahead = Optional.empty();
                if (taking.missing.size() == asked.size()) {
                    taking.put(fetchInParts(asked.get(0), e));
                } else if (!taking.missing.isEmpty() && !endurance.continuesAfter(gained)) {
                    throw e;
                } else {
                    gained = 0;
                }
            }
        }
    }

    /** Fetches a block that no connection has carried whole: each continues where the one before ended (SY16). */
    private Block fetchInParts(Cid cid, StoreIOException cause) {
        BlockParts parts = new BlockParts(cid);
        StoreIOException last = cause;
        while (!parts.isWhole()) {
            int before = parts.size();
            boolean isKnown = true;
            try {
                isKnown = remote.part(cid, before, parts);
            } catch (StoreIOException e) {
                last = e;
            }
            int more = parts.size() - before;
            parts.carried(more);
            if (!isKnown || (!parts.isWhole() && !endurance.continuesAfter(more))) {
                throw isKnown && parts.size() == 0 ? last : parts.tooLarge(last, remote);
            }
        }
        return parts.block();
    }

    /** Takes what comes, and notes what is missing. */
    private final class Taking extends ReceivingBlocks {
        private final Set<Cid> missing = new LinkedHashSet<>();

        /** Whether blocks could not be put: the connection has no part in that. */
        private boolean hasFailed;

        Taking(List<Cid> cids) {
            super(target);
            cids.stream().filter(cid -> cid.hashFunction() != Cid.IDENTITY).forEach(missing::add);
        }

        @Override
        public void putAll(Collection<Block> all) {
            hasFailed = true;
            blocks.putAll(all);
            hasFailed = false;
            for (Block block : all) {
                gained += missing.remove(block.cid()) ? block.size() : 0;
            }
        }
    }
}
