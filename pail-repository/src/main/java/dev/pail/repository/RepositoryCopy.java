package dev.pail.repository;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.BlockStore;
import dev.pail.MissingBlockException;
import dev.pail.car.CarExport;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.model.Tracking;
import dev.pail.trace.Trace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A copy of all branches and tags of a repository to another one, with all versions and values that they lead to. A branch only moves
 * forward, and a tag stays where it is. Nothing changes in the first repository, which may be read-only. Its logs are not copied. Author,
 * message and time of a change are, if they are in its event.
 *
 * <p>After an interruption, run the copy again: it sends only what is not there. At each 32 MiB, it notes how far it came in a
 * remote-tracking ref, which it removes at the end of the branch.
 *
 * <pre>{@code
 * try (Repository other = FileRepository.init(folder, repository.format())) {
 *     for (RepositoryCopy.Copied ref : RepositoryCopy.of(repository, other, CopyOptions.DEFAULT).run()) {
 *         System.out.println(ref.kind() + " " + ref.name() + ": " + ref.outcome()); // BRANCH main: COPIED
 *     }
 * }
 * }</pre>
 *
 * <p>For one thread. Both repositories stay open, and other threads and processes may use them meanwhile.
 */
@CheckReturnValue
public final class RepositoryCopy {
    /** What the remote-tracking refs that say how far an interrupted copy came begin with. */
    private static final String REMOTE = "pail-copy/";

    /** An interrupted copy reads again at most about as many bytes. */
    private static final long CHECKPOINT_BYTES = 32 << 20;

    /** As many refs are compared with the next one, which may share their history. */
    private static final int MOST_KNOWN = 64;

    /** What a name is that of. */
    public enum Kind {
        BRANCH,
        TAG
    }

    /** What became of a branch or tag. */
    public enum Outcome {
        /** The other repository has its head now. */
        COPIED,
        /** The other repository had its head before. */
        UNCHANGED,
        /** The branch of the other repository has events that the first one lacks, or its tag has another head. It stays as it is. */
        REFUSED,
        /** The histories of the branch began apart from each other. Nothing at all was copied. */
        UNRELATED
    }

    /**
     * The result for one branch or tag.
     *
     * @param kind whether it is a branch or a tag
     * @param name its name
     * @param outcome what became of it
     * @param head its head in the first repository
     * @param blocks the number of blocks that were sent
     * @param leftOut the number of blocks that the sent versions link to and the first repository does not have
     */
    public record Copied(Kind kind, String name, Outcome outcome, Head head, long blocks, long leftOut) {
        public Copied {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(outcome, "outcome");
            Objects.requireNonNull(head, "head");
        }
    }

    private final Repository from;
    private final Repository to;
    private final CopyOptions options;
    private final MerkleClock clock;

    /** Heads that the other repository has: of main, and of the refs that were copied last. */
    private final List<Head> known = new ArrayList<>();

    private RepositoryCopy(Repository from, Repository to, CopyOptions options) {
        this.from = from;
        this.to = to;
        this.options = options;
        this.clock = MerkleClock.open(from.blocks());
    }

    /**
     * A copy from one repository to another. Nothing is read yet.
     *
     * @throws RepositoryException if the first one is a part that does not read through its remote: see {@link Repository#whole}
     */
    public static RepositoryCopy of(Repository from, Repository to, CopyOptions options) {
        return new RepositoryCopy(
                from.whole(from.refs().location()),
                Objects.requireNonNull(to, "to"),
                Objects.requireNonNull(options, "options"));
    }

    /**
     * Copies the records of erased blocks, then all branches, then all tags, then the signed heads beside these. If the histories of a branch began apart from each other, copies
     * nothing, as the other repository most likely belongs to something else. If the other repository has no branch but {@code main}, and no
     * change, its current branch becomes that of the first one, unless it is behind a server.
     *
     * @return the result for each branch and tag; if histories began apart, for their branches only
     * @throws dev.pail.MissingBlockException if an event or a shard is missing in the first repository. What was copied stays
     * @throws dev.pail.StoreIOException if a store cannot be read or written. What was copied stays
     * @throws RepositoryException if the other repository does not take described events, and there are any. What was copied stays
     * @throws dev.pail.repository.model.HeadMovedException if another writer moved a branch meanwhile. What was copied stays
     */
    public List<Copied> run() {
        // Also if nothing is to be written: another program may have put the repository into a store that writers
        // cannot share.
        to.refs().probe();
        List<String> branches = branches();
        List<Copied> unrelated =
                branches.stream().filter(this::isUnrelated).map(this::unrelated).toList();
        if (!unrelated.isEmpty()) {
            unrelated.forEach(options.listener()::copied);
            return unrelated;
        }
        switchTo(from.branches().current());
        copyErasures();
        List<Copied> all = new ArrayList<>();
        branches.forEach(name -> add(branch(name), all));
        from.tags().names().forEach(name -> add(tag(name), all));
        List<HeadNotes.Taken> unused = to.headNotes().takeAll(from.headNotes(), name -> true);
        return all;
    }

    private void add(Copied copied, List<Copied> all) {
        all.add(copied);
        options.listener().copied(copied);
    }

    /** Before any block is copied, so that an interrupted copy is continued with the same branch. */
    private void switchTo(String current) {
        boolean isNew = to.branches().names().equals(List.of(Repository.MAIN))
                && to.head(Repository.MAIN).isEmpty();
        if (isNew && !current.equals(Repository.MAIN) && from.branches().contains(current)) {
            ifOwn(() -> {
                Snapshot unused = to.branches().create(current, Head.empty());
                to.branches().switchTo(current);
            });
        }
    }

    /** Changes what only programs beside the other repository may change. If it is behind a server, that stays as it is. */
    private static void ifOwn(Runnable change) {
        try {
            change.run();
        } catch (RepositoryException e) {
            if (e.reason() != RepositoryException.Reason.NOT_EXCLUSIVE) {
                throw e;
            }
            Trace.swallowed("the copy leaves what stays with the server", e);
        }
    }

    private void copyErasures() {
        try {
            List<Erasure> unused =
                    to.maintenance().erasing().take(from.maintenance().erasing().records());
        } catch (RepositoryException e) {
            options.listener().erasuresRefused(e);
        }
    }

    /** The branches of the first repository. Main is the first, as most others began there. */
    private List<String> branches() {
        Set<String> names = new LinkedHashSet<>();
        names.add(Repository.MAIN);
        names.addAll(from.branches().names());
        return List.copyOf(names);
    }

    private Copied unrelated(String name) {
        return new Copied(Kind.BRANCH, name, Outcome.UNRELATED, from.head(name), 0, 0);
    }

    /** A copy can never move a branch whose histories began apart. */
    private boolean isUnrelated(String name) {
        if (!to.branches().contains(name)) {
            return false;
        }
        Head head = from.head(name);
        Head there = to.head(name);
        if (head.isEmpty() || there.isEmpty() || holds(from, head, there)) {
            return false;
        }
        Set<Cid> events = Set.copyOf(clock.since(head, Head.empty()));
        return MerkleClock.open(to.blocks()).since(there, Head.empty()).stream().noneMatch(events::contains);
    }

    private Copied branch(String name) {
        Head head = from.head(name);
        Optional<Snapshot> before = to.branches().contains(name) ? Optional.of(to.snapshot(name)) : Optional.empty();
        Head there = before.map(Snapshot::head).orElse(Head.empty());
        boolean isForward = holds(from, head, there);
        if (!isForward) {
            return new Copied(Kind.BRANCH, name, Outcome.REFUSED, head, 0, 0);
        }
        boolean isThere = before.isPresent() && head.equals(there);
        Arriving arriving = send(name, head, there, isThere);
        if (before.isEmpty()) {
            Snapshot unused = to.branches().create(name, head);
        } else if (!isThere) {
            Snapshot unused = to.move(before.get(), head, "copy");
        }
        return arriving.done(Kind.BRANCH, isThere);
    }

    private Copied tag(String name) {
        Optional<Head> now = from.tags().head(name);
        Optional<Head> there = to.tags().head(name);
        Head head = now.orElse(Head.empty());
        if (now.isEmpty()) {
            // It was removed a moment ago.
            return new Copied(Kind.TAG, name, Outcome.UNCHANGED, head, 0, 0);
        }
        if (there.isPresent() && !there.equals(now)) {
            return new Copied(Kind.TAG, name, Outcome.REFUSED, head, 0, 0);
        }
        Arriving arriving = send(name, head, Head.empty(), there.isPresent());
        if (there.isEmpty()) {
            to.tags().create(name, head);
        }
        return arriving.done(Kind.TAG, there.isPresent());
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
        Arriving arriving = new Arriving(name, head, options.all() ? Head.empty() : known(name, head, has));
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
        private boolean mayBeThere = !options.all();

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
        Copied done(Kind kind, boolean wasThere) {
            if (to.refs().tracking(REMOTE + name).isPresent()) {
                to.remotes().untrack(REMOTE + name);
            }
            return new Copied(kind, name, wasThere ? Outcome.UNCHANGED : Outcome.COPIED, head, blocks, leftOut);
        }

        @Override
        public void putAll(Collection<Block> all) {
            List<Block> due = new ArrayList<>();
            for (Block block : all) {
                options.listener().read();
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
                ifOwn(() -> {
                    Tracking unused = to.remotes().track(REMOTE + name, new Tracking(0, true, Head.of(whole)));
                });
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
