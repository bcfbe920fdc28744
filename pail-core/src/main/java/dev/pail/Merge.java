package dev.pail;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.shard.ShardRef;
import dev.pail.walk.ShardDiff;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A three-way merge: two diffs from the same base, joined in the order of keys (spec rules MG1 to MG6). */
final class Merge {
    private final Pail base;
    private final Pail ours;
    private final Pail theirs;

    Merge(Pail base, Pail ours, Pail theirs) {
        this.base = base;
        this.ours = Objects.requireNonNull(ours, "ours");
        this.theirs = Objects.requireNonNull(theirs, "theirs");
    }

    /** Our version with their changes. */
    Pail by(MergePolicy policy) {
        Objects.requireNonNull(policy, "policy");
        if (isOursAlone()) {
            return ours;
        }
        if (ours.root().equals(base.root()) && ours.layout().equals(theirs.layout())) {
            return fastForward();
        }
        if (policy.isFailing()) {
            // All conflicts are known before anything else can be refused.
            List<Conflict> conflicts = conflicts();
            if (!conflicts.isEmpty()) {
                throw new MergeConflictException(conflicts);
            }
        }
        // Rule MG4.
        Batch batch = ours.batch();
        join(change -> apply(batch, change.key(), change.after()), conflict -> {
            Optional<Cid> value = policy.value(conflict);
            if (!value.equals(conflict.ours())) {
                apply(batch, conflict.key(), value);
            }
        });
        return batch.commit();
    }

    /** What both sides have changed, and not in the same way. Rule MG2. */
    List<Conflict> conflicts() {
        List<Conflict> conflicts = new ArrayList<>();
        if (!isOursAlone() && !ours.root().equals(base.root())) {
            join(change -> {}, conflicts::add);
        }
        return conflicts;
    }

    private boolean isOursAlone() {
        return theirs.root().equals(base.root()) || theirs.root().equals(ours.root());
    }

    /** Their version, where ours has no changes. Its blocks are put where ours are. Rule MG5. */
    private Pail fastForward() {
        if (ours.blocks() == theirs.blocks()) {
            return ours.at(theirs.tree().root());
        }
        Copy copy = new Copy(theirs.blocks(), ours.blocks());
        new ShardDiff(ours.tree(), theirs.tree()).added(copy::add);
        copy.flush();
        return ours.at(new ShardRef(theirs.root()));
    }

    /** Puts blocks of a store into another, in portions, those that are linked before those that link to them. */
    private static final class Copy {
        /** What is held before it is put, in bytes. */
        private static final long PORTION = 16 << 20;

        private final BlockStore from;
        private final BlockStore to;
        private final List<Block> held = new ArrayList<>();
        private long bytes;

        Copy(BlockStore from, BlockStore to) {
            this.from = from;
            this.to = to;
        }

        void add(Cid cid) {
            Block block = from.require(cid);
            held.add(block);
            bytes += block.size();
            if (bytes > PORTION) {
                flush();
            }
        }

        void flush() {
            to.putAll(held);
            held.clear();
            bytes = 0;
        }
    }

    /**
     * Goes through both diffs. Rule MG1.
     *
     * @param theirsAlone receives each change that only their side makes
     * @param conflicts receives each key that both sides change in different ways
     */
    private void join(Consumer<KeyChange> theirsAlone, Consumer<Conflict> conflicts) {
        Iterator<KeyChange> ourChanges = base.diff(ours).boundedKeys().iterator();
        Iterator<KeyChange> theirChanges = base.diff(theirs).boundedKeys().iterator();
        KeyChange our = next(ourChanges);
        while (theirChanges.hasNext()) {
            KeyChange their = theirChanges.next();
            while (our != null && our.key().compareTo(their.key()) < 0) {
                our = next(ourChanges);
            }
            if (our == null || !our.key().equals(their.key())) {
                theirsAlone.accept(their);
            } else if (!our.after().equals(their.after())) {
                conflicts.accept(Conflict.of(our.key(), our.before(), our.after(), their.after()));
            }
        }
    }

    private static @Nullable KeyChange next(Iterator<KeyChange> changes) {
        return changes.hasNext() ? changes.next() : null;
    }

    /** Changes our version. It refuses what its format cannot hold, and so the merge fails. Rule MG6. */
    private static void apply(Batch batch, String key, Optional<Cid> value) {
        value.ifPresentOrElse(cid -> batch.put(key, cid), () -> batch.delete(key));
    }
}
