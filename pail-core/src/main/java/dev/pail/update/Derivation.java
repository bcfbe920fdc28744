package dev.pail.update;

import dev.pail.BlockStore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What an update knows of one version: whether the update handed it out, whether another version was derived from it, and how many
 * batches from it have changes without a commit. A version never changes, so an update whose function returns the version that it was
 * given would lose all of that without a word. Safe for use by several threads.
 */
public final class Derivation {
    private enum Origin {
        /** The update handed the version out. */
        GIVEN,
        /** The version has changes, or the function said that it is meant. */
        MADE
    }

    private final UpdateBlocks blocks;
    private final Origin origin;
    private final AtomicInteger open = new AtomicInteger();
    private volatile boolean hasDerived;

    private Derivation(UpdateBlocks blocks, Origin origin) {
        this.blocks = blocks;
        this.origin = origin;
    }

    /** The derivation of a version; null outside of updates. */
    public static @Nullable Derivation of(Derivable version) {
        return version.derivation;
    }

    /** The derivation of a version that is opened in a block store; null if the store is not that of an update. */
    public static @Nullable Derivation in(BlockStore blocks) {
        return blocks instanceof UpdateBlocks update ? new Derivation(update, Origin.GIVEN) : null;
    }

    /** Notes that another version was derived from a version, and returns the derivation of the other. */
    public static @Nullable Derivation next(Derivable from) {
        Derivation before = from.derivation;
        if (before == null) {
            return null;
        }
        before.hasDerived = true;
        return before.meant();
    }

    /** The derivation of a version that the function returns on purpose. */
    public Derivation meant() {
        return new Derivation(blocks, Origin.MADE);
    }

    /** Notes that a batch from this version has its first change. */
    public void begin() {
        open.incrementAndGet();
    }

    /** Notes that such a batch is being committed. If the commit fails, the caller has the exception. */
    public void commit() {
        open.decrementAndGet();
    }

    /** Ends the update if its thread is interrupted. */
    public void checkInterrupted() {
        blocks.checkInterrupted();
    }

    /**
     * Refuses the result of the function of an update if changes would be lost with it.
     *
     * @param isSame whether both are the same version
     * @throws IllegalStateException if they would
     */
    public static void check(Derivable given, Derivable returned, boolean isSame) {
        Derivation own = returned.derivation;
        if (own != null) {
            own.check();
        }
        if (isSame && given.derivation != null && (own == null || own.origin == Origin.GIVEN)) {
            given.derivation.check();
        }
    }

    private void check() {
        if (open.get() > 0) {
            throw new IllegalStateException(
                    "the changes of a batch would be lost, which the function of the update did not commit:"
                            + " return what commit() returns, or unchanged() if no change is meant");
        }
        if (origin == Origin.GIVEN && hasDerived) {
            throw new IllegalStateException(
                    "changes would be lost, since the function of the update returned the version"
                            + " without them: return what the change returned, or unchanged() if no change is meant");
        }
    }
}
