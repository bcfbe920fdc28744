package dev.pail.server.http;

import dev.pail.Escapes;
import dev.pail.repository.model.Note;
import java.util.Optional;
import org.eclipse.jetty.server.Request;

/** The sender of a request, and what it may do. Each endpoint checks that before it does anything. Immutable. Rule GW17. */
public final class Caller {
    private static final String ATTRIBUTE = Caller.class.getName();

    /** What a caller may do to a branch: each right includes those before it. */
    public enum Right {
        /** Nothing: it reads. */
        READ,
        /** Updates that follow what the branch has. */
        WRITE,
        /** Moves to any history. */
        FORCE,
        /** Erases values for good, of all branches. */
        ERASE
    }

    /** A program of this machine, of a server without tokens. */
    public static final Caller LOCAL = new Caller("local", Right.ERASE, BranchPattern.ALL, "");

    /** Without a token, at an address that needs none. */
    public static final Caller UNKNOWN = new Caller("-", Right.READ, BranchPattern.ALL, "");

    private final String name;
    private final Right right;
    private final BranchPattern branches;

    /** Why the caller may write nothing; empty if its right and its branches decide. */
    private final String barred;

    private Caller(String name, Right right, BranchPattern branches, String barred) {
        this.name = name;
        this.right = right;
        this.branches = branches;
        this.barred = barred;
    }

    /** The holder of a token. */
    public static Caller holder(String name, Right right, BranchPattern branches) {
        return new Caller(name, right, branches, "");
    }

    /** This caller, of a server that takes no writes. */
    public Caller barred(String why) {
        return new Caller(name, right, branches, why);
    }

    /** The sender of a request that was let in. */
    public static Caller of(Request request) {
        if (request.getAttribute(ATTRIBUTE) instanceof Caller caller) {
            return caller;
        }
        throw new IllegalStateException("a request that was not let in");
    }

    /** The name. */
    public String name() {
        return name;
    }

    /** The note of the changes that it makes: without a token, they have no author. */
    public Note note() {
        return equals(LOCAL) || equals(UNKNOWN) ? Note.NONE : Note.of(name, null);
    }

    /** What it may do to the branches of its pattern. */
    public Right right() {
        return barred.isEmpty() ? right : Right.READ;
    }

    /** The pattern of the branches that it may update; none if it only reads. */
    public Optional<String> branches() {
        return right() == Right.READ ? Optional.empty() : Optional.of(branches.text());
    }

    /** Notes who sends a request. */
    public void send(Request request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    /** The name of the sender of any request, for logs. */
    public static String nameOf(Request request) {
        return request.getAttribute(ATTRIBUTE) instanceof Caller caller ? caller.name : UNKNOWN.name;
    }

    /**
     * Checks that the caller may update a branch by a change that follows what the branch has.
     *
     * @throws Refusal if not
     */
    public void checkWrite(String branch) {
        check(Right.WRITE, branch, "write");
    }

    /**
     * Checks that the caller may move a branch to a history that does not follow what it has.
     *
     * @throws Refusal if not
     */
    public void checkForce(String branch) {
        check(Right.FORCE, branch, "move a branch to another history");
    }

    /**
     * Checks that the caller may erase values, which any branch may have.
     *
     * @throws Refusal if not
     */
    public void checkErase() {
        check(Right.ERASE, "", "erase values");
        if (!branches.equals(BranchPattern.ALL)) {
            throw Refusal.forbidden("the token of " + name + " is for branches " + branches.text()
                    + ", and to erase values it must be for all: **");
        }
    }

    private void check(Right needed, String branch, String what) {
        if (!barred.isEmpty()) {
            throw Refusal.forbidden(barred);
        }
        if (right.compareTo(needed) < 0) {
            throw Refusal.forbidden("the token of " + name + " may not " + what);
        }
        if (needed != Right.ERASE && !branches.matches(branch)) {
            throw Refusal.forbidden("the token of " + name + " may update branches " + branches.text() + ", not "
                    + Escapes.brief(branch));
        }
    }
}
