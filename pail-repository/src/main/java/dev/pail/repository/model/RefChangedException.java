package dev.pail.repository.model;

import dev.pail.PailException;
import java.util.Objects;

/**
 * A lost compare-and-set: another writer has changed the ref since this writer read it, or the collector has removed blocks. Nothing was
 * changed. Read the ref again, and try again.
 *
 * <pre>{@code
 * RefStore refs = repository.refs();
 * BranchState seen = refs.branch("main");
 * try {
 *     Head next = repository.head("draft");
 *     LogEntry entry = refs.update(update -> update.move(seen, next, "take the draft", refs.epoch()));
 * } catch (RefChangedException e) {
 *     System.err.println(e.ref() + " was moved by another writer"); // read it again, try again
 * }
 * }</pre>
 */
public final class RefChangedException extends PailException {
    private final String ref;

    /**
     * @param ref the name of the branch or tag, or {@code gc} for the epoch
     * @param found what the ref store has now, in a few words
     */
    public RefChangedException(String ref, String found) {
        super("another writer changed " + ref + ": " + found);
        this.ref = Objects.requireNonNull(ref, "ref");
    }

    /** The name of the branch or tag. */
    public String ref() {
        return ref;
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
