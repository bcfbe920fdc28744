package dev.pail.disk;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;

/** The disk of this machine, where something is done before each call that is told a file or folder. */
public final class TamperedDisk {
    private TamperedDisk() {}

    /** What is done, or fails. */
    public interface Before {
        /** What is done before a call, which is named as the method of {@link Disk} is. */
        void call(String call, Path path) throws IOException;
    }

    /** A disk where this is done before each call. */
    public static Disk of(Before before) {
        return (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
                    if (arguments != null && arguments[0] instanceof Path path) {
                        before.call(method.getName(), path);
                    }
                    try {
                        return method.invoke(Disk.system(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
