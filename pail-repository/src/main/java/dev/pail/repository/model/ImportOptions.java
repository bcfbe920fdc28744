package dev.pail.repository.model;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.car.CarImport;
import dev.pail.clock.UnrelatedHistories;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The options and callbacks of {@link dev.pail.repository.Repository#take}, which imports a CAR. Immutable.
 *
 * <pre>{@code
 * try (CarReader car = CarReader.open(file)) {
 *     ImportOptions options = ImportOptions.DEFAULT.withBlocks(blocks -> System.out.println(blocks.added() + " new blocks"));
 *     ImportResult result = repository.take("main", car, options);
 * }
 * }</pre>
 *
 * @param name the name of the CAR in the log and in messages; if empty, the source of the reader
 * @param unrelated the treatment of histories without a common event
 * @param blocks receives the result for the blocks, when all are in the repository and before a branch moves. Its exceptions end the import
 * @param progress is called for each section of the CAR, and for each block that the merge reads or makes. Its exceptions end the import
 */
@CheckReturnValue
public record ImportOptions(
        Optional<String> name, UnrelatedHistories unrelated, Consumer<CarImport> blocks, Runnable progress) {
    /** The default options: they refuse histories without a common event. */
    public static final ImportOptions DEFAULT =
            new ImportOptions(Optional.empty(), UnrelatedHistories.REFUSE, taken -> {}, () -> {});

    public ImportOptions {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(unrelated, "unrelated");
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(progress, "progress");
    }

    /** Returns these options with a name of the CAR for the log and for messages. */
    public ImportOptions withName(String text) {
        return new ImportOptions(Optional.of(Objects.requireNonNull(text, "text")), unrelated, blocks, progress);
    }

    /** Returns these options with another treatment of histories without a common event. */
    public ImportOptions withUnrelated(UnrelatedHistories histories) {
        return new ImportOptions(name, histories, blocks, progress);
    }

    /** Returns these options with a consumer of the result for the blocks, which is called before the branch moves. */
    public ImportOptions withBlocks(Consumer<CarImport> consumer) {
        return new ImportOptions(name, unrelated, consumer, progress);
    }

    /**
     * Returns these options with an action for each section of the CAR, and for each block that the merge reads or makes. Its exceptions
     * end the import; then no branch has changed.
     */
    public ImportOptions withProgress(Runnable step) {
        return new ImportOptions(name, unrelated, blocks, step);
    }
}
