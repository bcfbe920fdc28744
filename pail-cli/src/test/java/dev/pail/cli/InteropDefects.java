package dev.pail.cli;

import dev.pail.Entry;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.ShardView;
import dev.pail.cli.InteropHistory.Change;
import dev.pail.cli.InteropHistory.Delete;
import dev.pail.cli.InteropHistory.Put;
import dev.pail.cli.InteropHistory.Several;
import dev.pail.ipld.Cid;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Names the defect of the npm packages, as numbered in {@code spec/deviations.md}, that is proven by what a change has made
 * of a pail.
 */
final class InteropDefects {
    private static final String OVERFULL = "D14";
    private static final String HALVED = "D07";

    private final InteropReplay replay;

    InteropDefects(InteropReplay replay) {
        this.replay = replay;
    }

    /**
     * @param before the pail before the change, equal on both sides
     * @param theirs what they made of the change, which is not what we did
     */
    Optional<String> of(Pail before, Change change, InteropOutcome theirs) {
        if (change instanceof Several several) {
            return stepByStep(before, several);
        }
        return theirs.root().isPresent()
                ? shown(before, change, theirs.root().get())
                : Optional.of(HALVED).filter(number -> theirs.equals(InteropOutcome.LIMIT) && isHalved(before, change));
    }

    /** Puts of a batch can hide what earlier ones did, so they are looked at one by one. */
    private Optional<String> stepByStep(Pail before, Several several) {
        Pail pail = before;
        for (Put put : several.puts()) {
            InteropOutcome theirs = replay.apply(pail.format(), pail.root(), put);
            InteropOutcome ours = InteropOutcome.of(pail, put);
            if (!theirs.equals(ours)) {
                return of(pail, put, theirs);
            }
            if (ours.root().isEmpty()) {
                return Optional.empty();
            }
            pail = Pail.open(pail.blocks(), ours.root().get());
        }
        return Optional.empty();
    }

    private Optional<String> shown(Pail before, Change change, Cid root) {
        InteropReplay.Look look = replay.look(before.format(), root);
        Difference difference = Difference.of(expected(before, change), look.entries());
        if (!difference.isNone()) {
            return lost(before, change, difference);
        }
        return Optional.of(OVERFULL).filter(number -> isOverfull(before.format(), look));
    }

    private static Map<String, Cid> expected(Pail before, Change change) {
        Map<String, Cid> entries = new TreeMap<>(before.entries().collect(Collectors.toMap(Entry::key, Entry::value)));
        change.applyTo(entries);
        return entries;
    }

    private static boolean isOverfull(ShardFormat format, InteropReplay.Look look) {
        Integer maxSize = format.configuration().get("maxSize");
        return maxSize != null && look.largestShard() > maxSize;
    }

    /**
     * @param missing keys that have no value, or not the one that was put last
     * @param foreign keys that were never put
     */
    private record Difference(Set<String> missing, Set<String> foreign) {
        static Difference of(Map<String, Cid> expected, List<Entry> found) {
            Set<String> missing = new HashSet<>(expected.keySet());
            Set<String> foreign = new HashSet<>();
            for (Entry entry : found) {
                if (entry.value().equals(expected.get(entry.key()))) {
                    missing.remove(entry.key());
                } else if (!expected.containsKey(entry.key())) {
                    foreign.add(entry.key());
                }
            }
            return new Difference(missing, foreign);
        }

        boolean isNone() {
            return missing.isEmpty() && foreign.isEmpty();
        }
    }

    private static Optional<String> lost(Pail before, Change change, Difference difference) {
        if (difference.foreign.stream().anyMatch(key -> key.indexOf('\ufffd') >= 0)) {
            return Optional.of(HALVED);
        }
        if (!difference.foreign.isEmpty()) {
            return Optional.empty();
        }
        String changed = change instanceof Put put ? put.key() : ((Delete) change).key();
        boolean areBeginnings =
                difference.missing.stream().allMatch(key -> changed.startsWith(key) && !changed.equals(key));
        if (areBeginnings) {
            return Optional.of(change instanceof Delete ? "D01" : "D02");
        }
        return Optional.of("D03").filter(number -> change instanceof Delete && hasTwins(before.shard()));
    }

    /** Whether a shard links to one shard twice. */
    private static boolean hasTwins(ShardView shard) {
        List<ShardView> below =
                shard.items().flatMap(item -> item.shard().stream()).toList();
        return below.stream().map(ShardView::cid).distinct().count() < below.size()
                || below.stream().anyMatch(InteropDefects::hasTwins);
    }

    /** Whether they cut a pair of surrogates in two, which makes the shard larger as well. */
    private static boolean isHalved(Pail before, Change change) {
        Integer maxKeyLength = before.format().configuration().get("maxKeyLength");
        if (maxKeyLength == null || !(change instanceof Put put)) {
            return false;
        }
        String rest = rest(before.shard(), put.key());
        for (int cut = maxKeyLength; cut < rest.length(); cut += maxKeyLength) {
            if (Character.isSurrogatePair(rest.charAt(cut - 1), rest.charAt(cut))) {
                return true;
            }
        }
        return false;
    }

    /** What is left of a key in the shard where they put it. */
    private static String rest(ShardView shard, String key) {
        for (ShardView.Item item : shard.items().toList()) {
            if (item.shardKey().equals(key)) {
                return key;
            }
            if (item.shard().isPresent() && key.startsWith(item.shardKey())) {
                return rest(item.shard().get(), key.substring(item.shardKey().length()));
            }
        }
        return key;
    }
}
