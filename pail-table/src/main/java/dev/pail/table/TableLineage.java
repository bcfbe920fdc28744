package dev.pail.table;

import dev.pail.Pail;
import dev.pail.ipld.Cid;
import dev.pail.table.index.Declarations;
import dev.pail.table.index.KeyText;
import dev.pail.table.index.OrphanRows;
import dev.pail.table.index.TableInfo;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Finds the tables that the events of one side have dropped and created again since a base (spec rule R8). A version alone does not
 * show this: the new table may have the number of the old one. The caller passes events in the order in which they follow each other.
 * Not for use by several threads at once.
 *
 * <pre>{@code
 * TableLineage lineage = new TableLineage(pail);
 * MerkleClock clock = MerkleClock.open(repository.blocks());
 * for (Cid cid : clock.since(repository.head("draft"), repository.head("main"))) {
 *     Event event = clock.event(cid);
 *     List<Map.Entry<String, Optional<Cid>>> changes = event.operation().changes().stream()
 *             .map(change -> Map.entry(
 *                     change.key(),
 *                     change instanceof Operation.Put put ? Optional.of(put.value()) : Optional.<Cid>empty()))
 *             .toList();
 *     lineage.event(cid, event.parents(), changes, () -> Pail.open(repository.blocks(), event.root()));
 * }
 * Set<String> madeAgain = lineage.madeAgain(repository.head("draft").events()); // names of tables
 * }</pre>
 */
public final class TableLineage {
    /** Where a table of the base stands after an event. */
    private enum State {
        SAME,
        GONE,
        NEW
    }

    private final Map<String, TableInfo> base;

    /** What is not as in the base. Events that change nothing share the map of the one before. */
    private final Map<Cid, Map<String, State>> states = new HashMap<>();

    /** @param base the common version of both sides of the merge */
    public TableLineage(Pail base) {
        this.base = Map.copyOf(Declarations.of(base).tables);
    }

    /** Whether the base has no tables; then none of them was created again. */
    public boolean isEmpty() {
        return base.isEmpty();
    }

    /**
     * Adds an event.
     *
     * @param parents the events that it follows directly
     * @param changes its changes, in their order: the keys with their new values; empty for a removed key
     * @param version the version after the event
     */
    public void event(
            Cid event,
            Collection<Cid> parents,
            Iterable<? extends Map.Entry<String, Optional<Cid>>> changes,
            Supplier<Pail> version) {
        Objects.requireNonNull(event, "event");
        Objects.requireNonNull(version, "version");
        List<Map<String, State>> before = parents.stream()
                .map(parent -> states.getOrDefault(parent, Map.of()))
                .toList();
        Set<String> put = new HashSet<>();
        for (Map.Entry<String, Optional<Cid>> change : changes) {
            if (change.getKey().startsWith(KeyText.TABLES) && change.getValue().isPresent()) {
                put.add(change.getKey());
            }
        }
        Map<String, State> now = joined(before, put, version);
        for (Map.Entry<String, Optional<Cid>> change : changes) {
            String name = change.getKey().startsWith(KeyText.TABLES) ? TableInfo.name(change.getKey()) : null;
            TableInfo info = name == null ? null : base.get(name);
            if (name != null && info != null) {
                Map<String, State> next = new HashMap<>(now);
                boolean resurrected = before.stream().anyMatch(one -> state(one, name) == State.SAME);
                // A merge that takes back a drop declares the table with rows or indexes. A new table has none.
                Supplier<State> declared = () -> resurrected && !isNew(version.get(), info) ? State.SAME : State.NEW;
                next.put(name, after(state(now, name), change.getValue(), declared));
                now = next;
            }
        }
        states.put(event, now);
    }

    /** @param declared the state of a table that this event declares and that was gone */
    private static State after(State before, Optional<Cid> value, Supplier<State> declared) {
        if (value.isEmpty()) {
            return State.GONE;
        }
        if (before != State.GONE) {
            return before;
        }
        return declared.get();
    }

    private static boolean isNew(Pail version, TableInfo info) {
        String key = TableInfo.key(info.name);
        Optional<TableInfo> now = version.get(key).map(cid -> TableInfo.read(version, key, cid));
        return now.isEmpty() || (now.get().indexes.isEmpty() && !OrphanRows.hasKeys(version, now.get().number));
    }

    private static State state(Map<String, State> states, String name) {
        return states.getOrDefault(name, State.SAME);
    }

    /** What several events have left of each table: what their merge has, as far as that tells. */
    private static Map<String, State> joined(List<Map<String, State>> before, Set<String> put, Supplier<Pail> version) {
        if (before.isEmpty()) {
            return Map.of();
        }
        if (new HashSet<>(before).size() == 1) {
            return before.get(0);
        }
        Set<String> names = new TreeSet<>();
        before.forEach(one -> names.addAll(one.keySet()));
        Map<String, State> joined = new HashMap<>();
        for (String name : names) {
            Set<State> all = new HashSet<>();
            before.forEach(one -> all.add(state(one, name)));
            if (all.contains(State.GONE) && (all.size() == 1 || !isThere(TableInfo.key(name), put, version))) {
                joined.put(name, State.GONE);
            } else if (all.contains(State.NEW)) {
                joined.put(name, State.NEW);
            } else {
                joined.put(name, State.SAME);
            }
        }
        return joined;
    }

    /** Whether a table was there before the event that gave the version. */
    private static boolean isThere(String key, Set<String> put, Supplier<Pail> version) {
        return !put.contains(key) && version.get().get(key).isPresent();
    }

    /**
     * Returns the tables that were dropped and created again.
     *
     * @param head the newest events of the side
     */
    public Set<String> madeAgain(Collection<Cid> head) {
        Set<String> names = new TreeSet<>();
        head.forEach(event -> states.getOrDefault(event, Map.of()).forEach((name, state) -> {
            if (state == State.NEW) {
                names.add(name);
            }
        }));
        return names;
    }
}
