package dev.pail.repository.model;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.ipld.Cid;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

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
 * @param remote says of a {@link Part} which of some blocks its remote has, or throws a {@link dev.pail.PailException} if it cannot be asked. It is asked for an absent
 *     block only if the blocks here do not show whether it is promised or lost
 */
@CheckReturnValue
public record VerifyOptions(
        Optional<String> branch,
        boolean allVersions,
        boolean values,
        Consumer<VerifyReport.Problem> problems,
        Runnable progress,
        Optional<UnaryOperator<Set<Cid>>> remote) {
    /** A check of the current versions of all branches and tags. */
    public static final VerifyOptions DEFAULT =
            new VerifyOptions(Optional.empty(), false, false, problem -> {}, () -> {}, Optional.empty());

    public VerifyOptions {
        Objects.requireNonNull(branch, "branch");
        Objects.requireNonNull(problems, "problems");
        Objects.requireNonNull(progress, "progress");
        Objects.requireNonNull(remote, "remote");
    }

    /** Returns these options for one branch. */
    public VerifyOptions withBranch(String name) {
        Objects.requireNonNull(name, "name");
        return new VerifyOptions(Optional.of(name), allVersions, values, problems, progress, remote);
    }

    /** Returns these options for all versions. */
    public VerifyOptions withAllVersions() {
        return new VerifyOptions(branch, true, values, problems, progress, remote);
    }

    /** Returns these options with all values. */
    public VerifyOptions withValues() {
        return new VerifyOptions(branch, allVersions, true, problems, progress, remote);
    }

    /** Returns these options with a consumer that receives each problem at once. */
    public VerifyOptions withProblems(Consumer<VerifyReport.Problem> consumer) {
        return new VerifyOptions(branch, allVersions, values, consumer, progress, remote);
    }

    /** Returns these options with an action that is called for each block. Its exceptions end the check. */
    public VerifyOptions withProgress(Runnable step) {
        return new VerifyOptions(branch, allVersions, values, problems, step, remote);
    }

    /** Returns these options with a remote that can be asked which blocks it has. */
    public VerifyOptions withRemote(UnaryOperator<Set<Cid>> asked) {
        return new VerifyOptions(
                branch, allVersions, values, problems, progress, Optional.of(Objects.requireNonNull(asked, "asked")));
    }
}
