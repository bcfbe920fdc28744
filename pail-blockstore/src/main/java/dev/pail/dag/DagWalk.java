package dev.pail.dag;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.MissingBlockException;
import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.trace.Trace;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Goes from roots through all blocks that they link to, depth first, links in the order in which they are written, to each block
 * once. Exports, collections and checks of values all walk with this.
 *
 * <p>Recurses nowhere. Holds at most {@link #MAX_HELD} links and those of one block, some 22 bytes for each block that was seen,
 * and some 100 for each block on the path. A block whose links were given up is read again when the walk comes back to it. For one
 * thread at a time.
 */
public final class DagWalk {
    /** How many links are held on the path: some 30 MB. */
    private static final int MAX_HELD = 1 << 18;

    private final Function<Cid, Optional<Block>> blocks;

    /** Looks for values together; null if the walk reads each when it comes to it. */
    private final @Nullable BlockStore store;

    private final Predicate<Link> isFollowed;
    private final Consumer<Block> sink;
    private final Consumer<Link> absent;
    private final @Nullable Consumer<BlockException> damaged;
    private final int maxHeld;
    private final Visits visits;
    private final Seen seen = new Seen();
    private final CidSet missing = new CidSet();
    private final List<Step> path = new ArrayList<>();

    /** Steps before this one have given up their links, but for those of the roots. */
    private int firstHeld;

    private long held;

    private enum Visits {
        ONCE,
        EACH_TIME
    }

    /** A block on the path and how many of its links are behind. */
    private static final class Step {
        final @Nullable Link from;

        @Nullable
        List<Link> links;

        /** The indexes of links to values that are known to be absent. */
        BitSet absent;

        int next;

        Step(@Nullable Link from, List<Link> links, BitSet absent) {
            this.from = from;
            this.links = links;
            this.absent = absent;
        }
    }

    /**
     * @param blocks gives the block of a CID, if it is there
     * @param isFollowed tells of each link whether to go there; of one block perhaps several times
     * @param sink takes each block before those that it links to
     * @param absent takes each link whose block is not there: to a value once, to anything else each time
     */
    public DagWalk(
            Function<Cid, Optional<Block>> blocks,
            Predicate<Link> isFollowed,
            Consumer<Block> sink,
            Consumer<Link> absent) {
        this(blocks, null, isFollowed, sink, absent, null, MAX_HELD, Visits.ONCE);
    }

    /**
     * As {@link #DagWalk(Function, Predicate, Consumer, Consumer)}, but looks for the values of a block together: {@code absent} takes
     * those that are not there before the walk follows the other links of that block.
     */
    public DagWalk(BlockStore blocks, Predicate<Link> isFollowed, Consumer<Block> sink, Consumer<Link> absent) {
        this(blocks::getChecked, blocks, isFollowed, sink, absent, null, MAX_HELD, Visits.ONCE);
    }

    /**
     * As {@link #DagWalk(Function, Predicate, Consumer, Consumer)}.
     *
     * @param damaged takes what is thrown for a block that cannot be read, which is passed by; null if that ends the walk
     */
    public DagWalk(
            Function<Cid, Optional<Block>> blocks,
            Predicate<Link> isFollowed,
            Consumer<Block> sink,
            Consumer<Link> absent,
            @Nullable Consumer<BlockException> damaged) {
        this(blocks, null, isFollowed, sink, absent, damaged, MAX_HELD, Visits.ONCE);
    }

    DagWalk(
            Function<Cid, Optional<Block>> blocks,
            Predicate<Link> isFollowed,
            Consumer<Block> sink,
            Consumer<Link> absent,
            int maxHeld) {
        this(blocks, null, isFollowed, sink, absent, null, maxHeld, Visits.ONCE);
    }

    private DagWalk(
            Function<Cid, Optional<Block>> blocks,
            @Nullable BlockStore store,
            Predicate<Link> isFollowed,
            Consumer<Block> sink,
            Consumer<Link> absent,
            @Nullable Consumer<BlockException> damaged,
            int maxHeld,
            Visits visits) {
        this.blocks = blocks;
        this.store = store;
        this.isFollowed = isFollowed;
        this.sink = sink;
        this.absent = absent;
        this.damaged = damaged;
        this.maxHeld = maxHeld;
        this.visits = visits;
    }

    /**
     * A walk that comes to a block again by each link to it, with all below it. The blocks that it gives are as many as there are paths: the
     * caller bounds the walk.
     *
     * @param blocks gives the block of a CID, if it is there
     * @param sink takes each block before those that it links to
     * @param absent takes each link whose block is not there
     */
    public static DagWalk alongEachPath(
            Function<Cid, Optional<Block>> blocks, Consumer<Block> sink, Consumer<Link> absent) {
        return new DagWalk(blocks, null, link -> true, sink, absent, null, MAX_HELD, Visits.EACH_TIME);
    }

    /** What {@code absent} does where all but values must be there. */
    public static void requireNeeded(Link link) {
        if (link.isNeeded()) {
            throw new MissingBlockException(link.cid());
        }
    }

    /** Goes from these roots, as far as was not gone before. */
    public void run(Collection<Cid> roots) {
        walk(roots.stream().map(root -> new Link(root, Link.Role.ROOT)).toList());
    }

    /** Goes from these links, as far as was not gone before. */
    public void walk(List<Link> links) {
        push(null, links);
        while (!path.isEmpty()) {
            Step step = path.get(path.size() - 1);
            List<Link> of = step.links == null ? readAgain(step) : step.links;
            int at = step.next++;
            // The last link of an event leads to the one before, and so on to the beginning: so a history is no path.
            if (step.next == of.size()) {
                pop();
            }
            if (step.absent.get(at)) {
                continue;
            }
            try {
                follow(of.get(at));
            } catch (BlockException e) {
                if (damaged == null) {
                    throw e;
                }
                damaged.accept(e);
            }
        }
    }

    /** Whether a link was gone to, and its block was there. */
    public boolean hasSeen(Link link) {
        return seen.contains(link);
    }

    private void push(@Nullable Link from, List<Link> links) {
        if (links.isEmpty()) {
            return;
        }
        path.add(new Step(from, links, absentValues(links)));
        held += links.size();
        for (; held > maxHeld && firstHeld < path.size() - 1; firstHeld++) {
            Step step = path.get(firstHeld);
            if (step.from != null && step.links != null) {
                held -= step.links.size();
                step.links = null;
                step.absent = new BitSet();
            }
        }
    }

    /** The indexes of links to values that are absent. A store needs less time to look for many together than for each alone. */
    private BitSet absentValues(List<Link> links) {
        BitSet found = new BitSet();
        if (store == null || links.size() < 2) {
            return found;
        }
        BitSet asked = new BitSet();
        Set<Cid> cids = new HashSet<>();
        for (int i = 0; i < links.size(); i++) {
            Link link = links.get(i);
            if (link.isNeeded() || link.cid().hashFunction() == Cid.IDENTITY) {
                continue;
            }
            if (missing.contains(link.cid())) {
                found.set(i);
            } else if (isFollowed.test(link) && !seen.contains(link)) {
                asked.set(i);
                cids.add(link.cid());
            }
        }
        if (cids.isEmpty()) {
            return found;
        }
        try {
            cids.removeAll(store.hasAll(List.copyOf(cids)));
        } catch (CorruptBlockException | StoreIOException e) {
            // The walk asks for each when it comes to it, and throws that.
            Trace.swallowed("cannot look for values together", e);
            return found;
        }
        for (int i = asked.nextSetBit(0); i >= 0; i = asked.nextSetBit(i + 1)) {
            Link link = links.get(i);
            if (cids.contains(link.cid())) {
                found.set(i);
                if (missing.add(link.cid())) {
                    absent.accept(link);
                }
            }
        }
        return found;
    }

    private void pop() {
        Step step = path.remove(path.size() - 1);
        held -= step.links == null ? 0 : step.links.size();
        firstHeld = Math.min(firstHeld, path.size());
    }

    private List<Link> readAgain(Step step) {
        Link from = step.from;
        if (from == null) {
            throw new IllegalStateException("the links of roots are never given up");
        }
        List<Link> links = Links.of(
                blocks.apply(from.cid()).orElseThrow(() -> new MissingBlockException(from.cid())), from.role());
        step.links = links;
        held += links.size();
        firstHeld = path.size() - 1;
        return links;
    }

    private void follow(Link link) {
        if (link.cid().hashFunction() == Cid.IDENTITY) {
            if (link.role() == Link.Role.ROOT || link.role() == Link.Role.VALUE) {
                push(null, Links.ofValue(link.cid()));
            }
            return;
        }
        boolean isBehind =
                visits == Visits.ONCE && ((!link.isNeeded() && missing.contains(link.cid())) || seen.contains(link));
        if (!isFollowed.test(link) || isBehind) {
            return;
        }
        Optional<Block> found = link.isNeeded() ? blocks.apply(link.cid()) : value(link.cid());
        if (found.isEmpty()) {
            missing.add(link.cid());
            absent.accept(link);
            return;
        }
        Block block = found.get();
        if (visits == Visits.EACH_TIME) {
            sink.accept(block);
        } else {
            if (!seen.containsAsValue(link)) {
                sink.accept(block);
            }
            seen.add(link);
        }
        push(link, Links.of(block, link.role()));
    }

    /** A block that may be missing. What cannot be verified is as good as not there. */
    private Optional<Block> value(Cid cid) {
        try {
            return blocks.apply(cid);
        } catch (UnsupportedHashException e) {
            return Optional.empty();
        }
    }
}
