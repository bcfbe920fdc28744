package dev.pail;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.Layout;
import dev.pail.shard.Lookup;
import dev.pail.shard.ShardTree;
import dev.pail.shard.Shards;
import dev.pail.walk.DiffWalk;
import dev.pail.walk.EntryWalk;
import dev.pail.walk.ShardOrder;
import dev.pail.walk.Walk;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A version that is only read: what a proof needs of one. A {@link Pail} has all of it, and changes. Immutable and safe for use by several
 * threads. The methods that read throw as those of {@link Pail}.
 *
 * <pre>{@code
 * ReadOnlyPail version = ReadOnlyPail.open(blocks, pail.root());
 * Optional<Cid> title = version.get("title");
 * }</pre>
 */
public final class ReadOnlyPail {
    private final ShardTree tree;

    private ReadOnlyPail(ShardTree tree) {
        this.tree = tree;
    }

    /**
     * Opens the version with a root. Reads its format from the root shard.
     *
     * @throws MissingBlockException if the root is not in the store
     * @throws MalformedBlockException if it is not a root shard
     */
    public static ReadOnlyPail open(BlockStore blocks, Cid root) {
        return new ReadOnlyPail(tree(blocks, root));
    }

    /** Reads the root shard, and finds out its format. */
    static ShardTree tree(BlockStore blocks, Cid root) {
        Objects.requireNonNull(blocks, "blocks");
        Block block = rootBlock(blocks, root);
        Layout likely = Layout.likely(block);
        if (likely != null) {
            try {
                return tree(blocks, block, likely);
            } catch (MalformedBlockException e) {
                // The detection says more of what is wrong.
            }
        }
        return tree(blocks, block, Layout.detect(block));
    }

    private static ShardTree tree(BlockStore blocks, Block root, Layout layout) {
        Shards shards = shards(blocks, layout);
        return new ShardTree(shards, shards.decoded(root));
    }

    /** The block of a root, if its CID can be one. */
    static Block rootBlock(BlockStore blocks, Cid root) {
        if (!root.isShardLink()) {
            throw MalformedBlockException.ofShard(root, 0, "a shard is a dag-cbor block named by SHA2-256 (S1)");
        }
        return blocks.require(root);
    }

    static Shards shards(BlockStore blocks, Layout layout) {
        return blocks instanceof SharedShards shared
                ? new Shards(blocks, layout, shared.shardCache().shards(), shared.entryCounts())
                : new Shards(blocks, layout, ShardCache.ofDefaultWeight().shards());
    }

    /** Returns the CID of the root shard. */
    public Cid root() {
        return tree.root().cid;
    }

    /** Returns the format of the shards. */
    public ShardFormat format() {
        return new ShardFormat(tree.shards().layout);
    }

    /** Returns the value of a key, if it has one. */
    public Optional<Cid> get(String key) {
        return Optional.ofNullable(Lookup.find(tree, KeyBytes.of(key)));
    }

    /** Returns the entries in a range, in its direction. Lazy, as {@link Pail#entries(KeyRange)}. */
    public Stream<Entry> entries(KeyRange range) {
        Objects.requireNonNull(range, "range");
        return Walk.stream(() -> new EntryWalk(tree, range.interval(), range.direction()));
    }

    /** Returns the keys in a range whose values another version changed. Lazy, as {@link PailDiff#keys}. */
    public Stream<KeyChange> changes(ReadOnlyPail next, KeyRange range) {
        Objects.requireNonNull(range, "range");
        return root().equals(next.root())
                ? Stream.empty()
                : Walk.stream(() -> new DiffWalk(tree, next.tree, range.interval(), null));
    }

    /** Returns the given shards in the order of {@link Pail#preOrder}. */
    public List<Cid> preOrder(Set<Cid> shards) {
        return ShardOrder.preOrder(tree, Objects.requireNonNull(shards, "shards"));
    }

    /** The format and the root. */
    @Override
    public String toString() {
        return "ReadOnlyPail " + format().name() + " " + root();
    }
}
