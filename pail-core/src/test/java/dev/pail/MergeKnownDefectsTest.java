package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.ipld.Cid;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What another implementation gets wrong when it merges, as numbered in {@code spec/deviations.md}, done right. */
class MergeKnownDefectsTest {
    private final MapBlocks blocks = new MapBlocks();

    static List<ShardFormat> formats() {
        return List.of(ShardFormat.v1(), ShardFormat.v2(), ShardFormat.v0(), ShardFormat.v0(300, 1));
    }

    private static Cid value(int number) {
        return Vectors.value(number);
    }

    private Pail pail(ShardFormat format, String... keys) {
        Pail pail = Pail.create(blocks, format);
        for (int i = 0; i < keys.length; i++) {
            pail = pail.put(keys[i], value(i));
        }
        return pail;
    }

    private static List<String> keys(Pail pail) {
        return pail.entries().map(Entry::key).toList();
    }

    @ParameterizedTest
    @MethodSource("formats")
    void d12a_noShardBecomesAValue(ShardFormat format) {
        Pail base = pail(format, "b");
        Pail theirs = base.put("aa", value(1)).put("ab", value(2));
        Pail merged = Pail.merge(base, base.put("c", value(3)), theirs);
        assertThat(keys(merged)).containsExactly("aa", "ab", "b", "c");
        assertThat(merged.get("a")).isEmpty();
        assertThat(merged.entries().map(Entry::value)).containsExactly(value(1), value(2), value(0), value(3));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void d12b_aKeyThatTheOtherSideOnlyMovedStaysDeleted(ShardFormat format) {
        Pail base = pail(format, "ab", "b");
        Pail ours = base.delete("ab");
        Pail theirs = base.put("ac", value(2));
        assertThat(keys(Pail.merge(base, ours, theirs))).containsExactly("ac", "b");
        assertThat(keys(Pail.merge(base, theirs, ours))).containsExactly("ac", "b");
    }

    @ParameterizedTest
    @MethodSource("formats")
    void d12c_aValueDeletedBesideALinkStaysDeleted(ShardFormat format) {
        Pail base = pail(format, "a", "ab", "ac");
        Pail ours = base.put("z", value(5));
        Pail theirs = base.delete("a");
        assertThat(keys(Pail.merge(base, ours, theirs))).containsExactly("ab", "ac", "z");
        assertThat(keys(Pail.merge(base, theirs, ours))).containsExactly("ab", "ac", "z");
    }

    @ParameterizedTest
    @MethodSource("formats")
    void d12d_whatWasThereBeforeCanStillBeRead(ShardFormat format) {
        Pail base = pail(format, "a", "ab", "ac");
        Pail ours = base.put("z", value(5));
        Pail theirs = base.put("y", value(6));
        Pail merged = Pail.merge(base, ours, theirs);
        assertThat(base.diff(merged).shards().removed()).doesNotContain(merged.root());
        for (Pail each : List.of(base, ours, theirs, merged)) {
            assertThat(Verification.of(blocks, each.root()).isSound()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("formats")
    void d12e_keysDeletedWithTheirShardStayDeleted(ShardFormat format) {
        Pail base = pail(format, "a", "ab", "ac", "b");
        Pail ours = base.put("z", value(5));
        Pail theirs = base.delete("ab").delete("ac");
        assertThat(keys(Pail.merge(base, ours, theirs))).containsExactly("a", "b", "z");
        assertThat(keys(Pail.merge(base, theirs, ours))).containsExactly("a", "b", "z");
        Pail changed = base.put("ab", value(7));
        assertThatExceptionOfType(MergeConflictException.class)
                .isThrownBy(() -> Pail.merge(base, changed, theirs))
                .satisfies(
                        e -> assertThat(e.conflicts()).extracting(Conflict::key).containsExactly("ab"));
    }
}
