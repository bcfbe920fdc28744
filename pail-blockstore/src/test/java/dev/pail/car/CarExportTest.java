package dev.pail.car;

import static dev.pail.car.Cars.raw;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.BlockException;
import dev.pail.CorruptBlockException;
import dev.pail.MalformedBlockException;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.ShardView;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.clock.Description;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.ReplicatedPail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import dev.pail.testkit.Randomness;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CarExportTest {
    private final MemoryBlockStore blocks = new MemoryBlockStore();
    private final Random random = new Random(Randomness.seed("CarExportTest"));

    static Stream<ShardFormat> formats() {
        return Stream.of(ShardFormat.v0(300, 64), ShardFormat.v0(), ShardFormat.v1(), ShardFormat.v2());
    }

    private String key() {
        return random.ints(1 + random.nextInt(6), 'a', 'd')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** Some changes; of the values, each second one is in the store. */
    private Pail changed(Pail pail, int times) {
        Pail next = pail;
        for (int i = 0; i < times; i++) {
            Block value = raw("value " + random.nextInt(200));
            if (value.cid().hashCode() % 2 == 0) {
                blocks.put(value);
            }
            next = random.nextInt(4) == 0 ? next.delete(key()) : next.put(key(), value.cid());
        }
        return next;
    }

    /** The dumb twin: what a recursive walk comes to. */
    private void reach(ShardView shard, Set<Cid> reached) {
        reached.add(shard.cid());
        shard.items().forEach(item -> {
            item.shard().ifPresent(below -> reach(below, reached));
            item.data().filter(blocks::has).ifPresent(reached::add);
        });
    }

    private Set<Cid> reach(Pail pail) {
        Set<Cid> reached = new LinkedHashSet<>();
        reach(pail.shard(), reached);
        return reached;
    }

    private static List<Cid> cids(byte[] car) {
        return Cars.blocks(car).stream().map(Block::cid).toList();
    }

    private CarExport export(Cid... roots) {
        return CarExport.of(blocks, List.of(roots));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void theOrderIsThatOfARecursiveWalk_CAR11(ShardFormat format) {
        for (int i = 0; i < 20; i++) {
            Pail pail = changed(Pail.create(blocks, format), 10 * i);
            byte[] car = Cars.export(export(pail.root()));
            assertThat(cids(car)).isEqualTo(List.copyOf(reach(pail)));
            assertThat(Cars.reader(car).header()).isEqualTo(new CarHeader(1, List.of(pail.root())));
            assertThat(Cars.export(export(pail.root()))).isEqualTo(car);
        }
    }

    @Test
    void whatWasWrittenIsTold() {
        Pail pail = changed(Pail.create(blocks), 20);
        java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
        CarExport.Written written = export(pail.root()).writeTo(out, "");
        assertThat(written.blocks()).isEqualTo(reach(pail).size());
        assertThat(written.size()).isEqualTo(out.size());
    }

    @Test
    void valuesCanBeLeftOut() {
        Pail pail = changed(Pail.create(blocks, ShardFormat.v1()), 100);
        List<Cid> expected = reach(pail).stream().filter(Cid::isShardLink).toList();
        assertThat(cids(Cars.export(export(pail.root()).withoutValues()))).isEqualTo(expected);
    }

    @Test
    void blocksCanBeLeftOutWithWhatOnlyTheyLinkTo() {
        Pail pail = changed(Pail.create(blocks, ShardFormat.v1()), 100);
        Cid left = pail.shard()
                .items()
                .flatMap(item -> item.shard().stream())
                .findFirst()
                .orElseThrow()
                .cid();
        List<Cid> rest = cids(Cars.export(export(pail.root()).withoutValues().without(left::equals)));
        assertThat(rest).isNotEmpty().doesNotContain(left).hasSizeLessThan((int)
                reach(pail).stream().filter(Cid::isShardLink).count());
    }

    @ParameterizedTest
    @MethodSource("formats")
    void sinceARootIsWhatTheOtherSideLacks(ShardFormat format) {
        for (int i = 0; i < 30; i++) {
            Pail before = changed(Pail.create(blocks, format), random.nextInt(100));
            Pail behind = changed(before, random.nextInt(20));
            Set<Cid> needed = new HashSet<>(reach(behind));
            needed.removeAll(reach(before));
            List<Cid> shipped = cids(Cars.export(export(behind.root()).since(before.root())));
            assertThat(shipped).doesNotHaveDuplicates().containsAll(needed);
            // What the earlier version has in another place only may be shipped again: values, and of v0 shards.
            Set<Cid> more = new HashSet<>(shipped);
            more.removeAll(needed);
            if (!format.name().equals("v0")) {
                assertThat(more).noneMatch(Cid::isShardLink);
            }
            checkThatItCompletes(before, behind, shipped);
        }
    }

    private void checkThatItCompletes(Pail before, Pail behind, List<Cid> shipped) {
        try (MemoryBlockStore other = new MemoryBlockStore()) {
            reach(before).forEach(cid -> other.put(blocks.get(cid).orElseThrow()));
            shipped.forEach(cid -> other.put(blocks.get(cid).orElseThrow()));
            assertThat(Pail.open(other, behind.root()).entries())
                    .containsExactlyElementsOf(behind.entries().toList());
            reach(behind).forEach(cid -> assertThat(other.has(cid)).isTrue());
        }
    }

    @Test
    void sinceTheSameRootThereIsNothing() {
        Pail pail = changed(Pail.create(blocks), 50);
        byte[] car = Cars.export(export(pail.root()).since(pail.root()));
        assertThat(car).isEqualTo(Cars.header(pail.root()));
    }

    /** Of a large version with one change, no more is read than the shards that differ. */
    @Test
    void sinceReadsTheDifferenceOnly() {
        Pail before = Pail.create(blocks, ShardFormat.v1());
        dev.pail.Batch batch = before.batch();
        for (int i = 0; i < 5000; i++) {
            batch.put(Integer.toHexString(i * 0x9e3779b1), raw("v").cid());
        }
        Pail large = batch.commit();
        Pail next = large.put("0000", raw("w").cid());
        CountingBlockStore counting = new CountingBlockStore(blocks);
        byte[] car = Cars.export(CarExport.of(counting, List.of(next.root())).since(large.root()));
        Set<Cid> difference = reach(next);
        difference.removeAll(reach(large));
        assertThat(cids(car)).containsExactlyInAnyOrderElementsOf(difference);
        assertThat(reach(next)).hasSizeGreaterThan(1000);
        assertThat(counting.reads()).isLessThan(100);
    }

    @Test
    void sinceTheVersionBeforeOfALongHistoryReadsLittle() {
        ReplicatedPail before = ReplicatedPail.create(blocks, ShardFormat.v1());
        for (int i = 0; i < 500; i++) {
            before = before.put("key " + i % 10, raw("value " + i).cid());
        }
        ReplicatedPail after = before.put("key 0", raw("new").cid());
        CountingBlockStore counting = new CountingBlockStore(blocks);
        CarExport export = CarExport.of(
                counting, List.of(after.root(), after.head().events().get(0)));
        byte[] car = Cars.export(
                export.since(before.root()).since(before.head().events().get(0)));
        assertThat(cids(car))
                .contains(after.root(), after.head().events().get(0))
                .doesNotContain(before.root())
                .doesNotContainAnyElementsOf(before.head().events());
        assertThat(counting.reads()).isLessThan(100);
    }

    /** The way from the earlier version to where the other branch began is longer than the history of the other branch. */
    @Test
    void sinceOneOfTwoBranchesIsTheOtherBranch() {
        ReplicatedPail common = ReplicatedPail.create(blocks, ShardFormat.v1());
        for (int i = 0; i < 10; i++) {
            common = common.put("key " + i % 10, raw("value " + i).cid());
        }
        ReplicatedPail one = common;
        for (int i = 0; i < 30; i++) {
            one = one.put("one " + i % 3, raw("one " + i).cid());
        }
        Set<Cid> expected = new HashSet<>();
        ReplicatedPail other = common;
        for (int i = 0; i < 4; i++) {
            other = other.put("other", raw("other " + i).cid());
            expected.addAll(other.head().events());
        }
        ReplicatedPail both = one.merge(other.head()).put("both", raw("both").cid());
        expected.addAll(both.head().events());
        CarExport export =
                CarExport.of(blocks, List.of(both.root(), both.head().events().get(0)));
        byte[] car =
                Cars.export(export.since(one.root()).since(one.head().events().get(0)));
        List<Cid> events = cids(car).stream()
                .filter(cid -> isEvent(blocks.get(cid).orElseThrow()))
                .toList();
        assertThat(events).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static boolean isEvent(Block block) {
        try {
            Event.fromBlock(block);
            return true;
        } catch (BlockException e) {
            return false;
        }
    }

    @Test
    void aShardThatIsMissing() {
        Pail pail = changed(Pail.create(blocks, ShardFormat.v1()), 100);
        for (Cid missing : reach(pail)) {
            MemoryBlockStore incomplete = new MemoryBlockStore();
            reach(pail).stream()
                    .filter(cid -> !cid.equals(missing))
                    .forEach(cid -> incomplete.put(blocks.get(cid).orElseThrow()));
            CarExport export = CarExport.of(incomplete, List.of(pail.root()));
            if (missing.isShardLink()) {
                assertThatExceptionOfType(MissingBlockException.class)
                        .isThrownBy(() -> Cars.export(export))
                        .withMessageContaining(missing.toString());
            } else {
                assertThat(cids(Cars.export(export))).doesNotContain(missing);
            }
        }
    }

    @Test
    void anEarlierRootThatIsMissing() {
        Cid absent = Block.of(Cid.DAG_CBOR, new byte[] {0}).cid();
        Pail pail = Pail.create(blocks);
        assertThatExceptionOfType(MissingBlockException.class)
                .isThrownBy(() -> Cars.export(export(pail.root()).since(absent)));
    }

    private Block put(DagCborWriter writer) {
        Block block = Block.of(Cid.DAG_CBOR, writer.toByteArray());
        blocks.put(block);
        return block;
    }

    private Block event(Cid root, Cid value, Cid... parents) {
        DagCborWriter writer = new DagCborWriter()
                .map(2)
                .text("data")
                .map(4)
                .text("key")
                .text("a")
                .text("root")
                .link(root)
                .text("type")
                .text("put")
                .text("value")
                .link(value)
                .text("parents")
                .array(parents.length);
        List.of(parents).forEach(writer::link);
        return put(writer);
    }

    @Test
    void eventsWithAllBeforeThem() {
        Block value = raw("value");
        blocks.put(value);
        Pail first = Pail.create(blocks).put("a", value.cid());
        Pail second = first.put("b", raw("absent").cid());
        Block one = event(first.root(), value.cid());
        Block two = event(second.root(), raw("absent").cid(), one.cid());
        byte[] car = Cars.export(export(two.cid()));
        assertThat(cids(car)).containsExactly(two.cid(), second.root(), value.cid(), one.cid(), first.root());
        assertThat(cids(Cars.export(export(two.cid()).since(one.cid())))).containsExactly(two.cid(), second.root());
        MemoryBlockStore incomplete = new MemoryBlockStore();
        List.of(two.cid(), second.root())
                .forEach(cid -> incomplete.put(blocks.get(cid).orElseThrow()));
        assertThatExceptionOfType(MissingBlockException.class)
                .isThrownBy(() -> Completeness.require(incomplete, List.of(two.cid())))
                .withMessageContaining(one.cid().toString());
        assertThat(Completeness.require(blocks, List.of(two.cid()))).isEqualTo(4);
    }

    /** What comes before the last event of a CAR that was cut off is complete. */
    @Test
    void oldestEventsFirstMakeWholeBeginnings_CAR11() {
        List<Cid> events = new ArrayList<>();
        Pail pail = Pail.create(blocks, ShardFormat.v1());
        for (int i = 0; i < 40; i++) {
            pail = pail.put(key(), raw("value").cid());
            Cid[] parents = events.isEmpty() ? new Cid[0] : new Cid[] {events.get(events.size() - 1)};
            events.add(event(pail.root(), raw("value").cid(), parents).cid());
        }
        Cid last = events.get(39);
        List<Cid> all = cids(Cars.export(export(last).beginningWith(events)));
        assertThat(all).containsExactlyInAnyOrderElementsOf(cids(Cars.export(export(last))));
        assertThat(all.stream().filter(events::contains)).isEqualTo(events);
        for (int end = 1; end < all.size(); end++) {
            MemoryBlockStore beginning = new MemoryBlockStore();
            all.subList(0, end).forEach(cid -> beginning.put(blocks.require(cid)));
            List<Cid> whole =
                    all.subList(0, end).stream().filter(events::contains).toList();
            if (whole.size() > 1) {
                assertThat(Completeness.require(beginning, List.of(whole.get(whole.size() - 2))))
                        .isPositive();
            }
        }
        List<Cid> newest = cids(Cars.export(export(last).since(events.get(37)).beginningWith(events.subList(38, 40))));
        assertThat(newest).startsWith(events.get(38)).contains(last).doesNotContain(events.get(37));
    }

    @Test
    void valuesInDagCborAreFollowedAsFarAsTheyAreThere() {
        Block leaf = raw("leaf");
        blocks.put(leaf);
        Block below = put(
                new DagCborWriter().array(2).link(leaf.cid()).link(raw("absent").cid()));
        Block document = put(new DagCborWriter()
                .map(2)
                .text("a")
                .array(1)
                .link(below.cid())
                .text("b")
                .link(Block.of(Cid.DAG_CBOR, new byte[] {1}).cid()));
        Block broken = Block.of(Cid.DAG_CBOR, new byte[] {(byte) 0xff});
        blocks.put(broken);
        Pail pail = Pail.create(blocks).put("a", document.cid()).put("b", broken.cid());
        assertThat(cids(Cars.export(export(pail.root()))))
                .containsExactly(pail.root(), document.cid(), below.cid(), leaf.cid(), broken.cid());
    }

    /** A pail under a key is a value, and may be there in parts; as a root it must be complete. */
    @Test
    void aPailAsAValueMayBeIncompleteAndIsCheckedWhereItIsARoot() {
        Pail inner = changed(Pail.create(blocks, ShardFormat.v1()), 100);
        Pail outer = Pail.create(blocks).put("pail", inner.root());
        assertThat(cids(Cars.export(export(outer.root(), inner.root()))))
                .hasSize(1 + reach(inner).size());
        Cid missing = reach(inner).stream()
                .filter(Cid::isShardLink)
                .skip(1)
                .findFirst()
                .orElseThrow();
        MemoryBlockStore incomplete = new MemoryBlockStore();
        Stream.concat(Stream.of(outer.root()), reach(inner).stream())
                .filter(cid -> !cid.equals(missing))
                .forEach(cid -> incomplete.put(blocks.get(cid).orElseThrow()));
        assertThat(cids(Cars.export(CarExport.of(incomplete, List.of(outer.root())))))
                .contains(inner.root());
        assertThatExceptionOfType(MissingBlockException.class)
                .isThrownBy(() -> Cars.export(CarExport.of(incomplete, List.of(outer.root(), inner.root()))))
                .withMessageContaining(missing.toString());
    }

    @Test
    void otherRoots() {
        Block raw = raw("raw");
        blocks.put(raw);
        Cid identity = Cid.parse("bafkqaaa");
        assertThat(cids(Cars.export(export(raw.cid(), identity, raw.cid())))).containsExactly(raw.cid());
        assertThat(Completeness.require(blocks, List.of(raw.cid(), identity))).isEqualTo(1);
    }

    @Test
    void aLinkToAShardLeadsToOne() {
        Block list = put(new DagCborWriter().array(0));
        Block shard = put(new DagCborWriter()
                .map(1)
                .text("entries")
                .array(1)
                .array(2)
                .text("a")
                .array(1)
                .link(list.cid()));
        assertThatExceptionOfType(MalformedBlockException.class)
                .isThrownBy(() -> Cars.export(export(shard.cid())))
                .withMessageStartingWith("malformed shard: ")
                .withMessageContaining(list.cid().toString());
        Block three =
                put(new DagCborWriter().map(1).text("entries").array(1).array(1).text("a"));
        assertThatExceptionOfType(MalformedBlockException.class)
                .isThrownBy(() -> Cars.export(export(three.cid())))
                .withMessageStartingWith("malformed shard: ")
                .withMessageContaining("S5");
    }

    /** 42 blocks that spell 2^40 keys are 42 blocks. */
    @Test
    void sharedShardsAreTakenOnce() {
        Block below = put(leaf());
        for (int level = 0; level < 41; level++) {
            below = put(linking(below.cid(), "a", "b"));
        }
        assertThat(cids(Cars.export(export(below.cid())))).hasSize(42);
        assertThat(Completeness.require(blocks, List.of(below.cid()))).isEqualTo(42);
        assertThat(Cars.export(export(below.cid()).since(below.cid()))).isEqualTo(Cars.header(below.cid()));
    }

    /** A chain of any depth needs no stack. */
    @Test
    void deepChains() {
        Block below = put(leaf());
        for (int level = 0; level < 20_000; level++) {
            below = put(linking(below.cid(), "a"));
        }
        assertThat(cids(Cars.export(export(below.cid())))).hasSize(20_001);
    }

    private static DagCborWriter leaf() {
        return new DagCborWriter()
                .map(1)
                .text("entries")
                .array(1)
                .array(2)
                .text("a")
                .link(raw("x").cid());
    }

    private static DagCborWriter linking(Cid shard, String... keys) {
        DagCborWriter writer = new DagCborWriter().map(1).text("entries").array(keys.length);
        for (String key : keys) {
            writer.array(2).text(key).array(1).link(shard);
        }
        return writer;
    }

    @Test
    void aStoreThatGivesAnotherBlock() {
        Pail pail = Pail.create(blocks);
        CountingBlockStore lying = new CountingBlockStore(blocks) {
            @Override
            public Optional<Block> get(Cid cid) {
                return Optional.of(raw("lie"));
            }
        };
        assertThatExceptionOfType(CorruptBlockException.class)
                .isThrownBy(() -> Cars.export(CarExport.of(lying, List.of(pail.root()))));
    }

    /** A history of three events, with descriptions from an event on. */
    private ReplicatedPail history(int described) {
        ReplicatedPail pail = ReplicatedPail.create(blocks, ShardFormat.v1());
        for (int i = 0; i < 3; i++) {
            ReplicatedPail next = i == described ? pail.described(Description.of("Ann", "why", Instant.EPOCH)) : pail;
            pail = next.put("key " + i, raw("value " + i).cid());
        }
        return pail;
    }

    private static byte[] needs(String words) {
        byte[] text = ("pail needs: " + words).getBytes(StandardCharsets.UTF_8);
        return Cars.withLength(Cars.join(new byte[] {1, 0x55, 0, (byte) text.length}, text, text));
    }

    private static String latin(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Test
    void describedEventsAreAnnouncedBeforeTheFirst_CAR14() {
        ReplicatedPail last = history(1);
        CarExport export = CarExport.of(blocks, last.head().events())
                .beginningWith(last.clock().since(last.head(), Head.empty()));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CarExport.Written written = export.writeTo(out, "");
        String car = latin(out.toByteArray());
        String section = latin(needs("events"));
        assertThat(car).containsOnlyOnce(section);
        Cid first = last.clock().since(last.head(), Head.empty()).get(1);
        // The length of a section of 128 bytes or more has two bytes.
        assertThat(car.indexOf(latin(first.toBytes()))).isEqualTo(car.indexOf(section) + section.length() + 2);
        assertThat(written.size()).isEqualTo(out.size());
        assertThat(written.blocks()).isEqualTo(Cars.blocks(out.toByteArray()).size());
    }

    @Test
    void aPlainHistoryHasNoNeeds_CAR14() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CarExport.Written written =
                CarExport.of(blocks, history(3).head().events()).writeTo(out, "");
        assertThat(latin(out.toByteArray())).doesNotContain("pail needs");
        assertThat(written.size()).isEqualTo(out.size());
    }

    @Test
    void anUnknownNeedIsRefusedByItsName_CAR14() {
        Block block = raw("a");
        byte[] known = Cars.join(Cars.header(block.cid()), needs("events"), Cars.section(block));
        assertThat(CarImport.of(CarReader.of(new ByteArrayInputStream(known), "x.car"), blocks)
                        .refused())
                .isZero();
        byte[] unknown = Cars.join(Cars.header(block.cid()), needs("events, trees"), Cars.section(block));
        assertThatExceptionOfType(MalformedDataException.class)
                .isThrownBy(() -> CarImport.of(CarReader.of(new ByteArrayInputStream(unknown), "x.car"), blocks))
                .withMessageContaining("needs readers that understand \"trees\"");
    }
}
