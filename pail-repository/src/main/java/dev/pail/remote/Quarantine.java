package dev.pail.remote;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.MissingBlockException;
import dev.pail.OriginHints;
import dev.pail.PailException;
import dev.pail.StoreDamagedException;
import dev.pail.StoreIOException;
import dev.pail.blockstore.Durability;
import dev.pail.blockstore.SegmentBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.trace.Trace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of pushes that the repository has not taken, apart for each sender: no block of them is one of the repository. When a push is
 * taken, they go there. What was apart is then deleted, and also what its sender has not used for a day. Rule GW27. Safe for use by
 * several threads.
 *
 * <pre>{@code
 * try (Quarantine quarantine = Quarantine.of(repository, Clock.systemUTC());
 *         Quarantine.Area apart = quarantine.enter("ann")) {
 *     CarImport received = CarImport.of(car, apart.blocks());
 *     Head head = Head.of(received.header().roots());
 *     PushRequest request = new PushRequest("main", head, Optional.empty(), PushMode.FAST_FORWARD);
 *     PushReply reply = RepositoryRemote.of(repository, "this server").update(request, apart);
 * }
 * }</pre>
 */
public final class Quarantine implements AutoCloseable {
    private static final Duration EXPIRY = Duration.ofDays(1);

    /** The most bytes of blocks of a sender that are held in memory, so that small pushes write no files. */
    private static final int HELD = 1 << 20;

    /** A repository in files syncs its folders once for this number. */
    private static final int BATCH_BLOCKS = 16_384;

    private static final int BATCH_BYTES = 4 << 20;

    private final Repository repository;

    /** In the folder of the repository; null if that has none: then it is a temporary one. */
    private final @Nullable Path own;

    private final Clock clock;

    @GuardedBy("this")
    private final Map<String, Area> areas = new HashMap<>();

    @GuardedBy("this")
    private @Nullable Path folder;

    @GuardedBy("this")
    private Instant looked = Instant.MIN;

    private Quarantine(Repository repository, Clock clock) {
        this.repository = repository;
        this.own = FileRepository.of(repository)
                .map(FileRepository::folder)
                .filter(Files::isDirectory)
                .map(path -> path.resolve("quarantine"))
                .orElse(null);
        this.clock = clock;
    }

    /** Opens the quarantine of a repository. A repository in a folder has it there, others in a temporary folder. */
    public static Quarantine of(Repository repository, Clock clock) {
        return new Quarantine(Objects.requireNonNull(repository, "repository"), Objects.requireNonNull(clock, "clock"));
    }

    /**
     * Returns what a sender has apart. The caller closes it when its request ends.
     *
     * @throws StoreIOException if the folder cannot be made or read
     */
    public synchronized Area enter(String sender) {
        Objects.requireNonNull(sender, "sender");
        try {
            expire();
            Area area = areas.get(sender);
            if (area == null) {
                // A sender has a name of its own: no file has it.
                Cid name = Block.of(Cid.RAW, sender.getBytes(StandardCharsets.UTF_8))
                        .cid();
                area = new Area(sender, folder().resolve(name.toString()));
                areas.put(sender, area);
            }
            area.users++;
            return area;
        } catch (IOException e) {
            throw new StoreIOException("cannot keep the blocks of a push apart", String.valueOf(folder), e);
        }
    }

    @GuardedBy("this")
    private Path folder() throws IOException {
        if (folder == null) {
            folder = own == null ? Files.createTempDirectory("pail-quarantine-") : own;
        }
        return Files.isDirectory(folder) ? folder : Files.createDirectory(folder);
    }

    /** Deletes what no request has used for a day. Looks at most once an hour. */
    @GuardedBy("this")
    private void expire() throws IOException {
        Instant now = clock.instant();
        if (looked.plus(EXPIRY.dividedBy(24)).isAfter(now)) {
            return;
        }
        looked = now;
        Set<Path> used = new HashSet<>();
        areas.values().forEach(area -> used.add(area.path));
        List<Path> all;
        try (Stream<Path> paths = Files.list(folder())) {
            all = paths.filter(path -> !used.contains(path)).toList();
        }
        for (Path path : all) {
            if (lastUse(path).plus(EXPIRY).isBefore(now)) {
                delete(path);
            }
        }
    }

    private static Instant lastUse(Path path) throws IOException {
        Instant last = Files.getLastModifiedTime(path).toInstant();
        if (Files.isDirectory(path)) {
            try (Stream<Path> files = Files.list(path)) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    Instant time = Files.getLastModifiedTime(file).toInstant();
                    last = time.isAfter(last) ? time : last;
                }
            }
        }
        return last;
    }

    private static void delete(Path path) {
        try (Stream<Path> all = Files.walk(path)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        } catch (IOException e) {
            // Another look comes.
            Trace.swallowed("cannot delete what was apart", e);
        }
    }

    /** Deletes a temporary folder. No request may be under way. */
    @Override
    public synchronized void close() {
        if (own == null && folder != null) {
            delete(folder);
        }
    }

    /** What one sender has apart, for all of its requests. Safe for use by several threads. */
    public final class Area implements RepositoryRemote.Apart, AutoCloseable {
        private final String sender;
        private final Path path;

        /** How many requests use this. The lock of the quarantine guards it. */
        private int users;

        @GuardedBy("this")
        private final Map<Cid, Block> held = new LinkedHashMap<>();

        @GuardedBy("this")
        private final Map<Cid, Cid> origins = new HashMap<>();

        @GuardedBy("this")
        private long heldBytes;

        /** Null until there are more blocks than memory holds. */
        @GuardedBy("this")
        private @Nullable SegmentBlockStore stored;

        /** How often blocks came. */
        @GuardedBy("this")
        private long additions;

        /** Whether the repository has all that is here. */
        @GuardedBy("this")
        private boolean isTaken;

        private Area(String sender, Path path) {
            this.sender = sender;
            this.path = path;
            this.stored = Files.isDirectory(path) ? SegmentBlockStore.open(path, Durability.NONE) : null;
        }

        @Override
        public BlockStore blocks() {
            return new View();
        }

        private synchronized Optional<Block> find(Cid cid) {
            Block block = held.get(cid);
            return block != null ? Optional.of(block) : read(store -> store.get(cid), Optional.empty());
        }

        /** Whether there is such a block here. */
        public synchronized boolean has(Cid cid) {
            Objects.requireNonNull(cid, "cid");
            return held.containsKey(cid) || read(store -> store.has(cid), false);
        }

        private synchronized Set<Cid> own(Set<Cid> cids) {
            Set<Cid> found = new HashSet<>(cids);
            found.retainAll(held.keySet());
            found.addAll(read(store -> store.hasAll(cids), Set.of()));
            return found;
        }

        /** Reads what is stored. If that is damaged, it is as if nothing had come: the sender sends it again. */
        @GuardedBy("this")
        private <T> T read(Function<SegmentBlockStore, T> reading, T absent) {
            SegmentBlockStore store = stored;
            if (store == null) {
                return absent;
            }
            try {
                return reading.apply(store);
            } catch (StoreDamagedException | CorruptBlockException e) {
                Trace.swallowed("what was apart is damaged", e);
                drop();
                return absent;
            }
        }

        private synchronized void add(Collection<Block> blocks, Map<Cid, Cid> from) {
            isTaken = false;
            additions++;
            for (Block block : blocks) {
                if (held.put(block.cid(), block) == null) {
                    heldBytes += block.size();
                }
                Cid origin = from.get(block.cid());
                if (origin != null) {
                    origins.put(block.cid(), origin);
                }
            }
            if (heldBytes > HELD) {
                store();
            }
        }

        /** Stores what is held. A failure frees the space: the sender sends all again. */
        @GuardedBy("this")
        private void store() {
            SegmentBlockStore store = stored;
            if (store == null) {
                store = SegmentBlockStore.open(path, Durability.NONE);
                stored = store;
            }
            try {
                store.putAll(held.values(), origins);
            } catch (StoreIOException e) {
                drop();
                throw e;
            } finally {
                clear();
            }
        }

        @GuardedBy("this")
        private void clear() {
            held.clear();
            origins.clear();
            heldBytes = 0;
        }

        /** Other requests of the sender do not wait for it. */
        @Override
        public void take() {
            BlockStore target = repository.arrivals();
            SegmentBlockStore store;
            List<Block> last;
            Map<Cid, Cid> from;
            long before;
            synchronized (this) {
                store = stored;
                last = List.copyOf(held.values());
                from = Map.copyOf(origins);
                before = additions;
            }
            if (store != null) {
                takeStored(store, target);
            }
            OriginHints.putAll(target, last, from);
            synchronized (this) {
                isTaken = additions == before && stored == store;
            }
        }

        /** If a stored block is damaged, frees the space: the sender sends all again. */
        private void takeStored(SegmentBlockStore store, BlockStore target) {
            List<Block> batch = new ArrayList<>();
            long[] bytes = new long[1];
            try {
                // In the order in which they came: each finds the block that it is similar to.
                store.forEach(cid -> {
                    Block block = store.require(cid);
                    batch.add(block);
                    bytes[0] += block.size();
                    if (batch.size() >= BATCH_BLOCKS || bytes[0] >= BATCH_BYTES) {
                        target.putAll(batch);
                        batch.clear();
                        bytes[0] = 0;
                    }
                });
            } catch (CorruptBlockException e) {
                Trace.swallowed("what was apart is damaged", e);
                drop(store);
                throw new MissingBlockException(e.cid());
            } catch (StoreDamagedException e) {
                drop(store);
                throw e;
            } catch (IllegalStateException e) {
                if (isStored(store)) {
                    throw e;
                }
                throw new StoreIOException(
                        "cannot take a push",
                        path.toString(),
                        "a write of another request of its sender has failed; push again",
                        e);
            }
            target.putAll(batch);
        }

        private synchronized boolean isStored(SegmentBlockStore store) {
            return stored == store;
        }

        private synchronized void drop(SegmentBlockStore store) {
            if (isStored(store)) {
                drop();
            }
        }

        @GuardedBy("this")
        private void drop() {
            close(stored);
            stored = null;
            if (Files.isDirectory(path)) {
                delete(path);
            }
        }

        private void close(@Nullable SegmentBlockStore store) {
            try {
                if (store != null) {
                    store.close();
                }
            } catch (PailException e) {
                Trace.swallowed("cannot close what was apart", e);
            }
        }

        /** Ends the use by a request. After the last one, the blocks that no push has taken stay for the next. */
        @Override
        public void close() {
            synchronized (Quarantine.this) {
                users--;
                if (users == 0) {
                    areas.remove(sender);
                    finish();
                }
            }
        }

        private synchronized void finish() {
            try {
                if (!isTaken && !held.isEmpty()) {
                    store();
                }
            } catch (PailException e) {
                Trace.swallowed("what came of a push is not kept", e);
            }
            if (isTaken) {
                drop();
            } else {
                close(stored);
            }
            clear();
        }

        /** The blocks here, and those of the repository. */
        private final class View implements OriginHints {
            private final BlockStore below = repository.blocks();

            @Override
            public Optional<Block> get(Cid cid) {
                Optional<Block> found = find(cid);
                return found.isPresent() ? found : below.get(cid);
            }

            @Override
            public boolean has(Cid cid) {
                return Area.this.has(cid) || below.has(cid);
            }

            /** Asks the repository once: a push may have many small blocks. */
            @Override
            public Set<Cid> hasAll(Collection<Cid> cids) {
                Set<Cid> others = new LinkedHashSet<>(cids);
                Set<Cid> all = own(others);
                others.removeAll(all);
                all.addAll(below.hasAll(others));
                return all;
            }

            @Override
            public boolean isErased(Cid cid) {
                return below.isErased(cid);
            }

            /** Erased blocks are left out (ER5). */
            @Override
            public void putAll(Collection<Block> blocks, Map<Cid, Cid> from) {
                add(blocks.stream().filter(block -> !isErased(block.cid())).toList(), from);
            }

            @Override
            public void close() {
                // The area is closed when its request ends.
            }
        }
    }
}
