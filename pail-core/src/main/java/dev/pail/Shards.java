package dev.pail;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The shards of all versions of a pail: loads them from a block store, and stores new ones there. */
final class Shards {
    /** From so many drafts on, ending them is worth several threads. */
    private static final int MANY_DRAFTS = 64;

    final BlockStore blocks;
    final ShardFormat format;
    private final ShardCache cache;

    Shards(BlockStore blocks, ShardFormat format) {
        this.blocks = blocks;
        this.format = format;
        this.cache = blocks instanceof SharedShards shared ? shared.shardCache() : ShardCache.ofDefaultWeight();
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
        Shard shard = ref.use();
        if (shard == null) {
            shard = ShardDecoder.decode(format, blocks.require(ref.cid), prefix);
            cache.hold(ref, shard);
        }
        return shard;
    }

    /** As {@link #load(ShardRef, KeyBytes)}, where the block was perhaps fetched already. */
    Shard load(ShardRef ref, KeyBytes prefix, @Nullable Block fetched) {
        Shard held = ref.use();
        if (held != null || fetched == null || !fetched.cid().equals(ref.cid)) {
            return held != null ? held : load(ref, prefix);
        }
        Shard shard = ShardDecoder.decode(format, fetched, prefix);
        cache.hold(ref, shard);
        return shard;
    }

    /**
     * Checks that a shard which stands in one place of a version may stand in another, too.
     *
     * @throws MalformedShardException if it may not
     */
    void checkShared(ShardRef ref) {
        if (format.isPrefixed()) {
            throw new MalformedShardException(ref.cid, 0, "a shard carries the prefix of its one place (S3)");
        }
    }

    /** The ref to a root shard whose block was read already. */
    ShardRef decoded(Block root) {
        ShardRef ref = new ShardRef(root.cid());
        cache.hold(ref, ShardDecoder.decode(format, root, KeyBytes.EMPTY));
        return ref;
    }

    /** Stores a root shard without entries. */
    ShardRef create() {
        Draft root = Draft.empty(format, KeyBytes.EMPTY);
        List<Made> made = end(List.of(root));
        store(made);
        return root.result();
    }

    /**
     * A shard that was made.
     *
     * @param origin the shard that it was made from, if there is one
     */
    record Made(
            Block block,
            ShardRef ref,
            Shard shard,
            @Nullable ShardRef origin) {}

    /**
     * Ends drafts and names what they became; on all cores, where that is much work.
     *
     * @param made is given the shards that are new
     */
    void end(List<Draft> drafts, List<Made> made) {
        if (drafts.size() < MANY_DRAFTS) {
            made.addAll(end(drafts));
            return;
        }
        int parts = Math.min(
                drafts.size() / (MANY_DRAFTS / 2), 4 * Runtime.getRuntime().availableProcessors());
        IntStream.range(0, parts)
                .mapToObj(i -> drafts.subList(part(drafts, i, parts), part(drafts, i + 1, parts)))
                .parallel()
                .map(this::end)
                .forEachOrdered(made::addAll);
    }

    private static int part(List<Draft> drafts, int i, int parts) {
        return (int) ((long) drafts.size() * i / parts);
    }

    private List<Made> end(List<Draft> drafts) {
        DraftEncoder encoder = new DraftEncoder(format);
        List<Made> made = new ArrayList<>(drafts.size());
        for (Draft draft : drafts) {
            Made one = draft.end(encoder);
            if (one != null) {
                made.add(one);
            }
        }
        return made;
    }

    /** Stores shards, those that are linked before those that link to them. */
    void store(List<Made> made) {
        List<Block> stored = new ArrayList<>(made.size());
        Map<Cid, Cid> origins = new HashMap<>();
        for (Made one : made) {
            stored.add(one.block);
            if (one.origin != null) {
                origins.put(one.block.cid(), one.origin.cid);
            }
        }
        OriginHints.putAll(blocks, stored, origins);
        cache.hold(made);
    }
}
