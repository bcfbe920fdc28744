package dev.pail.segment;

import dev.pail.ipld.Cid;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Where the blocks are of a segment that is being written, by the raw CIDs of their multihashes. */
final class OpenIndex implements Index {
    private final Map<Cid, Stored> blocks = new ConcurrentHashMap<>();

    void add(Cid cid, Stored block) {
        blocks.put(cid.raw(), block);
    }

    @Nullable
    Stored get(Cid cid) {
        return blocks.get(cid.raw());
    }

    @Override
    public List<Location> find(Cid cid) {
        Stored block = get(cid);
        return block == null ? List.of() : List.of(block.location);
    }

    @Override
    public int count() {
        return blocks.size();
    }

    /** The same for a segment that is not written any more. */
    SealedIndex sealed() {
        Map<Cid, Location> locations = new HashMap<>();
        blocks.forEach((cid, block) -> locations.put(cid, block.location));
        return SealedIndex.of(locations);
    }
}
