package dev.pail.repository.collect;

import dev.pail.BlockException;
import dev.pail.StoreLockedException;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.repository.history.Histories;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.spi.RefStore;
import dev.pail.trace.Trace;
import java.util.ArrayList;
import java.util.List;

/** The newest version of each branch, whose shards are to be read fast. */
public final class NewestVersions {
    private NewestVersions() {}

    /**
     * Brings the shards of the newest version of each branch together. A version that cannot be read, or that several events make, is left
     * out. If another writer holds the lock of the store, all stays as it is.
     */
    public static void cluster(CollectionPlace place) {
        Histories histories = new Histories(new SeenBlocks(place.blocks()), place.format());
        List<Cid> roots = new ArrayList<>();
        RefStore refs = place.refs();
        for (String branch : refs.branches()) {
            Head head = refs.branch(branch).head();
            try {
                if (head.size() == 1) {
                    roots.add(histories.root(head));
                }
            } catch (BlockException | RepositoryException e) {
                Trace.swallowed("a version that cannot be read stays where it is: " + branch, e);
            }
        }
        try {
            place.blocks().cluster(roots);
        } catch (StoreLockedException e) {
            Trace.swallowed("the shards of versions stay where they are", e);
        }
    }
}
