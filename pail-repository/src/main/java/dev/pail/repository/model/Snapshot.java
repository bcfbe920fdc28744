package dev.pail.repository.model;

import dev.pail.Pail;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A branch as it was when it was read: its head and its version. It stays readable if the branch moves or is removed.
 * Immutable, equal by branch, generation and head, and safe for use by several threads.
 *
 * <pre>{@code
 * Snapshot seen = repository.snapshot("main");
 * Optional<Cid> title = seen.pail().get("title"); // the same even if the branch moves
 * Snapshot undone = repository.undo(seen, 1); // or throws HeadMovedException
 * }</pre>
 */
public final class Snapshot {
    private final String branch;
    private final long generation;
    private final Head head;
    private final Supplier<Pail> open;

    /** The version; null until it is first asked for: a move of the branch does not need it, and it may be lost. */
    private volatile @Nullable Pail pail;

    /**
     * Makes a snapshot.
     *
     * @param open opens the version; it may be called several times
     */
    public Snapshot(String branch, long generation, Head head, Supplier<Pail> open) {
        this.branch = Objects.requireNonNull(branch, "branch");
        this.generation = generation;
        this.head = Objects.requireNonNull(head, "head");
        this.open = Objects.requireNonNull(open, "open");
    }

    /** Makes a snapshot whose version was opened. */
    public Snapshot(String branch, long generation, Head head, Pail pail) {
        this(branch, generation, head, () -> pail);
        this.pail = Objects.requireNonNull(pail, "pail");
    }

    /** The name of the branch. */
    public String branch() {
        return branch;
    }

    /** Returns the number of the last ref update of the branch. Each head of a branch has its own number. */
    public long generation() {
        return generation;
    }

    /** Returns the token of that ref update. Unlike the generation, it never names another state. */
    public RefToken token() {
        return RefToken.of(branch, generation, head);
    }

    /** The newest events. */
    public Head head() {
        return head;
    }

    /**
     * Returns the version of the head; for an empty head, the empty pail.
     *
     * @throws dev.pail.BlockException if a needed event or root is missing, corrupt or malformed
     */
    public Pail pail() {
        Pail known = pail;
        if (known == null) {
            known = open.get();
            pail = known;
        }
        return known;
    }

    /** The root of the version. Throws as {@link #pail} does. */
    public Cid root() {
        return pail().root();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Snapshot that
                && generation == that.generation
                && branch.equals(that.branch)
                && head.equals(that.head);
    }

    @Override
    public int hashCode() {
        return Objects.hash(branch, generation, head);
    }

    /** The branch, its generation and its head. */
    @Override
    public String toString() {
        return branch + " at generation " + generation + " [" + head + "]";
    }
}
