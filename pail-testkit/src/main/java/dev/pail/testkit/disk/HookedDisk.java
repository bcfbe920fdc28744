package dev.pail.testkit.disk;

import dev.pail.disk.Disk;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A disk on which a test does something of its own at some calls, also at those of files that are open.
 *
 * <pre>{@code
 * List<String> renames = new ArrayList<>();
 * Disk disk = HookedDisk.telling(new CrashDisk(), (call, about) -> {
 *     if (call.equals("rename")) {
 *         renames.add(about.toString());
 *     }
 * });
 * DirectoryBlockStore.open(disk, Path.of("/store")).put(Block.of(Cid.RAW, new byte[] {1}));
 * }</pre>
 */
@SuppressWarnings("exports")
public final class HookedDisk {
    private HookedDisk() {}

    /** Is asked at each call, and makes it, or not. What it throws is what the call throws. */
    public interface Hook {
        /**
         * A call that is to be made.
         *
         * @param file what it is about; of an open file, that file
         */
        @Nullable
        Object at(String call, @Nullable Path file, Call made) throws Throwable;
    }

    /** A call. */
    public static final class Call {
        private final Method method;
        private final Object target;

        /** What it is made with, which a hook may change. */
        @SuppressWarnings("AvoidObjectArrays")
        public final Object[] arguments;

        @SuppressWarnings("AvoidObjectArrays")
        private Call(Method method, Object target, Object @Nullable [] arguments) {
            this.method = method;
            this.target = target;
            this.arguments = arguments == null ? new Object[0] : arguments;
        }

        @Nullable
        public Object make() throws Throwable {
            try {
                method.setAccessible(true);
                return method.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    /** A callback before each call that concerns a file. The call throws what the callback throws. */
    public interface Told {
        void before(String call, Path file) throws IOException;
    }

    public static Disk of(Disk disk, Hook hook) {
        return hooked(Disk.class, disk, null, hook);
    }

    public static Disk telling(Disk disk, Told told) {
        return of(disk, (call, file, made) -> {
            if (file != null) {
                told.before(call, file);
            }
            return made.make();
        });
    }

    private static <T> T hooked(Class<T> type, T target, @Nullable Path opened, Hook hook) {
        return type.cast(Proxy.newProxyInstance(
                HookedDisk.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return new Call(method, target, arguments).make();
                    }
                    Path file = arguments != null && arguments[0] instanceof Path path ? path : opened;
                    Object made = hook.at(method.getName(), file, new Call(method, target, arguments));
                    if (made instanceof Disk.ReadableFile readable) {
                        return hooked(Disk.ReadableFile.class, readable, file, hook);
                    }
                    if (made instanceof Disk.WritableFile writable) {
                        return hooked(Disk.WritableFile.class, writable, file, hook);
                    }
                    return made;
                }));
    }
}
