package dev.pail.repository.verify;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.MissingBlockException;
import dev.pail.OperationInterruptedException;
import dev.pail.PailException;
import dev.pail.StoreDamagedException;
import dev.pail.StoreIOException;
import dev.pail.Verification;
import dev.pail.car.CarRoots;
import dev.pail.car.ValueCheck;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import dev.pail.repository.collect.Promised;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.model.VerifyReport;
import dev.pail.repository.model.VerifyReport.Kind;
import dev.pail.repository.model.VerifyReport.Name;
import dev.pail.repository.model.VerifyReport.Problem;
import dev.pail.repository.model.VerifyReport.Subject;
import dev.pail.repository.model.VerifyReport.Version;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A check of events, shards and values: {@link RepositoryVerifier} and {@link dev.pail.repository.CarVersions} choose them. For one use by one thread. */
public class Verifier {
    /** What the checks of all versions and their values have found. */
    record Found(Verification versions, ValueCheck values) {}

    private final BlockStore blocks;
    private final String location;
    private final MerkleClock clock;

    /** What to check, and who gets the problems. */
    final VerifyOptions options;

    /** The roots of the versions to check. */
    private final Set<Cid> roots = new LinkedHashSet<>();

    private final List<Version> heads = new ArrayList<>();
    private final Set<Cid> events = new HashSet<>();

    /** Blocks that the repository says it has lost: if a version needs one, it is missing. */
    final Set<Cid> lost = new HashSet<>();

    private final @Nullable Promised promised;

    /** The blocks that are absent and promised, by the raw CIDs of their multihashes. */
    private final Set<Cid> left = new HashSet<>();

    /** The blocks that are absent and may be promised or lost. */
    private final Map<Cid, Absent> unsure = new LinkedHashMap<>();

    private long untold;

    private record Absent(Subject subject, String where, BlockException cause) {}

    /** The blocks with problems, by the raw CIDs of their multihashes. */
    private final Set<Cid> named = new HashSet<>();

    /** The files whose read error was reported: one file may have many blocks. */
    private final Set<String> unreadablePlaces = new HashSet<>();

    private final List<Problem> problems = new ArrayList<>();

    /** A damaged place may have had any of the absent blocks, so it is one problem. */
    private final AtomicReference<@Nullable CorruptBlockException> place = new AtomicReference<>();

    private final CheckedBlocks mustHave;
    private long soundEvents;
    private long damaged;

    /** Erased blocks whose bytes may still be here. */
    long unremoved;

    private long unreadable;
    private boolean isVersionLost;

    /** @param location where the blocks are, for messages */
    public Verifier(BlockStore blocks, String location, VerifyOptions options) {
        this(blocks, location, options, null);
    }

    /** @param promised what a remote promises; null unless this is a part */
    Verifier(BlockStore blocks, String location, VerifyOptions options, @Nullable Promised promised) {
        this.promised = promised;
        BlockStore readable = CheckedBlocks.readable(blocks);
        this.blocks = readable;
        this.location = location;
        this.clock = MerkleClock.open(readable);
        this.options = options.withProgress(interruptible(options.progress()));
        this.mustHave = checked(readable);
    }

    /** A progress listener that ends the check if the thread that waits for it is interrupted. */
    private Runnable interruptible(Runnable progress) {
        Thread caller = Thread.currentThread();
        String what = "a check of " + location;
        return () -> {
            OperationInterruptedException.check(caller, what);
            progress.run();
        };
    }

    private CheckedBlocks checked(BlockStore from) {
        return new CheckedBlocks(from, lost, e -> place.compareAndSet(null, e));
    }

    /** Reads a file of the repository. If it is damaged or unreadable, reports a problem, and the check continues. */
    final void readFile(Subject subject, String name, Runnable read) {
        try {
            read.run();
        } catch (RepositoryException e) {
            if (e.reason() != RepositoryException.Reason.DAMAGED) {
                throw e;
            }
            addFile(subject, name, e);
        } catch (StoreIOException e) {
            addFile(subject, name, e);
        }
    }

    /** Checks the history and the version of a head. */
    final void checkHead(Name kind, String name, Head head, Supplier<Cid> ofSeveral) {
        long before = problems();
        follow(head, name);
        try {
            addVersion(
                    kind,
                    name,
                    head.size() == 1 ? clock.event(head.events().get(0)).root() : ofSeveral.get());
        } catch (BlockException e) {
            // If an event is a problem already, that is why.
            if (problems() == before) {
                addBlock(Subject.VERSION, name, e);
            }
        }
    }

    private void addVersion(Name kind, String name, Cid root) {
        roots.add(root);
        heads.add(new Version(kind, name, root));
    }

    /** Checks each root of a CAR by itself: their common version takes events that may be missing. */
    public final void checkCar(List<Cid> named, Supplier<Cid> version) {
        List<Cid> ends = new ArrayList<>();
        for (Cid root : named) {
            try {
                switch (CarRoots.kind(blocks, root)) {
                    case EVENT -> ends.add(root);
                    case PAIL -> addVersion(Name.CAR, "", root);
                    case VALUE -> {}
                }
            } catch (BlockException e) {
                if (e.code().equals("malformed-event")) {
                    addBlock(Subject.EVENT, "", e);
                } else {
                    // The check of the versions finds it again.
                    roots.add(root);
                }
            }
        }
        Head head = Head.of(ends);
        if (roots.isEmpty() && problems() == 0) {
            checkHead(Name.CAR, "", head, version);
        } else {
            follow(head, "");
        }
    }

    /** Reads the events of a head and all that they follow. */
    final void follow(Head head, String name) {
        Deque<Cid> due = new ArrayDeque<>();
        head.events().stream().filter(events::add).forEach(due::add);
        for (Cid cid = due.poll(); cid != null; cid = due.poll()) {
            options.progress().run();
            try {
                Event event = clock.event(cid);
                soundEvents++;
                event.parents().stream().filter(events::add).forEach(due::add);
                if (options.allVersions()) {
                    roots.add(event.root());
                }
            } catch (BlockException e) {
                addBlock(Subject.EVENT, name, e);
            }
        }
    }

    /** Checks the shards and values of all versions that were found. */
    final Found checkVersions() {
        try (ManyValues values = new ManyValues(
                blocks,
                this::checked,
                options.values() ? ValueCheck.Extent.ALL : ValueCheck.Extent.LINKED,
                options.progress(),
                (key, place, cause) ->
                        addBlock(place == ValueCheck.Place.VALUE ? Subject.VALUE : Subject.BELOW, key, cause))) {
            Verification found = Verification.of(mustHave, roots, options.progress(), values::add);
            ValueCheck ofValues = values.end();
            found.problems().forEach(problem -> addBlock(Subject.SHARD, problem.key(), problem.cause()));
            return new Found(found, ofValues);
        }
    }

    /** Adds a problem if a damaged place may have had values that are absent. */
    final void addUnknownPlace() {
        CorruptBlockException unknown = place.get();
        if (unknown != null) {
            addFile(
                    Subject.STORE,
                    "",
                    new StoreDamagedException("cannot tell which values are here", location, unknown.found(), unknown));
        }
    }

    /** Adds what a read of all stored blocks has found, unless it is a problem already. */
    final void addStored(PailException cause) {
        if (cause instanceof BlockException block) {
            if (!named.contains(block.cid().raw())) {
                addBlock(Subject.STORED, "", block);
            }
        } else if (!(cause instanceof StoreIOException error)
                || isDamage(error)
                || unreadablePlaces.add(error.place())) {
            addFile(Subject.STORE, "", cause);
        }
    }

    /** The end of a check of the versions of a CAR. */
    public final VerifyReport finish() {
        Found found = checkVersions();
        addUnknownPlace();
        return report(found, List.of());
    }

    final VerifyReport report(Found found, List<VerifyReport.WayBack> waysBack) {
        Verification versions = found.versions;
        ValueCheck values = found.values;
        return new VerifyReport(
                roots.size(),
                soundEvents,
                versions.shards(),
                versions.entries(),
                values.values(),
                values.absentValues(),
                values.below(),
                values.absentBelow(),
                values.erased(),
                unremoved,
                versions.bytes() + values.bytes(),
                damaged,
                unreadable,
                left.size(),
                untold,
                problems,
                heads,
                waysBack);
    }

    /** Whether a version lost an event or a shard. */
    final boolean isVersionLost() {
        return isVersionLost;
    }

    private long problems() {
        return damaged + unreadable;
    }

    private void addBlock(Subject subject, String where, BlockException cause) {
        if (promised != null && cause instanceof MissingBlockException) {
            switch (promised.of(cause.cid())) {
                case PROMISED -> left.add(cause.cid().raw());
                case LOST -> addProblem(subject, where, cause);
                case UNKNOWN -> unsure.putIfAbsent(cause.cid(), new Absent(subject, where, cause));
            }
            return;
        }
        addProblem(subject, where, cause);
    }

    /** Asks the remote of a part for the blocks that only it knows to be promised or lost. */
    final void askRemote() {
        if (unsure.isEmpty()) {
            return;
        }
        Set<Cid> there = Set.of();
        StoreIOException failure = null;
        try {
            there = options.remote()
                    .orElseThrow(() -> new StoreIOException(
                            "cannot tell what is promised", location, "the remote was not asked", null))
                    .apply(Set.copyOf(unsure.keySet()));
        } catch (PailException e) {
            failure = e instanceof StoreIOException io
                    ? io
                    : new StoreIOException("cannot tell what is promised", location, String.valueOf(e.getMessage()), e);
        }
        for (Map.Entry<Cid, Absent> each : unsure.entrySet()) {
            Absent absent = each.getValue();
            if (failure != null) {
                untold++;
                add(new Problem(Kind.UNREADABLE, absent.subject, Optional.of(each.getKey()), absent.where, failure));
            } else if (there.contains(each.getKey())) {
                left.add(each.getKey().raw());
            } else {
                addProblem(absent.subject, absent.where, absent.cause);
            }
        }
    }

    private void addProblem(Subject subject, String where, BlockException cause) {
        named.add(cause.cid().raw());
        Optional<Cid> cid = Optional.of(cause.cid());
        isVersionLost |= subject == Subject.EVENT || subject == Subject.SHARD || subject == Subject.VERSION;
        StoreIOException error = CheckedBlocks.readError(cause).orElse(null);
        if (error != null) {
            unreadablePlaces.add(error.place());
            add(new Problem(Kind.UNREADABLE, subject, cid, where, error));
        } else {
            Kind kind = cause instanceof MissingBlockException ? Kind.MISSING : Kind.DAMAGED;
            add(new Problem(kind, subject, cid, where, cause));
        }
    }

    private void addFile(Subject subject, String name, PailException cause) {
        boolean isUnread = cause instanceof StoreIOException error && !isDamage(error);
        add(new Problem(isUnread ? Kind.UNREADABLE : Kind.DAMAGED, subject, Optional.empty(), name, cause));
    }

    private static boolean isDamage(StoreIOException error) {
        return error instanceof StoreDamagedException;
    }

    private void add(Problem problem) {
        if (problem.kind() == Kind.UNREADABLE) {
            unreadable++;
        } else {
            damaged++;
        }
        if (problems.size() < VerifyReport.MOST_PROBLEMS) {
            problems.add(problem);
        }
        options.problems().accept(problem);
    }
}
