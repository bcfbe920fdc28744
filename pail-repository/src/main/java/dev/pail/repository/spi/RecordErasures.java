package dev.pail.repository.spi;

import dev.pail.ErasedBlockException;
import dev.pail.Escapes;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RefChangedException;
import dev.pail.repository.model.RepositoryException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The erasures of a store whose refs are records, for authors of such stores: the marks are records too, in pages (spec rule ER11). A store
 * says how it removes bytes, and when its marks may have changed. Safe for use by several threads.
 *
 * <pre>{@code
 * class OwnErasures extends RecordErasures { // of a store in a map
 *     private final Map<Cid, Block> blocks;
 *     OwnErasures(RefRecords records, Map<Cid, Block> blocks) {
 *         super(records, "my records");
 *         this.blocks = blocks;
 *     }
 *     protected Object version() {
 *         return new Object(); // reads the records each time
 *     }
 *     protected boolean isInUpdate() {
 *         return false;
 *     }
 *     protected void remove(Set<Cid> marked) {
 *         blocks.keySet().removeAll(marked);
 *         removed(marked);
 *     }
 *     public Set<Cid> stored(Set<Cid> cids) {
 *         return cids.stream().filter(blocks::containsKey).collect(Collectors.toSet());
 *     }
 * }
 * }</pre>
 */
public abstract class RecordErasures implements Erasures {
    /** What the names of the records begin with that have pages of erased blocks. */
    public static final String PAGES = "erased/";

    /** How large a page is at most, in bytes, unless it has one block. Far less than a record may have. */
    private static final int MOST_BYTES = 128 << 10;

    /** What a group takes in a page besides its texts, and what a block takes, in bytes. */
    private static final int GROUP = 100;

    private static final int BLOCK = 48;

    private final RefRecords records;
    private final String location;
    private volatile @Nullable Loaded loaded;

    /** The marks as of a version. */
    private record Loaded(Object version, NavigableMap<Cid, Erasure> byCid) {}

    /** A page, and the number of its record. */
    private record Page(String name, long number, List<Erasure> erasures) {}

    /**
     * Erasures over records.
     *
     * @param location the place of the records, for messages
     */
    protected RecordErasures(RefRecords records, String location) {
        this.records = Objects.requireNonNull(records, "records");
        this.location = Objects.requireNonNull(location, "location");
    }

    /** Returns what differs if the marks were changed, by any process as far as this one knows. It is compared by {@code equals}. */
    protected abstract Object version();

    /** Whether this thread is in an update, which may not happen: then what it reads is not remembered. */
    protected abstract boolean isInUpdate();

    /**
     * Removes the bytes of blocks. When no bytes are left, it calls {@link #removed}. The caller is in an update of refs.
     *
     * @param marked the raw CIDs of all blocks with a mark
     */
    protected abstract void remove(Set<Cid> marked);

    @Override
    public abstract Set<Cid> stored(Set<Cid> cids);

    /** Is called within an update before it adds marks: a store can make other writers of blocks wait. By default, does nothing. */
    protected void beforeMarks() {}

    /** Is called when other marks were read than before, so that the store can empty a cache. By default, does nothing. */
    protected void changed() {}

    @Override
    public boolean isErased(Cid cid) {
        Objects.requireNonNull(cid, "cid");
        return isMarked(known(version()), cid);
    }

    private static boolean isMarked(Map<Cid, Erasure> byCid, Cid cid) {
        Erasure record = byCid.isEmpty() ? null : byCid.get(cid.raw());
        return record != null && record.isMark();
    }

    private NavigableMap<Cid, Erasure> known(Object version) {
        Loaded last = loaded;
        if (last != null && last.version.equals(version)) {
            return last.byCid;
        }
        // Read behind the version: it may have more, and then is read again.
        NavigableMap<Cid, Erasure> now = byCid(pages());
        if (!isInUpdate()) {
            loaded = new Loaded(version, now);
            if (last == null ? !now.isEmpty() : !last.byCid.equals(now)) {
                changed();
            }
        }
        return now;
    }

    /**
     * Refuses blocks that were erased, as of a version (ER5).
     *
     * @throws ErasedBlockException for the first of them
     */
    public final void refuse(Collection<Block> given, Object version) {
        Map<Cid, Erasure> byCid = known(Objects.requireNonNull(version, "version"));
        for (Block block : given) {
            if (isMarked(byCid, block.cid())) {
                throw ErasedBlockException.ofPut(block.cid());
            }
        }
    }

    private List<Page> pages() {
        List<Page> pages = new ArrayList<>();
        for (String name : records.names(PAGES)) {
            Optional<Map.Entry<Long, byte[]>> found = records.newest(name);
            if (found.isEmpty()) {
                throw damaged(name, 1, "it is missing", null);
            }
            long number = found.get().getKey();
            byte[] content = found.get().getValue();
            try {
                RefRecord.checkBound(content, name, number);
                pages.add(new Page(name, number, RefRecord.readErasures(content)));
            } catch (MalformedDataException e) {
                throw damaged(name, number, String.valueOf(e.getMessage()), e);
            }
        }
        return pages;
    }

    private RepositoryException damaged(String name, long number, String reason, @Nullable MalformedDataException e) {
        return RepositoryException.damaged(
                "damaged record " + number + " of " + Escapes.brief(name) + ": " + location + ": " + reason,
                "restore the record from a copy",
                e);
    }

    private static NavigableMap<Cid, Erasure> byCid(List<Page> pages) {
        NavigableMap<Cid, Erasure> byCid = new TreeMap<>();
        pages.forEach(page -> page.erasures.forEach(each -> byCid.merge(each.cid(), each, Erasure::latest)));
        return byCid;
    }

    @Override
    public List<Erasure> all() {
        return List.copyOf(byCid(pages()).values());
    }

    @Override
    public void check() {}

    @Override
    public void add(Collection<Erasure> added) {
        if (added.stream().anyMatch(Erasure::isMark)) {
            beforeMarks();
        }
        List<Page> pages = pages();
        NavigableMap<Cid, Erasure> changes = new TreeMap<>();
        added.forEach(each -> changes.merge(each.cid(), each, Erasure::latest));
        NavigableMap<Cid, Erasure> before = byCid(pages);
        changes.entrySet().removeIf(each -> {
            Erasure old = before.get(each.getKey());
            return old != null && Erasure.latest(old, each.getValue()).equals(old);
        });
        long most = before.size()
                + changes.keySet().stream()
                        .filter(cid -> !before.containsKey(cid))
                        .count();
        if (most > MOST) {
            throw new RepositoryException(
                    RepositoryException.Reason.NOT_ERASABLE,
                    "a repository has at most " + MOST + " erased blocks, not " + most + ": " + location,
                    "erase fewer values, or lift the marks of old ones",
                    null);
        }
        write(pages, changes);
    }

    /**
     * Records that the bytes of blocks with a mark were removed, durably. The caller is in an update of refs.
     *
     * @param marked their raw CIDs
     */
    protected final void removed(Set<Cid> marked) {
        List<Page> pages = pages();
        NavigableMap<Cid, Erasure> changes = new TreeMap<>();
        byCid(pages).forEach((cid, record) -> {
            if (marked.contains(cid) && !record.removed().equals(record)) {
                changes.put(cid, record.removed());
            }
        });
        write(pages, changes);
    }

    /** Writes the pages of known blocks again, and those of new ones at the end. */
    private void write(List<Page> pages, NavigableMap<Cid, Erasure> changes) {
        if (changes.isEmpty()) {
            return;
        }
        NavigableMap<Cid, Erasure> left = new TreeMap<>(changes);
        List<Page> written = new ArrayList<>();
        for (Page page : pages) {
            List<Erasure> next = new ArrayList<>();
            for (Erasure each : page.erasures) {
                Erasure change = left.remove(each.cid());
                next.add(change == null ? each : change);
            }
            written.add(new Page(page.name, page.number, next));
        }
        if (written.isEmpty()) {
            written.add(new Page(name(0), 0, List.of()));
        }
        Page last = written.remove(written.size() - 1);
        List<Erasure> end = new ArrayList<>(last.erasures);
        end.addAll(left.values());
        written.add(new Page(last.name, last.number, end));
        int count = written.size();
        for (int i = 0; i < written.size(); i++) {
            Page page = written.get(i);
            List<List<Erasure>> parts = split(page.erasures);
            if (i >= pages.size() || !page.erasures.equals(pages.get(i).erasures)) {
                create(page.name, page.number + 1, parts.get(0));
                for (List<Erasure> each : parts.subList(1, parts.size())) {
                    create(name(count++), 1, each);
                }
            }
        }
    }

    private static String name(int page) {
        return PAGES + String.format("%06d", page);
    }

    private static List<List<Erasure>> split(List<Erasure> all) {
        List<List<Erasure>> parts = new ArrayList<>();
        List<Erasure> part = new ArrayList<>();
        long bytes = 0;
        for (Erasure each : all) {
            boolean isLike = !part.isEmpty() && RefRecord.isLike(each, part.get(part.size() - 1));
            long more = BLOCK + (isLike ? 0 : GROUP + texts(each.note()));
            if (!part.isEmpty() && bytes + more > MOST_BYTES) {
                parts.add(part);
                part = new ArrayList<>();
                bytes = 0;
                more = BLOCK + GROUP + texts(each.note());
            }
            part.add(each);
            bytes += more;
        }
        parts.add(part);
        return parts;
    }

    private static long texts(Note note) {
        // A UTF-16 unit takes at most three bytes.
        return 3L
                * (note.author().orElse("").length() + note.message().orElse("").length());
    }

    private void create(String name, long number, List<Erasure> page) {
        if (!records.create(name, number, RefRecord.bound(RefRecord.erasures(page), name, number))) {
            throw new RefChangedException(name, "record " + number);
        }
    }

    @Override
    public void remove() {
        Set<Cid> marked = marks(byCid(pages())).keySet();
        if (!marked.isEmpty()) {
            remove(marked);
        }
    }

    private static NavigableMap<Cid, Erasure> marks(NavigableMap<Cid, Erasure> byCid) {
        NavigableMap<Cid, Erasure> marks = new TreeMap<>(byCid);
        marks.values().removeIf(record -> !record.isMark());
        return marks;
    }

    @Override
    public boolean isStored(Cid cid) {
        return !stored(Set.of(cid.raw())).isEmpty();
    }

    @Override
    public List<Cid> left() {
        NavigableMap<Cid, Erasure> marks = marks(byCid(pages()));
        if (marks.isEmpty()) {
            return List.of();
        }
        Set<Cid> stored = stored(marks.keySet());
        return marks.values().stream()
                .filter(record -> record.state() == Erasure.State.MARKED || stored.contains(record.cid()))
                .map(Erasure::cid)
                .toList();
    }
}
