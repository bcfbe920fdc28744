package dev.pail.repository.update;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.Pail;
import dev.pail.clock.Head;
import dev.pail.clock.ReplicatedPail;
import dev.pail.ipld.Cid;
import dev.pail.repository.history.Histories;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.refs.Refs;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.DerivedRoots;
import dev.pail.repository.spi.Epoch;
import dev.pail.trace.Trace;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The versions that branches stand at. Of the branches that were asked for lately the last one is kept: reading on with it finds its
 * shards decoded. Safe for use by several threads.
 */
public final class Snapshots {
    /** The largest number of branches whose last version is cached. */
    static final int MOST_CACHED = 256;

    private final StagedBlocks blocks;
    private final Refs refs;
    private final Histories histories;
    private final DerivedRoots derived;

    /** By branch, least recently used first. */
    @GuardedBy("this")
    private final Map<String, Snapshot> cache = new LinkedHashMap<>(16, 0.75f, true);

    Snapshots(StagedBlocks blocks, Refs refs, Histories histories, DerivedRoots derived) {
        this.blocks = blocks;
        this.refs = refs;
        this.histories = histories;
        this.derived = derived;
    }

    /** The author and the message of a ref update. */
    public Note note(LogEntry entry) {
        return histories.note(entry);
    }

    public Snapshot of(String branch) {
        return of(branch, refs.branch(branch));
    }

    public Snapshot of(String branch, BranchState state) {
        Snapshot last = cached(branch, state);
        if (last != null) {
            return last;
        }
        Head head = state.head();
        Snapshot snapshot = new Snapshot(
                branch, state.generation(), head, () -> replica(head).pail());
        cache(snapshot);
        return snapshot;
    }

    private synchronized @Nullable Snapshot cached(String branch, BranchState state) {
        Snapshot last = cache.get(branch);
        return last != null && isAt(last, state) ? last : null;
    }

    /** Whether the branch still has the head of a snapshot. */
    static boolean isAt(Snapshot snapshot, BranchState state) {
        return snapshot.generation() == state.generation() && snapshot.head().equals(state.head());
    }

    /** The same snapshot over a transaction: its version is read there, and changes of it are put there. */
    static Snapshot in(BlockStore transaction, Snapshot snapshot) {
        return new Snapshot(
                snapshot.branch(),
                snapshot.generation(),
                snapshot.head(),
                () -> snapshot.pail().in(transaction));
    }

    synchronized void cache(Snapshot snapshot) {
        cache.put(snapshot.branch(), snapshot);
        if (cache.size() > MOST_CACHED) {
            Iterator<String> oldest = cache.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    synchronized void forget(String branch) {
        cache.remove(branch);
    }

    /** The root that a branch stands at. Its block is not looked for, if the head is one event. */
    public Cid root(String branch) {
        BranchState state = refs.branch(branch);
        return state.head().size() == 1 && !derived.hasSingle()
                ? histories.root(state.head())
                : of(branch, state).root();
    }

    /**
     * The replica with a head. What had to be made of several events is stored, if that is possible. The version of a single event is
     * not read before it is asked for.
     */
    public ReplicatedPail replica(Head head) {
        return head.size() > 1 || (derived.hasSingle() && !head.isEmpty()) ? merged(head) : made(head);
    }

    /** The version of a head. */
    public Pail pail(Head head) {
        return replica(head).pail();
    }

    private ReplicatedPail merged(Head head) {
        Optional<Cid> root = derived.root(head, blocks::has);
        if (root.isPresent()) {
            try {
                return histories.replica(head, root.get());
            } catch (BlockException e) {
                // Made anew, it is stored again if it is missing.
                Trace.swallowed("cannot read a merged version, which is computed again: " + root.get(), e);
                return made(head);
            }
        }
        return made(head);
    }

    /** As {@link #replica}, but nothing is taken from what was derived before. */
    public ReplicatedPail made(Head head) {
        if (head.size() == 1) {
            return histories.replica(head);
        }
        Epoch begun = refs.epochIfReadable();
        try (StagedBlocks.Transaction transaction = blocks.readTransaction()) {
            ReplicatedPail replica = histories.in(transaction).replica(head);
            transaction.writeMissing();
            if (head.size() > 1 && replica.head().equals(head)) {
                transaction.written().ifPresent(blocks -> derived.note(head, replica.root(), blocks, begun));
            }
            return replica.in(blocks);
        }
    }
}
