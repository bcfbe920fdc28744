package dev.pail.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShrinkingTest {
    private static final ShardFormat FORMAT = ShardFormat.v1();

    @Test
    void leavesWhatFailsOnly() {
        List<Integer> steps = IntStream.range(0, 100).boxed().toList();
        assertThat(Shrinking.shrink(steps, rest -> rest.contains(17) && rest.contains(80)))
                .containsExactly(17, 80);
    }

    /** A pail that ignores deletes fails with a put and a delete of the same key. */
    @Test
    void shrinksOperationsOfARandomMap() {
        Random random = Randomness.random("ShrinkingTest");
        RandomOperations source = new RandomOperations(random, FORMAT);
        List<MapOperation> operations = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            if (source.next() instanceof MapOperation.Put put && !put.key().isEmpty()) {
                operations.add(put);
                operations.add(new MapOperation.Delete(put.key()));
            }
        }
        assertThat(fails(operations)).isTrue();
        List<MapOperation> least = Shrinking.shrink(operations, ShrinkingTest::fails);
        assertThat(least).hasSize(2);
        assertThat(least.get(0)).isInstanceOf(MapOperation.Put.class);
        assertThat(least.get(1)).isInstanceOf(MapOperation.Delete.class);
    }

    private static boolean fails(List<MapOperation> operations) {
        Pail pail = Pail.create(new MemoryBlockStore(), FORMAT);
        Map<String, Cid> model = new TreeMap<>();
        for (MapOperation each : operations) {
            pail = each instanceof MapOperation.Delete ? pail : each.applyTo(pail);
            each.applyTo(model);
        }
        Map<String, Cid> entries = new TreeMap<>();
        pail.entries().forEach(entry -> entries.put(entry.key(), entry.value()));
        return !entries.equals(model);
    }
}
