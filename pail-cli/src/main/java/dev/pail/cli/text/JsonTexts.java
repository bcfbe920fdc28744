package dev.pail.cli.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import dev.pail.cli.terminal.Failure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The JSON values of a text: one a line, indented over several lines, or the elements of one array. A byte-order mark and a record separator at
 * the start of a line, blank lines and CRLF are passed over. It finds where a value ends; the command parses the value and reports what
 * is wrong in it.
 */
public final class JsonTexts {
    private static final char BYTE_ORDER_MARK = '\ufeff';

    /** Without bounds of its own: the command's parser has those. */
    private static final class Factory {
        static final JsonFactory JSON = JsonFactory.builder()
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(Integer.MAX_VALUE)
                        .maxStringLength(Integer.MAX_VALUE)
                        .maxNameLength(Integer.MAX_VALUE)
                        .maxNumberLength(Integer.MAX_VALUE)
                        .build())
                .build();

        private Factory() {}
    }

    private final Lines lines;
    private final boolean isEachLine;
    private boolean begun;
    private @Nullable JsonElements array;
    private @Nullable String pending;
    private long line;
    private int column;

    /** Reads JSON of any size and depth: for what this program wrote, or has bounded. */
    public static JsonFactory unbounded() {
        return Factory.JSON;
    }

    /** Where a value may end. */
    public enum Layout {
        /** Values may have line breaks in them, and may be in one array. */
        FREE,
        /** Each line is a value or an error. So each line can be answered before the next one is there. */
        ONE_A_LINE
    }

    public JsonTexts(Lines lines, Layout layout) {
        this.lines = lines;
        this.isEachLine = layout == Layout.ONE_A_LINE;
    }

    /** Goes back to the beginning. */
    public void restart() {
        lines.restart();
        begun = false;
        array = null;
        pending = null;
    }

    /** The line in which the last value begins, from 1. */
    public long line() {
        return line;
    }

    /** The column at which the last value begins in its line, from 1. */
    public int column() {
        return column;
    }

    /**
     * The next value, or null behind the last.
     *
     * @throws Failure.Found of the type {@code syntax} if the text is not UTF-8, an array does not end, or there is too much of a value
     */
    @Nullable
    public String next() {
        if (!begun && !isEachLine) {
            begun = true;
            if (lines.skipToFirst() == '[') {
                array = new JsonElements(lines);
            }
        }
        JsonElements elements = array;
        if (elements == null) {
            column = 1;
            return value();
        }
        try {
            return elements.next();
        } finally {
            line = elements.line();
            column = elements.column();
        }
    }

    private @Nullable String value() {
        String first = nextLine();
        line = lines.number();
        return first == null || isEachLine || !isOpen(first) ? first : continued(first);
    }

    /** The next line that is not blank, without the marks that it begins with. */
    private @Nullable String nextLine() {
        String given = pending;
        pending = null;
        if (given != null) {
            line = lines.number();
            return given;
        }
        while (true) {
            // An error in it is one of this line.
            line = lines.number() + 1;
            String next = lines.next();
            if (next == null) {
                return null;
            }
            String text = withoutMarks(next);
            if (!text.isBlank()) {
                return text;
            }
        }
    }

    public static String withoutMarks(String text) {
        int from = 0;
        while (from < text.length()
                && (text.charAt(from) == BYTE_ORDER_MARK || text.charAt(from) == Lines.RECORD_SEPARATOR)) {
            from++;
        }
        return text.substring(from);
    }

    /** Whether more brackets are opened than closed in a line. A text that the line does not end is a mistake in it. */
    private static boolean isOpen(String line) {
        int depth = 0;
        boolean isText = false;
        for (int i = 0; i < line.length(); i++) {
            switch (line.charAt(i)) {
                case '\\' -> i += isText ? 1 : 0;
                case '"' -> isText = !isText;
                case '{', '[' -> depth += isText ? 0 : 1;
                case '}', ']' -> depth -= isText ? 0 : 1;
                default -> {}
            }
        }
        return depth > 0 && !isText;
    }

    /**
     * Reads a value of several lines. A line that cannot continue the value is not part of it. So a truncated value is an error at its own
     * line, and the next value is read.
     */
    private String continued(String first) {
        StringBuilder text = new StringBuilder(first);
        try (JsonParser parser = Factory.JSON.createNonBlockingByteArrayParser()) {
            Framing framing = new Framing(parser);
            if (framing.ends(first)) {
                return first;
            }
            for (String next = lines.next(); next != null; next = lines.next()) {
                if (text.length() + next.length() > JsonElements.MOST_BYTES) {
                    throw Lines.syntax("a value of more than " + JsonElements.MOST_BYTES + " bytes");
                }
                boolean ends = framing.ends("\n" + next);
                if (framing.isWrong && next.stripLeading().startsWith("{")) {
                    pending = next;
                    return text.toString();
                }
                text.append('\n').append(next);
                if (ends) {
                    break;
                }
            }
            return text.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Follows the tokens of a text that comes in pieces, to its end. */
    private static final class Framing {
        private final JsonParser parser;
        private int depth;
        private boolean isWrong;

        Framing(JsonParser parser) {
            this.parser = parser;
        }

        /** Whether the value ends in this piece, or is no JSON there. */
        boolean ends(String piece) {
            byte[] bytes = piece.getBytes(StandardCharsets.UTF_8);
            try {
                ((ByteArrayFeeder) parser.getNonBlockingInputFeeder()).feedInput(bytes, 0, bytes.length);
                for (JsonToken token = parser.nextToken();
                        token != JsonToken.NOT_AVAILABLE;
                        token = parser.nextToken()) {
                    depth += depth(token);
                    if (depth == 0) {
                        return true;
                    }
                }
                return false;
            } catch (IOException e) {
                isWrong = true;
                return true;
            }
        }
    }

    private static int depth(JsonToken token) {
        return token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
    }
}
