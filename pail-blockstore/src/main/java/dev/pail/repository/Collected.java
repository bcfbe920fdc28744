package dev.pail.repository;

import dev.pail.sweep.Swept;
import java.util.Objects;

/**
 * What a garbage collection has done, or would do.
 *
 * @param kept blocks that are needed, or not old enough
 * @param moved blocks that went to the trash
 * @param waiting blocks that stay in the trash for now
 * @param deleted blocks that were deleted from the trash
 * @param restored blocks that were needed, and came back from the trash
 */
public record Collected(Amount kept, Amount moved, Amount waiting, Amount deleted, Amount restored) {
    public Collected {
        Objects.requireNonNull(kept);
        Objects.requireNonNull(moved);
        Objects.requireNonNull(waiting);
        Objects.requireNonNull(deleted);
        Objects.requireNonNull(restored);
    }

    /**
     * Some blocks.
     *
     * @param blocks how many
     * @param bytes how large all of them are together
     */
    public record Amount(long blocks, long bytes) {
        private static Amount of(Swept.Sum sum) {
            return new Amount(sum.blocks(), sum.bytes());
        }
    }

    static Collected of(Swept swept) {
        return new Collected(
                Amount.of(swept.kept()),
                Amount.of(swept.moved()),
                Amount.of(swept.waiting()),
                Amount.of(swept.deleted()),
                Amount.of(swept.restored()));
    }
}
