package dev.pail.repository.model;

import com.google.errorprone.annotations.CheckReturnValue;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The options and callbacks of {@link dev.pail.repository.Repository#verify}. Immutable.
 *
 * <pre>{@code
 * VerifyReport report = repository.verify(VerifyOptions.DEFAULT.withAllVersions().withValues());
 * }</pre>
 *
 * @param branch the one branch to check; empty for all branches and tags
 * @param allVersions whether to check all versions of the history and of logs, and all stored blocks
 * @param values whether to read all values and all blocks below them. Then an absent one is a problem; else absent ones are only counted
 * @param problems receives each problem at once
 * @param progress is called for each block. Its exceptions end the check
 */
@CheckReturnValue
public record VerifyOptions(
        Optional<String> branch,
        boolean allVersions,
        boolean values,
        Consumer<VerifyReport.Problem> problems,
        Runnable progress) {
    /** A check of the current versions of all branches and tags. */
    public static final VerifyOptions DEFAULT =
            new VerifyOptions(Optional.empty(), false, false, problem -> {}, () -> {});

    public VerifyOptions {
        Objects.requireNonNull(branch, "branch");
        Objects.requireNonNull(problems, "problems");
        Objects.requireNonNull(progress, "progress");
    }

    /** Returns these options for one branch. */
    public VerifyOptions withBranch(String name) {
        Objects.requireNonNull(name, "name");
        return new VerifyOptions(Optional.of(name), allVersions, values, problems, progress);
    }

    /** Returns these options for all versions. */
    public VerifyOptions withAllVersions() {
        return new VerifyOptions(branch, true, values, problems, progress);
    }

    /** Returns these options with all values. */
    public VerifyOptions withValues() {
        return new VerifyOptions(branch, allVersions, true, problems, progress);
    }

    /** Returns these options with a consumer that receives each problem at once. */
    public VerifyOptions withProblems(Consumer<VerifyReport.Problem> consumer) {
        return new VerifyOptions(branch, allVersions, values, consumer, progress);
    }

    /** Returns these options with an action that is called for each block. Its exceptions end the check. */
    public VerifyOptions withProgress(Runnable step) {
        return new VerifyOptions(branch, allVersions, values, problems, step);
    }
}
