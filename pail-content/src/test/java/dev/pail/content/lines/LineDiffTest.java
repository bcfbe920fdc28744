package dev.pail.content.lines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LineDiffTest {
    private static List<Integer> applied(List<Integer> before, List<Integer> after, List<Edit> edits) {
        List<Integer> result = new ArrayList<>();
        int from = 0;
        for (Edit edit : edits) {
            result.addAll(before.subList(from, edit.beforeFrom()));
            result.addAll(after.subList(edit.afterFrom(), edit.afterTo()));
            from = edit.beforeTo();
        }
        result.addAll(before.subList(from, before.size()));
        return result;
    }

    @Test
    void editsMakeTheListAfterOfTheListBefore_VM12() {
        Random random = Randomness.random("LineDiffTest");
        for (int i = 0; i < Randomness.times(2000, 100_000); i++) {
            List<Integer> before = random.ints(random.nextInt(20), 0, 4).boxed().toList();
            List<Integer> after = random.ints(random.nextInt(20), 0, 4).boxed().toList();
            List<Edit> edits = LineDiff.of(before, after);
            assertThat(applied(before, after, edits)).isEqualTo(after);
            int last = -1;
            for (Edit edit : edits) {
                assertThat(edit.beforeFrom()).isGreaterThan(last);
                assertThat(edit.beforeTo() - edit.beforeFrom() + edit.afterTo() - edit.afterFrom())
                        .isPositive();
                last = edit.beforeTo();
            }
        }
    }

    @Test
    void namesTheRunsAlone() {
        assertThat(LineDiff.of(List.of("a", "b", "c", "d"), List.of("a", "x", "c", "d", "e")))
                .containsExactly(new Edit(1, 2, 1, 2), new Edit(4, 4, 4, 5));
        assertThat(LineDiff.of(List.of("a"), List.of("a"))).isEmpty();
        assertThat(LineDiff.of(List.of(), List.of("a"))).containsExactly(new Edit(0, 0, 0, 1));
    }

    @Test
    void manyDifferencesAreOneRun() {
        int many = 100_000;
        List<Integer> before = IntStream.range(0, many).boxed().toList();
        List<Integer> after =
                IntStream.range(0, many).map(i -> i % 2 == 0 ? i : -i).boxed().toList();
        assertThat(LineDiff.of(before, after)).containsExactly(new Edit(1, many, 1, many));
    }

    @Test
    void aSearchForAReaderHasABound() {
        List<Integer> before =
                IntStream.range(0, 100_000).map(i -> i % 997).boxed().toList();
        List<Integer> after =
                IntStream.range(0, 100_000).map(i -> i * 7 % 997).boxed().toList();
        assertThat(LineDiff.of(before, after)).hasSize(1);
    }
}
