package dev.pail.cli.command.map;

import dev.pail.BlockException;
import dev.pail.Pail;
import dev.pail.ShardView;
import dev.pail.cli.text.NewValue;
import dev.pail.cli.text.Operations;
import dev.pail.values.LongBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Puts from a text, made in an order in which those that follow each other are in few shards. In a random order each portion of a {@link
 * LongBatch} would change nearly all shards of a large pail.
 *
 * <p>Comes to the version of the given order. In v1 and v2 a version does not depend on the order of its puts. In v0, a put changes the
 * shard in which it ends, and of others only CIDs of links; so only puts below one shard must stay in their order. Keys that
 * overlap (V0.7) stay in the given order, and all that come with them.
 *
 * <p>The first puts into an empty pail are sorted as a whole, in a temporary file if they do not fit into the memory. Not for v0.
 */
final class OrderedPuts implements AutoCloseable {
    /** How many puts are gathered at least, where the memory allows it. */
    private static final int LEAST = 1 << 16;

    /** How many bytes of memory puts take that are sorted at once, where all are sorted. More takes more time, for the collector. */
    private static final long MOST_SORTED = 64 << 20;

    /** The part of all puts so far that is gathered. With a fixed number, the work would grow with the square of the size. */
    private static final int PART = 16;

    /** The part of the memory that gathered puts may take. */
    private static final int PART_OF_MEMORY = 12;

    /** What a put takes in memory, without its key and the bytes of its value. */
    private static final int PUT_BYTES = 200;

    /** Into how many groups the keys of v0 come, where there are as many shards. */
    private static final int GROUPS = 16;

    private final LongBatch batch;
    private final Runnable step;
    private final long least;
    private final List<Put> puts = new ArrayList<>();
    private final long mostBytes;
    private long bytes;

    /** Whether the gathered puts came in the order of their keys. */
    private boolean isSorted = true;

    /** The puts that were gathered before and not made. Null if there are none. */
    private @Nullable SortedRuns runs;

    private long made;

    private record Put(String key, NewValue value, long line) {
        boolean mayOverlap() {
            return key.chars().anyMatch(unit -> Character.isSurrogate((char) unit));
        }

        RuntimeException failed(RuntimeException e) {
            return Operations.at("line " + line + ", column 1", e);
        }
    }

    /** @param step runs after each put that was made */
    OrderedPuts(LongBatch batch, Runnable step) {
        this(batch, step, LEAST, Runtime.getRuntime().maxMemory() / PART_OF_MEMORY);
    }

    /** @param mostBytes how many bytes of memory the gathered puts may take */
    OrderedPuts(LongBatch batch, Runnable step, long least, long mostBytes) {
        this.batch = batch;
        this.step = step;
        this.least = least;
        this.mostBytes = mostBytes;
    }

    /** @param line the number of the line that has the put, for messages */
    void put(String key, NewValue value, long line) {
        isSorted = isSorted && (puts.isEmpty() || puts.get(puts.size() - 1).key.compareTo(key) <= 0);
        puts.add(new Put(key, value, line));
        bytes += PUT_BYTES + 2L * key.length() + value.size();
        if (!isFirst()) {
            if (bytes > mostBytes || puts.size() >= Math.max(least, made / PART)) {
                makeGathered();
            }
        } else if (bytes > Math.min(mostBytes, MOST_SORTED)) {
            if (isSorted && runs == null) {
                makeGathered();
            } else {
                writeGathered();
            }
        }
    }

    /** Whether all that is gathered makes a version from nothing, and not in the given order. */
    private boolean isFirst() {
        return made == 0 && batch.isFresh() && !isV0();
    }

    private boolean isV0() {
        return batch.pail().format().name().equals("v0");
    }

    Pail commit() {
        if (runs == null) {
            makeGathered();
        } else {
            writeGathered();
            runs.merge(mostBytes, (key, value, line) -> make(new Put(key, NewValue.of(value), line)));
        }
        return batch.commit();
    }

    /** Writes the gathered puts as a run. Their values are stored. */
    private void writeGathered() {
        SortedRuns all = runs == null ? new SortedRuns() : runs;
        runs = all;
        sort();
        for (Put put : puts) {
            try {
                all.add(put.key, put.value.stored(batch.pail().blocks()), put.line);
            } catch (RuntimeException e) {
                throw put.failed(e);
            }
        }
        all.endRun();
        clear();
    }

    private void sort() {
        if (!isSorted) {
            puts.sort(Comparator.comparing(Put::key));
        }
    }

    private void clear() {
        puts.clear();
        bytes = 0;
        isSorted = true;
    }

    private void makeGathered() {
        if (!isV0()) {
            sort();
            puts.forEach(this::make);
        } else if (puts.stream().anyMatch(Put::mayOverlap)) {
            puts.forEach(this::make);
        } else {
            groups(prefixes(batch.pail())).values().forEach(group -> group.forEach(this::make));
        }
        made += puts.size();
        clear();
    }

    private void make(Put put) {
        try {
            batch.change(each -> put.value.put(each, put.key));
        } catch (RuntimeException e) {
            throw put.failed(e);
        }
        step.run();
    }

    /** The puts below each prefix, and those below none. A key that equals a prefix is in the shard above. */
    private Map<String, List<Put>> groups(NavigableSet<String> prefixes) {
        Map<String, List<Put>> groups = new TreeMap<>();
        for (Put put : puts) {
            String prefix = prefixes.lower(put.key);
            boolean isBelow = prefix != null && put.key.startsWith(prefix);
            groups.computeIfAbsent(isBelow ? prefix : "", key -> new ArrayList<>())
                    .add(put);
        }
        return groups;
    }

    /** The prefixes of some shards; none starts with another one. With any puts, they stay prefixes of shards. */
    private static NavigableSet<String> prefixes(Pail pail) {
        Deque<ShardView> shards = new ArrayDeque<>(List.of(pail.shard()));
        try {
            for (int read = 0; read < GROUPS && shards.size() < GROUPS && !shards.isEmpty(); read++) {
                addBelow(shards.remove(), shards);
            }
        } catch (BlockException e) {
            // If the puts need that shard, they fail. If not, the shards that were found will do.
        }
        NavigableSet<String> prefixes = new TreeSet<>();
        shards.stream()
                .map(ShardView::prefix)
                .filter(prefix -> !prefix.isEmpty())
                .forEach(prefixes::add);
        return prefixes;
    }

    /** Adds the shards that a shard links to, but for those with keys that overlap (V0.7). */
    private static void addBelow(ShardView shard, Deque<ShardView> shards) {
        List<ShardView.Item> items = shard.items().toList();
        for (int i = 0, end; i < items.size(); i = end) {
            ShardView.Item item = items.get(i);
            end = i + 1;
            while (item.shard().isPresent()
                    && end < items.size()
                    && items.get(end).shardKey().startsWith(item.shardKey())) {
                end++;
            }
            if (end == i + 1) {
                item.shard().ifPresent(shards::add);
            }
        }
    }

    @Override
    public void close() {
        if (runs != null) {
            runs.close();
        }
    }
}
