package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * What other implementations are known to get wrong, as numbered in {@code spec/deviations.md}, done right. Most of it is
 * lost data.
 */
class KnownDefectsTest {
    private static final String X64 = "x".repeat(64);
    private static final String Y64 = "y".repeat(64);

    private final MapBlocks blocks = new MapBlocks();

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

    private static List<String> keys(Pail pail, KeyRange range) {
        return pail.entries(range).map(Entry::key).toList();
    }

    private static List<String> keys(Pail pail) {
        return keys(pail, KeyRange.all());
    }

    @Test
    void d01_deletingTheLastKeyOfAChildKeepsTheValueBesideTheLink_P2() {
        assertThat(keys(pail(ShardFormat.v1(), "a", "ab", "z").delete("ab"))).containsExactly("a", "z");
        assertThat(keys(pail(ShardFormat.v1(), "a", "abcde", "abcdf", "z")
                        .delete("abcdf")
                        .delete("abcde")))
                .containsExactly("a", "z");
        Pail chained = pail(ShardFormat.v0(), X64, X64 + "b").delete(X64 + "b");
        assertThat(keys(chained)).containsExactly(X64);
        assertThat(chained.root()).isEqualTo(pail(ShardFormat.v0(), X64).root());
    }

    @Test
    void d02_aKeyOfFullLengthSurvivesALongerOne() {
        Pail one = pail(ShardFormat.v0(), X64, X64 + "b");
        assertThat(one.get(X64)).contains(value(0));
        assertThat(one.get(X64 + "b")).contains(value(1));
        Pail batch =
                pail(ShardFormat.v0(), X64).batch().put(X64 + "b", value(1)).commit();
        assertThat(batch.root()).isEqualTo(one.root());
    }

    @Test
    void d03_ofTwoLinksToOneShardOnlyOneIsRemoved_P5() {
        Pail two = Pail.create(blocks).put(X64 + "b", value(0)).put(Y64 + "b", value(0));
        assertThat(two.shard()
                        .items()
                        .map(item -> item.shard().orElseThrow().cid())
                        .distinct())
                .hasSize(1);
        assertThat(keys(two.delete(X64 + "b"))).containsExactly(Y64 + "b");
    }

    @Test
    void d04_d05_d31_nothingThatANewRootNeedsIsGivenUp() {
        Pail both = Pail.create(blocks).put("b", value(0)).put(X64 + "b", value(0));
        int stored = blocks.blocks.size();
        Pail short1 = both.delete(X64 + "b");
        assertThat(keys(short1)).containsExactly("b");
        assertThat(short1.shard().items().findFirst().orElseThrow().data()).contains(value(0));
        assertThat(blocks.blocks).hasSizeGreaterThanOrEqualTo(stored);
        assertThat(keys(Pail.open(blocks, both.root()))).containsExactly("b", X64 + "b");
    }

    @Test
    void d06_oneShardUnderTwoPrefixesIsListedUnderBoth_S4() {
        Pail two = Pail.create(blocks).put(X64 + "b", value(0)).put(Y64 + "b", value(0));
        for (Pail pail : List.of(two, Pail.open(blocks, two.root()))) {
            assertThat(keys(pail)).containsExactly(X64 + "b", Y64 + "b");
            Pail three = pail.put(X64 + "c", value(1));
            assertThat(keys(three)).containsExactly(X64 + "b", X64 + "c", Y64 + "b");
            assertThat(three.get(X64 + "c")).contains(value(1));
        }
    }

    @Test
    void d07_keysAreNeverCutInsideACodePoint_V0_3() {
        String cut = "x".repeat(63) + "\ud83d\ude00";
        String other = "x".repeat(63) + "\ud83d\ude01";
        Pail pail = pail(ShardFormat.v0(), cut, other, "\ud83d\ude00", "\ud83d\ude01");
        assertThat(keys(Pail.open(blocks, pail.root()))).containsExactly(cut, other, "\ud83d\ude00", "\ud83d\ude01");
        Pail split = pail(ShardFormat.v0(200, 64), "\ud83d\ude00", "\ud83d\ude01", "\ud83d\ude02a", "\ud83d\ude02b");
        assertThat(keys(Pail.open(blocks, split.root())))
                .containsExactly("\ud83d\ude00", "\ud83d\ude01", "\ud83d\ude02a", "\ud83d\ude02b");
    }

    @Test
    void d08_loneSurrogatesAreRefused_K1() {
        Pail pail = pail(ShardFormat.v0(), "a");
        for (String key : List.of("\ud83d", "a\ude00", "\ud83d\ud83d\ude00", "\ude00\ud83d")) {
            assertThatExceptionOfType(KeyNotAllowedException.class).isThrownBy(() -> pail.put(key, value(1)));
            assertThatExceptionOfType(KeyNotAllowedException.class).isThrownBy(() -> pail.get(key));
            assertThatExceptionOfType(KeyNotAllowedException.class).isThrownBy(() -> pail.delete(key));
            assertThatExceptionOfType(KeyNotAllowedException.class).isThrownBy(() -> KeyRange.prefix(key));
        }
        assertThat(keys(pail)).containsExactly("a");
    }

    @Test
    void d09_theOrderIsThatOfUtf16_K2() {
        Pail pail = pail(ShardFormat.v0(), "\uff5e", "\ud83d\ude00", "\ue000", "\ud7ff");
        assertThat(keys(pail)).containsExactly("\ud7ff", "\ud83d\ude00", "\ue000", "\uff5e");
        assertThat(keys(pail, KeyRange.all().from("\ud83d\ude00").before("\uff5e")))
                .containsExactly("\ud83d\ude00", "\ue000");
    }

    @Test
    void d10_lengthIsCountedInUtf16_V0_2() {
        Pail pail = pail(ShardFormat.v0(), "\ud83d\ude00".repeat(40));
        ShardView.Item item = pail.shard().items().findFirst().orElseThrow();
        assertThat(item.shardKey()).hasSize(64);
        assertThat(item.shard()).isPresent();
        assertThat(keys(pail)).containsExactly("\ud83d\ude00".repeat(40));
    }

    @Test
    void d13_rangesAreExactAndInOrder() {
        Pail pail = pail(ShardFormat.v1(), "a", "b", "bx", "d", "dx");
        assertThat(keys(pail, KeyRange.all().after("a").before("c"))).containsExactly("b", "bx");
        assertThat(keys(pail, KeyRange.all().descending())).containsExactly("dx", "d", "bx", "b", "a");
        assertThat(keys(pail, KeyRange.all().before(""))).isEmpty();
        assertThat(keys(pail, KeyRange.prefix("b").after("b"))).containsExactly("bx");
        assertThat(keys(pail, KeyRange.prefix("b").from("c"))).isEmpty();
        Pail chains = pail(ShardFormat.v0(), "a", X64 + "b", Y64 + "b");
        assertThat(keys(chains, KeyRange.all().after("b"))).containsExactly(X64 + "b", Y64 + "b");
        assertThat(keys(chains, KeyRange.all().from(Y64))).containsExactly(Y64 + "b");
    }

    @Test
    void d14_noShardIsOverTheLimitAndWhatHasNoRoomIsRefused_V0_6_P7() {
        Pail pail = Pail.create(blocks, ShardFormat.v0(140, 64));
        for (String key : List.of("foo", "zzz", "foobar")) {
            try {
                pail = pail.put(key, value(key.length()));
            } catch (LimitException e) {
                assertThat(e.key()).contains(key);
            }
            assertThat(PailStatistics.of(pail).largestShard()).isLessThanOrEqualTo(140);
        }
        Pail full = pail(ShardFormat.v0(400, 64), "a", "b", "c", "d", "e", "f", "g", "h");
        assertThatExceptionOfType(LimitException.class).isThrownBy(() -> full.put("i", value(8)));
        assertThatExceptionOfType(LimitException.class)
                .isThrownBy(() -> full.batch().put("a", value(9)).put("i", value(8)));
        assertThat(keys(full)).hasSize(8);
        assertThat(full.get("a")).contains(value(0));
    }

    /** As many shards above a key as no single put makes (V0.3): what was put can be deleted. */
    @Test
    void keysBelowMoreShardsThanOnePutMakes() {
        Pail pail = Pail.create(blocks, ShardFormat.v0(512 << 10, 1));
        int step = 9_999;
        for (int i = 1; i <= 4; i++) {
            pail = pail.put("a".repeat(i * step), value(i));
        }
        String longest = "a".repeat(4 * step);
        assertThat(pail.get(longest)).contains(value(4));
        assertThat(pail.put(longest, value(5)).get(longest)).contains(value(5));
        Pail without = pail.delete(longest);
        assertThat(without.entries()).hasSize(3);
        assertThat(without.put(longest, value(4)).root()).isEqualTo(pail.root());
    }

    @Test
    void d14_theWholeKeyIsTold() {
        Pail full = pail(ShardFormat.v0(400, 64), "a", "b", "c", "d", "e", "f", "g", "h");
        Pail small = Pail.create(blocks, ShardFormat.v0(140, 64));
        for (ThrowingCallable put : List.<ThrowingCallable>of(
                () -> full.put(X64 + X64 + "1", value(8)), () -> small.put(X64 + X64 + "1", value(8)))) {
            assertThatExceptionOfType(LimitException.class)
                    .isThrownBy(put)
                    .satisfies(e -> assertThat(e.key()).contains(X64 + X64 + "1"));
        }
    }

    @Test
    void d15_keysWithFourThousandCharactersInCommon() throws InterruptedException {
        String one = "k".repeat(4095) + "1";
        String other = "k".repeat(4095) + "2";
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread small = new Thread(
                null,
                () -> {
                    try {
                        Pail pail = pail(ShardFormat.v1(), one, other);
                        assertThat(pail.get(other)).contains(value(1));
                        assertThat(keys(pail)).containsExactly(one, other);
                        assertThat(keys(pail, KeyRange.all().descending())).containsExactly(other, one);
                        assertThat(PailStatistics.of(pail).depth()).isEqualTo(4096);
                        assertThat(Verification.of(blocks, pail.root()).isSound())
                                .isTrue();
                        assertThat(keys(pail.delete(one).delete(other))).isEmpty();
                    } catch (Throwable e) {
                        failure.set(e);
                    }
                },
                "small stack",
                256 << 10);
        small.start();
        small.join();
        assertThat(failure).hasValue(null);
    }

    @Test
    void d18a_forgedBytesAreNotBelieved() {
        Cid cid = Block.of(Cid.DAG_CBOR, new byte[] {1}).cid();
        assertThatExceptionOfType(CorruptBlockException.class)
                .isThrownBy(() -> Block.verified(cid, new byte[] {2}))
                .satisfies(e -> assertThat(e.cid()).isEqualTo(cid));
    }

    @Test
    void d18bcd_aChildWithAnotherPrefixIsRefused_S3() {
        Cid child = shard("zzzz", entries -> entries.array(1).array(2).text("b").link(value(1)));
        Cid root = shard(
                "", entries -> entries.array(1).array(2).text("a").array(1).link(child));
        Pail pail = Pail.open(blocks, root);
        assertThatExceptionOfType(MalformedBlockException.class)
                .isThrownBy(() -> keys(pail))
                .satisfies(e -> assertThat(e.cid()).isEqualTo(child));
        assertThatExceptionOfType(MalformedBlockException.class).isThrownBy(() -> pail.get("ab"));
        assertThatExceptionOfType(MalformedBlockException.class).isThrownBy(() -> pail.put("ab", value(1)));
    }

    @Test
    void d18ef_entriesOutOfOrderTwiceOrMisshapenAreRefusedWhenDecoded_S5_S6() {
        Cid unsorted = shard(
                "",
                entries -> entries.array(2)
                        .array(2)
                        .text("b")
                        .link(value(1))
                        .array(2)
                        .text("a")
                        .link(value(1)));
        Cid twice = shard(
                "",
                entries -> entries.array(2)
                        .array(2)
                        .text("a")
                        .link(value(1))
                        .array(2)
                        .text("a")
                        .link(value(2)));
        Cid empty = shard("", entries -> entries.array(1).array(2).text("a").array(0));
        Cid three = shard(
                "",
                entries -> entries.array(1)
                        .array(2)
                        .text("a")
                        .array(3)
                        .link(value(1))
                        .link(value(1))
                        .link(value(1)));
        Cid text = shard("", entries -> entries.array(1).array(2).text("a").text("b"));
        for (Cid root : List.of(unsorted, twice, empty, three, text)) {
            assertThatExceptionOfType(MalformedBlockException.class)
                    .isThrownBy(() -> Pail.open(blocks, root))
                    .satisfies(e -> assertThat(e.offset()).isPositive());
        }
    }

    @Test
    void d18g_aBombIsListedLazilyAndCountedOnce() {
        Cid next = Pail.create(blocks, ShardFormat.v0()).put("k", value(0)).root();
        for (int level = 0; level < 1000; level++) {
            Cid below = next;
            DagCborWriter out = new DagCborWriter().map(3).text("entries").array(2);
            for (String key : List.of("a", "b")) {
                out.array(2).text(key).array(1).link(below);
            }
            out.text("maxSize").integer(512 * 1024).text("maxKeyLength").integer(64);
            next = store(out);
        }
        Pail bomb = Pail.open(blocks, next);
        assertThat(bomb.entries().limit(3).map(entry -> entry.key().length())).containsOnly(1001);
        assertThat(PailStatistics.of(bomb).entries()).isEqualTo(Long.MAX_VALUE);
        assertThat(PailStatistics.of(bomb).shards()).isEqualTo(1001);
        assertThat(Verification.of(blocks, bomb.root()).shards()).isEqualTo(1001);
    }

    @Test
    void d18h_linksUnderTheEmptyKeyAreRefused_S8() {
        Cid end = shard("", entries -> entries.array(1).array(2).text("a").link(value(1)));
        Cid root =
                shard("", entries -> entries.array(1).array(2).text("").array(1).link(end));
        assertThatExceptionOfType(MalformedBlockException.class).isThrownBy(() -> Pail.open(blocks, root));
    }

    @Test
    void d23_allPutsOfABatchAreThere() {
        Batch batch = Pail.create(blocks).batch();
        for (int i = 0; i < 40; i++) {
            batch.put("key " + i, value(i));
        }
        assertThat(keys(batch.commit())).hasSize(40);
        assertThatThrownBy(batch::commit).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> batch.put("more", value(1))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @SuppressWarnings("NullAway")
    void d25_nothingIsNotAValue() {
        Pail pail = pail(ShardFormat.v0(), "a");
        assertThatThrownBy(() -> pail.put("b", null)).isInstanceOf(NullPointerException.class);
        assertThat(pail.get("b")).isEqualTo(Optional.empty());
    }

    @Test
    void d26_d27_configurationsOutOfBoundsAreRefused_S2_V0_1() {
        List<Cid> roots = new ArrayList<>();
        for (long maxKeyLength : new long[] {0, -1, 4097, Long.MAX_VALUE}) {
            roots.add(store(new DagCborWriter()
                    .map(3)
                    .text("entries")
                    .array(0)
                    .text("maxSize")
                    .integer(1024)
                    .text("maxKeyLength")
                    .integer(maxKeyLength)));
        }
        roots.add(store(new DagCborWriter()
                .map(3)
                .text("entries")
                .array(0)
                .text("maxSize")
                .integer(1024)
                .text("maxKeyLength")
                .number(0.0001)));
        roots.add(shard("", 1_000_000_000, entries -> entries.array(0)));
        for (Cid root : roots) {
            assertThatExceptionOfType(MalformedBlockException.class).isThrownBy(() -> Pail.open(blocks, root));
        }
        assertThatThrownBy(() -> ShardFormat.v0(1024, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ShardFormat.v0(63, 64)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ShardFormat.v1(4097)).isInstanceOf(IllegalArgumentException.class);
    }

    private interface Entries {
        DagCborWriter write(DagCborWriter out);
    }

    /** Stores a shard of version 1 as it is given. */
    private Cid shard(String prefix, Entries entries) {
        return shard(prefix, 4096, entries);
    }

    private Cid shard(String prefix, int maxKeySize, Entries entries) {
        DagCborWriter out =
                new DagCborWriter().map(5).text("prefix").text(prefix).text("entries");
        entries.write(out).text("version").integer(1).text("keyChars").text("ascii");
        return store(out.text("maxKeySize").integer(maxKeySize));
    }

    private Cid store(DagCborWriter out) {
        Block block = Block.of(Cid.DAG_CBOR, out.toByteArray());
        blocks.put(block);
        return block.cid();
    }
}
