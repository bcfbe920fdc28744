package dev.pail.repository.files;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.EntryCounts;
import dev.pail.PailException;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborWriter;
import dev.pail.repository.spi.RecentCounts;
import dev.pail.trace.Trace;
import java.util.Map;

/**
 * The numbers of entries below shards, in a file. If it is lost or damaged, the shards are counted again. Never fails. Rule REP41.
 */
final class EntryCountFile implements EntryCounts {
    /** The version of this form. */
    private static final int FORM = 1;

    /** The file is written when this part of what it would have is new. */
    private static final int PART = 8;

    private final DerivedFile file;
    private final RecentCounts recent = new RecentCounts();

    @GuardedBy("this")
    private boolean isRead;

    @GuardedBy("this")
    private int added;

    EntryCountFile(RepositoryFolder folder) {
        this.file = new DerivedFile(folder, "counts", "numbers of entries below shards");
    }

    @Override
    public synchronized long find(Cid shard) {
        if (!isRead) {
            isRead = true;
            read();
        }
        return recent.find(shard);
    }

    @Override
    public synchronized void note(Cid shard, long entries) {
        if (find(shard) < 0) {
            recent.note(shard, entries);
            added++;
        }
    }

    @Override
    public synchronized void counted() {
        if (added > recent.size() / PART) {
            added = 0;
            Map<Cid, Long> kept = recent.kept();
            DagCborWriter writer = new DagCborWriter().array(2).integer(FORM).array(2 * kept.size());
            kept.forEach((shard, entries) -> writer.link(shard).integer(entries));
            file.write(writer.toByteArray());
        }
    }

    private void read() {
        try {
            file.read().ifPresent(this::decode);
        } catch (PailException | IllegalArgumentException e) {
            Trace.swallowed(
                    "cannot read the numbers of entries that were counted before, so they are counted again", e);
        }
    }

    private void decode(byte[] bytes) {
        DagCborReader reader = new DagCborReader(bytes);
        if (reader.readArray() != 2 || reader.readLong() != FORM) {
            return;
        }
        for (int items = reader.readArray(); items > 0; items -= 2) {
            recent.note(reader.readLink(), reader.readLong());
        }
        reader.end();
    }
}
