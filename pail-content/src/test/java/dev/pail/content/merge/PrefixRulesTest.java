package dev.pail.content.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.MergeRules;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.table.Document;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PrefixRulesTest {
    private static final Set<ValueKind> TEXT = Set.of(ValueKind.TEXT);
    private static final Set<ValueKind> JSON = Set.of(ValueKind.JSON);
    private static final String BASE = "one\ntwo\nthree\n";
    private static final String OURS = "ONE\ntwo\nthree\n";
    private static final String THEIRS = "one\ntwo\nTHREE\n";
    private static final String BOTH = "ONE\ntwo\nTHREE\n";

    private final MemoryBlockStore blocks = new MemoryBlockStore();
    private final Pail empty = Pail.create(blocks, ShardFormat.v1());

    private static Block block(String text) {
        return Block.of(Cid.RAW, text.getBytes(StandardCharsets.UTF_8));
    }

    private Pail put(Pail pail, String key, Block value) {
        blocks.put(value);
        return pail.put(key, value.cid());
    }

    private Pail rules(Pail pail, Map<String, Set<ValueKind>> rules) {
        return put(pail, PrefixRules.KEY, PrefixRules.block(rules));
    }

    private static List<String> conflicts(Pail base, Pail ours, Pail theirs) {
        return comparison(base, ours, theirs).conflicts().stream()
                .map(conflict -> conflict.key())
                .toList();
    }

    private static MergeRules.Comparison comparison(Pail base, Pail ours, Pail theirs) {
        return MergeRules.installed().compare(base, MergeRules.Side.of(ours), MergeRules.Side.of(theirs));
    }

    @Test
    void aMapWithRulesMergesByThem_VM1() {
        Pail base = put(rules(empty, Map.of("docs/", TEXT)), "docs/a", block(BASE));
        Pail ours = put(base, "docs/a", block(OURS));
        Pail theirs = put(base, "docs/a", block(THEIRS));
        assertThat(conflicts(base, ours, theirs)).isEmpty();
        MergeRules.Outcome merged = comparison(base, ours, theirs).onto(theirs);
        assertThat(merged.pail().get("docs/a")).contains(block(BOTH).cid());
        assertThat(merged.decided()).containsExactly("docs/a");
        assertThat(blocks.has(block(BOTH).cid())).isTrue();
        // The same without rules.
        assertThat(conflicts(
                        base.delete(PrefixRules.KEY), ours.delete(PrefixRules.KEY), theirs.delete(PrefixRules.KEY)))
                .containsExactly("docs/a");
    }

    @Test
    void theLongestPrefixCounts_VM9() {
        Pail base = rules(empty, Map.of("", TEXT, "docs/", Set.of(), "docs/notes/", TEXT));
        for (String key : List.of("a", "docs/a", "docs/notes/a")) {
            base = put(base, key, block(BASE));
        }
        Pail ours = base;
        Pail theirs = base;
        for (String key : List.of("a", "docs/a", "docs/notes/a")) {
            ours = put(ours, key, block(OURS));
            theirs = put(theirs, key, block(THEIRS));
        }
        assertThat(conflicts(base, ours, theirs)).containsExactly("docs/a");
    }

    @Test
    void rulesMergeFirst_VM8() {
        Pail base = put(empty, "docs/a", block(BASE));
        Pail ours = put(rules(base, Map.of("docs/", TEXT)), "docs/a", block(OURS));
        Pail theirs = put(base, "docs/a", block(THEIRS));
        // One side alone has made rules.
        assertThat(conflicts(base, ours, theirs)).isEmpty();
        assertThat(conflicts(base, theirs, ours)).isEmpty();
        // Both have, and they merge.
        assertThat(conflicts(base, ours, rules(theirs, Map.of("config/", JSON))))
                .isEmpty();
        assertThat(conflicts(base, ours, rules(theirs, Map.of("docs/", TEXT)))).isEmpty();
        // Both have, and they do not.
        assertThat(conflicts(base, ours, rules(theirs, Map.of("docs/", JSON))))
                .containsExactly(PrefixRules.KEY, "docs/a");
        // One took them away.
        Pail ruled = rules(base, Map.of("docs/", TEXT));
        assertThat(conflicts(
                        ruled,
                        put(ruled, "docs/a", block(OURS)),
                        put(ruled, "docs/a", block(THEIRS)).delete(PrefixRules.KEY)))
                .containsExactly("docs/a");
    }

    @Test
    void mergedRulesHoldForTheMerge_VM8() {
        Pail base = put(rules(empty, Map.of("x/", TEXT)), "docs/a", block(BASE));
        Pail ours = put(rules(base, Map.of("x/", TEXT, "docs/", TEXT)), "docs/a", block(OURS));
        Pail theirs = put(rules(base, Map.of("x/", JSON)), "docs/a", block(THEIRS));
        MergeRules.Comparison comparison = comparison(base, ours, theirs);
        assertThat(comparison.conflicts()).isEmpty();
        Pail merged = comparison.onto(ours).pail();
        assertThat(PrefixRules.of(merged)).isEqualTo(Map.of("x/", JSON, "docs/", TEXT));
        assertThat(merged.get("docs/a")).contains(block(BOTH).cid());
    }

    @Test
    void readsWhatItWrites_VM7() {
        Map<String, Set<ValueKind>> rules =
                Map.of("", TEXT, "a.b\\c\"/", JSON, "ä😀\n", Set.of(), "both", Set.of(ValueKind.TEXT, ValueKind.JSON));
        assertThat(PrefixRules.of(rules(empty, rules))).isEqualTo(rules);
        assertThat(PrefixRules.of(empty)).isEmpty();
        assertThatThrownBy(() -> PrefixRules.block(Map.of("a", Set.of(ValueKind.ROWS))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void otherWordsAndOtherValuesAreNoRules_VM7() {
        Pail later = put(empty, PrefixRules.KEY, block("{\"a\":\"text\",\"ab\":\"text,words\",\"b\":5}"));
        assertThat(PrefixRules.of(later)).isEqualTo(Map.of("a", TEXT, "ab", Set.of(), "b", Set.of()));
        for (String other : List.of("{\"a\":{\"b\":\"text\"},\"c\":\"text\"}", "[]", "text", "{\"a\":\"text\"")) {
            assertThat(PrefixRules.of(put(empty, PrefixRules.KEY, block(other))))
                    .isEmpty();
        }
        Document cbor = Document.parse("{\"a\":\"text\"}");
        assertThat(PrefixRules.of(put(empty, PrefixRules.KEY, cbor.block()))).isEqualTo(Map.of("a", TEXT));
        assertThat(PrefixRules.of(empty.put(PrefixRules.KEY, block("{}").cid())))
                .isEmpty();
    }

    @Test
    void aDeleteIsAConflict_VM2() {
        Pail base = put(rules(empty, Map.of("", TEXT)), "a", block(BASE));
        assertThat(conflicts(base, put(base, "a", block(OURS)), base.delete("a")))
                .containsExactly("a");
    }
}
