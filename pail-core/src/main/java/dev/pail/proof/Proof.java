package dev.pail.proof;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.KeyRange;
import dev.pail.LimitException;
import dev.pail.MalformedBlockException;
import dev.pail.MissingBlockException;
import dev.pail.ReadOnlyPail;
import dev.pail.ShardFormat;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.proof.form.ProofForm;
import dev.pail.unsafe.UnsafeBlocks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A CAR of version 1 with the root of a version and exactly the shards that one query reads. A reader that knows the root, and asks the
 * same query, checks the answer without a block store.
 *
 * <p>A proof shows the CID that a key has. It does not hold the block of that CID: compare its hash with the CID yourself.
 *
 * <p>In v1 and v2 a proof of a key is a few kilobytes. In v0 it has whole shards of up to {@code maxSize} bytes, 512 KiB by default.
 *
 * <p>Immutable and safe for use by several threads.
 *
 * <pre>{@code
 * byte[] sent = pail.prove("title").bytes(); // at the side that has the blocks
 * Answer answer = Proof.read(sent).verify(pail.root(), new Query.Key("title")); // at the side that has the root
 * }</pre>
 */
public final class Proof {
    private final List<Cid> roots;
    private final Map<Cid, byte[]> blocks;
    private final ProofLimits limits;

    /** @param blocks in their order; not copied, nor compared with their CIDs */
    Proof(List<Cid> roots, Map<Cid, byte[]> blocks, ProofLimits limits) {
        this.roots = List.copyOf(roots);
        this.blocks = blocks;
        this.limits = limits;
    }

    /**
     * Makes a proof of the answer to a query of the version with a root, as {@link dev.pail.Pail#prove}.
     *
     * @throws LimitException if it is larger than the limits
     */
    public static Proof of(BlockStore blocks, Cid root, Query query, ProofLimits limits) {
        Objects.requireNonNull(query, "query");
        Objects.requireNonNull(blocks, "blocks");
        return made(
                List.of(Objects.requireNonNull(root, "root")),
                blocks::getChecked,
                limits,
                pails -> new Asking(limits.answer()).answer(pails.get(0), query));
    }

    /**
     * Makes a proof of the differences between two versions in the keys of a range. The versions may have different formats and block
     * stores.
     *
     * @param blocks of the earlier version
     * @param before the root of the earlier version
     * @param others the blocks of the later version
     * @param after the root of the later version
     * @throws LimitException if it is larger than the limits
     */
    public static Proof ofDiff(
            BlockStore blocks, Cid before, BlockStore others, Cid after, KeyRange range, ProofLimits limits) {
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(others, "others");
        Objects.requireNonNull(range, "range");
        return made(
                List.of(Objects.requireNonNull(before, "before"), Objects.requireNonNull(after, "after")),
                cid -> blocks.getChecked(cid).or(() -> others.getChecked(cid)),
                limits,
                pails -> new Asking(limits.answer()).changes(pails.get(0), pails.get(1), range));
    }

    private static Proof made(
            List<Cid> roots,
            Function<Cid, Optional<Block>> source,
            ProofLimits limits,
            Function<List<ReadOnlyPail>, Answer> asking) {
        ReadBlocks read = new ReadBlocks(source, Objects.requireNonNull(limits, "limits"));
        List<ReadOnlyPail> opened =
                roots.stream().map(root -> ReadOnlyPail.open(read, root)).toList();
        // What it reads is the proof; the answer is for those who verify it.
        Answer unused = asking.apply(opened);
        Map<Cid, byte[]> blocks = new LinkedHashMap<>();
        order(opened, read.cids()).forEach(cid -> blocks.put(cid, UnsafeBlocks.bytes(read.require(cid))));
        return new Proof(roots.stream().distinct().toList(), blocks, limits);
    }

    /** The order of the blocks of a proof. Rule PF5. */
    private static List<Cid> order(List<ReadOnlyPail> pails, Set<Cid> read) {
        List<Cid> order = new ArrayList<>();
        Set<Cid> due = new HashSet<>(read);
        for (ReadOnlyPail pail : pails) {
            List<Cid> next = pail.preOrder(due);
            order.addAll(next);
            next.forEach(due::remove);
        }
        return order;
    }

    /**
     * Reads a proof of at most {@link ProofLimits#DEFAULT}. It proves nothing before {@link #verify}.
     *
     * @throws MalformedDataException if the bytes do not have the form of a proof (spec rules PF1 to PF3), or are too many
     */
    public static Proof read(byte[] bytes) {
        return read(bytes, ProofLimits.DEFAULT);
    }

    /**
     * Reads a proof. It proves nothing before {@link #verify}.
     *
     * @param limits for the proof and for the answers
     * @throws MalformedDataException if the bytes do not have the form of a proof (spec rules PF1 to PF3), or are too many
     */
    public static Proof read(byte[] bytes, ProofLimits limits) {
        ProofForm.Content content =
                ProofForm.decode(Objects.requireNonNull(bytes, "bytes"), limits.bytes(), limits.blocks());
        return new Proof(content.roots(), content.blocks(), limits);
    }

    /** The proof as a CAR of version 1. */
    public byte[] bytes() {
        return ProofForm.encode(roots, blocks);
    }

    /** Returns the roots that the proof itself names: one, or two for a diff. They are not checked. */
    public List<Cid> roots() {
        return roots;
    }

    /** Returns the CIDs of its blocks, in their order. */
    public List<Cid> blocks() {
        return List.copyOf(blocks.keySet());
    }

    /**
     * Verifies the proof and returns the answer of the version with this root. Checks each block against its CID and against every rule
     * of shards.
     *
     * @param root from a source that you trust, never from {@link #roots}
     * @return {@link Answer.Invalid} also for the proof of another query
     */
    public Answer verify(Cid root, Query query) {
        Objects.requireNonNull(query, "query");
        return verify(root, format -> query);
    }

    /**
     * Verifies a query that depends on the format of the version, as a key of a namespace does. The block of the root has the format.
     *
     * <pre>{@code
     * List<Name> users = List.of(Name.of("users"));
     * Answer ann = Proof.read(Files.readAllBytes(file))
     *     .verify(pail.root(), format -> new Query.Key(format.keyCodec().encode(users, Name.of("ann"))));
     * }</pre>
     *
     * @param root from where you trust it, never from {@link #roots}
     * @param query not called if the block of the root is missing, corrupt or malformed
     * @return {@link Answer.Invalid} also for the proof of another query
     */
    public Answer verify(Cid root, Function<ShardFormat, Query> query) {
        Objects.requireNonNull(query, "query");
        return verified(List.of(Objects.requireNonNull(root, "root")), pails -> {
            ReadOnlyPail pail = pails.get(0);
            return new Asking(limits.answer()).answer(pail, Objects.requireNonNull(query.apply(pail.format())));
        });
    }

    /**
     * Verifies the proof and returns the differences between the versions with these roots, in the keys of a range.
     *
     * @param before the root of the earlier version, from a source that you trust
     * @param after the root of the later version, from a source that you trust
     * @return {@link Answer.Changes} or {@link Answer.Invalid}
     */
    public Answer verifyDiff(Cid before, Cid after, KeyRange range) {
        Objects.requireNonNull(range, "range");
        return verified(
                List.of(Objects.requireNonNull(before, "before"), Objects.requireNonNull(after, "after")),
                pails -> new Asking(limits.answer()).changes(pails.get(0), pails.get(1), range));
    }

    private Answer verified(List<Cid> expected, Function<List<ReadOnlyPail>, Answer> asking) {
        Cid root = expected.get(0);
        // Rule PF10.
        if (!expected.stream().distinct().toList().equals(roots)) {
            return new Answer.Invalid(root, "the proof is of other roots (PF10): " + roots);
        }
        ReadBlocks read = new ReadBlocks(this::block, limits);
        try {
            List<ReadOnlyPail> pails =
                    expected.stream().map(each -> ReadOnlyPail.open(read, each)).toList();
            Answer answer = asking.apply(pails);
            return unneeded(read.cids())
                    .or(() -> misplaced(order(pails, read.cids())))
                    .orElse(answer);
        } catch (MissingBlockException e) {
            return new Answer.Invalid(e.cid(), "the query reads this block, and the proof lacks it (PF4)");
        } catch (CorruptBlockException e) {
            return new Answer.Invalid(e.cid(), "the bytes of this block do not match its CID (PF11)");
        } catch (MalformedBlockException e) {
            return new Answer.Invalid(e.cid(), e.rule() + ", at byte " + e.offset() + " of this block");
        } catch (LimitException e) {
            return new Answer.Invalid(root, "more than " + e.limit());
        }
    }

    /** The block of this name, compared with it. Rule PF11. */
    private Optional<Block> block(Cid cid) {
        return Optional.ofNullable(blocks.get(cid)).map(bytes -> UnsafeBlocks.verified(cid, bytes));
    }

    /** Refuses a block that the query did not read. Rule PF4. */
    private Optional<Answer> unneeded(Set<Cid> read) {
        return blocks.keySet().stream()
                .filter(cid -> !read.contains(cid))
                .findFirst()
                .map(cid -> new Answer.Invalid(cid, "the query does not read this block (PF4)"));
    }

    private Optional<Answer> misplaced(List<Cid> order) {
        Iterator<Cid> expected = order.iterator();
        return blocks.keySet().stream()
                .filter(cid -> !cid.equals(expected.next()))
                .findFirst()
                .map(cid -> new Answer.Invalid(cid, "another block comes before this one (PF5)"));
    }

    /** The roots and the number of blocks. */
    @Override
    public String toString() {
        return "proof of " + roots + ", blocks: " + blocks.size();
    }
}
