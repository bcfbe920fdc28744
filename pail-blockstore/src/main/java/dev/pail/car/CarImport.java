package dev.pail.car;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.MissingBlockException;
import dev.pail.OriginHints;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.dag.CidSet;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.segment.format.DamageException;
import dev.pail.threads.TaskThread;
import dev.pail.unsafe.UnsafeBlocks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

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

    /** A delta of a few bytes may cost the time that 8 MiB take, and the caller takes none of them. */
    static final int MAX_REFUSED_DELTAS = 100;

    static final int BATCH_BLOCKS = 1000;
    static final int BATCH_BYTES = 4 << 20;

    /** A batch ends earlier if it has these bytes and a part of those before it: a process that is killed loses no more. */
    private static final int FIRST_BYTES = 256 << 10;

    private static final int PART = 8;

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
     * Reads a CAR to its end and puts its blocks. Takes memory for the largest block, and some 90 bytes for each linked block. If the
     * CAR is truncated, all blocks before its end are put. If this throws something else, the block store may have some of the blocks.
     *
     * @throws MalformedDataException if it is no CAR, or is truncated
     * @throws StoreLockedException if another writer holds the lock of the block store
     * @throws StoreIOException if reading or putting failed
     */
    public static CarImport of(CarReader car, BlockStore blocks) {
        return of(car, blocks, () -> {});
    }

    /**
     * As {@link #of(CarReader, BlockStore)}, with progress.
     *
     * <p>Another thread may read the CAR, but only while this runs.
     *
     * @param progress is called for each section. Its exceptions end the import
     */
    public static CarImport of(CarReader car, BlockStore blocks, Runnable progress) {
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(progress, "progress");
        Run run = new Run(blocks);
        try (TaskThread other = new TaskThread("pail-car");
                CarPortions portions = new CarPortions(car, blocks)) {
            TaskThread.Task<CarPortions.Portion> next = other.begin(portions::next);
            while (next != null) {
                CarPortions.Portion portion = next.get();
                // The other thread reads the next portion while this thread puts the blocks of this one.
                next = portion.isLast() ? null : other.begin(portions::next);
                for (CarPortions.Arrival arrival : portion.arrivals()) {
                    run.take(arrival, portion);
                    progress.run();
                }
                try {
                    portion.checkEnd();
                } catch (StoreIOException | MalformedDataException e) {
                    throw run.kept(e);
                }
            }
            run.putBatch();
        }
        return new CarImport(car.header(), run.added, run.known, run.refused, run.damaged, run.leftOut, run.refusals);
    }

    /**
     * As {@link #of(CarReader, BlockStore)}, for a CAR in which sections may be deltas (CAR13). If the result of a delta does not match
     * the CID, the block is refused as corrupt. To save look-ups, this counts all received blocks as {@link #added}, and none as
     * {@link #leftOut}.
     *
     * @throws CorruptBlockException at the hundredth refused delta. The block store may have some of the blocks
     * @throws MissingBlockException if a base is neither in the CAR nor in the block store, which may have some of the blocks
     */
    public static CarImport ofDeltas(CarReader car, BlockStore blocks) {
        Objects.requireNonNull(blocks, "blocks");
        Run run = new Run(blocks);
        while (true) {
            Optional<CarSection> next;
            try {
                next = car.next();
            } catch (StoreIOException | MalformedDataException e) {
                throw run.kept(e);
            }
            if (next.isEmpty()) {
                break;
            }
            CarSection section = next.get();
            DeltaSections.Named named = DeltaSections.Named.of(section.cid());
            if (named == null) {
                run.take(section);
            } else {
                run.take(section, named);
            }
        }
        run.putBatch();
        return new CarImport(car.header(), run.added, run.known, run.refused, run.damaged, run.leftOut, run.refusals);
    }

    private static final class Run {
        private final BlockStore blocks;
        private final Map<Cid, Block> batch = new LinkedHashMap<>();
        private final Map<Cid, Cid> origins = new HashMap<>();
        private final List<Refusal> refusals = new ArrayList<>();
        private long batchBytes;
        private long putBytes;
        private long added;
        private long known;
        private long refused;
        private int refusedDeltas;
        private long damaged;

        /** The blocks that were linked before they came and that the store did not have, and those of them that came: by raw CIDs. */
        private final CidSet absent = new CidSet();

        private final CidSet arrived = new CidSet();
        private long leftOut;

        /** The blocks that were put. */
        private final CidSet accepted = new CidSet();

        Run(BlockStore blocks) {
            this.blocks = blocks;
        }

        void take(CarSection section, DeltaSections.Named named) {
            try {
                Block pending = batch.get(named.base());
                Block base = pending == null ? blocks.require(named.base()) : pending;
                // The sender's base is a good one for a store that keeps deltas, too.
                origins.put(named.block(), named.base());
                add(UnsafeBlocks.verified(named.block(), named.apply(base, section.payload())));
            } catch (DamageException e) {
                refuseDelta(section, new CorruptBlockException(named.block(), String.valueOf(e.getMessage())), named);
            } catch (CorruptBlockException | UnsupportedHashException e) {
                refuseDelta(section, e, named);
            }
        }

        private void refuseDelta(CarSection section, PailException cause, DeltaSections.Named named) {
            refuse(named.block(), section.offset(), cause);
            refusedDeltas++;
            if (refusedDeltas == MAX_REFUSED_DELTAS) {
                throw kept(cause);
            }
        }

        private void refuse(Cid cid, long offset, PailException cause) {
            refused++;
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

        /** Takes a section. The blocks that its portion does not know are those that this import has put. */
        void take(CarPortions.Arrival arrival, CarPortions.Portion portion) {
            Cid raw = arrival.cid().raw();
            // A block that is refused is counted as that, and not as left out.
            if (arrival.wasLinked() && absent.contains(raw) && arrived.add(raw)) {
                leftOut--;
            }
            Block block = arrival.block();
            if (arrival.refusal() != null) {
                refuse(arrival.cid(), arrival.offset(), arrival.refusal());
            } else if (block != null) {
                boolean isNew = accepted.add(block.cid()) && !portion.has(block.cid());
                added += isNew ? 1 : 0;
                known += isNew ? 0 : 1;
                for (Cid link : arrival.links()) {
                    if (!portion.has(link)) {
                        absent.add(link.raw());
                        leftOut++;
                    }
                }
                put(block);
            }
        }

        private void add(Block block) {
            added++;
            put(block);
        }

        private void put(Block block) {
            // Puts known blocks, too: that replaces damaged ones, and syncs those that another process has just put.
            if (batch.put(block.cid(), block) == null) {
                batchBytes += block.size();
            }
            long most = Math.min(BATCH_BYTES, Math.max(FIRST_BYTES, putBytes / PART));
            if (batch.size() >= BATCH_BLOCKS || batchBytes >= most) {
                putBatch();
            }
        }

        /** Puts what has come before a CAR broke off. Returns why it did. */
        <E extends PailException> E kept(E failure) {
            try {
                putBatch();
            } catch (PailException e) {
                failure.addSuppressed(e);
            }
            return failure;
        }

        void putBatch() {
            OriginHints.putAll(blocks, batch.values(), origins);
            putBytes += batchBytes;
            batch.clear();
            origins.clear();
            batchBytes = 0;
        }
    }
}
