package dev.pail.repository;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.MergePolicy;
import dev.pail.clock.UnrelatedHistories;
import java.util.Objects;
import java.util.Optional;

/**
 * How {@link Repository#merge(String, String, MergeOptions)} merges. Immutable; safe for use by several threads, if the function of the
 * policy is.
 *
 * <pre>{@code
 * MergeOptions options = MergeOptions.DEFAULT.withPolicy(MergePolicy.fail()).withDryRun();
 * MergeResult preview = repository.merge("main", "draft", options);
 * }</pre>
 *
 * @param policy decides conflicts; if empty, the order of the clock does, or, if there is a base, conflicts are refused
 * @param unrelated what becomes of histories that began apart from each other
 * @param base the version to compare both sides with, for a merge by content
 * @param dryRun whether the merge is computed in memory, and writes and moves nothing
 * @param progress is run when the merge begins, and for each block that is read or made. What it throws ends the merge, and nothing has
 *     changed
 */
@CheckReturnValue
public record MergeOptions(
        Optional<MergePolicy> policy,
        UnrelatedHistories unrelated,
        Optional<Revision> base,
        boolean dryRun,
        Runnable progress) {
    /** The order of the clock decides conflicts, and histories that began apart from each other are not merged. */
    public static final MergeOptions DEFAULT =
            new MergeOptions(Optional.empty(), UnrelatedHistories.REFUSE, Optional.empty(), false, () -> {});

    public MergeOptions {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(unrelated, "unrelated");
        Objects.requireNonNull(base, "base");
        Objects.requireNonNull(progress, "progress");
    }

    /**
     * These options, with a policy that decides conflicts instead of the order of the clock. The merge compares both sides with the last
     * version that both had. If the clock comes to another result, a new event corrects it, and all replicas follow that event.
     */
    public MergeOptions withPolicy(MergePolicy decision) {
        return new MergeOptions(
                Optional.of(Objects.requireNonNull(decision, "decision")), unrelated, base, dryRun, progress);
    }

    /** These options, where histories that began apart from each other become what this says. */
    public MergeOptions withUnrelated(UnrelatedHistories histories) {
        return new MergeOptions(policy, histories, base, dryRun, progress);
    }

    /**
     * Returns these options for a merge by content. The merge ignores histories and compares both sides with the given version. It puts
     * the differences, deletions included, into the branch as a change: the events of the other side do not join the branch.
     */
    public MergeOptions withBase(Revision version) {
        return new MergeOptions(
                policy, unrelated, Optional.of(Objects.requireNonNull(version, "version")), dryRun, progress);
    }

    /** These options, for a merge that is computed in memory, and writes and moves nothing. */
    public MergeOptions withDryRun() {
        return new MergeOptions(policy, unrelated, base, true, progress);
    }

    /**
     * These options, where an action is run when the merge begins, and for each block that is read or made. What it
     * throws ends the merge.
     */
    public MergeOptions withProgress(Runnable step) {
        return new MergeOptions(policy, unrelated, base, dryRun, Objects.requireNonNull(step, "step"));
    }
}
