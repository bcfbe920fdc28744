package dev.pail;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.keys.KeyCodec;
import dev.pail.keys.Name;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A handle to one version of an ordered map from string keys to CIDs. Each change stores the shards that are new and
 * gives the handle to the next version; this one stays as it is, and stays readable for as long as its blocks are kept.
 *
 * <p>Keys are ordered as {@link String#compareTo} has it. Immutable and safe for use by several threads, if the block
 * store is.
 *
 * <p>All methods that read the map may throw {@link MissingBlockException}, {@link CorruptBlockException} and
 * {@link MalformedShardException} for the shards on their way, and {@link StoreIOException}.
 */
@CheckReturnValue
public final class Pail {
    private final Shards shards;
    private final ShardRef root;

    private Pail(Shards shards, ShardRef root) {
        this.shards = shards;
        this.root = root;
    }

    /** An empty pail of the format of the specification, {@link ShardFormat#v0()}. Its root is stored. */
    public static Pail create(BlockStore blocks) {
        return create(blocks, ShardFormat.v0());
    }

    /** An empty pail. Its root is stored. */
    public static Pail create(BlockStore blocks, ShardFormat format) {
        Shards shards = new Shards(Objects.requireNonNull(blocks), format);
        return new Pail(shards, shards.create());
    }

    /**
     * The pail with this root. Its format is read from the root shard.
     *
     * @throws MissingBlockException if the root is not in the store
     * @throws MalformedShardException if it is not a root shard
     */
    public static Pail open(BlockStore blocks, Cid root) {
        Objects.requireNonNull(blocks);
        if (!root.isShardLink()) {
            throw new MalformedShardException(root, 0, "a shard is a dag-cbor block named by SHA2-256 (S1)");
        }
        Block block = blocks.require(root);
        Shards shards = new Shards(blocks, ShardFormat.detect(block));
        return new Pail(shards, shards.decoded(block));
    }

    /** The CID of the root shard: the content address of this version. */
    public Cid root() {
        return root.cid;
    }

    /** How the map is laid out and written. */
    public ShardFormat format() {
        return shards.format;
    }

    /** The block store that holds the shards. */
    public BlockStore blocks() {
        return shards.blocks;
    }

    /**
     * The value of a key, if it has one.
     *
     * @throws KeyNotAllowedException if the key has a lone surrogate. Other keys that the format refuses are just not there
     */
    public Optional<Cid> get(String key) {
        byte[] bytes = KeyBytes.of(key).array;
        ShardRef ref = root;
        int from = 0;
        while (true) {
            Shard held = ref.use();
            Shard shard = held == null ? shards.load(ref, new KeyBytes(bytes, 0, from)) : held;
            if (shard.overlapping) {
                return Optional.ofNullable(new OverlapSearch(shards, root.cid, bytes).in(shard, from));
            }
            Shard.Chain chain = shard.chain();
            if (chain != null) {
                if (!chain.isPrefixOf(bytes, from, bytes.length)) {
                    return Optional.empty();
                }
                from += chain.keys().length();
                ref = chain.end();
                continue;
            }
            int link = shard.findLink(bytes, from, bytes.length);
            if (link >= 0) {
                from++;
                ref = shard.ref(link);
                continue;
            }
            int entry = shard.find(bytes, from, bytes.length);
            if (entry >= 0) {
                return Optional.ofNullable(shard.dataBehind(entry, bytes.length - from));
            }
            // No other key of the shard can be a prefix of this one than the greatest lesser key.
            int below = -2 - entry;
            if (below < 0 || !shard.hasShard(below) || !shard.isKeyPrefix(below, bytes, from, bytes.length)) {
                return Optional.empty();
            }
            from += shard.keyLength(below);
            ref = shard.ref(below);
        }
    }

    /**
     * The version in which a key has a value. A block that the value names is not the pail's, which does not look for it: whoever wants it
     * kept beside the shards puts it into {@link #blocks()}.
     *
     * @throws KeyNotAllowedException if the format does not take the key
     * @throws ShardLimitException if the format has no room for it
     */
    public Pail put(String key, Cid value) {
        return batch().put(key, value).commit();
    }

    /**
     * The version without a key: the same root, if it is not there.
     *
     * @throws KeyNotAllowedException if the key has a lone surrogate
     */
    public Pail delete(String key) {
        return batch().delete(key).commit();
    }

    /** Several changes for one new version. */
    public Batch batch() {
        return new Batch(this, new Editor(shards, root));
    }

    Shards shards() {
        return shards;
    }

    ShardRef ref() {
        return root;
    }

    /** The version with this root, of the same format. */
    Pail at(ShardRef newRoot) {
        return newRoot.cid.equals(root.cid) ? this : new Pail(shards, newRoot);
    }

    /**
     * This version, read from and changed in another block store, which must have its shards. What was decoded is not decoded again.
     */
    public Pail in(BlockStore blocks) {
        return new Pail(new Shards(Objects.requireNonNull(blocks), format()), root);
    }

    /** Whether this version was made from another by changes, and in the same block store. */
    public boolean isMadeFrom(Pail other) {
        return shards == other.shards;
    }

    /** All entries in the order of their keys. */
    public Stream<Entry> entries() {
        return entries(KeyRange.all());
    }

    /**
     * The entries of a range, in the order of its direction. Lazy: a shard is read when the stream comes to it, and only if
     * it can have keys within the range. An iterator of which a read has failed does not go on behind that: it throws
     * {@link IllegalStateException}.
     */
    public Stream<Entry> entries(KeyRange range) {
        Objects.requireNonNull(range);
        return Walk.stream(() -> new EntryWalk(shards, root, range));
    }

    /**
     * A view of one namespace, or of one nested in others, its keys written as {@link ShardFormat#keyCodec} says.
     *
     * @throws KeyNotAllowedException if a name has a lone surrogate
     */
    public Namespace namespace(String name, String... nested) {
        return namespace(format().keyCodec(), Namespace.joined(List.of(), name, nested));
    }

    /**
     * A view of one namespace.
     *
     * @param path its names, from the outermost
     * @throws KeyNotAllowedException if a name is not one that the codec takes
     * @throws IllegalArgumentException if there is none
     */
    public Namespace namespace(KeyCodec codec, List<Name> path) {
        return new Namespace(this, codec, path);
    }

    /** The names of the outermost namespaces, their keys written as {@link ShardFormat#keyCodec} says. */
    public Stream<Name> namespaces() {
        return namespaces(format().keyCodec());
    }

    /** The names of the outermost namespaces. As {@link Namespace#namespaces}. */
    public Stream<Name> namespaces(KeyCodec codec) {
        return NamespaceWalk.names(this, codec, List.of());
    }

    /** The shards of this version, for looking at how it is laid out. */
    public ShardView shard() {
        return new ShardView(shards, root, KeyBytes.EMPTY, 0);
    }

    /** What is different in another version, of whatever format and in whatever block store. Nothing is read yet. */
    public PailDiff diff(Pail next) {
        return new PailDiff(this, Objects.requireNonNull(next));
    }

    /** As {@link #merge(Pail, Pail, Pail, MergePolicy)}, where conflicts are refused. */
    public static Pail merge(Pail base, Pail ours, Pail theirs) {
        return merge(base, ours, theirs, MergePolicy.fail());
    }

    /**
     * The version with the changes that both sides make to a base (spec rules MG1 to MG6). It has the format of {@code ours}, and
     * is stored where {@code ours} is. All three may differ in format and block store.
     *
     * <p>It merges what versions hold, and knows nothing of their histories. Where there are events, as in a repository,
     * {@link dev.pail.clock.ReplicatedPail#merge} is the way: a later merge would make the same changes once more, after whatever was done
     * since.
     *
     * @param base the version from which both sides come: a key that it has and a side does not was deleted there
     * @throws MergeConflictException if both change a key in different ways, and the policy is to fail
     * @throws KeyNotAllowedException if {@code theirs} gives a value to a key that the format of {@code ours} does not take
     * @throws ShardLimitException if that format has no room for it
     */
    public static Pail merge(Pail base, Pail ours, Pail theirs, MergePolicy policy) {
        return new Merge(Objects.requireNonNull(base), ours, theirs).by(policy);
    }

    /**
     * The keys that both have changed since this version, and not in the same way, in order (spec rule MG2): what a merge
     * would have to resolve.
     */
    public List<Conflict> conflicts(Pail ours, Pail theirs) {
        return new Merge(this, ours, theirs).conflicts();
    }

    /** The format and the root. */
    @Override
    public String toString() {
        return "Pail " + format().name() + " " + root.cid;
    }
}
