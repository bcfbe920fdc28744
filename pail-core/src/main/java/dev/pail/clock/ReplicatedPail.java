package dev.pail.clock;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.Entry;
import dev.pail.KeyNotAllowedException;
import dev.pail.KeyRange;
import dev.pail.LimitException;
import dev.pail.MalformedBlockException;
import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.ipld.Cid;
import dev.pail.update.Derivable;
import dev.pail.update.Derivation;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A handle to one state of a pail that several replicas change on their own: the head of its clock, and its version of the map.
 * Each change stores an event and returns a handle to the next state; a merge with another head joins the changes of both replicas.
 * Replicas that hold the same events have the same pail.
 *
 * <p>If the head has several events, the pail is the version of their common ancestor, plus a replay of all later operations. All
 * replicas use the same order; of concurrent changes of one key, the last one in that order wins. The handle stores the shards of
 * this version.
 *
 * <p>Immutable, equal by head and root, and safe for use by several threads, if the block store is.
 *
 * <p>All methods that change or merge may throw {@link MissingBlockException}, {@link CorruptBlockException},
 * {@link MalformedBlockException} for the events and shards that they read,
 * {@link LimitException}, and {@link StoreIOException}.
 *
 * <pre>{@code
 * ReplicatedPail start = ReplicatedPail.create(blocks, ShardFormat.v1()).put("title", value);
 * ReplicatedPail phone = start.put("a", value);
 * ReplicatedPail laptop = start.put("b", value);
 * ReplicatedPail merged = phone.merge(laptop.head()); // has title, a and b
 * boolean isEqual = merged.root().equals(laptop.merge(phone.head()).root()); // true
 * }</pre>
 */
@CheckReturnValue
public final class ReplicatedPail extends Derivable {
    private final MerkleClock clock;
    private final Replay replay;
    private final Head head;

    /** The description of the events that changes of this state make; null for plain events. */
    private final @Nullable Description description;

    /** The trees of described events. */
    private final HistoryTrees trees;

    /** The map of the head; null until it is first asked for. */
    private volatile @Nullable Pail pail;

    /** @param pail null if the head is one event, which names the root: a merge may not need it */
    private ReplicatedPail(MerkleClock clock, Replay replay, Head head, @Nullable Pail pail) {
        this(clock, replay, head, null, HistoryTrees.none(), pail, null);
    }

    private ReplicatedPail(
            MerkleClock clock,
            Replay replay,
            Head head,
            @Nullable Description description,
            HistoryTrees trees,
            @Nullable Pail pail,
            @Nullable Derivation derivation) {
        super(derivation);
        this.clock = clock;
        this.replay = replay;
        this.head = head;
        this.description = description;
        this.trees = trees;
        this.pail = pail;
    }

    /** Creates an empty pail of the format of the specification, {@link ShardFormat#v0()}, without events. */
    public static ReplicatedPail create(BlockStore blocks) {
        return create(blocks, ShardFormat.v0());
    }

    /** Creates an empty pail without events. A merge with a head gives it the format of that head. */
    public static ReplicatedPail create(BlockStore blocks, ShardFormat format) {
        MerkleClock clock = MerkleClock.open(blocks);
        return new ReplicatedPail(
                clock, new Replay(clock, UnrelatedHistories.REFUSE), Head.empty(), Pail.create(blocks, format));
    }

    /** As {@link #open(MerkleClock, Head, UnrelatedHistories)}, for a head whose events have a common ancestor. */
    public static ReplicatedPail open(BlockStore blocks, Head head) {
        return open(MerkleClock.open(blocks), head, UnrelatedHistories.REFUSE);
    }

    /**
     * Opens the pail with a head. If the head has several events, this stores the shards of their version, so the block store must take
     * blocks. If it has one event, only {@link #pail()} reads the event and its root: a merge with a head that follows this one needs
     * neither.
     *
     * @param unrelated the treatment of histories without a common event, here and in later merges
     * @throws IllegalArgumentException if the head is empty: then the format is unknown
     * @throws UnrelatedHistoriesException if the head has such histories, and {@code unrelated} refuses them
     */
    public static ReplicatedPail open(MerkleClock clock, Head head, UnrelatedHistories unrelated) {
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(unrelated, "unrelated");
        if (head.isEmpty()) {
            throw new IllegalArgumentException("an empty head does not tell the format: create a pail instead");
        }
        Replay replay = new Replay(clock, unrelated);
        if (head.size() == 1) {
            return new ReplicatedPail(clock, replay, head, null);
        }
        Span span = clock.span(head, Head.empty());
        return new ReplicatedPail(clock, replay, span.head(), replay.pail(span));
    }

    /**
     * Returns the pail with this head and this map. Reads none of the events.
     *
     * @param head none of its events follows another
     * @param pail the version of the head, in the block store of the clock
     */
    public static ReplicatedPail of(MerkleClock clock, Head head, Pail pail, UnrelatedHistories unrelated) {
        Objects.requireNonNull(clock, "clock");
        return new ReplicatedPail(
                clock,
                new Replay(clock, Objects.requireNonNull(unrelated, "unrelated")),
                Objects.requireNonNull(head, "head"),
                Objects.requireNonNull(pail, "pail"));
    }

    /** Returns this pail with another treatment of histories without a common event. */
    public ReplicatedPail with(UnrelatedHistories unrelated) {
        Replay other = new Replay(clock, Objects.requireNonNull(unrelated, "unrelated"));
        return new ReplicatedPail(clock, other, head, description, trees, pail, Derivation.of(this));
    }

    /** Returns this pail over another block store, which must have its events and shards. */
    public ReplicatedPail in(BlockStore blocks) {
        MerkleClock other = MerkleClock.open(blocks);
        Pail known = pail;
        return new ReplicatedPail(
                other,
                replay.in(other),
                head,
                description,
                trees,
                known == null ? null : known.in(blocks),
                Derivation.in(blocks));
    }

    /**
     * Returns this pail, whose changes make {@linkplain Event#isDescribed described} events: those of this state and of all states that
     * follow from it. A merge makes no event. A batch of several events numbers its events (spec rule DE6).
     *
     * @param description without a part and a tree; one without any field makes events of single changes plain
     */
    public ReplicatedPail described(Description description) {
        if (description.part().isPresent() || description.tree().isPresent()) {
            throw new IllegalArgumentException("the description of a change has no part and no tree");
        }
        return new ReplicatedPail(clock, replay, head, description, trees, pail, Derivation.of(this));
    }

    /** Returns this pail, whose described events have the trees over the events before them. Without that, they have none. */
    public ReplicatedPail with(HistoryTrees trees) {
        Objects.requireNonNull(trees, "trees");
        return new ReplicatedPail(clock, replay, head, description, trees, pail, Derivation.of(this));
    }

    /** Returns this pail, whose changes make plain events. */
    public ReplicatedPail plain() {
        return new ReplicatedPail(clock, replay, head, null, trees, pail, Derivation.of(this));
    }

    /** Returns the description of new events; empty if they are plain. */
    public Optional<Description> description() {
        return Optional.ofNullable(description);
    }

    /**
     * Returns this state, and says to {@code Repository.change} that it is meant: what was derived from this state is dropped on purpose,
     * as with {@link Pail#unchanged}. Outside of an update, returns this.
     */
    public ReplicatedPail unchanged() {
        Derivation derivation = Derivation.of(this);
        return derivation == null
                ? this
                : new ReplicatedPail(clock, replay, head, description, trees, pail, derivation.meant());
    }

    /** The newest events. */
    public Head head() {
        return head;
    }

    /** Returns the map in this state. For a head of one event, its root is the one that the event names. Rule M16. */
    public Pail pail() {
        Pail known = pail;
        if (known == null) {
            // Another thread may do the same, and comes to an equal one.
            known = head.size() == 1
                    ? Pail.open(clock.blocks(), clock.root(head.events().get(0)))
                    : replay.pail(clock.span(head, Head.empty()));
            pail = known;
        }
        return known;
    }

    /** Returns the clock of the events. */
    public MerkleClock clock() {
        return clock;
    }

    /** The CID of the root shard of {@link #pail()}. */
    public Cid root() {
        return pail().root();
    }

    /** The value of a key, if it has one: {@link Pail#get}. */
    public Optional<Cid> get(String key) {
        return pail().get(key);
    }

    /** All entries in the order of their keys: {@link Pail#entries()}. */
    public Stream<Entry> entries() {
        return pail().entries();
    }

    /** The entries of a range, in the order of its direction: {@link Pail#entries(KeyRange)}. */
    public Stream<Entry> entries(KeyRange range) {
        return pail().entries(range);
    }

    /**
     * Returns the state in which a key has a value: this one, if it already has the value.
     *
     * @throws KeyNotAllowedException if the format does not take the key
     * @throws LimitException if the format has no room for the key
     */
    public ReplicatedPail put(String key, Cid value) {
        return then(new Operation.Put(key, value), pail().put(key, value));
    }

    /**
     * Returns the state without a key: this one, if the key is not there.
     *
     * @throws KeyNotAllowedException if the key has a lone surrogate
     */
    public ReplicatedPail delete(String key) {
        return then(new Operation.Delete(key), pail().delete(key));
    }

    /** The state after a put or a delete, which is no event if the root stays. Rule M19. */
    private ReplicatedPail then(Operation operation, Pail next) {
        return next.root().equals(pail().root()) ? this : follow(operation, next, description);
    }

    /** Begins a batch: several changes at once. */
    public ReplicatedBatch batch() {
        return new ReplicatedBatch(this);
    }

    /** The state after one more event, which is stored. */
    ReplicatedPail follow(Operation operation, Pail next, @Nullable Description described) {
        Event event = described == null
                ? Event.of(operation, next.root(), head.events())
                : trees.event(clock.blocks(), operation, next.root(), head, described);
        clock.store(event);
        return new ReplicatedPail(clock, replay, Head.of(event.cid()), description, trees, next, Derivation.next(this));
    }

    /** Returns the state that also holds an event and all that it follows: a {@link #merge} with a head of this event. */
    public ReplicatedPail advance(Cid event) {
        Objects.requireNonNull(event, "event");
        return merge(Head.of(event));
    }

    /**
     * Returns the state that holds all events of this state and of another head: this one, if it already does. The new events of the
     * other head, and the shards of their versions, must be in the block store of this state.
     *
     * <p>This merges each key alone. If keys depend on each other, as in tables, use {@code Repository.merge} with
     * {@link dev.pail.MergeRules}.
     *
     * @throws UnrelatedHistoriesException if the histories have no common event, and this pail refuses that
     * @throws ReplayException if the pail refuses a concurrent operation
     */
    public ReplicatedPail merge(Head other) {
        Span span = clock.join(head, other);
        Head joined = span.head();
        return joined.equals(head)
                ? this
                : new ReplicatedPail(
                        clock, replay, joined, description, trees, replay.pail(span), Derivation.next(this));
    }

    /**
     * Reverts the changes of an event: returns the state in which its keys have the values from before it (spec rule M21). A new event
     * after this state does that. Returns this state, if the keys already have these values.
     *
     * @param policy for keys that were changed since: the base is the value that the event gave, ours the value in this state, theirs the
     *     value before the event
     * @throws IllegalArgumentException if this state does not hold the event
     * @throws MergeConflictException if a key was changed since, and the policy is to fail
     */
    public ReplicatedPail revert(Cid event, MergePolicy policy) {
        Objects.requireNonNull(event, "event");
        return revert(List.of(event), policy);
    }

    /**
     * Reverts the changes of several events at once, as {@link #revert(Cid, MergePolicy)} does those of one. A batch that does not fit in
     * one event makes several: see {@link #parts}.
     *
     * @param events each has the one before as its only parent
     * @throws IllegalArgumentException if there is none, or this state does not hold the last, or they do not follow one another
     * @throws MergeConflictException if a key was changed since, and the policy is to fail
     */
    public ReplicatedPail revert(List<Cid> events, MergePolicy policy) {
        Objects.requireNonNull(policy, "policy");
        if (events.isEmpty()) {
            throw new IllegalArgumentException("no events to revert");
        }
        Cid last = events.get(events.size() - 1);
        if (!clock.contains(head, last)) {
            throw new IllegalArgumentException("the event is not in the history of this state: " + last);
        }
        List<Event> all = events.stream().map(clock::event).toList();
        for (int i = 1; i < all.size(); i++) {
            if (!all.get(i).parents().equals(List.of(events.get(i - 1)))) {
                throw new IllegalArgumentException("the event does not follow the one before alone: " + events.get(i));
            }
        }
        return new Revert(this, all).by(policy);
    }

    /**
     * Returns the events of the change that an event is of, in their order, with the event among them. A batch that does not
     * fit in one event makes several, one after the other (spec rule M7). Described events number them. Plain events do not say which
     * batch made them: these are the events that may be of the same batch, and two batches in a row look like one, if the first filled its
     * last event.
     *
     * @throws IllegalArgumentException if this state does not hold the event
     */
    public List<Cid> parts(Cid event) {
        Objects.requireNonNull(event, "event");
        if (!clock.contains(head, event)) {
            throw new IllegalArgumentException("the event is not in the history of this state: " + event);
        }
        return new BatchParts(clock, head, clock.event(event)).all();
    }

    /** The state after a single change; this one, if that changes nothing. */
    ReplicatedPail change(String key, Optional<Cid> value) {
        return value.map(cid -> put(key, cid)).orElseGet(() -> delete(key));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ReplicatedPail replica
                && head.equals(replica.head)
                && pail().root().equals(replica.root());
    }

    @Override
    public int hashCode() {
        return head.hashCode();
    }

    /** The head, and the pail if it was read. */
    @Override
    public String toString() {
        Pail known = pail;
        return (known == null ? "pail" : known) + " at [" + head + "]";
    }
}
