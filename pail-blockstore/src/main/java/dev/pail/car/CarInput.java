package dev.pail.car;

import dev.pail.StoreIOException;
import dev.pail.ipld.MalformedDataException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The bytes of a CAR in their order, with their offset, up to a limit. */
final class CarInput implements AutoCloseable {
    /** How many bytes can be read again. */
    static final int BUFFER = 1 << 16;

    private static final int MAX_VARINT = 9;

    private final InputStream in;
    private final String source;
    private long position;
    private long limit = Long.MAX_VALUE;

    CarInput(InputStream in, String source) {
        this.in = new BufferedInputStream(in, BUFFER);
        this.source = source;
        this.in.mark(BUFFER);
    }

    /**
     * The bytes since the last {@link #isAtEnd}, or from the start, and those that follow, at most that number; none if the buffer has no
     * longer got them. Nothing can be read in their order after that.
     */
    byte[] again(int most) {
        try {
            in.reset();
            return in.readNBytes(most);
        } catch (IOException e) {
            return new byte[0];
        }
    }

    String source() {
        return source;
    }

    /** How many bytes were read or skipped. */
    long position() {
        return position;
    }

    /** Sets where what is read now ends, in bytes from the start. */
    void limit(long newLimit) {
        limit = newLimit;
    }

    /** Whether nothing is left: the limit is reached; or, if there is none, the bytes are at their end. */
    boolean isAtEnd() {
        if (position == limit) {
            return true;
        }
        in.mark(BUFFER);
        if (limit < Long.MAX_VALUE) {
            return false;
        }
        try {
            boolean end = in.read() < 0;
            in.reset();
            return end;
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private int readByte(String what) {
        if (position == limit) {
            throw beyond(what);
        }
        try {
            int read = in.read();
            if (read < 0) {
                throw cut(what);
            }
            position++;
            return read;
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** Reads an unsigned varint. Zeros may pad it, as js-car reads it. */
    long readVarint(String what) {
        long at = position;
        long value = 0;
        for (int i = 0; i < MAX_VARINT; i++) {
            int read = readByte(what);
            value |= (long) (read & 0x7f) << (7 * i);
            if (read < 0x80) {
                return value;
            }
        }
        throw malformed(at, "a varint takes nine bytes at most (I2)");
    }

    /** Reads bytes. Allocates memory for the bytes that arrive, not for the length that the file announces. */
    byte[] read(int length, String what) {
        if (length > limit - position) {
            throw beyond(what);
        }
        try {
            byte[] bytes = in.readNBytes(length);
            position += bytes.length;
            if (bytes.length < length) {
                throw cut(what);
            }
            return bytes;
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** Skips bytes up to an offset. */
    void skipTo(long offset, String what) {
        try {
            while (position < offset) {
                long skipped = in.skip(offset - position);
                if (skipped <= 0) {
                    readByte(what);
                } else {
                    position += skipped;
                }
            }
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private MalformedDataException beyond(String what) {
        return malformed(position, what + " goes beyond the end of the data (CAR9)");
    }

    /** The refusal of a file that was cut off. Rule CAR6. */
    private MalformedDataException cut(String what) {
        return malformed(position, "the file ends inside " + what + " (CAR6)");
    }

    MalformedDataException malformed(long offset, String rule) {
        return malformed(offset, rule, null);
    }

    MalformedDataException malformed(long offset, String rule, @Nullable Throwable cause) {
        return MalformedDataException.ofCar(source, offset, rule, cause);
    }

    private StoreIOException failure(IOException error) {
        return new StoreIOException("cannot read a CAR", source, error);
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw failure(e);
        }
    }
}
