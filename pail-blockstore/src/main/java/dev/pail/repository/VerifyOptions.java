package dev.pail.repository;

import com.google.errorprone.annotations.CheckReturnValue;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What {@link Repository#verify} checks, and what it tells while it runs. Immutable.
 *
 * <pre>{@code
 * VerifyReport report = repository.verify(VerifyOptions.DEFAULT.withAllVersions().withValues());
 * }</pre>
 *
 * @param branch the one branch to check; empty for all branches and tags
 * @param allVersions whether to check all versions of the history and those that logs lead to, and all stored blocks
 * @param values whether to read all values and all blocks below them, so that an absent one is a problem; without it, absent ones are
 *     counted
 * @param problems gets each problem when it is found
 * @param progress is run for each block. What it throws ends the check
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

    /** These options, for one branch. */
    public VerifyOptions withBranch(String name) {
        Objects.requireNonNull(name, "name");
        return new VerifyOptions(Optional.of(name), allVersions, values, problems, progress);
    }

    /** These options, for all versions. */
    public VerifyOptions withAllVersions() {
        return new VerifyOptions(branch, true, values, problems, progress);
    }

    /** These options, with all values. */
    public VerifyOptions withValues() {
        return new VerifyOptions(branch, allVersions, true, problems, progress);
    }

    /** These options, where a consumer gets each problem when it is found. */
    public VerifyOptions withProblems(Consumer<VerifyReport.Problem> consumer) {
        return new VerifyOptions(branch, allVersions, values, consumer, progress);
    }

    /** These options, where an action is run for each block. What it throws ends the check. */
    public VerifyOptions withProgress(Runnable step) {
        return new VerifyOptions(branch, allVersions, values, problems, step);
    }
}
