package dev.pail.sweep;

import dev.pail.ipld.Cid;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * The rule of a sweep: the blocks to remove.
 *
 * <pre>{@code
 * SweptBlocks swept = DirectoryBlockStore.open(folder).swept();
 * SweepRule rule = new SweepRule(cid -> cid.equals(value), swept.clock().minus(Duration.ofDays(14)));
 * boolean isDue = rule.isDue(value, Instant.MIN); // false: it is needed
 * }</pre>
 *
 * @param isNeeded whether a block has to stay, by any CID with its multihash
 * @param before blocks with an earlier time are old
 */
public record SweepRule(Predicate<Cid> isNeeded, Instant before) {
    public SweepRule {
        Objects.requireNonNull(isNeeded, "isNeeded");
        Objects.requireNonNull(before, "before");
    }

    /** Whether to remove a block with a time. */
    public boolean isDue(Cid cid, Instant stamp) {
        Objects.requireNonNull(cid, "cid");
        return stamp.isBefore(before) && !isNeeded.test(cid);
    }
}
