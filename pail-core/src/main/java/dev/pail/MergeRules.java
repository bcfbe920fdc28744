package dev.pail;

import dev.pail.ipld.Cid;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * How two versions that come from the same base become one, where keys depend on each other.
 *
 * <p>A merge of keys decides each key alone. If a program keeps data in which one key follows from others, as an index follows from
 * rows, such a merge leaves keys that do not fit together. Rules find the conflicts in the terms of these data, and make a merged
 * version right. {@link #keys()} are the rules of a map whose keys do not depend on each other; {@code dev.pail.table.Tables.mergeRules()}
 * are those of tables. A repository takes them with {@code Repository.with(rules)}.
 *
 * <pre>{@code
 * MergeRules rules = MergeRules.keys();
 * MergeRules.Comparison sides = rules.compare(base, MergeRules.Side.of(ours), MergeRules.Side.of(theirs));
 * Pail merged = sides.conflicts().isEmpty() ? sides.by(MergePolicy.fail()).pail() : ours;
 * }</pre>
 *
 * <p>Rules are deterministic: replicas that merge the same versions come to the same root. An implementation is immutable and safe for
 * use by several threads. All methods may throw what reading a {@link Pail} throws.
 */
public interface MergeRules {
    /** The rules of a map whose keys do not depend on each other: a merge of keys is right as it is. */
    static MergeRules keys() {
        return KeyRules.RULES;
    }

    /** Whether a version may have data of these rules. If not, a merge of keys is right for it. Reads a few entries at most. */
    boolean concern(Pail pail);

    /** Whether a key may belong to data of these rules. */
    boolean concern(String key);

    /**
     * Compares both sides with the version that they come from.
     *
     * @param base the version of all that both sides know; an empty pail, if that is nothing
     * @param ours our side, in whose block store the merged version is made
     */
    Comparison compare(Pail base, Side ours, Side theirs);

    /**
     * Makes a merged version right for which there is no base to compare with.
     *
     * @param before a version that is right, as near to the merged one as possible: the cost is that of the difference
     */
    Outcome repair(Pail merged, Pail before);

    /**
     * The version that a replay of several events made, without entries that only their order left behind.
     *
     * @return the same, if there are none
     */
    Pail withoutStrays(Pail replayed);

    /** One side of a merge: its version, and the events that led there. */
    interface Side {
        /** The version. */
        Pail pail();

        /**
         * The events that this side has and the other does not, each behind those that it follows. Lazy: to be read once, if at all. None, if
         * they are not known.
         */
        Stream<Step> steps();

        /** A side whose version alone is known. */
        static Side of(Pail pail) {
            Objects.requireNonNull(pail, "pail");
            return of(pail, Stream::empty);
        }

        /** A side whose events are known. */
        static Side of(Pail pail, Supplier<Stream<Step>> steps) {
            return new KeyRules.Version(pail, steps);
        }
    }

    /**
     * An event on the way from the base to one side.
     *
     * @param event its CID
     * @param parents the events that it follows directly
     * @param changes the keys that it changed, in the order of the event, with their values; none for a key that was removed
     * @param version gives the version after the event
     */
    record Step(Cid event, List<Cid> parents, List<Map.Entry<String, Optional<Cid>>> changes, Supplier<Pail> version) {
        public Step {
            Objects.requireNonNull(event, "event");
            parents = List.copyOf(parents);
            changes = List.copyOf(changes);
            Objects.requireNonNull(version, "version");
        }
    }

    /** Two sides of a merge, compared with their base. */
    interface Comparison {
        /** What both sides changed in different ways, in the order of keys. */
        List<? extends Conflict> conflicts();

        /**
         * The merged version, made of ours, where a policy decides conflicts.
         *
         * @throws MergeConflictException if the policy refuses conflicts, and there are any. Nothing was stored
         */
        Outcome by(MergePolicy policy);

        /**
         * Makes right what a merge of keys or a replay of events made of both sides.
         *
         * @param merged its values decide conflicts
         */
        Outcome onto(Pail merged);
    }

    /** A merged version, and what the rules did to make it right. */
    interface Outcome {
        /** The version that is right: the merged one, if nothing was wrong. */
        Pail pail();

        /** What became of data that did not fit together, each in a sentence. */
        List<String> notes();
    }
}
