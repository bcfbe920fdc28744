package dev.pail.remote;

import dev.pail.BlockStore;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MalformedEventException;
import dev.pail.dag.Links;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The block store that a fetch puts into: that of the repository, with a note of the events that have arrived. If the fetch is cut off,
 * all of them but the last are whole, since each comes before its version and the version before the next event.
 */
final class ArrivingEvents implements BlockStore {
    private final BlockStore blocks;
    private final Runnable progress;

    /** Those that no other one follows yet. */
    private final Set<Cid> newest = new LinkedHashSet<>();

    private final Set<Cid> whole = new LinkedHashSet<>();

    private long arrived;

    ArrivingEvents(BlockStore blocks, Runnable progress) {
        this.blocks = blocks;
        this.progress = progress;
    }

    @Override
    public void putAll(Collection<Block> all) {
        blocks.putAll(all);
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
            whole.clear();
            whole.addAll(newest);
            event.parents().forEach(newest::remove);
            newest.add(event.cid());
        } catch (MalformedEventException e) {
            // A value may look like an event.
        }
    }

    /** The number of blocks that arrived. */
    long arrived() {
        return arrived;
    }

    /** The newest events that arrived with their versions; empty if there are none. */
    Head whole() {
        return Head.of(whole);
    }

    @Override
    public Optional<Block> get(Cid cid) {
        return blocks.get(cid);
    }

    @Override
    public boolean isErased(Cid cid) {
        return blocks.isErased(cid);
    }

    @Override
    public boolean has(Cid cid) {
        return blocks.has(cid);
    }

    @Override
    public void close() {
        // The store is the repository's.
    }
}
