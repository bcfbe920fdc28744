package dev.pail.clock;

import java.util.List;
import java.util.Optional;

/**
 * Keeps which conflicts are open for a head, so that the next question need not read the whole history. What is kept follows from the
 * events alone, so it is never stale. An implementation may forget anything, and is safe for use by several threads. No method
 * fails.
 *
 * <pre>{@code
 * MerkleClock clock = MerkleClock.open(repository.blocks());
 * List<OpenConflict> open = clock.conflicts(repository.head("main"), ConflictCache.NONE); // reads all events
 * }</pre>
 */
public interface ConflictCache {
    /** Keeps nothing. */
    ConflictCache NONE = new ConflictCache() {
        @Override
        public Optional<List<OpenConflict>> of(Head head) {
            return Optional.empty();
        }

        @Override
        public void note(Head head, List<OpenConflict> open, int read) {}
    };

    /** Returns what was noted for a head, if it was kept. */
    Optional<List<OpenConflict>> of(Head head);

    /**
     * Notes the open conflicts of a head.
     *
     * @param open in the order of keys
     * @param read how many events were read to find them
     */
    void note(Head head, List<OpenConflict> open, int read);
}
