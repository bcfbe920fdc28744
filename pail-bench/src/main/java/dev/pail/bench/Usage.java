package dev.pail.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a folder takes.
 *
 * @param bytes the lengths of all files
 * @param allocated what the file system has set aside for files and folders, in bytes, as {@code du} says
 */
record Usage(long bytes, long allocated) {
    static Usage of(Path folder) throws IOException {
        long bytes = 0;
        for (Path file : all(folder)) {
            if (Files.isRegularFile(file)) {
                bytes += Files.size(file);
            }
        }
        Process du = new ProcessBuilder("du", "-sk", folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Usage(bytes, Long.parseLong(said.substring(0, said.indexOf('\t'))) << 10);
    }

    /** Removes a folder with all that is in it. */
    static void remove(Path folder) throws IOException {
        for (Path path : all(folder)) {
            Files.delete(path);
        }
    }

    /** What is in a folder, and the folder, what is further down first. */
    private static List<Path> all(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.sorted(Comparator.reverseOrder()).toList();
        }
    }
}
