package dev.pail.cli;

import dev.pail.BlockStore;
import dev.pail.MalformedShardException;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.clock.Event;
import dev.pail.clock.MalformedEventException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * What the roots of a CAR are.
 *
 * @param events those that are events
 * @param pails those that are roots of pails
 */
record Roots(List<Cid> events, List<Cid> pails) {
    /**
     * Looks at roots.
     *
     * @throws MissingBlockException if one that could be an event or a pail is not there
     */
    static Roots of(BlockStore blocks, Collection<Cid> roots) {
        Roots found = new Roots(new ArrayList<>(), new ArrayList<>());
        for (Cid root : roots) {
            if (isEvent(blocks, root)) {
                found.events.add(root);
            } else if (isPail(blocks, root)) {
                found.pails.add(root);
            }
        }
        return found;
    }

    /** Whether a block is an event. */
    static boolean isEvent(BlockStore blocks, Cid cid) {
        if (!cid.isShardLink()) {
            return false;
        }
        Block block = blocks.require(cid);
        try {
            Event.fromBlock(block);
            return true;
        } catch (MalformedEventException e) {
            return false;
        }
    }

    private static boolean isPail(BlockStore blocks, Cid cid) {
        if (!cid.isShardLink()) {
            return false;
        }
        try {
            Pail.open(blocks, cid);
            return true;
        } catch (MalformedShardException e) {
            return false;
        }
    }
}
