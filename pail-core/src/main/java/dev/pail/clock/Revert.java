package dev.pail.clock;

import dev.pail.Conflict;
import dev.pail.MergePolicy;
import dev.pail.Pail;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** Takes back what events have changed (Rule M21): a three-way merge, key by key, with the version of the last event as the base. */
final class Revert {
    private final ReplicatedPail now;

    /** Each has the one before as its only parent. */
    private final List<Event> events;

    Revert(ReplicatedPail now, List<Event> events) {
        this.now = now;
        this.events = events;
    }

    ReplicatedPail by(MergePolicy policy) {
        Pail after =
                Pail.open(now.clock().blocks(), events.get(events.size() - 1).root());
        Optional<Pail> before = before();
        Map<String, Optional<Cid>> values = new TreeMap<>();
        List<Conflict> conflicts = new ArrayList<>();
        TreeSet<String> keys = new TreeSet<>();
        events.forEach(event -> event.operation().changes().forEach(change -> keys.add(change.key())));
        for (String key : keys) {
            Optional<Cid> given = after.get(key);
            Optional<Cid> earlier = before.flatMap(pail -> pail.get(key));
            Optional<Cid> current = now.get(key);
            if (current.equals(earlier) || given.equals(earlier)) {
                continue;
            }
            if (current.equals(given)) {
                values.put(key, earlier);
            } else {
                conflicts.add(Conflict.of(key, given, current, earlier));
            }
        }
        policy.values(conflicts).forEach((key, value) -> {
            if (!value.equals(now.get(key))) {
                values.put(key, value);
            }
        });
        return change(values);
    }

    /** The version that the first event was made from; nothing, if it follows none. */
    private Optional<Pail> before() {
        Event event = events.get(0);
        return event.parents().isEmpty()
                ? Optional.empty()
                : Optional.of(
                        ReplicatedPail.open(now.clock(), Head.of(event.parents()), UnrelatedHistories.MERGE_FROM_EMPTY)
                                .pail());
    }

    private ReplicatedPail change(Map<String, Optional<Cid>> values) {
        if (values.size() == 1) {
            Map.Entry<String, Optional<Cid>> only = values.entrySet().iterator().next();
            return now.change(only.getKey(), only.getValue());
        }
        ReplicatedBatch batch = now.batch();
        values.forEach((key, value) -> value.ifPresentOrElse(cid -> batch.put(key, cid), () -> batch.delete(key)));
        return batch.commit();
    }
}
