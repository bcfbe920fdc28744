package dev.pail.clock;

import dev.pail.clock.Operation.Change;
import dev.pail.clock.Operation.Delete;
import dev.pail.clock.Operation.Put;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.MalformedDataException;
import dev.pail.ipld.UnsafeBlocks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads an event from a block and checks it against spec rules M1 to M7. Canonical form leaves the fields of a map one
 * order, so each is expected in its place.
 */
final class EventDecoder {
    private final DagCborReader reader;

    private EventDecoder(DagCborReader reader) {
        this.reader = reader;
    }

    /** @throws MalformedEventException if a rule is broken */
    static Event decode(Block block) {
        if (!block.cid().isShardLink()) {
            throw new MalformedEventException(block.cid(), 0, "an event is dag-cbor, named by SHA2-256 (M1)");
        }
        if (block.size() > Block.MAX_SIZE) {
            throw new MalformedEventException(block.cid(), 0, "an event has " + Block.MAX_SIZE + " bytes at most (M7)");
        }
        try {
            return new EventDecoder(new DagCborReader(UnsafeBlocks.bytes(block))).event(block);
        } catch (MalformedDataException e) {
            throw new MalformedEventException(block.cid(), e.offset(), e.rule());
        }
    }

    private Event event(Block block) {
        fields(2, "an event has data and parents (M2)");
        name("data", "an event has data and parents (M2)");
        Data data = data();
        name("parents", "an event has data and parents (M2)");
        List<Cid> parents = parents();
        reader.end();
        return Event.decoded(block, data.operation, data.root, parents);
    }

    private record Data(Operation operation, Cid root) {}

    private Data data() {
        int at = reader.position();
        int fields = reader.readMap();
        int first = reader.position();
        String name = fields == 0 ? "" : reader.readText();
        if (name.equals("ops") && fields == 3) {
            List<Change> changes = changes();
            Cid root = root();
            type("batch");
            return new Data(new Operation.Batch(changes), root);
        }
        if (!name.equals("key") || (fields != 3 && fields != 4)) {
            throw new MalformedDataException(
                    fields == 3 || fields == 4 ? first : at,
                    "data has key, root, type and value, key, root and type, or ops, root and type (M3)");
        }
        String key = reader.readText();
        Cid root = root();
        return new Data(change(key, fields == 4), root);
    }

    private List<Change> changes() {
        List<Change> changes = new ArrayList<>();
        for (int left = reader.readArray(); left > 0; left--) {
            int at = reader.position();
            int fields = reader.readMap();
            if (fields != 2 && fields != 3) {
                throw new MalformedDataException(at, "a change has key, type and value, or key and type (M4)");
            }
            name("key", "a change has key, type and value, or key and type (M4)");
            changes.add(change(reader.readText(), fields == 3));
        }
        return changes;
    }

    /** Reads what follows the key or the root: the type, and the value where there is one. */
    private Change change(String key, boolean valued) {
        if (valued) {
            type("put");
            name("value", "a put has a value (M3, M4)");
            return new Put(key, reader.readLink());
        }
        type("del");
        return new Delete(key);
    }

    private Cid root() {
        name("root", "data has a root (M3)");
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

    private void name(String expected, String rule) {
        int at = reader.position();
        if (!reader.readText().equals(expected)) {
            throw new MalformedDataException(at, rule);
        }
    }

    private void type(String expected) {
        name("type", "an operation has a type (M3, M4)");
        int at = reader.position();
        if (!reader.readText().equals(expected)) {
            throw new MalformedDataException(at, "the type is " + expected + " here (M3, M4)");
        }
    }
}
