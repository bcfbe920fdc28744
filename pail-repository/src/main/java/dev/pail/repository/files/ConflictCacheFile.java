package dev.pail.repository.files;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.PailException;
import dev.pail.clock.ConflictCache;
import dev.pail.clock.Head;
import dev.pail.clock.OpenConflict;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborWriter;
import dev.pail.repository.spi.RecentConflicts;
import dev.pail.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The open conflicts of the heads that were asked for last, in a file. If it is lost or damaged, the history is read again. Never fails.
 * Rule REP36.
 */
final class ConflictCacheFile implements ConflictCache {
    /** Fewer events are read again sooner than a file is written. */
    private static final int LEAST_READ = 64;

    /** The version of the rules that say which conflicts are open (M22, M23). */
    private static final int RULES = 1;

    private final DerivedFile file;
    private final RecentConflicts recent = new RecentConflicts();

    @GuardedBy("this")
    private boolean isRead;

    ConflictCacheFile(RepositoryFolder folder) {
        this.file = new DerivedFile(folder, "conflicts", "open conflicts of heads");
    }

    @Override
    public synchronized Optional<List<OpenConflict>> of(Head head) {
        if (!isRead) {
            isRead = true;
            read();
        }
        return recent.of(head);
    }

    @Override
    public synchronized void note(Head head, List<OpenConflict> open, int read) {
        if (of(head).isPresent()) {
            return;
        }
        recent.note(head, open, read);
        if (open.isEmpty() && read < LEAST_READ) {
            return;
        }
        file.write(encode());
    }

    private void read() {
        try {
            file.read().ifPresent(this::decode);
        } catch (PailException | IllegalArgumentException e) {
            Trace.swallowed("cannot read the open conflicts that were found before, so the history is read", e);
        }
    }

    private byte[] encode() {
        Map<Head, List<OpenConflict>> kept = recent.kept();
        DagCborWriter writer = new DagCborWriter().array(2).integer(RULES).array(kept.size());
        kept.forEach((head, open) -> {
            writer.array(2).array(head.size());
            head.events().forEach(writer::link);
            writer.array(open.size());
            open.forEach(conflict -> {
                writer.array(2).text(conflict.key()).array(conflict.sides().size());
                conflict.sides().forEach(side -> {
                    writer.array(2).link(side.event());
                    side.value().ifPresentOrElse(writer::link, writer::nothing);
                });
            });
        });
        return writer.toByteArray();
    }

    private void decode(byte[] bytes) {
        DagCborReader reader = new DagCborReader(bytes);
        if (reader.readArray() != 2 || reader.readLong() != RULES) {
            return;
        }
        for (int heads = reader.readArray(); heads > 0; heads--) {
            items(reader, 2);
            List<Cid> events = new ArrayList<>();
            for (int left = reader.readArray(); left > 0; left--) {
                events.add(reader.readLink());
            }
            List<OpenConflict> open = new ArrayList<>();
            for (int left = reader.readArray(); left > 0; left--) {
                open.add(conflict(reader));
            }
            recent.note(Head.of(events), open, 0);
        }
        reader.end();
    }

    private static OpenConflict conflict(DagCborReader reader) {
        items(reader, 2);
        String key = reader.readText();
        List<OpenConflict.Side> sides = new ArrayList<>();
        for (int left = reader.readArray(); left > 0; left--) {
            items(reader, 2);
            Cid event = reader.readLink();
            Optional<Cid> value = Optional.empty();
            if (reader.peek() == DagCborReader.Kind.NULL) {
                reader.readNull();
            } else {
                value = Optional.of(reader.readLink());
            }
            sides.add(new OpenConflict.Side(event, value));
        }
        return new OpenConflict(key, sides);
    }

    private static void items(DagCborReader reader, int expected) {
        int items = reader.readArray();
        if (items != expected) {
            throw new IllegalArgumentException(items + " items, where " + expected + " are expected");
        }
    }
}
