package dev.pail;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.ipld.Cid;
import java.util.Objects;

/**
 * Several changes that make one new version: the same as the changes one by one would make, but no shard of the versions
 * between is stored. Later changes build on earlier ones.
 *
 * <p>Not for use by several threads at once.
 */
@CheckReturnValue
public final class Batch {
    private final Pail base;
    private final Editor editor;
    private boolean over;

    Batch(Pail base, Editor editor) {
        this.base = base;
        this.editor = editor;
    }

    /**
     * Gives a key a value.
     *
     * @throws KeyNotAllowedException if the format does not take the key. The batch is as it was
     * @throws ShardLimitException if the format has no room for the key. The batch is over
     */
    @CanIgnoreReturnValue
    public Batch put(String key, Cid value) {
        checkOpen();
        KeyBytes bytes = base.format().key(key);
        Objects.requireNonNull(value);
        over = true;
        editor.put(bytes, value);
        over = false;
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
        editor.delete(bytes);
        over = false;
        return this;
    }

    /**
     * What the shards take in memory that were opened for the changes so far, in bytes. They are held until the commit,
     * which takes more beside them. Where many changes are made all over a large pail, a batch is best committed before that is a good
     * part of the memory, and another one begun: the root is the same in the end.
     */
    public long openedBytes() {
        return editor.openedBytes();
    }

    /**
     * Stores the shards that are new and gives the version that has them. A batch is committed once.
     *
     * @throws IllegalStateException if the batch is over: it was committed, or a change failed
     */
    public Pail commit() {
        checkOpen();
        over = true;
        return base.at(editor.commit());
    }

    private void checkOpen() {
        if (over) {
            throw new IllegalStateException("the batch was committed, or a change of it failed: start another");
        }
    }
}
