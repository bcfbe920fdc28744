package dev.pail;

import dev.pail.ipld.Cid;
import java.util.Optional;

/**
 * A key that both sides of a merge changed in different ways.
 *
 * <p>{@link MergeRules} may have their own types of conflicts with more details: those of tables name the table and the row.
 *
 * <pre>{@code
 * for (Conflict conflict : base.conflicts(ours, theirs)) {
 *     System.out.println(conflict.key() + ": " + conflict.ours() + " or " + conflict.theirs());
 * }
 * }</pre>
 *
 * <p>Immutable and safe for use by several threads. Two conflicts of the same type are equal by content.
 */
public interface Conflict {
    /** The whole key. */
    String key();

    /** The value in the base, if the key has one there. */
    Optional<Cid> base();

    /** The value on our side, if the key has one there. */
    Optional<Cid> ours();

    /** The value on their side, if the key has one there. */
    Optional<Cid> theirs();

    /** Names what both sides changed, for messages: the key in quotes, or the row or other data that the key stands for. */
    default String subject() {
        return Escapes.brief(key());
    }

    /**
     * A conflict that says no more than the key and its values.
     *
     * @param base the value before, if there is one
     * @param ours the value on our side, if there is one
     * @param theirs the value on their side, if there is one
     */
    static Conflict of(String key, Optional<Cid> base, Optional<Cid> ours, Optional<Cid> theirs) {
        return new KeyConflict(key, base, ours, theirs);
    }
}
