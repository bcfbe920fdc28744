package dev.pail.cli.text;

import dev.pail.StoreIOException;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file without a name in the folder for temporary files. It goes away with this process, however that ends. */
public final class TemporaryFile implements AutoCloseable {
    private final FileChannel file;
    private long size;

    public TemporaryFile() {
        try {
            Path path = Files.createTempFile("pail", null);
            this.file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
            Files.delete(path);
        } catch (IOException e) {
            throw failure("make", e);
        }
    }

    private static Failure.Found failure(String what, IOException error) {
        return new Failure.Found(
                Exit.FAILED,
                "io",
                "cannot " + what + " a temporary file in " + System.getProperty("java.io.tmpdir") + ": "
                        + StoreIOException.reason(error),
                "choose another folder for it with: export JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR");
    }

    /** The bytes that the file has. */
    public long size() {
        return size;
    }

    /** Reads some bytes from a position on, at least one unless the file ends there, and returns their number, or -1. */
    public int read(ByteBuffer bytes, long position) {
        try {
            return file.read(bytes, position);
        } catch (IOException e) {
            throw failure("read", e);
        }
    }

    /** Writes bytes behind those before. */
    public void append(ByteBuffer bytes) {
        try {
            while (bytes.hasRemaining()) {
                size += file.write(bytes, size);
            }
        } catch (IOException e) {
            throw failure("write", e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw failure("close", e);
        }
    }
}
