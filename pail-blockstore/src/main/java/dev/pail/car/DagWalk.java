package dev.pail.car;

import dev.pail.BlockStore;
import dev.pail.dag.Link;
import dev.pail.dag.Links;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Goes from roots through all blocks that they link to, depth first, links in the order in which they are written, to each block
 * once. Recurses nowhere; holds the links of the blocks on one path of which some are left, and of each block that was seen some bytes.
 */
final class DagWalk {
    private final BlockStore blocks;
    private final Predicate<Link> isFollowed;
    private final Consumer<Block> sink;
    private final Seen seen = new Seen();
    private final Deque<Iterator<Link>> path = new ArrayDeque<>();

    /**
     * @param isFollowed tells of each link whether to go there
     * @param sink takes each block before those that it links to
     */
    DagWalk(BlockStore blocks, Predicate<Link> isFollowed, Consumer<Block> sink) {
        this.blocks = blocks;
        this.isFollowed = isFollowed;
        this.sink = sink;
    }

    /** Goes from these roots, as far as was not gone before. */
    void run(Collection<Cid> roots) {
        push(roots.stream().map(root -> new Link(root, Link.Role.ROOT)).iterator());
        for (Iterator<Link> links = path.peek(); links != null; links = path.peek()) {
            Link link = links.next();
            // The last link of an event leads to the one before, and so on to the beginning: a history is no path to be
            // held.
            if (!links.hasNext()) {
                path.pop();
            }
            follow(link);
        }
    }

    private void push(Iterator<Link> links) {
        if (links.hasNext()) {
            path.push(links);
        }
    }

    private void follow(Link link) {
        if (link.cid().hashFunction() == Cid.IDENTITY || !isFollowed.test(link) || seen.contains(link)) {
            return;
        }
        Optional<Block> found = link.isNeeded() ? Optional.of(blocks.require(link.cid())) : value(link.cid());
        if (found.isEmpty()) {
            return;
        }
        Block block = found.get();
        if (!seen.containsAsValue(link)) {
            sink.accept(block);
        }
        seen.add(link);
        push(Links.of(block, link.role()).iterator());
    }

    /** A block that may be missing. What cannot be verified is as good as not there. */
    private Optional<Block> value(Cid cid) {
        try {
            return blocks.getChecked(cid);
        } catch (UnsupportedHashException e) {
            return Optional.empty();
        }
    }
}
