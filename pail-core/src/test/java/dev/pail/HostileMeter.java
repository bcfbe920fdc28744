package dev.pail;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * What a thread has used up. The module under test does not read {@code java.management}, so it is not seen by the
 * compiler; it is there where the class path is used.
 */
final class HostileMeter {
    private static final MethodHandle CPU = method("getThreadCpuTime");
    private static final MethodHandle ALLOCATED = method("getThreadAllocatedBytes");

    private HostileMeter() {}

    private static MethodHandle method(String name) {
        try {
            Class<?> type = Class.forName("com.sun.management.ThreadMXBean");
            Object bean = Class.forName("java.lang.management.ManagementFactory")
                    .getMethod("getThreadMXBean")
                    .invoke(null);
            return MethodHandles.publicLookup()
                    .findVirtual(type, name, MethodType.methodType(long.class, long.class))
                    .bindTo(bean);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no measure of threads", e);
        }
    }

    /** Processor time in nanoseconds; a negative number if the thread is dead. */
    static long cpuNanos(Thread thread) {
        return call(CPU, thread);
    }

    /** Bytes that were allocated. */
    static long allocated(Thread thread) {
        return call(ALLOCATED, thread);
    }

    private static long call(MethodHandle method, Thread thread) {
        try {
            return (long) method.invokeExact(thread.getId());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new LinkageError("no measure of threads", e);
        }
    }
}
