package dev.pail.clock;

import dev.pail.MalformedBlockException;
import dev.pail.bytes.Utf8;
import dev.pail.clock.Operation.Change;
import dev.pail.clock.Operation.Delete;
import dev.pail.clock.Operation.Put;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.MalformedDataException;
import dev.pail.unsafe.UnsafeBlocks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads an event from a block and checks it against spec rules M1 to M7 and DE1. Canonical form leaves the fields of a map one
 * order, so each is expected in its place.
 *
 * <p>Most who read an event never ask what it did. So its changes are checked with all else, but are made objects only where
 * {@link #operation} asks for them.
 */
final class EventDecoder {
    private static final byte[] DATA = Utf8.encode("data");
    private static final byte[] PARENTS = Utf8.encode("parents");
    private static final byte[] OPS = Utf8.encode("ops");
    private static final byte[] META = Utf8.encode("meta");
    private static final byte[] ROOT = Utf8.encode("root");
    private static final byte[] KEY = Utf8.encode("key");
    private static final byte[] TYPE = Utf8.encode("type");
    private static final byte[] VALUE = Utf8.encode("value");
    private static final byte[] PUT = Utf8.encode("put");
    private static final byte[] DEL = Utf8.encode("del");
    private static final byte[] BATCH = Utf8.encode("batch");

    private final Block block;
    private final byte[] bytes;
    private final DagCborReader reader;

    /** Where the changes go; null, if they are only checked. */
    private final @Nullable List<Change> changes;

    private boolean batch;

    /** Where the map of the description begins; 0 if there is none. */
    private int description;

    /** Whether the changes of a batch are passed over. */
    private boolean passes;

    private EventDecoder(Block block, @Nullable List<Change> changes) {
        this.block = block;
        this.bytes = UnsafeBlocks.bytes(block);
        this.reader = new DagCborReader(bytes);
        this.changes = changes;
    }

    /** @throws MalformedBlockException if a rule is broken */
    static Event decode(Block block) {
        checkBlock(block);
        try {
            return new EventDecoder(block, null).event();
        } catch (MalformedDataException e) {
            throw MalformedBlockException.ofEvent(block.cid(), e.offset(), e.rule());
        }
    }

    /**
     * The root of the event that a block is. Of a batch the changes are passed over: they may be many, and who opens a version does not ask
     * for them.
     *
     * @throws MalformedBlockException if there is no root
     */
    static Cid root(Block block) {
        checkBlock(block);
        try {
            EventDecoder decoder = new EventDecoder(block, null);
            decoder.passes = true;
            return decoder.throughData();
        } catch (MalformedDataException e) {
            throw MalformedBlockException.ofEvent(block.cid(), e.offset(), e.rule());
        }
    }

    private static void checkBlock(Block block) {
        if (!block.cid().isShardLink()) {
            throw MalformedBlockException.ofEvent(block.cid(), 0, "an event is dag-cbor, named by SHA2-256 (M1)");
        }
        if (block.size() > Block.MAX_SIZE) {
            throw MalformedBlockException.ofEvent(
                    block.cid(), 0, "an event has " + Block.MAX_SIZE + " bytes at most (M7)");
        }
    }

    /** What the event did that a block is, which {@link #decode} has taken. */
    static Operation operation(Block block) {
        List<Change> changes = new ArrayList<>();
        EventDecoder decoder = new EventDecoder(block, changes);
        decoder.event();
        return decoder.batch ? new Operation.Batch(changes) : changes.get(0);
    }

    /** Reads the event up to the end of its data, and returns the root. */
    private Cid throughData() {
        fields(2, "an event has data and parents (M2)");
        name(DATA, "an event has data and parents (M2)");
        try {
            return data();
        } catch (MalformedDataException e) {
            throw MalformedBlockException.ofForeignEvent(block.cid(), e.offset(), e.rule());
        }
    }

    /** Reads the event, which has two fields. Rule M2. */
    private Event event() {
        Cid root = throughData();
        name(PARENTS, "an event has data and parents (M2)");
        List<Cid> parents = parents();
        reader.end();
        return Event.decoded(block, root, parents, description);
    }

    /** Reads what was done, and returns the root. Rule M3. */
    private Cid data() {
        int at = reader.position();
        int fields = reader.peek() == DagCborReader.Kind.MAP ? reader.readMap() : 0;
        int first = reader.position();
        int name = fields == 0 ? first : reader.readTextSpan();
        if (is(OPS, name) && (fields == 3 || fields == 4)) {
            batch = true;
            if (passes) {
                reader.pass();
            } else {
                changes();
            }
            Cid root = root(fields == 4, fields == 4);
            type(BATCH);
            return root;
        }
        if (!is(KEY, name) || fields < 3 || fields > 5) {
            throw new MalformedDataException(
                    fields >= 3 && fields <= 5 ? first : at,
                    "data has key, root, type and value, key, root and type, or ops, root and type (M3)");
        }
        int key = reader.readTextSpan();
        int keyEnd = reader.position();
        Cid root = root(fields == 4 || fields == 5, fields == 5);
        change(key, keyEnd, fields - (description == 0 ? 0 : 1) == 4);
        return root;
    }

    /** Reads the changes of a batch. Rule M4. */
    private void changes() {
        for (int left = reader.readArray(); left > 0; left--) {
            int at = reader.position();
            int fields = reader.readMap();
            if (fields != 2 && fields != 3) {
                throw new MalformedDataException(at, "a change has key, type and value, or key and type (M4)");
            }
            name(KEY, "a change has key, type and value, or key and type (M4)");
            int key = reader.readTextSpan();
            change(key, reader.position(), fields == 3);
        }
    }

    /** Reads what follows the key or the root: the type, and the value where there is one. */
    private void change(int key, int keyEnd, boolean valued) {
        if (!valued) {
            type(DEL);
            if (changes != null) {
                changes.add(new Delete(Utf8.decode(bytes, key, keyEnd)));
            }
            return;
        }
        type(PUT);
        name(VALUE, "a put has a value (M3, M4)");
        int value = reader.readLinkSpan();
        if (changes != null) {
            changes.add(new Put(Utf8.decode(bytes, key, keyEnd), Cid.fromBytes(bytes, value, reader.position())));
        }
    }

    /** Reads the description, where there may or must be one, and the root. */
    private Cid root(boolean mayBeDescribed, boolean isDescribed) {
        int at = reader.position();
        int name = reader.readTextSpan();
        if (mayBeDescribed && is(META, name)) {
            description = reader.position();
            if (passes) {
                reader.pass();
            } else {
                DescriptionCodec.check(bytes, reader);
            }
            name(ROOT, "data has a root (M3)");
        } else if (isDescribed || !is(ROOT, name)) {
            throw new MalformedDataException(
                    at, isDescribed ? "data of this size has meta (DE1)" : "data has a root (M3)");
        }
        return link("a root is dag-cbor, named by SHA2-256 (S1)");
    }

    private List<Cid> parents() {
        int at = reader.position();
        int count = reader.readArray();
        if (count > Event.MAX_PARENTS) {
            throw new MalformedDataException(at, "an event has " + Event.MAX_PARENTS + " parents at most (M6)");
        }
        Set<Cid> once = new HashSet<>();
        List<Cid> parents = new ArrayList<>();
        for (; count > 0; count--) {
            int link = reader.position();
            Cid parent = link("an event is dag-cbor, named by SHA2-256 (M1)");
            if (!once.add(parent)) {
                throw new MalformedDataException(link, "an event has each parent once (M5)");
            }
            parents.add(parent);
        }
        return parents;
    }

    private Cid link(String rule) {
        int at = reader.position();
        Cid cid = reader.readLink();
        if (!cid.isShardLink()) {
            throw new MalformedDataException(at, rule);
        }
        return cid;
    }

    private void fields(int count, String rule) {
        int at = reader.position();
        if (reader.readMap() != count) {
            throw new MalformedDataException(at, rule);
        }
    }

    private void name(byte[] expected, String rule) {
        int at = reader.position();
        if (!is(expected, reader.readTextSpan())) {
            throw new MalformedDataException(at, rule);
        }
    }

    private void type(byte[] expected) {
        name(TYPE, "an operation has a type (M3, M4)");
        int at = reader.position();
        if (!is(expected, reader.readTextSpan())) {
            throw new MalformedDataException(
                    at, "the type is " + Utf8.decode(expected, 0, expected.length) + " here (M3, M4)");
        }
    }

    /** Whether what was read last, from there on, is a name. A plain loop, as a short command runs it before it is compiled. */
    private boolean is(byte[] name, int from) {
        if (reader.position() - from != name.length) {
            return false;
        }
        for (int i = 0; i < name.length; i++) {
            if (bytes[from + i] != name[i]) {
                return false;
            }
        }
        return true;
    }
}
