package dev.pail.repository.model;

import dev.pail.PailException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A refused call of a repository: for example there is no such branch, it exists already, or a file is damaged. {@link #reason} and
 * {@link #code} say which. Nothing was changed.
 *
 * <pre>{@code
 * try {
 *     Snapshot draft = repository.branches().create("drafts", repository.head("draft"));
 * } catch (RepositoryException e) {
 *     switch (e.reason()) {
 *         case NO_BRANCH -> System.err.println("there is no draft"); // e.code() is no-such-branch
 *         case EXISTS -> System.err.println("there is a branch drafts"); // already-exists
 *         case DAMAGED -> throw e; // damaged-repository
 *         default -> System.err.println(e.getMessage() + "; " + e.advice());
 *     }
 * }
 * }</pre>
 */
public final class RepositoryException extends PailException {
    /** Why the call was refused. */
    public enum Reason {
        /** There is no repository in a folder. */
        NO_REPOSITORY("no-such-repository", Kind.MISSING),
        /** There is no branch of this name. */
        NO_BRANCH("no-such-branch", Kind.MISSING),
        /** There is no tag of this name. */
        NO_TAG("no-such-tag", Kind.MISSING),
        /** A text names no version that is here. */
        NO_VERSION("no-such-version", Kind.MISSING),
        /** There is no change to undo or to redo. */
        NOTHING_TO_UNDO("nothing-to-undo", Kind.STATE),
        /** Of a version that a branch should go to, blocks are not here. */
        INCOMPLETE("incomplete-version", Kind.STATE),
        /** There is a repository, a branch or a tag of this name already. */
        EXISTS("already-exists", Kind.STATE),
        /** A branch that cannot be removed or renamed, as it is needed. */
        IN_USE("branch-in-use", Kind.STATE),
        /** The ref store lets writers compete, and what was asked needs one that excludes them. */
        NOT_EXCLUSIVE("not-exclusive", Kind.SETUP),
        /** The store cannot erase a value, or this block is not the block of a value. */
        NOT_ERASABLE("not-erasable", Kind.STATE),
        /** A text cannot be the name of a branch, a tag or a version. */
        NAME("bad-name", Kind.REFUSED),
        /** Nothing is in conflict there, or it was decided. */
        NO_CONFLICT("no-conflict", Kind.MISSING),
        /** An event may be one of several events of a change, and the log does not tell. */
        PART_OF_CHANGE("part-of-change", Kind.STATE),
        /** The repository is also for readers that do not understand these events. */
        NOT_UNDERSTOOD("not-understood", Kind.STATE),
        /** A text names several versions. */
        AMBIGUOUS("ambiguous-version", Kind.REFUSED),
        /** A text is no token of a change feed, or the branch has no such update. */
        TOKEN("bad-token", Kind.REFUSED),
        /** A garbage collection has taken what the next update of a change feed changed. */
        EXPIRED("token-expired", Kind.MISSING),
        /** A file of tokens, a certificate or a private key cannot be used by a server. */
        SERVER_FILE("bad-server-file", Kind.SETUP),
        /** What is stored of the repository cannot be understood, or contradicts itself. */
        DAMAGED("damaged-repository", Kind.DAMAGED);

        private final String code;
        private final Kind kind;

        Reason(String code, Kind kind) {
            this.code = code;
            this.kind = kind;
        }
    }

    private final Reason reason;
    private final Hint hint;

    /** @param hint what could be done about it */
    public RepositoryException(Reason reason, String message, String hint, @Nullable Throwable cause) {
        this(reason, message, Hint.of(hint), cause);
    }

    /** @param hint what could be done about it */
    public RepositoryException(Reason reason, String message, Hint hint, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = Objects.requireNonNull(reason, "reason");
        this.hint = Objects.requireNonNull(hint, "hint");
    }

    /**
     * What is stored is damaged.
     *
     * @param hint what could be done about it
     */
    public static RepositoryException damaged(String message, String hint, @Nullable Throwable cause) {
        return damaged(message, Hint.of(hint), cause);
    }

    /**
     * What is stored is damaged.
     *
     * @param hint what could be done about it
     */
    public static RepositoryException damaged(String message, Hint hint, @Nullable Throwable cause) {
        return new RepositoryException(Reason.DAMAGED, message, hint, cause);
    }

    /**
     * The refusal to give what a part has as if it were whole.
     *
     * @param place where the part is
     */
    public static RepositoryException ofPart(Part part, String place) {
        return new RepositoryException(
                Reason.INCOMPLETE,
                "a part is not given as if it were whole, and " + part.remote() + " has the rest: " + place,
                "use " + part.remote() + " itself, or fill the part first",
                null);
    }

    @Override
    public String code() {
        return reason.code;
    }

    @Override
    public Kind kind() {
        return reason.kind;
    }

    /** Why the call was refused. */
    public Reason reason() {
        return reason;
    }

    /** What could be done about it, with the call that does it. */
    public Hint advice() {
        return hint;
    }

    @Override
    public Optional<String> hint() {
        return Optional.of(hint.toString());
    }
}
