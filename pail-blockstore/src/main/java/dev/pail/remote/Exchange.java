package dev.pail.remote;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.CorruptBlockException;
import dev.pail.Escapes;
import dev.pail.MergeConflictException;
import dev.pail.MissingBlockException;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.car.CarExport;
import dev.pail.car.MalformedCarException;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import dev.pail.repository.MergeOptions;
import dev.pail.repository.MergeResult;
import dev.pail.repository.RefToken;
import dev.pail.repository.Repository;
import dev.pail.repository.RepositoryException;
import dev.pail.repository.Tracking;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Exchanges versions between a repository and a {@link Remote}. The remote-tracking refs {@code NAME/BRANCH} record which versions
 * both have. So a fetch or a push sends only new blocks, in one request unless another client has pushed meanwhile.
 *
 * <p>Immutable. Safe for use by several threads.
 *
 * <pre>{@code
 * try (Repository other = Repository.open(folder)) {
 *     Exchange exchange = Exchange.of(repository, "origin", RepositoryRemote.of(other, folder.toString()));
 *     exchange.pull("main", MergeOptions.DEFAULT);
 *     exchange.push("main", PushMode.FAST_FORWARD);
 * }
 * }</pre>
 */
public final class Exchange {
    /** Requests of a fetch that asks for less than everything (SY4). */
    private static final int MOST_ROUNDS = 2;

    /** Requests of a push: it is refused, a fetch shows why, and it is sent again. */
    private static final int MOST_PUSHES = 3;

    /** As many ancestors are named one by one, then those at twice the distance each time. */
    private static final int NEAREST = 16;

    private static final int MOST_STEPS = 1 << 20;

    private final Repository repository;
    private final String name;
    private final Remote remote;
    private final boolean hasValues;
    private final Runnable progress;

    private Exchange(Repository repository, String name, Remote remote, boolean hasValues, Runnable progress) {
        this.repository = repository;
        this.name = name;
        this.remote = remote;
        this.hasValues = hasValues;
        this.progress = progress;
    }

    /**
     * Makes an exchange between a repository and a remote.
     *
     * @param name the local name of the remote, such as {@code origin}
     * @throws RepositoryException if no remote can have this name
     */
    public static Exchange of(Repository repository, String name, Remote remote) {
        Objects.requireNonNull(repository, "repository");
        Objects.requireNonNull(remote, "remote");
        Tracking.checkName(Objects.requireNonNull(name, "name") + "/" + Repository.MAIN);
        return new Exchange(repository, name, remote, true, () -> {});
    }

    /** Returns this exchange without blocks of values. A later fetch with values fetches all of them. */
    @CheckReturnValue
    public Exchange withoutValues() {
        return new Exchange(repository, name, remote, false, progress);
    }

    /** Returns this exchange with an action for each block that it receives or sends. Its exceptions end the exchange. */
    @CheckReturnValue
    public Exchange withProgress(Runnable step) {
        return new Exchange(repository, name, remote, hasValues, Objects.requireNonNull(step, "step"));
    }

    /**
     * Fetches all branches of the remote.
     *
     * @return the result for each remote-tracking ref, in order
     */
    public List<FetchResult> fetchAll() {
        List<FetchResult> all = new ArrayList<>();
        for (RemoteBranch branch : remote.branches()) {
            Optional<Tracking> seen = seen(branch.name());
            all.add(
                    seen.isPresent() && isCurrent(seen.get(), branch)
                            ? new FetchResult(ref(branch.name()), seen, seen.get(), 0, false)
                            : fetch(branch.name()));
        }
        return all;
    }

    private boolean isCurrent(Tracking seen, RemoteBranch branch) {
        return seen.generation() == branch.generation()
                && seen.head().equals(branch.head())
                && (seen.hasValues() || !hasValues);
    }

    /**
     * Fetches a branch of the remote: stores the events, shards and values that are missing here, and updates the remote-tracking ref.
     * Changes no local branch. If the connection breaks, the ref is at the newest version that arrived whole, and the next fetch resumes
     * there.
     *
     * @throws RemoteException if there is no such branch there, or the remote refuses
     * @throws StoreIOException if the remote cannot be reached, or the connection ends too early
     * @throws MissingBlockException if the remote lacks a block of the branch. The ref has not changed
     * @throws CorruptBlockException if a received block does not match its CID. The ref has not changed
     */
    public FetchResult fetch(String branch) {
        Optional<Tracking> before = seen(Objects.requireNonNull(branch, "branch"));
        boolean knowsValues = before.isEmpty() || before.get().hasValues() || !hasValues;
        List<Cid> have = knowsValues ? have(branch, before) : List.of();
        FetchRequest request = new FetchRequest(branch, have, hasValues, Optional.empty());
        if (before.isPresent() && knowsValues) {
            request = request.unless(token(branch, before.get()));
        }
        if (Interruption.of(Interruption.Of.FETCH, ref(branch), before).isNoted(repository.blocks())) {
            request = resumed(request);
        }
        for (int round = 1; ; round++) {
            ArrivingEvents arriving = new ArrivingEvents(repository.arrivals(), progress);
            FetchReply reply = fetch(request, arriving);
            switch (reply.outcome()) {
                case UNCHANGED -> {
                    return new FetchResult(ref(branch), before, before.orElseThrow(), 0, false);
                }
                case MORE_HAVES -> request = request.withHave(round < MOST_ROUNDS ? older(have) : List.of());
                case VERSIONS -> {
                    try {
                        Tracking now = repository.track(
                                ref(branch), new Tracking(reply.generation(), hasValues, reply.head()));
                        return new FetchResult(ref(branch), before, now, reply.blocks(), isBack(before, now.head()));
                    } catch (MissingBlockException e) {
                        // What was named may have lost blocks here. Rule SY7.
                        if (request.have().isEmpty()) {
                            throw e;
                        }
                        request = new FetchRequest(branch, List.of(), hasValues, Optional.empty());
                    }
                }
            }
        }
    }

    private FetchReply fetch(FetchRequest request, ArrivingEvents arriving) {
        try {
            return remote.fetch(request, arriving);
        } catch (StoreIOException e) {
            keep(request.branch(), arriving, e);
            throw broken(e, arriving.arrived());
        } catch (MalformedCarException e) {
            keep(request.branch(), arriving, e);
            throw e;
        }
    }

    /**
     * Keeps what came of a fetch that was cut off: the ref goes to the versions that are whole, and a note says that there may be parts of
     * the next one. Rule SY8.
     */
    private void keep(String branch, ArrivingEvents arriving, PailException cause) {
        try {
            if (!arriving.whole().isEmpty()) {
                Tracking unused = repository.track(ref(branch), new Tracking(0, hasValues, arriving.whole()));
            }
            if (arriving.arrived() > 0) {
                noteBrokenFetch(branch);
            }
        } catch (PailException e) {
            // The next fetch begins where this one began.
            cause.addSuppressed(e);
        }
    }

    private void noteBrokenFetch(String branch) {
        Interruption.of(Interruption.Of.FETCH, ref(branch), seen(branch)).write(repository.blocks());
    }

    private StoreIOException sent(StoreIOException cause) {
        return new StoreIOException(
                "the transfer broke off",
                remote.address(),
                reason(cause) + "; the blocks that the remote got stay there, and the next push continues",
                cause);
    }

    private String reason(PailException cause) {
        String text = String.valueOf(cause.getMessage());
        String place = remote.address() + ": ";
        int at = text.indexOf(place);
        return at < 0 ? text : text.substring(at + place.length());
    }

    private StoreIOException broken(PailException cause, long arrived) {
        return new StoreIOException(
                "the transfer broke off",
                remote.address(),
                reason(cause) + "; the " + arrived + " blocks that arrived stay, and the next fetch or pull continues",
                cause);
    }

    /**
     * Completes the versions that have parts here, block by block, and returns a request for what follows them. Puts their blocks again, so
     * that a collection leaves them for another grace period.
     */
    private FetchRequest resumed(FetchRequest request) {
        FetchRequest next = request;
        ArrivingEvents arriving = new ArrivingEvents(repository.blocks(), progress);
        try {
            for (Cid event : remote.events(request)) {
                if (!repository.blocks().has(event)) {
                    break;
                }
                complete(event, new FetchingBlocks(repository.blocks(), remote, arriving));
                next = next.withHave(following(next.have(), event));
                Optional<Tracking> seen = seen(request.branch());
                Head whole = Head.of(
                        following(seen.map(tracking -> tracking.head().events()).orElse(List.of()), event));
                Tracking unused = repository.track(ref(request.branch()), new Tracking(0, hasValues, whole));
            }
        } catch (StoreIOException e) {
            noteBrokenFetch(request.branch());
            throw broken(e, arriving.arrived());
        } catch (MissingBlockException e) {
            // The fetch tells which block the remote lacks.
            return next;
        }
        return next;
    }

    private void complete(Cid event, FetchingBlocks blocks) {
        CarExport export = CarExport.of(blocks, List.of(event));
        for (Cid parent : MerkleClock.open(repository.blocks()).event(event).parents()) {
            export = export.since(parent);
        }
        CarExport.Written unused = (hasValues ? export : export.withoutValues()).copyTo(repository.blocks());
    }

    /** Events and one that follows some of them, which it replaces. */
    private List<Cid> following(List<Cid> events, Cid event) {
        Set<Cid> newest = new LinkedHashSet<>(events);
        MerkleClock.open(repository.blocks()).event(event).parents().forEach(newest::remove);
        newest.add(event);
        return newest.stream().limit(FetchRequest.MAX_HAVE).toList();
    }

    private static RefToken token(String branch, Tracking seen) {
        return RefToken.of(branch, seen.generation(), seen.head());
    }

    /** Whether the branch of the remote lost events since it was seen. A greater generation does not tell. Rule SY13. */
    private boolean isBack(Optional<Tracking> seen, Head now) {
        return seen.isPresent()
                && !seen.get().head().equals(now)
                && !RepositoryRemote.holds(
                        MerkleClock.open(repository.blocks()), now, seen.get().head());
    }

    private String ref(String branch) {
        return name + "/" + branch;
    }

    private Optional<Tracking> seen(String branch) {
        String ref = ref(branch);
        Tracking.checkName(ref);
        return repository.refs().tracking(ref);
    }

    /** The events that a fetch names. Those of the local branch may be newer than what the remote has. */
    private List<Cid> have(String branch, Optional<Tracking> seen) {
        Set<Cid> have = new LinkedHashSet<>();
        seen.ifPresent(tracking -> have.addAll(tracking.head().events()));
        if (repository.isBranch(branch)) {
            have.addAll(repository.head(branch).events());
        }
        return have.stream().limit(FetchRequest.MAX_HAVE).toList();
    }

    /** Ancestors of events: near ones all, and then at growing distances back to the beginning. */
    private List<Cid> older(List<Cid> events) {
        MerkleClock clock = MerkleClock.open(repository.blocks());
        Set<Cid> found = new LinkedHashSet<>();
        Set<Cid> generation = new LinkedHashSet<>(events);
        int next = 1;
        for (int distance = 1; distance < MOST_STEPS && !generation.isEmpty(); distance++) {
            Set<Cid> parents = new LinkedHashSet<>();
            generation.forEach(event -> parents.addAll(parents(clock, event)));
            generation = new LinkedHashSet<>(parents.stream().limit(NEAREST).toList());
            if (distance == next
                    || generation.stream().anyMatch(each -> parents(clock, each).isEmpty())) {
                found.addAll(generation);
                next = distance < NEAREST ? distance + 1 : 2 * distance;
            }
            if (found.size() > FetchRequest.MAX_HAVE - NEAREST) {
                break;
            }
        }
        return List.copyOf(found);
    }

    /** None, if the local history begins at the event. */
    private static List<Cid> parents(MerkleClock clock, Cid event) {
        try {
            return clock.event(event).parents();
        } catch (MissingBlockException e) {
            return List.of();
        }
    }

    /**
     * Fetches a branch of the remote and merges it into the branch of the same name, as {@link Repository#merge} does. If the local branch
     * has no new events, it moves forward; if it is absent, it is created.
     *
     * @throws MergeConflictException if the policy refuses conflicts, and there are any. The branch has not changed; the ref has
     */
    public MergeResult pull(String branch, MergeOptions options) {
        Objects.requireNonNull(options, "options");
        FetchResult fetched = fetch(branch);
        return repository.merge(branch, fetched.ref(), options);
    }

    /**
     * Pushes a branch to the branch of this name of the remote: sends the blocks that the remote does not have, and moves its branch.
     *
     * @throws RemoteException if the branch of the remote has events that are not here, and the mode does not allow that, or if the remote
     *     refuses. The remote has not changed
     * @throws MissingBlockException if a block is missing here or there. The remote has not changed
     * @throws StoreIOException if the remote cannot be reached, or the connection ends too early. The push may have succeeded: push again
     * @throws RepositoryException if there is no such branch here, or it has no events
     */
    public Pushed push(String branch, PushMode mode) {
        Objects.requireNonNull(mode, "mode");
        Head head = repository.head(Objects.requireNonNull(branch, "branch"));
        if (head.isEmpty()) {
            throw new RepositoryException(
                    RepositoryException.Reason.NO_VERSION,
                    "nothing to push: " + branch + " has no events",
                    "change it first",
                    null);
        }
        MerkleClock clock = MerkleClock.open(repository.blocks());
        Optional<Tracking> seen = seen(branch);
        Head known = seen.map(Tracking::head).orElse(Head.empty());
        // Before anything is sent: a server of version 0.2.0 does not compare formats.
        if (mode == PushMode.FORCE && new Divergence(repository.blocks(), head, known).isOfFormats()) {
            throw diverged(branch, head, known, "");
        }
        boolean isBack = false;
        for (int attempt = 1; ; attempt++) {
            Optional<RefToken> expected =
                    seen.filter(each -> !each.head().isEmpty()).map(each -> token(branch, each));
            Sending sending = new Sending(repository, remote, progress);
            Interruption interruption = Interruption.of(Interruption.Of.PUSH, ref(branch), seen);
            PushReply reply;
            try {
                if (interruption.isNoted(repository.blocks())) {
                    sending.resume(branch, head, known);
                }
                reply = sending.push(
                        new PushRequest(branch, head, expected, mode), known, there -> track(branch, there));
            } catch (StoreIOException e) {
                if (sending.blocks() == 0 && !interruption.isNoted(repository.blocks())) {
                    throw e;
                }
                interruption.write(repository.blocks());
                throw sent(e);
            } catch (MissingBlockException e) {
                // The remote has lost what it had (SY7).
                if (known.isEmpty()
                        || attempt == MOST_PUSHES
                        || !repository.blocks().has(e.cid())) {
                    throw e;
                }
                known = Head.empty();
                continue;
            }
            RemoteBranch there = reply.current();
            if (reply.outcome() == PushReply.Outcome.DONE) {
                return new Pushed(there, sending.blocks(), !there.head().equals(head), isBack);
            }
            if ((reply.outcome() == PushReply.Outcome.MOVED && mode.isForced()) || attempt == MOST_PUSHES) {
                throw moved(branch);
            }
            if (!isHere(there.head())) {
                FetchResult fetched = fetch(branch);
                isBack |= fetched.isBack();
                seen = Optional.of(fetched.now());
            } else {
                isBack |= isBack(seen, there.head());
                track(branch, there);
                seen = seen(branch);
            }
            Head now = seen.map(Tracking::head).orElse(Head.empty());
            if (RepositoryRemote.holds(clock, now, head)) {
                // The answer to an earlier push was lost, and others have pushed since.
                return new Pushed(new RemoteBranch(branch, seen.orElseThrow().generation(), now), 0, true, isBack);
            }
            if (!RepositoryRemote.holds(clock, head, now)) {
                throw diverged(branch, head, now, isBack ? " lost changes since the last exchange, and" : "");
            }
            known = now;
        }
    }

    /**
     * Removes a branch of the remote, if it is as the remote-tracking ref says, and the ref. The local branch stays.
     *
     * @throws RemoteException if the branch was never fetched, has moved since, or is not there; or if the remote keeps it
     * @throws StoreIOException if the remote cannot be reached. The branch may be gone: fetch
     */
    public void remove(String branch) {
        Optional<Tracking> seen = seen(Objects.requireNonNull(branch, "branch"));
        if (seen.isEmpty()) {
            throw new RemoteException(
                    RemoteException.Reason.NO_BRANCH,
                    "no branch of the remote is known here as " + Escapes.brief(ref(branch)),
                    "fetch first, so that you see what is removed",
                    null);
        }
        PushReply reply = remote.remove(branch, token(branch, seen.get()));
        if (reply.outcome() != PushReply.Outcome.DONE) {
            throw moved(branch);
        }
        repository.untrack(ref(branch));
    }

    /**
     * The remote-tracking refs whose branches the remote does not have.
     *
     * @param there the branches that the remote has
     */
    public List<String> gone(Collection<String> there) {
        Objects.requireNonNull(there, "there");
        return repository.refs().trackings().stream()
                .filter(ref -> ref.startsWith(name + "/") && !there.contains(ref.substring(name.length() + 1)))
                .toList();
    }

    /** Removes the remote-tracking refs whose branches the remote does not have, and returns their names. */
    public List<String> prune() {
        List<String> gone =
                gone(remote.branches().stream().map(RemoteBranch::name).toList());
        gone.forEach(repository::untrack);
        return gone;
    }

    private boolean isHere(Head head) {
        return head.events().stream().allMatch(repository.blocks()::has);
    }

    private void track(String branch, RemoteBranch there) {
        if (isHere(there.head())) {
            try {
                Tracking unused = repository.track(ref(branch), new Tracking(there.generation(), true, there.head()));
            } catch (MissingBlockException e) {
                // The remote has it all the same: the next fetch shows it.
                return;
            }
        }
    }

    private RemoteException moved(String branch) {
        return new RemoteException(
                RemoteException.Reason.MOVED,
                "the branch " + place(branch) + " is not as the last fetch has seen it: another peer has changed it",
                "fetch first",
                null);
    }

    private RemoteException diverged(String branch, Head pushed, Head there, String what) {
        return new Divergence(repository.blocks(), pushed, there).refusal("the branch " + place(branch) + what);
    }

    private String place(String branch) {
        return Escapes.brief(branch) + " of " + remote.address();
    }
}
