package dev.pail.repository;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.car.CarImport;
import java.util.Objects;
import java.util.Optional;

/**
 * What became of a CAR that {@link Repository#take} took in. Immutable.
 *
 * <pre>{@code
 * ImportResult result = repository.take("main", car, ImportOptions.DEFAULT);
 * result.merge().ifPresent(merge -> System.out.println("main has now " + merge.root()));
 * }</pre>
 *
 * @param blocks what became of its blocks. Those that cannot be verified were left out
 * @param merge what the branch became; empty if the CAR names no version, so that no branch was moved
 */
@CheckReturnValue
public record ImportResult(CarImport blocks, Optional<MergeResult> merge) {
    public ImportResult {
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(merge, "merge");
    }
}
