package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import dev.pail.keys.Name;
import dev.pail.proof.Answer;
import dev.pail.proof.Proof;
import dev.pail.proof.ProofLimits;
import dev.pail.proof.Query;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules PF1 to PF12, each by the smallest proof that shows it. */
class ProofTest {
    private static final Cid ONE = Vectors.value(1);

    private final MapBlocks blocks = new MapBlocks();
    private final Pail pail = Pail.create(blocks, ShardFormat.v1())
            .put("aa", ONE)
            .put("ab", ONE)
            .put("ba", ONE)
            .put("bb", ONE)
            .put("c", ONE);
    private final Proof proof = pail.prove("aa");

    private static final Query AA = new Query.Key("aa");

    private static void assertMalformed(byte[] bytes, String rule) {
        assertThatExceptionOfType(MalformedDataException.class)
                .isThrownBy(() -> Proof.read(bytes))
                .withMessageContaining(rule)
                .matches(e -> e.code().equals("malformed-proof") && e.rule().contains(rule) && e.offset() >= 0);
    }

    private void assertInvalid(byte[] bytes, Query query, Cid cid, String rule) {
        Answer answer = Proof.read(bytes).verify(pail.root(), query);
        assertThat(answer).isInstanceOfSatisfying(Answer.Invalid.class, invalid -> {
            assertThat(invalid.reason()).contains(rule);
            assertThat(invalid.cid()).isEqualTo(cid);
        });
    }

    private static byte[] header(Cid[] roots, int version) {
        DagCborWriter header = new DagCborWriter().map(2).text("roots").array(roots.length);
        Stream.of(roots).forEach(header::link);
        return header.text("version").integer(version).toByteArray();
    }

    private static byte[] inserted(byte[] bytes, int at, int... more) {
        byte[] longer = new byte[bytes.length + more.length];
        System.arraycopy(bytes, 0, longer, 0, at);
        for (int i = 0; i < more.length; i++) {
            longer[at + i] = (byte) more[i];
        }
        System.arraycopy(bytes, at, longer, at + more.length, bytes.length - at);
        return longer;
    }

    @Test
    void presentAndAbsent() {
        assertThat(proof.verify(pail.root(), AA)).isEqualTo(new Answer.Present(ONE));
        assertThat(pail.prove("ax").verify(pail.root(), new Query.Key("ax"))).isEqualTo(new Answer.Absent());
        assertThat(proof).hasToString("proof of [" + pail.root() + "], blocks: 2");
    }

    /** The same in all formats, and by the key that a namespace gives. */
    @Test
    void aKeyOfANamespace() {
        for (ShardFormat format : List.of(ShardFormat.v0(), ShardFormat.v1(), ShardFormat.v2())) {
            Namespace users = Pail.create(blocks, format).namespace("users").put("ann", ONE);
            Pail version = users.pail();
            String key = users.key("ann");
            Proof ann = version.prove(key);
            assertThat(ann.verify(version.root(), new Query.Key(key))).isEqualTo(new Answer.Present(ONE));
            // A reader that does not know the format.
            List<Name> path = List.of(Name.of("users"));
            assertThat(ann.verify(
                            version.root(),
                            made -> new Query.Key(made.keyCodec().encode(path, Name.of("ann")))))
                    .isEqualTo(new Answer.Present(ONE));
        }
    }

    /** The query is not asked for a format that the root does not have. */
    @Test
    void theFormatIsThatOfTheRoot_PF11() {
        byte[] forged = ProofCar.of(proof).sections().get(0).block().clone();
        forged[forged.length - 1] ^= 1;
        ProofCar without = ProofCar.of(proof).without(pail.root());
        ProofCar other = without.with(0, new ProofCar.Section(pail.root(), forged));
        for (ProofCar car : List.of(without, other)) {
            assertThat(Proof.read(car.bytes()).verify(pail.root(), format -> {
                        throw new AssertionError(format);
                    }))
                    .isInstanceOfSatisfying(
                            Answer.Invalid.class,
                            invalid -> assertThat(invalid.cid()).isEqualTo(pail.root()));
        }
    }

    @Test
    void oneFormOfACar_PF1() {
        byte[] sound = proof.bytes();
        assertMalformed(new byte[0], "(PF1)");
        assertMalformed(new byte[] {0}, "(PF1)");
        assertMalformed(inserted(sound, sound.length, 0), "(PF1)");
        assertMalformed(Arrays.copyOf(sound, sound.length - 1), "(PF1)");
        // The length of the header, and that of the first section, with a zero as padding.
        byte[] padded = inserted(sound, 1, 0);
        padded[0] |= (byte) 0x80;
        assertMalformed(padded, "shortest form (PF1)");
        assertMalformed(inserted(sound, 1 + sound[0], 0x80, 0x80, 0x80, 0x80, 0x80, 0), "five bytes (PF1)");
        assertMalformed(inserted(sound, 1 + sound[0], 0xff, 0xff, 0xff, 0xff, 0x7f), "within the proof (PF1)");
        // Keys of the header in the other order.
        byte[] other = HostileCbor.map(
                HostileCbor.text("version"),
                HostileCbor.integer(1),
                HostileCbor.text("roots"),
                HostileCbor.array(HostileCbor.link(pail.root().toBytes())));
        assertMalformed(ProofCar.of(proof).bytes(other), "(PF2)");
        // One item, and nothing behind it.
        byte[] header = header(new Cid[] {pail.root()}, 1);
        assertThat(ProofCar.of(proof).bytes(header)).isEqualTo(sound);
        assertMalformed(ProofCar.of(proof).bytes(inserted(header, header.length, 0)), "(C1)");
        // The pragma of version 2.
        assertMalformed(new byte[] {0x0a, (byte) 0xa1, 0x67, 'v', 'e', 'r', 's', 'i', 'o', 'n', 2}, "(PF2)");
    }

    @Test
    void oneOrTwoRoots_PF2() {
        Cid root = pail.root();
        Cid two = proof.blocks().get(1);
        ProofCar car = ProofCar.of(proof);
        for (byte[] header : List.of(
                header(new Cid[0], 1),
                header(new Cid[] {root, root}, 1),
                header(new Cid[] {ONE}, 1),
                header(new Cid[] {root}, 2))) {
            assertMalformed(car.bytes(header), "(PF2)");
        }
        byte[] roots = HostileCbor.array(HostileCbor.link(root.toBytes()));
        byte[] one = HostileCbor.integer(1);
        assertMalformed(car.bytes(HostileCbor.map(HostileCbor.text("roots"), roots)), "(PF2)");
        assertMalformed(
                car.bytes(HostileCbor.map(
                        HostileCbor.text("roots"),
                        roots,
                        HostileCbor.text("version"),
                        one,
                        HostileCbor.text("z"),
                        one)),
                "(PF2)");
        assertMalformed(car.bytes(header(new Cid[] {root, two, ONE}, 1)), "(PF1)");
        Pail next = pail.put("d", ONE);
        assertThat(pail.proveDiff(next, KeyRange.all()).roots()).containsExactly(root, next.root());
        assertThat(pail.proveDiff(pail, KeyRange.all()).roots()).containsExactly(root);
        assertThat(proof.roots()).containsExactly(root);
    }

    @Test
    void shardsAndEachOnce_PF3() {
        ProofCar car = ProofCar.of(proof);
        Block raw = Block.of(Cid.RAW, new byte[] {1});
        assertMalformed(
                car.with(2, new ProofCar.Section(raw.cid(), raw.bytes())).bytes(), "(PF3)");
        assertMalformed(car.with(1, car.sections().get(0)).bytes(), "once (PF3)");
        assertMalformed(car.with(2, car.sections().get(0)).bytes(), "once (PF3)");
    }

    @Test
    void noBlockMoreAndNoBlockLess_PF4() {
        ProofCar car = ProofCar.of(proof);
        Cid below = proof.blocks().get(1);
        assertInvalid(car.without(pail.root()).bytes(), AA, pail.root(), "(PF4)");
        assertInvalid(car.without(below).bytes(), AA, below, "(PF4)");
        Cid other = pail.prove("ba").blocks().get(1);
        byte[] more = car.with(
                        2,
                        new ProofCar.Section(
                                other, blocks.get(other).orElseThrow().bytes()))
                .bytes();
        assertInvalid(more, AA, other, "(PF4)");
        assertThat(Proof.read(more).verify(pail.root(), new Query.Keys(List.of("ba", "aa"))))
                .isEqualTo(new Answer.Entries(List.of(new Entry("aa", ONE), new Entry("ba", ONE))));
        // The proof of another key.
        assertInvalid(proof.bytes(), new Query.Key("ba"), other, "(PF4)");
    }

    @Test
    void oneOrder_PF5() {
        Proof all = pail.prove(KeyRange.all());
        Query query = new Query.Range(KeyRange.all());
        ProofCar car = ProofCar.of(all);
        assertThat(all.blocks()).hasSize(3);
        assertInvalid(car.swapped(0, 1).bytes(), query, all.blocks().get(1), "(PF5)");
        assertInvalid(car.swapped(1, 2).bytes(), query, all.blocks().get(2), "(PF5)");
        assertThat(Proof.read(car.bytes()).verify(pail.root(), query)).isInstanceOf(Answer.Entries.class);
    }

    @Test
    void theWayToAKey_PF6() {
        assertThat(proof.blocks())
                .isEqualTo(pail.traverse("aa").stream().map(ShardView::cid).toList());
        assertThat(pail.prove("c").blocks()).containsExactly(pail.root());
        assertThat(pail.prove("a").blocks()).containsExactly(pail.root());
        assertThat(pail.prove("a~").blocks()).hasSize(2);
    }

    @Test
    void severalKeysAreProvedTogether_PF7() {
        assertThat(pail.prove(List.of("ba", "aa", "aa")).bytes())
                .isEqualTo(pail.prove(List.of("aa", "ba")).bytes());
        assertThat(pail.prove(List.of()).blocks()).containsExactly(pail.root());
        assertThat(pail.prove(List.of()).verify(pail.root(), new Query.Keys(List.of())))
                .isEqualTo(new Answer.Entries(List.of()));
    }

    @Test
    void aRangeReadsTheSameInBothDirections_PF8() {
        KeyRange range = KeyRange.all().after("ab").before("bb");
        Proof some = pail.prove(range);
        assertThat(some.bytes()).isEqualTo(pail.prove(range.descending()).bytes());
        assertThat(some.blocks()).hasSize(3);
        assertThat(some.verify(pail.root(), new Query.Range(range)))
                .isEqualTo(new Answer.Entries(List.of(new Entry("ba", ONE))));
        assertThat(pail.prove(KeyRange.prefix("b")).blocks()).hasSize(2);
        assertThat(pail.prove(KeyRange.all().from("c").before("b")).blocks()).containsExactly(pail.root());
    }

    @Test
    void aDiffReadsWhatIsNotInTheSamePlace_PF9() {
        Pail next = pail.put("ab", Vectors.value(2));
        Proof diff = pail.proveDiff(next, KeyRange.all());
        assertThat(diff.blocks())
                .containsExactly(
                        pail.root(),
                        pail.prove("ab").blocks().get(1),
                        next.root(),
                        next.prove("ab").blocks().get(1));
        assertThat(Proof.read(diff.bytes()).verifyDiff(pail.root(), next.root(), KeyRange.all()))
                .isEqualTo(new Answer.Changes(pail.diff(next).keys().toList()));
        assertThat(pail.proveDiff(pail, KeyRange.all()).verifyDiff(pail.root(), pail.root(), KeyRange.all()))
                .isEqualTo(new Answer.Changes(List.of()));
        // The reverse is another proof.
        assertThat(diff.verifyDiff(next.root(), pail.root(), KeyRange.all()))
                .isInstanceOfSatisfying(
                        Answer.Invalid.class,
                        invalid -> assertThat(invalid.reason()).contains("(PF10)"));
    }

    @Test
    void theRootComesFromOutside_PF10() {
        Pail other = pail.delete("aa");
        Answer answer = Proof.read(other.prove("aa").bytes()).verify(pail.root(), AA);
        assertThat(answer)
                .isEqualTo(
                        new Answer.Invalid(pail.root(), "the proof is of other roots (PF10): [" + other.root() + "]"));
        // The root of the header alone is not enough.
        ProofCar forged = new ProofCar(
                List.of(pail.root()), ProofCar.of(other.prove("aa")).sections());
        assertInvalid(forged.bytes(), AA, pail.root(), "(PF4)");
    }

    @Test
    void bytesAreComparedWithTheirCid_PF11() {
        ProofCar sound = ProofCar.of(proof);
        byte[] forged = sound.sections().get(1).block().clone();
        // The last byte of the value of "ab".
        forged[forged.length - 1] ^= 1;
        Cid below = proof.blocks().get(1);
        byte[] bytes = sound.without(below)
                .with(1, new ProofCar.Section(below, forged))
                .bytes();
        assertInvalid(bytes, AA, below, "(PF11)");
    }

    @Test
    void moreThanTheLimitsIsRefused_PF12() {
        int size = proof.bytes().length;
        ProofLimits bytes = new ProofLimits(size - 1, 10, 1 << 20);
        ProofLimits two = new ProofLimits(1 << 20, 1, 1 << 20);
        for (ProofLimits limits : List.of(bytes, two)) {
            assertThatExceptionOfType(MalformedDataException.class)
                    .isThrownBy(() -> Proof.read(proof.bytes(), limits))
                    .withMessageContaining("(PF12)");
            assertThatExceptionOfType(LimitException.class)
                    .isThrownBy(() -> pail.prove(AA, limits))
                    .withMessageContaining("(PF12)")
                    .matches(e -> e.code().equals("proof-limit") && e.limit().contains("(PF12)"));
        }
        assertThat(Proof.read(proof.bytes(), new ProofLimits(size, 2, 1)).blocks())
                .hasSize(2);
        Query all = new Query.Range(KeyRange.all());
        ProofLimits answer = new ProofLimits(1 << 20, 10, 4 * (128 + 4 + ONE.byteLength()));
        assertThatExceptionOfType(LimitException.class).isThrownBy(() -> pail.prove(all, answer));
        assertThat(Proof.read(pail.prove(KeyRange.all()).bytes(), answer).verify(pail.root(), all))
                .isInstanceOfSatisfying(
                        Answer.Invalid.class,
                        invalid -> assertThat(invalid.reason()).contains("(PF12)"));
        assertThatIllegalArgumentException().isThrownBy(() -> new ProofLimits(0, 1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new ProofLimits(1, 0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new ProofLimits(1, 1, 0));
    }

    /** An entry or change counts 128, 2 for each UTF-16 code unit of its key, and the bytes of its values. */
    @Test
    void theLimitOfAnAnswerCountsKeysAndValues_PF12() {
        int cid = ONE.byteLength();
        Query some = new Query.Keys(List.of("aa", "ba", "x"));
        assertSize(2 * (128 + 2 * 2 + cid), limits -> pail.prove(some, limits), read -> read.verify(pail.root(), some));
        Query range = new Query.Range(KeyRange.all().from("bb"));
        assertSize(
                128 + 2 * 2 + cid + 128 + 2 + cid,
                limits -> pail.prove(range, limits),
                read -> read.verify(pail.root(), range));
        Pail next = pail.put("aa", Vectors.value(2)).delete("c").put("ddd", ONE);
        assertSize(
                128 + 2 * 2 + 2 * cid + 128 + 2 + cid + 128 + 2 * 3 + cid,
                limits -> pail.proveDiff(next, KeyRange.all(), limits),
                read -> read.verifyDiff(pail.root(), next.root(), KeyRange.all()));
    }

    private static void assertSize(int answer, Function<ProofLimits, Proof> making, Function<Proof, Answer> asking) {
        ProofLimits enough = new ProofLimits(1 << 20, 100, answer);
        ProofLimits less = new ProofLimits(1 << 20, 100, answer - 1);
        byte[] made = making.apply(enough).bytes();
        assertThat(asking.apply(Proof.read(made, enough))).isNotInstanceOf(Answer.Invalid.class);
        assertThatExceptionOfType(LimitException.class)
                .isThrownBy(() -> making.apply(less))
                .withMessageContaining("(PF12)");
        assertThat(asking.apply(Proof.read(made, less)))
                .isInstanceOfSatisfying(
                        Answer.Invalid.class,
                        invalid -> assertThat(invalid.reason()).contains("(PF12)"));
    }

    /** A limit for the size of a proof counts what the proof has, up to the rest of the header. */
    @Test
    void theLimitForMakingIsThatForReading() {
        int size = proof.bytes().length;
        ProofLimits enough = new ProofLimits(size + 128, 2, 1);
        assertThat(pail.prove(AA, enough).bytes()).isEqualTo(proof.bytes());
    }

    /** A shard that breaks its format is refused, even if every hash is right. */
    @Test
    void rulesOfShardsAreChecked_PF11() {
        byte[] size = HostileCbor.integer(HostileShards.MAX_SIZE);
        byte[] length = HostileCbor.integer(HostileShards.MAX_KEY_LENGTH);
        byte[] a = HostileShards.entry("a");
        byte[] b = HostileShards.entry("b");
        assertRefused("(S6)", HostileShards.v0(b, a));
        assertRefused("(S6)", HostileShards.v0(a, a));
        assertRefused("(S6)", HostileShards.v1("", b, a));
        assertRefused("(V1.3)", HostileShards.v1("", HostileShards.entry("aa"), HostileShards.entry("ab")));
        assertRefused("(V1.3)", HostileShards.v2("", a, HostileShards.entry("aa")));
        assertRefused("(S2)", HostileShards.sized(HostileCbor.integer(1), length, a));
        assertRefused("(S5)", HostileShards.v0(HostileCbor.array(HostileCbor.text("a"))));
        assertRefused("(S8)", HostileShards.v0(HostileShards.entry("", HostileShards.toShard(pail.root()))));
        assertRefused("(V0.2)", HostileShards.sized(size, HostileCbor.integer(1), HostileShards.entry("ab")));
        assertRefused("(S1)", HostileShards.v0(HostileShards.entry("a", HostileShards.toShard(ONE))));
        assertRefused("(C1)", HostileCbor.join(HostileShards.v0(a), HostileCbor.integer(1)));
        // Below the root.
        assertRefusedBelow("(S3)", "v1", HostileShards.v1("x", a));
        assertRefusedBelow("(S3)", "v1", HostileShards.v2("a", a));
        assertRefusedBelow("(S3)", "v2", HostileShards.v2("b", a));
        assertRefusedBelow("(S9)", "v1", HostileShards.v1("a"));
        assertRefusedBelow("(S9)", "v0", HostileShards.v0());
        assertRefusedBelow("(S8)", "v0", HostileShards.v0(HostileShards.entry("")));
        assertRefusedBelow("(S6)", "v0", HostileShards.v0(b, a));
        assertRefusedBelow("(C8)", "v0", HostileShards.sized(HostileCbor.integer(1000), length, a));
        assertRefusedBelow("(V1.3)", "v1", HostileShards.v1("a", HostileShards.entry("aa"), HostileShards.entry("ab")));
        Block below = HostileShards.block(HostileShards.v1("ab", a));
        assertRefused("(V1.2)", HostileShards.v1("", HostileShards.entry("ab", below)), below);
    }

    private static void assertRefusedBelow(String rule, String format, byte[] shard) {
        Block below = HostileShards.block(shard);
        byte[] link = HostileShards.entry("a", below);
        assertRefused(
                rule,
                switch (format) {
                    case "v0" -> HostileShards.v0(link);
                    case "v1" -> HostileShards.v1("", link);
                    default -> HostileShards.v2("", link);
                },
                below);
    }

    private static void assertRefused(String rule, byte[] root, Block... below) {
        Block top = HostileShards.block(root);
        List<ProofCar.Section> sections = new ArrayList<>();
        sections.add(new ProofCar.Section(top.cid(), top.bytes()));
        Stream.of(below).forEach(each -> sections.add(new ProofCar.Section(each.cid(), each.bytes())));
        Proof forged = Proof.read(new ProofCar(List.of(top.cid()), sections).bytes());
        Cid bad = below.length == 0 || rule.equals("(V1.2)") ? top.cid() : below[0].cid();
        for (Query query : List.of(
                new Query.Key("aa"),
                new Query.Key("ab"),
                new Query.Keys(List.of("aa", "b")),
                new Query.Range(KeyRange.prefix("a")))) {
            assertThat(forged.verify(top.cid(), query))
                    .as("%s %s", rule, query)
                    .isInstanceOfSatisfying(Answer.Invalid.class, invalid -> {
                        assertThat(invalid.reason()).contains(rule.equals("(S3)") ? "(S2, S3)" : rule);
                        assertThat(invalid.cid()).isEqualTo(bad);
                    });
        }
        assertThat(forged.verifyDiff(top.cid(), top.cid(), KeyRange.all())).isInstanceOf(Answer.Invalid.class);
    }

    /** A key that is in two places has the value that is found first, and a proof cannot hide that place. */
    @Test
    void whereShardsOverlapNoWayIsLeftOut_PF6() {
        Block first = HostileShards.block(HostileShards.v0(HostileShards.entry("bc", HostileShards.data(1))));
        Block second = HostileShards.block(HostileShards.v0(HostileShards.entry("c", HostileShards.data(2))));
        Block root = HostileShards.block(
                HostileShards.v0(HostileShards.entry("a", first), HostileShards.entry("ab", second)));
        List.of(first, second, root).forEach(blocks::put);
        Pail overlapping = Pail.open(blocks, root.cid());
        Proof found = overlapping.prove("abc");
        assertThat(found.blocks()).containsExactly(root.cid(), first.cid());
        assertThat(found.verify(root.cid(), new Query.Key("abc")))
                .isEqualTo(new Answer.Present(HostileShards.value(1)));
        ProofCar car =
                ProofCar.of(found).without(first.cid()).with(1, new ProofCar.Section(second.cid(), second.bytes()));
        assertThat(Proof.read(car.bytes()).verify(root.cid(), new Query.Key("abc")))
                .isEqualTo(new Answer.Invalid(first.cid(), "the query reads this block, and the proof lacks it (PF4)"));
        assertThat(overlapping.prove("abd").blocks()).containsExactly(root.cid(), first.cid(), second.cid());
    }

    @Test
    void aKeyThatIsNoneIsRefused() {
        for (String key : List.of("\ud800", "a\udc00?")) {
            // Before any version is asked.
            assertThatExceptionOfType(KeyNotAllowedException.class).isThrownBy(() -> new Query.Key(key));
            assertThatExceptionOfType(KeyNotAllowedException.class).isThrownBy(() -> new Query.Keys(List.of("a", key)));
            assertThatExceptionOfType(KeyNotAllowedException.class).isThrownBy(() -> pail.prove(key));
            assertThatExceptionOfType(KeyNotAllowedException.class).isThrownBy(() -> pail.prove(List.of("a", key)));
        }
        // No pail of this format can have it.
        assertThat(pail.prove("\u00e9").verify(pail.root(), new Query.Key("\u00e9")))
                .isEqualTo(new Answer.Absent());
    }
}
