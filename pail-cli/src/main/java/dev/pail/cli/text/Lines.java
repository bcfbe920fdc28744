package dev.pail.cli.text;

import dev.pail.OperationInterruptedException;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Inputs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The lines of a text in UTF-8, each ended by a line feed or another byte, but for the last, which may lack it. */
public final class Lines implements AutoCloseable {
    private static final int MAX_LINE = 64 << 20;

    /** Starts each text of a JSON text sequence (RFC 7464). */
    static final char RECORD_SEPARATOR = '\u001e';

    public static final String UTF_16 = "UTF-16, not UTF-8: save the text as UTF-8";

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final Source source;
    private final String name;
    private final long size;
    private final char ending;
    private final byte[] buffer = new byte[1 << 16];
    private int next;
    private int end;
    private InputStream in;
    private long number;
    private long bytes;

    /** Where the text is. */
    public interface Source extends AutoCloseable {
        /** The text from its beginning. Closes what was opened before. */
        InputStream open() throws IOException;

        @Override
        void close() throws IOException;
    }

    /**
     * @param name what the user calls the text
     * @param size of the text in bytes, or -1 where it is not known
     * @param ending what ends a line, a character of ASCII
     */
    public Lines(Source source, String name, long size, char ending) {
        this.source = source;
        this.name = name;
        this.size = size;
        this.ending = ending;
        this.in = begin();
    }

    private InputStream begin() {
        try {
            return source.open();
        } catch (IOException e) {
            throw Inputs.failure(name, e);
        }
    }

    /** Goes back to the beginning. */
    public void restart() {
        in = begin();
        next = 0;
        end = 0;
        number = 0;
        bytes = 0;
    }

    /**
     * Passes over blank lines, and over a byte-order mark, spaces and record separators before the text.
     *
     * @return the first byte behind them, which stays the next; or -1
     */
    int skipToFirst() {
        boolean isMarked = false;
        while (true) {
            int b = peek();
            if ((byte) b == BYTE_ORDER_MARK[0] && !isMarked && startsWithMark()) {
                next += BYTE_ORDER_MARK.length;
                isMarked = true;
            } else if (b == '\n' || b == ' ' || b == '\t' || b == '\r' || b == RECORD_SEPARATOR) {
                number += take() == '\n' ? 1 : 0;
            } else {
                return b;
            }
        }
    }

    /** Whether the next bytes are a byte-order mark. */
    private boolean startsWithMark() {
        while (end - next < BYTE_ORDER_MARK.length) {
            if (!fillBehind()) {
                return false;
            }
        }
        return Arrays.equals(buffer, next, next + BYTE_ORDER_MARK.length, BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length);
    }

    /** The next byte, which stays the next; or -1 at the end. */
    int peek() {
        return fill() ? buffer[next] & 0xff : -1;
    }

    /** The next byte, or -1 at the end. The lines that it ends are not counted. */
    public int take() {
        return fill() ? buffer[next++] & 0xff : -1;
    }

    /** The number of the line that was read last, from 1. */
    public long number() {
        return number;
    }

    /** How many bytes were read. */
    public long bytes() {
        return bytes;
    }

    /** The size of the text in bytes, or -1 where it is not known. */
    public long size() {
        return size;
    }

    /**
     * The next line without what ends it, or null behind the last.
     *
     * @throws Failure.Found of the type {@code syntax} if it is not UTF-8 or over 64 MiB; the next can be read all the same
     */
    @Nullable
    public String next() {
        OperationInterruptedException.check("the reading of lines");
        ByteArrayOutputStream begun = null;
        int length = 0;
        while (fill()) {
            int from = next;
            while (next < end && buffer[next] != ending) {
                next++;
            }
            length = Math.min(MAX_LINE + 1, length + next - from);
            boolean whole = next < end;
            if (whole && begun == null) {
                return decode(buffer, from, next++ - from);
            }
            begun = begun == null ? new ByteArrayOutputStream() : begun;
            if (length <= MAX_LINE) {
                begun.write(buffer, from, next - from);
            }
            if (whole) {
                next++;
                break;
            }
        }
        if (begun == null) {
            return null;
        }
        if (length > MAX_LINE) {
            number++;
            throw syntax("a line of more than " + MAX_LINE + " bytes");
        }
        return decode(begun.toByteArray(), 0, length);
    }

    /** Whether there is anything left to read. */
    private boolean fill() {
        if (next < end) {
            return true;
        }
        try {
            next = 0;
            end = Math.max(0, in.read(buffer));
            bytes += end;
            return end > 0;
        } catch (IOException e) {
            throw Inputs.failure(name, e);
        }
    }

    /** Adds bytes to those that are in the buffer, at its beginning. */
    private boolean fillBehind() {
        System.arraycopy(buffer, next, buffer, 0, end - next);
        end -= next;
        next = 0;
        try {
            int count = Math.max(0, in.read(buffer, end, buffer.length - end));
            bytes += count;
            end += count;
            return count > 0;
        } catch (IOException e) {
            throw Inputs.failure(name, e);
        }
    }

    private String decode(byte[] line, int from, int length) {
        number++;
        int seen = 0;
        for (int i = from; i < from + length; i++) {
            seen |= line[i];
        }
        if (seen >= 0) {
            return new String(line, from, length, StandardCharsets.ISO_8859_1);
        }
        try {
            return utf8(line, from, length);
        } catch (CharacterCodingException e) {
            throw syntax(number == 1 && isUtf16(line, from, length) ? UTF_16 : "not UTF-8");
        }
    }

    /** What is wrong in a line. */
    public static Failure.Found syntax(String message) {
        return new Failure.Found(Exit.FAILED, "syntax", message, null);
    }

    /** Decodes strictly. */
    public static String utf8(byte[] bytes, int from, int length) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT)
                .decode(ByteBuffer.wrap(bytes, from, length))
                .toString();
    }

    /** Whether a text begins with the byte-order mark of UTF-16. */
    public static boolean isUtf16(byte[] text, int from, int length) {
        int both = length < 2 ? 0 : ((text[from] & 0xff) << 8) | (text[from + 1] & 0xff);
        return both == 0xfeff || both == 0xfffe;
    }

    @Override
    public void close() {
        try {
            source.close();
        } catch (IOException e) {
            throw Inputs.failure(name, e);
        }
    }
}
