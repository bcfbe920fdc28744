package dev.pail.s3;

import dev.pail.locate.FormatLine;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.RepositoryException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The object that makes a prefix of a bucket a repository. (OS1).
 *
 * @param line the format of new pails, and what readers must understand
 * @param id made at random with the repository; empty for one of an older version
 */
record Description(FormatLine line, Optional<UUID> id) {
    private static final String FIRST_LINE = "pail 1";
    private static final String ID = "id ";

    /** The lines of a description without an id: the last one is empty. */
    private static final int LINES = 3;

    /** A description with a new id. */
    static Description newest(FormatLine line) {
        return new Description(line, Optional.of(UUID.randomUUID()));
    }

    /** This description, of a repository whose events may be described. */
    Description describingEvents() {
        return new Description(new FormatLine(line.format(), Set.of(Need.EVENTS)), id);
    }

    byte[] encode() {
        String text = FIRST_LINE + "\n" + line.text() + "\n";
        return (text + id.map(known -> ID + known + "\n").orElse("")).getBytes(StandardCharsets.UTF_8);
    }

    /** @param where the object, for messages */
    static Description decode(byte[] content, String where) {
        String[] lines = new String(content, StandardCharsets.UTF_8).split("\n", -1);
        try {
            if (lines.length < LINES || lines.length > LINES + 1 || !lines[0].equals(FIRST_LINE)) {
                throw new IllegalArgumentException("other lines");
            }
            if (!lines[lines.length - 1].isEmpty()) {
                throw new IllegalArgumentException("no end of the last line");
            }
            return new Description(
                    FormatLine.read(lines[1]), lines.length == LINES ? Optional.empty() : Optional.of(id(lines[2])));
        } catch (IllegalArgumentException e) {
            throw RepositoryException.damaged(
                    "not a repository that is known here: " + e.getMessage() + ": " + where,
                    "if it is newer, use a newer version of this program",
                    e);
        }
    }

    private static UUID id(String line) {
        UUID id = UUID.fromString(line.substring(Math.min(line.length(), ID.length())));
        if (!line.equals(ID + id)) {
            throw new IllegalArgumentException("no id");
        }
        return id;
    }
}
