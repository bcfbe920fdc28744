package dev.pail.car;

import dev.pail.BlockStore;
import dev.pail.dag.Link;
import dev.pail.dag.Links;
import dev.pail.dag.Seen;
import dev.pail.ipld.Cid;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What earlier roots reach, so far as that is needed to leave it out of the later ones. Both are gone through side by side, from the
 * roots down, one link further at each step; where they come to the same shard, they go no further. So two versions
 * of a large pail with a small difference are known to differ after reading the shards that do, and of a history no more is read than
 * what is new, unless that has events beside those that follow the earlier ones.
 */
final class Earlier {
    private final BlockStore blocks;
    private final Seen earlier = new Seen();
    private final Seen later = new Seen();

    /** The events of the later roots that were gone into, and by their parents those that follow. */
    private final Set<Cid> events = new HashSet<>();

    private final Map<Cid, List<Cid>> followers = new HashMap<>();

    private Earlier(BlockStore blocks) {
        this.blocks = blocks;
    }

    /**
     * Compares roots. A block of the earlier ones that is not there is taken for the end, except for the roots themselves.
     *
     * @return what the later ones need not have
     */
    static Seen of(BlockStore blocks, Collection<Cid> earlierRoots, Collection<Cid> laterRoots) {
        Earlier compared = new Earlier(blocks);
        earlierRoots.forEach(blocks::require);
        List<Link> before = roots(earlierRoots);
        List<Link> behind = roots(laterRoots);
        while (!before.isEmpty() && !behind.isEmpty()) {
            before = compared.expandEarlier(before, behind);
            behind = compared.expandLater(behind);
        }
        // What follows the earlier ones is nothing that they reach. Of other events, only all of the history tells.
        if (!compared.following(earlierRoots).containsAll(compared.events)) {
            while (!before.isEmpty()) {
                before = compared.expandEarlier(before, List.of());
            }
        }
        return compared.earlier;
    }

    /** The events that follow these, as far as was gone. */
    private Set<Cid> following(Collection<Cid> roots) {
        Set<Cid> found = new HashSet<>();
        Deque<Cid> due = new ArrayDeque<>(roots);
        for (Cid cid = due.poll(); cid != null; cid = due.poll()) {
            followers.getOrDefault(cid, List.of()).stream().filter(found::add).forEach(due::add);
        }
        return found;
    }

    private static List<Link> roots(Collection<Cid> cids) {
        return cids.stream().map(cid -> new Link(cid, Link.Role.ROOT)).toList();
    }

    /** Notes these links of the earlier roots and returns the next ones. */
    private List<Link> expandEarlier(List<Link> links, List<Link> beside) {
        Set<Cid> shared = new HashSet<>();
        beside.forEach(link -> shared.add(link.cid()));
        List<Link> next = new ArrayList<>();
        for (Link link : links) {
            if (earlier.add(link) && !shared.contains(link.cid())) {
                read(link).forEach(each -> {
                    if (each.isNeeded()) {
                        next.add(each);
                    } else {
                        earlier.add(each);
                    }
                });
            }
        }
        return next;
    }

    /** Returns the next links of the later roots, where they have not come to something earlier. */
    private List<Link> expandLater(List<Link> links) {
        List<Link> next = new ArrayList<>();
        for (Link link : links) {
            if (!earlier.contains(link) && later.add(link)) {
                for (Link each : read(link)) {
                    if (each.role() == Link.Role.EVENT) {
                        events.add(link.cid());
                        followers
                                .computeIfAbsent(each.cid(), none -> new ArrayList<>())
                                .add(link.cid());
                    }
                    if (each.isNeeded()) {
                        next.add(each);
                    }
                }
            }
        }
        return next;
    }

    private List<Link> read(Link link) {
        if (link.cid().hashFunction() == Cid.IDENTITY) {
            return link.role() == Link.Role.ROOT ? Links.ofValue(link.cid()) : List.of();
        }
        return blocks.getChecked(link.cid())
                .map(block -> Links.of(block, link.role()))
                .orElse(List.of());
    }
}
