package dev.pail;

/**
 * A long operation that ended early because its thread was interrupted. The interrupt status of the thread stays set. An update has
 * changed nothing. A collection has removed no needed block, and the next one continues.
 *
 * <pre>{@code
 * try {
 *     Updated next = repository.update("main", before -> before.put("title", value));
 * } catch (OperationInterruptedException e) {
 *     boolean isSet = Thread.currentThread().isInterrupted(); // true
 * }
 * }</pre>
 */
public final class OperationInterruptedException extends PailException {
    /** @param what the operation that ended, such as {@code an update of /data/notes} */
    public OperationInterruptedException(String what) {
        super("the thread was interrupted, which ended " + what);
    }

    /**
     * Ends an operation if this thread is interrupted. A call costs about a nanosecond.
     *
     * @param what the operation
     * @throws OperationInterruptedException if it is
     */
    public static void check(String what) {
        check(Thread.currentThread(), what);
    }

    /**
     * Ends an operation if a thread is interrupted: the one that waits for its result, while others work for it.
     *
     * @param what the operation
     * @throws OperationInterruptedException if it is
     */
    public static void check(Thread thread, String what) {
        if (thread.isInterrupted()) {
            throw new OperationInterruptedException(what);
        }
    }

    @Override
    public String code() {
        return "interrupted";
    }

    @Override
    public Kind kind() {
        return Kind.INTERRUPTED;
    }
}
