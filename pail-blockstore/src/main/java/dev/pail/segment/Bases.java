package dev.pail.segment;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsafeBlocks;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Chooses how a block is kept: whole, or as what differs from a base (spec rule SEG11). The blocks that were made one from the other since one was
 * kept whole have generations 0, 1, 2 and so on; the base of a generation is the one with the lowest set bit cleared. So
 * chains have as many deltas as the generation has bits set, and half of all deltas are of one change only.
 *
 * <p>For who holds the writer's lock.
 */
final class Bases {
    /** A smaller block is kept whole: a delta would not be much smaller. */
    private static final int SMALLEST = 100;

    private static final int MOST_REMEMBERED = 4096;

    /** Of the bytes of blocks without a known origin, the part that may be compared in vain, beside some at first. */
    private static final int VAIN_PART = 16;

    private static final int MOST_VAIN = 16 << 20;

    private final Reader reader;
    private final Lookalikes lookalikes = new Lookalikes();

    /** So many bytes may be compared in vain. Below 0, nothing is compared: that takes longer than to write them. */
    private int vain = MOST_VAIN;

    private final Map<Cid, Group.Stored> remembered = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Cid, Group.Stored> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    /** What is staged, by place. */
    private final Map<Long, Group.Staged> staged = new LinkedHashMap<>();

    Bases(Reader reader) {
        this.reader = reader;
    }

    /** How a block is kept, and its chain. */
    static final class Choice {
        final Head.Kept content;
        final byte[] payload;
        final int chain;
        private final Group.@Nullable Stored base;

        private Choice(Head.Kept content, byte[] payload, int chain, Group.@Nullable Stored base) {
            this.content = content;
            this.payload = payload;
            this.chain = chain;
            this.base = base;
        }

        /** The block, after it was given a place. */
        Group.Stored storedAt(Location location) {
            Group.Stored stored = new Group.Stored(location, content);
            stored.knownBase = base;
            return stored;
        }
    }

    Choice choose(Block block, @Nullable Cid origin) throws IOException {
        byte[] bytes = UnsafeBlocks.bytes(block);
        if (bytes.length >= SMALLEST) {
            Choice differing = origin == null ? null : difference(block.cid(), bytes, () -> stored(origin));
            differing = differing == null ? fromLookalikes(block.cid(), bytes) : differing;
            if (differing != null) {
                return differing;
            }
        }
        return new Choice(new Head.Kept(block.cid(), null, 0, bytes.length), bytes, 0, null);
    }

    private @Nullable Choice fromLookalikes(Cid cid, byte[] bytes) throws IOException {
        vain = Math.min(MOST_VAIN, vain + bytes.length / VAIN_PART);
        Choice best = null;
        for (Location found : lookalikes.find(bytes)) {
            if (vain < 0) {
                break;
            }
            Choice choice = difference(cid, bytes, () -> stored(found));
            if (choice == null) {
                vain -= bytes.length;
            } else if (best == null || choice.payload.length < best.payload.length) {
                best = choice;
            }
        }
        return best;
    }

    /** A block that another may be much like; null, if it is not there. */
    private interface Origin {
        Group.@Nullable Stored find() throws IOException;
    }

    /** What differs from the base that goes with an origin; null where that is too much. On what is damaged nothing is built. */
    private @Nullable Choice difference(Cid cid, byte[] bytes, Origin origin) throws IOException {
        try {
            Group.Stored from = origin.find();
            return from == null ? null : difference(cid, bytes, from);
        } catch (DamageException e) {
            return null;
        }
    }

    private @Nullable Choice difference(Cid cid, byte[] bytes, Group.Stored origin) throws IOException {
        if (origin.generation == Integer.MAX_VALUE) {
            return null;
        }
        Group.Stored from = origin;
        int generation = from.generation + 1;
        int wanted = generation & (generation - 1);
        while (from.generation > wanted && from.base != null) {
            if (from.knownBase == null) {
                from.knownBase = stored(from.base);
            }
            from = from.knownBase;
        }
        Reader.Held base = held(from.location);
        if (base.chain >= Reader.LONGEST_CHAIN) {
            return null;
        }
        byte[] delta = Delta.of(base.bytes, bytes, bytes.length * 3 / 4);
        if (delta == null) {
            return null;
        }
        Delta.check(base.bytes, delta, bytes);
        return new Choice(new Head.Kept(cid, from.location, generation, bytes.length), delta, base.chain + 1, from);
    }

    private Group.@Nullable Stored stored(Cid cid) throws IOException {
        Group.Stored known = remembered.get(cid);
        if (known != null) {
            return known;
        }
        Location location = reader.locate(reader.view(), cid);
        if (location == null) {
            return null;
        }
        Group.Stored stored = stored(location);
        remembered.put(cid, stored);
        return stored;
    }

    private Group.Stored stored(Location location) throws IOException {
        Group.Staged waiting = staged.get(location.place());
        if (waiting != null) {
            return waiting.stored();
        }
        Head.Kept kept = reader.kept(reader.view(), location);
        if (kept.base() != null && !kept.base().isBefore(location)) {
            throw new DamageException("a base that is not before the block");
        }
        return new Group.Stored(location, kept);
    }

    private Reader.Held held(Location location) throws IOException {
        Group.Staged waiting = staged.get(location.place());
        return waiting != null ? waiting.held() : reader.made(reader.view(), location);
    }

    /** Where a block is that was seen to be kept as it should be. */
    @Nullable
    Location remembered(Cid cid) {
        Group.Stored known = remembered.get(cid);
        return known == null ? null : known.location;
    }

    /** Notes that a block is about to be written. */
    void stage(Cid cid, Group.Staged block) {
        staged.put(block.stored().location.place(), block);
        remembered.put(cid, block.stored());
        byte[] bytes = block.held().bytes;
        if (bytes.length >= SMALLEST) {
            lookalikes.add(bytes, block.stored().location);
        }
    }

    /** Notes that a block was written, and can be read. */
    void written(Group.Staged block) {
        Location location = block.stored().location;
        staged.remove(location.place());
        reader.hold(location, block.held());
    }

    /** Notes that blocks have other places now. */
    void forget() {
        remembered.clear();
        staged.clear();
        lookalikes.clear();
    }
}
