package dev.pail.repository;

import dev.pail.disk.Disk;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A disk that tells of its calls, and of those of the files that it opens, before each, so that something else can be done first. */
final class HookedDisk {
    private HookedDisk() {}

    /** What is told. What it throws is what the call throws. */
    interface Hook {
        /**
         * A call is about to be made.
         *
         * @param file what the call is about; of an open file, that file
         */
        void before(String call, Path file) throws IOException;
    }

    static Disk of(Disk disk, Hook hook) {
        return hooked(Disk.class, disk, null, hook);
    }

    private static <T> T hooked(Class<T> type, T target, @Nullable Path opened, Hook hook) {
        return type.cast(Proxy.newProxyInstance(
                HookedDisk.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
                    Path file = args != null && args[0] instanceof Path path ? path : opened;
                    if (file != null) {
                        hook.before(method.getName(), file);
                    }
                    Object result = invoke(method, target, args);
                    if (result instanceof Disk.ReadableFile readable) {
                        return hooked(Disk.ReadableFile.class, readable, file, hook);
                    }
                    if (result instanceof Disk.WritableFile writable) {
                        return hooked(Disk.WritableFile.class, writable, file, hook);
                    }
                    return result;
                }));
    }

    @SuppressWarnings("AvoidObjectArrays")
    private static @Nullable Object invoke(Method method, Object target, @Nullable Object @Nullable [] args)
            throws Throwable {
        try {
            method.setAccessible(true);
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
