package dev.pail.cli.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Optional parts of the command: each has its JAR files in a folder of {@code lib}, beside those of the class path. A command
 * that needs no part pays nothing for it.
 */
public final class Library {
    /** The launcher sets it to the folder {@code lib}. */
    static final String FOLDER = "pail.lib";

    private Library() {}

    /** Loads the implementations of a service in a part; none if the part is not installed. */
    public static <T> List<T> load(String part, Class<T> service) {
        String folder = System.getProperty(FOLDER);
        if (folder == null) {
            return List.of();
        }
        // Stays open: classes are loaded as they are used, until the command ends.
        ClassLoader loader = new URLClassLoader(jars(Path.of(folder, part)), Library.class.getClassLoader());
        return ServiceLoader.load(service, loader).stream()
                .filter(each -> each.type().getClassLoader() == loader)
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    private static URL[] jars(Path folder) {
        List<URL> jars = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.jar")) {
                for (Path file : files) {
                    jars.add(file.toUri().toURL());
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return jars.toArray(new URL[0]);
    }
}
