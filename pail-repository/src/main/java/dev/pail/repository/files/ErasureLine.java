package dev.pail.repository.files;

import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.model.Note;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * A record of an erased block as a line (Rule ER2): the state ({@code marked}, {@code erased} or {@code allowed}), the raw CID of the block,
 * the CID of the erased value, the time (ISO 8601, UTC), the author, the reason, and the CRC32C of all before its tab (8 hex digits), with a
 * tab between the fields. The texts are escaped as in a log; an absent one is empty.
 */
final class ErasureLine {
    private static final int FIELDS = 7;

    private ErasureLine() {}

    /** The line, without the end of line. */
    static String of(Erasure record) {
        StringBuilder line = new StringBuilder(256);
        line.append(record.state().name().toLowerCase(Locale.ROOT)).append('\t');
        line.append(record.cid()).append('\t').append(record.value()).append('\t');
        line.append(record.time());
        LogLine.escape(record.note().author().orElse(""), line.append('\t'));
        LogLine.escape(record.note().message().orElse(""), line.append('\t'));
        String fields = line.toString();
        return fields + '\t' + checksum(fields);
    }

    private static String checksum(String fields) {
        byte[] bytes = fields.getBytes(StandardCharsets.ISO_8859_1);
        return LogLine.checksum(bytes, bytes.length);
    }

    /** The record of a line; empty if it is none. */
    static Optional<Erasure> parse(String line) {
        String[] fields = line.split("\t", -1);
        if (fields.length != FIELDS
                || !checksum(line.substring(0, line.lastIndexOf('\t'))).equals(fields[FIELDS - 1])) {
            return Optional.empty();
        }
        try {
            Erasure record = new Erasure(
                    Erasure.State.valueOf(fields[0].toUpperCase(Locale.ROOT)),
                    Cid.parse(fields[1]),
                    Cid.parse(fields[2]),
                    Instant.parse(fields[3]),
                    Note.of(LogLine.unescape(fields[4]), LogLine.unescape(fields[5])));
            return of(record).equals(line) ? Optional.of(record) : Optional.empty();
        } catch (IllegalArgumentException | IndexOutOfBoundsException | DateTimeException | MalformedDataException e) {
            return Optional.empty();
        }
    }
}
