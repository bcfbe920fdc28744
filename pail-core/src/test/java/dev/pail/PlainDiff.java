package dev.pail;

import dev.pail.ipld.Cid;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** Diffs and merges of whole maps and whole sets: slow, and too simple to be wrong. */
final class PlainDiff {
    private PlainDiff() {}

    /** A shard and what all keys in it start with. */
    record Place(String prefix, Cid shard) {}

    static Map<String, Cid> entries(Pail pail) {
        TreeMap<String, Cid> entries = new TreeMap<>();
        pail.entries().forEach(entry -> entries.put(entry.key(), entry.value()));
        return entries;
    }

    /**
     * What the shards of a version of format 0 have, however they overlap (spec rule V0.7): a key is looked for wherever links lead
     * that are prefixes of it, shorter ones first, and then in the shard itself.
     */
    static Map<String, Cid> overlapping(Pail pail) {
        return overlapping(pail.shard(), new HashMap<>());
    }

    private static Map<String, Cid> overlapping(ShardView shard, Map<Cid, Map<String, Cid>> known) {
        Map<String, Cid> before = known.get(shard.cid());
        if (before != null) {
            return before;
        }
        TreeMap<String, Cid> entries = new TreeMap<>();
        List<ShardView.Item> items = new ArrayList<>(shard.items().toList());
        items.forEach(item -> item.data().ifPresent(data -> entries.put(item.shardKey(), data)));
        // What is found first is put last.
        items.sort(Comparator.comparing(item -> -item.shardKey().length()));
        items.forEach(item -> item.shard()
                .ifPresent(below ->
                        overlapping(below, known).forEach((key, value) -> entries.put(item.shardKey() + key, value))));
        known.put(shard.cid(), entries);
        return entries;
    }

    static List<KeyChange> keys(Map<String, Cid> before, Map<String, Cid> after) {
        TreeSet<String> all = new TreeSet<>(before.keySet());
        all.addAll(after.keySet());
        List<KeyChange> changes = new ArrayList<>();
        for (String key : all) {
            Optional<Cid> one = Optional.ofNullable(before.get(key));
            Optional<Cid> two = Optional.ofNullable(after.get(key));
            if (!one.equals(two)) {
                changes.add(new KeyChange(key, one, two));
            }
        }
        return changes;
    }

    static List<Conflict> conflicts(Map<String, Cid> base, Map<String, Cid> ours, Map<String, Cid> theirs) {
        List<Conflict> conflicts = new ArrayList<>();
        merged(base, ours, theirs, conflict -> {
            conflicts.add(conflict);
            return Optional.empty();
        });
        return conflicts;
    }

    /** The key-wise rule. */
    static Map<String, Cid> merged(
            Map<String, Cid> base,
            Map<String, Cid> ours,
            Map<String, Cid> theirs,
            Function<Conflict, Optional<Cid>> resolution) {
        TreeSet<String> all = new TreeSet<>(base.keySet());
        all.addAll(ours.keySet());
        all.addAll(theirs.keySet());
        TreeMap<String, Cid> merged = new TreeMap<>();
        for (String key : all) {
            Optional<Cid> old = Optional.ofNullable(base.get(key));
            Optional<Cid> our = Optional.ofNullable(ours.get(key));
            Optional<Cid> their = Optional.ofNullable(theirs.get(key));
            Optional<Cid> value;
            if (our.equals(their) || their.equals(old)) {
                value = our;
            } else if (our.equals(old)) {
                value = their;
            } else {
                value = resolution.apply(Conflict.of(key, old, our, their));
            }
            value.ifPresent(cid -> merged.put(key, cid));
        }
        return merged;
    }

    /** The version that a merge without conflicts, or with a resolution of them, has to give (spec rules MG4 and MG5). */
    static Pail merged(Pail base, Pail ours, Pail theirs, List<KeyChange> changesOfOurs) {
        if (theirs.root().equals(base.root()) || theirs.root().equals(ours.root())) {
            return ours;
        }
        if (ours.root().equals(base.root()) && ours.format().equals(theirs.format())) {
            return theirs;
        }
        return inOrder(ours, changesOfOurs);
    }

    /** One change after the other, each a version of its own; but no more than a hundred versions (P6). */
    private static Pail inOrder(Pail from, List<KeyChange> changes) {
        int atOnce = 1 + changes.size() / 100;
        Pail pail = from;
        for (int i = 0; i < changes.size(); i += atOnce) {
            Batch batch = pail.batch();
            for (KeyChange change : changes.subList(i, Math.min(i + atOnce, changes.size()))) {
                change.after()
                        .ifPresentOrElse(value -> batch.put(change.key(), value), () -> batch.delete(change.key()));
            }
            pail = batch.commit();
        }
        return pail;
    }

    /** All shards of a version with the places where they stand. */
    static Map<Place, Integer> places(Pail pail) {
        Map<Place, Integer> sizes = new LinkedHashMap<>();
        record Due(ShardView shard, String prefix) {}
        Deque<Due> due = new ArrayDeque<>(List.of(new Due(pail.shard(), "")));
        while (!due.isEmpty()) {
            Due next = due.pop();
            sizes.put(new Place(next.prefix, next.shard.cid()), next.shard.size());
            next.shard
                    .items()
                    .forEach(item ->
                            item.shard().ifPresent(below -> due.push(new Due(below, next.prefix + item.shardKey()))));
        }
        return sizes;
    }

    static Set<Cid> shards(Pail pail) {
        Set<Cid> shards = new HashSet<>();
        places(pail).keySet().forEach(place -> shards.add(place.shard));
        return shards;
    }

    /** What is in the first set only. */
    static <T> Set<T> without(Set<T> some, Set<T> others) {
        Set<T> rest = new HashSet<>(some);
        rest.removeAll(others);
        return rest;
    }
}
