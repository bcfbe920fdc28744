package dev.pail.remote.wire;

import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.model.Note;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Records of erased blocks, as clients and servers write them to each other in JSON. Rule ER10. */
public final class ErasureMessages {
    /** The most records of one message. */
    private static final int MOST = 500;

    /** The most characters of the notes of one message: with the rest it stays below 1 MiB. */
    private static final int MOST_TEXT = 64 * 1024;

    private ErasureMessages() {}

    /** The records as one message. */
    public static byte[] of(List<Erasure> records) {
        return WireJson.write(json -> {
            json.writeArrayFieldStart("erasures");
            for (Erasure record : records) {
                json.writeStartObject();
                json.writeStringField("state", record.isMark() ? "erased" : "allowed");
                json.writeStringField("cid", record.cid().toString());
                json.writeStringField("value", record.value().toString());
                json.writeStringField("time", record.time().toString());
                if (record.note().author().isPresent()) {
                    json.writeStringField("author", record.note().author().get());
                }
                if (record.note().message().isPresent()) {
                    json.writeStringField("reason", record.note().message().get());
                }
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    /**
     * Reads {@link #of}.
     *
     * @throws MalformedDataException if it is none
     */
    public static List<Erasure> read(byte[] bytes) {
        List<Erasure> records = new ArrayList<>();
        if (!(WireJson.read(bytes).get("erasures") instanceof List<?> all)) {
            throw new MalformedDataException(0, "a message lacks \"erasures\"");
        }
        for (Object each : all) {
            if (!(each instanceof Map<?, ?> fields)) {
                throw new MalformedDataException(0, "a record of an erased block is an object");
            }
            records.add(record(fields));
        }
        return records;
    }

    private static Erasure record(Map<?, ?> fields) {
        String state = text(fields, "state");
        if (!state.equals("erased") && !state.equals("allowed")) {
            throw new MalformedDataException(0, "the state of a block is erased or allowed");
        }
        try {
            return new Erasure(
                    state.equals("erased") ? Erasure.State.ERASED : Erasure.State.ALLOWED,
                    Cid.parse(text(fields, "cid")),
                    Cid.parse(text(fields, "value")),
                    Instant.parse(text(fields, "time")),
                    Note.of(text(fields, "author"), text(fields, "reason")));
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new MalformedDataException(0, "a record of an erased block: " + e.getMessage());
        }
    }

    private static String text(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof String text ? text : "";
    }

    /** Cuts records into portions that each fit in one message. */
    public static List<List<Erasure>> portions(List<Erasure> records) {
        List<List<Erasure>> portions = new ArrayList<>();
        List<Erasure> rest = records;
        while (!rest.isEmpty()) {
            List<Erasure> portion = first(rest);
            portions.add(portion);
            rest = rest.subList(portion.size(), rest.size());
        }
        return portions;
    }

    /** The first records that fit in one message: at least one, unless there is none. */
    public static List<Erasure> first(List<Erasure> records) {
        int text = 0;
        int count = 0;
        while (count < records.size() && count < MOST && text <= MOST_TEXT) {
            Note note = records.get(count).note();
            text += note.author().orElse("").length()
                    + note.message().orElse("").length();
            count++;
        }
        return records.subList(0, count);
    }
}
