package dev.pail.spark;

import dev.pail.KeyChange;
import dev.pail.ipld.Cid;
import java.io.Serializable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A key whose value differs between two versions: a {@link KeyChange} that Spark can send and store, by Java serialization and by Kryo.
 *
 * <pre>{@code
 * JavaRDD<ChangedKey> changes = PailSpark.diff(context, target, before, after);
 * long added = changes.filter(change -> change.change().kind() == KeyChange.Kind.ADDED).count();
 * }</pre>
 */
public final class ChangedKey implements Serializable {
    private static final long serialVersionUID = 1;

    private final String key;
    private final byte @Nullable [] before;
    private final byte @Nullable [] after;

    /** Copies a change. */
    public ChangedKey(KeyChange change) {
        this.key = change.key();
        this.before = change.before().map(Cid::toBytes).orElse(null);
        this.after = change.after().map(Cid::toBytes).orElse(null);
    }

    /** The whole key. */
    public String key() {
        return key;
    }

    /** Returns the change. */
    public KeyChange change() {
        return new KeyChange(
                key,
                Optional.ofNullable(before).map(Cid::fromBytes),
                Optional.ofNullable(after).map(Cid::fromBytes));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ChangedKey changed && change().equals(changed.change());
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }

    /** The change. */
    @Override
    public String toString() {
        return change().toString();
    }
}
