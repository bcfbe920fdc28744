package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rules S1 to V2.1, each by the smallest pail that shows it. */
class ShardRulesTest {
    private static final Cid ONE = HostileShards.value(7);
    private static final Cid TWO = HostileShards.value(2);

    private final MapBlocks blocks = new MapBlocks();

    private Pail pail(ShardFormat format, String... keys) {
        Pail pail = Pail.create(blocks, format);
        for (String key : keys) {
            pail = pail.put(key, ONE);
        }
        return pail;
    }

    private Block store(byte[] shard) {
        Block block = HostileShards.block(shard);
        blocks.put(block);
        return block;
    }

    private void assertRefused(byte[] root, String rule) {
        Cid cid = store(root).cid();
        assertThatExceptionOfType(MalformedBlockException.class)
                .isThrownBy(() -> Pail.open(blocks, cid).entries().toList())
                .withMessageContaining(rule);
    }

    /** A shard as text: {@code +} marks user data, brackets what is in the shard that an entry links to. */
    private static String layout(ShardView shard) {
        List<String> items = new ArrayList<>();
        shard.items()
                .forEach(item -> items.add(item.shardKey()
                        + (item.data().isPresent() ? "+" : "")
                        + item.shard().map(ShardRulesTest::layout).orElse("")));
        return items.toString();
    }

    @Test
    void onlyDagCborWithSha256IsAShard_S1() {
        Cid raw = Block.of(Cid.RAW, HostileShards.v0(HostileShards.entry("a"))).cid();
        assertThatExceptionOfType(MalformedBlockException.class)
                .isThrownBy(() -> Pail.open(blocks, raw))
                .withMessageContaining("(S1)");
        assertRefused(HostileShards.v0(HostileShards.entry("a", HostileShards.toShard(raw))), "(S1)");
    }

    @Test
    void onlyTheRootMayHaveNoEntries_S9() {
        assertThat(Pail.open(blocks, store(HostileShards.v0()).cid()).entries()).isEmpty();
        assertRefused(HostileShards.v0(HostileShards.entry("a", store(HostileShards.v0()))), "(S9)");
    }

    @Test
    void aPutKeepsTheShardBesideTheValue_P1() {
        for (ShardFormat format : List.of(ShardFormat.v0(1024, 1), ShardFormat.v1(), ShardFormat.v2())) {
            Pail pail = pail(format, "a", "ab");
            assertThat(layout(pail.shard())).isEqualTo("[a+[b+]]");
            Pail next = pail.put("a", TWO);
            assertThat(layout(next.shard())).isEqualTo("[a+[b+]]");
            assertThat(next.get("a")).contains(TWO);
            assertThat(next.get("ab")).contains(ONE);
        }
    }

    @Test
    void theShardsOnThePathOfAChangeAreNewAndNoOthers_P3() {
        Pail pail = pail(ShardFormat.v1(), "abc", "abd", "xa", "xb");
        Pail next = pail.put("abd", TWO);
        List<ShardView> before = pail.traverse("abd");
        List<ShardView> after = next.traverse("abd");
        assertThat(after).hasSize(3);
        for (int i = 0; i < 3; i++) {
            assertThat(after.get(i).cid()).isNotEqualTo(before.get(i).cid());
        }
        assertThat(next.traverse("xa").get(1).cid())
                .isEqualTo(pail.traverse("xa").get(1).cid());
    }

    /** A shard of v0 with this size has room for three entries. */
    private static final ShardFormat THREE = ShardFormat.v0(200, 64);

    @Test
    void aShardIsSplitByThePrefixOfTheKeyThatWasPut_V0_4() {
        assertThat(layout(pail(THREE, "aa", "ab", "ba").shard())).isEqualTo("[aa+, ab+, ba+]");
        assertThat(layout(pail(THREE, "aa", "ab", "ba", "bb").shard())).isEqualTo("[aa+, ab+, b[a+, b+]]");
        assertThat(layout(pail(THREE, "ba", "bb", "aa", "ab").shard())).isEqualTo("[a[a+, b+], ba+, bb+]");
        assertThat(layout(pail(THREE, "aa", "b", "ba", "bb").shard())).isEqualTo("[aa+, b+[a+, b+]]");
    }

    @Test
    void theNextEntriesAreTheBaseWhereItSharesNoPrefix_V0_5() {
        assertThat(layout(pail(THREE, "aa", "ab", "ca", "b").shard())).isEqualTo("[a[a+, b+], b+, ca+]");
        assertThat(layout(pail(THREE, "aa", "ca", "cb", "b").shard())).isEqualTo("[aa+, b+, c[a+, b+]]");
        // A prefix of code points, not of bytes or surrogates: the two faces share three of four bytes.
        assertThat(layout(
                        pail(THREE, "\ud83d\ude00", "\ud83d\ude01", "ca", "cb").shard()))
                .isEqualTo("[c[a+, b+], \ud83d\ude00+, \ud83d\ude01+]");
        assertThatExceptionOfType(LimitException.class)
                .isThrownBy(() -> pail(THREE, "\ud83d\ude00", "\ud83d\ude01", "a", "b"));
    }

    @Test
    void keysArePrintableAscii_V1_1() {
        Pail pail = Pail.create(blocks, ShardFormat.v1(3));
        assertThat(pail.put(" ~!", ONE).get(" ~!")).contains(ONE);
        for (String key : List.of("\u001f", "\u007f", "\u00e9", "abcd")) {
            assertThatExceptionOfType(KeyNotAllowedException.class)
                    .isThrownBy(() -> pail.put(key, ONE))
                    .withMessageContaining("(V1.1)");
            byte[] size = HostileCbor.integer(3);
            assertRefused(HostileShards.configured("", 1, size, HostileShards.entry(key)), "(V1.1)");
        }
    }

    @Test
    void aLinkIsUnderOneCharacter_V1_2() {
        Block below = store(HostileShards.v1("ab", HostileShards.entry("a")));
        assertRefused(HostileShards.v1("", HostileShards.entry("ab", below)), "(V1.2)");
    }

    @Test
    void noTwoKeysOfAShardStartWithTheSameCharacter_V1_3() {
        assertRefused(HostileShards.v1("", HostileShards.entry("ab"), HostileShards.entry("ac")), "(V1.3)");
    }

    @Test
    void aKeyOfTheSameFirstCharacterMovesDown_V1_4() {
        assertThat(layout(pail(ShardFormat.v1(), "abc").shard())).isEqualTo("[abc+]");
        assertThat(layout(pail(ShardFormat.v1(), "abc", "ad").shard())).isEqualTo("[a[bc+, d+]]");
        assertThat(layout(pail(ShardFormat.v1(), "abc", "abd").shard())).isEqualTo("[a[b[c+, d+]]]");
        assertThat(layout(pail(ShardFormat.v1(), "a", "ab").shard())).isEqualTo("[a+[b+]]");
    }

    @Test
    void aDeleteJoinsNoShards_V1_5() {
        Pail pail = pail(ShardFormat.v1(), "ab", "ac").delete("ac");
        assertThat(layout(pail.shard())).isEqualTo("[a[b+]]");
        assertThat(layout(pail(ShardFormat.v1(), "ab").shard())).isEqualTo("[ab+]");
    }

    @Test
    void onlyTheRootHasTheConfiguration_V2_1() {
        Pail pail = pail(ShardFormat.v2(), "ab", "ac");
        Block below = store(HostileShards.v2("a", HostileShards.entry("b"), HostileShards.entry("c")));
        assertThat(pail.traverse("ab").get(1).cid()).isEqualTo(below.cid());
        byte[] root = HostileShards.configured("", 2, HostileCbor.integer(4096), HostileShards.entry("a", below));
        assertThat(pail.root()).isEqualTo(store(root).cid());
        Block configured = store(HostileShards.configured(
                "a", 2, HostileCbor.integer(4096), HostileShards.entry("b"), HostileShards.entry("c")));
        assertRefused(HostileShards.v2("", HostileShards.entry("a", configured)), "(S2, S3)");
    }
}
