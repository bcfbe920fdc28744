package dev.pail.clock.proof;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.LimitException;
import dev.pail.MalformedBlockException;
import dev.pail.MissingBlockException;
import dev.pail.clock.Description;
import dev.pail.clock.Event;
import dev.pail.clock.HistoryTree;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.proof.Answer;
import dev.pail.proof.ProofLimits;
import dev.pail.proof.form.ProofForm;
import dev.pail.unsafe.UnsafeBlocks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A CAR of version 1 which shows that one event follows another: a list of steps from the newer event to the older. A step is a link to
 * a parent, or a path in the tree over the events before an event. Spec rules PF13 to PF17 define it.
 *
 * <p>Immutable and safe for use by several threads.
 *
 * <pre>{@code
 * ReplicatedPail before = ReplicatedPail.create(blocks, ShardFormat.v1()).put("a", value);
 * Cid older = before.head().events().get(0);
 * Cid newer = before.put("b", value).head().events().get(0);
 * byte[] sent = FollowsProof.of(blocks, newer, older, ProofLimits.DEFAULT).orElseThrow().bytes();
 * Optional<Answer.Invalid> wrong = FollowsProof.read(sent, ProofLimits.DEFAULT).verify(newer, older); // empty: it follows
 * }</pre>
 */
public final class FollowsProof {
    private final Cid root;
    private final Map<Cid, byte[]> blocks;

    private FollowsProof(Cid root, Map<Cid, byte[]> blocks) {
        this.root = root;
        this.blocks = blocks;
    }

    /**
     * Makes a proof with as few steps as there are. A step takes the tree of an event only if it is the tree of the events in the store.
     *
     * @param from the newer event
     * @param follows the older event
     * @return empty if the newer event does not follow the older, also if they are the same
     * @throws MissingBlockException if an event on the way is missing
     * @throws LimitException if the proof is larger than the limits, or the history has more events than fit in memory
     */
    public static Optional<FollowsProof> of(BlockStore blocks, Cid from, Cid follows, ProofLimits limits) {
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(follows, "follows");
        return new StepSearch(blocks, from, follows).steps().map(steps -> made(blocks, new Steps(from, steps), limits));
    }

    private static FollowsProof made(BlockStore blocks, Steps steps, ProofLimits limits) {
        List<Cid> events = steps.events();
        check(events.size() < limits.blocks(), limits);
        Block list = UnsafeBlocks.of(Cid.DAG_CBOR, steps.encode());
        Map<Cid, byte[]> all = new LinkedHashMap<>();
        all.put(list.cid(), UnsafeBlocks.bytes(list));
        long size = ProofForm.MAX_HEADER + (long) ProofForm.sectionSize(list.size());
        for (Cid event : events) {
            Block block = blocks.require(event);
            all.put(event, UnsafeBlocks.bytes(block));
            size += ProofForm.sectionSize(block.size());
            check(size <= limits.bytes(), limits);
        }
        return new FollowsProof(list.cid(), all);
    }

    private static void check(boolean isWithin, ProofLimits limits) {
        if (!isWithin) {
            throw LimitException.ofProof(
                    "a proof of at most " + limits.blocks() + " blocks and " + limits.bytes() + " bytes (PF12)");
        }
    }

    /**
     * Reads a proof. It proves nothing before {@link #verify}.
     *
     * @throws MalformedDataException if the bytes do not have the form of a proof (spec rules PF1, PF3 and PF13), or are too many
     */
    public static FollowsProof read(byte[] bytes, ProofLimits limits) {
        ProofForm.Content content =
                ProofForm.decode(Objects.requireNonNull(bytes, "bytes"), limits.bytes(), limits.blocks());
        // Rule PF13.
        if (content.roots().size() != 1) {
            throw MalformedDataException.ofProof(0, "the proof of an event has one root (PF13)");
        }
        return new FollowsProof(content.roots().get(0), content.blocks());
    }

    /** The proof as a CAR of version 1. */
    public byte[] bytes() {
        return ProofForm.encode(List.of(root), blocks);
    }

    /** Returns the CIDs of its blocks, in their order: the list of steps, then events. */
    public List<Cid> blocks() {
        return List.copyOf(blocks.keySet());
    }

    /**
     * Returns the number of its steps that take the tree of an event. With none, the links of events alone show what the proof shows. With
     * some, the writers of these events have said it: see the package.
     *
     * @throws MalformedDataException if the first block is no list of steps; never after {@link #verify} found nothing wrong
     */
    public int trees() {
        byte[] list = blocks.get(root);
        return list == null
                ? 0
                : (int) Steps.decode(list).steps().stream()
                        .filter(Steps.Step::isJump)
                        .count();
    }

    /**
     * Verifies the proof.
     *
     * @param from the newer event, from a source that you trust
     * @param follows the older event
     * @return empty if the newer event follows the older. Otherwise the reason why the proof does not show it
     */
    public Optional<Answer.Invalid> verify(Cid from, Cid follows) {
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(follows, "follows");
        try {
            return refused(from, follows);
        } catch (MissingBlockException e) {
            return invalid(e.cid(), "a step needs this block, and the proof lacks it (PF15)");
        } catch (CorruptBlockException e) {
            return invalid(e.cid(), "the bytes of this block do not match its CID (PF16)");
        } catch (MalformedBlockException e) {
            return invalid(e.cid(), e.rule() + ", at byte " + e.offset() + " of this block");
        } catch (MalformedDataException e) {
            return invalid(root, e.rule() + ", at byte " + e.offset() + " of this block");
        }
    }

    /** Rule PF16. */
    private Optional<Answer.Invalid> refused(Cid from, Cid follows) {
        Steps steps = Steps.decode(UnsafeBlocks.bytes(require(root)));
        if (!steps.from().equals(from)) {
            return invalid(from, "the proof is of another newer event (PF16): " + steps.from());
        }
        if (!steps.follows().equals(follows)) {
            return invalid(follows, "the proof is of another older event (PF16): " + steps.follows());
        }
        List<Cid> order = new ArrayList<>(List.of(root));
        order.addAll(steps.events());
        Cid at = from;
        for (Steps.Step step : steps.steps()) {
            if (!isStep(Event.fromBlock(require(at)), step)) {
                return invalid(
                        at,
                        step.isJump()
                                ? "the tree of this event does not have the event of the step (PF16): " + step.to()
                                : "this event has no such parent (PF16): " + step.to());
            }
            at = step.to();
        }
        // Rule PF15.
        return order.equals(blocks())
                ? Optional.empty()
                : invalid(root, "the blocks are the steps and their events, in this order (PF15)");
    }

    private static boolean isStep(Event event, Steps.Step step) {
        if (!step.isJump()) {
            return event.parents().contains(step.to());
        }
        Optional<Description.Tree> tree = event.description().flatMap(Description::tree);
        return tree.isPresent()
                && HistoryTree.has(tree.get().root(), tree.get().size(), step.index(), step.to(), step.path());
    }

    private Block require(Cid cid) {
        byte[] bytes = blocks.get(cid);
        if (bytes == null) {
            throw new MissingBlockException(cid);
        }
        return UnsafeBlocks.verified(cid, bytes);
    }

    private static Optional<Answer.Invalid> invalid(Cid cid, String reason) {
        return Optional.of(new Answer.Invalid(cid, reason));
    }

    /** The number of blocks. */
    @Override
    public String toString() {
        return "proof of an event, blocks: " + blocks.size();
    }
}
