package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Cid;
import dev.pail.testkit.MapOperation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Runs operations on a pail, on a {@code TreeMap} and on {@link PlainPail}, and compares. */
final class ModelCheck {
    private static final Map<Integer, Cid> VALUES = Collections.synchronizedMap(new HashMap<>());

    private final ShardFormat format;
    private final MapBlocks blocks = new MapBlocks();
    private final TreeMap<String, Cid> model = new TreeMap<>();
    private final PlainPail plain;
    private Pail pail;
    private int refused;

    ModelCheck(ShardFormat format) {
        this.format = format;
        this.plain = PlainPail.of(format);
        this.pail = Pail.create(blocks, format);
    }

    static Cid value(int number) {
        return VALUES.computeIfAbsent(number, Vectors::value);
    }

    Pail pail() {
        return pail;
    }

    MapBlocks blocks() {
        return blocks;
    }

    Map<String, Cid> model() {
        return model;
    }

    /** How many operations both refused. */
    int refused() {
        return refused;
    }

    void run(MapOperation operation) {
        if (operation instanceof MapOperation.Put put) {
            put(put);
            assertThat(pail.get(put.key())).isEqualTo(Optional.ofNullable(model.get(put.key())));
        } else if (operation instanceof MapOperation.Delete delete) {
            pail = pail.delete(delete.key());
            plain.delete(delete.key());
            model.remove(delete.key());
            assertThat(pail.get(delete.key())).isEmpty();
        } else if (operation instanceof MapOperation.Several several) {
            batch(several);
        }
    }

    private void put(MapOperation.Put put) {
        boolean limit = false;
        try {
            plain.put(put.key(), put.value());
            model.put(put.key(), put.value());
        } catch (PlainPail.Limit e) {
            limit = true;
        }
        Pail before = pail;
        try {
            pail = pail.put(put.key(), put.value());
            assertThat(limit).as("only the plain one refused: %s", put).isFalse();
        } catch (LimitException e) {
            assertThat(limit).as("refused: %s", e.getMessage()).isTrue();
            assertThat(pail).isSameAs(before);
            refused++;
        }
    }

    private void batch(MapOperation.Several several) {
        PlainPail.Plain root = plain.root.copy();
        TreeMap<String, Cid> entries = new TreeMap<>(model);
        boolean limit = false;
        try {
            for (MapOperation operation : several.operations()) {
                if (operation instanceof MapOperation.Put put) {
                    plain.put(put.key(), put.value());
                    model.put(put.key(), put.value());
                } else if (operation instanceof MapOperation.Delete delete) {
                    plain.delete(delete.key());
                    model.remove(delete.key());
                }
            }
        } catch (PlainPail.Limit e) {
            limit = true;
            plain.root = root;
            model.clear();
            model.putAll(entries);
        }
        int stored = blocks.blocks.size();
        try {
            Batch batch = pail.batch();
            several.applyTo(batch);
            pail = batch.commit();
            assertThat(limit).as("only the plain one refused").isFalse();
        } catch (LimitException e) {
            assertThat(limit).as("refused: %s", e.getMessage()).isTrue();
            assertThat(blocks.blocks).hasSize(stored);
            refused++;
        }
    }

    void compareRoots() {
        assertThat(pail.root()).isEqualTo(plain.cid());
    }

    /** Compares all that can be read, both with what is held and with what is decoded anew. */
    void compareAll() {
        compareRoots();
        Pail reopened = Pail.open(blocks, pail.root());
        assertThat(reopened.format()).isEqualTo(format);
        for (Pail each : List.of(pail, reopened)) {
            assertThat(entries(each, KeyRange.all())).isEqualTo(entries(model));
            List<Entry> descending = entries(each, KeyRange.all().descending());
            Collections.reverse(descending);
            assertThat(descending).isEqualTo(entries(model));
            model.forEach((key, value) -> assertThat(each.get(key)).contains(value));
        }
        Verification verification = Verification.of(blocks, pail.root());
        assertThat(verification.problems()).isEmpty();
        assertThat(verification.entries()).isEqualTo(reopenedEntries());
        PailStatistics statistics = PailStatistics.of(reopened);
        assertThat(statistics.entries()).isEqualTo(model.size());
        Integer maxSize = format.configuration().get("maxSize");
        if (maxSize != null) {
            assertThat(statistics.largestShard()).isLessThanOrEqualTo(maxSize);
        }
    }

    /** The entries in different shards: one shard can stand for entries under several prefixes. */
    private long reopenedEntries() {
        Map<Cid, Long> perShard = new HashMap<>();
        List<ShardView> due =
                new ArrayList<>(List.of(Pail.open(blocks, pail.root()).shard()));
        while (!due.isEmpty()) {
            ShardView shard = due.remove(due.size() - 1);
            perShard.put(
                    shard.cid(),
                    shard.items().filter(item -> item.data().isPresent()).count());
            shard.items().forEach(item -> item.shard().ifPresent(due::add));
        }
        return perShard.values().stream().mapToLong(Long::longValue).sum();
    }

    void compareRange(KeyRange range) {
        List<Entry> expected = new ArrayList<>(entries(model));
        expected.removeIf(entry -> !range.contains(entry.key()));
        if (range.isDescending()) {
            Collections.reverse(expected);
        }
        assertThat(entries(pail, range)).as("%s", range).isEqualTo(expected);
    }

    private static List<Entry> entries(Pail pail, KeyRange range) {
        return new ArrayList<>(pail.entries(range).toList());
    }

    private static List<Entry> entries(Map<String, Cid> model) {
        List<Entry> entries = new ArrayList<>();
        model.forEach((key, value) -> entries.add(new Entry(key, value)));
        return entries;
    }
}
