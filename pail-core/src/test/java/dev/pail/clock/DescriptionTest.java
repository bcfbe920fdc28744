package dev.pail.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.MalformedBlockException;
import dev.pail.MapBlocks;
import dev.pail.MergePolicy;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.Vectors;
import dev.pail.clock.Description.Part;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Descriptions of events as they are written, read and refused. */
class DescriptionTest {
    private static final Cid ROOT = Block.of(Cid.DAG_CBOR, new byte[] {0}).cid();
    private static final Instant TIME = Instant.ofEpochMilli(1_795_892_400_123L);
    private static final Description ANN = Description.of("Ann <ann@example.org>", "milk is needed", TIME);

    /** A delete with this field before the root. */
    private static Block described(Consumer<DagCborWriter> meta) {
        DagCborWriter writer = new DagCborWriter();
        writer.map(2).text("data").map(4).text("key").text("k").text("meta");
        meta.accept(writer);
        writer.text("root").link(ROOT).text("type").text("del").text("parents").array(0);
        return Block.of(Cid.DAG_CBOR, writer.toByteArray());
    }

    private static void refused(String rule, Consumer<DagCborWriter> meta) {
        assertThatThrownBy(() -> Event.fromBlock(described(meta)))
                .isInstanceOf(MalformedBlockException.class)
                .hasMessageContaining("(" + rule + ")");
    }

    private static Description read(Consumer<DagCborWriter> meta) {
        Event event = Event.fromBlock(described(meta));
        assertThat(event.isDescribed()).isTrue();
        return event.description().orElseThrow();
    }

    @Test
    void aDescriptionIsInTheData_DE1() {
        Cid value = Vectors.value(1);
        for (Operation operation : List.of(
                new Operation.Put("k", value),
                new Operation.Delete("k"),
                new Operation.Batch(List.of(new Operation.Put("k", value))))) {
            Event event = Event.of(operation, ROOT, List.of(), ANN);
            Event read = Event.fromBlock(Block.of(Cid.DAG_CBOR, event.block().bytes()));
            assertThat(read.description()).contains(ANN).isEqualTo(event.description());
            assertThat(read.operation()).isEqualTo(operation);
            assertThat(read.root()).isEqualTo(ROOT);
            assertThat(EventDecoder.root(event.block())).isEqualTo(ROOT);
            Event plain = Event.of(operation, ROOT, List.of());
            assertThat(plain.isDescribed()).isFalse();
            assertThat(plain.description()).isEmpty();
        }
        String meta = "646d657461" + "a3" + "6474696d65" + "1b000001a223874ffb"
                + "66617574686f72" + "75" + hex("Ann <ann@example.org>")
                + "676d657373616765" + "6e" + hex("milk is needed");
        Event delete = Event.of(new Operation.Delete("k"), ROOT, List.of(), ANN);
        assertThat(HexFormat.of().formatHex(delete.block().bytes())).contains("636b6579616b" + meta + "64726f6f74");
        refused("DE1", writer -> writer.map(0));
        Description nothing = new Description(Optional.empty(), Optional.empty(), Optional.empty());
        assertThat(Event.of(new Operation.Delete("k"), ROOT, List.of(), nothing))
                .isEqualTo(Event.of(new Operation.Delete("k"), ROOT, List.of()));
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aDescriptionHasAtMost64KiB_DE2() {
        // The head of the map, "abc" and the head of the text take 8 bytes.
        assertThat(read(writer -> writer.map(1).text("abc").bytes(new byte[65_528]))
                        .author())
                .isEmpty();
        refused("DE2", writer -> writer.map(1).text("abc").bytes(new byte[65_529]));
    }

    @Test
    void unknownFieldsStayInTheBlock_DE3() {
        Block block = described(writer -> {
            writer.map(2).text("mood").array(1).map(1).text("a").nothing();
            writer.text("author").text("Ann");
        });
        Event event = Event.fromBlock(block);
        assertThat(event.block()).isEqualTo(block);
        assertThat(event.description().flatMap(Description::author)).contains("Ann");
        assertThatThrownBy(() -> read(writer -> writer.map(1).text("author").integer(1)))
                .isInstanceOf(MalformedBlockException.class);
    }

    @Test
    void textsHaveBounds_DE4() {
        String author = "\u00e4".repeat(300);
        String message = "m".repeat(30_000);
        Description most = Description.of(author, message, TIME);
        assertThat(Event.fromBlock(Event.of(new Operation.Delete("k"), ROOT, List.of(), most)
                                .block())
                        .description())
                .contains(most);
        refused("DE4", writer -> writer.map(1).text("author").text(author + "b"));
        refused("DE4", writer -> writer.map(1).text("author").text(""));
        refused("DE4", writer -> writer.map(1).text("message").text(message + "m"));
        refused("DE4", writer -> writer.map(1).text("message").text(""));
        assertThatThrownBy(() -> Description.of(author + "b", "", TIME)).hasMessageContaining("not 601 (DE4)");
        assertThatThrownBy(() -> Description.of("", message + "m", TIME)).hasMessageContaining("not 30001 (DE4)");
        assertThatThrownBy(() -> Description.of("a\nb", "", TIME)).hasMessageContaining("control characters");
        assertThatThrownBy(() -> Description.of("a\ud800", "", TIME)).hasMessageContaining("lone surrogates");
        assertThat(Description.of(" Ann ", "\n why \n", TIME)).isEqualTo(Description.of("Ann", "why", TIME));
        assertThat(read(writer -> writer.map(1).text("author").text("a\u001bb")).author())
                .contains("a\u001bb");
    }

    @Test
    void timesAreMilliseconds_DE5() {
        long most = (1L << 53) - 1;
        assertThat(read(writer -> writer.map(1).text("time").integer(0)).time()).contains(Instant.EPOCH);
        assertThat(read(writer -> writer.map(1).text("time").integer(most)).time())
                .contains(Instant.ofEpochMilli(most));
        refused("DE5", writer -> writer.map(1).text("time").integer(-1));
        refused("DE5", writer -> writer.map(1).text("time").integer(most + 1));
        assertThat(Description.of("", "", TIME.plusNanos(999_999)).time()).contains(TIME);
        assertThatThrownBy(() -> Description.of("", "", Instant.EPOCH.minusNanos(1)))
                .hasMessageContaining("(DE5)");
        assertThatThrownBy(() -> Description.of("", "", Instant.ofEpochMilli(most + 1)))
                .hasMessageContaining("(DE5)");
    }

    @Test
    void partsHaveNumbers_DE6() {
        assertThat(read(writer -> writer.map(1).text("part").integer(1)).part()).contains(new Part(1, false));
        assertThat(read(writer -> writer.map(2)
                                .text("part")
                                .integer(3)
                                .text("parts")
                                .integer(3))
                        .part())
                .contains(new Part(3, true));
        refused("DE6", writer -> writer.map(1).text("part").integer(0));
        refused("DE6", writer -> writer.map(1).text("part").integer(1L << 31));
        refused("DE6", writer -> writer.map(1).text("parts").integer(2));
        refused(
                "DE6",
                writer -> writer.map(2).text("part").integer(2).text("parts").integer(3));
        refused(
                "DE6",
                writer -> writer.map(2).text("part").integer(1).text("parts").integer(1));
        assertThatThrownBy(() -> new Part(1, true)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Part(0, false)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTreeIsReadAsWritten_DE10() {
        HistoryTree tree = HistoryTree.of(List.of(ROOT, Vectors.value(1)));
        Event event = Event.of(
                new Operation.Delete("k"), ROOT, List.of(), ANN.part(2, true).with(tree));
        Description read = Event.fromBlock(Block.of(Cid.DAG_CBOR, event.block().bytes()))
                .description()
                .orElseThrow();
        assertThat(read.tree()).contains(Description.Tree.of(tree));
        assertThat(read).isEqualTo(event.description().orElseThrow());
        Event without = Event.of(new Operation.Delete("k"), ROOT, List.of(), ANN.part(2, true));
        assertThat(event.block().size() - without.block().size()).isLessThanOrEqualTo(45);
        assertThat(event.block().size())
                .isLessThanOrEqualTo(
                        (int) EventEncoder.sizeWithout(0, read) + (int) EventEncoder.size(new Operation.Delete("k")));
    }

    @Test
    void fieldsOfLaterRulesHaveTypes_DE10() {
        byte[] hash = new byte[32];
        assertThat(read(writer -> writer.map(1).text("tree").array(2).integer(7).bytes(hash)))
                .isNotNull();
        refused("DE10", writer -> writer.map(1).text("tree").array(2).integer(7).bytes(new byte[31]));
        refused(
                "DE10",
                writer -> writer.map(1).text("tree").array(2).integer(-1).bytes(hash));
        refused("DE10", writer -> writer.map(1).text("tree").array(1).bytes(hash));
        assertThat(read(writer -> writer.map(1).text("horizon").bool(true))).isNotNull();
        refused("DE10", writer -> writer.map(1).text("horizon").bool(false));
        refused("DE10", writer -> writer.map(1).text("horizon").integer(1));
        assertThat(read(writer -> writer.map(1).text("replaces").array(1).link(ROOT)))
                .isNotNull();
        refused("DE10", writer -> writer.map(1).text("replaces").array(0));
        refused("M1", writer -> writer.map(1).text("replaces").array(1).link(Vectors.value(1)));
        refused("DE10", writer -> {
            writer.map(1).text("replaces").array(1001);
            for (int i = 0; i < 1001; i++) {
                writer.link(ROOT);
            }
        });
    }

    private static ReplicatedPail replica() {
        return ReplicatedPail.create(new MapBlocks(), ShardFormat.v1());
    }

    private static List<Cid> history(ReplicatedPail replica) {
        List<Cid> events = new ArrayList<>(replica.clock().history(replica.head()));
        return events;
    }

    private static Event event(ReplicatedPail replica) {
        return replica.clock().event(replica.head().events().get(0));
    }

    @Test
    void changesOfADescribedPailCarryIt_DE1() {
        ReplicatedPail put = replica().described(ANN).put("a", Vectors.value(1));
        assertThat(event(put).description()).contains(ANN);
        ReplicatedPail deleted = put.delete("a");
        assertThat(event(deleted).description()).contains(ANN);
        ReplicatedPail batch = deleted.batch().put("b", Vectors.value(2)).commit();
        assertThat(event(batch).description()).contains(ANN);
        assertThat(event(batch.plain().put("c", Vectors.value(1))).isDescribed())
                .isFalse();
        ReplicatedPail reverted = batch.revert(batch.head().events().get(0), MergePolicy.fail());
        assertThat(event(reverted).description()).contains(ANN);
        assertThat(event(replica().put("a", Vectors.value(1))).isDescribed()).isFalse();
        assertThatThrownBy(() -> replica().described(ANN.part(1, false))).hasMessageContaining("no part");
    }

    @Test
    void aLargeChangeIsAChain_DE6_DE8() {
        int most = ReplicatedBatch.MAX_CHANGES;
        for (int changes : new int[] {most, most + 1, 2 * most, 2 * most + 1}) {
            ReplicatedPail start = replica().described(ANN).put("z", Vectors.value(1));
            ReplicatedBatch batch = start.batch();
            for (int i = 0; i < changes; i++) {
                batch.put("k" + i, Vectors.value(i));
            }
            ReplicatedPail next = batch.commit();
            List<Cid> events = new ArrayList<>(history(next));
            events.remove(start.head().events().get(0));
            int parts = (changes + most - 1) / most;
            assertThat(events).hasSize(parts);
            for (int i = 0; i < parts; i++) {
                Description found =
                        next.clock().event(events.get(i)).description().orElseThrow();
                assertThat(found).isEqualTo(parts == 1 ? ANN : ANN.part(i + 1, i + 1 == parts));
                assertThat(next.parts(events.get(i))).isEqualTo(events);
                assertThat(next.clock().change(next.clock().event(events.get(i))))
                        .isEqualTo(i + 1 == parts ? events : List.of(events.get(i)));
            }
            ReplicatedPail more = next.put("zz", Vectors.value(1));
            assertThat(more.parts(events.get(0))).isEqualTo(events);
            assertThat(more.revert(events, MergePolicy.fail()).root())
                    .isEqualTo(start.put("zz", Vectors.value(1)).root());
        }
    }

    /** An event that claims to be a part, but does not follow the part before, is a change of its own. */
    @Test
    void whatIsNoChainIsNoChange_DE7() {
        ReplicatedPail start = replica().described(ANN).put("a", Vectors.value(1));
        for (Description claim :
                List.of(ANN.part(2, true), ANN.part(2, false), ANN.part(3, true), ANN.part(1, false))) {
            Cid root = start.pail().put("b", Vectors.value(1)).root();
            Event event = Event.of(
                    new Operation.Put("b", Vectors.value(1)), root, start.head().events(), claim);
            start.clock().store(event);
            ReplicatedPail next = start.advance(event.cid());
            assertThat(next.parts(event.cid())).containsExactly(event.cid());
            assertThat(next.clock().change(event)).containsExactly(event.cid());
            assertThat(next.parts(start.head().events().get(0)))
                    .isEqualTo(start.head().events());
        }
    }

    /** A chain ends with its last event: what claims to follow that is another change. */
    @Test
    void nothingContinuesAChainBehindItsEnd_DE6() {
        ReplicatedPail start = replica();
        Event first = stored(start, start.head(), "a", ANN.part(1, false));
        Event last = stored(start, Head.of(first.cid()), "b", ANN.part(2, true));
        Event more = stored(start, Head.of(last.cid()), "c", ANN.part(3, true));
        ReplicatedPail next = start.advance(more.cid());
        assertThat(next.clock().change(more)).containsExactly(more.cid());
        assertThat(next.parts(more.cid())).containsExactly(more.cid());
        assertThat(next.parts(first.cid())).containsExactly(first.cid(), last.cid());
    }

    private static Event stored(ReplicatedPail replica, Head head, String key, Description description) {
        Pail before = head.isEmpty()
                ? replica.pail()
                : Pail.open(
                        replica.clock().blocks(),
                        replica.clock().root(head.events().get(0)));
        Cid value = Vectors.value(1);
        Event event =
                Event.of(new Operation.Put(key, value), before.put(key, value).root(), head.events(), description);
        replica.clock().store(event);
        return event;
    }

    /** Plain events that may be of one batch: a described one is not. */
    @Test
    void aPlainBatchDoesNotContinueWithADescribedOne_M21() {
        ReplicatedBatch full = replica().batch();
        for (int i = 0; i < ReplicatedBatch.MAX_CHANGES; i++) {
            full.put("k" + i, Vectors.value(i));
        }
        ReplicatedPail plain = full.commit();
        Cid first = plain.head().events().get(0);
        ReplicatedPail described =
                plain.described(ANN).batch().put("a", Vectors.value(1)).commit();
        assertThat(described.parts(first)).containsExactly(first);
        assertThat(described.parts(described.head().events().get(0)))
                .isEqualTo(described.head().events());
        ReplicatedPail other = plain.batch().put("a", Vectors.value(1)).commit();
        assertThat(other.parts(first)).hasSize(2);
    }
}
