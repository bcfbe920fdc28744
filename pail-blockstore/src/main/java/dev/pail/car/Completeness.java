package dev.pail.car;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.MalformedShardException;
import dev.pail.MissingBlockException;
import dev.pail.dag.DagWalk;
import dev.pail.dag.Link;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.Objects;

/**
 * Checks that a block store has what roots cannot be read without.
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
     * Goes from the roots to all shards and events that they reach; a root that is neither must be there, and no more. Values may
     * be anywhere, so they are not looked for. Shards are not checked against the rules of their format: that is done
     * whenever one is read.
     *
     * @return the number of blocks that are needed; a root that is an identity CID is none
     * @throws MissingBlockException if one is not there
     * @throws CorruptBlockException if the bytes of one do not match its CID
     * @throws MalformedShardException if a link to a shard or an event leads to something else
     */
    public static long require(BlockStore blocks, Collection<Cid> roots) {
        Objects.requireNonNull(blocks, "blocks");
        long[] count = new long[1];
        new DagWalk(blocks::getChecked, Link::isNeeded, block -> count[0]++, DagWalk::requireNeeded).run(roots);
        return count[0];
    }
}
