package dev.pail.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** What is in a folder, byte for byte, but for the locks and the temporary files of repositories. */
public final class Snapshot {
    private Snapshot() {}

    /** Each path with the digest of its file, the target of its link, or that it is a folder. */
    public static Map<String, String> of(Path folder) {
        Map<String, String> found = new TreeMap<>();
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
                    if (path.endsWith("blocks/.tmp")) {
                        return FileVisitResult.SKIP_SUBTREE;
                    }
                    found.put(folder.relativize(path).toString(), "folder");
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
                    if (!path.endsWith("LOCK")) {
                        String content =
                                attributes.isSymbolicLink() ? "link to " + Files.readSymbolicLink(path) : digest(path);
                        found.put(folder.relativize(path).toString(), content);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private static String digest(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            byte[] buffer = new byte[1 << 16];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                sha256.update(buffer, 0, read);
            }
            return HexFormat.of().formatHex(sha256.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
