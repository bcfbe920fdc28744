package dev.pail.remote.wire;

import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Note;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The ref updates of a branch, as {@code GET /v1/log/BRANCH} has them (SY26). */
public final class UpdateMessages {
    private UpdateMessages() {}

    /** The state of a branch, as a request for the updates that led to it names it. */
    public static String after(long generation, Head head) {
        return generation + ":" + head.events().stream().map(Cid::toString).collect(Collectors.joining(","));
    }

    /**
     * Reads updates.
     *
     * @param most how many there may be
     * @throws MalformedDataException if they are none
     */
    public static List<LogEntry> read(byte[] bytes, int most) {
        if (!(WireJson.read(bytes).get("updates") instanceof List<?> all) || all.size() > most) {
            throw new MalformedDataException(0, "a message has at most " + most + " \"updates\"");
        }
        List<LogEntry> updates = new ArrayList<>();
        for (Object each : all) {
            if (!(each instanceof Map<?, ?> fields) || !(fields.get("generation") instanceof Long generation)) {
                throw new MalformedDataException(0, "an update is an object with a generation");
            }
            try {
                updates.add(new LogEntry(
                        generation,
                        Instant.parse(text(fields, "time")),
                        text(fields, "reason"),
                        head(fields, "from"),
                        head(fields, "to"),
                        Note.of(text(fields, "author"), text(fields, "message"))));
            } catch (IllegalArgumentException | DateTimeException e) {
                throw new MalformedDataException(0, "an update of a branch: " + e.getMessage());
            }
        }
        return updates;
    }

    private static Head head(Map<?, ?> fields, String name) {
        List<Cid> cids = new ArrayList<>();
        if (fields.get(name) instanceof List<?> all) {
            all.forEach(each -> cids.add(Cid.parse(String.valueOf(each))));
        }
        return Head.of(cids);
    }

    private static String text(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof String text ? text : "";
    }
}
