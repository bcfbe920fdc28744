package dev.pail.car;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * What this thread has allocated. The module under test does not read {@code java.management}, so the compiler does not
 * see it; it is there where the class path is used.
 */
final class Allocation {
    private static final MethodHandle ALLOCATED = method();

    private Allocation() {}

    private static MethodHandle method() {
        try {
            Class<?> type = Class.forName("com.sun.management.ThreadMXBean");
            Object bean = Class.forName("java.lang.management.ManagementFactory")
                    .getMethod("getThreadMXBean")
                    .invoke(null);
            return MethodHandles.publicLookup()
                    .findVirtual(type, "getThreadAllocatedBytes", MethodType.methodType(long.class, long.class))
                    .bindTo(bean);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no measure of threads", e);
        }
    }

    /** In bytes, since the thread was started. */
    static long soFar() {
        try {
            return (long) ALLOCATED.invokeExact(Thread.currentThread().getId());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new LinkageError("no measure of threads", e);
        }
    }
}
