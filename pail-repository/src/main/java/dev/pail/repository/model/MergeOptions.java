package dev.pail.repository.model;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.MergePolicy;
import dev.pail.clock.UnrelatedHistories;
import java.util.Objects;
import java.util.Optional;

/**
 * The options of {@link dev.pail.repository.Repository#merge(String, String, MergeOptions)}. Immutable; safe for use by several threads, if the function of
 * the policy is.
 *
 * <pre>{@code
 * MergeOptions options = MergeOptions.DEFAULT.withPolicy(MergePolicy.fail()).withDryRun();
 * MergeResult preview = repository.merge("main", "draft", options);
 * }</pre>
 *
 * @param policy decides conflicts. If empty, the order of the clock decides; with a base, the merge then refuses conflicts
 * @param unrelated the treatment of histories without a common event
 * @param base the version to compare both sides with, for a merge by content
 * @param dryRun whether the merge is computed in memory, and writes and moves nothing
 * @param progress is called when the merge begins, and for each block that it reads or makes. Its exceptions end the merge; then nothing
 *     has changed
 */
@CheckReturnValue
public record MergeOptions(
        Optional<MergePolicy> policy,
        UnrelatedHistories unrelated,
        Optional<Revision> base,
        boolean dryRun,
        Runnable progress) {
    /** The default options: the order of the clock decides conflicts, and histories without a common event are refused. */
    public static final MergeOptions DEFAULT =
            new MergeOptions(Optional.empty(), UnrelatedHistories.REFUSE, Optional.empty(), false, () -> {});

    public MergeOptions {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(unrelated, "unrelated");
        Objects.requireNonNull(base, "base");
        Objects.requireNonNull(progress, "progress");
    }

    /**
     * Returns these options with a policy that decides conflicts instead of the order of the clock. The merge compares both sides with
     * their last common version. If the clock has another result, a new event corrects it, and all replicas follow that event.
     */
    public MergeOptions withPolicy(MergePolicy decision) {
        return new MergeOptions(
                Optional.of(Objects.requireNonNull(decision, "decision")), unrelated, base, dryRun, progress);
    }

    /** Returns these options with another treatment of histories without a common event. */
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

    /** Returns these options for a merge in memory that writes and moves nothing. */
    public MergeOptions withDryRun() {
        return new MergeOptions(policy, unrelated, base, true, progress);
    }

    /**
     * Returns these options with an action that is called when the merge begins, and for each block that it reads or makes. Its
     * exceptions end the merge.
     */
    public MergeOptions withProgress(Runnable step) {
        return new MergeOptions(policy, unrelated, base, dryRun, Objects.requireNonNull(step, "step"));
    }
}
