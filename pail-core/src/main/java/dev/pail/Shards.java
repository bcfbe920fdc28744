package dev.pail;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsafeBlocks;
import java.util.ArrayList;
import java.util.List;

/** The shards of all versions of a pail: loads them from a block store, and stores new ones there. */
final class Shards {
    final BlockStore blocks;
    final ShardFormat format;
    private final ShardCache cache;

    Shards(BlockStore blocks, ShardFormat format) {
        this.blocks = blocks;
        this.format = format;
        this.cache = ShardCache.ofDefaultWeight();
    }

    /**
     * The shard that a ref links to.
     *
     * @param prefix the path on which the ref was found
     * @throws MissingBlockException if it is not there
     * @throws CorruptBlockException if its bytes do not match its CID
     * @throws MalformedShardException if it breaks a rule of the format
     */
    Shard load(ShardRef ref, KeyBytes prefix) {
        Shard shard = ref.shard;
        if (shard == null) {
            shard = ShardDecoder.decode(format, block(blocks, ref.cid), prefix);
            cache.hold(ref, shard);
        } else if (!ref.used) {
            ref.used = true;
        }
        return shard;
    }

    /**
     * The block of this name.
     *
     * @throws MissingBlockException if it is not there
     * @throws CorruptBlockException if its bytes do not match its CID
     */
    static Block block(BlockStore blocks, Cid cid) {
        Block block = blocks.get(cid).orElseThrow(() -> new MissingBlockException(cid));
        if (!block.cid().equals(cid)) {
            throw new CorruptBlockException(cid, "the block store has given " + block.cid() + " instead");
        }
        return block;
    }

    /** The ref to a root shard whose block was read already. */
    ShardRef decoded(Block root) {
        ShardRef ref = new ShardRef(root.cid());
        cache.hold(ref, ShardDecoder.decode(format, root, KeyBytes.EMPTY));
        return ref;
    }

    /** Shards that were made, those that are linked before those that link to them. */
    static final class Made {
        private final List<Block> blocks = new ArrayList<>();
        private final List<ShardRef> refs = new ArrayList<>();
        private final List<Shard> shards = new ArrayList<>();

        ShardRef add(Shard shard) {
            Block block = UnsafeBlocks.of(Cid.DAG_CBOR, shard.bytes);
            ShardRef ref = new ShardRef(block.cid());
            blocks.add(block);
            refs.add(ref);
            shards.add(shard);
            return ref;
        }
    }

    /** Stores shards. */
    void store(Made made) {
        blocks.putAll(made.blocks);
        for (int i = 0; i < made.refs.size(); i++) {
            cache.hold(made.refs.get(i), made.shards.get(i));
        }
    }
}
