package dev.pail.clock;

import dev.pail.LimitException;
import dev.pail.MalformedBlockException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.unsafe.UnsafeBlocks;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A change of a replicated pail: the operation, the resulting root, and the events that it follows. Spec rules M1 to M7 define
 * its block.
 *
 * <p>Immutable, equal by its CID.
 *
 * <pre>{@code
 * Event event = Event.of(new Operation.Put("title", value), pail.put("title", value).root(), List.of());
 * blocks.put(event.block());
 * Event same = Event.fromBlock(blocks.require(event.cid()));
 * List<Cid> parents = same.parents(); // []: the first event of a clock
 * }</pre>
 */
public final class Event {
    /** The maximum number of parents of an event. Rule M6. */
    public static final int MAX_PARENTS = 1000;

    private final Block block;
    private final Cid root;
    private final List<Cid> parents;

    /** Decoded when it is first asked for; by two threads at once, each finds one that is equal. */
    private volatile @Nullable Operation operation;

    /** Null for a plain event, and for one that was read from a block. */
    private final @Nullable Description description;

    /** Where the map of the description begins in a block that was read; 0 if there is none. */
    private final int describedAt;

    private Event(
            Block block,
            @Nullable Operation operation,
            Cid root,
            List<Cid> parents,
            @Nullable Description description,
            int describedAt) {
        this.block = block;
        this.operation = operation;
        this.root = root;
        this.parents = parents;
        this.description = description;
        this.describedAt = describedAt;
    }

    /**
     * Makes a new event without a description. The order of the parents makes no difference.
     *
     * @param root the root of the pail after the operation
     * @param parents the events that it follows
     * @throws IllegalArgumentException if the root cannot name a shard, or a parent cannot name an event
     * @throws LimitException if it has more than {@link #MAX_PARENTS} parents, or its block would be larger than
     *     {@link Block#MAX_SIZE}
     */
    public static Event of(Operation operation, Cid root, Collection<Cid> parents) {
        return make(operation, root, parents, null);
    }

    /** As {@link #of(Operation, Cid, Collection)}, with a description. A description without any field makes a plain event. */
    public static Event of(Operation operation, Cid root, Collection<Cid> parents, Description description) {
        return make(operation, root, parents, DescriptionCodec.fields(description) > 0 ? description : null);
    }

    private static Event make(
            Operation operation, Cid root, Collection<Cid> parents, @Nullable Description description) {
        Objects.requireNonNull(operation, "operation");
        Objects.requireNonNull(parents, "parents");
        if (!root.isShardLink()) {
            throw new IllegalArgumentException("a root is dag-cbor, named by SHA2-256 (S1): " + root);
        }
        // Rule M5.
        List<Cid> sorted = Head.of(parents).events();
        if (sorted.size() > MAX_PARENTS) {
            throw LimitException.ofClock(
                    "an event has " + MAX_PARENTS + " parents at most, not " + sorted.size() + " (M6)");
        }
        Block block = EventEncoder.encode(operation, root, sorted, description);
        return new Event(block, operation, root, sorted, description, 0);
    }

    /**
     * Reads the event in a block.
     *
     * @throws MalformedBlockException if the block is no event
     */
    public static Event fromBlock(Block block) {
        return EventDecoder.decode(block);
    }

    /** A well-formed event that was read from a block. Its operation is decoded later. */
    static Event decoded(Block block, Cid root, List<Cid> parents, int describedAt) {
        return new Event(block, null, root, List.copyOf(parents), null, describedAt);
    }

    /**
     * Checks the name of an event. Rule M1.
     *
     * @throws IllegalArgumentException if a CID cannot name an event
     */
    static void checkName(Cid event) {
        if (!event.isShardLink()) {
            throw new IllegalArgumentException("an event is dag-cbor, named by SHA2-256 (M1): " + event);
        }
    }

    /** Returns the CID of the event's block. */
    public Cid cid() {
        return block.cid();
    }

    /** The event as a block. */
    public Block block() {
        return block;
    }

    /** Returns the operation. */
    public Operation operation() {
        Operation decoded = operation;
        if (decoded == null) {
            decoded = EventDecoder.operation(block);
            operation = decoded;
        }
        return decoded;
    }

    /** Returns whether the event has a description. */
    public boolean isDescribed() {
        return description != null || describedAt != 0;
    }

    /** Returns the description of the event: nothing for a plain event. An event that was read decodes it each time. */
    public Optional<Description> description() {
        return describedAt == 0
                ? Optional.ofNullable(description)
                : Optional.of(DescriptionCodec.read(UnsafeBlocks.bytes(block), describedAt));
    }

    /** Returns whether another event continues the change: this is a part of it, and not the last (spec rule DE6). */
    public boolean isContinued() {
        return description()
                .flatMap(Description::part)
                .filter(part -> !part.isLast())
                .isPresent();
    }

    /** The root of the pail after the operation, as the author of the event claims it. */
    public Cid root() {
        return root;
    }

    /** Returns the events that it follows, in the order of the block; none for a first event. */
    public List<Cid> parents() {
        return parents;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Event event && block.equals(event.block);
    }

    @Override
    public int hashCode() {
        return block.hashCode();
    }

    /** The CID, the number of changes and the number of parents. */
    @Override
    public String toString() {
        return cid() + " (changes: " + operation().changes().size() + ", parents: " + parents.size() + ")";
    }
}
