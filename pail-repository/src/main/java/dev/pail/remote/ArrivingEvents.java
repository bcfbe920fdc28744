package dev.pail.remote;

import dev.pail.BlockStore;
import dev.pail.MalformedBlockException;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.dag.Links;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The block store that a fetch puts into: that of the repository, with a note of the events that have arrived. If the fetch is cut off,
 * all of them but the last are whole, since each comes before its version and the version before the next event.
 */
final class ArrivingEvents extends ReceivingBlocks {
    private final DiskReserve reserve;
    private final String address;
    private final Runnable progress;
    private final Runnable onMore;

    /** Whether blocks that are here already may come again, so that new ones are counted by look-ups. */
    private final boolean mayRepeat;

    private final NewestEvents newest = new NewestEvents(List.of());

    /** The newest events that arrived with their versions, when they were the ends of their changes last. */
    private List<Cid> whole = List.of();

    private long puts;
    private long arrived;
    private long gained;
    private boolean hasFailed;

    /**
     * @param address of the remote, for messages
     * @param onMore is called before the second put: what came is more than a process that is killed may lose
     * @param mayRepeat whether an earlier connection of this transfer broke, so that blocks may come again
     */
    ArrivingEvents(
            BlockStore blocks,
            DiskReserve reserve,
            String address,
            Runnable progress,
            Runnable onMore,
            boolean mayRepeat) {
        super(blocks);
        this.reserve = reserve;
        this.address = address;
        this.progress = progress;
        this.onMore = onMore;
        this.mayRepeat = mayRepeat;
    }

    @Override
    public void putAll(Collection<Block> all) {
        Set<Cid> known = mayRepeat ? blocks.hasAll(all.stream().map(Block::cid).toList()) : Set.of();
        hasFailed = true;
        if (puts == 1) {
            onMore.run();
        }
        puts++;
        reserve.take(all.stream().mapToLong(Block::size).sum(), address);
        blocks.putAll(all);
        hasFailed = false;
        gained += all.stream()
                .filter(block -> !known.contains(block.cid()))
                .mapToLong(Block::size)
                .sum();
        for (Block block : all) {
            arrived++;
            progress.run();
            if (Links.isEvent(block)) {
                note(block);
            }
        }
    }

    /** An event that arrives shows that the ones before it are whole. */
    private void note(Block block) {
        try {
            Event event = Event.fromBlock(block);
            if (newest.areEnds()) {
                whole = newest.cids();
            }
            newest.add(event);
        } catch (MalformedBlockException e) {
            // A value may look like an event.
        }
    }

    /** The number of blocks that arrived. */
    long arrived() {
        return arrived;
    }

    /** The bytes of new blocks that arrived since this was asked last. */
    long takeGained() {
        long taken = gained;
        gained = 0;
        return taken;
    }

    /** Whether the blocks could not be put: the connection has no part in that. */
    boolean hasFailed() {
        return hasFailed;
    }

    /** The newest events that arrived with their versions; empty if there are none. */
    Head whole() {
        return Head.of(whole);
    }
}
