package dev.pail.clock;

import dev.pail.LimitException;
import dev.pail.bytes.Utf8;
import dev.pail.clock.Operation.Change;
import dev.pail.clock.Operation.Delete;
import dev.pail.clock.Operation.Put;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.unsafe.UnsafeBlocks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes events as blocks: spec rules M1 to M7. */
final class EventEncoder {
    /** More than a change takes in bytes, without its key and its value. */
    private static final int CHANGE = 40;

    /** More than an event takes in bytes, without its changes and its parents. */
    private static final int EVENT = 128;

    /** More than a link to an event takes in bytes. */
    private static final int LINK = 48;

    private EventEncoder() {}

    /** @param parents in order, each once */
    static Block encode(Operation operation, Cid root, List<Cid> parents, @Nullable Description description) {
        long most = sizeWithout(parents.size(), description)
                + operation.changes().stream().mapToLong(EventEncoder::size).sum();
        if (most > Integer.MAX_VALUE) {
            throw tooLarge();
        }
        DagCborWriter writer = new DagCborWriter();
        writer.map(2).text("data");
        data(writer, operation, root, description);
        writer.text("parents").array(parents.size());
        parents.forEach(writer::link);
        byte[] bytes = writer.toByteArray();
        // Rule M7.
        if (bytes.length > Block.MAX_SIZE) {
            throw tooLarge();
        }
        return UnsafeBlocks.of(Cid.DAG_CBOR, bytes);
    }

    private static LimitException tooLarge() {
        return LimitException.ofClock("the block of an event has " + Block.MAX_SIZE + " bytes at most (M7)");
    }

    private static void data(DagCborWriter writer, Operation operation, Cid root, @Nullable Description description) {
        int more = description == null ? 0 : 1;
        if (operation instanceof Put put) {
            writer.map(4 + more).text("key").text(put.key());
            rest(writer, description, root, "put");
            writer.text("value").link(put.value());
        } else if (operation instanceof Delete delete) {
            writer.map(3 + more).text("key").text(delete.key());
            rest(writer, description, root, "del");
        } else {
            List<Change> changes = operation.changes();
            writer.map(3 + more).text("ops").array(changes.size());
            changes.forEach(change -> change(writer, change));
            rest(writer, description, root, "batch");
        }
    }

    private static void rest(DagCborWriter writer, @Nullable Description description, Cid root, String type) {
        if (description != null) {
            DescriptionCodec.write(writer, description);
        }
        writer.text("root").link(root).text("type").text(type);
    }

    private static void change(DagCborWriter writer, Change change) {
        if (change instanceof Put put) {
            writer.map(3).text("key").text(put.key()).text("type").text("put");
            writer.text("value").link(put.value());
        } else {
            writer.map(2).text("key").text(change.key()).text("type").text("del");
        }
    }

    /** The size that an event without changes does not exceed, in bytes. */
    static long sizeWithout(int parents, @Nullable Description description) {
        return EVENT + (long) LINK * parents + (description == null ? 0 : DescriptionCodec.size(description));
    }

    /** What a change adds to the size of an event at most, in bytes. */
    static long size(Change change) {
        int value = change instanceof Put put ? put.value().byteLength() : 0;
        return (long) CHANGE + Utf8.encode(change.key()).length + value;
    }
}
