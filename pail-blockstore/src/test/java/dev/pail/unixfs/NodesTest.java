package dev.pail.unixfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pail.BlockStore;
import dev.pail.MissingBlockException;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.dag.Protobuf;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What a root block says, and which nodes are refused. */
class NodesTest {
    private static final byte[] NOTHING = {};

    private final MemoryBlockStore blocks = new MemoryBlockStore();
    private final Forged forged = new Forged(blocks);

    private UnixFsNode node(byte[] data) {
        return UnixFs.node(blocks, forged.store(List.of(), data));
    }

    private void assertRefused(Cid cid, String... words) {
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(() -> UnixFs.node(blocks, cid))
                .withMessageContainingAll(words)
                .satisfies(e -> assertThat(e.cid()).isEqualTo(cid))
                .satisfies(e -> assertThat(e.code()).isEqualTo("damaged-file"));
    }

    private void assertDataRefused(byte[] data, String... words) {
        Cid cid = forged.store(List.of(), data);
        assertRefused(cid, words);
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(() -> UnixFs.node(blocks, cid))
                .withMessageContainingAll(cid.toString(), "(at offset ");
    }

    @Test
    void rawAndDagPbAreNodesAndNothingElseIs_FS1() {
        assertThat(UnixFs.node(blocks, forged.raw(new byte[7])).size()).isEqualTo(7);
        assertThat(node(Forged.fileData(UnixFsData.FILE, new byte[3], 3, List.of()))
                        .size())
                .isEqualTo(3);
        Block cbor = Block.of(Cid.DAG_CBOR, new byte[] {(byte) 0xa0});
        blocks.put(cbor);
        assertRefused(
                cbor.cid(), "a node of UnixFS is raw or dag-pb", cbor.cid().toString());
        Cid missing = Block.of(Cid.RAW, new byte[9]).cid();
        assertRefused(missing, "missing block: " + missing);
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(() -> UnixFs.open(blocks, missing))
                .withCauseInstanceOf(MissingBlockException.class);
    }

    /** A store that has a block and cannot verify it. */
    private record Unverified(BlockStore blocks) implements BlockStore {
        @Override
        public Optional<Block> get(Cid cid) {
            throw new UnsupportedHashException(cid);
        }

        @Override
        public void putAll(Collection<Block> some) {}

        @Override
        public boolean has(Cid cid) {
            return true;
        }

        @Override
        public void close() {}
    }

    @Test
    void aBlockThatCannotBeVerifiedIsNoNode_FS1() {
        Cid file = forged.raw();
        BlockStore unverified = new Unverified(blocks);
        for (ThrowingCallable read : List.<ThrowingCallable>of(
                () -> UnixFs.node(unverified, file),
                () -> UnixFs.open(unverified, file),
                () -> UnixFs.walk(unverified, forged.folder("a", file)))) {
            assertThatExceptionOfType(DamagedFileException.class)
                    .isThrownBy(read)
                    .withMessageContaining("cannot verify a block")
                    .withCauseInstanceOf(UnsupportedHashException.class);
        }
    }

    @Test
    void fieldsOfDagPbAreThoseThatItHas_FS1() {
        byte[] folder = Forged.type(UnixFsData.FOLDER);
        byte[] link = Forged.link(forged.raw(), "a");
        // The data before the links, as old programs wrote it.
        assertThat(UnixFs.node(
                                blocks,
                                forged.store(new Protobuf.Writer()
                                        .bytes(1, folder)
                                        .bytes(2, link)
                                        .toByteArray()))
                        .kind())
                .isEqualTo(NodeKind.FOLDER);
        String rule = "a node of dag-pb has links, and data once";
        assertRefused(
                forged.store(
                        new Protobuf.Writer().bytes(1, folder).bytes(1, folder).toByteArray()),
                rule);
        assertRefused(
                forged.store(
                        new Protobuf.Writer().bytes(1, folder).bytes(3, link).toByteArray()),
                rule);
        assertRefused(forged.store(new byte[0]), "a node of UnixFS has data");
        assertRefused(forged.store(new Protobuf.Writer().number(1, 1).toByteArray()), "field 1 has kind 2");
        String ofLinks = "a link of dag-pb has a CID, a name and a size, each once";
        byte[] cid = forged.raw().toBytes();
        assertRefused(
                forged.store(
                        List.of(new Protobuf.Writer()
                                .bytes(1, cid)
                                .bytes(1, cid)
                                .toByteArray()),
                        folder),
                ofLinks);
        assertRefused(
                forged.store(
                        List.of(new Protobuf.Writer()
                                .bytes(1, cid)
                                .bytes(4, cid)
                                .toByteArray()),
                        folder),
                ofLinks);
        for (byte[] disordered : List.of(
                new Protobuf.Writer().bytes(2, NOTHING).bytes(1, cid).toByteArray(),
                new Protobuf.Writer()
                        .bytes(1, cid)
                        .number(3, 1)
                        .bytes(2, NOTHING)
                        .toByteArray())) {
            assertRefused(forged.store(List.of(disordered), folder), "each once, in this order");
        }
        assertRefused(
                forged.store(new Protobuf.Writer()
                        .bytes(2, link)
                        .bytes(1, folder)
                        .bytes(2, link)
                        .toByteArray()),
                "a node of dag-pb has its links together");
        assertRefused(
                forged.store(List.of(new Protobuf.Writer().bytes(2, NOTHING).toByteArray()), folder),
                "a link of dag-pb has a CID");
        assertRefused(
                forged.store(
                        List.of(new Protobuf.Writer()
                                .bytes(1, new byte[] {1, 2, 3})
                                .toByteArray()),
                        folder),
                "the UnixFS node cannot be read");
    }

    @Test
    void namesAreShort_FS1() {
        Cid file = forged.raw();
        assertThat(UnixFs.node(blocks, forged.folder("x".repeat(64 << 10), file))
                        .kind())
                .isEqualTo(NodeKind.FOLDER);
        assertRefused(forged.folder("x".repeat((64 << 10) + 1), file), "the name of a link has at most 64 KiB");
    }

    /** The number 1 in a few bytes more than it needs, and one of more than 64 bits. */
    @Test
    void numbersHaveOneForm_FS1() {
        for (String hex : List.of("8100", "818000", "ffffffffffffffffff02", "81808080808080808000")) {
            byte[] number = new BigInteger(hex, 16).toByteArray();
            ByteArrayOutputStream data = new ByteArrayOutputStream();
            data.write(8);
            data.write(number, number[0] == 0 ? 1 : 0, number.length - (number[0] == 0 ? 1 : 0));
            assertDataRefused(data.toByteArray(), "a number has no more bytes than it needs");
        }
        assertDataRefused(new byte[] {8, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}, "a number has at most 64 bits");
        assertDataRefused(new byte[] {8, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1}, "a number has at most 63 bits");
        assertDataRefused(new byte[] {8, 1, 0x12, 5, 1}, "a field ends within what it is in");
        assertDataRefused(new byte[] {8, 1, 0x13}, "a field of protobuf has kind 0, 1, 2 or 5");
        // Fields that are not known are passed over.
        assertThat(node(new byte[] {8, 1, 0x79, 1, 2, 3, 4, 5, 6, 7, 8}).kind()).isEqualTo(NodeKind.FOLDER);
    }

    @Test
    void eachFieldOfTheDataIsThereOnce_FS2() {
        for (int field : new int[] {1, 3, 5, 6, 7}) {
            assertDataRefused(
                    new Protobuf.Writer()
                            .number(1, 1)
                            .number(field, 1)
                            .number(field, 1)
                            .toByteArray(),
                    "field " + field + " is there once");
        }
        assertDataRefused(NOTHING, "the data of UnixFS have a type");
        assertDataRefused(Forged.type(6), "a type of UnixFS is a number from 0 to 5");
        assertDataRefused(new byte[] {8, -1, -1, -1, -1, -1, -1, -1, -1, 0x7f}, "a number from 0 to 5");
    }

    private static byte[] time(Protobuf.Writer time) {
        return new Protobuf.Writer().number(1, 1).bytes(8, time.toByteArray()).toByteArray();
    }

    private static byte[] nanoseconds(int value) {
        byte[] time = new Protobuf.Writer().number(1, 5).toByteArray();
        byte[] all = Arrays.copyOf(time, time.length + 5);
        all[time.length] = 2 << 3 | 5;
        for (int i = 0; i < 4; i++) {
            all[time.length + 1 + i] = (byte) (value >>> (8 * i));
        }
        return new Protobuf.Writer().number(1, 1).bytes(8, all).toByteArray();
    }

    @Test
    void modesAndTimesAreReadAsTheFormatHasThem_FS3() {
        byte[] mode = new Protobuf.Writer()
                .number(1, 1)
                .number(7, 0xffff_f000L | 01755)
                .toByteArray();
        assertThat(node(mode).mode()).isEqualTo(OptionalInt.of(01755));
        assertThat(node(Forged.type(1)).mode()).isEmpty();
        assertThat(node(Forged.type(1)).mtime()).isEmpty();
        assertThat(node(new Protobuf.Writer()
                                .number(1, 1)
                                .number(7, 1L << 40 | 0644)
                                .toByteArray())
                        .mode())
                .hasValue(0644);
        assertThat(node(time(new Protobuf.Writer().number(1, 0))).mtime()).contains(Instant.EPOCH);
        assertThat(node(time(new Protobuf.Writer().number(1, -1L))).mtime()).contains(Instant.ofEpochSecond(-1));
        assertThat(node(nanoseconds(999_999_999)).mtime()).contains(Instant.ofEpochSecond(5, 999_999_999));
        assertThat(node(nanoseconds(0)).mtime()).contains(Instant.ofEpochSecond(5));
        // What is no time does not hide the file.
        for (int wrong : new int[] {1_000_000_000, -1}) {
            assertThat(node(nanoseconds(wrong)).mtime()).isEmpty();
        }
        assertThat(node(time(new Protobuf.Writer())).mtime()).isEmpty();
        assertThat(node(time(new Protobuf.Writer().number(1, Long.MAX_VALUE))).mtime())
                .isEmpty();
        assertDataRefused(new Protobuf.Writer().number(1, 1).number(8, 5).toByteArray(), "field 8 has kind 2");
    }

    @Test
    void bytesInACidAreRead_FS4() throws Exception {
        Cid raw = Forged.identity(Cid.RAW, new byte[] {1, 2});
        Cid file = Forged.identity(
                Cid.DAG_PB,
                Forged.node(List.of(), Forged.fileData(UnixFsData.FILE, new byte[] {3, 4, 5}, 3, List.of())));
        Cid root = forged.file(List.of(raw, file), List.of(2L, 3L));
        assertThat(UnixFs.open(blocks, root).readAllBytes()).containsExactly(1, 2, 3, 4, 5);
        Cid folder = Forged.identity(
                Cid.DAG_PB, Forged.node(List.of(Forged.link(raw, "a")), Forged.type(UnixFsData.FOLDER)));
        assertThat(Forged.paths(UnixFs.walk(blocks, forged.folder("f", folder))))
                .containsExactly("f", "f/a");
        FolderWriter writer = new FolderWriter(blocks, blocks);
        writer.add("a", raw);
        assertThat(Forged.paths(UnixFs.walk(blocks, writer.finish()))).containsExactly("a");
    }

    @Test
    void symbolicLinksHaveATargetAndNothingBelow_FS5() {
        byte[] target = "../größe".getBytes(StandardCharsets.UTF_8);
        byte[] data = new Protobuf.Writer()
                .number(1, UnixFsData.LINK)
                .bytes(2, target)
                .number(7, 0777)
                .toByteArray();
        UnixFsNode node = node(data);
        assertThat(node.kind()).isEqualTo(NodeKind.LINK);
        assertThat(node.target()).isEqualTo("../größe");
        assertThat(node.mode()).hasValue(0777);
        assertRefused(
                forged.store(List.of(Forged.link(forged.raw(), "a")), data), "a symbolic link has no links of dag-pb");
        assertDataRefused(
                new Protobuf.Writer().number(1, 4).bytes(2, new byte[] {-1}).toByteArray(), "UTF-8");
        assertDataRefused(
                new Protobuf.Writer()
                        .number(1, 4)
                        .bytes(2, new byte[(64 << 10) + 1])
                        .toByteArray(),
                "the target of a symbolic link has at most 64 KiB");
        Cid link = forged.store(List.of(), data);
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(() -> UnixFs.open(blocks, link))
                .withMessageContaining("a symbolic link is no file");
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(() -> UnixFs.walk(blocks, link))
                .withMessageContaining("a symbolic link is no folder");
    }

    @Test
    void metadataLeadToAFile_FS5() throws Exception {
        Cid file = forged.raw((byte) 1, (byte) 2);
        byte[] type = new Protobuf.Writer()
                .bytes(1, "text/plain".getBytes(StandardCharsets.US_ASCII))
                .toByteArray();
        byte[] data = Forged.fileData(UnixFsData.METADATA, type, type.length, List.of());
        Cid metadata = forged.store(List.of(Forged.link(file, "")), data);
        assertThat(UnixFs.node(blocks, metadata).size()).isEqualTo(2);
        assertThat(UnixFs.open(blocks, metadata).readAllBytes()).containsExactly(1, 2);
        assertDataRefused(data, "metadata link to a file");
        assertRefused(forged.store(List.of(Forged.link(metadata, "")), data), "metadata is no file");
    }

    @Test
    void limitsAndLayoutsHaveRanges() {
        assertThatIllegalArgumentException().isThrownBy(() -> new FileLayout(0, 2));
        assertThatIllegalArgumentException().isThrownBy(() -> new FileLayout(Block.MAX_SIZE + 1, 2));
        assertThatIllegalArgumentException().isThrownBy(() -> new FileLayout(1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new FileLayout(1, 8193));
        assertThatIllegalArgumentException().isThrownBy(() -> new WalkLimits(-1, 1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new WalkLimits(1, -1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new WalkLimits(1, 1, -1));
    }
}
