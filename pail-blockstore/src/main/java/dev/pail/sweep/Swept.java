package dev.pail.sweep;

import com.google.errorprone.annotations.CheckReturnValue;
import java.util.Objects;

/**
 * The result of a sweep: numbers and sizes of blocks.
 *
 * <pre>{@code
 * Swept sum = Swept.kept(120).plus(Swept.moved(80));
 * System.out.println(sum.moved().blocks() + " block, " + sum.moved().bytes() + " bytes"); // 1 block, 80 bytes
 * }</pre>
 *
 * @param kept stay in the store
 * @param moved went to the trash
 * @param waiting stay in the trash
 * @param deleted were deleted from it
 * @param restored came back from it
 */
@CheckReturnValue
public record Swept(Sum kept, Sum moved, Sum waiting, Sum deleted, Sum restored) {
    public Swept {
        Objects.requireNonNull(kept, "kept");
        Objects.requireNonNull(moved, "moved");
        Objects.requireNonNull(waiting, "waiting");
        Objects.requireNonNull(deleted, "deleted");
        Objects.requireNonNull(restored, "restored");
    }

    /** Nothing at all. */
    public static final Swept NOTHING = new Swept(Sum.ZERO, Sum.ZERO, Sum.ZERO, Sum.ZERO, Sum.ZERO);

    /** A number of blocks, and how many bytes they have together. */
    @CheckReturnValue
    public record Sum(long blocks, long bytes) {
        private static final Sum ZERO = new Sum(0, 0);

        private static Sum of(long bytes) {
            return new Sum(1, bytes);
        }

        /** Both together. */
        public Sum plus(Sum other) {
            return new Sum(blocks + other.blocks, bytes + other.bytes);
        }
    }

    /** One block that stays. */
    public static Swept kept(long bytes) {
        return new Swept(Sum.of(bytes), Sum.ZERO, Sum.ZERO, Sum.ZERO, Sum.ZERO);
    }

    /** One block that goes to the trash. */
    public static Swept moved(long bytes) {
        return new Swept(Sum.ZERO, Sum.of(bytes), Sum.ZERO, Sum.ZERO, Sum.ZERO);
    }

    /** One block that stays in the trash. */
    public static Swept waiting(long bytes) {
        return new Swept(Sum.ZERO, Sum.ZERO, Sum.of(bytes), Sum.ZERO, Sum.ZERO);
    }

    /** One block that is deleted. */
    public static Swept deleted(long bytes) {
        return new Swept(Sum.ZERO, Sum.ZERO, Sum.ZERO, Sum.of(bytes), Sum.ZERO);
    }

    /** One block that comes back. */
    public static Swept restored(long bytes) {
        return new Swept(Sum.ZERO, Sum.ZERO, Sum.ZERO, Sum.ZERO, Sum.of(bytes));
    }

    /** Both together. */
    public Swept plus(Swept other) {
        return new Swept(
                kept.plus(other.kept),
                moved.plus(other.moved),
                waiting.plus(other.waiting),
                deleted.plus(other.deleted),
                restored.plus(other.restored));
    }

    /** Whether anything changes. */
    public boolean isChange() {
        return moved.blocks + deleted.blocks + restored.blocks > 0;
    }
}
