package dev.pail.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.MalformedBlockException;
import dev.pail.MapBlocks;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import dev.pail.testkit.Randomness;
import dev.pail.unsafe.UnsafeBlocks;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The decoder of shards against a slow twin, which reads each item of dag-cbor by itself. */
class ShardDecoderTest {
    private static final String[] CHARACTERS = {"a", "b", "~", "\u00e4", "\u20ac", "\ud83d\ude00"};

    /** The result of a decoder, or its refusal. */
    private record Outcome(String text) {
        static Outcome of(int[] starts, boolean linked, boolean overlapping) {
            return new Outcome(Arrays.toString(starts) + linked + overlapping);
        }

        static Outcome of(MalformedBlockException refused) {
            return new Outcome(String.valueOf(refused.getMessage()));
        }
    }

    private static Outcome fast(Layout layout, Block block, KeyBytes prefix) {
        try {
            Shard shard = ShardDecoder.decode(layout, block, prefix);
            return Outcome.of(shard.starts, shard.isLinked(), shard.overlapping);
        } catch (MalformedBlockException e) {
            return Outcome.of(e);
        }
    }

    private static Outcome slow(Layout layout, Block block, KeyBytes prefix) {
        try {
            SlowDecoder.Decoded decoded = SlowDecoder.decode(layout, block, prefix);
            return Outcome.of(decoded.starts, decoded.anyLink, decoded.overlapping);
        } catch (MalformedBlockException e) {
            return Outcome.of(e);
        }
    }

    private static String key(Random random, boolean isAscii) {
        StringBuilder key = new StringBuilder();
        int most = random.nextInt(20) == 0 ? 300 : random.nextInt(20) == 0 ? 26 : 4;
        for (int left = random.nextInt(most); left >= 0; left--) {
            key.append(CHARACTERS[random.nextInt(isAscii || random.nextInt(10) > 0 ? 3 : CHARACTERS.length)]);
        }
        return key.toString();
    }

    private static Cid cid(Random random) {
        byte[] content = {(byte) random.nextInt(5)};
        Cid plain =
                Block.of(random.nextBoolean() ? Cid.DAG_CBOR : Cid.RAW, content).cid();
        return switch (random.nextInt(8)) {
            case 0 -> Cid.fromBytes(new byte[] {1, 0x55, 0, 1, content[0]});
            case 1 ->
                Cid.fromBytes(
                        Arrays.copyOfRange(Block.of(Cid.DAG_PB, content).cid().toBytes(), 2, 36));
            default -> plain;
        };
    }

    private static byte[] shard(Layout layout, KeyBytes prefix, Random random) {
        Map<String, Integer> kinds = new TreeMap<>();
        for (int entries = random.nextInt(9); entries > 0; entries--) {
            kinds.put(key(random, random.nextBoolean()), random.nextInt(5));
        }
        DagCborWriter writer = new DagCborWriter().array(kinds.size());
        kinds.forEach((key, kind) -> {
            writer.array(2).text(key);
            Cid child = Block.of(Cid.DAG_CBOR, new byte[] {(byte) (int) kind}).cid();
            switch (kind) {
                case 0 -> writer.array(1).link(random.nextInt(9) == 0 ? cid(random) : child);
                case 1 -> writer.array(2).link(child).link(cid(random));
                default -> writer.link(cid(random));
            }
        });
        byte[] array = writer.toByteArray();
        byte[] header = layout.header(prefix);
        byte[] trailer = layout.trailer(prefix);
        // The writer has written the head of the array, which a layout leaves to the entries.
        byte[] bytes = Arrays.copyOf(header, header.length + array.length + trailer.length);
        System.arraycopy(array, 0, bytes, header.length, array.length);
        System.arraycopy(trailer, 0, bytes, header.length + array.length, trailer.length);
        return bytes;
    }

    /** Writes the length of the next short text in a byte of its own, which is not the shortest form. */
    private static byte[] withLongHead(byte[] bytes, int from) {
        for (int at = from; at < bytes.length; at++) {
            int length = bytes[at] - 0x60;
            if (length >= 0 && length < 24) {
                byte[] longer = new byte[bytes.length + 1];
                System.arraycopy(bytes, 0, longer, 0, at);
                System.arraycopy(bytes, at + 1, longer, at + 2, bytes.length - at - 1);
                longer[at] = 0x78;
                longer[at + 1] = (byte) length;
                return longer;
            }
        }
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1", "v2"})
    void readsAndRefusesAsTheSlowTwin(String format) {
        Random random = Randomness.random("ShardDecoderTest");
        Layout layout = Layout.named(format);
        int sound = 0;
        for (int i = 0; i < 20_000; i++) {
            KeyBytes prefix = random.nextInt(3) == 0 ? KeyBytes.of("ab") : KeyBytes.EMPTY;
            byte[] bytes = shard(layout, prefix, random);
            bytes = changed(bytes, random);
            Block block = Block.of(Cid.DAG_CBOR, bytes);
            Outcome expected = slow(layout, block, prefix);
            sound += expected.text().startsWith("[") ? 1 : 0;
            assertThat(fast(layout, block, prefix)).isEqualTo(expected);
        }
        assertThat(sound).isBetween(500, 19_500);
    }

    private static byte[] changed(byte[] given, Random random) {
        byte[] bytes = given;
        for (int changes = random.nextInt(3); changes > 0; changes--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(5)) {
                case 4 -> bytes = withLongHead(bytes, at);
                case 0 -> bytes[at] = (byte) random.nextInt();
                case 1 -> bytes[at] += (byte) (random.nextBoolean() ? 1 : -1);
                case 2 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
                default -> System.arraycopy(bytes, at, bytes, at - at / 2, bytes.length - at);
            }
        }
        return bytes;
    }

    private record Named(String format, Map<String, Integer> configuration) {}

    /** A root is opened with the format of the detection, which passes over all entries, and refused with its words. */
    @Test
    void aRootIsOpenedAsTheDetectionSays_S2() {
        Random random = Randomness.random("ShardDecoderTest roots");
        List<Layout> layouts = List.of(
                Layout.named("v0"),
                Layout.named("v0").with(Map.of("maxSize", 1000, "maxKeyLength", 20)),
                Layout.named("v1"),
                Layout.named("v1").with(Map.of("maxKeySize", 100)),
                Layout.named("v2"));
        int sound = 0;
        for (int i = 0; i < 20_000; i++) {
            Layout layout = layouts.get(random.nextInt(layouts.size()));
            Block root = Block.of(Cid.DAG_CBOR, changed(shard(layout, KeyBytes.EMPTY, random), random));
            String expected;
            try {
                Layout detected = Layout.detect(root);
                Shard unused = ShardDecoder.decode(detected, root, KeyBytes.EMPTY);
                expected = new Named(detected.name(), detected.configuration()).toString();
            } catch (MalformedBlockException e) {
                expected = String.valueOf(e.getMessage());
            }
            MapBlocks blocks = new MapBlocks();
            blocks.put(root);
            String opened;
            try {
                ShardFormat format = Pail.open(blocks, root.cid()).format();
                opened = new Named(format.name(), format.configuration()).toString();
                sound++;
            } catch (MalformedBlockException e) {
                opened = String.valueOf(e.getMessage());
            }
            assertThat(opened).isEqualTo(expected);
        }
        assertThat(sound).isBetween(500, 19_500);
    }

    /** Decodes without a fast path. */
    private static final class SlowDecoder {
        private static final class Decoded {
            private final int[] starts;
            private final boolean anyLink;
            private final boolean overlapping;

            Decoded(int[] starts, boolean anyLink, boolean overlapping) {
                this.starts = starts;
                this.anyLink = anyLink;
                this.overlapping = overlapping;
            }
        }

        private static final int FIRST_ENTRIES = 1024;

        private final Layout layout;
        private final KeyBytes prefix;
        private final Cid cid;
        private final byte[] bytes;

        private int[] starts = new int[0];
        private boolean anyLink;
        private boolean overlapping;

        /** The key of the last entry that links to a shard. */
        private @Nullable KeyBytes lastLinked;

        private SlowDecoder(Layout layout, Block block, KeyBytes prefix) {
            this.layout = layout;
            this.prefix = prefix;
            this.cid = block.cid();
            this.bytes = UnsafeBlocks.bytes(block);
        }

        /**
         * @param prefix the path on which the shard was found: what all keys in it start with
         * @throws MalformedBlockException if a rule is broken
         */
        static Decoded decode(Layout layout, Block block, KeyBytes prefix) {
            return new SlowDecoder(layout, block, prefix).decode();
        }

        private Decoded decode() {
            byte[] header = layout.header(prefix);
            byte[] trailer = layout.trailer(prefix);
            compare(header, 0);
            int end = Math.max(header.length, bytes.length - trailer.length);
            try {
                entries(new DagCborReader(bytes, header.length, end));
            } catch (MalformedDataException e) {
                throw broken(e.offset(), e.rule());
            }
            compare(trailer, end);
            int count = starts.length - 1;
            // Rule S9.
            if (count == 0 && !prefix.isEmpty()) {
                throw broken(header.length, "only the root shard may be empty (S9)");
            }
            return new Decoded(starts, anyLink, overlapping);
        }

        /** Compares what is around the entries with the header that the place of the shard demands. Rule S3. */
        private void compare(byte[] expected, int at) {
            int i = Arrays.mismatch(
                    expected, 0, expected.length, bytes, at, Math.min(bytes.length, at + expected.length));
            if (i >= 0) {
                throw broken(
                        at + i, "a shard has the layout, configuration and prefix of its place in the pail (S2, S3)");
            }
        }

        private void entries(DagCborReader reader) {
            int count = reader.readArray();
            starts = new int[1 + Math.min(count, FIRST_ENTRIES)];
            KeyBytes last = null;
            for (int entry = 0; entry < count; entry++) {
                if (entry + 1 == starts.length) {
                    starts = Arrays.copyOf(starts, 1 + Math.min(count, 2 * entry));
                }
                starts[entry] = reader.position();
                last = entry(reader, last);
            }
            starts[count] = reader.position();
            reader.end();
        }

        private KeyBytes entry(DagCborReader reader, @Nullable KeyBytes last) {
            // Rule S5.
            if (reader.readArray() != 2) {
                throw broken(reader.position(), "an entry is a key and a value (S5)");
            }
            int from = reader.readTextSpan();
            int to = reader.position();
            boolean linked = value(reader);
            KeyBytes key = new KeyBytes(bytes, from, to);
            // Rule S6.
            if (last != null && Utf8.compare(last.array, last.from, last.to, bytes, from, to) >= 0) {
                throw broken(from, "keys are in order and each is there once (S6)");
            }
            overlapping |= lastLinked != null && key.startsWith(lastLinked);
            // Rule S8.
            String rule = key.isEmpty() && (linked || !prefix.isEmpty())
                    ? "the empty key is in the root shard and not linked (S8)"
                    : layout.brokenRule(prefix, last, key, linked);
            if (rule != null) {
                throw broken(from, rule);
            }
            if (linked) {
                lastLinked = key;
                anyLink = true;
            }
            return key;
        }

        /** Reads a value and says whether it links to a shard. */
        private boolean value(DagCborReader reader) {
            // Rule K3: user data is any CID, so nothing but its form is checked.
            if (reader.peek() == DagCborReader.Kind.LINK) {
                reader.readLinkSpan();
                return false;
            }
            int at = reader.position();
            int links = reader.readArray();
            if (links != 1 && links != 2) {
                throw broken(at, "a value is a link, or an array of a shard link and perhaps user data (S5)");
            }
            int link = reader.readLinkSpan();
            if (!Cid.isShardLink(bytes, link, reader.position())) {
                throw broken(link, "a shard is a dag-cbor block named by SHA2-256 (S1)");
            }
            if (links == 2) {
                reader.readLinkSpan();
            }
            return true;
        }

        private MalformedBlockException broken(long offset, String rule) {
            return MalformedBlockException.ofShard(cid, offset, rule);
        }
    }
}
