package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What operations cost in blocks, bytes and allocated memory, against {@code work-counts.json}: counts do not depend on the machine, as times do.
 * What costs more is a mistake, or a decision: then {@code -Dpail.write} writes the file anew.
 */
class WorkCountsTest {
    private static final int KEYS = 10_000;
    private static final int TIMES = 500;

    /** How much more memory may be allocated than the file says: the compiler of the JVM leaves out some, now more, now less. */
    private static final double MORE = 1.5;

    private static final Pattern LINE = Pattern.compile(
            "\\{\"operation\":\"([^\"]+)\",\"read\":(\\d+),\"put\":(\\d+),\"bytes\":(\\d+),\"allocated\":(\\d+)\\}");

    /** Blocks with counts of puts. */
    private static final class Counted extends MapBlocks {
        private final AtomicLong puts = new AtomicLong();
        private final AtomicLong bytes = new AtomicLong();

        @Override
        public void put(Block block) {
            puts.incrementAndGet();
            bytes.addAndGet(block.size());
            super.put(block);
        }
    }

    /**
     * What an operation costs on the average.
     *
     * @param read blocks
     * @param put blocks
     * @param bytes of these
     * @param allocated bytes of memory, by the calling thread
     */
    private record Cost(long read, long put, long bytes, long allocated) {}

    /** Something that is done to a pail, with a number that differs each time. */
    private interface Work {
        Pail run(Pail pail, int number);
    }

    private final Map<String, Cost> costs = new LinkedHashMap<>();

    private static List<String> keys(int count, long seed) {
        Random random = new Random(seed);
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(Long.toString(random.nextLong() >>> 1, 36));
        }
        return keys;
    }

    private static Cid value(int number) {
        return Block.of(Cid.RAW, Integer.toString(number).getBytes(StandardCharsets.US_ASCII))
                .cid();
    }

    private static Pail filled(BlockStore blocks, ShardFormat format, Collection<String> keys) {
        Batch batch = Pail.create(blocks, format).batch();
        keys.forEach(key -> batch.put(key, value(0)));
        return batch.commit();
    }

    private void count(String operation, ShardFormat format, int times, Work work) {
        Counted blocks = new Counted();
        Pail full = filled(blocks, format, keys(KEYS, 1));
        // The first runs load classes and fill caches.
        Pail pail = run(full, 0, times, work);
        long read = blocks.reads.get();
        long put = blocks.puts.get();
        long bytes = blocks.bytes.get();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = threads.getCurrentThreadAllocatedBytes();
        Pail unused = run(pail, times, times, work);
        Cost cost = new Cost(
                (blocks.reads.get() - read) / times,
                (blocks.puts.get() - put) / times,
                (blocks.bytes.get() - bytes) / times,
                (threads.getCurrentThreadAllocatedBytes() - allocated) / times);
        costs.put(format.name() + " " + operation, cost);
    }

    private static Pail run(Pail first, int from, int times, Work work) {
        Pail pail = first;
        for (int i = from; i < from + times; i++) {
            pail = work.run(pail, i);
        }
        return pail;
    }

    private static Pail reopened(Pail pail) {
        return Pail.open(pail.blocks(), pail.root());
    }

    @Test
    void operationsCostWhatTheyDid() throws IOException {
        List<String> keys = keys(KEYS, 1);
        List<String> others = keys(2 * TIMES, 2);
        for (ShardFormat format : List.of(ShardFormat.v0(), ShardFormat.v1())) {
            count("put", format, TIMES, (pail, i) -> pail.put(others.get(i), value(i)));
            count(
                    "put of a path",
                    format,
                    TIMES,
                    (pail, i) -> pail.put("users/u000001/photos/2024/07/" + others.get(i), value(i)));
            count("delete", format, TIMES, (pail, i) -> pail.delete(keys.get(i)));
            count("get", format, TIMES, (pail, i) -> {
                assertThat(pail.get(keys.get(i)).isPresent()).isTrue();
                return pail;
            });
            count("cold get", format, 20, (pail, i) -> {
                assertThat(reopened(pail).get(keys.get(i)).isPresent()).isTrue();
                return pail;
            });
            count("scan of all keys", format, 3, (pail, i) -> {
                assertThat(pail.entries().count()).isEqualTo(KEYS);
                return pail;
            });
            count("cold scan of all keys", format, 3, (pail, i) -> {
                assertThat(reopened(pail).entries().count()).isEqualTo(KEYS);
                return pail;
            });
            count("cold diff of one key", format, 10, (pail, i) -> {
                Pail next = pail.put(others.get(i), value(i));
                assertThat(reopened(pail).diff(reopened(next)).keys().count()).isEqualTo(1);
                return pail;
            });
            count("verify", format, 3, (pail, i) -> {
                assertThat(Verification.of(pail.blocks(), pail.root()).isSound())
                        .isTrue();
                return pail;
            });
        }
        Path file = Path.of("src/test/resources/dev/pail/work-counts.json");
        if (System.getProperty("pail.write") != null) {
            StringBuilder text = new StringBuilder("[\n");
            costs.forEach((operation, cost) -> text.append(text.length() > 2 ? ",\n" : "")
                    .append(String.format(
                            "{\"operation\":\"%s\",\"read\":%d,\"put\":%d,\"bytes\":%d,\"allocated\":%d}",
                            operation, cost.read, cost.put, cost.bytes, cost.allocated)));
            Files.writeString(file, text.append("\n]\n"));
        }
        Map<String, Cost> known = new LinkedHashMap<>();
        for (Matcher line = LINE.matcher(Files.readString(file)); line.find(); ) {
            known.put(
                    line.group(1),
                    new Cost(
                            Long.parseLong(line.group(2)),
                            Long.parseLong(line.group(3)),
                            Long.parseLong(line.group(4)),
                            Long.parseLong(line.group(5))));
        }
        assertThat(costs.keySet()).isEqualTo(known.keySet());
        costs.forEach((operation, cost) -> {
            Cost before = known.get(operation);
            assertThat(cost.read).as("blocks read by %s", operation).isEqualTo(before.read);
            assertThat(cost.put).as("blocks put by %s", operation).isEqualTo(before.put);
            assertThat(cost.bytes).as("bytes put by %s", operation).isEqualTo(before.bytes);
            assertThat(cost.allocated)
                    .as("memory allocated by %s", operation)
                    .isLessThan((long) (MORE * before.allocated) + 1000);
        });
    }
}
