package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.RowLoc;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The bytes in {@code docs/from-benchtop.md} are those of the document "Benchtop KV Store Key Structure", put together here by hand, and
 * those of the Java calls.
 */
class FromBenchtopTest {
    private static final byte SEP = 0x1f;

    private static String page() throws IOException {
        return Files.readString(
                Path.of(System.getProperty("pail.project", "..")).resolve("docs/from-benchtop.md"));
    }

    /** The bytes of an example, by its place in the page. */
    private static byte[] example(int number) throws IOException {
        List<String> blocks = Pattern.compile("```hex\\n(.*?)```", Pattern.DOTALL)
                .matcher(page())
                .results()
                .map(block -> block.group(1).replaceAll("#[^\\n]*", "").replaceAll("\\s", ""))
                .toList();
        assertThat(blocks).hasSize(5);
        return HexFormat.of().parseHex(blocks.get(number));
    }

    private static byte[] joined(String prefix, String... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(prefix.getBytes(StandardCharsets.US_ASCII));
        for (String part : parts) {
            out.write(SEP);
            out.writeBytes(part.getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    /** "Table Keys": NewTableKey, ParseTableKey. */
    @Test
    void tableKeys_B2() throws IOException {
        byte[] key = example(0);
        assertThat(key).isEqualTo(joined("Tpeople"));
        assertThat(new TableKey(Bytes.of("people")).toBytes()).isEqualTo(key);
        assertThat(TableKey.fromBytes(key).id()).isEqualTo(Bytes.of("people"));
    }

    /** "Position (Row Location) Keys": NewPosKey, ParsePosKey, NewPosKeyPrefix. */
    @Test
    void positionKeys_B3() throws IOException {
        byte[] key = example(1);
        ByteBuffer plain = ByteBuffer.allocate(6).order(ByteOrder.LITTLE_ENDIAN);
        plain.put((byte) 'P').putShort((short) 25023).put("ada".getBytes(StandardCharsets.US_ASCII));
        assertThat(key).isEqualTo(plain.array());
        assertThat(new PositionKey(25023, Bytes.of("ada")).toBytes()).isEqualTo(key);
        assertThat(PositionKey.fromBytes(key)).isEqualTo(new PositionKey(25023, Bytes.of("ada")));
        assertThat(key).startsWith(PositionKey.prefix(25023)).hasSize(PositionKey.prefix(25023).length + 3);
    }

    /** "Field Index Keys": FieldKey, FieldKeyParse, FieldLabelKey. */
    @Test
    void fieldKeys_B4() throws IOException {
        byte[] key = example(2);
        FieldKey expected = new FieldKey("city", "user", Scalar.of("New York"), Bytes.of("7"));
        assertThat(key).isEqualTo(joined("F", "city", "user", "\"New York\"", "7"));
        assertThat(expected.toBytes()).isEqualTo(key);
        assertThat(FieldKey.fromBytes(key)).isEqualTo(expected);
        assertThat(FieldKey.prefix("city", "user")).isEqualTo(joined("F", "city", "user", ""));
        assertThat(key).startsWith(FieldKey.prefix("city", "user"));
    }

    /** "Reverse Field Index Keys": RFieldKey. */
    @Test
    void reverseKeys_B4() throws IOException {
        byte[] key = example(3);
        assertThat(key).isEqualTo(joined("R", "user", "city", "7"));
        assertThat(new ReverseKey("user", "city", Bytes.of("7")).toBytes()).isEqualTo(key);
        assertThat(ReverseKey.fromBytes(key)).isEqualTo(new ReverseKey("user", "city", Bytes.of("7")));
    }

    /** "RowLoc": EncodeRowLoc, DecodeRowLoc. */
    @Test
    void rowLocations_B7() throws IOException {
        byte[] location = example(4);
        ByteBuffer plain = ByteBuffer.allocate(10).order(ByteOrder.LITTLE_ENDIAN);
        plain.putShort((short) 3).putInt(4096).putInt(120);
        assertThat(location).isEqualTo(plain.array());
        assertThat(new RowLoc(3, 4096, 120).toBytes()).isEqualTo(location);
        assertThat(RowLoc.fromBytes(location)).isEqualTo(new RowLoc(3, 4096, 120));
    }

    @Test
    void thePageHasEachFunction() throws IOException {
        for (String function : List.of(
                "NewTableKey",
                "ParseTableKey",
                "NewPosKey",
                "ParsePosKey",
                "NewPosKeyPrefix",
                "FieldKey",
                "FieldKeyParse",
                "FieldLabelKey",
                "RFieldKey",
                "EncodeRowLoc",
                "DecodeRowLoc")) {
            assertThat(page()).contains("| `" + function + "(").contains("// " + function + "\n");
        }
    }
}
