package dev.pail.repository;

import dev.pail.PailException;
import dev.pail.clock.Head;

/**
 * A branch may have the new head or the old one: the disk failed while the new head replaced the old one. The blocks below both are
 * durable. The repository refuses writes until it is opened again. Then it has one of the two heads.
 *
 * <pre>{@code
 * try {
 *     Pail next = repository.update("main", before -> before.put("title", value));
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

    /** @param where what is stored of the branch: a file, a row of a database */
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

    /** Where the branch stood. */
    public Head from() {
        return from;
    }

    /** Where it was to go. */
    public Head to() {
        return to;
    }

    @Override
    public String code() {
        return "ref-uncertain";
    }
}
