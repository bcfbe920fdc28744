package dev.pail.cli.text;

import dev.pail.StoreIOException;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * An input that can be read only once, such as standard input, with a copy in a temporary file. So it can be read again when a change
 * has lost a race and is made again.
 */
public final class RewindableInput implements Lines.Source {
    private final InputStream once;
    private final FileChannel file;

    /** The bytes that the file has. */
    private long copied;

    public RewindableInput(InputStream once) {
        this.once = once;
        try {
            Path path = Files.createTempFile("pail", null);
            this.file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
            // Without a name, the file goes away with this process, however it ends.
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

    @Override
    public InputStream open() {
        return new Reading();
    }

    /** Reads the copy first, then the rest of the input. */
    private final class Reading extends InputStream {
        private long position;

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int from, int length) throws IOException {
            int count;
            if (position < copied) {
                int known = (int) Math.min(length, copied - position);
                count = readSpooled(ByteBuffer.wrap(target, from, known), position);
            } else {
                count = once.read(target, from, length);
                spool(ByteBuffer.wrap(target, from, Math.max(0, count)));
            }
            position += Math.max(0, count);
            return count;
        }
    }

    private int readSpooled(ByteBuffer bytes, long position) {
        try {
            return file.read(bytes, position);
        } catch (IOException e) {
            throw failure("read", e);
        }
    }

    private void spool(ByteBuffer bytes) {
        try {
            while (bytes.hasRemaining()) {
                copied += file.write(bytes, copied);
            }
        } catch (IOException e) {
            throw failure("write", e);
        }
    }

    @Override
    public void close() throws IOException {
        try (file) {
            once.close();
        }
    }
}
