package dev.pail.clock;

import dev.pail.PailException;

/**
 * A head whose events have no common ancestor: their histories began independently. {@link ReplicatedPail#with} can merge them.
 * Nothing was changed.
 *
 * <pre>{@code
 * ReplicatedPail mine = ReplicatedPail.create(blocks).put("a", value);
 * ReplicatedPail yours = ReplicatedPail.create(blocks).put("b", value);
 * try {
 *     ReplicatedPail both = mine.merge(yours.head());
 * } catch (UnrelatedHistoriesException e) {
 *     System.err.println("began apart: " + e.head().events());
 * }
 * }</pre>
 */
public final class UnrelatedHistoriesException extends PailException {
    private final Head head;

    UnrelatedHistoriesException(Head head, String consequence) {
        super("unrelated histories: no event comes before all of " + head + ": " + consequence);
        this.head = head;
    }

    /** The events without a common ancestor. */
    public Head head() {
        return head;
    }

    @Override
    public String code() {
        return "unrelated-histories";
    }

    @Override
    public Kind kind() {
        return Kind.CONFLICT;
    }
}
