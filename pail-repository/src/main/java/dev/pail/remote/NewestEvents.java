package dev.pail.remote;

import dev.pail.clock.Event;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The events of a history that no other event follows, while events are added, each behind those that it follows. */
final class NewestEvents {
    /** Each with whether another event continues its change. */
    private final Map<Cid, Boolean> events = new LinkedHashMap<>();

    NewestEvents(Collection<Cid> ends) {
        ends.forEach(event -> events.put(event, false));
    }

    void add(Event event) {
        event.parents().forEach(events::remove);
        events.put(event.cid(), event.isContinued());
    }

    /** Whether a ref may move to them: none is within a change (DE7). */
    boolean areEnds() {
        return !events.containsValue(true);
    }

    List<Cid> cids() {
        return List.copyOf(events.keySet());
    }
}
