package dev.pail.repository;

import dev.pail.BlockStore;
import dev.pail.Entry;
import dev.pail.KeyChange;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that a branch or a tag goes only to where all is there, although a garbage collector may take blocks away.
 *
 * <p>Why that is enough: blocks are taken away only while the lock is held, none that is reached by then, and each time is counted
 * before. A head is published while the lock is held. What it reaches is one of these:
 *
 * <ul>
 *   <li>blocks of the change itself: they are put while the lock is held, and a put looks whether they are there;
 *   <li>what a branch, a tag or an entry of a log that is heeded reaches at the time: no collector takes that away;
 *   <li>anything else: events that were made from versions that were held for long, or are named by their CIDs, or were imported.
 *       It is looked at here, after the count was read. If the count is another one when the lock is held, it is looked at again.
 * </ul>
 *
 * <p>As long as the count is the one at which the repository was opened, all that was seen since then is still there; so what the
 * change was made from is trusted. That a block is there is never taken for a sign that those below it are, not even of those that the change
 * has made: what it was given may be of an update that came to nothing, and so was never written. What other changes hold in memory
 * does not count.
 */
final class Arrivals {
    /** So many of the last moves of a branch are looked at before versions are read. */
    private static final int MOST_ENTRIES = 100_000;

    private final Branches branches;
    private final Tags tags;

    /** How often blocks had been taken away when the repository was opened. */
    private final long opened;

    Arrivals(Branches branches, Tags tags, long opened) {
        this.branches = branches;
        this.tags = tags;
        this.opened = opened;
    }

    /**
     * Checks that all is there that a head reaches, but for values.
     *
     * @param branch whose log may tell of it
     * @param stage what will be written with it
     * @param sweeps what was taken away when the change began
     * @throws MissingBlockException if something is not
     */
    void check(Head head, String branch, StagedBlocks.Stage stage, Sweeps.State sweeps) {
        new Check(null, branch, stage, sweeps).run(head);
    }

    /**
     * Checks that all is there that a head reaches which was made from a snapshot, but for values.
     *
     * @throws RepositoryException if something is not there that an event of the stage needs
     * @throws MissingBlockException if something else is not
     */
    void check(Head head, Snapshot before, StagedBlocks.Stage stage, Sweeps.State sweeps) {
        new Check(before, before.branch(), stage, sweeps).run(head);
    }

    /** One check of a head. */
    private final class Check {
        private final @Nullable Snapshot before;
        private final String branch;
        private final BlockStore blocks;
        private final Set<Cid> made;
        private final Sweeps.State sweeps;
        private final boolean trusted;

        /** Heads and logs may be many, and are as a rule not needed. */
        private @Nullable Set<Cid> reached;

        /** The version that was opened last: as a rule what the next one is compared with. */
        private @Nullable Pail last;

        Check(@Nullable Snapshot before, String branch, StagedBlocks.Stage stage, Sweeps.State sweeps) {
            this.before = before;
            this.branch = branch;
            this.blocks = stage.outcome();
            this.made = stage.made();
            this.sweeps = sweeps;
            this.trusted = sweeps.count() == opened && !sweeps.isUnderWay();
        }

        void run(Head head) {
            Set<Cid> seen =
                    new HashSet<>(before == null ? List.of() : before.head().events());
            List<Cid> own = new ArrayList<>();
            Deque<Cid> due = new ArrayDeque<>();
            head.events().stream().filter(seen::add).forEach(due::add);
            for (Cid cid = due.poll(); cid != null; cid = due.poll()) {
                boolean isOwn = before != null && made.contains(cid);
                if (!(isOwn && trusted) && isReached(cid)) {
                    continue;
                }
                Event event = event(cid);
                if (isOwn) {
                    own.add(cid);
                } else {
                    checkVersion(event);
                }
                event.parents().stream().filter(seen::add).forEach(due::add);
            }
            own.forEach(this::checkOwn);
        }

        private boolean isReached(Cid event) {
            Set<Cid> known = reached == null ? reached(branch, sweeps) : reached;
            reached = known;
            return known.contains(event);
        }

        /** The event, from the block store: what is held in memory may be gone. */
        private Event event(Cid cid) {
            return Event.fromBlock(blocks.get(cid).orElseThrow(() -> new MissingBlockException(cid)));
        }

        /** Checks an event of the stage, when what it was made from is known to be there. */
        private void checkOwn(Cid cid) {
            try {
                checkVersion(event(cid));
            } catch (MissingBlockException e) {
                throw new RepositoryException(
                        RepositoryException.Reason.ABSENT,
                        "a block is missing of the version that " + branch + " should go to, "
                                + "which was made outside of this change: " + e.cid(),
                        "make the version from the one that the change is given",
                        e);
            }
        }

        /** Reads the version of an event, but for what it shares with one that it follows, which is checked by itself. */
        private void checkVersion(Event event) {
            Pail version = version(event.root());
            if (trusted && before != null && Head.of(event.parents()).equals(before.head())) {
                read(before.pail(), version);
            } else if (event.parents().isEmpty()) {
                try (Stream<Entry> entries = version.entries()) {
                    entries.forEach(entry -> {});
                }
            } else {
                read(version(event(event.parents().get(0)).root()), version);
            }
        }

        private Pail version(Cid root) {
            Pail version = last != null && last.root().equals(root) ? last : Pail.open(blocks, root);
            last = version;
            return version;
        }
    }

    /** Reads what of a version is not in the one before. */
    private static void read(Pail before, Pail version) {
        try (Stream<KeyChange> changes = before.diff(version).keys()) {
            changes.forEach(change -> {});
        }
    }

    /** Events that are reached anyway. */
    private Set<Cid> reached(String branch, Sweeps.State sweeps) {
        Set<Cid> reached = new HashSet<>();
        for (String name : branches.names()) {
            // It may have been removed since.
            reached.addAll(branches.readIfPresent(name).head().events());
        }
        for (String name : tags.names()) {
            tags.read(name).ifPresent(head -> reached.addAll(head.events()));
        }
        if (branches.readIfPresent(branch).logSize() >= 0) {
            try (LogEntries entries = branches.anyEntries(branch)) {
                LogEntry entry = entries.next();
                for (int i = 0; i < MOST_ENTRIES && entry != null; i++) {
                    if (!entry.time().isBefore(sweeps.heeded())) {
                        reached.addAll(entry.from().events());
                        reached.addAll(entry.to().events());
                    }
                    entry = entries.next();
                }
            }
        }
        return reached;
    }
}
