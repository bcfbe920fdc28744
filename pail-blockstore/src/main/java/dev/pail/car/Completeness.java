package dev.pail.car;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.MalformedBlockException;
import dev.pail.MissingBlockException;
import dev.pail.dag.DagWalk;
import dev.pail.dag.Link;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.Objects;

/**
 * The connectivity check: that a block store has all shards and events that roots reach.
 *
 * <pre>{@code
 * try {
 *     long present = Completeness.require(blocks, List.of(pail.root())); // the number of blocks
 * } catch (MissingBlockException e) {
 *     System.err.println("fetch " + e.cid());
 * }
 * }</pre>
 */
public final class Completeness {
    private Completeness() {}

    /**
     * Checks all shards and events that the roots reach. For any other root, checks only that its block is there. Does not look for values,
     * which may be stored elsewhere. Does not check shards against the rules of their format: each later read does.
     *
     * @return the number of needed blocks; a root that is an identity CID does not count
     * @throws MissingBlockException if a block is missing
     * @throws CorruptBlockException if the bytes of one do not match its CID
     * @throws MalformedBlockException if a link to a shard or an event leads to something else
     */
    public static long require(BlockStore blocks, Collection<Cid> roots) {
        Objects.requireNonNull(blocks, "blocks");
        long[] count = new long[1];
        new DagWalk(blocks::getChecked, Link::isNeeded, block -> count[0]++, DagWalk::requireNeeded).run(roots);
        return count[0];
    }
}
