package dev.pail.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.pail.KeyNotAllowedException;
import dev.pail.MalformedBlockException;
import dev.pail.Vectors;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Events as blocks: what is written, and what is read from outside and what is not. */
class EventTest {
    private static final Cid ROOT = block(writer -> writer.text("root")).cid();
    private static final Cid VALUE = Vectors.value(1);

    private static Block block(Consumer<DagCborWriter> content) {
        DagCborWriter writer = new DagCborWriter();
        content.accept(writer);
        return Block.of(Cid.DAG_CBOR, writer.toByteArray());
    }

    private static Cid parent(int number) {
        return block(writer -> writer.integer(number)).cid();
    }

    private static void data(DagCborWriter writer) {
        writer.map(2).text("data").map(3);
        writer.text("key").text("k").text("root").link(ROOT).text("type").text("del");
        writer.text("parents");
    }

    private static void refused(String rule, int offset, Consumer<DagCborWriter> content) {
        Block block = block(content);
        assertThatThrownBy(() -> Event.fromBlock(block))
                .asInstanceOf(type(MalformedBlockException.class))
                .satisfies(e -> {
                    assertThat(e.cid()).isEqualTo(block.cid());
                    assertThat(e.rule()).endsWith("(" + rule + ")");
                    assertThat(e.offset()).isEqualTo(offset);
                    assertThat(e)
                            .hasMessage(
                                    "malformed event: " + e.cid() + ": " + e.rule() + " (at offset " + offset + ")");
                });
    }

    @Test
    void readsWhatItWrites() {
        List<Operation> operations = List.of(
                new Operation.Put("k\u00e4y", VALUE),
                new Operation.Delete(""),
                new Operation.Batch(List.of()),
                new Operation.Batch(List.of(new Operation.Delete("a"), new Operation.Put("\ud83d\ude00", VALUE))));
        for (Operation operation : operations) {
            for (int parents : new int[] {0, 1, 3, Event.MAX_PARENTS}) {
                Event event = Event.of(
                        operation,
                        ROOT,
                        IntStream.range(0, parents).mapToObj(EventTest::parent).toList());
                Event read =
                        Event.fromBlock(Block.of(Cid.DAG_CBOR, event.block().bytes()));
                assertThat(read).isEqualTo(event).hasSameHashCodeAs(event);
                assertThat(read.operation()).isEqualTo(operation);
                assertThat(read.root()).isEqualTo(ROOT);
                assertThat(read.parents()).isEqualTo(event.parents()).hasSize(parents);
            }
        }
    }

    @Test
    void aDeleteIsWrittenAsTheGoImplementationWritesIt() {
        Block expected = block(writer -> {
            data(writer);
            writer.array(0);
        });
        assertThat(Event.of(new Operation.Delete("k"), ROOT, List.of()).block()).isEqualTo(expected);
    }

    @Test
    void parentsInAnotherOrderAreReadAsTheyAre_M5() {
        List<Cid> parents = new ArrayList<>(List.of(parent(1), parent(2)));
        parents.sort((a, b) -> b.compareTo(a));
        Block block = block(writer -> {
            data(writer);
            writer.array(2).link(parents.get(0)).link(parents.get(1));
        });
        Event event = Event.fromBlock(block);
        assertThat(event.parents()).isEqualTo(parents);
        assertThat(event.block()).isEqualTo(block);
    }

    @Test
    void fieldsOfAnEvent_M2() {
        refused("M2", 0, writer -> writer.map(1).text("data").nothing());
        refused(
                "M2",
                1,
                writer -> writer.map(2).text("date").nothing().text("parents").array(0));
        refused(
                "M2",
                68,
                writer -> writer.map(2)
                        .text("data")
                        .map(3)
                        .text("key")
                        .text("k")
                        .text("root")
                        .link(ROOT)
                        .text("type")
                        .text("del")
                        .text("parent_")
                        .array(0));
    }

    @Test
    void fieldsOfData_M3() {
        refused(
                "M3",
                6,
                writer -> writer.map(2).text("data").map(0).text("parents").array(0));
        refused(
                "M3",
                7,
                writer -> writer.map(2)
                        .text("data")
                        .map(3)
                        .text("kex")
                        .text("k")
                        .text("root")
                        .link(ROOT)
                        .text("type")
                        .text("del")
                        .text("parents")
                        .array(0));
        refused(
                "M3",
                13,
                writer -> writer.map(2)
                        .text("data")
                        .map(3)
                        .text("key")
                        .text("k")
                        .text("roof")
                        .link(ROOT)
                        .text("type")
                        .text("del")
                        .text("parents")
                        .array(0));
    }

    @Test
    void typesOfOperations_M3_M4() {
        for (String name : List.of("put", "batch", "dell", "DEL", "")) {
            refused(
                    "M3, M4",
                    64,
                    writer -> writer.map(2)
                            .text("data")
                            .map(3)
                            .text("key")
                            .text("k")
                            .text("root")
                            .link(ROOT)
                            .text("type")
                            .text(name)
                            .text("parents")
                            .array(0));
        }
    }

    @Test
    void changesOfABatch_M4() {
        Consumer<DagCborWriter> rest = writer -> writer.text("root")
                .link(ROOT)
                .text("type")
                .text("batch")
                .text("parents")
                .array(0);
        refused("M4", 12, writer -> {
            writer.map(2)
                    .text("data")
                    .map(3)
                    .text("ops")
                    .array(1)
                    .map(1)
                    .text("key")
                    .text("k");
            rest.accept(writer);
        });
        refused("M4", 13, writer -> {
            writer.map(2)
                    .text("data")
                    .map(3)
                    .text("ops")
                    .array(1)
                    .map(2)
                    .text("kex")
                    .text("k")
                    .text("type")
                    .text("del");
            rest.accept(writer);
        });
        refused("M3, M4", 24, writer -> {
            writer.map(2)
                    .text("data")
                    .map(3)
                    .text("ops")
                    .array(1)
                    .map(2)
                    .text("key")
                    .text("k")
                    .text("type")
                    .text("put");
            rest.accept(writer);
        });
    }

    @Test
    void rootsAndParentsNameShardsAndEvents_M1_M3() {
        refused(
                "S1",
                18,
                writer -> writer.map(2)
                        .text("data")
                        .map(3)
                        .text("key")
                        .text("k")
                        .text("root")
                        .link(VALUE)
                        .text("type")
                        .text("del")
                        .text("parents")
                        .array(0));
        refused("M1", 77, writer -> {
            data(writer);
            writer.array(1).link(VALUE);
        });
        assertThatThrownBy(() -> Event.fromBlock(Block.of(Cid.RAW, new byte[1])))
                .hasMessageStartingWith("malformed event: ");
        assertThatIllegalArgumentException().isThrownBy(() -> Head.of(VALUE));
        assertThatIllegalArgumentException().isThrownBy(() -> Event.of(new Operation.Delete("k"), VALUE, List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Event.of(new Operation.Delete("k"), ROOT, List.of(VALUE)));
    }

    @Test
    void eachParentOnce_M5() {
        refused("M5", 118, writer -> {
            data(writer);
            writer.array(2).link(ROOT).link(ROOT);
        });
        assertThat(Event.of(new Operation.Delete("k"), ROOT, List.of(parent(1), parent(1)))
                        .parents())
                .hasSize(1);
    }

    @Test
    void atMostAThousandParents_M6() {
        refused("M6", 76, writer -> {
            data(writer);
            writer.array(1001);
            IntStream.range(0, 1001).forEach(i -> writer.link(parent(i)));
        });
        List<Cid> parents = IntStream.range(0, 1001).mapToObj(EventTest::parent).toList();
        assertThatThrownBy(() -> Event.of(new Operation.Delete("k"), ROOT, parents))
                .hasMessageStartingWith("clock limit reached: ")
                .hasMessageContaining("(M6)");
    }

    @Test
    void atMostEightMebibytes_M7() {
        int size = Event.of(new Operation.Delete("k".repeat(Block.MAX_SIZE - 100)), ROOT, List.of())
                .block()
                .size();
        String full = "k".repeat(Block.MAX_SIZE - 100 + Block.MAX_SIZE - size);
        Event event = Event.of(new Operation.Delete(full), ROOT, List.of());
        assertThat(event.block().size()).isEqualTo(Block.MAX_SIZE);
        assertThat(Event.fromBlock(event.block())).isEqualTo(event);
        assertThatThrownBy(() -> Event.of(new Operation.Delete(full + "k"), ROOT, List.of()))
                .hasMessageStartingWith("clock limit reached: ")
                .hasMessageContaining("(M7)");
        refused("M7", 0, writer -> {
            writer.map(2)
                    .text("data")
                    .map(3)
                    .text("key")
                    .text(full + "k")
                    .text("root")
                    .link(ROOT);
            writer.text("type").text("del").text("parents").array(0);
        });
    }

    @Test
    void keysWithoutAnEncodingAreNoKeys() {
        assertThatThrownBy(() -> new Operation.Put("\ud800", VALUE)).isInstanceOf(KeyNotAllowedException.class);
        assertThatThrownBy(() -> new Operation.Delete("\udc00")).isInstanceOf(KeyNotAllowedException.class);
    }

    @Test
    void everyOtherByteAndEveryShorterBlockIsRefusedOrAnotherEvent() {
        Event event = Event.of(
                new Operation.Batch(List.of(new Operation.Put("a", VALUE), new Operation.Delete("b"))),
                ROOT,
                List.of(parent(1), parent(2)));
        byte[] bytes = event.block().bytes();
        int read = 0;
        for (int at = 0; at < bytes.length; at++) {
            Block cut = Block.of(Cid.DAG_CBOR, Arrays.copyOf(bytes, at));
            assertThatThrownBy(() -> Event.fromBlock(cut)).hasMessageStartingWith("malformed event: ");
            for (int flip = 1; flip < 256; flip++) {
                byte[] changed = bytes.clone();
                changed[at] ^= (byte) flip;
                Block block = Block.of(Cid.DAG_CBOR, changed);
                try {
                    Event other = Event.fromBlock(block);
                    // What can be read is written the same way, if its parents are in order.
                    List<Cid> parents = other.parents();
                    if (parents.equals(Head.of(parents).events())) {
                        assertThat(Event.of(other.operation(), other.root(), parents)
                                        .block())
                                .isEqualTo(block);
                    }
                    read++;
                } catch (MalformedBlockException e) {
                    assertThat(e.offset()).isBetween(0L, (long) bytes.length);
                }
            }
        }
        assertThat(read).isGreaterThan(100 * 255);
    }
}
