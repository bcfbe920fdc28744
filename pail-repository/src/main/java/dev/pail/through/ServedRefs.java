package dev.pail.through;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.Escapes;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.remote.PushMode;
import dev.pail.remote.PushReply;
import dev.pail.remote.PushRequest;
import dev.pail.remote.Remote;
import dev.pail.remote.RemoteBranch;
import dev.pail.remote.RemoteException;
import dev.pail.remote.RemoteState;
import dev.pail.remote.RemoteTag;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RefChangedException;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Tracking;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.DerivedRoots;
import dev.pail.repository.spi.Epoch;
import dev.pail.repository.spi.RefLog;
import dev.pail.repository.spi.RefStore;
import dev.pail.sign.HeadNote;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The refs of a repository behind a server. A state that the server gave counts as current for a second, so that a command asks once; what
 * moves here is asked for again. A move is a push. Safe for use by several threads.
 */
final class ServedRefs implements RefStore {
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final RemoteReads reads;
    private final ServedBlocks blocks;
    private final Clock clock;

    @GuardedBy("this")
    private @Nullable RemoteState state;

    @GuardedBy("this")
    private Instant asked = Instant.MIN;

    private volatile boolean closed;

    ServedRefs(RemoteReads reads, ServedBlocks blocks, Clock clock) {
        this.reads = reads;
        this.blocks = blocks;
        this.clock = clock;
    }

    private Remote remote() {
        if (closed) {
            throw new IllegalStateException("the repository is closed: " + location());
        }
        return reads.remote();
    }

    synchronized RemoteState state() {
        Remote remote = remote();
        RemoteState now = state;
        if (now == null || !clock.instant().minus(FRESH).isBefore(asked)) {
            now = remote.state();
            asked = clock.instant();
            state = now;
        }
        return now;
    }

    /** Asks again next time. */
    private synchronized void moved() {
        state = null;
    }

    private record Branch(String name, boolean isPresent, Head head, long generation) implements BranchState {
        @Override
        public boolean hasLog() {
            return isPresent;
        }
    }

    @Override
    public List<String> branches() {
        return state().branches().stream().map(RemoteBranch::name).sorted().toList();
    }

    @Override
    public List<String> logs() {
        return branches();
    }

    @Override
    public BranchState branch(String name) {
        Objects.requireNonNull(name, "name");
        return state().branches().stream()
                .filter(branch -> branch.name().equals(name))
                .findFirst()
                .map(branch -> {
                    blocks.knowEvents(branch.head().events());
                    return new Branch(name, true, branch.head(), branch.generation());
                })
                .orElseGet(() -> new Branch(name, false, Head.empty(), 0));
    }

    @Override
    public RefLog log(String branch, Head head, long generation) {
        return new ServedLog(remote(), branch, head, generation);
    }

    @Override
    public List<String> tags() {
        return remote().tags().stream().map(RemoteTag::name).sorted().toList();
    }

    @Override
    public Optional<Head> tag(String name) {
        Objects.requireNonNull(name, "name");
        return remote().tags().stream()
                .filter(tag -> tag.name().equals(name))
                .map(RemoteTag::head)
                .findFirst();
    }

    @Override
    public List<String> trackings() {
        return List.of();
    }

    @Override
    public Optional<Tracking> tracking(String name) {
        Objects.requireNonNull(name, "name");
        return Optional.empty();
    }

    @Override
    public List<String> notedNames() {
        return remote().headNotes().all().stream()
                .map(HeadNote::name)
                .distinct()
                .toList();
    }

    @Override
    public List<HeadNote> headNotes(String name) {
        return remote().headNotes().of(name);
    }

    @Override
    public String current() {
        return state().info().current();
    }

    @Override
    public Epoch epoch() {
        return Epoch.NONE;
    }

    @Override
    public Set<Need> needs() {
        try {
            return Need.parse(String.join(",", state().info().needs()));
        } catch (IllegalArgumentException e) {
            throw new RepositoryException(
                    RepositoryException.Reason.NOT_UNDERSTOOD,
                    "the repository at " + location() + " " + e.getMessage(),
                    "install a newer pail",
                    e);
        }
    }

    /** The root of the current branch comes with its head: both are what the server says. Rule SY25. */
    @Override
    public DerivedRoots derivedRoots() {
        return new DerivedRoots() {
            @Override
            public Optional<Cid> root(Head head, Predicate<Cid> has) {
                RemoteState now = state();
                return now.branches().stream()
                        .filter(branch -> branch.head().equals(head))
                        .findFirst()
                        .flatMap(branch -> branch.name().equals(now.info().current())
                                        && now.root().isPresent()
                                ? now.root()
                                : remote().root(branch.name()));
            }

            @Override
            public void note(Head head, Cid root, Collection<Cid> made, Epoch begun) {
                // The server computes it.
            }

            @Override
            public boolean hasSingle() {
                return true;
            }
        };
    }

    @Override
    public Instant now() {
        return clock.instant();
    }

    @Override
    public Optional<String> repositoryId() {
        return state().info().id();
    }

    @Override
    public String location() {
        return reads.remote().address();
    }

    @Override
    public boolean isDurable(BranchState branch) {
        Objects.requireNonNull(branch, "branch");
        return true;
    }

    @Override
    public void checkWritable() {
        Remote unused = remote();
    }

    @Override
    public <T> T update(Function<Update, T> action) {
        return action.apply(new Pushing());
    }

    @Override
    public void close() {
        closed = true;
        reads.close();
    }

    private RepositoryException staysThere(String what) {
        return new RepositoryException(
                RepositoryException.Reason.NOT_EXCLUSIVE,
                what + " of a repository behind a server is changed where it is, not from here: " + location(),
                "use a clone",
                null);
    }

    /** Moves refs by requests. */
    private final class Pushing implements Update {
        @Override
        public LogEntry move(BranchState expected, Head next, String reason, Note note, Epoch seen) {
            if (next.isEmpty()) {
                throw staysThere("a branch without versions");
            }
            RemoteBranch before = new RemoteBranch(expected.name(), expected.generation(), expected.head());
            Set<Cid> sent = new HashSet<>();
            boolean isStep = PushRequest.isStep(reason);
            PushReply reply = push(before, next, isStep ? PushMode.FORCE : PushMode.FAST_FORWARD, reason, sent);
            // If the branch has all events of the head, a server takes the push and leaves the branch.
            boolean isBack =
                    reply.outcome() == PushReply.Outcome.DONE || reply.outcome() == PushReply.Outcome.NOT_FAST_FORWARD;
            if (!isStep
                    && isBack
                    && reply.current().equals(before)
                    && !before.head().equals(next)) {
                reply = push(before, next, PushMode.FORCE, reason, sent);
            }
            moved();
            if (reply.outcome() == PushReply.Outcome.OTHER_FORMAT) {
                throw new RemoteException(
                        RemoteException.Reason.FORMAT,
                        "the branch " + expected.name() + " has another shard format at " + location(),
                        "convert it where it is",
                        null);
            }
            if (reply.outcome() != PushReply.Outcome.DONE) {
                throw new RefChangedException(
                        expected.name(), "generation " + reply.current().generation());
            }
            blocks.sent(sent);
            return new LogEntry(reply.current().generation(), now(), reason, expected.head(), next, note);
        }

        private PushReply push(RemoteBranch before, Head next, PushMode mode, String reason, Set<Cid> sent) {
            boolean isThere = before.generation() > 0;
            return remote().push(
                            new PushRequest(
                                    before.name(),
                                    next,
                                    isThere ? Optional.of(before.token()) : Optional.empty(),
                                    mode,
                                    PushRequest.isStep(reason) ? reason : LogEntry.PUSH),
                            blocks.export(next, sent));
        }

        @Override
        public void create(BranchState absent, Epoch seen) {
            throw staysThere("a branch without versions");
        }

        @Override
        public void confirm(BranchState expected) {
            // The server confirmed it.
        }

        @Override
        public void remove(BranchState expected, Consumer<LogEntry> moved) {
            PushReply reply = remote().remove(
                            expected.name(),
                            new RemoteBranch(expected.name(), expected.generation(), expected.head()).token());
            moved();
            if (reply.outcome() != PushReply.Outcome.DONE) {
                throw new RefChangedException(
                        expected.name(), "generation " + reply.current().generation());
            }
            moved.accept(
                    new LogEntry(expected.generation() + 1, now(), REMOVED, expected.head(), Head.empty(), Note.NONE));
        }

        @Override
        public void tag(String name, Optional<Head> expected, Optional<Head> next, Epoch seen) {
            if (next.isEmpty()) {
                removeTag(name);
            } else {
                boolean unused = remote().pushTag(new RemoteTag(name, next.get()));
            }
        }

        @Override
        public void removeTag(String name) {
            Head head = ServedRefs.this
                    .tag(name)
                    .orElseThrow(() -> new RepositoryException(
                            RepositoryException.Reason.NO_TAG,
                            "no tag " + Escapes.brief(name) + ": " + location(),
                            "there are: " + String.join(", ", tags()),
                            null));
            remote().removeTag(new RemoteTag(name, head));
        }

        @Override
        public void tracking(String name, Optional<Tracking> expected, Optional<Tracking> next, Epoch seen) {
            throw staysThere("a remote");
        }

        @Override
        public void headNotes(String name, List<HeadNote> expected, List<HeadNote> next) {
            Set<HeadNote> there = Set.copyOf(expected);
            next.stream().filter(note -> !there.contains(note)).forEach(note -> {
                var unused = remote().headNotes().keep(note);
            });
        }

        @Override
        public void current(String branch) {
            throw staysThere("the current branch");
        }

        @Override
        public void epoch(Epoch expected, Epoch next) {
            throw staysThere("the epoch of collections");
        }
    }
}
