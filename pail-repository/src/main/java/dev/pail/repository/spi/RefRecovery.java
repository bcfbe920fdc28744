package dev.pail.repository.spi;

import dev.pail.BlockStore;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.Recovered;
import dev.pail.repository.model.RefName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Refs rebuilt from the events that a store has, for authors of ref stores: the newest record of each name that is there, and a branch for
 * each event that no other stored event follows. Rule REF8. For one use by one thread. Writes nothing.
 *
 * <pre>{@code
 * Function<RefRecords, RefRecovery> recovering = // records of your own, as in RefRecords, and the CIDs of all blocks
 *         records -> RefRecovery.of(records, repository.blocks(), List.of(value), Instant.now());
 * }</pre>
 */
public final class RefRecovery {
    private static final String BRANCH = "branch/";
    private static final String TAG = "tag/";
    private static final String MAIN = BRANCH + RefName.MAIN;
    private static final String MADE = "recovered/";

    /** How many characters at the end of a CID are the name of a branch. */
    private static final int NAME_LENGTH = 16;

    private final Set<Cid> events = new HashSet<>();
    private final Set<Cid> followed = new HashSet<>();
    private final SortedMap<String, byte[]> records = new TreeMap<>();
    private final List<String> kept = new ArrayList<>();
    private final SortedMap<String, Head> made = new TreeMap<>();
    private final Set<Cid> heads = new HashSet<>();
    private final Instant now;

    private RefRecovery(Instant now) {
        this.now = now;
    }

    /**
     * Reads all events.
     *
     * @param known the records that are left; damaged ones are left out
     * @param blocks the blocks that are there
     * @param stored all of them, by their multihashes
     * @param now the time for the entries of the logs, which begin anew
     * @throws StoreIOException if a block cannot be read
     */
    public static RefRecovery of(RefRecords known, BlockStore blocks, Collection<Cid> stored, Instant now) {
        RefRecovery recovery = new RefRecovery(Objects.requireNonNull(now, "now"));
        Objects.requireNonNull(known, "known");
        Objects.requireNonNull(stored, "stored");
        MerkleClock clock = MerkleClock.open(Objects.requireNonNull(blocks, "blocks"));
        stored.forEach(each -> recovery.read(clock, each));
        known.names("").forEach(name -> recovery.keep(known, name));
        recovery.makeBranches();
        return recovery;
    }

    private void read(MerkleClock clock, Cid raw) {
        byte[] name = raw.toBytes();
        // The codec, behind the version.
        name[1] = (byte) Cid.DAG_CBOR;
        try {
            Event event = clock.event(Cid.fromBytes(name));
            events.add(event.cid());
            followed.addAll(event.parents());
        } catch (StoreIOException e) {
            throw e;
        } catch (PailException e) {
            // No event: a shard, a value, or a damaged block.
            return;
        }
    }

    private void keep(RefRecords known, String name) {
        Optional<Map.Entry<Long, byte[]>> newest = known.newest(name);
        if (newest.isEmpty()) {
            return;
        }
        byte[] content = newest.get().getValue();
        try {
            RefRecord.checkBound(content, name, newest.get().getKey());
            if (!name.startsWith(BRANCH) && !name.startsWith(TAG)) {
                put(name, content);
                return;
            }
            RefRecord record = RefRecord.read(content);
            if (record.isPresent() && events.containsAll(record.head().events())) {
                heads.addAll(record.head().events());
                kept.add(name);
                put(name, name.startsWith(TAG) ? content : record(record.generation() + 1, record.head()));
            }
        } catch (MalformedDataException e) {
            // Its events are found without it.
            return;
        }
    }

    private byte[] record(long generation, Head head) {
        LogEntry entry = new LogEntry(generation, now, "recover", Head.empty(), head, Note.NONE);
        return new RefRecord(generation, true, head, head.isEmpty() ? null : entry).toBytes();
    }

    private void put(String name, byte[] content) {
        records.put(name, RefRecord.bound(content, name, 1));
    }

    /** Makes a branch for each event that none follows, and that is in no head. One alone becomes main, if that is lost. */
    private void makeBranches() {
        List<Cid> last = events.stream()
                .filter(event -> !followed.contains(event) && !heads.contains(event))
                .sorted()
                .toList();
        boolean isMain = last.size() == 1 && !records.containsKey(MAIN);
        for (Cid event : last) {
            String text = event.toString();
            String branch = isMain ? RefName.MAIN : MADE + text.substring(text.length() - NAME_LENGTH);
            made.put(branch, Head.of(event));
            put(BRANCH + branch, record(1, Head.of(event)));
        }
    }

    /** The contents of the new records, by their names. Each gets the number 1, and all others of the repository count no more. */
    public SortedMap<String, byte[]> records() {
        return records;
    }

    /** What was found. */
    public Recovered found() {
        return new Recovered(List.copyOf(kept), made, events.size());
    }
}
