package dev.pail.car;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.MissingBlockException;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.dag.CidSet;
import dev.pail.dag.Link;
import dev.pail.dag.Links;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.segment.format.DamageException;
import dev.pail.unsafe.UnsafeBlocks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The result of importing the blocks of a CAR into a block store.
 *
 * <p>The import refuses a block that does not match its CID or cannot be verified, and continues with the next one. It skips sections
 * with identity CIDs and counts them nowhere. An import does not ensure that all blocks below its roots are there: check
 * {@link Completeness} before anything refers to them.
 *
 * <pre>{@code
 * try (CarReader reader = CarReader.open(file)) {
 *     CarImport taken = CarImport.of(reader, blocks);
 *     taken.refusals().forEach(refusal -> System.err.println(refusal.cid() + ": " + refusal.cause().getMessage()));
 *     long complete = Completeness.require(blocks, taken.header().roots()); // or throws MissingBlockException
 * }
 * }</pre>
 *
 * @param header the header of the CAR
 * @param added the number of blocks that were not in the block store
 * @param known the number of blocks that were already there, or came several times
 * @param refused the number of refused blocks
 * @param damaged the number of refused blocks whose bytes do not match their CID
 * @param leftOut the number of blocks that blocks of the file link to, and that are neither in it nor in the block store
 * @param refusals the refused blocks, the first {@link #MAX_REFUSALS} of them
 */
public record CarImport(
        CarHeader header, long added, long known, long refused, long damaged, long leftOut, List<Refusal> refusals) {
    /** The largest number of refusals in the list. */
    public static final int MAX_REFUSALS = 1000;

    static final int BATCH_BLOCKS = 1000;
    static final int BATCH_BYTES = 4 << 20;

    /**
     * A block that was not put.
     *
     * @param offset where its section begins, in bytes from the start of the file
     * @param cause a {@link CorruptBlockException} or an {@link UnsupportedHashException}
     */
    public record Refusal(Cid cid, long offset, PailException cause) {
        public Refusal {
            Objects.requireNonNull(cid, "cid");
            Objects.requireNonNull(cause, "cause");
        }
    }

    public CarImport {
        Objects.requireNonNull(header, "header");
        refusals = List.copyOf(refusals);
    }

    /**
     * Reads a CAR to its end and puts its blocks. Takes memory for the largest block, and some 70 bytes for each linked block. If it
     * throws, the block store may have some of the blocks.
     *
     * @throws MalformedCarException if it is no CAR, or is truncated
     * @throws StoreLockedException if another writer holds the lock of the block store
     * @throws StoreIOException if reading or putting failed
     */
    public static CarImport of(CarReader car, BlockStore blocks) {
        return of(car, blocks, () -> {});
    }

    /**
     * As {@link #of(CarReader, BlockStore)}, with progress.
     *
     * @param progress is called for each section. Its exceptions end the import
     */
    public static CarImport of(CarReader car, BlockStore blocks, Runnable progress) {
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(progress, "progress");
        Run run = new Run(blocks, Counted.ALL);
        car.forEach(section -> {
            run.take(section);
            progress.run();
        });
        run.putBatch();
        return new CarImport(car.header(), run.added, run.known, run.refused, run.damaged, run.leftOut, run.refusals);
    }

    /**
     * As {@link #of(CarReader, BlockStore)}, for a CAR in which sections may be deltas (CAR13). If the result of a delta does not match
     * the CID, the block is refused as corrupt. To save look-ups, this counts all received blocks as {@link #added}, and none as
     * {@link #leftOut}.
     *
     * @throws MissingBlockException if a base is neither in the CAR nor in the block store, which may have some of the blocks
     */
    public static CarImport ofDeltas(CarReader car, BlockStore blocks) {
        Objects.requireNonNull(blocks, "blocks");
        Run run = new Run(blocks, Counted.BLOCKS);
        car.forEach(section -> {
            DeltaSections.Named named = DeltaSections.Named.of(section.cid());
            if (named == null) {
                run.take(section);
            } else {
                run.take(section, named);
            }
        });
        run.putBatch();
        return new CarImport(car.header(), run.added, run.known, run.refused, run.damaged, run.leftOut, run.refusals);
    }

    private enum Counted {
        /** What came. */
        BLOCKS,
        /** Also what was there before, and what is linked and absent, which looks for each. */
        ALL
    }

    private static final class Run {
        private final BlockStore blocks;
        private final Counted counted;
        private final Map<Cid, Block> batch = new LinkedHashMap<>();
        private final List<Refusal> refusals = new ArrayList<>();
        private long batchBytes;
        private long added;
        private long known;
        private long refused;
        private long damaged;

        /** Blocks that are linked or in the file; those that were linked before they came; and those of them that came: by raw CIDs. */
        private final CidSet linked = new CidSet();

        private final CidSet absent = new CidSet();
        private final CidSet arrived = new CidSet();
        private long leftOut;

        Run(BlockStore blocks, Counted counted) {
            this.blocks = blocks;
            this.counted = counted;
        }

        void take(CarSection section, DeltaSections.Named named) {
            try {
                Block pending = batch.get(named.base());
                Block base = pending == null ? blocks.require(named.base()) : pending;
                add(UnsafeBlocks.verified(named.block(), named.apply(base, section.payload())));
            } catch (DamageException e) {
                refuse(
                        named.block(),
                        section.offset(),
                        new CorruptBlockException(named.block(), String.valueOf(e.getMessage())));
            } catch (CorruptBlockException | UnsupportedHashException e) {
                refuse(named.block(), section.offset(), e);
            }
        }

        private void refuse(Cid cid, long offset, PailException cause) {
            refused++;
            arrive(cid);
            damaged += cause instanceof CorruptBlockException ? 1 : 0;
            if (refusals.size() < MAX_REFUSALS) {
                refusals.add(new Refusal(cid, offset, cause));
            }
        }

        void take(CarSection section) {
            // Its bytes are in its CID: nothing is lost that is not put.
            if (section.cid().hashFunction() == Cid.IDENTITY) {
                return;
            }
            Block block;
            try {
                block = section.block();
            } catch (CorruptBlockException | UnsupportedHashException e) {
                refuse(section.cid(), section.offset(), e);
                return;
            }
            add(block);
        }

        private void add(Block block) {
            if (counted == Counted.ALL && isKnown(block.cid())) {
                known++;
            } else {
                added++;
            }
            arrive(block.cid());
            // Puts known blocks, too: that replaces damaged ones, and syncs those that another process has just put.
            if (batch.put(block.cid(), block) == null) {
                batchBytes += block.size();
            }
            if (counted == Counted.ALL) {
                Links.of(block, Link.Role.VALUE).forEach(link -> addLink(link.cid()));
            }
            if (batch.size() >= BATCH_BLOCKS || batchBytes >= BATCH_BYTES) {
                putBatch();
            }
        }

        /** Notes that the file has a block. One that is refused is counted as that, and not as left out. */
        private void arrive(Cid cid) {
            Cid raw = cid.raw();
            if (!linked.add(raw) && absent.contains(raw) && arrived.add(raw)) {
                leftOut--;
            }
        }

        private void addLink(Cid cid) {
            Cid raw = cid.raw();
            if (linked.add(raw) && !isKnown(cid)) {
                absent.add(raw);
                leftOut++;
            }
        }

        private boolean isKnown(Cid cid) {
            try {
                return batch.containsKey(cid) || blocks.has(cid);
            } catch (CorruptBlockException e) {
                // The put mends it, or says why it cannot.
                return false;
            }
        }

        void putBatch() {
            blocks.putAll(batch.values());
            batch.clear();
            batchBytes = 0;
        }
    }
}
