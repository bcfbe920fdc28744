package dev.pail.folder;

import dev.pail.Entry;
import dev.pail.Escapes;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.ipld.Cid;
import dev.pail.values.LongBatch;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * The changes that a put of a folder makes.
 *
 * @param puts the values that keys do not have yet
 * @param removed the keys that a mirror removes
 * @param added how many of the puts are of keys that have no value yet
 */
record PutChanges(Map<String, Cid> puts, Set<String> removed, long added, long unchanged) {
    static PutChanges of(Pail pail, SortedMap<String, Cid> values, PutOptions options) {
        Map<String, Cid> puts = new LinkedHashMap<>();
        long added = 0;
        for (Map.Entry<String, Cid> each : values.entrySet()) {
            Optional<Cid> now = pail.get(each.getKey());
            if (!now.equals(Optional.of(each.getValue()))) {
                puts.put(each.getKey(), each.getValue());
                added += now.isEmpty() ? 1 : 0;
            }
        }
        return new PutChanges(puts, removed(pail, values, options), added, values.size() - puts.size());
    }

    long changed() {
        return puts.size() - added;
    }

    Pail appliedTo(Pail pail) {
        LongBatch batch = new LongBatch(pail);
        removed.forEach(key -> batch.change(changes -> changes.delete(key)));
        puts.forEach((key, value) -> batch.change(changes -> changes.put(key, value)));
        return batch.commit();
    }

    /** The keys that a mirror removes. */
    private static Set<String> removed(Pail pail, Map<String, Cid> values, PutOptions options) {
        if (options.mirror() == PutOptions.Mirror.NOTHING) {
            return Set.of();
        }
        Set<String> removed = new HashSet<>();
        long stay = 0;
        KeyRange range = KeyRange.prefix(options.keys().key(pail, options.prefix()));
        try (Stream<Entry> entries = pail.entries(range)) {
            for (Iterator<Entry> each = entries.iterator(); each.hasNext(); ) {
                String key = each.next().key();
                if (values.containsKey(key)) {
                    stay++;
                } else {
                    removed.add(key);
                }
            }
        }
        if (removed.size() > stay && options.mirror() == PutOptions.Mirror.AT_MOST_HALF && !options.dryRun()) {
            throw tooMany(removed.size(), removed.size() + stay, options.prefix());
        }
        return removed;
    }

    /** The folder may be the wrong one, such as the empty folder of a disk that is not mounted. */
    private static FolderException tooMany(long removed, long all, String prefix) {
        return new FolderException(
                FolderException.Reason.MIRROR,
                "the mirror would remove " + removed + " of " + all + (all == 1 ? " key" : " keys")
                        + " that start with " + Escapes.brief(prefix)
                        + ", which have no file in the folder; nothing was changed");
    }
}
