package dev.pail.server.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.BlockStore;
import dev.pail.OriginHints;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.server.http.Refusal;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * How many bytes of blocks requests may make: each one, each token in an hour, and as long as the disk keeps a reserve. The bytes of the
 * blocks count, not those of the deltas that a sender makes them of. Small changes may use the reserve, so that a sender of much stops no
 * ordinary work. Rule GW26. Safe for use by several threads.
 */
public final class Quotas {
    /** The bytes of blocks that one request may make. */
    static final long OF_REQUEST = 16L << 30;

    /** The bytes of blocks that a token may make in an hour. */
    static final long OF_TOKEN = 64L << 30;

    /** The part of the free space that is reserved when the server starts, and the most of it, in bytes. */
    private static final int RESERVED_PART = 10;

    private static final long MOST_RESERVED = 1L << 30;

    /** A request that has made at most this number of bytes may use the reserve. */
    private static final long SMALL = 256 << 10;

    /** And at most this number of blocks: a file of one byte takes 4 KiB of a disk. */
    private static final long FEW = 64;

    private static final long HOUR = Duration.ofHours(1).toNanos();

    private final long ofRequest;
    private final long ofToken;
    private final Supplier<OptionalLong> usable;
    private final LongSupplier nanoTime;
    private final long reserve;

    @GuardedBy("this")
    private final Map<String, Used> byName = new HashMap<>();

    private record Used(long since, long bytes) {}

    /**
     * @param usable the free bytes of the disk, if they are known
     * @param nanoTime as {@link System#nanoTime}
     */
    Quotas(long ofRequest, long ofToken, Supplier<OptionalLong> usable, LongSupplier nanoTime) {
        this.ofRequest = ofRequest;
        this.ofToken = ofToken;
        this.usable = usable;
        this.nanoTime = nanoTime;
        this.reserve = Math.min(MOST_RESERVED, usable.get().orElse(0) / RESERVED_PART);
    }

    /** The store for the blocks of one request. */
    public BlockStore metered(BlockStore blocks, String name) {
        return new Metered(blocks, name);
    }

    private void use(String name, long made, long more, long blocks) {
        if (made > ofRequest) {
            throw Refusal.quota("a request makes at most " + ofRequest + " bytes of blocks");
        }
        if (made > SMALL || blocks > FEW) {
            OptionalLong free = usable.get();
            if (free.isPresent() && free.getAsLong() - more < reserve) {
                throw Refusal.noSpace();
            }
        }
        useOfToken(name, more);
    }

    private synchronized void useOfToken(String name, long more) {
        long now = nanoTime.getAsLong();
        byName.values().removeIf(used -> now - used.since > HOUR);
        Used used = byName.getOrDefault(name, new Used(now, 0));
        if (used.bytes + more > ofToken) {
            throw Refusal.quota("the token of " + name + " makes at most " + ofToken + " bytes of blocks in an hour");
        }
        byName.put(name, new Used(used.since, used.bytes + more));
    }

    /** Counts blocks before it passes them on. */
    private final class Metered implements OriginHints {
        private final BlockStore blocks;
        private final String name;
        private final AtomicLong made = new AtomicLong();
        private final AtomicLong count = new AtomicLong();

        Metered(BlockStore blocks, String name) {
            this.blocks = blocks;
            this.name = name;
        }

        @Override
        public void putAll(Collection<Block> given, Map<Cid, Cid> origins) {
            long bytes = given.stream().mapToLong(Block::size).sum();
            use(name, made.addAndGet(bytes), bytes, count.addAndGet(given.size()));
            OriginHints.putAll(blocks, given, origins);
        }

        @Override
        public Optional<Block> get(Cid cid) {
            return blocks.get(cid);
        }

        @Override
        public Map<Cid, Block> getAll(Collection<Cid> cids) {
            return blocks.getAll(cids);
        }

        @Override
        public boolean has(Cid cid) {
            return blocks.has(cid);
        }

        @Override
        public boolean isErased(Cid cid) {
            return blocks.isErased(cid);
        }

        @Override
        public Set<Cid> hasAll(Collection<Cid> cids) {
            return blocks.hasAll(cids);
        }

        @Override
        public void close() {
            // The block store is the repository's.
        }
    }

    /** The quotas of a server over a repository. Only of one in a folder is it known how much space is left. */
    public static Quotas of(Repository repository) {
        return new Quotas(OF_REQUEST, OF_TOKEN, repository.maintenance()::usableBytes, System::nanoTime);
    }
}
