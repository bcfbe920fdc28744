package dev.pail.repository.files;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.PailException;
import dev.pail.clock.ConflictCache;
import dev.pail.clock.Head;
import dev.pail.clock.OpenConflict;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborWriter;
import dev.pail.repository.spi.RecentConflicts;
import dev.pail.trace.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The open conflicts of the heads that were asked for last, in a file. It can be lost or damaged: then the history is read again. What is in
 * it follows from events, so it is never stale. Needs no lock. Never fails.
 *
 * <p>The file has the CID of the rest, and the rest as dag-cbor. Rule REP36.
 */
final class ConflictCacheFile implements ConflictCache {
    private static final String NAME = "conflicts";

    /** A larger file is not written, and not read. */
    private static final int MAX_SIZE = 8 << 20;

    /** Fewer events are read again sooner than a file is written. */
    private static final int LEAST_READ = 64;

    /** The bytes of the CID of the rest. */
    private static final int SUM = 36;

    /** The version of the rules that say which conflicts are open (M22, M23). */
    private static final int RULES = 1;

    private final RepositoryFolder folder;
    private final RecentConflicts recent = new RecentConflicts();

    @GuardedBy("this")
    private boolean isRead;

    ConflictCacheFile(RepositoryFolder folder) {
        this.folder = folder;
    }

    private Path file() {
        return folder.resolve(DerivedRootFiles.FOLDER).resolve(NAME);
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
        byte[] content = encode();
        if (content.length > MAX_SIZE - SUM) {
            return;
        }
        Path file = file();
        try {
            SmallFiles.replaceUnsynced(folder.disk(), file, summed(content));
        } catch (IOException | PailException e) {
            Trace.swallowed("cannot keep the open conflicts of a head, which the next reader finds again: " + file, e);
        }
    }

    private void read() {
        Path file = file();
        try {
            if (folder.disk().exists(file)) {
                decode(SmallFiles.read(folder.disk(), file, MAX_SIZE));
            }
        } catch (IOException | PailException | IllegalArgumentException e) {
            Trace.swallowed(
                    "cannot read the open conflicts that were found before, so the history is read: " + file, e);
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
        if (bytes.length < SUM) {
            throw new IllegalArgumentException("it is too short");
        }
        byte[] content = Arrays.copyOfRange(bytes, SUM, bytes.length);
        if (!Arrays.equals(sum(content), 0, SUM, bytes, 0, SUM)) {
            throw new IllegalArgumentException("its digest is another one");
        }
        DagCborReader reader = new DagCborReader(content);
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

    private static byte[] summed(byte[] content) {
        byte[] bytes = Arrays.copyOf(sum(content), SUM + content.length);
        System.arraycopy(content, 0, bytes, SUM, content.length);
        return bytes;
    }

    private static byte[] sum(byte[] content) {
        return Block.of(Cid.DAG_CBOR, content).cid().toBytes();
    }
}
