package dev.pail.repository.history;

import dev.pail.clock.MerkleClock;
import dev.pail.clock.Operation.Change;
import dev.pail.ipld.Cid;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * The changes of a chain of events as one list. It reads an event when one of its changes is asked for, since a chain may be larger than
 * memory.
 */
final class ChainChanges extends AbstractList<Change> implements RandomAccess {
    private final MerkleClock clock;
    private final List<Cid> events;

    /** Behind the last change of each event. */
    private final int[] ends;

    ChainChanges(MerkleClock clock, List<Cid> events) {
        this.clock = clock;
        this.events = events;
        this.ends = new int[events.size()];
        int end = 0;
        for (int i = 0; i < ends.length; i++) {
            end = Math.addExact(end, changes(i).size());
            ends[i] = end;
        }
    }

    private List<Change> changes(int event) {
        return clock.event(events.get(event)).operation().changes();
    }

    @Override
    public Change get(int index) {
        Objects.checkIndex(index, size());
        int found = Arrays.binarySearch(ends, index);
        // An event without changes has the same end as the one before.
        int event = found < 0 ? -found - 1 : found + 1;
        while (ends[event] <= index) {
            event++;
        }
        return changes(event).get(index - (event == 0 ? 0 : ends[event - 1]));
    }

    @Override
    public int size() {
        return ends[ends.length - 1];
    }
}
