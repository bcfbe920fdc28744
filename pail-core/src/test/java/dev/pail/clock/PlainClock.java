package dev.pail.clock;

import dev.pail.ipld.Cid;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The rules of merkle clocks taken at their word, with no thought for speed: ways are walked one by one, and each event is
 * left out in turn to see whether there is a way around it.
 */
final class PlainClock {
    final Map<Cid, Event> events = new HashMap<>();

    void add(Event event) {
        events.put(event.cid(), event);
    }

    /** An event and all that it follows. */
    Set<Cid> past(Collection<Cid> from) {
        Set<Cid> past = new HashSet<>();
        List<Cid> due = new ArrayList<>(from);
        while (!due.isEmpty()) {
            Cid cid = due.remove(due.size() - 1);
            if (past.add(cid)) {
                due.addAll(events.get(cid).parents());
            }
        }
        return past;
    }

    /** Those that none of the others follows. */
    Head newest(Collection<Cid> from) {
        return Head.of(from.stream()
                .filter(cid -> from.stream()
                        .noneMatch(other ->
                                !other.equals(cid) && past(List.of(other)).contains(cid)))
                .toList());
    }

    private boolean reachesABeginning(Cid cid, Cid without) {
        if (cid.equals(without)) {
            return false;
        }
        List<Cid> parents = events.get(cid).parents();
        return parents.isEmpty() || parents.stream().anyMatch(parent -> reachesABeginning(parent, without));
    }

    Optional<Cid> commonAncestor(Head head) {
        Set<Cid> past = past(head.events());
        return past.stream()
                .filter(cid -> head.events().stream().noneMatch(from -> reachesABeginning(from, cid)))
                .max(Comparator.comparingInt(cid -> past(List.of(cid)).size()));
    }

    private void walk(Cid cid, long length, Set<Cid> stop, Map<Cid, BigInteger> weights) {
        if (stop.contains(cid)) {
            return;
        }
        weights.merge(cid, BigInteger.valueOf(length), BigInteger::add);
        events.get(cid).parents().forEach(parent -> walk(parent, length + 1, stop, weights));
    }

    /** The events that are replayed onto the common ancestor, in order; all, if there is none. */
    List<Cid> replay(Head head) {
        Set<Cid> stop = commonAncestor(head).map(cid -> past(List.of(cid))).orElse(Set.of());
        Map<Cid, BigInteger> weights = new HashMap<>();
        head.events().forEach(cid -> walk(cid, 0, stop, weights));
        Comparator<Cid> lighter = Comparator.comparing(weights::get);
        return weights.keySet().stream()
                .sorted(lighter.reversed().thenComparing(Cid::toString))
                .toList();
    }

    /** The entries that follow from a head. That of one event are those it was made with. */
    Map<String, Cid> entries(Head head, Map<Cid, Map<String, Cid>> made) {
        Map<String, Cid> entries =
                new TreeMap<>(commonAncestor(head).map(made::get).orElse(Map.of()));
        replay(head).forEach(cid -> events.get(cid).operation().changes().forEach(change -> apply(change, entries)));
        return entries;
    }

    /** The keys whose newest changes differ, as rules M22 and M23 define them. */
    Map<String, Set<OpenConflict.Side>> conflicts(Head head) {
        Set<Cid> past = past(head.events());
        Map<String, Set<OpenConflict.Side>> conflicts = new TreeMap<>();
        Set<String> keys = new HashSet<>();
        past.forEach(cid -> events.get(cid).operation().changes().forEach(change -> keys.add(change.key())));
        for (String key : keys) {
            Set<Cid> changed = new HashSet<>(past);
            changed.removeIf(cid -> events.get(cid).operation().changes().stream()
                    .noneMatch(change -> change.key().equals(key)));
            Set<OpenConflict.Side> sides = new HashSet<>();
            newest(changed).events().forEach(cid -> sides.add(new OpenConflict.Side(cid, value(cid, key))));
            if (sides.stream().map(OpenConflict.Side::value).distinct().count() > 1) {
                conflicts.put(key, sides);
            }
        }
        return conflicts;
    }

    private Optional<Cid> value(Cid event, String key) {
        Map<String, Cid> value = new HashMap<>();
        events.get(event).operation().changes().stream()
                .filter(change -> change.key().equals(key))
                .forEach(change -> apply(change, value));
        return Optional.ofNullable(value.get(key));
    }

    static void apply(Operation.Change change, Map<String, Cid> entries) {
        if (change instanceof Operation.Put put) {
            entries.put(put.key(), put.value());
        } else {
            entries.remove(change.key());
        }
    }
}
