package dev.pail.repository.model;

import dev.pail.PailException;

/**
 * A lost compare-and-set: another writer has moved the branch meanwhile. Nothing was changed: read the branch and decide again.
 *
 * <pre>{@code
 * Snapshot seen = repository.snapshot("main");
 * try {
 *     Snapshot moved = repository.move(seen, repository.head("draft"), "take the draft");
 * } catch (HeadMovedException e) {
 *     System.err.println(e.branch() + " was at " + e.expected() + ", is at " + e.found()); // decide again
 * }
 * }</pre>
 */
public final class HeadMovedException extends PailException {
    private final String branch;
    private final long expected;
    private final long found;

    public HeadMovedException(String branch, long expected, long found) {
        super("the branch " + branch + " was moved meanwhile: it stood at generation " + expected + ", and stands at "
                + found);
        this.branch = branch;
        this.expected = expected;
        this.found = found;
    }

    /** The name of the branch. */
    public String branch() {
        return branch;
    }

    /** Returns the generation of the head that the update expected. */
    public long expected() {
        return expected;
    }

    /** Returns the generation of the head that it found. */
    public long found() {
        return found;
    }

    @Override
    public String code() {
        return "ref-moved";
    }

    @Override
    public Kind kind() {
        return Kind.CONFLICT;
    }
}
