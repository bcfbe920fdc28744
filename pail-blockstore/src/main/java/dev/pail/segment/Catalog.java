package dev.pail.segment;

import dev.pail.disk.Disk;
import dev.pail.ipld.Cid;
import dev.pail.sweep.SweepRule;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The files of a store: which segments there are, and their indexes (spec rules SEG1 and SEG13 to SEG17). */
final class Catalog {
    static final String OPEN = ".open";
    static final String SEALED = ".seg";
    static final String INDEX = ".idx";
    static final String TEMPORARY = ".tmp";

    /** The greatest number of a segment. */
    static final int MOST_SECTIONS = 0xffff;

    private static final String MANIFEST = "MANIFEST";
    private static final String CONDEMNED = "CONDEMNED";
    private static final int MOST_MANIFEST = 16 + 2 * (MOST_SECTIONS + 1);
    private static final int MANIFEST_MAGIC = 0x314e414d;

    /** So often is looked again where another process changes what is there. */
    private static final int MOST_LOOKS = 100;

    private final Disk disk;
    private final Path folder;

    Catalog(Disk disk, Path folder) {
        this.disk = disk;
        this.folder = folder;
    }

    Path folder() {
        return folder;
    }

    Path path(int section, String suffix) {
        String number = Integer.toString(section);
        return folder.resolve("0".repeat(5 - number.length()) + number + suffix);
    }

    /** The number in a name of five digits and this suffix, or -1. */
    private static int section(Path file, String suffix) {
        String name = String.valueOf(file.getFileName());
        if (name.length() != 5 + suffix.length() || !name.endsWith(suffix)) {
            return -1;
        }
        int section = 0;
        for (int i = 0; i < 5; i++) {
            char digit = name.charAt(i);
            if (digit < '0' || digit > '9') {
                return -1;
            }
            section = 10 * section + digit - '0';
        }
        return section > MOST_SECTIONS ? -1 : section;
    }

    /**
     * What a manifest says.
     *
     * @param last the greatest number that a segment had; later ones count though they are not listed
     * @param listed the segments up to that one that count
     */
    record Manifest(int last, Set<Integer> listed) {
        boolean counts(int section) {
            return section > last || listed.contains(section);
        }
    }

    private @Nullable Manifest manifest() throws IOException {
        Path file = folder.resolve(MANIFEST);
        Optional<Disk.Facts> facts = disk.facts(file);
        if (facts.isEmpty() || !facts.get().isFile() || facts.get().size() > MOST_MANIFEST) {
            return null;
        }
        byte[] bytes = disk.read(file, MOST_MANIFEST);
        int covered = bytes.length - Head.CHECKSUM;
        try {
            Input in = new Input(bytes, 0, Math.max(0, covered));
            boolean isOurs = in.integer() == MANIFEST_MAGIC;
            int last = in.integer();
            Manifest manifest = new Manifest(last, new TreeSet<>());
            while (in.remaining() > 0) {
                manifest.listed.add((int) in.integer(2));
            }
            isOurs &= new Input(bytes, covered, bytes.length).integer() == Output.checksum(0, bytes, 0, covered);
            return isOurs ? manifest : null;
        } catch (DamageException e) {
            // Then all segments that are there count.
            return null;
        }
    }

    /** Replaces the manifest at once. */
    void writeManifest(Manifest manifest) throws IOException {
        Output out = new Output(64).integer(4, MANIFEST_MAGIC).integer(4, manifest.last);
        manifest.listed.forEach(section -> out.integer(2, section));
        replace(folder.resolve(MANIFEST), out.integer(4, out.checksum(0, 0)).toBytes());
    }

    private void replace(Path file, byte[] bytes) throws IOException {
        Path temporary = folder.resolve(file.getFileName() + TEMPORARY);
        disk.delete(temporary);
        try (Disk.WritableFile written = disk.create(temporary)) {
            written.write(bytes);
            written.force();
        }
        disk.rename(temporary, file);
        disk.forceFolder(folder);
    }

    /** Lists the segments of a view as those that count. Such as are known to be lost stay listed. */
    void writeManifest(View view) throws IOException {
        Manifest before = manifest();
        TreeSet<Integer> listed = new TreeSet<>();
        if (before != null) {
            listed.addAll(before.listed);
        }
        int last = before == null ? -1 : before.last;
        for (View.Segment segment : view.segments()) {
            if (segment.index() instanceof SealedIndex) {
                listed.add(segment.file().section());
                last = Math.max(last, segment.file().section());
            }
        }
        writeManifest(new Manifest(last, listed));
    }

    /** What was found not to be needed. If that cannot be read, it is to be found again. */
    Condemned condemned() throws IOException {
        Path file = folder.resolve(CONDEMNED);
        Optional<Disk.Facts> facts = disk.facts(file);
        if (facts.isEmpty() || !facts.get().isFile() || facts.get().size() > Condemned.MOST) {
            return Condemned.none();
        }
        try {
            return Condemned.read(disk.read(file, Condemned.MOST), facts.get().modified());
        } catch (DamageException | NoSuchFileException e) {
            return Condemned.none();
        }
    }

    Sweep sweep(View view, SweepRule rule) throws IOException {
        return new Sweep(disk, view, rule, condemned());
    }

    void writeCondemned(Condemned condemned) throws IOException {
        Path file = folder.resolve(CONDEMNED);
        replace(file, condemned.toBytes());
        if (condemned.since().isAfter(Instant.MIN)) {
            disk.touch(file, condemned.since());
        }
    }

    /** Gives a segment that was ended its name. */
    void publish(Path from, int section, SealedIndex index, long segmentSize, int segmentChecksum) throws IOException {
        writeIndex(section, index, segmentSize, segmentChecksum);
        disk.rename(from, path(section, SEALED));
        disk.forceFolder(folder);
    }

    private void writeIndex(int section, SealedIndex index, long segmentSize, int segmentChecksum) throws IOException {
        replace(path(section, INDEX), index.toBytes(section, segmentSize, segmentChecksum));
    }

    /** The files of a section that are there. */
    private record Found(boolean sealed, boolean open) {}

    private static SortedMap<Integer, Found> find(List<Path> files) {
        SortedMap<Integer, Found> found = new TreeMap<>();
        for (Path file : files) {
            int sealed = section(file, SEALED);
            int open = section(file, OPEN);
            if (sealed >= 0) {
                found.merge(sealed, new Found(true, false), (a, b) -> new Found(true, a.open));
            } else if (open >= 0) {
                found.merge(open, new Found(false, true), (a, b) -> new Found(a.sealed, true));
            }
        }
        return found;
    }

    /** Whether the file that has the name of a tail still is this one. */
    boolean isOpen(View.Tail tail) throws IOException {
        Path path = tail.file.path();
        if (!disk.exists(path)) {
            return false;
        }
        if (tail.end > SegmentFile.BEGINNING) {
            return true;
        }
        // One in which nothing is may have been removed, and its number given to another.
        try (SegmentFile now = SegmentFile.open(disk, path, tail.file.section())) {
            return now.salt() == tail.file.salt();
        } catch (DamageException | NoSuchFileException e) {
            return false;
        }
    }

    /** The segments that are there now. Of a view from before, what is still right is taken over. */
    View load(View before) throws IOException {
        View seen = before;
        for (int look = 1; ; look++) {
            try {
                Manifest manifest = manifest();
                seen = look(seen, manifest);
                // What one manifest does not list yet, may have come with the next, which does not list what is gone.
                if (look == MOST_LOOKS || Objects.equals(manifest, manifest())) {
                    return seen;
                }
            } catch (NoSuchFileException e) {
                if (look == MOST_LOOKS) {
                    throw e;
                }
            }
        }
    }

    private View look(View before, @Nullable Manifest manifest) throws IOException {
        if (!disk.isFolder(folder)) {
            return View.NONE;
        }
        SortedMap<Integer, Found> found = find(disk.list(folder));
        List<View.Segment> segments = new ArrayList<>();
        List<Scan.Damage> lost = new ArrayList<>();
        View.Tail tail = null;
        for (Map.Entry<Integer, Found> each : found.entrySet()) {
            int section = each.getKey();
            if (manifest != null && !manifest.counts(section)) {
                continue;
            }
            try {
                if (each.getValue().sealed) {
                    View.Segment known = before.sealed(section);
                    segments.add(known != null ? known : openSealed(section));
                    tail = null;
                    continue;
                }
                View.Tail opened = follow(section, before);
                if (opened != null) {
                    if (tail != null && tail.end == SegmentFile.BEGINNING) {
                        // It was removed when this one was begun, and the power lost before that was safe.
                        segments.remove(segments.size() - 1);
                        tail.file.close();
                    }
                    segments.add(opened.segment());
                    tail = opened;
                }
            } catch (DamageException e) {
                tail = null;
                lost.add(new Scan.Damage(path(section, each.getValue().sealed ? SEALED : OPEN), 0, "no segment"));
            }
        }
        if (manifest != null) {
            for (int section : manifest.listed) {
                if (!found.containsKey(section)) {
                    lost.add(new Scan.Damage(path(section, SEALED), 0, "a segment that is not there"));
                }
            }
        }
        int last = Math.max(manifest == null ? -1 : manifest.last, found.isEmpty() ? -1 : found.lastKey());
        return new View(List.copyOf(segments), tail, List.copyOf(lost), last);
    }

    private View.@Nullable Tail follow(int section, View before) throws IOException {
        View.Tail known = before.tail();
        if (known != null && known.file.section() == section && isOpen(known)) {
            known.follow(Scan.from(known.file, known.end, known.commitOffset));
            return known;
        }
        Path path = path(section, OPEN);
        SegmentFile file;
        try {
            file = SegmentFile.open(disk, path, section);
        } catch (DamageException e) {
            if (disk.facts(path).map(Disk.Facts::size).orElse(0L) <= SegmentFile.BEGINNING) {
                // Whoever was about to begin it has not got so far as to keep anything.
                return null;
            }
            throw e;
        }
        View.Tail tail = new View.Tail(file);
        tail.follow(Scan.open(file));
        return tail;
    }

    private View.Segment openSealed(int section) throws IOException {
        SegmentFile file = SegmentFile.open(disk, path(section, SEALED), section);
        try {
            SealedIndex index = readIndex(file);
            if (index != null) {
                return new View.Segment(file, index, List.of());
            }
            Scan scan = Scan.ended(file);
            Map<Cid, Location> locations = new HashMap<>();
            scan.entries().forEach(entry -> locations.put(entry.kept().cid().raw(), entry.location()));
            return new View.Segment(file, SealedIndex.of(locations), scan.damages());
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    private @Nullable SealedIndex readIndex(SegmentFile file) throws IOException {
        Path path = path(file.section(), INDEX);
        Optional<Disk.Facts> facts = disk.facts(path);
        long size = file.size();
        int most = SealedIndex.mostBytes(size);
        if (facts.isEmpty() || !facts.get().isFile() || facts.get().size() > most || size < Head.SEAL) {
            return null;
        }
        try {
            byte[] end = new byte[Head.SEAL];
            int read = file.read(size - Head.SEAL, end, Head.SEAL);
            Head head = Head.read(end, 0, read, file.salt(), size - Head.SEAL);
            return head.content() instanceof Head.Seal seal
                    ? SealedIndex.read(disk.read(path, most), file.section(), size, seal.checksum())
                    : null;
        } catch (DamageException e) {
            return null;
        }
    }

    /** Removes what nobody needs: segments that do not count any more, and what was not finished. For the writer alone. */
    void clean(View view) throws IOException {
        Manifest manifest = manifest();
        List<Path> files = disk.list(folder);
        for (int i = files.size() - 1; i >= 0; i--) {
            Path file = files.get(i);
            int section = Math.max(section(file, SEALED), section(file, INDEX));
            boolean dead = section >= 0 && manifest != null && !manifest.counts(section);
            int open = section(file, OPEN);
            boolean unfinished = open >= 0
                    && view.file(open) == null
                    && view.lost().stream().noneMatch(damage -> damage.file().equals(file));
            if (dead || unfinished || String.valueOf(file.getFileName()).endsWith(TEMPORARY)) {
                disk.delete(file);
            }
        }
    }

    /** Puts what is behind a place of a file aside, before it is cut off. */
    void keepLost(SegmentFile file, long from, long end) throws IOException {
        Path lost = folder.resolve("lost");
        disk.createFolder(lost);
        String name = file.path().getFileName() + "-" + from + "-" + disk.now().toEpochMilli();
        Path copy = lost.resolve(name);
        disk.delete(copy);
        try (Disk.WritableFile out = disk.create(copy)) {
            byte[] bytes = new byte[SegmentFile.WINDOW];
            for (long at = from; at < end; ) {
                int length = file.read(at, bytes, (int) Math.min(bytes.length, end - at));
                if (length == 0) {
                    break;
                }
                out.write(length == bytes.length ? bytes : java.util.Arrays.copyOf(bytes, length));
                at += length;
            }
            out.force();
        }
        disk.forceFolder(lost);
        disk.forceFolder(folder);
    }
}
