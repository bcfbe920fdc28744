package dev.pail;

import dev.pail.ipld.Cid;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The rules for merging two versions in which keys depend on each other.
 *
 * <p>A merge of keys decides each key alone. If some keys follow from others, as an index follows from rows, such a merge leaves keys
 * that contradict each other. Rules find the conflicts in terms of the data, and repair the merged version. {@link #keys()} are the rules
 * of a map with independent keys; {@code dev.pail.table.Tables.mergeRules()} are those of tables. A repository merges by the
 * {@link #installed()} rules, unless {@code Repository.with(rules)} names others.
 *
 * <pre>{@code
 * MergeRules rules = MergeRules.keys();
 * MergeRules.Comparison sides = rules.compare(base, MergeRules.Side.of(ours), MergeRules.Side.of(theirs));
 * Pail merged = sides.conflicts().isEmpty() ? sides.by(MergePolicy.fail()).pail() : ours;
 * }</pre>
 *
 * <p>Rules are deterministic: replicas that merge the same versions get the same root. An implementation is immutable and safe for
 * use by several threads. All methods may throw what reading a {@link Pail} throws.
 */
public interface MergeRules {
    /** The rules of a map whose keys do not depend on each other: a merge of keys is right as it is. */
    static MergeRules keys() {
        return KeyRules.RULES;
    }

    /**
     * The rules of the modules of this program. When they are first used, a {@link java.util.ServiceLoader} finds them with the class
     * loader of this interface. The module {@code pail-table} has those of tables. The rules that concern a version merge it; if there are
     * none, each key is merged alone. A merge throws {@link NoMergeRulesException} if a version has tables and no rules concern it (spec
     * rule R10).
     *
     * <pre>{@code
     * MergeRules.Comparison sides = MergeRules.installed().compare(base, MergeRules.Side.of(ours), MergeRules.Side.of(theirs));
     * Pail merged = sides.by(MergePolicy.theirs()).pail(); // tables row by row, other maps key by key
     * }</pre>
     */
    static MergeRules installed() {
        return InstalledRules.RULES;
    }

    /** Whether a version may have data of these rules. If not, a merge of keys is right for it. Reads a few entries at most. */
    boolean concern(Pail pail);

    /** Whether a key may belong to data of these rules. */
    boolean concern(String key);

    /**
     * Compares both sides with the version that they come from.
     *
     * @throws NoMergeRulesException if a version has tables, and these are {@link #installed()} rules without rules for them
     * @param base the version of all events that both sides have; an empty pail, if there are none
     * @param ours our side; the merged version is made in its block store
     */
    Comparison compare(Pail base, Side ours, Side theirs);

    /**
     * Repairs a merged version without a base to compare with.
     *
     * @param before a correct version, as similar to the merged one as possible: the cost is proportional to the difference
     */
    Outcome repair(Pail merged, Pail before);

    /**
     * Removes entries that a replay of several events left behind only because of their order.
     *
     * @return the same version, if there are no such entries
     */
    Pail withoutStrays(Pail replayed);

    /**
     * Describes conflicts of single keys in terms of the data. By default, returns them as they are.
     *
     * @param pail the version that the conflicts are open in
     * @param conflicts in the order of keys
     * @return the conflicts without those of keys that follow from others, as entries of an index do: no one decides these. In the order of keys
     */
    default List<? extends Conflict> describe(Pail pail, List<? extends Conflict> conflicts) {
        Objects.requireNonNull(pail, "pail");
        return List.copyOf(conflicts);
    }

    /** One side of a merge: its version, and the events that led there. */
    interface Side {
        /** The version. */
        Pail pail();

        /**
         * Returns the events that only this side has, each behind those that it follows; empty if they are unknown. Lazy: may be read
         * once.
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
     * @param changes the keys that it changed, in the order of the event, with their values; empty for a removed key
     * @param version returns the version after the event
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
        /** Returns the conflicts of both sides, in the order of keys. */
        List<? extends Conflict> conflicts();

        /**
         * Makes the merged version from ours. A policy decides conflicts.
         *
         * @throws MergeConflictException if the policy refuses conflicts, and there are any. Nothing was stored
         */
        Outcome by(MergePolicy policy);

        /**
         * Repairs the version that a merge of keys or a replay of events made from both sides.
         *
         * @param merged that version; its values decide conflicts
         */
        Outcome onto(Pail merged);
    }

    /** A merged version, and what the rules changed in it. */
    interface Outcome {
        /** Returns the correct version: the merged one, if it needed no repair. */
        Pail pail();

        /** Returns a sentence for each repair. */
        List<String> notes();

        /**
         * Returns the keys, in order, whose values these rules made of both sides instead of a conflict. A merge of histories decides these keys, also where
         * the value is that of the replay.
         */
        default List<String> decided() {
            return List.of();
        }
    }
}
