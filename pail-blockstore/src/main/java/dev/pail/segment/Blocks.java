package dev.pail.segment;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.pail.BlockLocation;
import dev.pail.CorruptBlockException;
import dev.pail.RowLoc;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.CachedBlock;
import dev.pail.segment.format.DamageException;
import dev.pail.segment.format.Delta;
import dev.pail.segment.format.Index;
import dev.pail.segment.format.Location;
import dev.pail.segment.format.RecordHeader;
import dev.pail.segment.format.RecordRef;
import dev.pail.segment.format.SegmentFile;
import dev.pail.segment.format.Windows;
import dev.pail.trace.Trace;
import dev.pail.unsafe.UnsafeBlocks;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds blocks in the segments of a view, and applies deltas (Rule SEG10). For use by several threads at once, which do
 * not wait for each other.
 */
final class Blocks {
    /** The most deltas between a block and one that is stored whole. */
    static final int LONGEST_CHAIN = 32;

    /** A larger payload is not held until its delta is applied, but read again. In bytes. */
    private static final int HELD_PAYLOAD = 64 * 1024;

    private final Catalog catalog;
    private final SealedTable table = new SealedTable();

    private final Windows windows = new Windows();

    /** Behind the block that was read last: a walk over a map that was stored as a whole often finds the next one there. */
    private volatile @Nullable Next next;

    /** Behind the record that was there in place of a block. Shards are stored behind those below them, so the next ones are there. */
    private volatile @Nullable Next passed;

    /** A place in a sealed segment where a record begins. */
    private record Next(SegmentFile file, long offset) {}

    /** Blocks that were read lately, by place: they are likely to be bases of the next ones. */
    private final Cache<SegmentFile.Place, CachedBlock> cache;

    /** Larger blocks are not kept: chunks of files would be all that there is. In bytes. */
    private final long largestCached;

    Blocks(Catalog catalog, long cacheBytes) {
        this.catalog = catalog;
        this.largestCached = Math.min(WriteCache.LARGEST, cacheBytes / 8);
        this.cache = Caffeine.newBuilder()
                .maximumWeight(cacheBytes)
                .executor(Runnable::run)
                .weigher((SegmentFile.Place place, CachedBlock cached) -> CachedBlock.OVERHEAD + cached.bytes().length)
                .build();
    }

    /** Makes a result from a record; null if it is the record of another block. */
    private interface FromRecord<T> {
        /** @param known the record, if it is in the active segment */
        @Nullable
        T make(Location location, @Nullable RecordRef known) throws IOException;
    }

    /**
     * Makes a result from the last readable record of a block; null if there is none. Rule SEG15.
     *
     * @throws DamageException if there may be one, but only where the store is damaged
     */
    private <T> @Nullable T fromLast(View now, Cid cid, FromRecord<T> from) throws IOException {
        DamageException damage = null;
        List<View.Segment> segments = table.candidates(now, cid);
        for (int i = segments.size() - 1; i >= 0; i--) {
            Index index = segments.get(i).index();
            RecordRef known = index.known(cid);
            for (Location location : known == null ? index.find(cid) : List.of(known.location())) {
                try {
                    T made = from.make(location, known);
                    if (made != null) {
                        return made;
                    }
                } catch (DamageException e) {
                    damage = e;
                }
            }
        }
        if (damage != null) {
            throw damage;
        }
        return null;
    }

    /**
     * The block that a CID names; null if the store does not have it.
     *
     * @throws DamageException if it is only where the store is damaged
     */
    @Nullable
    Block find(View now, Cid cid) throws IOException {
        Block expected = expected(now, cid);
        if (expected != null) {
            return expected;
        }
        return fromLast(now, cid, (location, known) -> {
            CachedBlock cached = known == null ? null : known.cached();
            return cached != null && cached.block() != null ? cached.as(cid) : block(now, cid, location);
        });
    }

    /** The block, if it is where a walk probably finds its next one. That is not for sure, so no index has to be searched. */
    private @Nullable Block expected(View now, Cid cid) throws IOException {
        Next first = next;
        SegmentFile.Expected found = expected(now, first, cid);
        SegmentFile file = first == null ? null : first.file;
        if (found == null || found.record() == null) {
            Next second = passed;
            SegmentFile.Expected here = found;
            found = expected(now, second, cid);
            file = second == null ? null : second.file;
            if (first != null && here != null && (found == null || found.record() == null)) {
                passed = new Next(first.file, here.end());
            }
        }
        SegmentFile.BlockRecord record = found == null ? null : found.record();
        if (file == null || found == null || record == null || !record.isRight()) {
            return null;
        }
        try {
            Block block = UnsafeBlocks.verified(cid, record.payload());
            next = new Next(file, found.end());
            return block;
        } catch (CorruptBlockException e) {
            Trace.swallowed("the block may be right in another place", e);
            return null;
        }
    }

    private SegmentFile.@Nullable Expected expected(View now, @Nullable Next place, Cid cid) throws IOException {
        return place != null && now.shows(place.file) ? place.file.expected(place.offset, cid, windows) : null;
    }

    /** Whether the store has a block and can read it. */
    boolean isIntact(View now, Cid cid) throws IOException {
        try {
            return find(now, cid) != null;
        } catch (DamageException e) {
            return false;
        }
    }

    /**
     * The record of a block, which may be stored under another CID with the same multihash; null if there is none.
     *
     * @throws DamageException if there may be one, but only where the store is damaged
     */
    @Nullable
    RecordRef findRecord(View now, Cid cid) throws IOException {
        return fromLast(now, cid, (location, known) -> {
            if (known != null) {
                return known;
            }
            RecordHeader.BlockContent content = content(now, location);
            return content.isOf(cid) ? new RecordRef(location, content) : null;
        });
    }

    /**
     * The first record of a block, for a base: later ones may be {@linkplain Copies copies}, and go again. Null if there is none.
     *
     * @throws DamageException if there may be one, but only where the store is damaged
     */
    @Nullable
    RecordRef findFirst(View now, Cid cid) throws IOException {
        @Nullable RecordRef[] first = new @Nullable RecordRef[1];
        DamageException damage = null;
        try {
            RecordRef unused = fromLast(now, cid, (location, known) -> {
                RecordHeader.BlockContent content = known == null ? content(now, location) : null;
                if (known != null) {
                    first[0] = known;
                } else if (content != null && content.isOf(cid)) {
                    first[0] = new RecordRef(location, content);
                }
                return null;
            });
        } catch (DamageException e) {
            damage = e;
        }
        if (first[0] == null && damage != null) {
            throw damage;
        }
        return first[0];
    }

    /** The place of a readable record of a block in one of some segments; null if there is none. */
    @Nullable
    Location findIntact(View now, Cid cid, IntPredicate segmentNumbers) throws IOException {
        try {
            return fromLast(
                    now,
                    cid,
                    (location, known) ->
                            segmentNumbers.test(location.segmentNumber()) && block(now, cid, location) != null
                                    ? location
                                    : null);
        } catch (DamageException e) {
            Trace.swallowed("no readable copy of a block: " + cid, e);
            return null;
        }
    }

    /**
     * Where the block is that a CID names; null if there is none. Prefers a record that has the whole block.
     *
     * @throws DamageException if there may be one, but only where the store is damaged
     */
    @Nullable
    BlockLocation locate(View now, Cid cid) throws IOException {
        @Nullable BlockLocation[] last = new @Nullable BlockLocation[1];
        BlockLocation whole = fromLast(now, cid, (location, known) -> {
            SegmentFile file = file(now, location);
            RecordHeader header = file.header(location);
            RecordHeader.BlockContent content = (RecordHeader.BlockContent) header.content();
            if (!content.isOf(cid)) {
                return null;
            }
            BlockLocation found = locationOf(file, location, header, content);
            last[0] = last[0] == null ? found : last[0];
            return content.base() == null ? found : null;
        });
        return whole == null ? last[0] : whole;
    }

    private static BlockLocation locationOf(
            SegmentFile file, Location location, RecordHeader header, RecordHeader.BlockContent content) {
        boolean fits = location.segmentNumber() <= RowLoc.MAX_SECTION;
        BlockLocation.Form form = content.base() != null
                ? header.isPacked() ? BlockLocation.Form.PACKED_DELTA : BlockLocation.Form.DELTA
                : fits ? BlockLocation.Form.WHOLE : BlockLocation.Form.TOO_WIDE;
        Optional<RowLoc> place = form == BlockLocation.Form.WHOLE
                ? Optional.of(
                        new RowLoc(location.segmentNumber(), location.offset() + header.length(), header.payload()))
                : Optional.empty();
        return new BlockLocation(form, place, Optional.of(file.path().toString()));
    }

    /** The block whose bytes are in a place; null if the place is not that of a whole block. */
    @Nullable
    Block read(View now, RowLoc place) throws IOException {
        View.Segment segment = now.segment(place.section());
        if (segment == null || segment.isEmpty()) {
            return null;
        }
        Location location = segment.file().wholeRecord(place.offset(), place.size());
        if (location == null) {
            return null;
        }
        SegmentFile.BlockRecord record = segment.file().recordAsItIs(location);
        return UnsafeBlocks.verified(record.content().cid(), record.payload());
    }

    private SegmentFile file(View now, Location location) throws DamageException {
        SegmentFile file = now.file(location.segmentNumber());
        if (file == null) {
            throw new DamageException("a segment that cannot be read")
                    .at(catalog.path(location.segmentNumber(), Catalog.SEALED), location.offset());
        }
        return file;
    }

    /** @throws DamageException if the segment of the location is missing, or cannot be read at all */
    void checkFile(View now, Location location) throws DamageException {
        file(now, location);
    }

    /** What the header of a record says of its block. */
    RecordHeader.BlockContent content(View now, Location location) throws IOException {
        return (RecordHeader.BlockContent) file(now, location).header(location).content();
    }

    /** The block in a place; null if another block is there. */
    private @Nullable Block block(View now, Cid cid, Location location) throws IOException {
        SegmentFile file = file(now, location);
        if (now.sealed(location.segmentNumber()) != null) {
            next = new Next(file, location.offset() + location.size());
        }
        CachedBlock cached = cache.getIfPresent(file.place(location));
        if (cached != null && cached.block() != null) {
            return cached.as(cid);
        }
        SegmentFile.BlockRecord record = record(now, file, location);
        if (!record.content().isOf(cid)) {
            return null;
        }
        CachedBlock made = read(now, location, record);
        try {
            Block block = UnsafeBlocks.verified(cid, made.bytes());
            // A walk that reads neighbours must not push out what is read again.
            boolean isInWindow = made.chain() == 0 && windows.holds(file, location.offset());
            if (made.bytes().length <= largestCached && !isInWindow) {
                cache.put(file.place(location), new CachedBlock(made.bytes(), made.chain(), block));
            }
            return block;
        } catch (CorruptBlockException e) {
            throw new DamageException(e.found()).at(file.path(), location.offset());
        }
    }

    private SegmentFile.BlockRecord record(View now, SegmentFile file, Location location) throws IOException {
        return now.sealed(location.segmentNumber()) == null ? file.record(location) : file.record(location, windows);
    }

    /** The bytes of the block in a place. The caller compares them with the CID. */
    CachedBlock read(View now, Location location) throws IOException {
        SegmentFile file = file(now, location);
        CachedBlock cached = cache.getIfPresent(file.place(location));
        return cached != null ? cached : read(now, location, record(now, file, location));
    }

    private CachedBlock read(View now, Location location, SegmentFile.BlockRecord first) throws IOException {
        Deque<Step> steps = new ArrayDeque<>();
        Location at = location;
        SegmentFile.BlockRecord record = first;
        CachedBlock cached = null;
        while (cached == null) {
            SegmentFile file = file(now, at);
            Location base = record.content().base();
            if (base == null) {
                cached = new CachedBlock(record.payload(), 0, null);
                break;
            }
            if (!base.isBefore(at)) {
                throw new DamageException("a base that is not before the block").at(file.path(), at.offset());
            }
            if (steps.size() == LONGEST_CHAIN) {
                throw new DamageException("a chain of more than " + LONGEST_CHAIN + " bases")
                        .at(file.path(), at.offset());
            }
            steps.push(new Step(file, at, record));
            at = base;
            SegmentFile baseFile = file(now, at);
            cached = cache.getIfPresent(baseFile.place(at));
            if (cached == null) {
                record = record(now, baseFile, at);
            }
        }
        if (cached.chain() + steps.size() > LONGEST_CHAIN) {
            throw new DamageException("a chain of more than " + LONGEST_CHAIN + " bases, from " + location);
        }
        return apply(cached, steps);
    }

    /** Applies deltas, the one nearest to the whole block first. */
    private CachedBlock apply(CachedBlock first, Deque<Step> steps) throws IOException {
        CachedBlock cached = first;
        while (!steps.isEmpty()) {
            Step step = steps.pop();
            cached = new CachedBlock(step.apply(cached.bytes()), cached.chain() + 1, null);
            if (steps.size() == 1) {
                cache.put(step.file.place(step.location), cached);
            }
        }
        return cached;
    }

    /** Forgets all that is in memory. */
    void forget() {
        cache.invalidateAll();
        windows.clear();
        catalog.forget();
        next = null;
        passed = null;
    }

    /** A delta that is yet to be applied. */
    private static final class Step {
        private final SegmentFile file;
        private final Location location;
        private final int size;
        private final byte @Nullable [] payload;

        Step(SegmentFile file, Location location, SegmentFile.BlockRecord record) {
            this.file = file;
            this.location = location;
            this.size = record.content().size();
            this.payload = record.payload().length > HELD_PAYLOAD ? null : record.payload();
        }

        byte[] apply(byte[] base) throws IOException {
            byte[] delta = payload != null ? payload : file.record(location).payload();
            try {
                return Delta.apply(base, delta, size);
            } catch (DamageException e) {
                throw e.at(file.path(), location.offset());
            }
        }
    }
}
