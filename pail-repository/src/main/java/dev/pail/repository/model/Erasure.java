package dev.pail.repository.model;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.ipld.Cid;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * A record of one block that was erased, or whose mark was lifted. Of two records of a block the later one counts. Immutable.
 *
 * <pre>{@code
 * for (Erasure each : repository.maintenance().erasing().records()) {
 *     System.out.println(each.cid() + " " + each.state() + " " + each.time());
 * }
 * }</pre>
 *
 * @param state what is known of the block
 * @param cid the raw CID of its multihash: the mark is for all CIDs of these bytes
 * @param value the value that was erased: the block itself, or one that leads to it
 * @param time of the erasure, or when the mark was lifted, in milliseconds
 * @param note the author and the reason
 */
public record Erasure(State state, Cid cid, Cid value, Instant time, Note note) {
    /** What is known of a block. */
    public enum State {
        /** It has a mark. Its bytes may still be in the store, until {@link dev.pail.repository.Erasing#finish}. */
        MARKED,
        /** It has a mark, and its bytes were removed. */
        ERASED,
        /** The mark was lifted: the block may come in again. */
        ALLOWED
    }

    /** @throws IllegalArgumentException if a CID is an identity CID, which names no block */
    public Erasure {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(note, "note");
        cid = cid.raw();
        time = time.truncatedTo(ChronoUnit.MILLIS);
        if (!cid.canNameBlock() || !value.canNameBlock()) {
            throw new IllegalArgumentException("a CID that names no block: " + cid);
        }
    }

    /** Whether the block has a mark. */
    public boolean isMark() {
        return state != State.ALLOWED;
    }

    /** Returns this record; if it is a mark, as one of a block whose bytes were removed. */
    @CheckReturnValue
    public Erasure removed() {
        return isMark() ? new Erasure(State.ERASED, cid, value, time, note) : this;
    }

    /** Returns the record that counts of two of the same block: the later one; of two of one time, the mark. */
    public static Erasure latest(Erasure one, Erasure other) {
        int order = one.time.compareTo(other.time);
        if (order != 0) {
            return order > 0 ? one : other;
        }
        return one.isMark() || !other.isMark() ? one : other;
    }
}
