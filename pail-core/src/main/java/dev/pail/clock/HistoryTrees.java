package dev.pail.clock;

import com.google.errorprone.annotations.CheckReturnValue;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.MissingBlockException;
import dev.pail.PailException;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The trees over the histories that lead to the events that were made last, so that the next event has its tree without a walk of its
 * history (spec rule DE10). A tree follows from its last event alone, so it is never stale. If it was lost, the walk goes back to one that is
 * known. Safe for use by several threads.
 *
 * <pre>{@code
 * ReplicatedPail replica = ReplicatedPail.create(blocks, ShardFormat.v1())
 *         .described(Description.of("Ann", "", Instant.now()))
 *         .with(HistoryTrees.inMemory())
 *         .put("a", value);
 * Event event = replica.clock().event(replica.head().events().get(0));
 * Optional<Description.Tree> tree = event.description().flatMap(Description::tree); // of no event, as this is the first
 * }</pre>
 */
@CheckReturnValue
public final class HistoryTrees {
    /** A longer walk is not made. Then the event has no tree, and the events after it have none. */
    static final int MOST_WALKED = 100_000;

    /** The largest number of histories whose trees are known. */
    static final int MOST_LINES = 8;

    /** The trees are written after this number of events, so that a process that dies loses no more. */
    static final int EVENTS_A_WRITE = 1024;

    /** The version of the bytes. */
    private static final int FORM = 1;

    private static final HistoryTrees NONE = new HistoryTrees(null);

    /** Keeps the trees for the next process. What it returns may be lost, but not damaged. No method fails. */
    public interface Storage {
        /** Keeps nothing. */
        Storage NONE = new Storage() {
            @Override
            public Optional<byte[]> read() {
                return Optional.empty();
            }

            @Override
            public void write(byte[] bytes) {}
        };

        /** Returns the bytes that were written last, if they were kept. */
        Optional<byte[]> read();

        /** Keeps bytes in the place of those before. */
        void write(byte[] bytes);
    }

    /** The tree whose last leaf is an event; null if it is unknown, because the walk was too long or an event is missing. */
    private record Known(Cid event, @Nullable HistoryTree tree, Line line) {}

    /** One history: the trees of some of its events, the oldest first. */
    private static final class Line {
        final List<Known> trees = new ArrayList<>();

        Known newest() {
            return trees.get(trees.size() - 1);
        }
    }

    /** Null if no event gets a tree. */
    private final @Nullable Storage storage;

    /** The line that was used last is the last. */
    @GuardedBy("this")
    private final List<Line> lines = new ArrayList<>();

    @GuardedBy("this")
    private final Map<Cid, Known> known = new HashMap<>();

    @GuardedBy("this")
    private boolean isRead;

    @GuardedBy("this")
    private int unwritten;

    private HistoryTrees(@Nullable Storage storage) {
        this.storage = storage;
    }

    /** Returns trees that give no event a tree. */
    public static HistoryTrees none() {
        return NONE;
    }

    /** Returns trees in memory. The first event after a history walks through it. */
    public static HistoryTrees inMemory() {
        return keptIn(Storage.NONE);
    }

    /** Returns trees that the next process finds again. */
    public static HistoryTrees keptIn(Storage storage) {
        return new HistoryTrees(Objects.requireNonNull(storage, "storage"));
    }

    /**
     * Makes an event that follows a head. If it is described, and the tree over the events before it is known, its description has it.
     *
     * @param blocks where the events before are read, if their tree is not known
     * @param description without a tree
     */
    public Event event(BlockStore blocks, Operation operation, Cid root, Head head, Description description) {
        Objects.requireNonNull(blocks, "blocks");
        if (storage == null || DescriptionCodec.fields(description) == 0) {
            return Event.of(operation, root, head.events(), description);
        }
        Cid parent = head.isEmpty() ? null : head.events().get(0);
        HistoryTree before = parent == null ? HistoryTree.empty() : upTo(blocks, parent);
        Event event = Event.of(operation, root, head.events(), before == null ? description : description.with(before));
        note(parent, event.cid(), before == null ? null : before.append(event.cid()));
        return event;
    }

    /** Writes the trees that are not written yet, if there are any. */
    public synchronized void write() {
        if (unwritten > 0 && storage != null) {
            unwritten = 0;
            storage.write(encode());
        }
    }

    /** The tree whose last leaf is an event; null if it is unknown. */
    private @Nullable HistoryTree upTo(BlockStore blocks, Cid event) {
        List<Cid> walked = new ArrayList<>();
        HistoryTree tree = HistoryTree.empty();
        Known found = null;
        for (Optional<Cid> at = Optional.of(event); at.isPresent(); ) {
            Cid cid = at.get();
            found = known(cid);
            if (found != null || walked.size() == MOST_WALKED) {
                tree = found == null ? null : found.tree;
                break;
            }
            walked.add(cid);
            try {
                if (!blocks.has(cid)) {
                    // A remote may have it. Reading a whole history from there takes longer than the tree is worth.
                    throw new MissingBlockException(cid);
                }
                at = Event.fromBlock(blocks.require(cid)).parents().stream().findFirst();
            } catch (BlockException e) {
                // An event can be written without its tree, so a history that is not whole here is no error.
                tree = null;
                break;
            }
        }
        for (int i = walked.size() - 1; i >= 0 && tree != null; i--) {
            tree = tree.append(walked.get(i));
        }
        if (!walked.isEmpty()) {
            note(found == null ? null : found.event, event, tree);
        }
        return tree;
    }

    private synchronized @Nullable Known known(Cid event) {
        if (!isRead) {
            isRead = true;
            read();
        }
        return known.get(event);
    }

    /** @param before an event that this one follows; null for a line of its own */
    private synchronized void note(@Nullable Cid before, Cid event, @Nullable HistoryTree tree) {
        if (known(event) != null) {
            return;
        }
        Known last = before == null ? null : known.get(before);
        // An event after an older one begins a line of its own, as a branch does.
        Line line = last != null && last.equals(last.line.newest()) ? last.line : new Line();
        add(line, event, tree);
        for (Known each : List.copyOf(line.trees)) {
            if (!isKept(line, each)) {
                line.trees.remove(each);
                known.remove(each.event);
            }
        }
        lines.remove(line);
        lines.add(line);
        if (lines.size() > MOST_LINES) {
            for (Known each : lines.remove(0).trees) {
                known.remove(each.event);
            }
        }
        unwritten++;
        if (unwritten >= EVENTS_A_WRITE) {
            write();
        }
    }

    @GuardedBy("this")
    private void add(Line line, Cid event, @Nullable HistoryTree tree) {
        Known added = new Known(event, tree, line);
        line.trees.add(added);
        known.put(event, added);
    }

    /** Keeps the newest trees of a line, and fewer the older they are: so a branch that begins at an older event needs a short walk. */
    private static boolean isKept(Line line, Known each) {
        HistoryTree last = line.newest().tree;
        if (each.tree == null || last == null) {
            return line.trees.indexOf(each) >= line.trees.size() - 2;
        }
        long distance = last.size() - each.tree.size();
        return distance < 2 || 2 * Long.lowestOneBit(each.tree.size()) >= distance;
    }

    @GuardedBy("this")
    private byte[] encode() {
        DagCborWriter writer = new DagCborWriter().array(2).integer(FORM).array(lines.size());
        for (Line line : lines) {
            writer.array(line.trees.size());
            for (Known each : line.trees) {
                if (each.tree == null) {
                    writer.array(1).link(each.event);
                } else {
                    writer.array(3).link(each.event).integer(each.tree.size()).bytes(each.tree.subtrees());
                }
            }
        }
        return writer.toByteArray();
    }

    @GuardedBy("this")
    private void read() {
        Optional<byte[]> bytes = storage == null ? Optional.empty() : storage.read();
        try {
            bytes.ifPresent(this::decode);
        } catch (PailException | IllegalArgumentException e) {
            // Of another version: found again by a walk.
            lines.clear();
            known.clear();
        }
    }

    @GuardedBy("this")
    private void decode(byte[] bytes) {
        DagCborReader reader = new DagCborReader(bytes);
        if (reader.readArray() != 2 || reader.readLong() != FORM) {
            return;
        }
        for (int left = reader.readArray(); left > 0; left--) {
            Line line = new Line();
            for (int trees = reader.readArray(); trees > 0; trees--) {
                boolean isKnown = reader.readArray() == 3;
                Cid event = reader.readLink();
                add(line, event, isKnown ? HistoryTree.of(reader.readLong(), reader.readBytes()) : null);
            }
            if (!line.trees.isEmpty()) {
                lines.add(line);
            }
        }
        reader.end();
    }

    /** The number of histories. */
    @Override
    public synchronized String toString() {
        return "trees, histories: " + lines.size();
    }
}
