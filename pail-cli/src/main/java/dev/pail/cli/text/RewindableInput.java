package dev.pail.cli.text;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * An input that can be read only once, such as standard input, with a copy in a temporary file. So it can be read again when a change
 * has lost a race and is made again.
 */
public final class RewindableInput implements Lines.Source {
    private final InputStream once;
    private final TemporaryFile file;

    public RewindableInput(InputStream once) {
        this.once = once;
        this.file = new TemporaryFile();
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
            if (position < file.size()) {
                int known = (int) Math.min(length, file.size() - position);
                count = file.read(ByteBuffer.wrap(target, from, known), position);
            } else {
                count = once.read(target, from, length);
                file.append(ByteBuffer.wrap(target, from, Math.max(0, count)));
            }
            position += Math.max(0, count);
            return count;
        }
    }

    @Override
    public void close() throws IOException {
        try (file) {
            once.close();
        }
    }
}
