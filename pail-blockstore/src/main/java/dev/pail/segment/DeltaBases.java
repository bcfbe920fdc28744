package dev.pail.segment;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.CachedBlock;
import dev.pail.segment.format.DamageException;
import dev.pail.segment.format.Delta;
import dev.pail.segment.format.Location;
import dev.pail.segment.format.RecordHeader;
import dev.pail.segment.format.RecordRef;
import dev.pail.trace.Trace;
import dev.pail.unsafe.UnsafeBlocks;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Chooses how a block is stored: whole, or as a delta to a base (Rule SEG11). A lineage of blocks, each made from the one before, has
 * generations 0, 1, 2 and so on, where generation 0 is stored whole. Three of four blocks take the generation before as their base, which is
 * often still in the caches of the processor. Every fourth takes the generation with the lowest set bit cleared. So three quarters of all
 * deltas have one change only, and a chain has as many deltas as the generation has bits set, and half a delta more on average.
 *
 * <p>The writer's lock guards all fields.
 */
final class DeltaBases {
    /** A smaller block is stored whole: a delta would not be much smaller. In bytes. */
    private static final int SMALLEST = 100;

    /** A block without a known origin adds its size, divided by this, to the budget. */
    private static final int BUDGET_PART = 16;

    /** The budget at first, and at most, in bytes. */
    private static final int MAX_BUDGET = 16 << 20;

    /** In a run of this many generations, each but the first has the generation before it as its base. */
    private static final int RUN = 4;

    private final CurrentView current;
    private final Blocks blocks;
    private final SimilarBlocks similarBlocks = new SimilarBlocks();

    /** Remaining budget, in bytes, for delta attempts that fail: an attempt takes longer than to write the block. Below 0, none is made. */
    private int budget = MAX_BUDGET;

    private final WriteCache writeCache;

    /** @param cacheBytes the size of the cache of blocks that were written, in bytes */
    DeltaBases(CurrentView current, Blocks blocks, long cacheBytes) {
        this.current = current;
        this.blocks = blocks;
        this.writeCache = new WriteCache(cacheBytes, Math.min(WriteCache.LARGEST, cacheBytes / 8));
    }

    /** How a block is stored, and how many deltas make it. */
    static final class Choice {
        final RecordHeader.BlockContent content;
        final byte[] payload;
        final int chain;
        private final @Nullable RecordRef base;

        private Choice(RecordHeader.BlockContent content, byte[] payload, int chain, @Nullable RecordRef base) {
            this.content = content;
            this.payload = payload;
            this.chain = chain;
            this.base = base;
        }

        /** The record at the place that it was given. */
        RecordRef recordAt(Location location) {
            RecordRef record = new RecordRef(location, content);
            record.setKnownBase(base);
            return record;
        }
    }

    Choice choose(Block block, @Nullable Origin origin) throws IOException {
        byte[] bytes = UnsafeBlocks.bytes(block);
        if (bytes.length >= SMALLEST) {
            Choice differing = origin == null ? null : difference(block.cid(), bytes, origin);
            differing = differing == null ? fromSimilar(block.cid(), bytes) : differing;
            if (differing != null) {
                return differing;
            }
        }
        return whole(block);
    }

    /** A block that is stored whole. */
    static Choice whole(Block block) {
        byte[] bytes = UnsafeBlocks.bytes(block);
        return new Choice(new RecordHeader.BlockContent(block.cid(), null, 0, bytes.length), bytes, 0, null);
    }

    private @Nullable Choice fromSimilar(Cid cid, byte[] bytes) throws IOException {
        budget = Math.min(MAX_BUDGET, budget + bytes.length / BUDGET_PART);
        Choice best = null;
        for (RecordRef found : similarBlocks.find(bytes)) {
            if (budget < 0) {
                break;
            }
            Choice choice = difference(cid, bytes, () -> found);
            if (choice == null) {
                budget -= bytes.length;
            } else if (best == null || choice.payload.length < best.payload.length) {
                best = choice;
            }
        }
        return best;
    }

    /** Finds the block from which another was made; null if it is not in the store. */
    interface Origin {
        @Nullable
        RecordRef find() throws IOException;
    }

    /** The delta to the base that the origin leads to; null if it is too large, or the origin cannot be read. */
    private @Nullable Choice difference(Cid cid, byte[] bytes, Origin origin) {
        try {
            RecordRef from = origin.find();
            return from == null ? null : difference(cid, bytes, from);
        } catch (IOException e) {
            Trace.swallowed("cannot read the base of a block, which is written whole: " + cid, e);
            return null;
        }
    }

    private @Nullable Choice difference(Cid cid, byte[] bytes, RecordRef origin) throws IOException {
        if (origin.generation() == Integer.MAX_VALUE) {
            return null;
        }
        RecordRef from = origin;
        int generation = from.generation() + 1;
        int wanted = generation % RUN != 0 ? generation - 1 : generation & (generation - 1);
        while (from.generation() > wanted && from.base() != null) {
            from = base(from, from.base());
        }
        CachedBlock base = cached(from);
        if (base.chain() >= Blocks.LONGEST_CHAIN) {
            return null;
        }
        byte[] delta = Delta.of(base.bytes(), bytes, bytes.length * 3 / 4);
        if (delta == null) {
            return null;
        }
        Delta.check(base.bytes(), delta, bytes);
        return new Choice(
                new RecordHeader.BlockContent(cid, from.location(), generation, bytes.length),
                delta,
                base.chain() + 1,
                from);
    }

    private RecordRef base(RecordRef block, Location base) throws IOException {
        RecordRef known = block.knownBase();
        if (known == null) {
            if (!base.isBefore(block.location())) {
                throw new DamageException("a base that is not before the block");
            }
            known = new RecordRef(base, blocks.content(current.get(), base));
            block.setKnownBase(known);
        }
        return known;
    }

    private CachedBlock cached(RecordRef block) throws IOException {
        CachedBlock cached = writeCache.use(block);
        if (cached == null) {
            cached = blocks.read(current.get(), block.location());
            block.cache(cached);
            writeCache.add(block);
        }
        return cached;
    }

    /**
     * Notes a block that is staged.
     *
     * @param hasOrigin whether it came with its origin
     */
    void stage(RecordRef block, boolean hasOrigin) {
        if (block.size() >= SMALLEST) {
            if (hasOrigin) {
                similarBlocks.addLater(block);
            } else {
                similarBlocks.add(block);
            }
        }
    }

    /** Notes a block that is written. */
    void written(RecordRef block) {
        writeCache.add(block);
    }

    /** Forgets all blocks: their records may have moved. */
    void forget() {
        writeCache.clear();
        similarBlocks.clear();
    }
}
