package dev.pail.content.merge;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.BlockStore;
import dev.pail.MergePolicy;
import dev.pail.MergeRules;
import dev.pail.Pail;
import dev.pail.ipld.Block;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Merges of values that both sides changed, by lines, by fields or by columns, for one merge (spec rules VM2 to VM6). A value that merges is no
 * conflict. What both sides changed in one place stays a conflict of the whole value, and no value ever has markers in it.
 *
 * <pre>{@code
 * ValueMerge inside = ValueMerge.of(Set.of(ValueKind.TEXT, ValueKind.JSON));
 * MergeResult result = repository.with(inside.rules()).merge("main", "draft", MergeOptions.DEFAULT);
 * }</pre>
 *
 * <p>Replicas that merge the same versions with the same kinds make the same values. A text of more than 1 MiB or 50,000 lines is not
 * merged, nor is a file with permissions or a time. Immutable and safe for use by several threads.
 */
@CheckReturnValue
public final class ValueMerge {
    private final Set<ValueKind> kinds;

    private ValueMerge(Set<ValueKind> kinds) {
        this.kinds = Set.copyOf(kinds);
    }

    /**
     * Merges of some kinds. An object of JSON is merged by its fields, if {@link ValueKind#JSON} is one of them, and otherwise as a text.
     */
    public static ValueMerge of(Set<ValueKind> kinds) {
        return new ValueMerge(kinds);
    }

    /** The {@linkplain MergeRules#installed() installed} rules, and these merges for the conflicts that they leave. */
    public MergeRules rules() {
        return new OnDemand(kinds);
    }

    /**
     * A policy for {@link Pail#merge}, which merges values of keys. It does not merge rows: the {@link #rules} do.
     *
     * @param blocks has the values of all three versions, and gets the merged ones
     * @param otherwise decides what does not merge
     */
    public MergePolicy policy(BlockStore blocks, MergePolicy otherwise) {
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(otherwise, "otherwise");
        return MergePolicy.resolve(conflict -> {
            Optional<Block> merged = InsideMerge.merged(kinds, conflict, blocks, blocks, blocks);
            merged.ifPresent(blocks::put);
            return merged.map(Block::cid).or(() -> otherwise.value(conflict));
        });
    }

    /** The kinds. */
    public Set<ValueKind> kinds() {
        return kinds.isEmpty() ? Set.of() : EnumSet.copyOf(kinds);
    }

    private static final class OnDemand extends InsideRules {
        private final Set<ValueKind> kinds;

        OnDemand(Set<ValueKind> kinds) {
            this.kinds = kinds;
        }

        @Override
        MergeRules below(Pail... versions) {
            return MergeRules.installed();
        }

        @Override
        public boolean concern(Pail pail) {
            return MergeRules.installed().concern(pail);
        }

        @Override
        public boolean concern(String key) {
            return MergeRules.installed().concern(key);
        }

        @Override
        public Comparison compare(Pail base, Side ours, Side theirs) {
            Comparison below = MergeRules.installed().compare(base, ours, theirs);
            return new InsideMerge(below, base, ours.pail(), theirs.pail(), conflict -> kinds);
        }
    }
}
