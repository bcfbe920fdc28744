package dev.pail.segment;

import dev.pail.disk.Disk;
import dev.pail.segment.format.Location;
import dev.pail.segment.format.OpenIndex;
import dev.pail.segment.format.RecordHeader;
import dev.pail.segment.format.RecordRef;
import dev.pail.segment.format.SealedIndex;
import dev.pail.segment.format.SegmentFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.zip.CRC32C;

/**
 * A new segment that is written as a whole and sealed at once, by a writer that has the lock of the store. {@link #finish} gives it its
 * name, and makes it count.
 */
final class NewSegment {
    private static final int BUFFER = 1 << 20;

    private final Disk disk;
    private final Catalog catalog;
    private final int number;
    private final int salt = ActiveSegment.salt();
    private final Path path;
    private final Disk.WritableFile out;
    private final CRC32C checksum = new CRC32C();
    private final OpenIndex index = new OpenIndex();
    private int records;
    private WriteBatch batch;

    /** The latest mtime of the segments from which records come: an unneeded record gets no younger by being copied. */
    private Instant mtime = Instant.MIN;

    /** @param packs whether its deltas are packed */
    NewSegment(Disk disk, Catalog catalog, int number, boolean packs) throws IOException {
        this.disk = disk;
        this.catalog = catalog;
        this.number = number;
        this.path = catalog.path(number, Catalog.TEMPORARY);
        this.batch = WriteBatch.first(number, salt, 0, packs);
        disk.delete(path);
        this.out = disk.create(path);
    }

    void begin() throws IOException {
        write(SegmentFile.beginning(number, salt));
    }

    long end() {
        return batch.end();
    }

    /** Deletes its files, under any name. */
    void discard() throws IOException {
        out.close();
        disk.delete(path);
        disk.delete(catalog.path(number, Catalog.SEALED));
        disk.delete(catalog.path(number, Catalog.INDEX));
    }

    private void write(byte[] bytes) throws IOException {
        out.write(bytes);
        checksum.update(bytes);
    }

    private void flush() throws IOException {
        write(batch.out.toBytes());
        batch = batch.behind(0);
    }

    Location add(RecordHeader.BlockContent content, byte[] payload, Instant time) throws IOException {
        if (batch.out.size() > BUFFER) {
            flush();
        }
        mtime = time.isAfter(mtime) ? time : mtime;
        Location location = batch.add(content, payload);
        index.add(new RecordRef(location, content));
        records++;
        return location;
    }

    /** Gives the last record a checksum that its payload does not match. */
    void spoilLast() {
        batch.out.invertLast();
    }

    View.Segment finish() throws IOException {
        batch.add(new RecordHeader.Commit(1, 0, records, SegmentFile.BEGINNING), new byte[0]);
        flush();
        RecordHeader.Seal seal = new RecordHeader.Seal(index.count(), (int) checksum.getValue());
        batch.add(seal, new byte[0]);
        flush();
        out.sync();
        out.close();
        disk.setMtime(path, mtime);
        SealedIndex sealed = index.sealed();
        catalog.publish(path, number, sealed, batch.end(), seal.checksum());
        return catalog.sealed(SegmentFile.open(disk, catalog.path(number, Catalog.SEALED), number), sealed);
    }
}
