package dev.pail.segment;

import dev.pail.ipld.Cid;
import dev.pail.segment.format.Scan;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/** What a compaction removes to erase blocks: every record of them. All other records stay. Rule ER7. */
record Erased(Set<Cid> raw) implements Compaction.Wanted {
    static Erased of(Collection<Cid> cids) {
        Set<Cid> raw = new HashSet<>();
        cids.forEach(cid -> raw.add(cid.raw()));
        return new Erased(raw);
    }

    @Override
    public boolean test(Scan.Entry entry, int record) {
        return !has(entry.content().cid());
    }

    /** Whether a block goes, even if other records have it as their base: they are stored whole then. */
    boolean has(Cid cid) {
        return raw.contains(cid.raw());
    }
}
