package dev.pail.car;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.PailException;
import dev.pail.dag.CidSet;
import dev.pail.dag.Link;
import dev.pail.dag.Links;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a CAR in portions: verifies the blocks, finds their links, and looks for all of these in a block store. For one thread at a time,
 * except {@link #close}.
 */
final class CarPortions implements AutoCloseable {
    /** A portion ends behind the section that reaches one of these. */
    private static final int SECTIONS = 1000;

    private static final int BYTES = 1 << 20;
    private static final int LINKS = 1 << 14;

    /** How many blocks are looked for together. */
    private static final int LOOKUPS = 1024;

    private final CarReader car;
    private final BlockStore blocks;

    /** The raw CIDs of all blocks that were read, and of all links. */
    private final CidSet linked = new CidSet();

    private volatile boolean isStopped;

    CarPortions(CarReader car, BlockStore blocks) {
        this.car = car;
        this.blocks = blocks;
    }

    /**
     * A section that was read.
     *
     * @param block null if it was refused
     * @param wasLinked whether a block before it links to it
     * @param links what the block links to and what no block before it links to or is
     * @param refusal why the block cannot be put; null if it can
     */
    record Arrival(
            Cid cid,
            long offset,
            @Nullable Block block,
            boolean wasLinked,
            List<Cid> links,
            @Nullable PailException refusal) {}

    /** The sections of a portion, what the store had of their blocks and links, and what ended the portion before its end. */
    static final class Portion {
        private final List<Arrival> arrivals = new ArrayList<>();
        private final Set<Cid> here = new HashSet<>();
        private boolean isLast;
        private @Nullable RuntimeException failure;

        List<Arrival> arrivals() {
            return arrivals;
        }

        /** Whether the store had a block when the portion was read. */
        boolean has(Cid cid) {
            return here.contains(cid);
        }

        /** Whether nothing more can be read behind it. */
        boolean isLast() {
            return isLast || failure != null;
        }

        /** Throws what was thrown when its end was read, if anything was. */
        void checkEnd() {
            if (failure != null) {
                throw failure;
            }
        }
    }

    /** Ends the present portion at its next section. Any thread may call it. */
    @Override
    public void close() {
        isStopped = true;
    }

    /** The next portion. What a read throws is thrown by its {@link Portion#checkEnd}, so that the sections before it can be taken. */
    Portion next() {
        Portion portion = new Portion();
        Set<Cid> asked = new LinkedHashSet<>();
        try {
            long bytes = 0;
            long links = 0;
            while (portion.arrivals.size() < SECTIONS && bytes < BYTES && links < LINKS && !isStopped) {
                Optional<CarSection> section = car.next();
                if (section.isEmpty()) {
                    portion.isLast = true;
                    break;
                }
                Arrival arrival = arrival(section.get());
                portion.arrivals.add(arrival);
                bytes += section.get().size();
                links += arrival.links.size();
                if (arrival.block != null) {
                    asked.add(arrival.cid);
                    asked.addAll(arrival.links);
                }
                if (asked.size() >= LOOKUPS) {
                    lookFor(asked, portion);
                }
            }
        } catch (RuntimeException e) {
            portion.failure = e;
        }
        lookFor(asked, portion);
        return portion;
    }

    private Arrival arrival(CarSection section) {
        Cid cid = section.cid();
        // The bytes of an identity CID are in it: nothing is lost that is not put.
        boolean isIdentity = cid.hashFunction() == Cid.IDENTITY;
        boolean wasLinked = !isIdentity && !linked.add(cid.raw());
        List<Cid> links = new ArrayList<>();
        if (isIdentity) {
            return new Arrival(cid, section.offset(), null, false, links, null);
        }
        try {
            Block block = section.block();
            for (Link link : Links.of(block, Link.Role.VALUE)) {
                if (linked.add(link.cid().raw())) {
                    links.add(link.cid());
                }
            }
            return new Arrival(cid, section.offset(), block, wasLinked, links, null);
        } catch (CorruptBlockException | UnsupportedHashException e) {
            return new Arrival(cid, section.offset(), null, wasLinked, links, e);
        }
    }

    private void lookFor(Set<Cid> asked, Portion portion) {
        try {
            portion.here.addAll(blocks.hasAll(asked));
        } catch (CorruptBlockException e) {
            for (Cid cid : asked) {
                if (isHere(cid)) {
                    portion.here.add(cid);
                }
            }
        }
        asked.clear();
    }

    private boolean isHere(Cid cid) {
        try {
            return blocks.has(cid);
        } catch (CorruptBlockException e) {
            // The put mends it, or says why it cannot.
            return false;
        }
    }
}
