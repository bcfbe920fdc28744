package dev.pail.sweep;

import dev.pail.ipld.Cid;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * What to take away.
 *
 * <pre>{@code
 * SweptBlocks swept = DirectoryBlockStore.open(folder).swept();
 * SweepRule rule = new SweepRule(cid -> cid.equals(value), swept.clock().minus(Duration.ofDays(14)));
 * boolean isDue = rule.isDue(value, Instant.MIN); // false: it is needed
 * }</pre>
 *
 * @param isNeeded whether a block has to stay, by any CID with its multihash
 * @param before what has a stamp before that is old
 */
public record SweepRule(Predicate<Cid> isNeeded, Instant before) {
    public SweepRule {
        Objects.requireNonNull(isNeeded, "isNeeded");
        Objects.requireNonNull(before, "before");
    }

    /** Whether a block with a stamp is to be taken away. */
    public boolean isDue(Cid cid, Instant stamp) {
        Objects.requireNonNull(cid, "cid");
        return stamp.isBefore(before) && !isNeeded.test(cid);
    }
}
