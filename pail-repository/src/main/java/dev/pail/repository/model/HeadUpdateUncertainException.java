package dev.pail.repository.model;

import dev.pail.PailException;
import dev.pail.clock.Head;

/**
 * A ref update with an unknown outcome: the disk failed while the new head replaced the old one. The blocks below both heads are
 * durable. The branch has one of the two heads. If the
 * cause is gone, the next writer continues from the one that it finds.
 *
 * <pre>{@code
 * try {
 *     Updated next = repository.update("main", before -> before.put("title", value));
 * } catch (HeadUpdateUncertainException e) {
 *     repository.close(); // open it again: the branch is at one of the two
 *     System.err.println(e.branch() + " is at " + e.from() + " or " + e.to());
 * }
 * }</pre>
 */
public final class HeadUpdateUncertainException extends PailException {
    private final String branch;
    private final Head from;
    private final Head to;

    /** @param where the place of the branch's head: a file, a row of a database */
    public HeadUpdateUncertainException(
            String branch, String where, Head from, Head to, String reason, Throwable cause) {
        super(
                "it is not known whether the branch " + branch
                        + " has moved, as the head may be the old or the new one: " + where + ": " + reason,
                cause);
        this.branch = branch;
        this.from = from;
        this.to = to;
    }

    /** The name of the branch. */
    public String branch() {
        return branch;
    }

    /** Returns the old head. */
    public Head from() {
        return from;
    }

    /** Returns the new head. */
    public Head to() {
        return to;
    }

    @Override
    public String code() {
        return "ref-uncertain";
    }

    @Override
    public Kind kind() {
        return Kind.INPUT_OUTPUT;
    }
}
