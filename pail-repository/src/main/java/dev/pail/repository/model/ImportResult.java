package dev.pail.repository.model;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.car.CarImport;
import java.util.Objects;
import java.util.Optional;

/**
 * The result of importing a CAR by {@link dev.pail.repository.Repository#take}. Immutable.
 *
 * <pre>{@code
 * ImportResult result = repository.take("main", car, ImportOptions.DEFAULT);
 * result.merge().ifPresent(merge -> System.out.println("main has now " + merge.root()));
 * }</pre>
 *
 * @param blocks the result for its blocks. Blocks that could not be verified were left out
 * @param merge the result of the merge; empty if the CAR names no version, and no branch moved
 */
@CheckReturnValue
public record ImportResult(CarImport blocks, Optional<MergeResult> merge) {
    public ImportResult {
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(merge, "merge");
    }
}
