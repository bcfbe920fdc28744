package dev.pail.cli.terminal;

import dev.pail.StoreIOException;
import dev.pail.ipld.MalformedDataException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** CAR files and notes that commands write. */
public final class Outputs {
    /** What a note of a signed head starts with. */
    private static final String NOTE = "pail/";

    private Outputs() {}

    /** What writes a file, and what it says of that. */
    @FunctionalInterface
    public interface Content<T> {
        T write(OutputStream out) throws IOException;
    }

    /** Refuses to replace a file of another kind, such as the one that another argument was meant to name. An empty file may be replaced. */
    public static void checkReplaceable(Path file) {
        try {
            if (Files.isRegularFile(file) && Files.size(file) > 0) {
                Inputs.car(file).close();
            }
        } catch (MalformedDataException e) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "io",
                    "a file that is no CAR is not replaced: " + file,
                    "give the CAR another name, or remove that file first");
        } catch (IOException e) {
            throw failure(file, StoreIOException.reason(e));
        }
    }

    /** Refuses to replace a file that is no note of a signed head. An empty file may be replaced. */
    public static void checkReplaceableNote(Path file) {
        if (!Files.isRegularFile(file)) {
            return;
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] start = in.readNBytes(NOTE.length());
            if (start.length > 0 && !new String(start, StandardCharsets.UTF_8).equals(NOTE)) {
                throw new Failure.Found(
                        Exit.FAILED,
                        "io",
                        "a file that is no signed head is not replaced: " + file,
                        "give the note another name, or remove that file first");
            }
        } catch (IOException e) {
            throw failure(file, StoreIOException.reason(e));
        }
    }

    /** Writes a file that gets its name only when all is in it, and durable. A target that is no regular file is written to directly. */
    public static <T> T write(Path given, Content<T> content) {
        try {
            if (Files.isDirectory(given)) {
                throw new IOException("a folder, not a file");
            }
            // The name that a shell gives to a pipe leads to nothing that has a path.
            if (Inputs.isStream(given)) {
                try (OutputStream out = Files.newOutputStream(given)) {
                    return content.write(out);
                }
            }
            Path file = Files.exists(given) ? given.toRealPath() : given;
            Path folder =
                    Files.isSymbolicLink(file) ? null : file.toAbsolutePath().getParent();
            if (folder == null) {
                throw new IOException("a link to nothing");
            }
            return write(folder, file, content);
        } catch (NoSuchFileException e) {
            throw failure(given, "no such folder");
        } catch (IOException e) {
            throw failure(given, StoreIOException.reason(e));
        }
    }

    private static <T> T write(Path folder, Path file, Content<T> content) throws IOException {
        Path temporary = folder.resolve(".pail-export-" + UUID.randomUUID());
        // Only a process that is killed outright leaves anything of it: an interrupt does not.
        temporary.toFile().deleteOnExit();
        try {
            T written;
            // Opened as it is made: who is interrupted between the two would make it anew when it was removed.
            try (FileChannel out =
                    FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                written = content.write(Channels.newOutputStream(out));
                out.force(true);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
                names.force(true);
            } catch (IOException e) {
                throw new IOException(
                        "it was written, which may be undone if the power is lost: " + StoreIOException.reason(e), e);
            }
            return written;
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private static Failure.Found failure(Path file, String reason) {
        return new Failure.Found(Exit.FAILED, "io", "cannot write: " + file + ": " + reason, null);
    }
}
