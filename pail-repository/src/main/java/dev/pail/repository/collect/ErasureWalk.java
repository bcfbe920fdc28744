package dev.pail.repository.collect;

import dev.pail.BlockException;
import dev.pail.CorruptBlockException;
import dev.pail.dag.CidSet;
import dev.pail.dag.DagWalk;
import dev.pail.dag.Link;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.repository.history.Histories;
import dev.pail.repository.model.ErasurePlan;
import dev.pail.repository.model.Hint;
import dev.pail.repository.model.RepositoryException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds which blocks an erasure removes. It walks all that refs and logs lead to, without the values to be erased. A block that this walk
 * reaches stays (Rule ER3). If the walk needs one of these values as an event or a shard, it is none (Rule ER4). For one erasure.
 */
public final class ErasureWalk {
    private final CollectionPlace place;
    private final SeenBlocks seen;
    private final GarbageRoots roots;

    /** The values to erase, by the raw CIDs of their multihashes. */
    private final Map<Cid, Cid> targets = new LinkedHashMap<>();

    private final CidSet structure = new CidSet();
    private final Reachable needed;
    private final Reachable logged;

    public ErasureWalk(CollectionPlace place, Collection<Cid> values, Runnable progress) {
        this.place = place;
        values.forEach(value -> targets.put(checked(value).raw(), value));
        this.seen = new SeenBlocks(place.blocks());
        Histories histories = new Histories(seen, place.format());
        this.roots = new GarbageRoots(place.refs(), head -> histories.pail(head).root(), Instant.MIN, Instant.MIN);
        this.needed = new Reachable(this::hidden, progress, structure);
        this.logged = needed.partial(this::checkStructure);
    }

    private static Cid checked(Cid value) {
        if (value.hashFunction() == Cid.IDENTITY) {
            throw refused(
                    "an identity CID has its bytes in itself, and so in shards, which are not erased: " + value,
                    "remove the key; versions before it keep the bytes");
        }
        return value;
    }

    private Optional<Block> hidden(Cid cid) {
        return targets.containsKey(cid.raw()) || place.erasures().isErased(cid) ? Optional.empty() : seen.get(cid);
    }

    /** Walks from the present roots, as far as it has not walked before. */
    public void mark() {
        try {
            roots.addTo(needed, logged, logged);
        } catch (BlockException e) {
            checkStructure(e);
            throw RepositoryException.damaged(
                    "no value is erased while a block is missing or damaged that is needed: " + e.getMessage(),
                    Hint.of("see what is affected with: ", Hint.Action.VERIFY, ""),
                    e);
        }
        targets.keySet().forEach(this::checkTarget);
    }

    private void checkStructure(BlockException e) {
        checkTarget(e.cid());
    }

    private void checkTarget(Cid cid) {
        Cid target = targets.get(cid.raw());
        if (target != null && isStructure(cid)) {
            throw refused(
                    "an event or a shard is not erased, as versions cannot be read without it: " + target,
                    "erase the value of a key");
        }
    }

    /** Whether the walk has come to a block as an event or a shard. */
    public boolean isStructure(Cid cid) {
        return structure.contains(cid.raw());
    }

    private static RepositoryException refused(String message, String hint) {
        return new RepositoryException(RepositoryException.Reason.NOT_ERASABLE, message, hint, null);
    }

    private boolean isReached(Cid cid) {
        return needed.contains(cid) || logged.contains(cid);
    }

    /** What the values lead to, and nothing else does. */
    public ErasurePlan plan() {
        Map<Cid, Cid> blocks = new LinkedHashMap<>();
        Set<Cid> shared = new LinkedHashSet<>();
        long[] bytes = new long[1];
        for (Cid value : targets.values()) {
            DagWalk below = new DagWalk(
                    this::readable,
                    link -> isErased(link, value, blocks, shared),
                    block -> bytes[0] += block.size(),
                    absent -> {});
            below.walk(List.of(new Link(value, Link.Role.VALUE)));
        }
        List<Cid> unreferenced = new ArrayList<>();
        targets.forEach((raw, value) -> {
            if (!isReached(raw)) {
                unreferenced.add(value);
            }
        });
        return new ErasurePlan(blocks, new ArrayList<>(shared), bytes[0], unreferenced);
    }

    private boolean isErased(Link link, Cid value, Map<Cid, Cid> blocks, Set<Cid> shared) {
        Cid raw = link.cid().raw();
        if (link.cid().hashFunction() == Cid.IDENTITY) {
            return false;
        }
        if (isReached(raw) && !targets.containsKey(raw)) {
            shared.add(link.cid());
            return false;
        }
        blocks.putIfAbsent(raw, value);
        return true;
    }

    /** A damaged block has no links that can be read: it goes, and what was below it stays. */
    private Optional<Block> readable(Cid cid) {
        try {
            return place.blocks().look(cid);
        } catch (CorruptBlockException | UnsupportedHashException e) {
            return Optional.empty();
        }
    }
}
