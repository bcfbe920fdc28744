package dev.pail.remote;

import dev.pail.Escapes;
import dev.pail.PailException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request that a remote refused, or an unusable answer. No local or remote branch has changed.
 *
 * <pre>{@code
 * try {
 *     Pushed pushed = exchange.push("main", PushMode.FAST_FORWARD);
 * } catch (RemoteException e) {
 *     if (e.reason() == RemoteException.Reason.NOT_FAST_FORWARD) {
 *         System.err.println("pull first: " + e.getMessage()); // e.code() is not-fast-forward
 *     }
 * }
 * }</pre>
 */
public final class RemoteException extends PailException {
    /** Why the remote did not do it. */
    public enum Reason {
        /** The branch of the remote has events that the pushed head does not have. */
        NOT_FAST_FORWARD("not-fast-forward", Kind.CONFLICT),
        /** The branch of the remote and the pushed head have no event in common. */
        UNRELATED("unrelated-remote", Kind.CONFLICT),
        /** The branch of the remote has another shard format than the pushed head. */
        FORMAT("other-format", Kind.CONFLICT),
        /** Another peer has updated the branch of the remote since the last fetch. */
        MOVED("remote-moved", Kind.CONFLICT),
        /** The remote has no such branch. */
        NO_BRANCH("no-such-remote-branch", Kind.MISSING),
        /** The remote has no such tag. */
        NO_TAG("no-such-remote-tag", Kind.MISSING),
        /** The remote has a tag of this name with another head, or a branch of this name. */
        TAG_EXISTS("remote-tag-exists", Kind.CONFLICT),
        /** The remote wants a token, or the token does not allow this. */
        REFUSED("remote-refused", Kind.REFUSED),
        /** The repository there needs readers that understand more, such as described events. */
        NOT_UNDERSTOOD("not-understood-remote", Kind.STATE),
        /** The remote keeps its branch: it is the main or the current one. */
        KEPT("remote-branch-in-use", Kind.STATE),
        /** A block or an event is larger than the remote takes. */
        TOO_LARGE("too-large-for-remote", Kind.REFUSED),
        /** Some other answer that this program does not understand. */
        PROTOCOL("bad-remote", Kind.INPUT_OUTPUT);

        private final String code;
        private final Kind kind;

        Reason(String code, Kind kind) {
            this.code = code;
            this.kind = kind;
        }

        /** Returns the code of the exception, as {@link RemoteException#code} does. */
        public String code() {
            return code;
        }
    }

    private final Reason reason;
    private final String hint;

    /** @param hint what could be done about it */
    public RemoteException(Reason reason, String message, String hint, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = Objects.requireNonNull(reason, "reason");
        this.hint = Objects.requireNonNull(hint, "hint");
    }

    /**
     * The failure for an answer that no pail server gives.
     *
     * @param what what is wrong with it, without the address
     */
    static RemoteException foreign(String address, String what) {
        return new RemoteException(
                Reason.PROTOCOL,
                "not an answer of a pail server: " + address + ": " + what,
                "see whether this is its address; a proxy may answer in its place",
                null);
    }

    /** The remote has no such tag. */
    static RemoteException noTag(String address, String tag) {
        return new RemoteException(
                Reason.NO_TAG, "no tag " + Escapes.brief(tag) + " at " + address, "list its tags", null);
    }

    /** @param there the names of the branches that the remote has */
    static RemoteException noBranch(String address, String branch, List<String> there) {
        return new RemoteException(
                Reason.NO_BRANCH,
                "no branch " + Escapes.brief(branch) + " at " + address,
                "there are: " + String.join(", ", there),
                null);
    }

    /** The remote has another tag, or a branch, of this name. */
    static RemoteException tagExists(String address, RemoteTag tag, @Nullable Throwable cause) {
        return new RemoteException(
                Reason.TAG_EXISTS,
                "there is another tag, or a branch, " + Escapes.brief(tag.name()) + " at " + address,
                "a tag stays where it is: choose another name, or remove it there first",
                cause);
    }

    /** The failure for a tag and a remote that exchanges none, such as one of version 0.2.0. */
    static RemoteException withoutTags(String address, RemoteTag tag) {
        return new RemoteException(
                Reason.REFUSED,
                "the remote takes no tags: " + address + ", and so not "
                        + Escapes.brief(Objects.requireNonNull(tag, "tag").name()),
                "install a newer pail there",
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

    /** Returns the reason. */
    public Reason reason() {
        return reason;
    }

    @Override
    public Optional<String> hint() {
        return Optional.of(hint);
    }
}
