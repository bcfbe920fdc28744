package dev.pail.cli.command.store;

import dev.pail.BlockStore;
import dev.pail.MissingBlockException;
import dev.pail.car.CarExport;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.model.Tracking;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Copies branches and tags, with all that they lead to, from one repository to another. A branch only moves forward. Changes nothing in
 * the first repository, which may be read-only. For one use, by one thread.
 */
final class RepositoryCopy {
    /** What the remote-tracking refs that say how far an interrupted copy came begin with. */
    private static final String REMOTE = "pail-copy/";

    /** An interrupted copy reads again at most about as many bytes. */
    private static final long CHECKPOINT_BYTES = 32 << 20;

    /** As many refs are compared with the next one, which may share their history. */
    private static final int MOST_KNOWN = 64;

    /** Which blocks are sent. */
    enum Amount {
        /** Those of versions that the other repository does not have. */
        NEW,
        /** Those of all versions. */
        ALL
    }

    /** What became of a branch or tag. */
    enum Outcome {
        COPIED,
        UNCHANGED,
        /** The other repository has another history of it. */
        REFUSED
    }

    /**
     * The result for one branch or tag.
     *
     * @param head its head in the first repository
     * @param blocks the number of blocks that were sent
     * @param leftOut the number of blocks that the sent versions link to and the first repository does not have
     */
    record Copied(String name, Outcome outcome, Head head, long blocks, long leftOut) {}

    private final Repository from;
    private final Repository to;
    private final Amount amount;
    private final Runnable progress;
    private final MerkleClock clock;

    /** Heads that the other repository has: of main, and of the refs that were copied last. */
    private final List<Head> known = new ArrayList<>();

    /** @param progress is run for each block that is read */
    RepositoryCopy(Repository from, Repository to, Amount amount, Runnable progress) {
        this.from = from;
        this.to = to;
        this.amount = amount;
        this.progress = progress;
        this.clock = MerkleClock.open(from.blocks());
    }

    /** The branches of the first repository. Main is the first, as most others began there. */
    List<String> branches() {
        Set<String> names = new LinkedHashSet<>();
        names.add(Repository.MAIN);
        names.addAll(from.branches().names());
        return List.copyOf(names);
    }

    /** The tags of the first repository. */
    List<String> tags() {
        return from.tags().names();
    }

    /** The branches whose histories in both repositories began apart from each other. A copy can never move one of them. */
    List<String> unrelated() {
        return branches().stream()
                .filter(to.branches()::contains)
                .filter(name -> isUnrelated(from.head(name), to.head(name)))
                .toList();
    }

    private boolean isUnrelated(Head head, Head there) {
        if (head.isEmpty() || there.isEmpty() || holds(from, head, there)) {
            return false;
        }
        Set<Cid> events = Set.copyOf(clock.since(head, Head.empty()));
        return MerkleClock.open(to.blocks()).since(there, Head.empty()).stream().noneMatch(events::contains);
    }

    /** Copies a branch. */
    Copied branch(String name) {
        Head head = from.head(name);
        Optional<Snapshot> before = to.branches().contains(name) ? Optional.of(to.snapshot(name)) : Optional.empty();
        Head there = before.map(Snapshot::head).orElse(Head.empty());
        boolean isForward = holds(from, head, there);
        if (!isForward) {
            return new Copied(name, Outcome.REFUSED, head, 0, 0);
        }
        boolean isThere = before.isPresent() && head.equals(there);
        Arriving arriving = send(name, head, there, isThere);
        if (before.isEmpty()) {
            Snapshot unused = to.branches().create(name, head);
        } else if (!isThere) {
            Snapshot unused = to.move(before.get(), head, "copy");
        }
        return arriving.done(isThere);
    }

    /** Copies a tag. */
    Copied tag(String name) {
        Optional<Head> now = from.tags().head(name);
        Optional<Head> there = to.tags().head(name);
        Head head = now.orElse(Head.empty());
        if (now.isEmpty()) {
            // It was removed a moment ago.
            return new Copied(name, Outcome.UNCHANGED, head, 0, 0);
        }
        if (there.isPresent() && !there.equals(now)) {
            return new Copied(name, Outcome.REFUSED, head, 0, 0);
        }
        Arriving arriving = send(name, head, Head.empty(), there.isPresent());
        if (there.isEmpty()) {
            to.tags().create(name, head);
        }
        return arriving.done(there.isPresent());
    }

    /** Whether a head of a repository holds all events of another. */
    private static boolean holds(Repository repository, Head head, Head other) {
        MerkleClock clock = MerkleClock.open(repository.blocks());
        return other.events().stream().allMatch(event -> repository.blocks().has(event) && clock.contains(head, event));
    }

    /**
     * Sends the blocks that a head leads to.
     *
     * @param there where the branch stands in the other repository
     * @param isThere whether the other repository has all versions of the head
     */
    private Arriving send(String name, Head head, Head there, boolean isThere) {
        Head has = isThere ? head : there;
        Arriving arriving = new Arriving(name, head, amount == Amount.ALL ? Head.empty() : known(name, head, has));
        arriving.send();
        known.add(head);
        if (known.size() > MOST_KNOWN) {
            known.remove(1);
        }
        return arriving;
    }

    /** The newest events of a head that the other repository has, as far as that is known. */
    private Head known(String name, Head head, Head there) {
        if (there.equals(head)) {
            return head;
        }
        Head found = there;
        for (Head other : known) {
            found = clock.merge(found, clock.common(head, other));
        }
        Head before = to.refs().tracking(REMOTE + name).map(Tracking::head).orElse(Head.empty());
        return holds(from, head, before) ? clock.merge(found, before) : found;
    }

    /** The blocks of one branch or tag, on their way to the other repository. */
    private final class Arriving implements BlockStore {
        private final String name;
        private final Head head;
        private final Head known;

        /** The events that are sent, each behind those that it follows, and how many of them have arrived. */
        private final List<Cid> events;

        private int arrived;

        /** Of the events that have arrived, those that no other one follows. The last one's version may not be whole. */
        private final Set<Cid> newest;

        private final Set<Cid> whole = new LinkedHashSet<>();
        private long unmarked;
        private long blocks;
        private long leftOut;

        /** An interrupted copy has sent the first blocks: as long as each one is there, the next one is looked for. */
        private boolean mayBeThere = amount == Amount.NEW;

        Arriving(String name, Head head, Head known) {
            this.name = name;
            this.head = head;
            this.known = known;
            this.events = clock.since(head, known);
            this.newest = new LinkedHashSet<>(known.events());
        }

        void send() {
            if (events.isEmpty()) {
                return;
            }
            CarExport export = CarExport.of(from.blocks(), head.events()).beginningWith(events);
            for (Cid event : known.events()) {
                export = export.since(event);
            }
            leftOut = export.copyTo(this).leftOut();
        }

        /** Forgets how far the copy came, which is all the way. */
        Copied done(boolean wasThere) {
            if (to.refs().tracking(REMOTE + name).isPresent()) {
                to.remotes().untrack(REMOTE + name);
            }
            return new Copied(name, wasThere ? Outcome.UNCHANGED : Outcome.COPIED, head, blocks, leftOut);
        }

        @Override
        public void putAll(Collection<Block> all) {
            List<Block> due = new ArrayList<>();
            for (Block block : all) {
                progress.run();
                mayBeThere = mayBeThere && has(block.cid());
                if (!mayBeThere) {
                    due.add(block);
                }
            }
            if (!due.isEmpty()) {
                to.arrivals().putAll(due);
                blocks += due.size();
            }
            all.forEach(this::note);
            if (unmarked >= CHECKPOINT_BYTES && !whole.isEmpty()) {
                mark();
                unmarked = 0;
            }
        }

        private void mark() {
            try {
                Tracking unused = to.remotes().track(REMOTE + name, new Tracking(0, true, Head.of(whole)));
            } catch (MissingBlockException e) {
                // A value was taken for the next event, so the version before it is not whole yet.
                return;
            }
        }

        /** An event that arrives shows that the ones before it are whole. */
        private void note(Block block) {
            unmarked += block.size();
            if (arrived < events.size() && events.get(arrived).equals(block.cid())) {
                whole.clear();
                whole.addAll(newest);
                clock.event(block.cid()).parents().forEach(newest::remove);
                newest.add(block.cid());
                arrived++;
            }
        }

        @Override
        public Optional<Block> get(Cid cid) {
            return to.blocks().get(cid);
        }

        @Override
        public boolean has(Cid cid) {
            return to.blocks().has(cid);
        }

        @Override
        public void close() {
            // The repository is the caller's.
        }
    }
}
