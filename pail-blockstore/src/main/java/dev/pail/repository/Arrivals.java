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
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

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
 * <p>As long as the count is the one at which the repository was opened, all that was seen since then is still there; so a change made
 * here is trusted. That a block is there is never taken for a sign that those below it are.
 */
final class Arrivals {
    /** So many of the last moves of a branch are looked at before versions are read. */
    private static final int MOST_ENTRIES = 100_000;

    private final BlockStore blocks;
    private final Branches branches;
    private final Tags tags;

    /** How often blocks had been taken away when the repository was opened. */
    private final long opened;

    Arrivals(BlockStore blocks, Branches branches, Tags tags, long opened) {
        this.blocks = blocks;
        this.branches = branches;
        this.tags = tags;
        this.opened = opened;
    }

    /**
     * Checks that all is there that a head reaches, but for values.
     *
     * @param from the head that it follows, of the same branch
     * @param branch whose log may tell of it
     * @param made the blocks that were made for it
     * @param sweeps what was taken away when the change began
     * @throws MissingBlockException if something is not
     */
    void check(Head head, Head from, String branch, Set<Cid> made, Sweeps.State sweeps) {
        boolean trusted = sweeps.count() == opened && !sweeps.isUnderWay();
        Set<Cid> seen = new HashSet<>(from.events());
        Set<Cid> reached = null;
        Deque<Cid> due = new ArrayDeque<>();
        head.events().stream().filter(seen::add).forEach(due::add);
        for (Cid cid = due.poll(); cid != null; cid = due.poll()) {
            if (!trusted || !made.contains(cid)) {
                // Heads and logs may be many, and are as a rule not needed.
                reached = reached == null ? reached(branch, sweeps) : reached;
                if (reached.contains(cid)) {
                    continue;
                }
                checkVersion(event(cid));
            }
            event(cid).parents().stream().filter(seen::add).forEach(due::add);
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

    /** The event, from the block store: what is held in memory may be gone. */
    private Event event(Cid cid) {
        return Event.fromBlock(blocks.get(cid).orElseThrow(() -> new MissingBlockException(cid)));
    }

    /** Reads the version of an event, but for what it shares with one that it follows, which is checked by itself. */
    private void checkVersion(Event event) {
        Pail version = Pail.open(blocks, event.root());
        if (event.parents().isEmpty()) {
            try (Stream<Entry> entries = version.entries()) {
                entries.forEach(entry -> {});
            }
            return;
        }
        Cid before = event(event.parents().get(0)).root();
        try (Stream<KeyChange> changes = Pail.open(blocks, before).diff(version).keys()) {
            changes.forEach(change -> {});
        }
    }
}
