package dev.pail.segment;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.pail.CorruptBlockException;
import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsafeBlocks;
import dev.pail.sweep.SweepRule;
import dev.pail.sweep.Swept;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Finds blocks in segments and makes them whole. For use by several threads at once, which do not wait for each other. */
final class Reader {
    /** So many deltas may lie between a block and one that was kept whole. */
    static final int LONGEST_CHAIN = 32;

    /** What is held beside the bytes of a block, about. */
    static final int OVERHEAD = 200;

    /** A payload that is larger is read again when its turn comes. */
    private static final int HELD_PAYLOAD = 64 * 1024;

    private final Catalog catalog;

    /** Blocks that were made lately, by place: the next ones are likely to be made of them. */
    private final Cache<Long, Held> cache;

    private volatile View view = View.NONE;

    /** Whether only this object writes to the store, so that nothing new can be found. */
    private volatile boolean alone;

    private boolean loaded;

    Reader(Catalog catalog, long cacheBytes) {
        this.catalog = catalog;
        this.cache = Caffeine.newBuilder()
                .maximumWeight(cacheBytes)
                .executor(Runnable::run)
                .weigher((Long place, Held held) -> OVERHEAD + held.bytes.length)
                .build();
    }

    /** The bytes of a block, and how many deltas they were made with. */
    static final class Held {
        final byte[] bytes;
        final int chain;

        /** The block, where the bytes are known to match its CID. */
        final @Nullable Block block;

        Held(byte[] bytes, int chain, @Nullable Block block) {
            this.bytes = bytes;
            this.chain = chain;
            this.block = block;
        }

        /** The block by a name with its multihash; null if it is another one. */
        private @Nullable Block as(Cid cid) {
            Block known = block;
            if (known == null || known.cid().equals(cid)) {
                return known;
            }
            return isSame(known.cid(), cid) ? UnsafeBlocks.verified(cid, bytes) : null;
        }
    }

    View view() {
        return view;
    }

    /** Shows other segments from now on: what the writer has changed. */
    void show(View next) {
        view = next;
    }

    /** Closes the files of a view that another does not show. Whoever reads there begins again with the other. */
    @SuppressWarnings("ReferenceEquality") // A file may have been opened again.
    static void closeWithout(View old, View next) throws IOException {
        for (View.Segment segment : old.segments()) {
            if (next.file(segment.file().section()) != segment.file()) {
                segment.file().close();
            }
        }
    }

    /** Looks a last time for what others have written: from now on, only this process writes. */
    synchronized View own() throws IOException {
        load();
        alone = true;
        return view;
    }

    private synchronized void load() throws IOException {
        View before = view;
        view = catalog.load(before);
        closeWithout(before, view);
    }

    /** From now on only this process writes; others have written nothing since it did. */
    synchronized void ownAgain() {
        alone = true;
    }

    /** From now on others may write. */
    synchronized void share() {
        alone = false;
    }

    /** The segments, after looking for them if that was not done. */
    private View current() throws IOException {
        if (!alone && view.segments().isEmpty()) {
            refresh(view);
        }
        return view;
    }

    /** Looks for what other processes have written, and says whether there is anything. */
    synchronized boolean refresh(View seen) throws IOException {
        if (alone) {
            return differs(seen);
        }
        View now = view;
        if (differs(seen)) {
            return true;
        }
        View.Tail tail = now.tail();
        if (loaded && tail != null && !tail.file.isWritten(tail.end) && catalog.isOpen(tail)) {
            return false;
        }
        List<View.Extent> before = now.extents();
        load();
        loaded = true;
        return !view.extents().equals(before);
    }

    /** Looks what other processes have written and removed. */
    synchronized void renew() {
        if (!alone && !view.segments().isEmpty()) {
            try {
                load();
            } catch (IOException e) {
                throw new StoreIOException(
                        "cannot look for blocks", catalog.folder().toString(), Disk.reason(e), e);
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // Views change as a whole.
    private boolean differs(View seen) {
        return view != seen;
    }

    Optional<Block> get(Cid cid) {
        return ask("cannot read a block", cid, now -> Optional.ofNullable(find(now, cid)));
    }

    boolean has(Cid cid) {
        return ask(
                        "cannot look for a block",
                        cid,
                        now -> stored(now, cid) == null ? Optional.empty() : Optional.of(cid))
                .isPresent();
    }

    private interface Question<T> {
        Optional<T> ask(View now) throws IOException;
    }

    /**
     * Asks until there is an answer, or nothing new to ask.
     *
     * @param cid the block that the question is about, if it is about one
     */
    private <T> Optional<T> ask(String what, @Nullable Cid cid, Question<T> question) {
        while (true) {
            View now = view;
            try {
                now = current();
                Optional<T> answer = question.ask(now);
                if (answer.isPresent()) {
                    return answer;
                }
                if (!refresh(now)) {
                    if (cid != null) {
                        checkWhole(now, cid);
                    }
                    return answer;
                }
            } catch (IOException e) {
                // A compaction closes files under those who read: then there are others.
                if (!differs(now)) {
                    throw new StoreIOException(what, catalog.folder().toString(), Disk.reason(e), e);
                }
            }
        }
    }

    /** What is not found may be where something is damaged. */
    private static void checkWhole(View now, Cid cid) {
        if (!now.damages().isEmpty()) {
            throw new CorruptBlockException(
                    cid,
                    "not found, but it may have been where the store is damaged: "
                            + now.damages().get(0));
        }
    }

    private @Nullable Block find(View now, Cid cid) throws IOException {
        DamageException damage = null;
        List<View.Segment> segments = now.segments();
        for (int i = segments.size() - 1; i >= 0; i--) {
            Index index = segments.get(i).index();
            if (index instanceof OpenIndex open) {
                Stored last = open.get(cid);
                if (last == null) {
                    continue;
                }
                Held held = last.held;
                if (held != null && held.block != null) {
                    return held.as(cid);
                }
            }
            for (Location location : index.find(cid)) {
                try {
                    Block block = block(now, cid, location);
                    if (block != null) {
                        return block;
                    }
                } catch (DamageException e) {
                    damage = e;
                }
            }
        }
        if (damage != null && !differs(now)) {
            throw new CorruptBlockException(cid, String.valueOf(damage.getMessage()));
        }
        return null;
    }

    /** What a sweep would do. */
    Swept preview(SweepRule rule) {
        return ask(
                        "cannot look through the store",
                        null,
                        now -> Optional.of(catalog.sweep(now, rule).run()))
                .orElse(Swept.NOTHING);
    }

    void forEach(Consumer<Segments.Kept> action) {
        ask("cannot list blocks", null, now -> {
            Map<Long, Integer> chains = new HashMap<>();
            for (View.Segment segment : now.segments()) {
                for (Scan.Entry entry : segment.scan().entries()) {
                    Head.Kept kept = entry.kept();
                    Location base = kept.base();
                    int chain = base == null ? 0 : 1 + chains.getOrDefault(base.place(), 0);
                    chains.put(entry.location().place(), chain);
                    action.accept(new Segments.Kept(
                            kept.cid(), kept.size(), entry.location().size(), chain));
                }
            }
            return Optional.of(now);
        });
    }

    /** Whether a block that is there can be read. */
    boolean isIntact(Cid cid) throws IOException {
        try {
            return find(view, cid) != null;
        } catch (CorruptBlockException e) {
            return false;
        }
    }

    /** The block that a CID names, perhaps by another CID with its multihash. */
    @Nullable
    Stored stored(View now, Cid cid) throws IOException {
        List<View.Segment> segments = now.segments();
        for (int i = segments.size() - 1; i >= 0; i--) {
            Index index = segments.get(i).index();
            if (index instanceof OpenIndex open) {
                Stored block = open.get(cid);
                if (block != null) {
                    return block;
                }
                continue;
            }
            for (Location location : index.find(cid)) {
                Head.Kept kept = kept(now, location);
                if (isSame(kept.cid(), cid)) {
                    return new Stored(location, kept);
                }
            }
        }
        return null;
    }

    /** Whether both name the same bytes. */
    private static boolean isSame(Cid one, Cid other) {
        return one.equals(other) || one.raw().equals(other.raw());
    }

    private SegmentFile file(View now, Location location) throws DamageException {
        SegmentFile file = now.file(location.section());
        if (file == null) {
            throw new DamageException("a segment that cannot be read")
                    .at(catalog.path(location.section(), Catalog.SEALED), location.offset());
        }
        return file;
    }

    /** What is kept in a place, without the payload. */
    Head.Kept kept(View now, Location location) throws IOException {
        return (Head.Kept) file(now, location).head(location).content();
    }

    /** The block in a place; null if it is another one. */
    private @Nullable Block block(View now, Cid cid, Location location) throws IOException {
        Held held = cache.getIfPresent(location.place());
        if (held != null && held.block != null) {
            return held.as(cid);
        }
        SegmentFile file = file(now, location);
        SegmentFile.Kept record = file.record(location);
        if (!isSame(record.content.cid(), cid)) {
            return null;
        }
        Held made = made(now, location, record);
        try {
            Block block = UnsafeBlocks.verified(cid, made.bytes);
            cache.put(location.place(), new Held(made.bytes, made.chain, block));
            return block;
        } catch (CorruptBlockException e) {
            throw new DamageException(e.found()).at(file.path(), location.offset());
        }
    }

    /** The bytes of the block in a place, which are yet to be compared with its CID. */
    Held made(View now, Location location) throws IOException {
        Held held = cache.getIfPresent(location.place());
        return held != null ? held : made(now, location, file(now, location).record(location));
    }

    private Held made(View now, Location location, SegmentFile.Kept first) throws IOException {
        Deque<Step> steps = new ArrayDeque<>();
        Location at = location;
        SegmentFile.Kept record = first;
        Held held = null;
        while (held == null) {
            SegmentFile file = file(now, at);
            Location base = record.content.base();
            if (base == null) {
                held = new Held(record.payload, 0, null);
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
            held = cache.getIfPresent(at.place());
            if (held == null) {
                record = file(now, at).record(at);
            }
        }
        if (held.chain + steps.size() > LONGEST_CHAIN) {
            throw new DamageException("a chain of more than " + LONGEST_CHAIN + " bases, from " + location);
        }
        while (!steps.isEmpty()) {
            Step step = steps.pop();
            held = new Held(step.apply(held.bytes), held.chain + 1, null);
            if (steps.size() == 1) {
                cache.put(step.location.place(), held);
            }
        }
        return held;
    }

    /** A delta that is to be applied. */
    private static final class Step {
        private final SegmentFile file;
        private final Location location;
        private final int size;
        private final byte @Nullable [] payload;

        Step(SegmentFile file, Location location, SegmentFile.Kept record) {
            this.file = file;
            this.location = location;
            this.size = record.content.size();
            this.payload = record.payload.length > HELD_PAYLOAD ? null : record.payload;
        }

        byte[] apply(byte[] base) throws IOException {
            byte[] delta = payload != null ? payload : file.record(location).payload;
            try {
                return Delta.apply(base, delta, size);
            } catch (DamageException e) {
                throw e.at(file.path(), location.offset());
            }
        }
    }

    void close() throws IOException {
        cache.invalidateAll();
        View last = view;
        for (View.Segment segment : last.segments()) {
            segment.file().close();
        }
    }
}
