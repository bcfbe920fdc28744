package dev.pail;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.edit.Editor;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.shard.KeyBytes;
import dev.pail.update.Derivation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Several changes that make one new version. Single changes would make the same version, but a batch stores no shards of the
 * versions between. Later changes build on earlier ones. Rule P6.
 *
 * <p>Not for use by several threads at once.
 *
 * <pre>{@code
 * Pail next = pail.batch()
 *         .put("photos/1.jpg", value)
 *         .put("photos/2.jpg", value)
 *         .deletePrefix("drafts/")
 *         .commit(); // one new version; pail is as it was
 * }</pre>
 */
@CheckReturnValue
public final class Batch {
    /** The most bytes of values that wait for the commit. */
    private static final long MOST_WAITING = 16 << 20;

    private final Pail base;
    private final Editor editor;
    private final boolean requiresBlocks;

    /** Blocks of values that are not stored yet, and their size in bytes. */
    private final Map<Cid, Block> values = new LinkedHashMap<>();

    private long valuesSize;
    private boolean over;

    /** Null outside of updates. */
    private final @Nullable Derivation derivation;

    private boolean hasChanges;

    Batch(Pail base, Editor editor, boolean requiresBlocks) {
        this.base = base;
        this.editor = editor;
        this.requiresBlocks = requiresBlocks;
        this.derivation = Derivation.of(base);
    }

    /**
     * Gives a key a value.
     *
     * @throws KeyNotAllowedException if the format does not take the key. The batch is as it was
     * @throws LimitException if the format has no room for the key. The batch is over
     * @throws MissingBlockException if the pail is {@link Pail#requiringBlocks} and the block of the value is neither in its block store
     *     nor put by {@link #putBytes}. The batch is as it was
     */
    @CanIgnoreReturnValue
    public Batch put(String key, Cid value) {
        checkOpen();
        KeyBytes bytes = base.layout().key(key);
        Objects.requireNonNull(value, "value");
        if (requiresBlocks
                && value.hashFunction() != Cid.IDENTITY
                && !values.containsKey(value)
                && !base.blocks().has(value)) {
            throw new MissingBlockException(value);
        }
        over = true;
        base.willRead(key);
        editor.put(bytes, value);
        changed();
        return this;
    }

    /**
     * Stores bytes as one raw block and gives a key its CID. The batch stores such blocks together: at the commit, before its shards, and
     * earlier if there are more than 16 MiB. A later change of the key does not remove the block.
     *
     * @param bytes at most {@link Block#MAX_SIZE}, 8 MiB
     * @throws KeyNotAllowedException if the format does not take the key. The batch is as it was
     * @throws IllegalArgumentException if there are more bytes. The batch is as it was
     * @throws LimitException if the format has no room for the key. The batch is over
     */
    @CanIgnoreReturnValue
    public Batch putBytes(String key, byte[] bytes) {
        checkOpen();
        KeyBytes checked = base.layout().key(key);
        if (bytes.length > Block.MAX_SIZE) {
            throw new IllegalArgumentException("a block has at most " + Block.MAX_SIZE + " bytes, not " + bytes.length
                    + ": " + Escapes.quote(key));
        }
        Block block = Block.of(Cid.RAW, bytes);
        over = true;
        if (values.put(block.cid(), block) == null) {
            valuesSize += block.size();
        }
        if (valuesSize > MOST_WAITING) {
            storeValues();
        }
        base.willRead(key);
        editor.put(checked, block.cid());
        changed();
        return this;
    }

    private void storeValues() {
        if (!values.isEmpty()) {
            base.blocks().putAll(List.copyOf(values.values()));
            values.clear();
            valuesSize = 0;
        }
    }

    /**
     * Checks that a key has a value after the changes so far. A function of an update is called again when another writer was faster, so
     * the condition holds in the version that the update replaces:
     *
     * <pre>{@code
     * Optional<Cid> seen = repository.pail("main").get("title");
     * repository.update("main", pail -> pail.batch().expect("title", seen).delete("title").commit());
     * }</pre>
     *
     * @param value empty if the key should have none
     * @throws ConditionFailedException if not. The batch is as it was
     * @throws KeyNotAllowedException if the key has a lone surrogate. The batch is as it was
     */
    @CanIgnoreReturnValue
    public Batch expect(String key, Optional<Cid> value) {
        checkOpen();
        KeyBytes bytes = KeyBytes.of(key);
        Objects.requireNonNull(value, "value");
        over = true;
        base.willRead(key);
        Optional<Cid> found = Optional.ofNullable(editor.get(bytes));
        over = false;
        if (!found.equals(value)) {
            throw new ConditionFailedException(key, value, found);
        }
        return this;
    }

    /**
     * Removes a key and its value, if it is there.
     *
     * @throws KeyNotAllowedException if the key has a lone surrogate. The batch is as it was
     */
    @CanIgnoreReturnValue
    public Batch delete(String key) {
        checkOpen();
        KeyBytes bytes = KeyBytes.of(key);
        over = true;
        base.willRead(key);
        editor.delete(bytes);
        changed();
        return this;
    }

    /** Removes the keys of a range and their values, as {@link Pail#deleteRange} does. */
    @CanIgnoreReturnValue
    public Batch deleteRange(KeyRange range) {
        checkOpen();
        Objects.requireNonNull(range, "range");
        over = true;
        editor.delete(range.interval());
        changed();
        return this;
    }

    /**
     * Removes the keys that start with a prefix and their values, as {@link Pail#deletePrefix} does.
     *
     * @throws KeyNotAllowedException if the prefix has a lone surrogate. The batch is as it was
     */
    @CanIgnoreReturnValue
    public Batch deletePrefix(String prefix) {
        return deleteRange(KeyRange.prefix(prefix));
    }

    /**
     * Returns the memory that the changes so far take, in bytes. They hold the opened shards or, if the pail was empty, the keys and values
     * that were put: 165 bytes for each put of a key of 20 bytes. The batch holds all of this until the commit, which takes more memory. If
     * you make many changes all over a large pail, commit before this becomes a large part of the heap, and begin another batch: the final
     * root is the same.
     *
     * <p>If the pail was empty, its format is v1 or v2, and the keys come in ascending order, the batch holds at most 16 MiB, however many
     * there are: it stores each shard as soon as no later key can change it.
     */
    public long openedBytes() {
        return editor.openedBytes();
    }

    /**
     * Stores the new shards and returns the new version. A batch can be committed once.
     *
     * @throws IllegalStateException if the batch is over: it was committed, or a change failed
     */
    public Pail commit() {
        checkOpen();
        over = true;
        if (derivation != null && hasChanges) {
            derivation.commit();
        }
        storeValues();
        return base.at(editor.commit());
    }

    private void changed() {
        over = false;
        if (derivation != null && !hasChanges) {
            hasChanges = true;
            derivation.begin();
        }
    }

    /** A change that failed may be there in part, so the batch must not be committed. Rule P7. */
    private void checkOpen() {
        if (derivation != null) {
            derivation.checkInterrupted();
        }
        if (over) {
            throw new IllegalStateException("the batch was committed, or a change of it failed: start another");
        }
    }
}
