package dev.pail.repository;

import dev.pail.BlockStore;
import dev.pail.KeyChange;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.PailStatistics;
import dev.pail.StoreIOException;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.trace.Trace;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
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
    /** How many more entries of logs are read for each event that is not known to be reached: they take about as long as its version. */
    private static final int ENTRIES = 256;

    /** To read a head takes about as long as so many entries. */
    private static final int ENTRIES_OF_HEAD = 8;

    /** The most that are read, as they are held in memory. */
    private static final int MOST_ENTRIES = 100_000;

    private final Refs refs;

    /** How often blocks had been taken away when the repository was opened. */
    private final long opened;

    Arrivals(Refs refs, long opened) {
        this.refs = refs;
        this.opened = opened;
    }

    /**
     * Checks that all is there that a head reaches, but for values.
     *
     * @param branch whose log is the first that may tell of it
     * @param stage what will be written with it
     * @param sweeps what was taken away when the change began
     * @throws MissingBlockException if something is not
     */
    void check(Head head, String branch, StagedBlocks.Stage stage, Epoch sweeps) {
        check(head, null, branch, stage, sweeps);
    }

    /**
     * Checks that all is there that a head reaches which was made from a snapshot, but for values.
     *
     * @throws RepositoryException if something is not there that an event of the stage needs
     * @throws MissingBlockException if something else is not
     */
    void check(Head head, Snapshot before, StagedBlocks.Stage stage, Epoch sweeps) {
        check(head, before, before.branch(), stage, sweeps);
    }

    private void check(Head head, @Nullable Snapshot before, String branch, StagedBlocks.Stage stage, Epoch sweeps) {
        try (Check check = new Check(before, branch, stage, sweeps)) {
            check.run(head);
        }
    }

    /** One check of a head. */
    private final class Check implements AutoCloseable {
        private final @Nullable Snapshot before;
        private final String branch;
        private final BlockStore blocks;
        private final StagedBlocks.Stage stage;
        private final Epoch sweeps;
        private final boolean trusted;

        /** Heads and logs may be many, and are as a rule not needed. */
        private @Nullable Reached reached;

        /** The version that was opened last: as a rule what the next one is compared with. */
        private @Nullable Pail last;

        Check(@Nullable Snapshot before, String branch, StagedBlocks.Stage stage, Epoch sweeps) {
            this.before = before;
            this.branch = branch;
            this.blocks = stage.outcome();
            this.stage = stage;
            this.sweeps = sweeps;
            this.trusted = sweeps.number() == opened && !sweeps.isUnderWay();
        }

        void run(Head head) {
            Set<Cid> seen =
                    new HashSet<>(before == null ? List.of() : before.head().events());
            List<Cid> own = new ArrayList<>();
            Deque<Cid> due = new ArrayDeque<>();
            head.events().stream().filter(seen::add).forEach(due::add);
            for (Cid cid = due.poll(); cid != null; cid = due.poll()) {
                // What was just made is reached by nothing as a rule, and is read as fast as a log.
                boolean isMade = stage.isStaged(cid);
                if (!isMade && isReached(cid)) {
                    continue;
                }
                Event event = event(cid);
                if (isMade && before != null) {
                    own.add(cid);
                } else {
                    checkVersion(event);
                }
                event.parents().stream().filter(seen::add).forEach(due::add);
            }
            own.forEach(this::checkOwn);
        }

        private boolean isReached(Cid event) {
            Reached known = reached == null ? new Reached(branch, before, sweeps.logsKeptSince()) : reached;
            reached = known;
            return known.contains(event);
        }

        /** The event, from the block store: what is held in memory may be gone. */
        private Event event(Cid cid) {
            return Event.fromBlock(blocks.require(cid));
        }

        /** Checks an event of the stage, when what it was made from is known to be there. */
        private void checkOwn(Cid cid) {
            try {
                checkVersion(event(cid));
            } catch (MissingBlockException e) {
                throw new RepositoryException(
                        RepositoryException.Reason.INCOMPLETE,
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
                // Each shard once: there may be more keys than anybody can go through.
                PailStatistics.of(version);
            } else {
                read(version(event(event.parents().get(0)).root()), version);
            }
        }

        private Pail version(Cid root) {
            Pail version = last != null && last.root().equals(root) ? last : Pail.open(blocks, root);
            last = version;
            return version;
        }

        @Override
        public void close() {
            if (reached != null) {
                reached.close();
            }
        }
    }

    /** Reads what of a version is not in the one before. */
    private static void read(Pail before, Pail version) {
        try (Stream<KeyChange> changes = before.diff(version).boundedKeys()) {
            changes.forEach(change -> {});
        }
    }

    /**
     * Events that are reached anyway: by branches and tags, and by entries of logs, of all of which no more is read than was worth it so
     * far. What of this is damaged tells nothing: what could be known by it is looked at.
     */
    private final class Reached implements AutoCloseable {
        private final Set<Cid> events = new HashSet<>();
        private final Deque<Supplier<Optional<Head>>> heads = new ArrayDeque<>();
        private final Deque<Supplier<RefLog>> logs = new ArrayDeque<>();
        private final Instant heeded;
        private @Nullable RefLog open;
        private int entries;

        /**
         * @param branch whose log is read first
         * @param before where it stood a moment ago, if that is known: then its head and the end of its log are not read again
         */
        Reached(String branch, @Nullable Snapshot before, Instant heeded) {
            this.heeded = heeded;
            // A branch may have been removed since, or a tag.
            RefStore store = refs.store();
            if (before != null) {
                events.addAll(before.head().events());
                logs.add(() -> store.log(branch, before.head(), before.generation()));
            }
            Map<String, BranchState> states = new HashMap<>();
            store.branches().stream()
                    .filter(name -> before == null || !name.equals(branch))
                    .forEach(name -> heads.add(() -> {
                        BranchState state = store.branch(name);
                        states.put(name, state);
                        return Optional.of(state.head());
                    }));
            store.tags().forEach(name -> heads.add(() -> store.tag(name)));
            for (String name : store.logs()) {
                if (before != null && name.equals(branch)) {
                    continue;
                }
                Supplier<RefLog> log = () -> states.containsKey(name) ? store.log(states.get(name)) : refs.log(name);
                if (name.equals(branch)) {
                    logs.addFirst(log);
                } else {
                    logs.add(log);
                }
            }
        }

        boolean contains(Cid event) {
            for (int i = 0; i < ENTRIES && !events.contains(event); i++) {
                if (i % ENTRIES_OF_HEAD == 0 && !heads.isEmpty()) {
                    readHead(heads.remove());
                } else {
                    readEntry();
                }
            }
            return events.contains(event);
        }

        private void readHead(Supplier<Optional<Head>> next) {
            try {
                next.get().ifPresent(head -> events.addAll(head.events()));
            } catch (RepositoryException | StoreIOException e) {
                Trace.swallowed("cannot read a head, whose events are looked for one by one", e);
            }
        }

        /** Reads another entry, or turns to the next log, if there is anything left. */
        private void readEntry() {
            LogEntry entry;
            try {
                if (open == null) {
                    open = entries < MOST_ENTRIES && !logs.isEmpty()
                            ? logs.remove().get()
                            : null;
                }
                entry = open == null ? null : open.next();
            } catch (RepositoryException | StoreIOException e) {
                Trace.swallowed("cannot read a log, whose events are looked for one by one", e);
                entry = null;
            }
            if (entry == null || ++entries >= MOST_ENTRIES) {
                close();
            }
            if (entry != null && !entry.time().isBefore(heeded)) {
                events.addAll(entry.from().events());
                events.addAll(entry.to().events());
            }
        }

        @Override
        public void close() {
            if (open != null) {
                open.close();
                open = null;
            }
        }
    }
}
