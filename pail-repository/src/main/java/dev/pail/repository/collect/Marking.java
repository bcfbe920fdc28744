package dev.pail.repository.collect;

import dev.pail.BlockException;
import dev.pail.MissingBlockException;
import dev.pail.PailException;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.repository.history.Histories;
import dev.pail.repository.model.Collected;
import dev.pail.repository.model.Hint;
import dev.pail.repository.model.RepositoryException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the roots of a repository reach, which a collection keeps. For one collection and one thread at a time. */
public final class Marking {
    private final GarbageRoots roots;
    private final Steps steps;

    /** Null unless this is a part. */
    private final @Nullable Promised promised;

    private final List<BlockException> lost = new ArrayList<>();
    private final Reachable needed;
    private final Reachable logged;

    /** A block that these lead to may have been deleted. */
    private final Reachable kept;

    /**
     * Marks nothing yet.
     *
     * @param keptSince log entries from this time on lead to blocks that no collection has deleted
     * @param retained log entries from this time on are roots
     */
    public Marking(CollectionPlace place, Instant keptSince, Instant retained, Steps steps) {
        SeenBlocks seen = new SeenBlocks(place.blocks());
        Histories histories = new Histories(seen, place.format());
        this.promised = Promised.of(place.refs(), seen::get).orElse(null);
        this.roots = new GarbageRoots(place.refs(), head -> root(histories, head), keptSince, retained);
        this.steps = steps;
        Reachable all = new Reachable(seen::get, steps::step);
        this.needed = promised == null ? all : all.partial(this::checkPromised);
        this.logged = needed.partial(this::note);
        this.kept = logged.partial(steps::rethrow);
    }

    private void note(BlockException e) {
        steps.rethrow(e);
        if (!isPromised(e) && lost.size() < Collected.MOST_LOST) {
            lost.add(e);
        }
    }

    /** The root of a head. What several events of a part make can be made again. */
    private Cid root(Histories histories, Head head) {
        try {
            return histories.pail(head).root();
        } catch (BlockException e) {
            checkPromised(e);
            return histories.pail(Head.empty()).root();
        }
    }

    /** Passes by what is absent and promised. */
    private void checkPromised(BlockException e) {
        if (steps.hasThrown(e) || !isPromised(e)) {
            throw e;
        }
    }

    private boolean isPromised(BlockException e) {
        return promised != null
                && e instanceof MissingBlockException
                && promised.of(e.cid()) == Promised.Absence.PROMISED;
    }

    /**
     * Adds what the present roots reach.
     *
     * @throws RepositoryException if a block that a branch or a tag needs is missing or corrupt
     */
    public void mark() {
        try {
            roots.addTo(needed, logged, kept);
        } catch (BlockException e) {
            throw steps.hasThrown(e) ? e : refused(e);
        }
    }

    public boolean isKept(Cid cid) {
        return needed.contains(cid) || logged.contains(cid) || kept.contains(cid);
    }

    /** The first blocks that log entries need and that are missing or corrupt. */
    public List<BlockException> lost() {
        return lost;
    }

    /** The number of values with a codec whose links are unknown. */
    public long unfollowed() {
        return needed.unfollowed();
    }

    /** The refusal to take anything away. Rule G11. */
    private static RepositoryException refused(PailException cause) {
        return RepositoryException.damaged(
                "no block is taken away while one is missing or damaged that is needed: " + cause.getMessage(),
                Hint.of("see what is affected with: ", Hint.Action.VERIFY, ""),
                cause);
    }
}
