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
 * Finds the blocks that the receiver of a CAR has already: those that earlier roots reach. Walks the earlier and the later roots side
 * by side, one link further at each step, and stops where both come to the same block. So for two similar versions of a large pail it
 * reads only the shards that differ. Of a history it reads only the new events, unless some of those do not follow the earlier roots.
 */
final class ReceiverHas {
    private final BlockStore blocks;
    private final Seen earlier = new Seen();
    private final Seen later = new Seen();

    /** The events of the later roots that were read. */
    private final Set<Cid> events = new HashSet<>();

    /** Those events by each of their parents. */
    private final Map<Cid, List<Cid>> followers = new HashMap<>();

    private ReceiverHas(BlockStore blocks) {
        this.blocks = blocks;
    }

    /**
     * Compares roots. A missing block below the earlier roots ends that path; an earlier root itself must be present.
     *
     * @return the blocks that an export of the later roots may leave out
     */
    static Seen of(BlockStore blocks, Collection<Cid> earlierRoots, Collection<Cid> laterRoots) {
        ReceiverHas compared = new ReceiverHas(blocks);
        earlierRoots.forEach(blocks::require);
        List<Link> before = roots(earlierRoots);
        List<Link> behind = roots(laterRoots);
        while (!before.isEmpty() && !behind.isEmpty()) {
            before = compared.expandEarlier(before, behind);
            behind = compared.expandLater(behind);
        }
        // The earlier roots do not reach an event that follows them. For other events only the whole history shows
        // that.
        if (!compared.following(earlierRoots).containsAll(compared.events)) {
            while (!before.isEmpty()) {
                before = compared.expandEarlier(before, List.of());
            }
        }
        return compared.earlier;
    }

    /** The events that were read and follow these. */
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

    /** Adds these links of the earlier roots, and returns the next ones. */
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

    /** Returns the next links of the later roots, except below earlier blocks. */
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
