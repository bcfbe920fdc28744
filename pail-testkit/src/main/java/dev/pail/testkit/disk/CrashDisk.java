package dev.pail.testkit.disk;

import dev.pail.disk.Disk;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory that knows what is durable: what was synced of each file, and which names of each folder. It gives images of
 * what may be left after a loss of power. Before each call that changes something, it tells a hook. Safe for use by several
 * threads; the hook gets one change at a time.
 *
 * <pre>{@code
 * CrashDisk disk = new CrashDisk();
 * Path root = Path.of("/store");
 * Block block = Block.of(Cid.RAW, new byte[] {1});
 * DirectoryBlockStore.open(disk, root).put(block);
 * CrashDisk after = disk.afterLoss(CrashDisk.Loss.ALL, new Random(7)); // only what was synced is there
 * boolean isThere = DirectoryBlockStore.open(after, root).has(block.cid()); // true
 * }</pre>
 */
public final class CrashDisk implements Disk {
    /** What becomes of what is not durable. */
    public enum Loss {
        /** All of it is lost. */
        ALL,
        /** All of it is there. */
        NOTHING,
        /** What was written to files is lost; names are kept. */
        CONTENT,
        /** Names are lost; what was written to files is there. */
        NAMES,
        /** Files are cut at a sector; each name may be lost. */
        TORN,
        /** Files have their new size, and zeros from some sector on; each name may be lost. */
        ZEROS,
        /** Files have their new size, and anything from some sector on; each name may be lost. */
        GARBAGE,
        /** Each sector and each name may be lost. */
        ANY;

        /** Whether two losses of this kind can have different outcomes. */
        public boolean isRandom() {
            return switch (this) {
                case ALL, NOTHING, CONTENT, NAMES -> false;
                case TORN, ZEROS, GARBAGE, ANY -> true;
            };
        }
    }

    private static final int SECTOR = 512;

    /** A file or a folder. */
    private abstract static sealed class Node {}

    private static final class Content extends Node {
        private byte[] now = {};
        private byte[] durable = {};
        private Instant mtime = Instant.EPOCH;
        private Instant durableMtime = Instant.EPOCH;

        /** Bytes that a sync has failed for: they can be read, and no other sync makes them durable, unless they are written again. */
        private final BitSet given = new BitSet();

        private void modify(Instant time) {
            mtime = time;
            durableMtime = time;
        }

        /** What a sync makes durable now. */
        private byte[] reached() {
            if (given.isEmpty()) {
                return now;
            }
            byte[] reached = now.clone();
            given.stream()
                    .filter(at -> at < now.length)
                    .forEach(at -> reached[at] = at < durable.length ? durable[at] : 0);
            return reached;
        }

        private void sync() {
            durable = reached();
            durableMtime = mtime;
        }

        private void giveUp() {
            byte[] reached = reached();
            for (int at = 0; at < now.length; at++) {
                if (at >= durable.length || reached[at] != durable[at]) {
                    given.set(at);
                }
            }
        }
    }

    private static final class Folder extends Node {
        private final Map<String, Node> now = new TreeMap<>();
        private Map<String, Node> durable = new TreeMap<>();

        /** Changes of names that are not durable, in order: each is kept or lost as a whole. A null removes. */
        private final List<Map<String, @Nullable Node>> pending = new ArrayList<>();

        private void change(Map<String, @Nullable Node> names) {
            apply(now, names);
            pending.add(names);
        }

        private static void apply(Map<String, Node> to, Map<String, @Nullable Node> names) {
            names.forEach((name, node) -> {
                if (node == null) {
                    to.remove(name);
                } else {
                    to.put(name, node);
                }
            });
        }
    }

    /** Held while the hook runs. Taken before {@link #state}, never while that is held. */
    private final Object turn = new Object();

    /** Guards all fields below, and all files and folders. */
    private final Object state = new Object();

    private final Folder root;
    private final Set<String> locked = new HashSet<>();
    private Runnable hook = () -> {};
    private long milliseconds;
    private long calls;
    private long written;
    private long limit = Long.MAX_VALUE;

    /** An empty disk. */
    public CrashDisk() {
        this(new Folder());
    }

    private CrashDisk(Folder root) {
        this.root = root;
    }

    /** What is run before each call that changes something. */
    public void onChange(Runnable action) {
        synchronized (state) {
            hook = action;
        }
    }

    /** How many calls there were that change something. */
    public long calls() {
        synchronized (state) {
            return calls;
        }
    }

    /** How many bytes were written to files. */
    public long written() {
        synchronized (state) {
            return written;
        }
    }

    /** How many bytes all files have. */
    public long used() {
        synchronized (state) {
            return used(root);
        }
    }

    private static long used(Folder folder) {
        long used = 0;
        for (Node node : folder.now.values()) {
            used += node instanceof Folder inner ? used(inner) : ((Content) node).now.length;
        }
        return used;
    }

    /** Sets how many bytes all files may have. A write beyond that writes what fits, and fails. */
    public void limit(long bytes) {
        synchronized (state) {
            limit = bytes;
        }
    }

    /** A disk with what may be left after a loss of power. */
    public CrashDisk afterLoss(Loss loss, RandomGenerator random) {
        synchronized (state) {
            CrashDisk image = new CrashDisk(image(root, loss, random, new HashMap<>()));
            image.milliseconds = milliseconds;
            image.limit = limit;
            return image;
        }
    }

    private static Folder image(Folder of, Loss loss, RandomGenerator random, Map<Node, Node> done) {
        Map<String, Node> names = new TreeMap<>(of.durable);
        for (Map<String, @Nullable Node> change : of.pending) {
            boolean kept = switch (loss) {
                case ALL, NAMES -> false;
                case NOTHING, CONTENT -> true;
                default -> random.nextBoolean();
            };
            if (kept) {
                Folder.apply(names, change);
            }
        }
        Folder image = new Folder();
        names.forEach((name, node) -> image.now.put(
                name,
                node instanceof Folder folder
                        ? image(folder, loss, random, done)
                        : done.computeIfAbsent(node, file -> image((Content) file, loss, random))));
        image.durable = new TreeMap<>(image.now);
        return image;
    }

    private static Content image(Content of, Loss loss, RandomGenerator random) {
        Content image = new Content();
        image.modify(
                switch (loss) {
                    case ALL, CONTENT -> of.durableMtime;
                    case NOTHING, NAMES -> of.mtime;
                    default -> of.mtime.equals(of.durableMtime) || random.nextBoolean() ? of.mtime : of.durableMtime;
                });
        byte[] reached = of.reached();
        image.now = reached == of.durable
                ? reached
                : switch (loss) {
                    case ALL, CONTENT -> of.durable;
                    case NOTHING, NAMES -> reached;
                    default -> torn(of.durable, reached, loss, random);
                };
        image.durable = image.now;
        return image;
    }

    /** What may be left of a file to which something was appended, or which was written over. */
    private static byte[] torn(byte[] durable, byte[] now, Loss loss, RandomGenerator random) {
        int sectors = (now.length + SECTOR - 1) / SECTOR;
        int keep = Math.min(now.length, SECTOR * random.nextInt(sectors + 1));
        int size = loss == Loss.TORN ? Math.max(durable.length, keep) : now.length;
        byte[] left = Arrays.copyOf(now, size);
        for (int at = 0; at < size; at += SECTOR) {
            if (loss == Loss.ANY ? random.nextBoolean() : at >= keep) {
                boolean garbage = loss == Loss.ANY ? random.nextBoolean() : loss == Loss.GARBAGE;
                spoil(left, durable, at, Math.min(at + SECTOR, size), garbage, random);
            }
        }
        return left;
    }

    /** Loses a sector: it is as it was, or anything from where it was to change. */
    private static void spoil(byte[] left, byte[] durable, int from, int to, boolean garbage, RandomGenerator random) {
        int at = from;
        while (at < Math.min(to, durable.length) && left[at] == durable[at]) {
            at++;
        }
        for (int i = at; i < to; i++) {
            left[i] = garbage ? (byte) random.nextInt() : i < durable.length ? durable[i] : 0;
        }
    }

    /** The hook may wait for other threads, which may read meanwhile. */
    private void changing() {
        synchronized (turn) {
            Runnable told;
            synchronized (state) {
                calls++;
                told = hook;
            }
            told.run();
        }
    }

    private Optional<Node> find(Path path) {
        Node node = root;
        for (Path name : path.toAbsolutePath()) {
            node = node instanceof Folder folder ? folder.now.get(name.toString()) : null;
            if (node == null) {
                return Optional.empty();
            }
        }
        return Optional.of(node);
    }

    private Folder folder(Path path) throws IOException {
        if (find(path).orElse(null) instanceof Folder folder) {
            return folder;
        }
        throw new NoSuchFileException(path.toString());
    }

    private Content content(Path path) throws IOException {
        if (find(path).orElse(null) instanceof Content content) {
            return content;
        }
        throw new NoSuchFileException(path.toString());
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    private Content add(Path file) throws IOException {
        Content content = new Content();
        content.modify(now());
        folder(Disk.parent(file)).change(Map.of(name(file), content));
        return content;
    }

    private final class Writing implements WritableFile {
        private final Content content;
        private int position;

        Writing(Content content) {
            this.content = content;
            this.position = content.now.length;
        }

        @Override
        public void write(byte[] given) throws IOException {
            changing();
            synchronized (state) {
                byte[] bytes = given;
                if (limit < Long.MAX_VALUE) {
                    long more = Math.max(0, (long) position + given.length - content.now.length);
                    long lacking = Math.max(0, Math.min(more, used() + more - limit));
                    bytes = Arrays.copyOf(given, (int) (given.length - lacking));
                }
                writeAll(bytes);
                if (bytes.length < given.length) {
                    throw new IOException("No space left on device");
                }
            }
        }

        private void writeAll(byte[] bytes) {
            int end = position + bytes.length;
            byte[] now = Arrays.copyOf(content.now, Math.max(end, content.now.length));
            System.arraycopy(bytes, 0, now, position, bytes.length);
            content.given.clear(position, end);
            position = end;
            written += bytes.length;
            content.now = now;
            content.modify(now());
        }

        @Override
        public void seek(long to) {
            position = (int) to;
        }

        @Override
        public void sync() {
            changing();
            synchronized (state) {
                content.sync();
            }
        }

        @Override
        public void close() {}
    }

    @Override
    public WritableFile create(Path file) throws IOException {
        changing();
        synchronized (state) {
            if (find(file).isPresent()) {
                throw new FileAlreadyExistsException(file.toString());
            }
            return new Writing(add(file));
        }
    }

    @Override
    public WritableFile append(Path file) throws IOException {
        changing();
        synchronized (state) {
            return new Writing(find(file).isPresent() ? content(file) : add(file));
        }
    }

    @Override
    public void truncate(Path file, long size) throws IOException {
        changing();
        synchronized (state) {
            Content content = content(file);
            content.now = Arrays.copyOf(content.now, (int) Math.min(size, content.now.length));
            content.given.clear((int) size, Integer.MAX_VALUE);
            content.modify(now());
            content.sync();
        }
    }

    @Override
    public ReadableFile open(Path file) throws IOException {
        synchronized (state) {
            Content content = content(file);
            return new ReadableFile() {
                private boolean closed;

                @Override
                public int read(long position, byte[] target, int from, int length) throws IOException {
                    checkOpen();
                    byte[] now = bytes();
                    int count = (int) Math.max(0, Math.min(length, now.length - position));
                    if (count > 0) {
                        System.arraycopy(now, (int) position, target, from, count);
                    }
                    return count;
                }

                @Override
                public long size() throws IOException {
                    checkOpen();
                    return bytes().length;
                }

                private byte[] bytes() {
                    synchronized (state) {
                        return content.now;
                    }
                }

                private void checkOpen() throws IOException {
                    if (closed) {
                        throw new IOException("the file is closed");
                    }
                }

                @Override
                public void close() {
                    closed = true;
                }
            };
        }
    }

    @Override
    public byte[] read(Path file, int maxSize) throws IOException {
        synchronized (state) {
            byte[] bytes = content(file).now;
            if (bytes.length > maxSize) {
                throw new IOException("too large");
            }
            return bytes.clone();
        }
    }

    @Override
    public Optional<FileStatus> status(Path file) {
        synchronized (state) {
            return find(file)
                    .map(node -> node instanceof Content content
                            ? new FileStatus(true, content.now.length, content.mtime)
                            : new FileStatus(false, 0, now()));
        }
    }

    @Override
    public boolean exists(Path file) {
        synchronized (state) {
            return find(file).isPresent();
        }
    }

    @Override
    public boolean isDirectory(Path folder) {
        synchronized (state) {
            return find(folder).orElse(null) instanceof Folder;
        }
    }

    @Override
    public void sync(Path file) throws IOException {
        changing();
        synchronized (state) {
            content(file).sync();
        }
    }

    /** What becomes of a file when a sync of it fails: the system takes for written what is not, and later syncs leave it out. */
    public void failToForce(Path file) throws IOException {
        synchronized (state) {
            content(file).giveUp();
        }
    }

    @Override
    public void setMtime(Path file, Instant time) throws IOException {
        changing();
        synchronized (state) {
            content(file).mtime = time;
        }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        changing();
        synchronized (state) {
            Content content = content(from);
            Folder source = folder(Disk.parent(from));
            Folder target = folder(Disk.parent(to));
            Map<String, @Nullable Node> names = new HashMap<>();
            names.put(name(from), null);
            if (source != target) {
                source.change(names);
                names = new HashMap<>();
            }
            names.put(name(to), content);
            target.change(names);
        }
    }

    @Override
    public void syncDirectory(Path folder) throws IOException {
        changing();
        synchronized (state) {
            Folder forced = folder(folder);
            forced.durable = new TreeMap<>(forced.now);
            forced.pending.clear();
        }
    }

    @Override
    public void createDirectory(Path folder) throws IOException {
        changing();
        synchronized (state) {
            if (find(folder).isPresent()) {
                folder(folder);
                return;
            }
            folder(Disk.parent(folder)).change(Map.of(name(folder), new Folder()));
        }
    }

    @Override
    public List<Path> list(Path folder) throws IOException {
        synchronized (state) {
            return folder(folder).now.keySet().stream().map(folder::resolve).toList();
        }
    }

    @Override
    public void delete(Path file) throws IOException {
        changing();
        synchronized (state) {
            if (find(file).isPresent()) {
                Map<String, @Nullable Node> names = new HashMap<>();
                names.put(name(file), null);
                folder(Disk.parent(file)).change(names);
            }
        }
    }

    @Override
    public Optional<Lock> tryLock(Path file, String holder) throws IOException {
        synchronized (state) {
            folder(Disk.parent(file));
            String name = file.toString();
            return locked.add(name) ? Optional.of(() -> unlock(name)) : Optional.empty();
        }
    }

    private void unlock(String name) {
        synchronized (state) {
            locked.remove(name);
        }
    }

    @Override
    public String holder(Path file) {
        return "";
    }

    @Override
    public Instant now() {
        synchronized (state) {
            return Instant.EPOCH.plusMillis(milliseconds++);
        }
    }

    @Override
    public void pause(long time) {
        synchronized (state) {
            milliseconds += time;
        }
    }
}
