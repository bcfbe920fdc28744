package dev.pail.segment;

import dev.pail.disk.Disk;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;

/** The disk, where a test does something of its own at some calls, also of the files that are open. */
final class HookedDisk {
    private HookedDisk() {}

    /** Is asked at each call, and makes it, or not. */
    interface Hook {
        Object at(String method, Path path, Call call) throws Throwable;
    }

    interface Call {
        Object make() throws Throwable;
    }

    static Disk of(Hook hook) {
        return hooked(Disk.class, Disk.system(), null, hook);
    }

    private static <T> T hooked(Class<T> type, Object target, Path path, Hook hook) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    Path of = path == null && arguments != null && arguments[0] instanceof Path first ? first : path;
                    Object made = hook.at(method.getName(), of, () -> call(target, method, arguments));
                    if (made instanceof Disk.ReadableFile) {
                        return hooked(Disk.ReadableFile.class, made, of, hook);
                    }
                    return made instanceof Disk.WritableFile ? hooked(Disk.WritableFile.class, made, of, hook) : made;
                }));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            method.setAccessible(true);
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
