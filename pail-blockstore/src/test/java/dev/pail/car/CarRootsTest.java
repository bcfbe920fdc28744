package dev.pail.car;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.CorruptBlockException;
import dev.pail.MalformedBlockException;
import dev.pail.MissingBlockException;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.clock.ReplicatedPail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.LyingBlockStore;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class CarRootsTest {
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    @Test
    void anotherBlockThanTheRootDoesNotTellWhatTheRootIs() {
        MemoryBlockStore blocks = new MemoryBlockStore();
        ReplicatedPail replica = ReplicatedPail.create(blocks).put("a", VALUE);
        Cid event = replica.head().events().get(0);
        Cid pail = replica.root();
        assertThat(CarRoots.of(blocks, List.of(event, pail)))
                .isEqualTo(new CarRoots(List.of(event), List.of(pail), List.of()));
        assertThatExceptionOfType(CorruptBlockException.class)
                .isThrownBy(() -> CarRoots.kind(new LyingBlockStore(blocks, event, pail), event))
                .withMessageContaining(pail.toString());
    }

    private static CarRoots.Kind kind(String hex) {
        MemoryBlockStore blocks = new MemoryBlockStore();
        Block block = Block.of(Cid.DAG_CBOR, Cars.hex(hex));
        blocks.put(block);
        return CarRoots.kind(blocks, block.cid());
    }

    @Test
    void dagCborThatIsNeitherShardNorEventIsAValue_CAR12() {
        // A number, an empty map, {data, parents, x}, {data}, {entries: 1}, {parents: [], data: null} out of order, and
        // no CBOR.
        for (String hex : List.of(
                "01",
                "a0",
                "a3617801646461746101 67706172656e747380",
                "a1 64646174 6101",
                "a1 67656e7472696573 01",
                "a2 67706172656e7473 80 6464617461 f6",
                "ff")) {
            assertThat(kind(hex)).isEqualTo(CarRoots.Kind.VALUE);
        }
    }

    @Test
    void blocksOfOtherCodecsAreValuesWhereverTheyAre_CAR12() {
        Cid event = ReplicatedPail.create(new MemoryBlockStore())
                .put("a", VALUE)
                .head()
                .events()
                .get(0);
        Cid version0 = Cid.fromBytes(event.multihash());
        List<Cid> values = List.of(VALUE, event.raw(), version0, Cid.fromBytes(Cars.hex("01710001a0")));
        assertThat(CarRoots.of(new MemoryBlockStore(), values)).isEqualTo(new CarRoots(List.of(), List.of(), values));
        assertThatExceptionOfType(MissingBlockException.class)
                .isThrownBy(() -> CarRoots.kind(new MemoryBlockStore(), event));
    }

    /** Data that is null, a link, an empty map, or of another type are of another program; all else is a rule that is broken. */
    @Test
    void whatHasTheShapeOfAnEventAndIsNoneIsRefused_M3() {
        String link = "d82a5825"
                + HexFormat.of()
                        .formatHex(Cars.join(
                                new byte[1],
                                Block.of(Cid.DAG_CBOR, new byte[1]).cid().toBytes()));
        String parents = " 67706172656e7473";
        for (String data : List.of("f6", link, "a0", "a1 63736574 01", "a2 636b65796161 6474797065 63736574")) {
            assertThatExceptionOfType(MalformedBlockException.class)
                    .isThrownBy(() -> kind("a2 6464617461" + data + parents + "80"))
                    .satisfies(e ->
                            assertThat(e.subject()).as(data).isEqualTo(MalformedBlockException.Subject.FOREIGN_EVENT));
        }
        String del = "a3 636b6579 6161 64726f6f74 " + link + " 6474797065 6364656c";
        assertThat(kind("a2 6464617461" + del + parents + "80")).isEqualTo(CarRoots.Kind.EVENT);
        for (String wrong : List.of("8101", "82" + link + link)) {
            assertThatExceptionOfType(MalformedBlockException.class)
                    .isThrownBy(() -> kind("a2 6464617461" + del + parents + wrong))
                    .satisfies(e -> assertThat(e.subject()).as(wrong).isEqualTo(MalformedBlockException.Subject.EVENT));
        }
        assertThatExceptionOfType(MalformedBlockException.class)
                .isThrownBy(() -> kind("a1 67656e7472696573 80"))
                .withMessageStartingWith("malformed shard: ")
                .withMessageContaining("S2");
    }
}
