package dev.pail.car;

import static dev.pail.car.Cars.hex;
import static dev.pail.car.Cars.raw;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CarWriterTest {
    private static byte[] write(List<Cid> roots, List<Block> blocks) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (CarWriter writer = CarWriter.of(out, "test.car", roots)) {
            blocks.forEach(writer::write);
            assertThat(writer.blocks()).isEqualTo(blocks.size());
            writer.flush();
            assertThat(writer.size()).isEqualTo(out.size());
        }
        return out.toByteArray();
    }

    /** What gateways of IPFS answer to a probe. */
    @Test
    void aHeaderAlone_CAR10() {
        assertThat(write(List.of(Cid.parse("bafkqaaa")), List.of()))
                .isEqualTo(hex("19a265726f6f747381d82a4500015500006776657273696f6e01"));
        assertThat(write(List.of(), List.of())).isEqualTo(hex("11a265726f6f7473806776657273696f6e01"));
    }

    @Test
    void sectionsOfAllSizes() {
        List<Block> blocks = List.of(raw(""), raw("x".repeat(91)), raw("x".repeat(92)), raw("x".repeat(20_000)));
        assertThat(write(List.of(blocks.get(0).cid()), blocks)).isEqualTo(Cars.car(blocks));
    }

    @Test
    void whatNobodyWouldReadIsNotWritten_CAR10() {
        Block larger = Block.of(Cid.RAW, new byte[Block.MAX_SIZE + 1]);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (CarWriter writer = CarWriter.of(out, "test.car", List.of())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> writer.write(larger))
                    .withMessageContaining(larger.cid().toString());
            writer.write(raw("x"));
        }
        assertThat(out.toByteArray()).isEqualTo(write(List.of(), List.of(raw("x"))));
    }

    @Test
    void nothingIsTakenThatWouldNotBeWritten() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CarWriter writer = CarWriter.of(out, "a.car", List.of());
        writer.write(raw("x"));
        writer.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> writer.write(raw("y")))
                .withMessageContaining("a.car");
        writer.close();
        assertThat(out.toByteArray()).isEqualTo(write(List.of(), List.of(raw("x"))));
    }

    @Test
    void rootsAreLimited() {
        List<Cid> roots =
                IntStream.range(0, 1000).mapToObj(i -> raw("x" + i).cid()).toList();
        assertThat(Cars.reader(write(roots, List.of())).header().roots()).isEqualTo(roots);
        List<Cid> more = new ArrayList<>(roots);
        more.add(raw("x").cid());
        assertThatIllegalArgumentException().isThrownBy(() -> write(more, List.of()));
    }

    @Test
    void eachRootIsWrittenOnce_CAR3() {
        Cid one = raw("one").cid();
        Cid two = raw("two").cid();
        byte[] once = write(List.of(two, one), List.of());
        assertThat(once).isEqualTo(Cars.header(two, one));
        assertThat(write(List.of(two, one, two, two, one), List.of())).isEqualTo(once);
        assertThat(write(Collections.nCopies(1001, one), List.of())).isEqualTo(Cars.header(one));
    }

    @Test
    void aStreamThatFails() {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("no space left on device");
            }
        };
        CarWriter writer = CarWriter.of(full, "full.car", List.of());
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(writer::flush)
                .withMessageContaining("full.car")
                .withMessageContaining("no space");
    }
}
