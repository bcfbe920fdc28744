package dev.pail;

import dev.pail.edit.Editor;
import dev.pail.ipld.Cid;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.Shard;
import dev.pail.shard.ShardRef;
import dev.pail.shard.ShardTree;
import dev.pail.shard.Shards;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A read-only view of a shard, for tools that show or check the layout of a pail. It reads the shard when a caller asks for
 * its entries or its size.
 *
 * <p>Immutable and safe for use by several threads.
 *
 * <pre>{@code
 * List<ShardView> path = pail.traverse("photos/1.jpg"); // from the root to the shard with the key
 * for (ShardView shard : path) {
 *     System.out.println(shard.prefix() + ": " + shard.count() + " entries, " + shard.size() + " bytes");
 * }
 * }</pre>
 */
public final class ShardView {
    private final Shards shards;
    private final ShardRef ref;
    private final KeyBytes prefix;
    private final int depth;

    ShardView(Shards shards, ShardRef ref, KeyBytes prefix, int depth) {
        this.shards = shards;
        this.ref = ref;
        this.prefix = prefix;
        this.depth = depth;
    }

    /** The shards on the path to a key, from the root. */
    static List<ShardView> path(ShardTree tree, KeyBytes key) {
        List<ShardView> path = new ArrayList<>();
        new Editor(tree).path(key, (ref, prefix) -> path.add(new ShardView(tree.shards(), ref, prefix, path.size())));
        return Collections.unmodifiableList(path);
    }

    /**
     * An entry of a shard.
     *
     * @param shardKey the key within the shard
     * @param data the user data, if there is any
     * @param shard the shard that holds the longer keys, if there is one
     */
    public record Item(String shardKey, Optional<Cid> data, Optional<ShardView> shard) {
        public Item {
            Objects.requireNonNull(shardKey, "shardKey");
            Objects.requireNonNull(data, "data");
            Objects.requireNonNull(shard, "shard");
        }
    }

    /** Returns the CID of the shard's block. */
    public Cid cid() {
        return ref.cid;
    }

    /** Returns the prefix that all keys in the shard start with. */
    public String prefix() {
        return prefix.toString();
    }

    /** Returns the number of links from the root to this shard. */
    public int depth() {
        return depth;
    }

    /** The size of the encoded shard in bytes. */
    public int size() {
        return load().bytes.length;
    }

    /** The number of entries. */
    public int count() {
        return load().count();
    }

    /** The entries in the order of their keys. The shards below are not read. */
    public Stream<Item> items() {
        Shard shard = load();
        return IntStream.range(0, shard.count()).mapToObj(entry -> item(shard, entry));
    }

    private Item item(Shard shard, int entry) {
        KeyBytes key = shard.key(entry);
        Optional<Cid> data = shard.hasData(entry) ? Optional.of(shard.data(entry)) : Optional.empty();
        Optional<ShardView> below = shard.hasShard(entry)
                ? Optional.of(new ShardView(shards, shard.ref(entry), prefix.append(key), depth + 1))
                : Optional.empty();
        return new Item(key.toString(), data, below);
    }

    private Shard load() {
        return shards.load(ref, prefix);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ShardView view && ref.cid.equals(view.ref.cid) && prefix.equals(view.prefix);
    }

    @Override
    public int hashCode() {
        return ref.cid.hashCode();
    }

    /** The CID. */
    @Override
    public String toString() {
        return ref.cid.toString();
    }
}
