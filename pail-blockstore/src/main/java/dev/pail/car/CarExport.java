package dev.pail.car;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.ErasedBlockException;
import dev.pail.MalformedBlockException;
import dev.pail.MissingBlockException;
import dev.pail.OperationInterruptedException;
import dev.pail.StoreIOException;
import dev.pail.dag.CidSet;
import dev.pail.dag.DagWalk;
import dev.pail.dag.Link;
import dev.pail.dag.Links;
import dev.pail.dag.Seen;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An export of the blocks that some roots reach in a block store, or of some of them. A root is the root of a pail, any other block,
 * or an event of a merkle clock, which reaches all events before it and the pails that they name. The export includes values, and the
 * blocks that they link to in dag-cbor, CBOR, dag-pb, dag-json, dag-jose or git-raw, if the block store has them (G4).
 *
 * <p>The blocks are in the order of a walk that goes depth first, takes links as they are written in their block, and
 * comes to each block once (Rule CAR11), unless another order is asked for: equal contents make equal files. Memory is some 22 bytes for each block, some 100 for each on one
 * path, and at most 30 MB for links.
 *
 * <p>Immutable.
 *
 * <pre>{@code
 * try (OutputStream out = Files.newOutputStream(file)) {
 *     CarExport.Written written = CarExport.of(blocks, List.of(pail.root())).writeTo(out, file.toString());
 *     System.out.println(written.blocks() + " blocks; absent values: " + written.leftOut());
 * }
 * }</pre>
 */
public final class CarExport {
    private final BlockStore blocks;
    private final List<Cid> roots;
    private final List<Cid> since;
    private final List<Cid> first;
    private final Predicate<Link> isFollowed;
    private final Predicate<Cid> isSkipped;
    private final Consumer<Block> watcher;

    private CarExport(
            BlockStore blocks,
            List<Cid> roots,
            List<Cid> since,
            List<Cid> first,
            Predicate<Link> isFollowed,
            Predicate<Cid> isSkipped,
            Consumer<Block> watcher) {
        this.blocks = blocks;
        this.roots = List.copyOf(roots);
        this.since = List.copyOf(since);
        this.first = List.copyOf(first);
        this.isFollowed = isFollowed;
        this.isSkipped = isSkipped;
        this.watcher = watcher;
    }

    /**
     * The result of an export.
     *
     * @param blocks the number of blocks
     * @param size the number of bytes
     * @param leftOut the number of linked blocks that are not in the block store, or that cannot be verified
     * @param erased the number of linked blocks that were erased for good; they are not left out
     */
    public record Written(long blocks, long size, long leftOut, long erased) {}

    /** The linked blocks that are not in an export. */
    private record Without(long absent, long erased) {}

    /** Exports all blocks that these roots reach. */
    public static CarExport of(BlockStore blocks, List<Cid> roots) {
        return new CarExport(
                Objects.requireNonNull(blocks, "blocks"),
                roots,
                List.of(),
                List.of(),
                link -> true,
                cid -> false,
                block -> {});
    }

    /**
     * Returns this export without the blocks that an earlier root reaches, for a receiver that has all of them. It may still contain such
     * a block, if the two roots reach it in different places.
     */
    @CheckReturnValue
    public CarExport since(Cid root) {
        Objects.requireNonNull(root, "root");
        List<Cid> all = new ArrayList<>(since);
        all.add(root);
        return new CarExport(blocks, roots, all, first, isFollowed, isSkipped, watcher);
    }

    /**
     * Returns this export in another order: first all blocks below the first of these blocks, then those below the next one, and so on,
     * and the rest last. If these are events in the order in which they follow each other, each comes with its version before the next
     * event. Then even a truncated CAR has a history.
     *
     * @param first blocks that the roots reach
     */
    @CheckReturnValue
    public CarExport beginningWith(List<Cid> first) {
        return new CarExport(
                blocks, roots, since, Objects.requireNonNull(first, "first"), isFollowed, isSkipped, watcher);
    }

    /** Returns this export with an action for each exported block. Its exceptions end the export. */
    @CheckReturnValue
    public CarExport watched(Consumer<Block> watcher) {
        return new CarExport(
                blocks, roots, since, first, isFollowed, isSkipped, Objects.requireNonNull(watcher, "watcher"));
    }

    /** Returns this export without the blocks of values. */
    @CheckReturnValue
    public CarExport withoutValues() {
        return new CarExport(blocks, roots, since, first, isFollowed.and(Link::isNeeded), isSkipped, watcher);
    }

    /** Returns this export without the blocks that satisfy a predicate, and without the blocks that only those reach. */
    @CheckReturnValue
    public CarExport without(Predicate<Cid> left) {
        Objects.requireNonNull(left, "left");
        return new CarExport(
                blocks, roots, since, first, isFollowed.and(link -> !left.test(link.cid())), isSkipped, watcher);
    }

    /**
     * Returns this export without blocks that satisfy a predicate. Unlike with {@link #without}, those that only they reach stay: it is for
     * a receiver that has some blocks, and perhaps not what they link to.
     */
    @CheckReturnValue
    public CarExport skipping(Predicate<Cid> there) {
        Objects.requireNonNull(there, "there");
        // The last one first: it is asked about each block.
        return new CarExport(blocks, roots, since, first, isFollowed, there.or(isSkipped), watcher);
    }

    /** A sink that gets only those that are not skipped. */
    private Consumer<Block> unskipped(Consumer<Block> sink) {
        return block -> {
            if (!isSkipped.test(block.cid())) {
                sink.accept(block);
            }
        };
    }

    /**
     * Writes the CAR. Before the first described event, a section says what a reader must understand (CAR14). Flushes the stream, but does
     * not close it. If this fails, the stream has a part of a CAR.
     *
     * @param target the file or address, for messages; may be empty
     * @throws MissingBlockException if a root, a shard or an event is not in the block store
     * @throws CorruptBlockException if bytes do not match their CID
     * @throws MalformedBlockException if a link to a shard or an event leads to something else
     * @throws StoreIOException if reading or writing fails
     */
    public Written writeTo(OutputStream out, String target) {
        Objects.requireNonNull(out, "out");
        Objects.requireNonNull(target, "target");
        // Closing the writer would close the stream, which is not ours.
        @SuppressWarnings("resource")
        CarWriter writer = CarWriter.of(out, target, roots);
        Without without = walk(link -> true, unskipped(watcher.andThen(CarNeeds.writer(writer))));
        writer.flush();
        return new Written(writer.blocks(), writer.size(), without.absent, without.erased);
    }

    /**
     * Writes a CAR in which shards may be deltas to shards that the receiver has (CAR13), for {@link CarImport#ofDeltas}. Throws as
     * {@link #writeTo} does.
     */
    public Written writeDeltasTo(OutputStream out, String target) {
        Objects.requireNonNull(out, "out");
        Objects.requireNonNull(target, "target");
        // Closing the writer would close the stream, which is not ours.
        @SuppressWarnings("resource")
        CarWriter writer = CarWriter.of(out, target, roots);
        Seen earlier = earlier();
        DeltaSections sections = new DeltaSections(blocks, writer, earlier);
        Without without = walk(link -> true, unskipped(watcher.andThen(sections::write)), earlier);
        writer.flush();
        return new Written(writer.blocks(), writer.size(), without.absent, without.erased);
    }

    /**
     * Puts the blocks into a block store instead of a CAR. Throws as {@link #writeTo} does, and what the store throws; the store may then
     * have the blocks before the failure.
     */
    public Written copyTo(BlockStore target) {
        Objects.requireNonNull(target, "target");
        long[] sum = new long[2];
        List<Block> batch = new ArrayList<>();
        long[] size = new long[1];
        Without without = walk(link -> true, unskipped(watcher.andThen(block -> {
            sum[0]++;
            sum[1] += block.size();
            batch.add(block);
            size[0] += block.size();
            if (batch.size() >= CarImport.BATCH_BLOCKS || size[0] >= CarImport.BATCH_BYTES) {
                target.putAll(batch);
                batch.clear();
                size[0] = 0;
            }
        })));
        target.putAll(batch);
        return new Written(sum[0], sum[1], without.absent, without.erased);
    }

    /**
     * Passes the blocks to a sink, in their order. Throws as {@link #writeTo} does, and what the sink throws.
     *
     * @return the number of linked blocks that are not in the block store
     */
    public long forEach(Consumer<Block> sink) {
        Objects.requireNonNull(sink, "sink");
        return walk(link -> true, unskipped(watcher.andThen(sink))).absent;
    }

    /** Counts the linked blocks that {@link #writeTo} would leave out because they are missing, and were not erased. Skips blocks that cannot have links. */
    public long leftOut() {
        CidSet leaves = new CidSet();
        long[] absent = new long[1];
        Predicate<Link> counted = link -> {
            if (link.isNeeded() || Links.has(link.cid().codec())) {
                return true;
            }
            if (leaves.add(link.cid()) && !blocks.has(link.cid()) && !blocks.isErased(link.cid())) {
                absent[0]++;
            }
            return false;
        };
        return walk(counted, block -> {}).absent + absent[0];
    }

    /**
     * Gives the blocks to a sink and returns how many linked ones are not there.
     *
     * @param isRead tells of each link that belongs to the export whether its block is read
     */
    private Without walk(Predicate<Link> isRead, Consumer<Block> sink) {
        return walk(isRead, sink, earlier());
    }

    private @Nullable Seen earlier() {
        return since.isEmpty() ? null : ReceiverHas.of(blocks, since, roots);
    }

    private Without walk(Predicate<Link> isRead, Consumer<Block> sink, @Nullable Seen earlier) {
        Predicate<Link> followed = isFollowed;
        if (earlier != null) {
            followed = followed.and(link -> !earlier.contains(link));
        }
        long[] absent = new long[2];
        Consumer<Block> interruptible = block -> {
            OperationInterruptedException.check("an export");
            sink.accept(block);
        };
        DagWalk walk = new DagWalk(blocks, followed.and(isRead), interruptible, link -> {
            boolean isErased = blocks.isErased(link.cid());
            if (isErased && link.isNeeded()) {
                throw new ErasedBlockException(link.cid());
            }
            DagWalk.requireNeeded(link);
            absent[isErased ? 1 : 0]++;
        });
        first.forEach(root -> walk.run(List.of(root)));
        walk.run(roots);
        return new Without(absent[0], absent[1]);
    }
}
