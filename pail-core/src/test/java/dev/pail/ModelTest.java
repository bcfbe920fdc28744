package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.testkit.MapOperation;
import dev.pail.testkit.RandomOperations;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.Shrinking;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Random sequences of operations in all formats, compared with a {@code TreeMap} and with {@link PlainPail}. */
class ModelTest {
    private static final int LENGTH = 100;

    @Test
    void randomSequences() {
        long seed = Randomness.seed("ModelTest.randomSequences");
        int sequences = Randomness.times(500, 2_000_000);
        LongAdder refused = new LongAdder();
        LongAdder entries = new LongAdder();
        LongAdder overlaps = new LongAdder();
        IntStream.range(0, sequences).parallel().forEach(i -> {
            ModelCheck check = sequence(seed + i);
            refused.add(check.refused());
            entries.add(check.model().size());
            overlaps.add(isOverlapping(check.pail()) ? 1 : 0);
        });
        assertThat(entries.sum()).isPositive();
        assertThat(refused.sum()).isPositive();
        assertThat(overlaps.sum()).isPositive();
    }

    private static ModelCheck sequence(long seed) {
        Random random = Randomness.random(seed);
        ShardFormat format = RandomOperations.format(random);
        RandomOperations source = new RandomOperations(random, format);
        List<MapOperation> operations = new ArrayList<>();
        for (int n = 0; n < LENGTH; n++) {
            MapOperation operation = source.next();
            if (isAllowed(format, operation)) {
                operations.add(operation);
            }
        }
        List<KeyRange> ranges = new ArrayList<>();
        for (int n = 0; n < 10; n++) {
            ranges.add(source.range());
        }
        try {
            return run(format, operations, ranges);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(shrunk(seed, format, operations, ranges, e), e);
        }
    }

    static boolean isAllowed(ShardFormat format, MapOperation operation) {
        if (operation instanceof MapOperation.Put put) {
            try {
                format.checkKey(put.key());
            } catch (KeyNotAllowedException e) {
                return false;
            }
        }
        return !(operation instanceof MapOperation.Several several)
                || several.operations().stream().allMatch(each -> isAllowed(format, each));
    }

    static boolean isOverlapping(Pail pail) {
        List<ShardView> due = new ArrayList<>(List.of(pail.shard()));
        while (!due.isEmpty()) {
            ShardView shard = due.remove(due.size() - 1);
            List<ShardView.Item> items = shard.items().toList();
            for (int i = 0; i + 1 < items.size(); i++) {
                if (items.get(i).shard().isPresent()
                        && items.get(i + 1).shardKey().startsWith(items.get(i).shardKey())) {
                    return true;
                }
            }
            items.forEach(item -> item.shard().ifPresent(due::add));
        }
        return false;
    }

    private static ModelCheck run(ShardFormat format, List<MapOperation> operations, List<KeyRange> ranges) {
        ModelCheck check = new ModelCheck(format);
        int n = 0;
        for (MapOperation operation : operations) {
            check.run(operation);
            if (++n % 10 == 0) {
                check.compareRoots();
            }
        }
        check.compareAll();
        ranges.forEach(check::compareRange);
        return check;
    }

    private static String shrunk(
            long seed, ShardFormat format, List<MapOperation> operations, List<KeyRange> ranges, Throwable failure) {
        List<MapOperation> least = Shrinking.shrink(operations, fewer -> fails(format, fewer, ranges));
        StringBuilder story = new StringBuilder("with -Dpail.seed=" + seed + ", " + format + ":\n");
        least.forEach(operation -> story.append("  ").append(operation).append('\n'));
        return story + "first failure: " + failure;
    }

    private static boolean fails(ShardFormat format, List<MapOperation> operations, List<KeyRange> ranges) {
        try {
            run(format, operations, ranges);
            return false;
        } catch (AssertionError | RuntimeException e) {
            return true;
        }
    }
}
