package dev.pail.remote;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.CorruptBlockException;
import dev.pail.Escapes;
import dev.pail.MergeConflictException;
import dev.pail.MissingBlockException;
import dev.pail.StoreIOException;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.repository.HeadNotes;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.MergeResult;
import dev.pail.repository.model.Part;
import dev.pail.repository.model.RefToken;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.model.Tracking;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Exchanges versions between a repository and a {@link Remote}. The remote-tracking refs {@code NAME/BRANCH} record which versions
 * both have. So a fetch or a push sends only new blocks, in one request unless another client has pushed meanwhile.
 *
 * <p>Immutable. Safe for use by several threads.
 *
 * <pre>{@code
 * try (Repository other = FileRepository.open(folder)) {
 *     Exchange exchange = Exchange.of(repository, "origin", RepositoryRemote.of(other, folder.toString()));
 *     exchange.pull("main", MergeOptions.DEFAULT);
 *     exchange.push("main", PushMode.FAST_FORWARD);
 * }
 * }</pre>
 */
public final class Exchange {
    /** Requests of a push: it is refused, a fetch shows why, and it is sent again. */
    private static final int MOST_PUSHES = 3;

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
            all.add(fetch(branch));
        }
        return all;
    }

    /** Fetches a branch, unless its state is the one that was fetched last. */
    FetchResult fetch(RemoteBranch branch) {
        Optional<Tracking> seen = seen(branch.name());
        return seen.isPresent() && isCurrent(seen.get(), branch)
                ? new FetchResult(ref(branch.name()), seen, seen.get(), 0, false)
                : fetch(branch.name());
    }

    Remote remote() {
        return remote;
    }

    private boolean isCurrent(Tracking seen, RemoteBranch branch) {
        return seen.generation() == branch.generation()
                && seen.head().equals(branch.head())
                && (seen.hasValues() || !hasValues || part().isPresent());
    }

    /**
     * The result of {@link #cloneAll}.
     *
     * @param current the current branch, which has the head that the remote has
     * @param fetched the result for each remote-tracking ref, in order
     */
    public record Cloned(Snapshot current, List<FetchResult> fetched) {
        public Cloned {
            Objects.requireNonNull(current, "current");
            fetched = List.copyOf(Objects.requireNonNull(fetched, "fetched"));
        }
    }

    /**
     * Takes all that the remote has into a repository without changes: the records of erased blocks, all branches as remote-tracking
     * refs, all tags with their versions, and the signed heads of both. Makes the current branch of the remote the current one here. If the connection breaks, the blocks that arrived stay, and another
     * call continues.
     *
     * <pre>{@code
     * RemoteInfo info = remote.info();
     * try (Repository mine = FileRepository.init(folder, info.format())) {
     *     Exchange.Cloned cloned = Exchange.of(mine, "origin", remote).cloneAll(info);
     *     System.out.println(cloned.current().branch() + " " + cloned.current().root());
     * }
     * }</pre>
     *
     * @param info the answer of {@link Remote#info}
     * @throws RepositoryException if a branch here has events, or the store cannot take the records of erased blocks. Nothing has changed
     * @throws RemoteException if the remote refuses
     * @throws StoreIOException if the remote cannot be reached, or the connection ends too early. No branch has changed
     * @throws MissingBlockException if the remote lacks a block. No branch has changed
     */
    public Cloned cloneAll(RemoteInfo info) {
        String branch = Objects.requireNonNull(info, "info").current();
        return cloned(branch, this::fetchAll, part().isPresent() ? this::fetchTags : this::fetchAllTags);
    }

    /** As {@link #cloneAll} with one branch of the remote, which becomes the current one, and the tags of its versions. */
    public Cloned cloneBranch(String branch) {
        Objects.requireNonNull(branch, "branch");
        return cloned(branch, () -> List.of(fetch(branch)), this::fetchTags);
    }

    private Cloned cloned(String branch, Supplier<List<FetchResult>> branches, Supplier<List<FetchedTag>> tags) {
        checkNew();
        List<Erasure> unused = ErasureExchange.of(repository, remote).fetch();
        List<FetchResult> fetched = branches.get();
        List<FetchedTag> unusedTags = tags.get();
        List<HeadNotes.Taken> unusedNotes = repository.headNotes().takeAll(remote.headNotes(), name -> true);
        return new Cloned(checkOut(branch), fetched);
    }

    /** Checks that no branch here has events. */
    private void checkNew() {
        for (String each : repository.branches().names()) {
            if (!repository.head(each).isEmpty()) {
                throw new RepositoryException(
                        RepositoryException.Reason.EXISTS,
                        "cannot clone " + remote.address() + " into a repository that has changes, in the branch "
                                + Escapes.brief(each),
                        "fetch and merge into it, or clone into another repository",
                        null);
            }
        }
    }

    private Snapshot checkOut(String branch) {
        Head head = seen(branch).map(Tracking::head).orElse(Head.empty());
        Snapshot current = repository.branches().contains(branch)
                ? repository.move(repository.snapshot(branch), head, "clone")
                : repository.branches().create(branch, head);
        repository.branches().switchTo(branch);
        return current;
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
        Objects.requireNonNull(branch, "branch");
        Optional<Part> part = part();
        if (part.isEmpty()) {
            return fetchWhole(branch);
        }
        // Without a prefix, all events and shards come.
        return part.get().prefix().isEmpty() && !part.get().hasValues()
                ? withoutValues().fetchWhole(branch)
                : new PartFetching(repository, part.get(), remote, branch, progress).fetch();
    }

    /**
     * Fetches all that a branch of the remote leads to, also into a part, as {@link #fetch} does for a whole repository. A part stays one until
     * {@link dev.pail.repository.files.FileRepository#setWhole}.
     */
    public FetchResult fetchWhole(String branch) {
        Objects.requireNonNull(branch, "branch");
        return new Fetching(repository, remote, branch, ref(branch), hasValues, progress).fetch();
    }

    /** What this repository has as a part of the remote, if it is one. */
    private Optional<Part> part() {
        return repository.refs().part().filter(part -> part.remote().equals(name));
    }

    private static RefToken token(String branch, Tracking seen) {
        return RefToken.of(branch, seen.generation(), seen.head());
    }

    private String ref(String branch) {
        return name + "/" + branch;
    }

    /**
     * Returns whether a fetch or a push of a branch broke off after blocks had come, and was not ended since. It reads no remote.
     *
     * @param ref the remote-tracking ref, such as {@code origin/main}
     */
    public static boolean isUnfinished(Repository repository, String ref) {
        Objects.requireNonNull(repository, "repository");
        Tracking.checkName(ref);
        Optional<Tracking> seen = repository.refs().tracking(ref);
        return Arrays.stream(Interruption.Of.values())
                .anyMatch(what -> Interruption.of(what, ref, seen).isNoted(repository.blocks()));
    }

    private Optional<Tracking> seen(String branch) {
        String ref = ref(branch);
        Tracking.checkName(ref);
        return repository.refs().tracking(ref);
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
        Endurance endurance = new Endurance();
        Sending sending = new Sending(repository, remote, progress);
        for (int attempt = 1; ; attempt++) {
            Optional<RefToken> expected =
                    seen.filter(each -> !each.head().isEmpty()).map(each -> token(branch, each));
            Interruption interruption = Interruption.of(Interruption.Of.PUSH, ref(branch), seen);
            boolean wasNoted = interruption.isNoted(repository.blocks());
            PushReply reply;
            try {
                if (wasNoted) {
                    sending.resume(branch, head, known);
                }
                reply = sending.push(
                        new PushRequest(branch, head, expected, mode),
                        known,
                        () -> interruption.write(repository.blocks()),
                        there -> track(branch, there));
            } catch (StoreIOException e) {
                if (sending.blocks() == 0 && !wasNoted) {
                    throw e;
                }
                interruption.write(repository.blocks());
                Optional<Tracking> now = seen(branch);
                if (!now.equals(seen)) {
                    // The remote took a part of the history.
                    seen = now;
                    known = now.map(Tracking::head).orElse(known);
                    sending.gain(Endurance.LEAST);
                    Interruption.of(Interruption.Of.PUSH, ref(branch), seen).write(repository.blocks());
                }
                if (!endurance.continuesAfter(sending.takeGained())) {
                    throw sending.broken(e, head, known);
                }
                attempt--;
                continue;
            } catch (MissingBlockException e) {
                // The remote has lost what it had (SY7), or what came of a push that broke off (GW27).
                if ((known.isEmpty() && !wasNoted)
                        || attempt == MOST_PUSHES
                        || !repository.blocks().has(e.cid())) {
                    throw e;
                }
                known = Head.empty();
                sending = new Sending(repository, remote, progress);
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
                isBack |= Fetching.isBack(repository, seen, there.head());
                track(branch, there);
                seen = seen(branch);
            }
            Head now = seen.map(Tracking::head).orElse(Head.empty());
            if (Heads.holds(clock, now, head)) {
                // The answer to an earlier push was lost, and others have pushed since.
                return new Pushed(new RemoteBranch(branch, seen.orElseThrow().generation(), now), 0, true, isBack);
            }
            if (!Heads.holds(clock, head, now)) {
                throw diverged(branch, head, now, isBack ? " lost changes since the last exchange, and" : "");
            }
            known = now;
            sending = new Sending(repository, remote, progress);
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
        repository.remotes().untrack(ref(branch));
    }

    /**
     * Makes the tags of the remote whose versions are here. Call it after a fetch, which brings the versions: then tags follow the branches that
     * have their versions. A tag that is here stays as it is. Does nothing if the remote exchanges no tags. Rule SY19.
     *
     * @return what became of each tag of the remote, in order
     * @throws RemoteException if the remote refuses
     * @throws StoreIOException if the remote cannot be reached
     */
    public List<FetchedTag> fetchTags() {
        return tags().fetch();
    }

    /**
     * As {@link #fetchTags}, and fetches the versions that no fetched branch has. If the connection breaks, the blocks that arrived stay, and
     * another call continues.
     */
    public List<FetchedTag> fetchAllTags() {
        return tags().fetchAll();
    }

    /**
     * Sends a tag, with the blocks of its version that the remote does not have.
     *
     * @return false, if the remote has the tag
     * @throws RepositoryException if there is no such tag here
     * @throws RemoteException if the remote has another tag of this name, or a branch, or refuses. It has not changed
     * @throws MissingBlockException if a block is missing here or there. The remote has no such tag
     * @throws StoreIOException if the remote cannot be reached, or the connection ends too early. The tag may be there: push again
     */
    public boolean pushTag(String tag) {
        return tags().push(Objects.requireNonNull(tag, "tag"));
    }

    private TagExchange tags() {
        return new TagExchange(repository, name, remote, progress, this::fetch);
    }

    /**
     * Removes a tag of the remote. A tag here stays.
     *
     * @throws RemoteException if there is no such tag there
     * @throws StoreIOException if the remote cannot be reached. The tag may be gone
     */
    public void removeTag(String tag) {
        Objects.requireNonNull(tag, "tag");
        RemoteTag there = remote.tags().stream()
                .filter(each -> each.name().equals(tag))
                .findFirst()
                .orElseThrow(() -> RemoteException.noTag(remote.address(), tag));
        remote.removeTag(there);
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
        gone.forEach(repository.remotes()::untrack);
        return gone;
    }

    private boolean isHere(Head head) {
        return head.events().stream().allMatch(repository.blocks()::has);
    }

    private void track(String branch, RemoteBranch there) {
        if (isHere(there.head())) {
            try {
                Tracking unused = part().isPresent()
                        ? repository
                                .remotes()
                                .trackPromised(ref(branch), new Tracking(there.generation(), false, there.head()))
                        : repository.remotes().track(ref(branch), new Tracking(there.generation(), true, there.head()));
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
