package dev.pail.repository.files;

import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Note;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a log as a line (Rule REP9): generation, time (ISO 8601, UTC), the heads from and to (CIDs with a
 * space between them, or a dash), the reason and the CRC32C of all before its tab (8 hex digits), with a tab between the fields.
 * With an author or a message, both stand behind the reason, an absent one as an empty field (REP26). All ASCII: in these texts, a
 * backslash, and each character that is no printable ASCII, is written as a backslash, {@code u} and the four hex digits of the UTF-16
 * unit.
 */
final class LogLine {
    /** The last generation that there is (spec rule REP9): another number could not follow it for ever. */
    static final long MAX_GENERATION = (1L << 53) - 1;

    /** The most characters of a reason; the rest is cut off. */
    static final int MAX_REASON = 1000;

    /** The bytes of a checksum and the end of its line. */
    static final int CHECKSUM = 9;

    private static final int FIELDS = 5;
    private static final int FIELDS_WITH_NOTE = 7;
    private static final String NOTHING = "-";

    private LogLine() {}

    /** The line, with the end of line. */
    static byte[] encode(LogEntry entry) {
        StringBuilder line = new StringBuilder(256);
        line.append(entry.generation()).append('\t');
        line.append(entry.time()).append('\t');
        line.append(head(entry.from())).append('\t');
        line.append(head(entry.to())).append('\t');
        String reason = entry.reason();
        escape(reason.substring(0, Math.min(reason.length(), MAX_REASON)), line);
        Note note = entry.note();
        if (!note.isEmpty()) {
            escape(note.author().orElse(""), line.append('\t'));
            escape(note.message().orElse(""), line.append('\t'));
        }
        byte[] fields = line.toString().getBytes(StandardCharsets.US_ASCII);
        line.append('\t').append(checksum(fields, fields.length)).append('\n');
        return line.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static String head(Head head) {
        return head.isEmpty() ? NOTHING : head.toString();
    }

    static void escape(String text, StringBuilder line) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c < 0x7f && c != '\\') {
                line.append(c);
            } else {
                line.append("\\u").append(hex(c, 4));
            }
        }
    }

    private static String hex(long number, int digits) {
        return Long.toHexString((1L << (4 * digits)) | number).substring(1);
    }

    static String checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return hex(crc.getValue(), 8);
    }

    /** The entry that a line without its end says; null if it is not whole. Rule REP10. */
    static @Nullable LogEntry parse(byte[] line) {
        int tab = line.length - 9;
        if (tab < 0 || line[tab] != '\t') {
            return null;
        }
        String given = new String(line, tab + 1, 8, StandardCharsets.ISO_8859_1);
        if (!given.equals(checksum(line, tab))) {
            return null;
        }
        String[] fields = new String(line, 0, tab, StandardCharsets.ISO_8859_1).split("\t", -1);
        boolean hasNote = fields.length == FIELDS_WITH_NOTE;
        if (fields.length != FIELDS && !hasNote) {
            return null;
        }
        try {
            LogEntry entry = new LogEntry(
                    Long.parseLong(fields[0]),
                    Instant.parse(fields[1]),
                    unescape(fields[4]),
                    parseHead(fields[2]),
                    parseHead(fields[3]),
                    hasNote ? Note.of(unescape(fields[5]), unescape(fields[6])) : Note.NONE);
            boolean isMove = entry.generation() > 0
                    && entry.generation() <= MAX_GENERATION
                    && !entry.from().equals(entry.to());
            return isMove && isEncoded(entry, line) ? entry : null;
        } catch (IllegalArgumentException | IndexOutOfBoundsException | DateTimeException | MalformedDataException e) {
            return null;
        }
    }

    /** Whether a line without its end is the one that an entry is written as. */
    private static boolean isEncoded(LogEntry entry, byte[] line) {
        byte[] encoded = encode(entry);
        return Arrays.equals(encoded, 0, encoded.length - 1, line, 0, line.length);
    }

    private static Head parseHead(String text) {
        if (text.equals(NOTHING)) {
            return Head.empty();
        }
        List<Cid> events = new ArrayList<>();
        for (String event : text.split(" ", -1)) {
            events.add(Cid.parse(event));
        }
        return Head.of(events);
    }

    static String unescape(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c == '\\') {
                plain.append((char) Integer.parseInt(text, i + 2, i + 6, 16));
                i += 6;
            } else {
                plain.append(c);
                i++;
            }
        }
        return plain.toString();
    }
}
