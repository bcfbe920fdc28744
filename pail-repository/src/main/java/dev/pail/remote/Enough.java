package dev.pail.remote;

/** Ends a walk that has shown enough. */
final class Enough extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
