package dev.pail.repository.model;

import dev.pail.BlockException;
import java.util.List;
import java.util.Objects;

/**
 * The result of a garbage collection, or of a dry run.
 *
 * <pre>{@code
 * Collected collected = repository.maintenance().garbageCollection().dryRun();
 * System.out.println(collected.moved().blocks() + " blocks would go to the trash");
 * collected.lost().forEach(lost -> System.err.println(lost.getMessage()));
 * }</pre>
 *
 * @param kept blocks that are needed, or not old enough
 * @param moved blocks that went to the trash
 * @param waiting blocks that stay in the trash for now
 * @param deleted blocks that were deleted from the trash
 * @param restored blocks that were needed, and came back from the trash
 * @param lost blocks that logs reach and that are missing, corrupt or malformed, at most {@value #MOST_LOST}. The collection did not keep
 *     blocks that only these reach
 * @param unfollowed how many different values were reached whose codec this library does not read. It did not keep blocks that only these
 *     link to (spec rule G4)
 */
public record Collected(
        Amount kept,
        Amount moved,
        Amount waiting,
        Amount deleted,
        Amount restored,
        List<BlockException> lost,
        long unfollowed) {
    /** The maximum number of blocks in {@code lost}. */
    public static final int MOST_LOST = 1000;

    public Collected {
        Objects.requireNonNull(kept, "kept");
        Objects.requireNonNull(moved, "moved");
        Objects.requireNonNull(waiting, "waiting");
        Objects.requireNonNull(deleted, "deleted");
        Objects.requireNonNull(restored, "restored");
        lost = List.copyOf(Objects.requireNonNull(lost, "lost"));
    }

    /**
     * A number of blocks, with their size.
     *
     * @param blocks the number of blocks
     * @param bytes their size, in bytes
     */
    public record Amount(long blocks, long bytes) {}
}
