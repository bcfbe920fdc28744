package dev.pail.repository.files;

import dev.pail.disk.Disk;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.spi.Erasures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code erased}: a record of each erased block, in lines as {@link ErasureLine} has them (Rule ER1). It is read again when another
 * process has replaced it. Safe for use by several threads.
 */
final class ErasureFile {
    private static final int MAX_SIZE = 256 << 20;

    private final RepositoryFolder folder;
    private final Path file;
    private volatile Loaded loaded = new Loaded(null, Collections.emptyNavigableMap(), 0);

    /**
     * The content of the file.
     *
     * @param status of the file; null if there is none
     * @param badLine the number of the first line that is no record; 0 if there is none
     */
    private record Loaded(Disk.@Nullable FileStatus status, NavigableMap<Cid, Erasure> records, int badLine) {}

    ErasureFile(RepositoryFolder folder) {
        this.folder = folder;
        this.file = folder.resolve("erased");
    }

    /** Whether a block has a mark. Ignores a line that is damaged: the bytes of its block are gone, or a later removal finds it. */
    boolean isMarked(Cid cid) {
        NavigableMap<Cid, Erasure> records = load().records;
        if (records.isEmpty()) {
            return false;
        }
        Erasure record = records.get(cid.raw());
        return record != null && record.isMark();
    }

    /** Whether there is no record, and no line that may have been one. */
    boolean isEmpty() {
        Loaded now = load();
        return now.records.isEmpty() && now.badLine == 0;
    }

    /** @throws RepositoryException if a line is damaged */
    void checkSound() {
        Loaded unused = sound();
    }

    /** @throws RepositoryException if a line is damaged */
    Collection<Erasure> records() {
        return sound().records.values();
    }

    private Loaded sound() {
        Loaded now = load();
        if (now.badLine > 0) {
            throw RepositoryException.damaged(
                    "damaged: " + file + ": line " + now.badLine + " is no record of an erased block",
                    "restore the file from a copy, or remove the line; then erase that value again",
                    null);
        }
        return now;
    }

    /** Adds records; of each block the latest stays. Needs the lock of the repository. */
    void add(Collection<Erasure> more) {
        NavigableMap<Cid, Erasure> next = new TreeMap<>(sound().records);
        more.forEach(record -> next.merge(record.cid(), record, Erasure::latest));
        replace(next);
    }

    /** Notes that the bytes of all marked blocks were removed. Needs the lock of the repository. */
    void removed() {
        NavigableMap<Cid, Erasure> next = new TreeMap<>(sound().records);
        next.replaceAll((cid, record) -> record.removed());
        replace(next);
    }

    private void replace(NavigableMap<Cid, Erasure> next) {
        if (next.equals(loaded.records)) {
            return;
        }
        if (next.size() > Erasures.MOST) {
            throw new RepositoryException(
                    RepositoryException.Reason.NOT_ERASABLE,
                    "a repository has at most " + Erasures.MOST + " erased blocks, not " + next.size() + ": "
                            + folder.path(),
                    "erase fewer values, or lift the marks of old ones",
                    null);
        }
        StringBuilder text = new StringBuilder();
        next.values().forEach(record -> text.append(ErasureLine.of(record)).append('\n'));
        folder.write(
                "cannot note which blocks are erased", file, text.toString().getBytes(StandardCharsets.US_ASCII));
        loaded = new Loaded(status().orElse(null), next, 0);
    }

    private Optional<Disk.FileStatus> status() {
        try {
            return folder.disk().status(file);
        } catch (IOException e) {
            throw RepositoryFolder.failure("cannot read which blocks are erased", file, e);
        }
    }

    private Loaded load() {
        Loaded now = loaded;
        // Runs for each block that is read, and most repositories have no such file.
        if (now.status == null && !folder.disk().exists(file)) {
            return now;
        }
        Disk.FileStatus status = status().orElse(null);
        if (status == null ? now.status == null : status.equals(now.status)) {
            return now;
        }
        Loaded next = status == null ? new Loaded(null, Collections.emptyNavigableMap(), 0) : read(status);
        loaded = next;
        return next;
    }

    private Loaded read(Disk.FileStatus status) {
        try {
            String text = new String(SmallFiles.read(folder.disk(), file, MAX_SIZE), StandardCharsets.ISO_8859_1);
            NavigableMap<Cid, Erasure> records = new TreeMap<>();
            int badLine = 0;
            List<String> lines = new ArrayList<>(text.lines().toList());
            for (int i = 0; i < lines.size(); i++) {
                Optional<Erasure> record = ErasureLine.parse(lines.get(i));
                record.ifPresent(each -> records.merge(each.cid(), each, Erasure::latest));
                badLine = record.isEmpty() && badLine == 0 ? i + 1 : badLine;
            }
            return new Loaded(status, records, badLine);
        } catch (NoSuchFileException e) {
            return new Loaded(null, Collections.emptyNavigableMap(), 0);
        } catch (IllegalArgumentException e) {
            throw RepositoryException.damaged("damaged: " + file + ": " + e.getMessage(), "restore it from a copy", e);
        } catch (IOException e) {
            throw RepositoryFolder.failure("cannot read which blocks are erased", file, e);
        }
    }

    /** The blocks with a mark, and whether each still waits for the removal of its bytes. */
    Map<Cid, Erasure.State> marks() {
        Map<Cid, Erasure.State> marks = new TreeMap<>();
        load().records.forEach((cid, record) -> {
            if (record.isMark()) {
                marks.put(cid, record.state());
            }
        });
        return marks;
    }
}
