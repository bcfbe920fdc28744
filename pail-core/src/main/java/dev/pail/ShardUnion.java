package dev.pail;

import dev.pail.edit.UnitedShards;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.shard.Layout;
import dev.pail.shard.ShardTree;
import dev.pail.shard.Shards;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The union of pails with disjoint key ranges, which several machines may have built (spec rule V1.6). If the parts were built by puts
 * alone, the union has the same root as a pail that one process builds by puts of all keys, for any choice of ranges.
 *
 * <p>A union reads and writes only shards at the border of two parts: at most two a level for each part. All of them are in the
 * {@link #spine} of the parts, so the uniting machine needs no other blocks.
 *
 * <pre>{@code
 * Pail low = Pail.create(blocks, ShardFormat.v1()).put("apple", value);
 * Pail high = Pail.create(blocks, ShardFormat.v1()).put("apricot", value);
 * Pail all = ShardUnion.of(blocks, List.of(low, high)); // has both keys
 * }</pre>
 */
public final class ShardUnion {
    private ShardUnion() {}

    /**
     * Makes the pail with the keys and values of several pails.
     *
     * @param blocks receives the new shards. To read the pail, it must also have the shards of the parts, before or after
     * @param parts in the order of their keys; empty ones may be anywhere. Each is read from its own block store
     * @throws IllegalArgumentException if there is no part; if their formats differ, or are version 0; or if a key of a part is
     *     not less than all keys of the next: the message names both keys. Nothing is stored
     * @throws MissingBlockException if a shard of a spine is missing. Nothing is stored
     */
    public static Pail of(BlockStore blocks, List<Pail> parts) {
        Objects.requireNonNull(blocks, "blocks");
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("a union has at least one part");
        }
        Layout layout = parts.get(0).layout();
        for (Pail part : parts) {
            if (!part.layout().equals(layout)) {
                throw new IllegalArgumentException(
                        "the parts of a union have one format, not " + layout + " and " + part.layout());
            }
        }
        if (!layout.isPrefixed()) {
            throw new IllegalArgumentException(
                    "pails of version 0 cannot be united, as their layout depends on the order"
                            + " of puts: load all keys, sorted, in one process, or use version 1");
        }
        List<ShardTree> trees = parts.stream().map(Pail::tree).toList();
        Shards shards = ReadOnlyPail.shards(blocks, layout);
        UnitedShards united =
                new UnitedShards(shards, trees, (one, next) -> overlap(one, parts.get(one), next, parts.get(next)));
        return new Pail(new ShardTree(shards, united.root()), false);
    }

    private static IllegalArgumentException overlap(int one, Pail before, int next, Pail behind) {
        return new IllegalArgumentException("the parts of a union have disjoint ranges of keys, in order: part " + one
                + " has " + key(before.last()) + ", and part " + next + " has " + key(behind.first()));
    }

    private static String key(Optional<Entry> entry) {
        return entry.map(each -> Escapes.brief(each.key())).orElse("no key");
    }

    /**
     * Returns the shards of a pail that a union may read: those on the paths to its least and its greatest key. The root comes first, and
     * each shard once.
     *
     * @throws MissingBlockException if a shard is missing
     */
    public static List<Block> spine(Pail part) {
        Map<Cid, Block> spine = new LinkedHashMap<>();
        List<Optional<Entry>> ends = List.of(part.first(), part.last());
        for (Optional<Entry> end : ends) {
            for (ShardView shard : part.traverse(end.map(Entry::key).orElse(""))) {
                spine.computeIfAbsent(shard.cid(), part.blocks()::require);
            }
        }
        return new ArrayList<>(spine.values());
    }
}
