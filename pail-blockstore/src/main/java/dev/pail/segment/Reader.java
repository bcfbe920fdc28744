package dev.pail.segment;

import dev.pail.BlockLocation;
import dev.pail.CorruptBlockException;
import dev.pail.RowLoc;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.DamageException;
import dev.pail.segment.format.Location;
import dev.pail.segment.format.RecordRef;
import dev.pail.segment.format.Windows;
import dev.pail.sweep.SweepRule;
import dev.pail.sweep.Swept;
import dev.pail.trace.Trace;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions from the current view, and if that has no answer, from a newer one. For use by several threads at once, which do not
 * wait for each other unless they load a view.
 */
final class Reader {
    private final Catalog catalog;
    private final CurrentView current;
    private final Blocks blocks;

    Reader(Catalog catalog, CurrentView current, Blocks blocks) {
        this.catalog = catalog;
        this.current = current;
        this.blocks = blocks;
    }

    Optional<Block> get(Cid cid) {
        if (!cid.canNameBlock()) {
            // No store ever has such a block, so damage cannot hide it.
            return Optional.empty();
        }
        return ask(
                "cannot read a block", List.of(cid), now -> Optional.ofNullable(unlessDamaged(now, cid, blocks::find)));
    }

    boolean has(Cid cid) {
        return cid.canNameBlock()
                && ask(
                                "cannot look for a block",
                                List.of(cid),
                                now -> Optional.ofNullable(unlessDamaged(now, cid, blocks::findRecord)))
                        .isPresent();
    }

    /** As {@link Segments#part}. */
    OptionalLong part(Cid cid) {
        return ask("cannot look for a block", List.of(), now -> Optional.of(part(now, cid)))
                .orElse(OptionalLong.empty());
    }

    private OptionalLong part(View now, Cid cid) throws IOException {
        try {
            RecordRef record = blocks.findRecord(now, cid);
            if (record == null) {
                return OptionalLong.empty();
            }
            long part = part(record.location());
            Location base = record.base();
            return base == null || Math.abs(part(base) - part) <= 1 ? OptionalLong.of(part) : OptionalLong.empty();
        } catch (DamageException e) {
            Trace.swallowed("a block that cannot be read is in no part", e);
            return OptionalLong.empty();
        }
    }

    private static long part(Location location) {
        return (long) location.segmentNumber() << 32 | location.offset() / Windows.SIZE;
    }

    /** As {@link Segments#locate}. */
    Optional<BlockLocation> locate(Cid cid) {
        if (!cid.canNameBlock()) {
            return Optional.empty();
        }
        return ask(
                "cannot look for a block",
                List.of(cid),
                now -> Optional.ofNullable(unlessDamaged(now, cid, blocks::locate)));
    }

    /** As {@link Segments#read}. */
    Optional<Block> read(RowLoc location) {
        return ask("cannot read a block", List.of(), now -> Optional.ofNullable(blocks.read(now, location)));
    }

    /** As {@link #has}, for each of some CIDs; looks at most once for what other processes have written. */
    Set<Cid> hasAll(Collection<Cid> cids) {
        Set<Cid> due = new LinkedHashSet<>(cids);
        due.removeIf(cid -> !cid.canNameBlock());
        Set<Cid> found = new HashSet<>();
        if (due.isEmpty()) {
            return found;
        }
        return ask("cannot look for blocks", due, now -> {
                    for (Iterator<Cid> left = due.iterator(); left.hasNext(); ) {
                        Cid cid = left.next();
                        if (unlessDamaged(now, cid, blocks::findRecord) != null) {
                            found.add(cid);
                            left.remove();
                        }
                    }
                    return due.isEmpty() ? Optional.of(found) : Optional.empty();
                })
                .orElse(found);
    }

    private interface Question<T> {
        Optional<T> ask(View now) throws IOException;
    }

    /**
     * Asks until there is an answer, or no newer view.
     *
     * @param asked the blocks that the question is about, which it has not found
     */
    private <T> Optional<T> ask(String what, Iterable<Cid> asked, Question<T> question) {
        while (true) {
            View now = current.get();
            try {
                now = current.found();
                Optional<T> answer = question.ask(now);
                if (answer.isPresent()) {
                    return answer;
                }
                if (!current.refresh(now)) {
                    for (Cid cid : asked) {
                        checkWhole(now, cid);
                    }
                    return answer;
                }
            } catch (IOException e) {
                // A compaction closes and deletes files that are being read: then there is another view.
                if (!isAnother(now, e)) {
                    throw catalog.failure(what, e);
                }
            }
        }
    }

    private boolean isAnother(View seen, IOException error) {
        try {
            return current.differs(seen) || (error instanceof NoSuchFileException && current.refresh(seen));
        } catch (IOException e) {
            error.addSuppressed(e);
            return false;
        }
    }

    /** Throws if the store is damaged: then the block may have been at the damaged place. */
    private static void checkWhole(View now, Cid cid) {
        if (!now.damages().isEmpty()) {
            throw new CorruptBlockException(
                    cid,
                    "not found, but it may have been where the store is damaged: "
                            + now.damages().get(0));
        }
    }

    private interface Lookup<T> {
        @Nullable
        T find(View now, Cid cid) throws IOException;
    }

    private <T> @Nullable T unlessDamaged(View now, Cid cid, Lookup<T> lookup) throws IOException {
        try {
            return lookup.find(now, cid);
        } catch (DamageException e) {
            // A writer may have cut off the record, and put the block elsewhere.
            if (!current.refresh(now)) {
                throw new CorruptBlockException(cid, String.valueOf(e.getMessage()));
            }
            return null;
        }
    }

    /** What a sweep would do. Changes nothing. */
    Swept preview(SweepRule rule) {
        current.renew();
        return ask(
                        "cannot look through the store",
                        List.of(),
                        now -> Optional.of(new Sweep(catalog, now, rule, catalog.condemned()).run()))
                .orElse(Swept.NOTHING);
    }

    /** As {@link Segments#forEach}. */
    Listing forEach(Consumer<StoredBlock> action) {
        current.renew();
        SegmentWalk walk = new SegmentWalk();
        while (true) {
            // Passed on after the whole segment was read: until then a compaction may close its file, and the walk
            // reads the blocks again elsewhere.
            Optional<List<StoredBlock>> kept = ask("cannot list blocks", List.of(), now -> Optional.of(walk.next(now)))
                    .orElseThrow();
            if (kept.isEmpty()) {
                return walk.listed();
            }
            kept.get().forEach(action);
        }
    }

    void close() throws IOException {
        blocks.forget();
        current.close();
    }
}
