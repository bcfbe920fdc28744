package dev.pail.clock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.MalformedBlockException;
import dev.pail.Vectors;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.testkit.Randomness;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is read as an event, and what it is, beside a twin that decodes all of it at once: on events, damaged ones, and near misses. */
class EventMutationTest {
    private static final Cid ROOT = Block.of(Cid.DAG_CBOR, new byte[] {0}).cid();
    private static final List<String> NAMES = List.of(
            "data",
            "parents",
            "ops",
            "root",
            "key",
            "type",
            "value",
            "put",
            "del",
            "batch",
            "meta",
            "part",
            "parts",
            "time",
            "author",
            "message",
            "tree",
            "horizon",
            "replaces");

    private static @Nullable PlainEvent plain(byte[] bytes) {
        try {
            return PlainEvent.read(bytes);
        } catch (RuntimeException e) {
            return null;
        }
    }

    /** Whether the bytes are an event: both must say the same. */
    private static boolean compare(byte[] bytes) {
        PlainEvent plain = plain(bytes);
        Event event;
        try {
            event = Event.fromBlock(Block.of(Cid.DAG_CBOR, bytes));
        } catch (MalformedBlockException e) {
            assertThat(plain).isNull();
            rootOfNoEvent(bytes, e);
            return false;
        }
        assertThat(plain).isNotNull();
        assertThat(new PlainEvent(event.operation(), event.root(), event.parents(), event.description()))
                .isEqualTo(plain);
        assertThat(event.operation()).isSameAs(event.operation());
        assertThat(EventDecoder.root(event.block())).isEqualTo(event.root());
        return true;
    }

    /** What is no event may have a root all the same: of the changes nothing is read. It is that, or one clear error. */
    private static void rootOfNoEvent(byte[] bytes, MalformedBlockException refusal) {
        try {
            assertThat(EventDecoder.root(Block.of(Cid.DAG_CBOR, bytes)).isShardLink())
                    .isTrue();
        } catch (MalformedBlockException e) {
            assertThat(e).hasMessageContaining("(");
            assertThat(isForeign(e) || e.offset() != refusal.offset())
                    .isEqualTo(isForeign(refusal) || e.offset() != refusal.offset());
        }
    }

    private static boolean isForeign(MalformedBlockException e) {
        return e.subject() == MalformedBlockException.Subject.FOREIGN_EVENT;
    }

    private static void compare(String what, long seed, byte[] bytes) {
        try {
            compare(bytes);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(
                    what + " of -Dpail.seed=" + seed + ": " + HexFormat.of().formatHex(bytes), e);
        }
    }

    @Test
    void damagedEvents() {
        long seed = Randomness.seed("EventMutationTest.damagedEvents");
        int times = Randomness.times(3000, 1_000_000);
        for (int i = 0; i < times; i++) {
            Random random = Randomness.random(seed + i);
            byte[] bytes = event(random).block().bytes();
            assertThat(compare(bytes)).isTrue();
            for (int damages = 1 + random.nextInt(3); damages > 0 && bytes.length > 0; damages--) {
                bytes = damaged(bytes, random);
                compare("event " + i, seed, bytes);
            }
        }
    }

    private static Event event(Random random) {
        List<Cid> parents = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            parents.add(Block.of(Cid.DAG_CBOR, new byte[] {(byte) i}).cid());
        }
        if (random.nextInt(3) == 0) {
            return described(change(random), parents, random);
        }
        List<Operation.Change> changes = new ArrayList<>();
        for (int i = random.nextInt(30); i > 0; i--) {
            changes.add(change(random));
        }
        return described(new Operation.Batch(changes), parents, random);
    }

    /** With any of the fields that a description may have, also those of which nothing is read. */
    private static Event described(Operation operation, List<Cid> parents, Random random) {
        Event plain = Event.of(operation, ROOT, parents);
        int fields = random.nextInt(3) == 0 ? 0 : random.nextInt(256);
        DagCborWriter meta = new DagCborWriter().map(Integer.bitCount(fields & 0x7f) + (fields >> 7) * 2);
        int part = 2 + random.nextInt(3);
        if ((fields & 1) != 0) {
            meta.text("ab").map(1).text("c").array(1).bytes(new byte[random.nextInt(9)]);
        }
        if ((fields & 128) != 0) {
            meta.text("part").integer(part);
        }
        if ((fields & 2) != 0) {
            meta.text("time").integer(random.nextLong() & ((1L << 53) - 1));
        }
        if ((fields & 4) != 0) {
            meta.text("tree").array(2).integer(random.nextInt(9)).bytes(new byte[32]);
        }
        if ((fields & 128) != 0) {
            meta.text("parts").integer(part);
        }
        if ((fields & 8) != 0) {
            meta.text("author").text("Ann <ann@example.org>");
        }
        if ((fields & 16) != 0) {
            meta.text("horizon").bool(true);
        }
        if ((fields & 32) != 0) {
            meta.text("message").text("m".repeat(1 + random.nextInt(30)));
        }
        if ((fields & 64) != 0) {
            meta.text("replaces").array(1).link(ROOT);
        }
        return fields == 0 ? plain : Event.fromBlock(Block.of(Cid.DAG_CBOR, withMeta(plain, meta)));
    }

    /** Where the map of the data begins: behind the head of the event and its first name. */
    private static final int DATA = 6;

    /** The field comes before the root: it is inserted there, and the map of the data gets one more. */
    private static byte[] withMeta(Event plain, DagCborWriter meta) {
        byte[] bytes = plain.block().bytes();
        byte[] link = new DagCborWriter().link(ROOT).toByteArray();
        byte[] root = spliced(link, 0, 0, text("root"));
        for (int at = 0; ; at++) {
            if (Arrays.equals(bytes, at, at + root.length, root, 0, root.length)) {
                byte[] whole = spliced(spliced(bytes, at, at, meta.toByteArray()), at, at, text("meta"));
                whole[DATA]++;
                return whole;
            }
        }
    }

    private static Operation.Change change(Random random) {
        StringBuilder key = new StringBuilder();
        for (int i = random.nextInt(random.nextInt(50) == 0 ? 300 : 30); i > 0; i--) {
            key.appendCodePoint(random.nextInt(20) == 0 ? 0x1f600 : random.nextInt(20) == 0 ? 0xe4 : 'a' + i % 26);
        }
        return random.nextInt(4) == 0
                ? new Operation.Delete(key.toString())
                : new Operation.Put(key.toString(), Vectors.value(random.nextInt(100)));
    }

    private static byte[] damaged(byte[] bytes, Random random) {
        int at = random.nextInt(bytes.length);
        int length = random.nextInt(Math.min(8, bytes.length - at) + 1);
        return switch (random.nextInt(6)) {
            case 0 -> Arrays.copyOf(bytes, at);
            case 1 -> spliced(bytes, at, at + 1, new byte[] {(byte) random.nextInt(256)});
            case 2 -> spliced(bytes, at, at + 1, new byte[] {(byte) (bytes[at] + (random.nextBoolean() ? 1 : -1))});
            case 3 -> spliced(bytes, at, at + length, new byte[0]);
            case 4 -> spliced(bytes, at, at, Arrays.copyOfRange(bytes, at, at + length));
            default -> renamed(bytes, random);
        };
    }

    /** With one of the names that events have, wherever it is next, as another one. */
    private static byte[] renamed(byte[] bytes, Random random) {
        byte[] from = text(NAMES.get(random.nextInt(NAMES.size())));
        int start = random.nextInt(bytes.length);
        for (int at = start; at + from.length <= bytes.length; at++) {
            if (Arrays.equals(bytes, at, at + from.length, from, 0, from.length)) {
                return spliced(bytes, at, at + from.length, text(NAMES.get(random.nextInt(NAMES.size()))));
            }
        }
        return bytes;
    }

    private static byte[] text(String name) {
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        byte[] item = new byte[1 + text.length];
        item[0] = (byte) (0x60 + text.length);
        System.arraycopy(text, 0, item, 1, text.length);
        return item;
    }

    private static byte[] spliced(byte[] bytes, int from, int to, byte[] instead) {
        byte[] result = Arrays.copyOf(bytes, bytes.length - (to - from) + instead.length);
        System.arraycopy(instead, 0, result, from, instead.length);
        System.arraycopy(bytes, to, result, from + instead.length, bytes.length - to);
        return result;
    }

    /** Every map of these fields with each value of these, where an event has its data, and where it has a change. */
    @Test
    void mapsThatAreAlmostRight() {
        List<String> fields = List.of("key", "ops", "meta", "root", "type", "value");
        int events = 0;
        for (int wanted = 0; wanted < 1 << fields.size(); wanted++) {
            List<String> chosen = new ArrayList<>();
            for (int i = 0; i < fields.size(); i++) {
                if ((wanted & 1 << i) != 0) {
                    chosen.add(fields.get(i));
                }
            }
            chosen.sort((a, b) -> a.length() == b.length() ? a.compareTo(b) : a.length() - b.length());
            int forms = 1;
            for (int i = 0; i < chosen.size(); i++) {
                forms *= chosen.get(i).equals("meta") ? 1 : ITEMS;
            }
            for (int form = 0; form < forms; form++) {
                DagCborWriter data = new DagCborWriter().map(2).text("data");
                map(data, chosen, form);
                events += compare(data.text("parents").array(0).toByteArray()) ? 1 : 0;
                DagCborWriter change = new DagCborWriter().map(2).text("data").map(3);
                change.text("ops").array(1);
                map(change, chosen, form);
                change.text("root").link(ROOT).text("type").text("batch");
                events += compare(change.text("parents").array(0).toByteArray()) ? 1 : 0;
            }
        }
        assertThat(events).isGreaterThan(10);
    }

    private static final int ITEMS = 6;

    private static void map(DagCborWriter writer, List<String> fields, int form) {
        writer.map(fields.size());
        int rest = form;
        for (String field : fields) {
            writer.text(field);
            if (field.equals("meta")) {
                writer.map(1).text("time").integer(1);
                continue;
            }
            switch (rest % ITEMS) {
                case 0 -> writer.text("put");
                case 1 -> writer.text("del");
                case 2 -> writer.text("batch");
                case 3 -> writer.link(ROOT);
                case 4 -> writer.link(Vectors.value(1));
                default -> writer.array(0);
            }
            rest /= ITEMS;
        }
    }
}
