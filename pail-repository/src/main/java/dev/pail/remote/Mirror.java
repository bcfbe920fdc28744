package dev.pail.remote;

import dev.pail.Escapes;
import dev.pail.PailException;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import dev.pail.repository.HeadNotes;
import dev.pail.repository.Repository;
import dev.pail.repository.model.HeadMovedException;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.model.Tracking;
import dev.pail.trace.Trace;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * A repository that is kept equal to a remote, its origin: the same branches with the same heads, also if the origin went back to an older
 * version, the same tags, the signed heads and the erasures. A branch here moves only to a head that the origin had for it (Rule SY28). The
 * remote-tracking refs {@code mirror/BRANCH} record what came.
 *
 * <p>Changes that are made here do not stay: the next exchange moves the branch to the head of the origin. The log keeps them, so
 * {@code undo} finds them.
 *
 * <p>For one thread at a time. Any thread may close the {@link Following}.
 *
 * <pre>{@code
 * Mirror mirror = Mirror.of(repository, remote, change -> System.out.println(change.kind() + " " + change.name()));
 * mirror.take(); // once
 * try (Following following = mirror.following()) {
 *     following.run(); // and then each update, until another thread closes it
 * }
 * }</pre>
 */
public final class Mirror {
    /** The local name of the origin. */
    public static final String NAME = "mirror";

    private static final String REASON = "mirror";

    /** What changed here, as it did at the origin. */
    public enum Kind {
        /** A branch is new, or moved forward. */
        BRANCH,
        /** A branch moved to a head that lacks changes which it had. */
        BACK,
        REMOVED_BRANCH,
        TAG,
        REMOVED_TAG
    }

    /**
     * A branch or a tag that changed here.
     *
     * @param head the new head; the last one if it was removed
     */
    public record Change(Kind kind, String name, Head head) {
        public Change {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(head, "head");
        }
    }

    /** Takes what happens, in the thread of the mirror. */
    @FunctionalInterface
    public interface Listener {
        /** Takes a change that was made here. */
        void changed(Change change);

        /**
         * Takes the failure of an exchange while the mirror follows. By default does nothing.
         *
         * @param pause the time until the next exchange
         */
        default void failed(PailException failure, Duration pause) {
            Objects.requireNonNull(failure, "failure");
            Objects.requireNonNull(pause, "pause");
        }
    }

    private final Repository repository;
    private final Remote remote;
    private final Exchange exchange;
    private final Listener listener;

    private Mirror(Repository repository, Remote remote, Listener listener) {
        this.repository = repository;
        this.remote = remote;
        this.exchange = Exchange.of(repository, NAME, remote);
        this.listener = listener;
    }

    /**
     * Makes a mirror of a remote.
     *
     * @param repository a repository without changes, or a mirror of this remote. No one else should change it
     */
    public static Mirror of(Repository repository, Remote remote, Listener listener) {
        return new Mirror(
                Objects.requireNonNull(repository, "repository"), remote, Objects.requireNonNull(listener, "listener"));
    }

    /**
     * Makes the repository equal to the remote. If the connection breaks, some branches may be as they are there, and all others are as before.
     *
     * @throws RepositoryException if the repository has changes and is no mirror. Nothing has changed
     * @throws RemoteException if the remote refuses
     * @throws dev.pail.StoreIOException if the remote cannot be reached, or the connection ends too early
     * @throws dev.pail.MissingBlockException if the remote lacks a block. Its branch has not changed here
     */
    public void take() {
        RemoteBranch unused = exchange();
    }

    /**
     * Returns what keeps the repository equal to the remote. It waits for updates of the current branch of the remote. Updates of other branches,
     * of tags and of signed heads come with the next of these, or within about a minute. It ends for no failure of the remote or of the store.
     */
    public Following following() {
        return following(System::nanoTime, time -> Thread.sleep(time.toMillis()));
    }

    Following following(LongSupplier nanos, Following.Pause pause) {
        return new Following(remote, this::exchange, listener::failed, true, nanos, pause);
    }

    /** Returns the current branch of the remote. */
    private RemoteBranch exchange() {
        checkIsMirror();
        if (!ErasureExchange.of(repository, remote).fetch().isEmpty()) {
            List<Cid> unused = repository.maintenance().erasing().finish();
        }
        RemoteState state = remote.state();
        Map<String, RemoteBranch> taken = new HashMap<>();
        for (RemoteBranch branch : state.branches()) {
            Tracking now = exchange.fetch(branch).now();
            taken.put(branch.name(), new RemoteBranch(branch.name(), now.generation(), now.head()));
        }
        String current = state.info().current();
        // What has gone makes room for a tag or a branch of its name.
        removeTags();
        RemoteBranch first = taken.get(current);
        if (first != null) {
            move(first);
            if (!repository.branches().current().equals(current)) {
                repository.branches().switchTo(current);
            }
        }
        removeBranches(taken.keySet());
        taken.values().forEach(this::move);
        for (FetchedTag fetched : exchange.fetchAllTags()) {
            if (fetched.outcome() == FetchedTag.Outcome.CREATED) {
                tell(Kind.TAG, fetched.tag().name(), fetched.tag().head());
            }
        }
        List<HeadNotes.Taken> unusedNotes = repository.headNotes().takeAll(remote.headNotes(), name -> true);
        return first == null ? new RemoteBranch(current, 0, Head.empty()) : first;
    }

    private void checkIsMirror() {
        if (repository.refs().trackings().stream().anyMatch(ref -> ref.startsWith(NAME + "/"))) {
            return;
        }
        repository.branches().heads().forEach((branch, head) -> {
            if (!head.isEmpty()) {
                throw new RepositoryException(
                        RepositoryException.Reason.EXISTS,
                        "cannot mirror " + remote.address() + " in a repository that has changes, in the branch "
                                + Escapes.brief(branch),
                        "mirror it in a new repository; a change here would be lost",
                        null);
            }
        });
    }

    private void removeTags() {
        Set<RemoteTag> there = new HashSet<>(remote.tags());
        for (String name : repository.tags().names()) {
            Head head = repository.tags().head(name).orElse(Head.empty());
            if (!head.isEmpty() && !there.contains(new RemoteTag(name, head))) {
                repository.tags().remove(name);
                tell(Kind.REMOVED_TAG, name, head);
            }
        }
    }

    private void removeBranches(Set<String> there) {
        for (String name : repository.branches().names()) {
            boolean isKept = name.equals(Repository.MAIN)
                    || name.equals(repository.branches().current());
            if (!there.contains(name) && !isKept) {
                Head head = repository.head(name);
                repository.branches().remove(name);
                tell(Kind.REMOVED_BRANCH, name, head);
            }
        }
        exchange.gone(there).forEach(repository.remotes()::untrack);
    }

    private void move(RemoteBranch there) {
        String branch = there.name();
        Head head = there.head();
        while (true) {
            try {
                if (!repository.branches().contains(branch)) {
                    Snapshot unused = repository.branches().create(branch, head);
                    tell(Kind.BRANCH, branch, head);
                    return;
                }
                Snapshot now = repository.snapshot(branch);
                if (now.head().equals(head)) {
                    return;
                }
                boolean isForward = Heads.holds(MerkleClock.open(repository.blocks()), head, now.head());
                Snapshot unused = repository.move(now, head, REASON);
                tell(isForward ? Kind.BRANCH : Kind.BACK, branch, head);
                return;
            } catch (HeadMovedException e) {
                Trace.swallowed("another writer was faster, and its change is moved away", e);
            } catch (RepositoryException e) {
                if (e.reason() != RepositoryException.Reason.EXISTS) {
                    throw e;
                }
                // A tag has the name, which was made a branch there meanwhile. The next exchange shows it.
                return;
            }
        }
    }

    private void tell(Kind kind, String name, Head head) {
        listener.changed(new Change(kind, name, head));
    }
}
