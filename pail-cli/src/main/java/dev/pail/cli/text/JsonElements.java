package dev.pail.cli.text;

import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import java.io.ByteArrayOutputStream;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/**
 * The elements of the one array that a text is, as their texts. The array may be larger than memory, and all on one line. Brackets and quotes
 * tell where an element ends; the command parses it.
 */
final class JsonElements {
    private static final String HINT = "write each element on a line of its own with: jq -c '.[]'";
    private static final int NONE = -1;

    static final int MOST_BYTES = 64 << 20;

    private final Lines lines;
    private final long firstLine;
    private long lineNow;
    private int columnNow = 1;
    private long line;
    private int column = 1;
    private boolean isBegun;
    private boolean isOver;

    /** @param lines before the bracket that opens the array */
    JsonElements(Lines lines) {
        this.lines = lines;
        this.firstLine = lines.number() + 1;
        this.lineNow = firstLine;
        this.line = firstLine;
    }

    /** The line in which the last element begins. */
    long line() {
        return line;
    }

    /** The column at which the last element begins, in characters. */
    int column() {
        return column;
    }

    /** The next element, or null behind the last and after an error. */
    @Nullable
    String next() {
        if (isOver) {
            return null;
        }
        // After an error nothing tells where the next element begins.
        isOver = true;
        boolean isFirst = !isBegun;
        if (isFirst) {
            isBegun = true;
            take();
        }
        int first = peek();
        if (isFirst && first == ']') {
            take();
            end();
            return null;
        }
        line = lineNow;
        column = columnNow;
        if (first == ',' || first == ']') {
            throw failure("an element is missing");
        }
        String element = element();
        if (take() == ',') {
            isOver = false;
        } else {
            end();
        }
        return element;
    }

    /** The text up to the comma or bracket behind it. */
    private String element() {
        ByteArrayOutputStream element = new ByteArrayOutputStream();
        int depth = 0;
        boolean isText = false;
        boolean isEscaped = false;
        while (true) {
            int b = lines.peek();
            if (b == NONE) {
                line = firstLine;
                column = 1;
                throw failure("the array does not end");
            }
            if (!isText && depth == 0 && (b == ',' || b == ']')) {
                return text(element.toByteArray());
            }
            element.write(take());
            if (element.size() > MOST_BYTES) {
                throw failure("a value of more than " + MOST_BYTES + " bytes");
            }
            if (isText) {
                isText = isEscaped || b != '"';
                isEscaped = !isEscaped && b == '\\';
            } else if (b == '"') {
                isText = true;
            } else if (b == '{' || b == '[') {
                depth++;
            } else if ((b == '}' || b == ']') && --depth < 0) {
                throw failure("a bracket is closed that is not open");
            }
        }
    }

    private String text(byte[] bytes) {
        try {
            return Lines.utf8(bytes, 0, bytes.length).stripTrailing();
        } catch (CharacterCodingException e) {
            throw failure("not UTF-8");
        }
    }

    /** Nothing but spaces may be behind the array. */
    private void end() {
        if (peek() != NONE) {
            line = lineNow;
            column = columnNow;
            throw failure("something is behind the array");
        }
    }

    /** The next byte that is not a space, which stays the next, or {@link #NONE}. */
    private int peek() {
        int b = lines.peek();
        while (b == ' ' || b == '\t' || b == '\r' || b == '\n' || b == Lines.RECORD_SEPARATOR) {
            take();
            b = lines.peek();
        }
        return b;
    }

    private int take() {
        int b = lines.take();
        if (b == '\n') {
            lineNow++;
            columnNow = 1;
        } else if ((b & 0xc0) != 0x80) {
            columnNow++;
        }
        return b;
    }

    private static Failure.Found failure(String message) {
        return new Failure.Found(Exit.FAILED, "syntax", message, HINT);
    }
}
