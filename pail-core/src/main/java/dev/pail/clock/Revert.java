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

/** Takes back what an event has changed (Rule M21): a three-way merge, key by key, with the event's version as the base. */
final class Revert {
    private final ReplicatedPail now;
    private final Event event;

    Revert(ReplicatedPail now, Event event) {
        this.now = now;
        this.event = event;
    }

    ReplicatedPail by(MergePolicy policy) {
        Pail after = Pail.open(now.clock().blocks(), event.root());
        Optional<Pail> before = before();
        Map<String, Optional<Cid>> values = new TreeMap<>();
        List<Conflict> conflicts = new ArrayList<>();
        TreeSet<String> keys = new TreeSet<>();
        event.operation().changes().forEach(change -> keys.add(change.key()));
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

    /** The version that the event was made from; nothing, if it is the first. */
    private Optional<Pail> before() {
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
