package dev.pail.cli.command.history;

import dev.pail.Escapes;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.HistoryText;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.RepositoryVersions;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.FailureHints;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Terminal;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.Operation;
import dev.pail.clock.Operation.Change;
import dev.pail.repository.Repository;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.RepositoryException;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tells the history. */
public final class LogCommand extends Command {
    private static final Option.WholeNumber LIMIT = Option.number("N", "List at most N.", "-n", "--limit");

    private static final Option.Text KEY = Option.text("KEY", "Only changes of this key, and its values.", "--key");

    private static final Option.Text PREFIX =
            Option.text("PREFIX", "Only changes of keys that start with this.", "--prefix");

    private static final Option.Flag HEAD = Option.flag("The moves of the branch, for @{N}.", "--head");

    /** Stands for a time that is not known. */
    private static final String UNKNOWN = " ".repeat("2000-01-01T00:00:00Z  ".length());

    public LogCommand() {
        super(
                "log",
                "Lists the changes that lead to a version, newest first.",
                "Each * is an event, with its first characters, which are enough to name it, the time, the change, the message and the author.",
                "Events that came from elsewhere have no time. Lines at the left lead from an event to its parents. With --head, log lists where the branch",
                "stood before its last 0, 1, 2... moves, and why it moved.");
        parameter("REVISION", "0..1", "The version: " + Versions.HOW + "; else the current one.");
        takes(LIMIT, KEY, PREFIX, HEAD);
        excludes(KEY, PREFIX, "give --key or --prefix, one of them");
        examples(
                "  pail log -n 10",
                "  pail log --key photos/1.jpg",
                "  pail log --prefix photos/",
                "  pail log --head");
    }

    @Override
    public int run(Call call) {
        long most = call.limit(LIMIT);
        String revision = call.optionalParameter(0);
        String key = call.get(KEY);
        String prefix = call.get(PREFIX);
        if (call.get(HEAD)) {
            if (revision != null || key != null || prefix != null) {
                throw Failure.usage("--head is of a branch: no revision, --key or --prefix goes with it, but -b does");
            }
            printMoves(call, most);
            return Exit.DONE;
        }
        try (Versions versions = call.versions()) {
            Head head = head(versions, revision);
            boolean hasLogs = versions instanceof RepositoryVersions;
            if (versions instanceof RepositoryVersions known) {
                call.warnOfForeignFiles(known.repository());
            }
            Predicate<String> keys =
                    key != null ? key::equals : prefix == null ? null : each -> each.startsWith(prefix);
            Listing listing = new Listing(
                    call.terminal(), keys != null, key != null, hasLogs, new Graph(call.terminal()::printStyled));
            try (Stream<HistoryEntry> entries = versions.history(head, keys)) {
                entries.limit(most).forEachOrdered(listing::print);
            }
        }
        return Exit.DONE;
    }

    private static Head head(Versions versions, @Nullable String revision) {
        if (revision == null) {
            return versions.head().orElseThrow(Versions::withoutHistory);
        }
        if (revision.matches("-[0-9]+")) {
            throw Failure.usage(
                    "no such option: " + Escapes.brief(revision) + "; the last changes are listed by: pail log -n N");
        }
        try {
            return versions.headOf(revision).orElseThrow(() -> Versions.withoutHistory(revision));
        } catch (RepositoryException e) {
            boolean unknown = e.reason() == RepositoryException.Reason.NAME
                    || e.reason() == RepositoryException.Reason.NO_VERSION;
            if (!unknown || revision.contains("@") || revision.contains("~")) {
                throw e;
            }
            throw new RepositoryException(
                    e.reason(),
                    Failure.message(e),
                    FailureHints.inShell(e.advice()) + "; the changes of a key: pail log --key KEY, or --prefix PREFIX",
                    e);
        }
    }

    private static void printMoves(Call call, long most) {
        Terminal terminal = call.terminal();
        try (Repository repository = call.repository();
                Stream<LogEntry> moves = repository.history().logEvenIfRemoved(call.branch(repository))) {
            long number = 0;
            for (Iterator<LogEntry> each = moves.iterator(); number < most && each.hasNext(); number++) {
                LogEntry move = each.next();
                long ago = number;
                if (terminal.json) {
                    terminal.printJson(json -> {
                        json.writeStringField("revision", "@{" + ago + "}");
                        json.writeStringField("time", move.time().toString());
                        json.writeStringField("reason", move.reason());
                        HistoryText.writeNote(json, move.note());
                        Json.writeCids(json, "from", move.from().events());
                        Json.writeCids(json, "to", move.to().events());
                    });
                } else {
                    terminal.printStyled("@{" + ago + "}  " + HistoryText.brief(move.to()) + "  "
                            + terminal.faint(HistoryText.time(move.time())) + "  " + Escapes.printable(move.reason())
                            + HistoryText.text(move.note()));
                }
            }
        }
    }

    /**
     * Prints events.
     *
     * @param isChosen whether only changes of some keys are printed
     * @param valued whether to print values
     * @param hasLogs whether there are logs that tell when events were made
     */
    private record Listing(Terminal terminal, boolean isChosen, boolean valued, boolean hasLogs, Graph graph) {
        void print(HistoryEntry entry) {
            Event event = entry.event();
            List<Change> changes = entry.changes();
            if (terminal.json) {
                printJson(entry);
            } else if (!isChosen) {
                graph.draw(event.cid(), entry.parents(), line(entry, text(entry)));
            } else if (changes.size() > 1 && !valued) {
                terminal.printStyled(line(entry, changes.size() + " of " + text(entry)));
            } else {
                terminal.printStyled(line(entry, textWithValue(changes.get(changes.size() - 1))));
            }
        }

        private String line(HistoryEntry entry, String text) {
            String when = entry.time()
                    .map(time -> terminal.faint(HistoryText.time(time)) + "  ")
                    .orElse(UNKNOWN);
            List<String> branches = entry.branches();
            return HistoryText.brief(entry.event().cid()) + "  "
                    + (hasLogs || entry.time().isPresent() ? when : "")
                    + text
                    + HistoryText.text(entry.note())
                    + (branches.isEmpty() ? "" : "  (" + String.join(", ", branches) + ")");
        }

        private static String text(HistoryEntry entry) {
            Operation operation = entry.event().operation();
            return operation instanceof Change change && entry.events().size() == 1
                    ? text(change)
                    : "batch of " + entry.size();
        }

        private static String text(Change change) {
            return (change instanceof Operation.Put ? "put " : "del ") + Escapes.brief(change.key());
        }

        private String textWithValue(Change change) {
            return text(change) + (valued && change instanceof Operation.Put put ? " " + put.value() : "");
        }

        private void printJson(HistoryEntry entry) {
            Event event = entry.event();
            terminal.printJson(json -> {
                json.writeStringField("event", event.cid().toString());
                json.writeStringField("root", event.root().toString());
                Json.writeCids(json, "parents", entry.parents());
                if (entry.time().isPresent()) {
                    json.writeStringField("time", entry.time().get().toString());
                } else if (entry.origin().isPresent()) {
                    json.writeStringField(
                            "imported", entry.origin().get().time().toString());
                }
                HistoryText.writeNote(json, entry.note());
                if (!entry.branches().isEmpty()) {
                    Json.writeTexts(json, "branches", entry.branches());
                }
                json.writeBooleanField(
                        "batch", entry.events().size() > 1 || event.operation() instanceof Operation.Batch);
                json.writeArrayFieldStart("ops");
                for (Change change : entry.changes()) {
                    json.writeStartObject();
                    json.writeStringField("op", change instanceof Operation.Put ? "put" : "del");
                    json.writeStringField("key", change.key());
                    if (change instanceof Operation.Put put) {
                        json.writeStringField("value", put.value().toString());
                    }
                    json.writeEndObject();
                }
                json.writeEndArray();
            });
        }
    }
}
