package dev.pail.repository.update;

import dev.pail.BlockStore;
import dev.pail.KeyChange;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.PailStatistics;
import dev.pail.StoreIOException;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.repository.collect.Promised;
import dev.pail.repository.model.Hint;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.model.Tracking;
import dev.pail.repository.refs.Refs;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.Epoch;
import dev.pail.repository.spi.RefLog;
import dev.pail.repository.spi.RefStore;
import dev.pail.threads.TaskThread;
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
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks that all blocks below a new head are present, although a garbage collector may delete blocks meanwhile. Rule G14.
 *
 * <p>The collector deletes blocks only while it holds the lock, deletes none that a ref or a kept log entry reaches, and raises the epoch
 * before it deletes. A writer publishes a head while it holds the lock. So each block that the head reaches is one of these:
 *
 * <ul>
 *   <li>A block of the change itself. It is put under the lock, and a put checks whether the block is there.
 *   <li>A block that a branch, a tag or a kept log entry reaches at that time. No collector deletes it.
 *   <li>Any other block, below an event that was made from an old version, named by its CID, or imported. This class reads it after it
 *       has read the epoch. If the epoch is another one when the writer has the lock, this class reads the block again.
 * </ul>
 *
 * <p>While the epoch is the one at which the repository was opened, the version that a change starts from is complete, and is not
 * checked. A present block never proves that the blocks below it are present. That holds even for the blocks of the change: they may
 * refer to blocks of an update that failed, which were never written. Blocks that other changes hold in memory do not count.
 */
public final class ConnectivityCheck {
    /** Log entries that are read for each event that is not yet known to be reached. Reading them takes about as long as its version. */
    private static final int ENTRIES = 256;

    /** The cost of reading a head, in log entries. */
    private static final int ENTRIES_OF_HEAD = 8;

    /** The most log entries that one check reads, since it holds their events in memory. */
    private static final int MOST_ENTRIES = 100_000;

    /** How many versions wait to be checked together. */
    private static final int WAITING = 32;

    /** A thread takes longer to start than fewer versions to be checked. */
    private static final int WORTH_A_THREAD = 8;

    private final Refs refs;

    /** The number of the epoch at which the repository was opened. */
    private final long opened;

    private final Supplier<Optional<Promised>> promises;

    public ConnectivityCheck(Refs refs, long opened) {
        this(refs, opened, Optional::empty);
    }

    /** @param promises finds out what a remote promises to a part */
    ConnectivityCheck(Refs refs, long opened, Supplier<Optional<Promised>> promises) {
        this.refs = refs;
        this.opened = opened;
        this.promises = promises;
    }

    /**
     * Checks that all blocks below a head are present, except values.
     *
     * @param branch its log is searched first
     * @param transaction the transaction that will be written with it
     * @param begun the epoch when the change began
     * @throws MissingBlockException if one is missing
     */
    void check(Head head, String branch, StagedBlocks.Transaction transaction, Epoch begun) {
        check(head, null, branch, transaction, begun);
    }

    /**
     * Checks that all blocks below a head that was made from a snapshot are present, except values.
     *
     * @throws RepositoryException if a block is missing that an event of the transaction needs
     * @throws MissingBlockException if another block is missing
     */
    void check(Head head, Snapshot before, StagedBlocks.Transaction transaction, Epoch begun) {
        check(head, before, before.branch(), transaction, begun);
    }

    private void check(
            Head head, @Nullable Snapshot before, String branch, StagedBlocks.Transaction transaction, Epoch begun) {
        try (Check check = new Check(before, branch, transaction, begun)) {
            check.run(head);
        }
    }

    /** What is to be checked of an event. */
    private record Version(Cid root, List<Cid> parents) {}

    /** One check of a head. */
    private final class Check implements AutoCloseable {
        private final @Nullable Snapshot before;
        private final String branch;
        private final BlockStore blocks;
        private final StagedBlocks.Transaction transaction;
        private final Epoch begun;
        private final boolean trusted;

        /** Null until it is needed: heads and logs may be many, and most checks need none. */
        private @Nullable Reached reached;

        /** Whether the remote of a part has an event. Null until it is needed: the settings of the repository are read for it. */
        private @Nullable Predicate<Cid> promised;

        /** The versions that are still to be checked. */
        private final List<Version> waiting = new ArrayList<>();

        private final TaskThread other = new TaskThread("pail-connectivity");

        Check(@Nullable Snapshot before, String branch, StagedBlocks.Transaction transaction, Epoch begun) {
            this.before = before;
            this.branch = branch;
            this.blocks = transaction.view();
            this.transaction = transaction;
            this.begun = begun;
            this.trusted = begun.number() == opened && !begun.isUnderWay();
        }

        void run(Head head) {
            Set<Cid> seen =
                    new HashSet<>(before == null ? List.of() : before.head().events());
            List<Cid> own = new ArrayList<>();
            Deque<Cid> due = new ArrayDeque<>();
            head.events().stream().filter(seen::add).forEach(due::add);
            try {
                follow(head, seen, due, own);
            } finally {
                // A problem of an event comes behind those of the versions before it.
                checkWaiting();
            }
            Versions versions = new Versions();
            own.forEach(cid -> checkOwn(cid, versions));
        }

        private void follow(Head head, Set<Cid> seen, Deque<Cid> due, List<Cid> own) {
            for (Cid cid = due.poll(); cid != null; cid = due.poll()) {
                // Usually no ref reaches a staged event, and reading it is as fast as reading a log.
                boolean isMade = transaction.isStaged(cid);
                if (!isMade && (isReached(cid) || isPromised(cid))) {
                    continue;
                }
                Event event = event(cid);
                checkAllowed(event, head.events().contains(cid));
                if (isMade && before != null) {
                    own.add(cid);
                } else {
                    waiting.add(new Version(event.root(), event.parents()));
                    if (waiting.size() == WAITING) {
                        checkWaiting();
                    }
                }
                event.parents().stream().filter(seen::add).forEach(due::add);
            }
        }

        /** Refuses an event that readers of the repository do not understand, and a head that is not the end of a change. Rule DE7. */
        private void checkAllowed(Event event, boolean isHead) {
            if (!event.isDescribed()) {
                return;
            }
            if (!refs.store().needs().contains(Need.EVENTS)) {
                throw new RepositoryException(
                        RepositoryException.Reason.NOT_UNDERSTOOD,
                        "this repository has plain events, which version 0.2.0 reads, and the event " + event.cid()
                                + " has a description",
                        Hint.of(
                                "allow descriptions, and stop using version 0.2.0 here, with: ",
                                Hint.Action.DESCRIBE_EVENTS,
                                ""),
                        null);
            }
            if (isHead && event.isContinued()) {
                throw new RepositoryException(
                        RepositoryException.Reason.PART_OF_CHANGE,
                        "the event " + event.cid() + " is a part of a change of several events, and not the last",
                        "name the change as log lists it",
                        null);
            }
        }

        /** Checks the versions that wait: many in two threads, one for each half, so that each compares versions that follow each other. */
        private void checkWaiting() {
            List<Version> all = List.copyOf(waiting);
            waiting.clear();
            int half = all.size() < WORTH_A_THREAD ? all.size() : all.size() / 2;
            TaskThread.Task<Void> second =
                    half == all.size() ? null : other.begin(() -> check(all.subList(half, all.size())));
            check(all.subList(0, half));
            if (second != null) {
                second.get();
            }
        }

        private @Nullable Void check(List<Version> versions) {
            Versions checked = new Versions();
            versions.forEach(checked::check);
            return null;
        }

        private boolean isReached(Cid event) {
            Reached known = reached == null ? new Reached(branch, before, begun.logsKeptSince()) : reached;
            reached = known;
            return known.contains(event);
        }

        /** The remote of a part has the versions that it promises. */
        private boolean isPromised(Cid event) {
            Predicate<Cid> known = promised;
            if (known == null) {
                known = promises.get()
                        .<Predicate<Cid>>map(part -> part::hasEvent)
                        .orElse(none -> false);
                promised = known;
            }
            return known.test(event);
        }

        /** Reads an event from the block store, not from a cache: the block may have been deleted. */
        private Event event(Cid cid) {
            return Event.fromBlock(blocks.require(cid));
        }

        /** Checks a staged event, after the version that it was made from. */
        private void checkOwn(Cid cid, Versions versions) {
            try {
                Event event = event(cid);
                versions.check(new Version(event.root(), event.parents()));
            } catch (MissingBlockException e) {
                throw new RepositoryException(
                        RepositoryException.Reason.INCOMPLETE,
                        "a block is missing of the version that " + branch + " should go to, "
                                + "which was made outside of this change: " + e.cid(),
                        "make the version from the one that the change is given",
                        e);
            }
        }

        /** Checks versions one after the other. For one thread. */
        private final class Versions {
            /** The version that was opened last. Usually the next one is compared with it. */
            private @Nullable Pail last;

            /** Reads the shards of a version that its first parent does not have. The shards of the parent are checked with the parent. */
            void check(Version checked) {
                Pail version = open(checked.root);
                if (trusted && before != null && Head.of(checked.parents).equals(before.head())) {
                    read(before.pail(), version);
                } else if (checked.parents.isEmpty()) {
                    // Reads each shard once: a hostile version may have more keys than can be listed.
                    PailStatistics.of(version);
                } else {
                    read(open(event(checked.parents.get(0)).root()), version);
                }
            }

            private Pail open(Cid root) {
                Pail version = last != null && last.root().equals(root) ? last : Pail.open(blocks, root);
                last = version;
                return version;
            }
        }

        @Override
        public void close() {
            other.close();
            if (reached != null) {
                reached.close();
            }
        }
    }

    /** Reads the shards of a version that are not in the one before. */
    private static void read(Pail before, Pail version) {
        try (Stream<KeyChange> changes = before.diff(version).boundedKeys()) {
            changes.forEach(change -> {});
        }
    }

    /**
     * The events that branches, tags and log entries reach. Reads heads and logs only as far as the lookups so far justify. Ignores
     * damaged heads and logs: an event that only they reach is checked like any other.
     */
    private final class Reached implements AutoCloseable {
        private final Set<Cid> events = new HashSet<>();
        private final Deque<Supplier<Optional<Head>>> heads = new ArrayDeque<>();
        private final Deque<Supplier<RefLog>> logs = new ArrayDeque<>();
        private final Instant keptSince;
        private @Nullable RefLog open;
        private int entries;

        /**
         * @param branch its log is read first
         * @param before the state of the branch, if the caller has it: then its head and the end of its log are not read again
         */
        Reached(String branch, @Nullable Snapshot before, Instant keptSince) {
            this.keptSince = keptSince;
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
            store.trackings()
                    .forEach(name -> heads.add(() -> store.tracking(name).map(Tracking::head)));
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

        /** Reads another entry, or opens the next log, if there is one. */
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
            if (entry != null && !entry.time().isBefore(keptSince)) {
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
