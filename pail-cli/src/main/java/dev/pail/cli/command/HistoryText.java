package dev.pail.cli.command;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.Escapes;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.Note;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;

/** Events, times and notes as commands print them. */
public final class HistoryText {
    /** The characters of a CID that are shown. The first seven are always the same. */
    private static final int SHORT = 15;

    private HistoryText() {}

    public static String time(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    public static String brief(Cid event) {
        String text = event.toString();
        return text.substring(0, Math.min(SHORT, text.length()));
    }

    public static String brief(Head head) {
        return head.isEmpty() ? "(empty)" : briefs(head.events());
    }

    public static String briefs(Collection<Cid> events) {
        return events.stream().map(HistoryText::brief).collect(Collectors.joining(" "));
    }

    public static String firstLine(String message) {
        return message.lines().findFirst().orElse("").strip();
    }

    /** The first line of the message, and the author. */
    public static String text(Note note) {
        return note.message()
                        .map(message -> "  " + Escapes.brief(firstLine(message)))
                        .orElse("")
                + note.author()
                        .map(author -> "  by " + Escapes.printable(author))
                        .orElse("");
    }

    /** Writes when, who and why, as far as they are known. */
    public static void writeDescription(JsonGenerator json, Optional<Instant> time, Note note) throws IOException {
        if (time.isPresent()) {
            json.writeStringField("time", time.get().toString());
        }
        writeNote(json, note);
    }

    public static void writeNote(JsonGenerator json, Note note) throws IOException {
        if (note.author().isPresent()) {
            json.writeStringField("author", note.author().get());
        }
        if (note.message().isPresent()) {
            json.writeStringField("message", note.message().get());
        }
    }

    /** How many changes lead to a head that another lacks. A change of several events is one. */
    public static long changes(MerkleClock clock, Head head, Head other) {
        return clock.since(head, other).stream()
                .filter(event -> !clock.event(event).isContinued())
                .count();
    }
}
