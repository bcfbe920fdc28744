package dev.pail.through;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.BlockStore;
import dev.pail.KeyRange;
import dev.pail.dag.Link;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.remote.NextReads;
import dev.pail.remote.Remote;
import dev.pail.repository.spi.BlockSource;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a remote. With those that are asked for, it fetches those that a reader needs next, as far as it is known what is read. Safe for
 * use by several threads.
 *
 * <pre>{@code
 * Repository healing = repository.readingThrough(RemoteReads.of(remote)); // lost blocks are read from the remote
 * }</pre>
 */
public final class RemoteReads implements BlockSource {
    /** How many links of shards and events are remembered. */
    private static final int MOST_LINKS = 1 << 16;

    /** The longest path of shards that a request names. */
    private static final int MOST_DEPTH = 512;

    /** How many additional blocks a first request for a range asks for, and how many times as many each further one does. */
    private static final int FIRST = 64;

    private static final int GROWTH = 4;

    private final Supplier<? extends Remote> opening;

    /** Null until a block is fetched. */
    @GuardedBy("this")
    private @Nullable Remote remote;

    /** For each shard that was linked to, the shard with the link. The oldest links go first. */
    @GuardedBy("this")
    private final Map<Cid, Cid> parents = bounded();

    /** Events that others follow. */
    @GuardedBy("this")
    private final Set<Cid> events = Collections.newSetFromMap(bounded());

    @GuardedBy("this")
    private @Nullable Reading reading;

    /** How many additional blocks the next request for events asks for. */
    @GuardedBy("this")
    private int history = FIRST;

    /** What is read: the entries of the version of a root, or what differs from the version of another. */
    private static final class Reading {
        private final Cid root;
        private final @Nullable Cid before;
        private final KeyRange range;
        private int most = FIRST;

        Reading(Cid root, @Nullable Cid before, KeyRange range) {
            this.root = root;
            this.before = before;
            this.range = range;
        }

        /** How many blocks to ask for now: more each time. */
        int grow() {
            int now = most;
            most = Math.min(NextReads.MOST, most * GROWTH);
            return now;
        }
    }

    private RemoteReads(Supplier<? extends Remote> opening) {
        this.opening = opening;
    }

    /** The blocks of a remote, which is closed with this. */
    public static RemoteReads of(Remote remote) {
        Objects.requireNonNull(remote, "remote");
        RemoteReads reads = new RemoteReads(() -> remote);
        Remote unused = reads.remote();
        return reads;
    }

    /** The blocks of a remote that is opened when the first one is fetched, and closed with this. */
    public static RemoteReads opening(Supplier<? extends Remote> remote) {
        return new RemoteReads(Objects.requireNonNull(remote, "remote"));
    }

    private static <V> Map<Cid, V> bounded() {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Cid, V> eldest) {
                return size() > MOST_LINKS;
            }
        };
    }

    synchronized Remote remote() {
        Remote opened = remote == null ? opening.get() : remote;
        remote = opened;
        return opened;
    }

    @Override
    public boolean takesReadHints() {
        return true;
    }

    @Override
    public synchronized void willRead(Cid root, KeyRange range) {
        reading = new Reading(Objects.requireNonNull(root, "root"), null, Objects.requireNonNull(range, "range"));
    }

    @Override
    public synchronized void willCompare(Cid before, Cid after, KeyRange range) {
        reading = new Reading(
                Objects.requireNonNull(after, "after"),
                Objects.requireNonNull(before, "before"),
                Objects.requireNonNull(range, "range"));
    }

    /** Whether the entries that are read come in descending order. */
    synchronized boolean isDescending() {
        return reading != null && reading.range.isDescending();
    }

    /** Says that these are events, which a reader may follow. */
    synchronized void knowEvents(Collection<Cid> cids) {
        events.addAll(cids);
    }

    /** Remembers the links of the block. */
    @Override
    public void read(Block block) {
        if (block.cid().isShardLink()) {
            note(ReadLinks.of(block));
        }
    }

    synchronized void note(ReadLinks read) {
        for (Link link : read.links()) {
            if (link.role() == Link.Role.SHARD && read.shape() == Link.Role.SHARD) {
                parents.put(link.cid(), read.cid());
            } else if (link.role() == Link.Role.EVENT) {
                events.add(link.cid());
            }
        }
    }

    @Override
    public void fetch(List<Cid> missing, BlockStore target) {
        Objects.requireNonNull(target, "target");
        fetch(missing, portion -> portion, target);
    }

    /** As {@link #fetch(List, BlockStore)}. If it is not known what is read next, {@code guess} adds blocks to those that are asked for. */
    void fetch(List<Cid> missing, UnaryOperator<List<Cid>> guess, BlockStore target) {
        for (int at = 0; at < missing.size(); at += Remote.MAX_BLOCKS) {
            List<Cid> portion = missing.subList(at, Math.min(missing.size(), at + Remote.MAX_BLOCKS));
            Optional<NextReads> next = next(portion.get(0));
            // The next versions are probably compared, too.
            boolean isGuessed = next.isEmpty() || next.get() instanceof NextReads.Changes;
            remote().resumedBlocks(isGuessed ? guess.apply(portion) : portion, next, target);
        }
    }

    private synchronized Optional<NextReads> next(Cid first) {
        if (events.contains(first)) {
            NextReads next = new NextReads.History(history);
            history = Math.min(Remote.MAX_BLOCKS, history * GROWTH);
            return Optional.of(next);
        }
        Reading now = reading;
        if (now == null) {
            return Optional.empty();
        }
        List<Cid> path = path(first);
        Cid root = path.isEmpty() ? first : path.get(0);
        if (now.before != null) {
            return root.equals(now.root) || root.equals(now.before)
                    ? Optional.of(new NextReads.Changes(now.before, now.root, now.range, now.grow()))
                    : Optional.empty();
        }
        return root.equals(now.root)
                ? Optional.of(new NextReads.Entries(path, now.range, now.grow()))
                : Optional.empty();
    }

    /** The shards that lead to one, from the root. */
    @GuardedBy("this")
    private List<Cid> path(Cid shard) {
        Deque<Cid> path = new ArrayDeque<>();
        for (Cid above = parents.get(shard); above != null && path.size() < MOST_DEPTH; above = parents.get(above)) {
            path.addFirst(above);
        }
        return List.copyOf(path);
    }

    @Override
    public synchronized void close() {
        if (remote != null) {
            remote.close();
        }
    }
}
