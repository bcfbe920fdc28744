package dev.pail.segment;

import dev.pail.CorruptBlockException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.DamageException;
import dev.pail.sweep.SweepRule;
import dev.pail.sweep.Swept;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions about a store from the current view, and where that has no answer, from a newer one. For use by several threads at
 * once, which do not wait for each other.
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
            // It was never kept, so it is not where the store is damaged either.
            return Optional.empty();
        }
        return ask("cannot read a block", cid, now -> Optional.ofNullable(unlessDamaged(now, cid, blocks::find)));
    }

    boolean has(Cid cid) {
        return cid.canNameBlock()
                && ask(
                                "cannot look for a block",
                                cid,
                                now -> Optional.ofNullable(unlessDamaged(now, cid, blocks::findRecord)))
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
            View now = current.get();
            try {
                now = current.found();
                Optional<T> answer = question.ask(now);
                if (answer.isPresent()) {
                    return answer;
                }
                if (!current.refresh(now)) {
                    if (cid != null) {
                        checkWhole(now, cid);
                    }
                    return answer;
                }
            } catch (IOException e) {
                // A compaction closes files under those who read, and takes them away: then there are others.
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

    /** What is not found may be where something is damaged. */
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
            // What was cut off since it was read may stand elsewhere now.
            if (!current.refresh(now)) {
                throw new CorruptBlockException(cid, String.valueOf(e.getMessage()));
            }
            return null;
        }
    }

    /** What a sweep would do. */
    Swept preview(SweepRule rule) {
        current.renew();
        return ask(
                        "cannot look through the store",
                        null,
                        now -> Optional.of(new Sweep(catalog, now, rule, catalog.condemned()).run()))
                .orElse(Swept.NOTHING);
    }

    /** As {@link Segments#forEach}. */
    Listing forEach(Consumer<StoredBlock> action) {
        current.renew();
        SegmentWalk walk = new SegmentWalk();
        while (true) {
            // Handed over when they are listed: until then a compaction may close the file, and the same are listed
            // again.
            Optional<List<StoredBlock>> kept = ask("cannot list blocks", null, now -> Optional.of(walk.next(now)))
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
