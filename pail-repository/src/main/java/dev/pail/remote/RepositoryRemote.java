package dev.pail.remote;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.car.CarExport;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.UnrelatedHistoriesException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.ChangeFeed;
import dev.pail.repository.Erasing;
import dev.pail.repository.HeadNotes;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.model.HeadMovedException;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.MergeResult;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.RefName;
import dev.pail.repository.model.RefToken;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Revision;
import dev.pail.repository.model.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A repository of this process as a remote. It implements the decisions of a remote: a server of any protocol calls {@link #offer} and
 * {@link #update}, and transfers the blocks itself. Safe for use by several threads.
 *
 * <pre>{@code
 * try (Repository other = FileRepository.open(folder)) {
 *     Remote remote = RepositoryRemote.of(other, folder.toString());
 *     Exchange.of(repository, "origin", remote).push("main", PushMode.FAST_FORWARD);
 * }
 * }</pre>
 */
public final class RepositoryRemote implements Remote {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(45);

    private final Repository repository;
    private final String address;
    private final boolean closes;

    private RepositoryRemote(Repository repository, String address, boolean closes) {
        this.repository = repository;
        this.address = address;
        this.closes = closes;
    }

    /**
     * Makes a remote of a repository.
     *
     * @param repository the repository, which the caller closes
     * @param address the address of the repository, for messages
     * @throws RepositoryException if the repository is a part that does not read through its remote: see {@link Repository#whole}
     */
    public static RepositoryRemote of(Repository repository, String address) {
        Objects.requireNonNull(repository, "repository");
        Objects.requireNonNull(address, "address");
        return new RepositoryRemote(repository.whole(address), address, false);
    }

    /** Returns this remote, which closes its repository when it is closed. */
    @CheckReturnValue
    public RepositoryRemote closingRepository() {
        return new RepositoryRemote(repository, address, true);
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public RemoteInfo info() {
        return RemoteInfo.of(repository, Long.MAX_VALUE);
    }

    @Override
    public List<RemoteBranch> branches() {
        List<RemoteBranch> all = new ArrayList<>();
        for (String name : repository.branches().names()) {
            find(name).ifPresent(all::add);
        }
        return all;
    }

    @Override
    public boolean awaitUpdate(RemoteBranch seen) throws InterruptedException {
        try (ChangeFeed feed = repository.changes(seen.name(), seen.token().toString())) {
            return feed.next(LONGEST_WAIT).isPresent();
        } catch (RepositoryException e) {
            return switch (e.reason()) {
                case NO_BRANCH, TOKEN, EXPIRED -> true;
                default -> throw e;
            };
        }
    }

    /** Returns the current state of a branch, if it is there. */
    public Optional<RemoteBranch> find(String branch) {
        try {
            return repository.branches().contains(branch)
                    ? Optional.of(branch(repository.snapshot(branch)))
                    : Optional.empty();
        } catch (RepositoryException e) {
            // It may have been removed meanwhile, or have a name that no branch can have.
            if (e.reason() == RepositoryException.Reason.NO_BRANCH || e.reason() == RepositoryException.Reason.NAME) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Returns the current state of a branch.
     *
     * @throws RemoteException if there is no branch of this name
     */
    public RemoteBranch require(String branch) {
        return find(branch)
                .orElseThrow(() -> RemoteException.noBranch(
                        address, branch, repository.branches().names()));
    }

    /** A branch, else a tag: so a peer fetches the version of a tag that no branch has. */
    private RemoteBranch requireRef(String name) {
        return find(name)
                .or(() -> findTag(name).map(tag -> new RemoteBranch(name, 0, tag.head())))
                .orElseThrow(() -> RemoteException.noBranch(
                        address, name, repository.branches().names()));
    }

    private static RemoteBranch branch(Snapshot snapshot) {
        return new RemoteBranch(snapshot.branch(), snapshot.generation(), snapshot.head());
    }

    /**
     * The answer to a fetch, before any block is read.
     *
     * @param outcome the kind of answer
     * @param branch the current state of the branch
     * @param export the blocks that the receiver does not have; empty unless these are versions with events
     */
    public record Offer(FetchReply.Outcome outcome, RemoteBranch branch, Optional<CarExport> export) {
        public Offer {
            Objects.requireNonNull(outcome, "outcome");
            Objects.requireNonNull(branch, "branch");
            Objects.requireNonNull(export, "export");
        }
    }

    /**
     * Decides what to send. Ignores events of the receiver that are not here. If none of its events is here, the receiver should name
     * older ones. Rule SY4.
     *
     * @throws RemoteException if there is no such branch
     */
    @CheckReturnValue
    public Offer offer(FetchRequest request) {
        request.checkUnderstood(Need.ofEvents(repository.refs().needs()));
        RemoteBranch branch = requireRef(request.branch());
        if (request.unless().isPresent() && request.unless().get().fits(branch.token())) {
            return new Offer(FetchReply.Outcome.UNCHANGED, branch, Optional.empty());
        }
        if (branch.head().isEmpty()) {
            return new Offer(FetchReply.Outcome.VERSIONS, branch, Optional.empty());
        }
        List<Cid> known = request.have().stream().filter(this::isEvent).toList();
        if (known.isEmpty() && !request.have().isEmpty()) {
            return new Offer(FetchReply.Outcome.MORE_HAVES, branch, Optional.empty());
        }
        CarExport export = Heads.export(repository.blocks(), branch.head(), Head.of(known));
        return new Offer(
                FetchReply.Outcome.VERSIONS,
                branch,
                Optional.of(request.hasValues() ? export : export.withoutValues()));
    }

    private boolean isEvent(Cid cid) {
        try {
            Event unused = MerkleClock.open(repository.blocks()).event(cid);
            return true;
        } catch (BlockException e) {
            return false;
        }
    }

    @Override
    public FetchReply fetch(FetchRequest request, BlockStore target) {
        Offer offer = offer(request);
        long blocks =
                offer.export().map(export -> export.copyTo(target).blocks()).orElse(0L);
        return new FetchReply(
                offer.outcome(), offer.branch().generation(), offer.branch().head(), blocks);
    }

    /** Those of the branch that are not below the events of the receiver, the oldest first. */
    @Override
    public List<Cid> events(FetchRequest request) {
        RemoteBranch branch = requireRef(request.branch());
        Head known = Head.of(request.have().stream().filter(this::isEvent).toList());
        return MerkleClock.open(repository.blocks()).since(branch.head(), known).stream()
                .limit(MAX_BLOCKS)
                .toList();
    }

    @Override
    public void blocks(List<Cid> cids, BlockStore target) {
        Objects.requireNonNull(target, "target");
        BlockPortions.forEach(repository.blocks(), cids, target::putAll);
    }

    @Override
    public void blocks(List<Cid> cids, NextReads next, BlockStore target) {
        Objects.requireNonNull(next, "next");
        blocks(cids, target);
        BlocksAhead.forEach(repository.blocks(), cids, next, target::put);
    }

    @Override
    public Optional<Cid> root(String branch) {
        RemoteBranch state = require(branch);
        return state.head().isEmpty()
                ? Optional.empty()
                : Optional.of(repository.pailAt(state.head()).root());
    }

    /**
     * Returns those of some blocks that are not here. Puts the others again, so that the collector leaves them for another grace period
     * (SY14).
     */
    @Override
    public Set<Cid> missing(String branch, List<Cid> cids) {
        Objects.requireNonNull(branch, "branch");
        return BlockPortions.putAgain(repository.blocks(), cids);
    }

    @Override
    public PushReply push(PushRequest request, CarExport export) {
        CarExport.Written unused = export.copyTo(repository.arrivals());
        return update(request);
    }

    @Override
    public void send(String branch, List<Block> blocks) {
        Objects.requireNonNull(branch, "branch");
        repository.arrivals().putAll(blocks);
    }

    @Override
    public List<Erasure> erasures() {
        return repository.maintenance().erasing().records();
    }

    @Override
    public void erase(List<Erasure> records) {
        Erasing erasing = repository.maintenance().erasing();
        List<Erasure> unused = erasing.take(records);
        List<Cid> unusedCids = erasing.finish();
    }

    /** Blocks that have arrived for a repository, and that it has not taken. */
    public interface Apart {
        /** Reads these blocks, and those of the repository. */
        BlockStore blocks();

        /**
         * Puts these blocks into the repository.
         *
         * @throws dev.pail.MissingBlockException if one of them is lost. Then the others are lost, too
         * @throws dev.pail.StoreDamagedException if others are lost. Then all are
         */
        void take();
    }

    /**
     * Moves a branch to a head whose blocks have been put into the repository. Rule SY6.
     *
     * @throws dev.pail.MissingBlockException if an event or a shard is not here. No branch has changed
     */
    public PushReply update(PushRequest request) {
        return update(request, null);
    }

    /**
     * Moves a branch to a head whose blocks are apart. Takes them only if the branch may move, and all events and shards are there. Rule
     * SY6.
     *
     * @throws dev.pail.MissingBlockException if an event or a shard is not here. No branch has changed, and no block has been taken
     */
    public PushReply update(PushRequest request, @Nullable Apart apart) {
        while (true) {
            Optional<PushReply> reply =
                    find(request.branch()).isPresent() ? tryMove(request, apart) : tryCreate(request, apart);
            if (reply.isPresent()) {
                return reply.get();
            }
        }
    }

    /** Returns nothing if another writer was faster. */
    private Optional<PushReply> tryCreate(PushRequest request, @Nullable Apart apart) {
        if (request.expected().isPresent() && request.mode() != PushMode.MERGE) {
            return Optional.of(
                    new PushReply(PushReply.Outcome.MOVED, new RemoteBranch(request.branch(), 0, Head.empty())));
        }
        take(request.head(), Head.empty(), apart);
        try {
            return Optional.of(done(repository.branches().create(request.branch(), request.head())));
        } catch (RepositoryException e) {
            if (e.reason() == RepositoryException.Reason.EXISTS
                    && repository.branches().contains(request.branch())) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static PushReply done(Snapshot snapshot) {
        return new PushReply(PushReply.Outcome.DONE, branch(snapshot));
    }

    /** Returns nothing if another writer was faster. */
    private Optional<PushReply> tryMove(PushRequest request, @Nullable Apart apart) {
        Snapshot now = repository.snapshot(request.branch());
        MerkleClock clock = MerkleClock.open(apart == null ? repository.blocks() : apart.blocks());
        // A push whose response was lost has been made.
        boolean isDone = request.mode().isForced()
                ? now.head().equals(request.head())
                : Heads.holds(clock, now.head(), request.head());
        if (isDone) {
            return Optional.of(done(now));
        }
        boolean isExpected = request.expected().isPresent()
                ? request.expected().get().fits(now.token())
                : now.head().isEmpty();
        boolean isForward = isExpected && Heads.holds(clock, request.head(), now.head());
        if (!isForward && request.mode() == PushMode.MERGE) {
            take(request.head(), now.head(), apart);
            return Optional.of(merge(request, now));
        }
        if (!isExpected || !request.fitsLog(repository.refs(), now)) {
            return Optional.of(new PushReply(PushReply.Outcome.MOVED, branch(now)));
        }
        if (!isForward && request.mode() == PushMode.FAST_FORWARD) {
            return Optional.of(new PushReply(PushReply.Outcome.NOT_FAST_FORWARD, branch(now)));
        }
        if (request.mode() != PushMode.CONVERT
                && new Divergence(clock.blocks(), request.head(), now.head()).isOfFormats()) {
            return Optional.of(new PushReply(PushReply.Outcome.OTHER_FORMAT, branch(now)));
        }
        take(request.head(), now.head(), apart);
        try {
            return Optional.of(done(repository.move(now, request.head(), request.reason())));
        } catch (HeadMovedException e) {
            return Optional.empty();
        }
    }

    /** Takes blocks that are apart, if all events and shards of a head are there that another head does not have. */
    private static void take(Head head, Head known, @Nullable Apart apart) {
        if (apart != null) {
            BlockStore blocks = apart.blocks();
            long unused = Heads.export(blocks, head, known).withoutValues().forEach(block -> {});
            apart.take();
        }
    }

    @Override
    public PushReply remove(String branch, RefToken expected) {
        if (find(branch).isEmpty()) {
            throw RemoteException.noBranch(
                    address, branch, repository.branches().names());
        }
        Snapshot now = repository.snapshot(branch);
        if (!expected.fits(now.token())) {
            return new PushReply(PushReply.Outcome.MOVED, branch(now));
        }
        try {
            repository.branches().remove(now);
            return new PushReply(PushReply.Outcome.DONE, new RemoteBranch(branch, now.generation(), Head.empty()));
        } catch (HeadMovedException e) {
            return new PushReply(PushReply.Outcome.MOVED, require(branch));
        } catch (RepositoryException e) {
            if (e.reason() != RepositoryException.Reason.IN_USE) {
                throw e;
            }
            throw new RemoteException(
                    RemoteException.Reason.KEPT,
                    String.valueOf(e.getMessage()) + ": " + address,
                    "a remote keeps main and its current branch",
                    e);
        }
    }

    @Override
    public List<RemoteTag> tags() {
        return repository.tags().names().stream()
                .flatMap(name -> findTag(name).stream())
                .toList();
    }

    private Optional<RemoteTag> findTag(String name) {
        return RefName.isValid(name)
                ? repository.tags().head(name).map(head -> new RemoteTag(name, head))
                : Optional.empty();
    }

    @Override
    public boolean pushTag(RemoteTag tag) {
        return pushTag(tag, null);
    }

    /**
     * As {@link #pushTag(RemoteTag)}, for blocks that are apart. Takes them only if the tag may be made, and all events and shards are there.
     * Rule SY20.
     */
    public boolean pushTag(RemoteTag tag, @Nullable Apart apart) {
        Optional<Head> now = repository.tags().head(tag.name());
        if (now.isPresent() || repository.branches().contains(tag.name())) {
            if (now.equals(Optional.of(tag.head()))) {
                return false;
            }
            throw RemoteException.tagExists(address, tag, null);
        }
        Head known = Head.empty();
        if (apart != null) {
            MerkleClock clock = MerkleClock.open(repository.blocks());
            for (Head head : repository.branches().heads().values()) {
                known = clock.merge(known, head);
            }
        }
        take(tag.head(), known, apart);
        try {
            repository.tags().create(tag.name(), tag.head());
            return true;
        } catch (RepositoryException e) {
            if (e.reason() == RepositoryException.Reason.EXISTS) {
                throw RemoteException.tagExists(address, tag, e);
            }
            throw e;
        }
    }

    /**
     * Returns a tag.
     *
     * @throws RemoteException if there is no tag of this name
     */
    public RemoteTag requireTag(String tag) {
        return findTag(tag).orElseThrow(() -> RemoteException.noTag(address, tag));
    }

    @Override
    public void removeTag(RemoteTag tag) {
        if (!requireTag(tag.name()).equals(tag)) {
            throw new RemoteException(
                    RemoteException.Reason.MOVED,
                    "the tag " + Escapes.brief(tag.name()) + " of " + address + " has another head",
                    "look at it first",
                    null);
        }
        repository.tags().remove(tag.name());
    }

    @Override
    public HeadNotes headNotes() {
        return repository.headNotes();
    }

    private PushReply merge(PushRequest request, Snapshot now) {
        Revision pushed = new Revision("push", Optional.of(request.head()), repository.pailAt(request.head()));
        try {
            MergeResult unused = repository.merge(request.branch(), pushed, MergeOptions.DEFAULT);
            return done(repository.snapshot(request.branch()));
        } catch (UnrelatedHistoriesException e) {
            return new PushReply(PushReply.Outcome.NOT_FAST_FORWARD, branch(now));
        }
    }

    @Override
    public void close() {
        if (closes) {
            repository.close();
        }
    }
}
