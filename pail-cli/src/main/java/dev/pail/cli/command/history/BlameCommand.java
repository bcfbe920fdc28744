package dev.pail.cli.command.history;

import dev.pail.Entry;
import dev.pail.Escapes;
import dev.pail.KeyRange;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.HistoryText;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Terminal;
import dev.pail.clock.Head;
import dev.pail.clock.Operation;
import dev.pail.clock.Operation.Change;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.Revision;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Names the change that gave each key its value. */
public final class BlameCommand extends Command {
    /** Stands for what is not known. */
    private static final String UNKNOWN = "-";

    public BlameCommand() {
        super(
                "blame",
                "Lists keys in order, with the change that gave each one its value: event, time, key, message and author.",
                "It is the newest change that put this value. blame reads the history, newest first, until it has found all keys.");
        parameter("PREFIX", "0..1", "Only keys that start with this.");
        parameter("REVISION", "0..1", "The version: " + Versions.HOW + "; else the current one.");
        examples("  pail blame photos/", "  pail blame '' HEAD~1", "  pail -C notes.car blame --json");
    }

    /** A change, without the list of all that it changed. */
    private record Origin(Cid event, Optional<Instant> time, Note note) {
        static Origin of(HistoryEntry entry) {
            return new Origin(entry.event().cid(), entry.time(), entry.note());
        }
    }

    @Override
    public boolean isPaged() {
        return true;
    }

    @Override
    public int run(Call call) {
        String prefix = call.optionalParameter(0);
        String revision = call.optionalParameter(1);
        try (Versions versions = call.versions()) {
            Revision version = revision == null ? versions.revision() : versions.find(revision);
            Head head = version.head()
                    .orElseThrow(
                            () -> revision == null ? Versions.withoutHistory() : Versions.withoutHistory(revision));
            Map<String, Cid> values = new TreeMap<>();
            try (Stream<Entry> entries =
                    version.pail().entries(prefix == null ? KeyRange.all() : KeyRange.prefix(prefix))) {
                entries.forEach(entry -> values.put(entry.key(), entry.value()));
            }
            Map<String, Origin> origins = origins(versions, head, values);
            values.forEach((key, value) -> print(call.terminal(), key, value, origins.get(key)));
            return Exit.DONE;
        }
    }

    /** The newest change for each key that put its value. */
    private static Map<String, Origin> origins(Versions versions, Head head, Map<String, Cid> values) {
        Map<String, Origin> found = new HashMap<>();
        try (Stream<HistoryEntry> history =
                versions.history(head, key -> values.containsKey(key) && !found.containsKey(key))) {
            Iterator<HistoryEntry> newest = history.iterator();
            while (found.size() < values.size() && newest.hasNext()) {
                HistoryEntry entry = newest.next();
                Origin origin = Origin.of(entry);
                for (Change change : entry.changes()) {
                    if (change instanceof Operation.Put put && Objects.equals(put.value(), values.get(put.key()))) {
                        found.put(put.key(), origin);
                    }
                }
            }
        }
        return found;
    }

    private static void print(Terminal terminal, String key, Cid value, @Nullable Origin origin) {
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("key", key);
                json.writeStringField("value", value.toString());
                if (origin != null) {
                    json.writeStringField("event", origin.event().toString());
                    HistoryText.writeDescription(json, origin.time(), origin.note());
                }
            });
            return;
        }
        String event = origin == null ? UNKNOWN : HistoryText.brief(origin.event());
        String time =
                origin == null ? UNKNOWN : origin.time().map(HistoryText::time).orElse(UNKNOWN);
        terminal.printStyled("%-15s  %s  %s%s"
                .formatted(
                        event,
                        terminal.faint("%-20s".formatted(time)),
                        Escapes.quote(key),
                        origin == null ? "" : HistoryText.text(origin.note())));
    }
}
