package dev.pail.remote;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.ShardView;
import dev.pail.clock.Event;
import dev.pail.dag.Links;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.trace.Trace;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds the blocks that a peer reads after one that it asks for, by the same reads. For one answer, by one thread. Rule SY24.
 *
 * <pre>{@code
 * NextReads next = new NextReads.Entries(List.of(), KeyRange.prefix("photos/"), 64);
 * BlocksAhead.forEach(repository.blocks(), List.of(repository.root("main")), next, blocks::put);
 * }</pre>
 */
public final class BlocksAhead {
    /** How many blocks are read before the one that was asked for is found. Without an end, a foreign hint would read all. */
    private static final int MOST_BEFORE = 16_384;

    private final BlockStore blocks;
    private final Set<Cid> sent;
    private final int most;
    private final Consumer<Block> sink;
    private int count;
    private long bytes;

    private BlocksAhead(BlockStore blocks, Collection<Cid> asked, int most, Consumer<Block> sink) {
        this.blocks = blocks;
        this.sent = new HashSet<>(asked);
        this.most = most;
        this.sink = sink;
    }

    /**
     * Gives the blocks that follow, in the order of the reads, without those that are asked for. Ends at a block that is missing or
     * damaged: the peer will ask for it alone.
     *
     * @param asked the blocks that are asked for; what is read next follows the first one
     */
    public static void forEach(BlockStore blocks, List<Cid> asked, NextReads next, Consumer<Block> sink) {
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(next, "next");
        Objects.requireNonNull(sink, "sink");
        if (asked.isEmpty()) {
            return;
        }
        BlocksAhead ahead = new BlocksAhead(blocks, asked, next.most(), sink);
        try {
            ahead.read(asked.get(0), next);
        } catch (Enough e) {
            return;
        } catch (BlockException | IllegalStateException e) {
            Trace.swallowed("cannot read ahead for a peer behind the block " + asked.get(0), e);
        }
    }

    private void read(Cid first, NextReads next) {
        if (next instanceof NextReads.Entries entries) {
            readEntries(first, entries);
        } else if (next instanceof NextReads.Changes changes) {
            BlockStore read = new Recorded(first);
            Pail before = Pail.open(read, changes.before());
            Pail after = Pail.open(read, changes.after());
            before.diff(after, changes.range()).boundedKeys().forEach(change -> {});
        } else {
            readHistory(first);
        }
    }

    private void readEntries(Cid first, NextReads.Entries entries) {
        Cid root = entries.path().isEmpty() ? first : entries.path().get(0);
        Pail version = Pail.open(new Recorded(first), root);
        KeyRange range = entries.range();
        if (!entries.path().isEmpty() && !range.isDescending()) {
            Optional<String> prefix = prefix(version.shard(), entries.path(), first);
            if (prefix.isEmpty()) {
                return;
            }
            range = range.from(prefix.get());
        }
        version.entries(range).forEach(entry -> {});
    }

    /** What the keys of a shard start with, if the path leads to it. */
    private static Optional<String> prefix(ShardView root, List<Cid> path, Cid last) {
        ShardView shard = root;
        for (int i = 1; i <= path.size(); i++) {
            Cid next = i < path.size() ? path.get(i) : last;
            Optional<ShardView> link = shard.items()
                    .flatMap(item -> item.shard().stream())
                    .filter(below -> below.cid().equals(next))
                    .findFirst();
            if (link.isEmpty()) {
                return Optional.empty();
            }
            shard = link.get();
        }
        return Optional.of(shard.prefix());
    }

    private void readHistory(Cid first) {
        Deque<Cid> due = new ArrayDeque<>(List.of(first));
        Set<Cid> seen = new HashSet<>(due);
        for (Cid cid = due.poll(); cid != null; cid = due.poll()) {
            Block block = blocks.require(cid);
            if (!Links.isEvent(block)) {
                return;
            }
            send(block);
            Event.fromBlock(block).parents().stream().filter(seen::add).forEach(due::add);
        }
    }

    private void send(Block block) {
        if (!sent.add(block.cid())) {
            return;
        }
        bytes += block.size();
        if (count > 0 && bytes > NextReads.MOST_BYTES) {
            throw new Enough();
        }
        sink.accept(block);
        count++;
        if (count >= most) {
            throw new Enough();
        }
    }

    /** The blocks. Each that is read is sent, from the first one on. */
    private final class Recorded implements BlockStore {
        private final Cid first;
        private boolean hasBegun;
        private int before;

        Recorded(Cid first) {
            this.first = first;
        }

        @Override
        public Optional<Block> get(Cid cid) {
            Optional<Block> found = blocks.get(cid);
            hasBegun |= cid.equals(first);
            if (!hasBegun && ++before > MOST_BEFORE) {
                throw new Enough();
            }
            if (hasBegun) {
                found.ifPresent(BlocksAhead.this::send);
            }
            return found;
        }

        @Override
        public boolean has(Cid cid) {
            return blocks.has(cid);
        }

        @Override
        public void putAll(Collection<Block> all) {
            throw new UnsupportedOperationException("a version that is read for a peer is not changed");
        }

        @Override
        public void close() {
            // The store is the repository's.
        }
    }
}
