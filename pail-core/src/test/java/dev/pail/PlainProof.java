package dev.pail;

import dev.pail.ipld.Cid;
import dev.pail.shard.Cut;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.KeyInterval;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The blocks of proofs as {@code spec/proofs.md} has them, by recursion through all places: slow, and too simple to be wrong. */
final class PlainProof {
    private final KeyInterval interval;
    private final Set<Cid> read = new LinkedHashSet<>();

    private PlainProof(KeyInterval interval) {
        this.interval = interval;
    }

    /** The blocks of the proof of some keys, in order. */
    static List<Cid> ofKeys(Pail pail, Iterable<String> keys) {
        PlainProof proof = new PlainProof(KeyRange.all().interval());
        proof.read.add(pail.root());
        keys.forEach(key -> proof.finds(pail.shard(), key));
        return proof.order(List.of(pail));
    }

    /** Looks where links lead that are prefixes of the rest of the key, shorter ones first, and then in the shard itself. */
    private boolean finds(ShardView shard, String rest) {
        read.add(shard.cid());
        List<ShardView.Item> items = shard.items().toList();
        for (ShardView.Item item : items) {
            String key = item.shardKey();
            if (item.shard().isPresent()
                    && rest.startsWith(key)
                    && !rest.equals(key)
                    && finds(item.shard().get(), rest.substring(key.length()))) {
                return true;
            }
        }
        return items.stream()
                .anyMatch(item -> item.shardKey().equals(rest) && item.data().isPresent());
    }

    /** The blocks of the proof of a range, in order. */
    static List<Cid> ofRange(Pail pail, KeyRange range) {
        PlainProof proof = new PlainProof(range.interval());
        proof.readRange(pail.shard());
        return proof.order(List.of(pail));
    }

    private void readRange(ShardView shard) {
        read.add(shard.cid());
        shard.items()
                .flatMap(item -> item.shard().stream())
                .filter(this::isInRange)
                .forEach(this::readRange);
    }

    private boolean isInRange(ShardView shard) {
        KeyBytes path = KeyBytes.of(shard.prefix());
        return !interval.isEmpty()
                && interval.low().compareTo(Cut.behind(path)) < 0
                && Cut.after(path).compareTo(interval.high()) < 0;
    }

    /** A link, or a group of entries that overlap, at the path of its link. */
    private record Step(String path, List<ShardView.Item> items) {}

    /** The blocks of the proof of a diff, in order. */
    static List<Cid> ofDiff(Pail before, Pail after, KeyRange range) {
        PlainProof proof = new PlainProof(range.interval());
        proof.read.add(before.root());
        proof.read.add(after.root());
        if (!before.root().equals(after.root())) {
            Set<Step> one = new HashSet<>();
            Set<Step> two = new HashSet<>();
            proof.addSteps(before.shard(), one);
            proof.addSteps(after.shard(), two);
            proof.readOther(before.shard(), two);
            proof.readOther(after.shard(), one);
        }
        return proof.order(before.equals(after) ? List.of(before) : List.of(before, after));
    }

    private void addSteps(ShardView shard, Set<Step> steps) {
        for (Step step : steps(shard)) {
            steps.add(step);
            if (step.items.size() == 1) {
                addSteps(step.items.get(0).shard().orElseThrow(), steps);
            }
        }
    }

    /** Reads what the other version does not have at the same place. */
    private void readOther(ShardView shard, Set<Step> others) {
        read.add(shard.cid());
        for (Step step : steps(shard)) {
            if (others.contains(step)) {
                continue;
            }
            List<ShardView> linked =
                    step.items.stream().flatMap(item -> item.shard().stream()).toList();
            if (step.items.size() > 1) {
                linked.stream().filter(this::isInRange).forEach(this::readRange);
            } else {
                readOther(linked.get(0), others);
            }
        }
    }

    private List<Step> steps(ShardView shard) {
        // Entries whose own keys are behind the range are not looked at.
        List<ShardView.Item> items = shard.items()
                .filter(item -> !interval.high().isBefore(KeyBytes.of(shard.prefix() + item.shardKey())))
                .toList();
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < items.size(); ) {
            ShardView.Item first = items.get(i);
            int end = i + 1;
            while (first.shard().isPresent()
                    && end < items.size()
                    && items.get(end).shardKey().startsWith(first.shardKey())) {
                end++;
            }
            String path = shard.prefix() + first.shardKey();
            if (end - i > 1 && isAnyInRange(path)) {
                // A link of an item is equal by its CID and path; user data of a single link is a step of its own.
                steps.add(new Step(path, items.subList(i, end)));
            } else if (end - i == 1 && first.shard().filter(this::isInRange).isPresent()) {
                ShardView.Item link = new ShardView.Item("", Optional.empty(), first.shard());
                steps.add(new Step(path, List.of(link)));
            }
            i = end;
        }
        return steps;
    }

    /** Whether any key that starts with a path, or is it, can be in the range. */
    private boolean isAnyInRange(String path) {
        KeyBytes bytes = KeyBytes.of(path);
        return !interval.isEmpty()
                && interval.low().compareTo(Cut.behind(bytes)) < 0
                && Cut.before(bytes).compareTo(interval.high()) < 0;
    }

    /** The order of the blocks: depth first from the roots, through blocks of the proof alone. */
    private List<Cid> order(List<Pail> pails) {
        List<Cid> order = new ArrayList<>();
        pails.forEach(pail -> order(pail.shard(), order));
        return order;
    }

    private void order(ShardView shard, List<Cid> order) {
        if (read.contains(shard.cid()) && !order.contains(shard.cid())) {
            order.add(shard.cid());
            shard.items().flatMap(item -> item.shard().stream()).forEach(below -> order(below, order));
        }
    }
}
