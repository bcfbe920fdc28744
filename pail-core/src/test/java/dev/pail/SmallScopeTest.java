package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Cid;
import dev.pail.testkit.MapOperation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A small universe, completely: all sets of seven keys, all orders of up to five. */
class SmallScopeTest {
    private static final List<String> KEYS = List.of("a", "b", "aa", "ab", "ba", "bb", "abc");
    private static final int LONGEST_ORDER = 5;

    static List<ShardFormat> formats() {
        return List.of(
                ShardFormat.v0(),
                ShardFormat.v0(140, 1),
                ShardFormat.v0(170, 2),
                ShardFormat.v0(200, 64),
                ShardFormat.v0(300, 64),
                ShardFormat.v1(),
                ShardFormat.v2());
    }

    @ParameterizedTest
    @MethodSource("formats")
    void everyOperationOnEverySet(ShardFormat format) {
        for (int set = 0; set < 1 << KEYS.size(); set++) {
            for (int values = 1; values <= 2; values++) {
                for (int i = 0; i < 2 * KEYS.size(); i++) {
                    ModelCheck check = new ModelCheck(format);
                    for (String key : subset(set)) {
                        check.run(new MapOperation.Put(key, ModelCheck.value(KEYS.indexOf(key) % values)));
                    }
                    String key = KEYS.get(i / 2);
                    check.run(
                            i % 2 == 0 ? new MapOperation.Put(key, ModelCheck.value(1)) : new MapOperation.Delete(key));
                    check.compareAll();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("formats")
    void putsAndDeletesInEveryOrder(ShardFormat format) {
        Map<Set<String>, Set<Cid>> roots = new HashMap<>();
        for (List<String> order : orders()) {
            ModelCheck puts = new ModelCheck(format);
            for (String key : order) {
                puts.run(new MapOperation.Put(key, ModelCheck.value(0)));
                puts.compareRoots();
            }
            puts.compareAll();
            roots.computeIfAbsent(Set.copyOf(order), k -> new HashSet<>())
                    .add(puts.pail().root());

            ModelCheck deletes = new ModelCheck(format);
            order.stream()
                    .sorted()
                    .forEach(key -> deletes.run(new MapOperation.Put(key, ModelCheck.value(key.length()))));
            for (String key : order) {
                deletes.run(new MapOperation.Delete(key));
                deletes.compareAll();
            }
            assertThat(deletes.pail().root())
                    .isEqualTo(Pail.create(new MapBlocks(), format).root());
        }
        if (!format.name().equals("v0")) {
            assertThat(roots.values()).allSatisfy(each -> assertThat(each).hasSize(1));
        }
    }

    private static List<String> subset(int set) {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < KEYS.size(); i++) {
            if ((set >> i & 1) == 1) {
                keys.add(KEYS.get(i));
            }
        }
        return keys;
    }

    /** All ordered choices of up to five keys: 3,620 with the empty one. */
    private static List<List<String>> orders() {
        List<List<String>> all = new ArrayList<>();
        all.add(List.of());
        for (int next = 0; next < all.size(); next++) {
            List<String> shorter = all.get(next);
            if (shorter.size() == LONGEST_ORDER) {
                break;
            }
            for (String key : KEYS) {
                if (!shorter.contains(key)) {
                    List<String> longer = new ArrayList<>(shorter);
                    longer.add(key);
                    all.add(longer);
                }
            }
        }
        assertThat(all).hasSize(3620);
        return all;
    }
}
