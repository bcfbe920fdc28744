package dev.pail.clock.proof;

import dev.pail.clock.HistoryTree;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The steps from an event to one that it follows, as the first block of a proof has them. Rule PF14.
 *
 * @param steps at least one, the newest first
 */
record Steps(Cid from, List<Step> steps) {
    /** No tree of 2^53 - 1 events is higher. */
    private static final int MAX_PATH = 53;

    /**
     * A step to an event.
     *
     * @param index the place of the event in the tree of the event before; -1 for a parent
     * @param path the siblings in that tree, the lowest first; none for a parent
     */
    record Step(Cid to, long index, List<byte[]> path) {
        static Step toParent(Cid parent) {
            return new Step(parent, -1, List.of());
        }

        boolean isJump() {
            return index >= 0;
        }
    }

    /** The older event. */
    Cid follows() {
        return steps.get(steps.size() - 1).to;
    }

    /** The events whose blocks the steps need: all but the older one. */
    List<Cid> events() {
        List<Cid> events = new ArrayList<>();
        Cid at = from;
        for (Step step : steps) {
            events.add(at);
            at = step.to;
        }
        return events;
    }

    byte[] encode() {
        DagCborWriter writer = new DagCborWriter();
        writer.map(2).text("from").link(from).text("steps").array(steps.size());
        for (Step step : steps) {
            if (step.isJump()) {
                byte[] path = new byte[step.path.size() * HistoryTree.HASH];
                for (int i = 0; i < step.path.size(); i++) {
                    System.arraycopy(step.path.get(i), 0, path, i * HistoryTree.HASH, HistoryTree.HASH);
                }
                writer.array(3).link(step.to).integer(step.index).bytes(path);
            } else {
                writer.array(1).link(step.to);
            }
        }
        return writer.toByteArray();
    }

    /** @throws MalformedDataException if a rule is broken */
    static Steps decode(byte[] bytes) {
        DagCborReader reader = new DagCborReader(bytes);
        demand(reader.readMap() == 2 && reader.readText().equals("from"), reader);
        Cid from = event(reader);
        demand(reader.readText().equals("steps"), reader);
        int count = reader.readArray();
        demand(count > 0, reader);
        List<Step> steps = new ArrayList<>();
        for (; count > 0; count--) {
            steps.add(step(reader));
        }
        reader.end();
        return new Steps(from, steps);
    }

    private static Step step(DagCborReader reader) {
        int fields = reader.readArray();
        demand(fields == 1 || fields == 3, reader);
        Cid to = event(reader);
        if (fields == 1) {
            return Step.toParent(to);
        }
        long index = reader.readLong();
        byte[] hashes = reader.readBytes();
        demand(
                index >= 0 && hashes.length % HistoryTree.HASH == 0 && hashes.length <= MAX_PATH * HistoryTree.HASH,
                reader);
        List<byte[]> path = new ArrayList<>();
        for (int at = 0; at < hashes.length; at += HistoryTree.HASH) {
            path.add(Arrays.copyOfRange(hashes, at, at + HistoryTree.HASH));
        }
        return new Step(to, index, path);
    }

    private static Cid event(DagCborReader reader) {
        Cid event = reader.readLink();
        demand(event.isShardLink(), reader);
        return event;
    }

    private static void demand(boolean kept, DagCborReader reader) {
        if (!kept) {
            throw new MalformedDataException(
                    reader.position(), "the first block has the newer event and the steps from it (PF14)");
        }
    }
}
