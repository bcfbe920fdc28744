package dev.pail.car;

import dev.pail.disk.Disk;
import java.io.IOException;
import java.io.InputStream;

/** A file as a stream. */
final class FileInput extends InputStream {
    private final Disk.ReadableFile file;
    private long position;

    /** @param file is closed with the stream */
    FileInput(Disk.ReadableFile file) {
        this.file = file;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        int count = file.read(position, target, from, length);
        position += count;
        return count == 0 ? -1 : count;
    }

    @Override
    public long skip(long count) throws IOException {
        long skipped = Math.max(0, Math.min(count, file.size() - position));
        position += skipped;
        return skipped;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
