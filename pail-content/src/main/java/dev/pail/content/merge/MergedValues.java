package dev.pail.content.merge;

import dev.pail.MergeRules;
import dev.pail.Pail;
import java.util.List;
import java.util.Objects;

/**
 * The result of a merge that merged values inside. Immutable and safe for use by several threads.
 *
 * <pre>{@code
 * MergeRules rules = ValueMerge.of(Set.of(ValueKind.TEXT)).rules();
 * MergeRules.Comparison sides = rules.compare(base, MergeRules.Side.of(ours), MergeRules.Side.of(theirs));
 * if (sides.by(MergePolicy.ours()) instanceof MergedValues merged) {
 *     merged.decided().forEach(key -> System.out.println(key + " has the changes of both sides"));
 * }
 * }</pre>
 *
 * @param below what the rules below made with these values: with those of tables, a {@link dev.pail.table.Repair}
 * @param decided the keys of the values, in order
 */
public record MergedValues(MergeRules.Outcome below, List<String> decided) implements MergeRules.Outcome {
    public MergedValues {
        Objects.requireNonNull(below, "below");
        decided = List.copyOf(decided);
    }

    @Override
    public Pail pail() {
        return below.pail();
    }

    @Override
    public List<String> notes() {
        return below.notes();
    }
}
