package dev.pail.segment;

import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Blocks that a compaction removes for good, even if other records have them as their base: it stores those whole. Rule ER7.
 *
 * @param raw their raw CIDs
 */
record Erased(Set<Cid> raw) {
    static final Erased NONE = new Erased(Set.of());

    static Erased of(Collection<Cid> cids) {
        Set<Cid> raw = new HashSet<>();
        cids.forEach(cid -> raw.add(cid.raw()));
        return new Erased(raw);
    }

    boolean isEmpty() {
        return raw.isEmpty();
    }

    boolean has(Cid cid) {
        return raw.contains(cid.raw());
    }
}
