package dev.pail.ipld;

import static org.assertj.core.api.Assertions.assertThat;

import co.nstant.in.cbor.CborDecoder;
import co.nstant.in.cbor.CborEncoder;
import co.nstant.in.cbor.CborException;
import co.nstant.in.cbor.model.Array;
import co.nstant.in.cbor.model.ByteString;
import co.nstant.in.cbor.model.DataItem;
import co.nstant.in.cbor.model.DoublePrecisionFloat;
import co.nstant.in.cbor.model.NegativeInteger;
import co.nstant.in.cbor.model.SimpleValue;
import co.nstant.in.cbor.model.UnicodeString;
import co.nstant.in.cbor.model.UnsignedInteger;
import dev.pail.testkit.Randomness;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Random documents as another library for CBOR sees them. */
class NstantOracleTest {
    private static final int DOCUMENTS = 20_000;
    private static final int MAX_DEPTH = 5;
    private static final String LETTERS = "abz~\u00fc\u07ff\u20ac\uffff";

    private Random random;
    private DagCborWriter writer;

    @Test
    void documents() throws CborException {
        random = Randomness.random("NstantOracleTest");
        for (int n = 0; n < DOCUMENTS; n++) {
            writer = new DagCborWriter();
            DataItem expected = item(0);
            byte[] written = writer.toByteArray();
            String hex = HexFormat.of().formatHex(written);
            assertThat(CborDecoder.decode(written)).as(hex).containsExactly(expected);
            assertThat(encoded(expected)).as(hex).isEqualTo(hex);
            assertThat(Transcoder.transcode(written)).as(hex).isEqualTo(written);
        }
    }

    private static String encoded(DataItem item) throws CborException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new CborEncoder(out).encode(item);
        return HexFormat.of().formatHex(out.toByteArray());
    }

    /** Writes a random item, and returns the same as an item of the other library. */
    private DataItem item(int depth) {
        return switch (random.nextInt(depth < MAX_DEPTH ? 10 : 8)) {
            case 0 -> integer(number());
            case 1 -> number(Double.longBitsToDouble(random.nextLong()));
            case 2 -> number(random.nextInt(100) / 4.0);
            case 3 -> {
                String text = text();
                writer.text(text);
                yield new UnicodeString(text);
            }
            case 4 -> {
                byte[] content = new byte[length()];
                random.nextBytes(content);
                writer.bytes(content);
                yield new ByteString(content);
            }
            case 5 -> link(Cids.random(random));
            case 6 -> {
                boolean value = random.nextBoolean();
                writer.bool(value);
                yield value ? SimpleValue.TRUE : SimpleValue.FALSE;
            }
            case 7 -> {
                writer.nothing();
                yield SimpleValue.NULL;
            }
            case 8 -> array(depth);
            default -> map(depth);
        };
    }

    private DataItem integer(BigInteger value) {
        if (value.bitLength() < 64) {
            writer.integer(value.longValue());
        } else {
            writer.integer(value);
        }
        return value.signum() < 0 ? new NegativeInteger(value) : new UnsignedInteger(value);
    }

    private DataItem number(double value) {
        double finite = Double.isFinite(value) && value != 0 ? value : 0.0;
        writer.number(finite);
        return new DoublePrecisionFloat(finite);
    }

    /** That library shares its simple values: a tag on one of them would stay. This one is on a byte string of its own. */
    private DataItem link(byte[] cid) {
        writer.link(Cid.fromBytes(cid));
        byte[] content = new byte[cid.length + 1];
        System.arraycopy(cid, 0, content, 1, cid.length);
        ByteString link = new ByteString(content);
        link.setTag(42);
        return link;
    }

    private DataItem array(int depth) {
        int length = random.nextInt(20) == 0 ? length() : random.nextInt(4);
        Array array = new Array();
        writer.array(length);
        for (int i = 0; i < length; i++) {
            array.add(item(length > 4 ? MAX_DEPTH : depth + 1));
        }
        return array;
    }

    /** Keys are ASCII, because that library puts others in the wrong order. */
    private DataItem map(int depth) {
        int most = random.nextInt(20) == 0 ? length() : random.nextInt(4);
        SortedMap<String, String> keys = new TreeMap<>();
        for (int i = 0; i < most; i++) {
            String key = key();
            keys.put("%04d".formatted(key.length()) + key, key);
        }
        co.nstant.in.cbor.model.Map map = new co.nstant.in.cbor.model.Map();
        writer.map(keys.size());
        for (String key : keys.values()) {
            writer.text(key);
            map.put(new UnicodeString(key), item(keys.size() > 4 ? MAX_DEPTH : depth + 1));
        }
        return map;
    }

    private String key() {
        StringBuilder key = new StringBuilder();
        for (int length = length() % 300; length > 0; length--) {
            key.append((char) (' ' + random.nextInt(95)));
        }
        return key.toString();
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int length = length(); length > 0; length--) {
            if (random.nextInt(8) == 0) {
                text.appendCodePoint(0x10000 + random.nextInt(0x100000));
            } else {
                text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
            }
        }
        return text.toString();
    }

    /** Mostly short, and around where the head of a length grows. */
    private int length() {
        return switch (random.nextInt(20)) {
            case 0 -> 22 + random.nextInt(4);
            case 1 -> 254 + random.nextInt(4);
            default -> random.nextInt(6);
        };
    }

    /** From -2^64 to 2^64 - 1, of any size with the same probability. */
    private BigInteger number() {
        BigInteger value = new BigInteger(random.nextInt(65), random);
        return random.nextBoolean() ? value : value.not();
    }
}
