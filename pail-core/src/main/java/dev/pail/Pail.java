package dev.pail;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.edit.Editor;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.keys.KeyCodec;
import dev.pail.keys.Name;
import dev.pail.proof.Proof;
import dev.pail.proof.ProofLimits;
import dev.pail.proof.Query;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.Layout;
import dev.pail.shard.Lookup;
import dev.pail.shard.MultiLookup;
import dev.pail.shard.ShardRef;
import dev.pail.shard.ShardTree;
import dev.pail.shard.Shards;
import dev.pail.update.Derivable;
import dev.pail.update.Derivation;
import dev.pail.walk.CountWalk;
import dev.pail.walk.EntryWalk;
import dev.pail.walk.ShardOrder;
import dev.pail.walk.Walk;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A handle to one version of an ordered map from string keys to CIDs. Each change stores the new shards and returns a handle to
 * the next version. A version never changes, and stays readable for as long as the store has its blocks.
 *
 * <p>Keys are in the order of {@link String#compareTo}. Immutable and safe for use by several threads, if the block
 * store is.
 *
 * <p>All methods that read the map may throw {@link MissingBlockException}, {@link CorruptBlockException} and
 * {@link MalformedBlockException} for the shards that they read, and {@link StoreIOException}.
 *
 * <pre>{@code
 * Pail first = Pail.create(blocks, ShardFormat.v1()).put("photos/1.jpg", value);
 * Pail second = first.putBytes("notes/1", "milk".getBytes(StandardCharsets.UTF_8));
 * Optional<Cid> none = first.get("notes/1"); // Optional.empty: a version never changes
 * List<Entry> photos = second.entries(KeyRange.prefix("photos/")).toList();
 * Pail same = Pail.open(blocks, second.root()); // equal to second: same format, same root
 * }</pre>
 */
@CheckReturnValue
public final class Pail extends Derivable {
    private final ShardTree tree;

    /** Whether a put refuses a value whose block is not in the block store. */
    private final boolean requiresBlocks;

    /** Takes hints; null if they are of no use, as for most stores. */
    private final @Nullable ReadHints hints;

    Pail(ShardTree tree, boolean requiresBlocks) {
        this(tree, requiresBlocks, null);
    }

    private Pail(ShardTree tree, boolean requiresBlocks, @Nullable Derivation derivation) {
        super(derivation);
        this.tree = tree;
        this.requiresBlocks = requiresBlocks;
        this.hints = tree.shards().blocks instanceof ReadHints taking && taking.takesReadHints() ? taking : null;
    }

    /** Creates an empty pail of the format of the specification, {@link ShardFormat#v0()}, and stores its root. */
    public static Pail create(BlockStore blocks) {
        return create(blocks, ShardFormat.v0());
    }

    /** Creates an empty pail and stores its root. */
    public static Pail create(BlockStore blocks, ShardFormat format) {
        Shards shards = ReadOnlyPail.shards(Objects.requireNonNull(blocks, "blocks"), format.layout());
        return new Pail(new ShardTree(shards, Editor.create(shards)), false);
    }

    /**
     * Opens the pail with a root. Reads its format from the root shard.
     *
     * @throws MissingBlockException if the root is not in the store
     * @throws MalformedBlockException if it is not a root shard
     */
    public static Pail open(BlockStore blocks, Cid root) {
        return new Pail(ReadOnlyPail.tree(blocks, root), false);
    }

    /** Returns the CID of the root shard: the content address of this version. */
    public Cid root() {
        return tree.root().cid;
    }

    /** Returns the format of the shards. */
    public ShardFormat format() {
        return new ShardFormat(layout());
    }

    Layout layout() {
        return tree.shards().layout;
    }

    /** Returns the block store that holds the shards. */
    public BlockStore blocks() {
        return tree.shards().blocks;
    }

    /**
     * Returns the value of a key, if it has one.
     *
     * @throws KeyNotAllowedException if the key has a lone surrogate. Other keys that the format refuses have no value
     */
    public Optional<Cid> get(String key) {
        KeyBytes bytes = KeyBytes.of(key);
        willRead(key);
        return Optional.ofNullable(Lookup.find(tree, bytes));
    }

    /**
     * Returns the values of keys, in the order of keys, without the keys that have no value. Reads each shard once for all its keys. Reads
     * the shards of one level by {@link BlockStore#getAll}, at most 32 at a time, so a remote store fetches them together.
     *
     * @return an unmodifiable map
     * @throws KeyNotAllowedException if a key has a lone surrogate
     */
    public Map<String, Cid> getAll(Collection<String> keys) {
        return Collections.unmodifiableMap(new MultiLookup(tree, keys).found());
    }

    /**
     * Returns the bytes of the block that the value of a key names, with any codec. For an identity CID, returns the bytes in the CID.
     * If the value is the root of several blocks, this is the root block alone. Reads one block, of at most 8 MiB in the stores of this
     * library.
     *
     * @return a copy; empty if the key has no value
     * @throws KeyNotAllowedException if the key has a lone surrogate
     * @throws MissingBlockException if the key has a value, but its block is not in {@link #blocks()}
     * @throws CorruptBlockException if the bytes of the block do not match the value
     */
    public Optional<byte[]> getBytes(String key) {
        return get(key).map(value -> value.hashFunction() == Cid.IDENTITY
                ? value.digest()
                : blocks().require(value).bytes());
    }

    /**
     * Returns the version in which a key has a value. Does not look for the block that the value names, unless this pail is
     * {@link #requiringBlocks()}. To store that block beside the shards, put it into {@link #blocks()}, or use {@link #putBytes}.
     *
     * @throws KeyNotAllowedException if the format does not take the key
     * @throws LimitException if the format has no room for it
     * @throws MissingBlockException if this pail requires blocks, and the block of the value is not in {@link #blocks()}
     */
    public Pail put(String key, Cid value) {
        return batch().put(key, value).commit();
    }

    /**
     * Returns the version in which a key has a value, if this version has the expected one. {@link Batch#expect} is for conditions on other
     * keys, and before deletes.
     *
     * <pre>{@code
     * repository.update("main", pail -> pail.putIf("leader", Optional.empty(), value)); // if there is none yet
     * }</pre>
     *
     * @param expected empty if the key should have no value
     * @throws ConditionFailedException if the key has another value, or none
     */
    public Pail putIf(String key, Optional<Cid> expected, Cid value) {
        Objects.requireNonNull(value, "value");
        return batch().expect(key, expected).put(key, value).commit();
    }

    /**
     * Stores bytes as one raw block in {@link #blocks()}, and returns the version in which the key has its CID:
     *
     * <pre>{@code
     * Pail next = pail.putBytes("notes/today", "buy milk".getBytes(StandardCharsets.UTF_8));
     * byte[] note = next.getBytes("notes/today").orElseThrow();
     * }</pre>
     *
     * @param bytes at most {@link Block#MAX_SIZE}, 8 MiB
     * @throws KeyNotAllowedException if the format does not take the key. Nothing is stored
     * @throws IllegalArgumentException if there are more bytes. Nothing is stored
     * @throws LimitException if the format has no room for the key
     */
    public Pail putBytes(String key, byte[] bytes) {
        return batch().putBytes(key, bytes).commit();
    }

    /**
     * Returns this version with a check on every {@link #put}: it refuses a value whose block is not in {@link #blocks()} with a
     * {@link MissingBlockException}. Versions and batches made from it have the same check. The check asks {@link BlockStore#has}; it reads
     * neither the block nor blocks below it. An identity CID needs no block. Existing values, and those of a {@link #merge}, are not
     * checked.
     */
    public Pail requiringBlocks() {
        return requiresBlocks ? this : new Pail(tree, true, Derivation.of(this));
    }

    /**
     * Returns the version without a key: the same root, if the key is not there.
     *
     * @throws KeyNotAllowedException if the key has a lone surrogate
     */
    public Pail delete(String key) {
        return batch().delete(key).commit();
    }

    /**
     * Returns the version without the keys of a range: the same version, if there are none. Single deletes give the same root. The
     * direction of the range makes no difference.
     *
     * <p>The time is proportional to the number of shards on the paths to the bounds, not to the number of keys. In v1 and v2 there is one
     * such shard for each character of a bound; in v0, the delete goes through the entries of the shards at the bounds. It does not read a
     * shard whose keys are all in the range, so that shard may be missing or corrupt. As after single deletes, shards are not joined (spec
     * rules P2 and V1.5). So in every format, the root can differ from that of a new pail with the remaining keys.
     */
    public Pail deleteRange(KeyRange range) {
        return batch().deleteRange(range).commit();
    }

    /**
     * Returns the version without the keys that start with a prefix, as {@link #deleteRange} does. The empty prefix deletes all keys.
     *
     * <pre>{@code
     * Pail next = pail.deletePrefix("tmp/");
     * repository.update("main", p -> p.deletePrefix("tmp/"));
     * }</pre>
     *
     * @throws KeyNotAllowedException if the prefix has a lone surrogate
     */
    public Pail deletePrefix(String prefix) {
        return deleteRange(KeyRange.prefix(prefix));
    }

    /** Begins a batch: several changes for one new version. */
    public Batch batch() {
        return new Batch(this, new Editor(tree), requiresBlocks);
    }

    /** Says to a store that is far away which key is read or changed next. */
    void willRead(String key) {
        if (hints != null) {
            hints.willRead(root(), KeyRange.all().from(key).through(key));
        }
    }

    /** Says to it which entries are read next. */
    void willRead(KeyRange range) {
        if (hints != null) {
            hints.willRead(root(), range);
        }
    }

    /** Says to it which keys are compared next with those of another version. */
    void willCompare(Pail next, KeyRange range) {
        if (hints != null) {
            hints.willCompare(root(), next.root(), range);
        }
    }

    ShardTree tree() {
        return tree;
    }

    /** The version with this root, of the same format. */
    Pail at(ShardRef newRoot) {
        return newRoot.cid.equals(root())
                ? this
                : new Pail(new ShardTree(tree.shards(), newRoot), requiresBlocks, Derivation.next(this));
    }

    /**
     * Returns this version, and says to an update that it is meant: what was derived from this version is dropped on purpose. Without
     * that, an update refuses a function that makes changes and returns the version without them. Outside of an update, returns this.
     *
     * <pre>{@code
     * repository.update("main", p -> {
     *     Pail next = p.putBytes("draft", new byte[] {1});
     *     return next.count(KeyRange.all()) > 1_000 ? p.unchanged() : next;
     * });
     * }</pre>
     */
    public Pail unchanged() {
        Derivation derivation = Derivation.of(this);
        return derivation == null ? this : new Pail(tree, requiresBlocks, derivation.meant());
    }

    /**
     * Returns this version over another block store, which must have its shards. Keeps the shards that are already decoded.
     */
    public Pail in(BlockStore blocks) {
        Shards shards = ReadOnlyPail.shards(Objects.requireNonNull(blocks, "blocks"), layout());
        return new Pail(new ShardTree(shards, tree.root()), requiresBlocks, Derivation.in(blocks));
    }

    /** Whether this version was made from another by changes in the same block store. */
    public boolean isMadeFrom(Pail other) {
        return tree.shards() == other.tree.shards();
    }

    /** Returns all entries in the order of their keys. */
    public Stream<Entry> entries() {
        return entries(KeyRange.all());
    }

    /**
     * Returns the entries of a range, in the order of its direction. Lazy: the stream reads a shard when it reaches it, and only if
     * the shard can have keys within the range. After a failed read, the iterator throws {@link IllegalStateException}: it skips no
     * entries.
     */
    public Stream<Entry> entries(KeyRange range) {
        Objects.requireNonNull(range, "range");
        return Walk.stream(() -> {
            willRead(range);
            return new EntryWalk(tree, range.interval(), range.direction());
        });
    }

    /** The entry with the least key, if there is one. Reads one shard a level, or a few more where shards overlap. */
    public Optional<Entry> first() {
        return first(KeyRange.all());
    }

    /** The entry with the least key of a range, if there is one. The direction of the range makes no difference. */
    public Optional<Entry> first(KeyRange range) {
        return entries(range.ascending()).findFirst();
    }

    /** The entry with the greatest key, if there is one. Reads one shard a level, or a few more where shards overlap. */
    public Optional<Entry> last() {
        return last(KeyRange.all());
    }

    /** The entry with the greatest key of a range, if there is one. The direction of the range makes no difference. */
    public Optional<Entry> last(KeyRange range) {
        return entries(range.descending()).findFirst();
    }

    /**
     * The number of keys in a range, at most {@link Long#MAX_VALUE}. Shards do not store counts: without {@link EntryCounts}, this reads each
     * shard that {@link #entries(KeyRange)} reads. The pails of a repository remember the numbers below large shards, so only what is new
     * since the last count is read.
     */
    public long count(KeyRange range) {
        Objects.requireNonNull(range, "range");
        willRead(range);
        return new CountWalk(tree, range.interval()).count();
    }

    /**
     * The entry at a place in a range, in its direction: {@code entries(range).skip(place).findFirst()}, without reading the entries before
     * it where {@link #count} need not.
     *
     * <pre>{@code
     * KeyRange all = KeyRange.all();
     * Optional<Entry> median = pail.entryAt(all, pail.count(all) / 2);
     * }</pre>
     *
     * @param place from 0
     * @return empty if the range has no more entries
     * @throws IllegalArgumentException if the place is less than 0
     */
    public Optional<Entry> entryAt(KeyRange range, long place) {
        if (place < 0) {
            throw new IllegalArgumentException("a place is 0 or more, not " + place);
        }
        Objects.requireNonNull(range, "range");
        willRead(range);
        long ascending = range.isDescending() ? count(range) - 1 - place : place;
        return ascending < 0
                ? Optional.empty()
                : Optional.ofNullable(new CountWalk(tree, range.interval()).at(ascending));
    }

    /**
     * Returns the path of shards to a key, from the root (spec rules S7 and V0.7). The last shard has the key, or is the one that a put of
     * the key would change first. In a shard, the key is written without the {@link ShardView#prefix} of that shard.
     *
     * <pre>{@code
     * for (ShardView shard : pail.traverse("photos/1.jpg")) {
     *     System.out.println(shard.depth() + " " + shard.cid() + " " + shard.size() + " bytes");
     * }
     * }</pre>
     *
     * @return an unmodifiable list of at least one shard; all are already read
     * @throws KeyNotAllowedException if the key has a lone surrogate
     */
    public List<ShardView> traverse(String key) {
        return ShardView.path(tree, KeyBytes.of(key));
    }

    /**
     * Returns a view of one namespace, which may be nested. The codec is {@link ShardFormat#keyCodec}.
     *
     * @throws KeyNotAllowedException if a name has a lone surrogate
     */
    public Namespace namespace(String name, String... nested) {
        return namespace(format().keyCodec(), Namespace.joined(List.of(), name, nested));
    }

    /**
     * Returns a view of one namespace.
     *
     * @param path its names, from the outermost; at least one
     * @throws KeyNotAllowedException if the codec does not take a name
     * @throws IllegalArgumentException if there is no name
     */
    public Namespace namespace(KeyCodec codec, List<Name> path) {
        return new Namespace(this, codec, path);
    }

    /** Returns the names of the outermost namespaces. The codec is {@link ShardFormat#keyCodec}. */
    public Stream<Name> namespaces() {
        return namespaces(format().keyCodec());
    }

    /** Returns the names of the outermost namespaces, as {@link Namespace#namespaces} does. */
    public Stream<Name> namespaces(KeyCodec codec) {
        return NamespaceWalk.names(this, codec, List.of());
    }

    /** Returns a view of the root shard, to show the layout of this version. */
    public ShardView shard() {
        return new ShardView(tree.shards(), tree.root(), KeyBytes.EMPTY, 0);
    }

    /**
     * Returns the shards of a set that the root reaches through shards of the set. The order is depth first: a shard comes before those
     * that it links to, in the order of the keys of the links. Each shard is listed once, at its first place. Reads only these shards.
     */
    public List<Cid> preOrder(Set<Cid> shards) {
        return ShardOrder.preOrder(tree, Objects.requireNonNull(shards, "shards"));
    }

    /**
     * Makes a proof of the value of a key, or that it has none: the shards on the path to it, for a reader that has only the root. For a
     * key of a namespace, call {@code pail.prove(namespace.key("ann"))}.
     *
     * <pre>{@code
     * byte[] sent = pail.prove("title").bytes();
     * Answer answer = Proof.read(sent).verify(pail.root(), new Query.Key("title"));
     * }</pre>
     *
     * @throws KeyNotAllowedException if the key has a lone surrogate
     * @throws LimitException if it has more than {@link ProofLimits#DEFAULT}
     */
    public Proof prove(String key) {
        return prove(new Query.Key(key), ProofLimits.DEFAULT);
    }

    /**
     * One proof for several keys, as {@link #prove(String)}. {@link Query.Keys} verifies it.
     *
     * @throws KeyNotAllowedException if a key has a lone surrogate
     * @throws LimitException if it has more than {@link ProofLimits#DEFAULT}
     */
    public Proof prove(Collection<String> keys) {
        return prove(new Query.Keys(List.copyOf(keys)), ProofLimits.DEFAULT);
    }

    /**
     * Makes a proof of all entries of a range. {@link Query.Range} verifies it.
     *
     * @throws LimitException if it has more than {@link ProofLimits#DEFAULT}
     */
    public Proof prove(KeyRange range) {
        return prove(new Query.Range(range), ProofLimits.DEFAULT);
    }

    /**
     * Makes a proof of the answer to a query.
     *
     * @throws LimitException if it is larger than the limits
     */
    public Proof prove(Query query, ProofLimits limits) {
        return Proof.of(
                blocks(), root(), Objects.requireNonNull(query, "query"), Objects.requireNonNull(limits, "limits"));
    }

    /**
     * Makes a proof of the differences to another version in the keys of a range. {@link Proof#verifyDiff} verifies it.
     *
     * @throws LimitException if it has more than {@link ProofLimits#DEFAULT}
     */
    public Proof proveDiff(Pail next, KeyRange range) {
        return proveDiff(next, range, ProofLimits.DEFAULT);
    }

    /**
     * As {@link #proveDiff(Pail, KeyRange)}, with other limits. The versions may have different formats and block stores.
     *
     * @throws LimitException if it is larger than the limits
     */
    public Proof proveDiff(Pail next, KeyRange range, ProofLimits limits) {
        return Proof.ofDiff(
                blocks(),
                root(),
                next.blocks(),
                next.root(),
                Objects.requireNonNull(range, "range"),
                Objects.requireNonNull(limits, "limits"));
    }

    /** Compares with another version, which may have another format and block store. Reads nothing yet. */
    public PailDiff diff(Pail next) {
        return diff(next, KeyRange.all());
    }

    /**
     * Compares the keys of a range with those of another version. The diff reads only shards that can have keys in the range. Changes
     * are always in ascending order; the direction of the range is ignored. {@link PailDiff#shards} ignores the range and compares the
     * whole versions.
     */
    public PailDiff diff(Pail next, KeyRange range) {
        return new PailDiff(this, Objects.requireNonNull(next, "next"), Objects.requireNonNull(range, "range"));
    }

    /** As {@link #merge(Pail, Pail, Pail, MergePolicy)}, with {@link MergePolicy#fail}. */
    public static Pail merge(Pail base, Pail ours, Pail theirs) {
        return merge(base, ours, theirs, MergePolicy.fail());
    }

    /**
     * Makes the version with the changes that both sides make to a base (spec rules MG1 to MG6). It has the format and the block store of
     * {@code ours}. All three may differ in format and block store.
     *
     * <p>It merges the contents of versions and does not read their histories. If there are events, use
     * {@link dev.pail.clock.ReplicatedPail#merge}; in a repository, use {@code Repository.merge}. Otherwise a later merge makes the same
     * changes once more and overwrites newer ones. This method does not merge tables row by row either:
     * {@link MergeRules#installed()} do.
     *
     * @param base the version that both sides come from: if it has a key and a side does not, that side deleted the key
     * @throws MergeConflictException if both change a key in different ways, and the policy is to fail
     * @throws KeyNotAllowedException if {@code theirs} gives a value to a key that the format of {@code ours} does not take
     * @throws LimitException if that format has no room for such a key
     */
    public static Pail merge(Pail base, Pail ours, Pail theirs, MergePolicy policy) {
        return new Merge(Objects.requireNonNull(base, "base"), ours, theirs).by(policy);
    }

    /**
     * Returns the keys that both sides have changed since this version in different ways, in order (spec rule MG2). A merge would have to
     * resolve them.
     */
    public List<Conflict> conflicts(Pail ours, Pail theirs) {
        return new Merge(this, ours, theirs).conflicts();
    }

    /**
     * Whether the other is a version of the same format with the same root, and so with the same entries. The block stores may differ.
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Pail pail && root().equals(pail.root()) && layout().equals(pail.layout());
    }

    @Override
    public int hashCode() {
        return root().hashCode();
    }

    /** The format and the root. */
    @Override
    public String toString() {
        return "Pail " + format().name() + " " + root();
    }
}
