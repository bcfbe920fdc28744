package dev.pail.car;

import static dev.pail.car.Cars.header;
import static dev.pail.car.Cars.hex;
import static dev.pail.car.Cars.join;
import static dev.pail.car.Cars.raw;
import static dev.pail.car.Cars.section;
import static dev.pail.car.Cars.v2;
import static dev.pail.car.Cars.v2Header;
import static dev.pail.car.Cars.varint;
import static dev.pail.car.Cars.withLength;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.CorruptBlockException;
import dev.pail.StoreIOException;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.ipld.UnsupportedHashException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CarReaderTest {
    private static final Block ONE = raw("one");
    private static final Block TWO = raw("two");
    private static final byte[] CAR = join(header(ONE.cid()), section(ONE), section(TWO));

    private static void checkRefused(byte[] car, long offset, String rule) {
        assertThatThrownBy(() -> Cars.sections(car)).isInstanceOfSatisfying(MalformedDataException.class, e -> {
            assertThat(e.rule()).contains(rule);
            assertThat(e.offset()).as(e.getMessage()).isEqualTo(offset);
            assertThat(e.code()).isEqualTo("malformed-car");
            assertThat(e.source()).contains("test.car");
            assertThat(e).hasMessageContaining("test.car").hasMessageContaining("offset " + offset);
        });
    }

    @Test
    void headerAndSections() {
        try (CarReader reader = Cars.reader(CAR)) {
            assertThat(reader.header()).isEqualTo(new CarHeader(1, List.of(ONE.cid())));
            CarSection one = reader.next().orElseThrow();
            assertThat(one.offset()).isEqualTo(header(ONE.cid()).length);
            assertThat(one.size()).isEqualTo(3);
            assertThat(one.block().bytes()).isEqualTo(ONE.bytes());
            assertThat(reader.next().orElseThrow().block()).isEqualTo(TWO);
            assertThat(reader.next()).isEmpty();
            assertThat(reader.next()).isEmpty();
        }
    }

    @Test
    void version2_CAR1_CAR8() {
        for (byte[] car : List.of(v2(CAR, 0, 0), v2(CAR, 9, 0), v2(CAR, 0, 1), v2(CAR, 100_000, 5))) {
            try (CarReader reader = Cars.reader(car)) {
                assertThat(reader.header()).isEqualTo(new CarHeader(2, List.of(ONE.cid())));
            }
            assertThat(Cars.blocks(car)).containsExactly(ONE, TWO);
        }
    }

    @Test
    void rootsMayBeNoneOrManyOrAbsent() {
        assertThat(Cars.sections(header())).isEmpty();
        assertThat(roots(header(ONE.cid(), TWO.cid()))).containsExactly(ONE.cid(), TWO.cid());
    }

    @Test
    void rootsAreASet_CAR3() {
        assertThat(roots(header(TWO.cid(), ONE.cid(), TWO.cid(), TWO.cid()))).containsExactly(TWO.cid(), ONE.cid());
        assertThat(roots(v2(header(ONE.cid(), ONE.cid()), 0, 0))).containsExactly(ONE.cid());
    }

    private static List<Cid> roots(byte[] car) {
        return Cars.reader(car).header().roots();
    }

    /** As js-car and go-car read it. */
    @Test
    void fieldsOfAHeaderMayBeInAnyOrder_CAR2() {
        byte[] ordered = header(ONE.cid());
        byte[] roots = Arrays.copyOfRange(ordered, 2, ordered.length - 9);
        byte[] version = Arrays.copyOfRange(ordered, ordered.length - 9, ordered.length);
        byte[] swapped = withLength(join(hex("a2"), version, roots));
        for (byte[] header : List.of(ordered, swapped)) {
            byte[] car = join(header, section(ONE), section(TWO));
            for (byte[] each : List.of(car, v2(car, 3, 0))) {
                assertThat(roots(each)).containsExactly(ONE.cid());
                assertThat(Cars.blocks(each)).containsExactly(ONE, TWO);
            }
        }
        checkRefused(withLength(join(hex("a3"), version, roots, version)), 1 + 1 + 9 + roots.length, "(C5)");
        checkRefused(withLength(join(hex("a2"), roots, roots)), 1 + 1 + roots.length, "(C5)");
        checkRefused(withLength(join(hex("a2"), version, roots, hex("00"))), 1 + 1 + 9 + roots.length, "(C1)");
        checkRefused(withLength(join(hex("a2"), version, hex("65 726f6f7473 9800"))), 1 + 1 + 9 + 6, "(C2)");
    }

    /** As js-car reads them, up to the nine bytes that any varint has. */
    @Test
    void lengthsMayBePadded_I2_CAR4() {
        for (int padding = 1; padding < 9; padding++) {
            byte[] car = join(padded(header(ONE.cid()), padding), padded(section(ONE), padding), section(TWO));
            for (byte[] each : List.of(car, v2(car, 3, 0))) {
                assertThat(roots(each)).containsExactly(ONE.cid());
                assertThat(Cars.blocks(each)).containsExactly(ONE, TWO);
            }
        }
        checkRefused(padded(header(), 9), 0, "(I2)");
        // What is in a block or a CID stays strict.
        byte[] multihash = ONE.cid().multihash();
        byte[] cid = join(hex("01d500"), multihash);
        checkRefused(join(header(), withLength(join(cid, ONE.bytes()))), header().length + 1 + 1, "(I2)");
    }

    /** A part that begins with a length of one byte, with that many zeros more in it. */
    private static byte[] padded(byte[] part, int padding) {
        byte[] length = new byte[padding + 1];
        Arrays.fill(length, (byte) 0x80);
        length[0] |= part[0];
        length[padding] = 0;
        return join(length, Arrays.copyOfRange(part, 1, part.length));
    }

    @Test
    void duplicateBlocksAndEmptyBlocksAreRead() {
        Block empty = raw("");
        assertThat(Cars.blocks(join(header(), section(ONE), section(empty), section(ONE))))
                .containsExactly(ONE, empty, ONE);
    }

    @Test
    void version0OfCids() {
        Block one = Block.verified(Cid.fromBytes(ONE.cid().multihash()), ONE.bytes());
        assertThat(one.cid().version()).isZero();
        assertThat(Cars.blocks(join(header(one.cid()), section(one)))).containsExactly(one);
    }

    @Test
    void headersThatAreNone_CAR1_CAR2() {
        checkRefused(new byte[0], 0, "the length of the header (CAR6)");
        checkRefused(new byte[] {0}, 0, "CAR3");
        checkRefused(join(varint((1 << 20) + 1), new byte[100]), 0, "CAR3");
        checkRefused(varint(Long.MAX_VALUE), 0, "CAR3");
        checkRefused(hex("8a00"), 2, "CAR6");
        checkRefused(hex("ffffffffffffffffff01"), 0, "(I2)");
        checkRefused(join(varint(1 << 20), new byte[100]), 103, "CAR6");
        checkRefused(withLength(hex("80")), 1, "a map is expected");
        checkRefused(withLength(hex("a0")), 1, "CAR1");
        checkRefused(withLength(hex("a1 67 76657273696f6e 01")), 1, "CAR2");
        checkRefused(withLength(hex("a1 67 76657273696f6e 03")), 1, "CAR1");
        checkRefused(withLength(hex("a1 67 76657273696f6e 1b0000000100000001")), 1, "CAR1");
        checkRefused(withLength(hex("a1 65 726f6f7473 80")), 1, "CAR1");
        checkRefused(withLength(hex("a2 65 726f6f7473 80 67 76657273696f6e 02")), 1, "CAR2");
        checkRefused(withLength(hex("a2 65 726f6f7473 f6 67 76657273696f6e 01")), 8, "an array is expected");
        checkRefused(withLength(hex("a2 65 726f6f7473 8101 67 76657273696f6e 01")), 9, "a link is expected");
        checkRefused(withLength(hex("a3 61 78 01 65 726f6f7473 80 67 76657273696f6e 01")), 2, "CAR2");
        checkRefused(join(varint(18), hex("a2 65 726f6f7473 80 67 76657273696f6e 01"), new byte[1]), 18, "(C1)");
    }

    @Test
    void thereAreAThousandRootsAtMost_CAR3() {
        Cid[] roots = new Cid[23];
        Arrays.fill(roots, ONE.cid());
        byte[] links = Arrays.copyOfRange(header(roots), 10, header(roots).length - 9);
        byte[] one = Arrays.copyOf(links, links.length / 23);
        byte[] thousand = join(java.util.Collections.nCopies(1000, one).toArray(new byte[0][]));
        byte[] start = hex("a2 65 726f6f7473 99");
        byte[] end = hex("67 76657273696f6e 01");
        assertThat(roots(withLength(join(start, hex("03e8"), thousand, end)))).containsExactly(ONE.cid());
        checkRefused(withLength(join(start, hex("03e9"), thousand, one, end)), 10, "CAR3");
    }

    @Test
    void sectionsThatAreNone_CAR4() {
        byte[] header = header();
        long at = header.length;
        checkRefused(join(header, new byte[1], section(ONE)), at, "CAR4");
        checkRefused(join(header, section(ONE), new byte[5]), at + section(ONE).length, "CAR4");
        checkRefused(join(header, varint(CarReader.MAX_SECTION + 1L)), at, "CAR4");
        checkRefused(join(header, varint(CarReader.MAX_SECTION), new byte[50]), at + 54, "CAR6");
        checkRefused(join(header, withLength(hex("0155"))), at + 3, "(I2)");
        checkRefused(join(header, withLength(new byte[40])), at + 1, "(I1)");
        checkRefused(join(header, withLength(join(hex("01551220"), new byte[31]))), at + 4, "(I3)");
        checkRefused(join(header, withLength(join(hex("01551efc0f"), new byte[2044]))), at + 2, "(I5)");
        checkRefused(join(header, withLength(join(hex("0155128f8080808080808001"), new byte[31]))), at + 4, "(I");
    }

    @Test
    void aBlockHas8MebibytesAtMost_CAR4() {
        Block largest = Block.of(Cid.RAW, new byte[Block.MAX_SIZE]);
        assertThat(Cars.blocks(join(header(), section(largest)))).containsExactly(largest);
        byte[] larger = join(header(), section(largest.cid(), new byte[Block.MAX_SIZE + 1]));
        checkRefused(larger, header().length + 4 + 36, "CAR4");
    }

    @Test
    void boundsOfVersion2_CAR9() {
        checkRefused(join(v2Header(50, CAR.length, 0), CAR), 27, "CAR9");
        checkRefused(join(v2Header(-1, CAR.length, 0), CAR), 27, "CAR9");
        checkRefused(join(v2Header(51, 0, 0), CAR), 35, "CAR9");
        checkRefused(join(v2Header(51, -1, 0), CAR), 35, "CAR9");
        checkRefused(join(v2Header(51, Long.MAX_VALUE - 51, 0), CAR), 35, "CAR9");
        checkRefused(join(v2Header(Long.MAX_VALUE, 1, 0), CAR), 35, "CAR9");
        long end = 51L + CAR.length;
        checkRefused(join(v2Header(51, CAR.length + 1, 0), CAR), end, "CAR6");
        checkRefused(join(v2Header(51 + 7, CAR.length, 0), new byte[3]), 54, "CAR6");
        checkRefused(Arrays.copyOf(v2Header(51, 1, 0), 50), 50, "CAR6");
        long lastSection = end - section(TWO).length;
        checkRefused(join(v2Header(51, CAR.length - 1, 0), CAR), lastSection + 1, "CAR9");
        checkRefused(join(v2Header(51, lastSection - 51 + 1, 0), CAR), lastSection + 1, "CAR9");
        checkRefused(join(v2Header(51, 5, 0), CAR), 52, "CAR9");
        checkRefused(v2(v2(CAR, 0, 0), 0, 0), 51, "CAR8");
    }

    /** The data say where they end: neither the index nor anything else behind them is read. */
    @Test
    void whatIsBehindTheDataIsNotRead_CAR9() {
        long end = 51L + CAR.length;
        for (long index : new long[] {0, 7, 60, end - 1, end, end + 3, Long.MAX_VALUE, -1}) {
            for (byte[] behind : List.of(new byte[0], new byte[2], hex("ff"), hex("0aa167"), new byte[100_000])) {
                assertThat(Cars.blocks(join(v2Header(51, CAR.length, index), CAR, behind)))
                        .containsExactly(ONE, TWO);
            }
        }
    }

    @Test
    void whatAFileIsThatIsNoCarIsTold() {
        byte[] unfinished = join(v2Header(0, 0, 0), CAR);
        checkRefused(unfinished, 27, "never finished");
        for (byte[] second : List.of(CAR, v2(CAR, 0, 0), header(), v2(CAR, 9, 9))) {
            checkRefused(join(CAR, second), CAR.length, "another CAR begins here");
            byte[] version2 = v2(CAR, 5, 0);
            checkRefused(join(version2, second), version2.length, "another CAR begins here");
        }
        for (int zeros : new int[] {1, 2, 291, 1 << 16, 200_000}) {
            checkRefused(join(CAR, new byte[zeros]), CAR.length, "zeros pad the file");
        }
        checkRefused(join(CAR, new byte[9], section(ONE)), CAR.length, "a section is not empty");
    }

    @Test
    void namesTextBehindTheSections_CAR4() {
        for (String text : List.of("failed to fetch all nodes", "\nerror: 502", "é\u4e16\u754c?", "curl")) {
            for (byte[] car : List.of(CAR, header(), join(header(), section(block(3 << 16, 1))))) {
                checkRefused(join(car, Utf8.encode(text)), car.length, "text follows the last section");
            }
        }
        checkRefused(join(CAR, Utf8.encode("a\u001b[2Jb\n")), CAR.length + 7, "the file ends inside a section");
        for (String blank : List.of("\r\n", "\n\n", " \n", "\r\n\r\n\t")) {
            checkRefused(join(CAR, Utf8.encode(blank)), CAR.length, "a line end or blanks follow the last section");
        }
    }

    /** The digests of some of the blocks have line feeds, so that their sections have them before the block, and the header has. */
    @Test
    void namesATranslationOfLineFeeds_CAR4() {
        int inHeaders = 0;
        for (int i = 0; i < 100; i++) {
            Block first = Block.of(Cid.RAW, Utf8.encode("first\nline " + i));
            Block second = block(i * 50, i);
            byte[] car = join(header(first.cid()), section(first), section(second));
            inHeaders += Arrays.equals(header(first.cid()), translated(header(first.cid()))) ? 0 : 1;
            for (byte[] whole : List.of(car, join(header(first.cid()), section(first)))) {
                assertThatExceptionOfType(MalformedDataException.class)
                        .as("file %s", i)
                        .isThrownBy(() -> Cars.sections(translated(whole)))
                        .withMessageStartingWith("malformed CAR: ")
                        .withMessageContaining("the file was translated as text");
            }
            checkRefused(translated(v2(car, 0, 0)), 0, "the file was translated as text");
        }
        assertThat(inHeaders).isBetween(1, 99);
    }

    /** The block before is whole, or its end is no line end, so nothing is proved. */
    @Test
    void aCutFileOfTextIsNoTranslatedOne_CAR6() {
        Block first = Block.of(Cid.RAW, Utf8.encode("one\r\ntwo\r\n"));
        Block second = Block.of(Cid.RAW, Utf8.encode("three\r\nfour\r\n".repeat(20)));
        byte[] car = join(header(first.cid()), section(first), section(second));
        int from = header(first.cid()).length + section(first).length;
        for (int end = from + 1; end < car.length; end++) {
            byte[] cut = Arrays.copyOf(car, end);
            assertThatExceptionOfType(MalformedDataException.class)
                    .isThrownBy(() -> Cars.sections(cut))
                    .withMessageStartingWith("malformed CAR: ")
                    .withMessageContaining("the file ends inside");
        }
        // A length that is wrong makes text of what follows.
        byte[] wrong = car.clone();
        wrong[header(first.cid()).length] = (byte) (wrong[header(first.cid()).length] - 8);
        assertThatExceptionOfType(MalformedDataException.class)
                .isThrownBy(() -> Cars.sections(wrong))
                .withMessageNotContainingAny("text", "line end");
    }

    private static byte[] translated(byte[] bytes) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (byte each : bytes) {
            if (each == '\n') {
                text.write('\r');
            }
            text.write(each);
        }
        return text.toByteArray();
    }

    private static Block block(int size, long seed) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return Block.of(Cid.RAW, bytes);
    }

    /** D21d: a flipped bit in a block is an error that names the block and the place, and the others are still read. */
    @Test
    void aFlippedBitIsACorruptBlock() {
        int first = header(ONE.cid()).length;
        byte[] car = CAR.clone();
        car[first + section(ONE).length - 1] ^= 1;
        List<CarSection> sections = Cars.sections(car);
        assertThatExceptionOfType(CorruptBlockException.class)
                .isThrownBy(() -> sections.get(0).block())
                .withMessageContaining(ONE.cid().toString())
                .withMessageContaining("offset " + first + " of test.car");
        assertThat(sections.get(1).block()).isEqualTo(TWO);
    }

    @Test
    void whatCannotBeVerifiedIsNoBlock_CAR5() {
        Cid identity = Cid.fromBytes(hex("0155000568656c6c6f"));
        Cid murmur3 = Cid.fromBytes(join(hex("01552208"), new byte[8]));
        Cid cut = Cid.fromBytes(join(hex("01551213"), Arrays.copyOf(ONE.cid().digest(), 19)));
        byte[] car = join(
                header(),
                section(identity, hex("68656c6c6f")),
                section(murmur3, ONE.bytes()),
                section(cut, ONE.bytes()),
                section(ONE));
        List<CarSection> sections = Cars.sections(car);
        assertThat(sections).extracting(CarSection::cid).containsExactly(identity, murmur3, cut, ONE.cid());
        for (CarSection section : sections.subList(0, 3)) {
            assertThatExceptionOfType(UnsupportedHashException.class).isThrownBy(section::block);
        }
    }

    /** An announced length costs nothing before the bytes come. */
    @Test
    void memoryIsTakenForBytesThatAreThere() {
        for (byte[] car : List.of(
                varint(1 << 20),
                join(header(), varint(CarReader.MAX_SECTION), new byte[10]),
                v2Header(Long.MAX_VALUE / 2, 1000, 0),
                join(v2Header(51, 1L << 50, 0), CAR, varint(CarReader.MAX_SECTION)),
                withLength(hex("a2 65 726f6f7473 9a7fffffff")))) {
            long before = Allocation.soFar();
            assertThatThrownBy(() -> Cars.sections(car)).hasMessageStartingWith("malformed CAR: ");
            assertThat(Allocation.soFar() - before).isLessThan(1 << 20);
        }
    }

    @Test
    void aStreamThatFails() {
        InputStream broken = new InputStream() {
            private boolean hasFailed;

            @Override
            public int read() throws IOException {
                if (hasFailed) {
                    return -1;
                }
                hasFailed = true;
                throw new IOException("the cable was pulled");
            }

            @Override
            public int read(byte[] target, int from, int length) throws IOException {
                return read();
            }
        };
        InputStream in = new SequenceInputStream(new ByteArrayInputStream(CAR), broken);
        CarReader reader = CarReader.of(in, "pipe");
        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(() -> reader.forEach(section -> {}))
                    .withMessageContaining("pipe")
                    .withMessageContaining("cable");
        }
    }

    /** A further read must neither report the end nor continue inside a section. */
    @Test
    void whatHasFailedFailsAgain() {
        for (int cut = 1; cut < section(TWO).length; cut++) {
            byte[] bytes = Arrays.copyOf(CAR, CAR.length - cut);
            try (CarReader reader = Cars.reader(bytes)) {
                assertThat(reader.next()).isPresent();
                for (int i = 0; i < 2; i++) {
                    assertThatExceptionOfType(MalformedDataException.class)
                            .isThrownBy(reader::next)
                            .withMessageContaining("the file ends inside a section");
                }
            }
        }
    }

    @Test
    void aFileThatIsNotThere() {
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(() -> CarReader.open(Path.of("/absent/x.car")))
                .withMessageContaining("/absent/x.car")
                .withMessageContaining("no such file");
    }
}
