package dev.pail.segment;

import dev.pail.ipld.Cid;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Where the blocks are of a segment that is being written, by the raw CIDs of their multihashes. */
final class OpenIndex implements Index {
    private final Map<Cid, Location> locations = new ConcurrentHashMap<>();

    void add(Cid cid, Location location) {
        locations.put(cid.raw(), location);
    }

    @Override
    public List<Location> find(Cid cid) {
        Location location = locations.get(cid.raw());
        return location == null ? List.of() : List.of(location);
    }

    @Override
    public int count() {
        return locations.size();
    }

    /** The same for a segment that is not written any more. */
    SealedIndex sealed() {
        return SealedIndex.of(locations);
    }
}
