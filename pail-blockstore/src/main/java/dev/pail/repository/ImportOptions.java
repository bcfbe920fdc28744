package dev.pail.repository;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.car.CarImport;
import dev.pail.clock.UnrelatedHistories;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How {@link Repository#take} takes in a CAR, and what it tells while it runs. Immutable.
 *
 * <pre>{@code
 * try (CarReader car = CarReader.open(file)) {
 *     ImportOptions options = ImportOptions.DEFAULT.withBlocks(blocks -> System.out.println(blocks.added() + " new blocks"));
 *     ImportResult result = repository.take("main", car, options);
 * }
 * }</pre>
 *
 * @param name what the log and messages call the CAR; if empty, the source of the reader
 * @param unrelated what becomes of histories that began apart from each other
 * @param blocks gets what became of the blocks, when all are in the repository and no branch was moved yet. What it throws ends the import
 * @param progress is run for each section of the CAR, and for each block that the merge reads or makes. What it throws ends the import
 */
@CheckReturnValue
public record ImportOptions(
        Optional<String> name, UnrelatedHistories unrelated, Consumer<CarImport> blocks, Runnable progress) {
    /** Histories that began apart from each other are not merged. */
    public static final ImportOptions DEFAULT =
            new ImportOptions(Optional.empty(), UnrelatedHistories.REFUSE, taken -> {}, () -> {});

    public ImportOptions {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(unrelated, "unrelated");
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(progress, "progress");
    }

    /** These options, with a name of the CAR for the log and for messages. */
    public ImportOptions withName(String text) {
        return new ImportOptions(Optional.of(Objects.requireNonNull(text, "text")), unrelated, blocks, progress);
    }

    /** These options, where histories that began apart from each other become what this says. */
    public ImportOptions withUnrelated(UnrelatedHistories histories) {
        return new ImportOptions(name, histories, blocks, progress);
    }

    /** These options, where a consumer gets what became of the blocks, before the branch moves. */
    public ImportOptions withBlocks(Consumer<CarImport> consumer) {
        return new ImportOptions(name, unrelated, consumer, progress);
    }

    /**
     * These options, where an action is run for each section of the CAR, and for each block that the merge reads or makes. What it throws
     * ends the import, and no branch has changed.
     */
    public ImportOptions withProgress(Runnable step) {
        return new ImportOptions(name, unrelated, blocks, step);
    }
}
