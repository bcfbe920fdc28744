package dev.pail.server;

import org.eclipse.jetty.server.Request;

/** The sender of a request, and what it may do. Each endpoint checks that before it does anything. Immutable. */
final class Caller {
    private static final String ATTRIBUTE = Caller.class.getName();

    /** A program of this machine, of a server without tokens. */
    static final Caller LOCAL = new Caller("local");

    private final String name;

    private Caller(String name) {
        this.name = name;
    }

    /** The sender of a request that {@link Entrance} has let in. */
    static Caller of(Request request) {
        if (request.getAttribute(ATTRIBUTE) instanceof Caller caller) {
            return caller;
        }
        throw new IllegalStateException("a request that was not let in");
    }

    /** Notes who sends a request. */
    void send(Request request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    /** The name, for logs. */
    String name() {
        return name;
    }

    /**
     * Checks that the caller may update a branch by a change that follows what the branch has.
     *
     * @throws Refusal if not
     */
    void checkWrite(String branch) {
        // A server without tokens lets each program of this machine write.
    }

    /**
     * Checks that the caller may move a branch to a history that does not follow what it has.
     *
     * @throws Refusal if not
     */
    void checkForce(String branch) {
        checkWrite(branch);
    }
}
