package dev.pail.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.Escapes;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.Operation;
import dev.pail.clock.Operation.Change;
import dev.pail.ipld.Cid;
import dev.pail.repository.LogEntry;
import dev.pail.repository.Note;
import dev.pail.repository.Repository;
import dev.pail.repository.RepositoryException;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tells the history. */
final class LogCommand extends Command {
    /** So many characters of a CID are shown, of which the first seven are always the same. */
    private static final int SHORT = 15;

    /** Stands for a time that is not known. */
    private static final String UNKNOWN = " ".repeat("2000-01-01T00:00:00Z  ".length());

    LogCommand() {
        super(
                "log",
                "Lists the changes that lead to a version, newest first.",
                "Each * is an event, with its first characters, which are enough to name it, the time, the change, the message and the author.",
                "Events that came from elsewhere have no time. Lines at the left lead from an event to its parents. With --head, log lists where the branch",
                "stood before its last 0, 1, 2... moves, and why it moved.");
        parameter("REVISION", "0..1", "The version: " + Versions.HOW + "; else the current one.");
        option(Long.class, "N", "List at most N.", "-n", "--limit");
        option(String.class, "KEY", "Only changes of this key, and its values.", "--key");
        option(String.class, "PREFIX", "Only changes of keys that start with this.", "--prefix");
        flag("The moves of the branch, for @{N}.", "--head");
        examples(
                "  pail log -n 10",
                "  pail log --key photos/1.jpg",
                "  pail log --prefix photos/",
                "  pail log --head");
    }

    @Override
    int run(Call call) {
        long most = call.limit("-n");
        String revision = call.optionalParameter(0);
        String key = call.option("--key");
        String prefix = call.option("--prefix");
        if (key != null && prefix != null) {
            throw Failure.usage("give --key or --prefix, one of them");
        }
        if (call.flag("--head")) {
            if (revision != null || key != null || prefix != null) {
                throw Failure.usage("--head is of a branch: no revision, --key or --prefix goes with it, but -b does");
            }
            printMoves(call, most);
            return Exit.DONE;
        }
        try (Versions versions = call.versions()) {
            Head head = head(versions, revision);
            Iterator<Event> events = new History(MerkleClock.open(versions.blocks()), head);
            Listing listing = listing(call, versions, key, prefix);
            for (long left = most; left > 0 && events.hasNext(); ) {
                left -= listing.print(events.next()) ? 1 : 0;
            }
        }
        return Exit.DONE;
    }

    private static Head head(Versions versions, @Nullable String revision) {
        if (revision == null) {
            return versions.head()
                    .orElseThrow(() -> new Failure.Found(
                            Exit.FAILED,
                            "no-such-version",
                            "a CAR file without a history",
                            "see its versions with: pail root"));
        }
        if (revision.matches("-[0-9]+")) {
            throw Failure.usage(
                    "no such option: " + Escapes.brief(revision) + "; the last changes are listed by: pail log -n N");
        }
        try {
            return versions.find(revision).head().orElseThrow(() -> Versions.withoutHistory(revision));
        } catch (RepositoryException e) {
            boolean unknown = e.reason() == RepositoryException.Reason.NAME
                    || e.reason() == RepositoryException.Reason.NO_VERSION;
            if (!unknown || revision.contains("@{")) {
                throw e;
            }
            throw new RepositoryException(
                    e.reason(),
                    Failure.message(e),
                    Failure.inShell(e.hint()) + "; the changes of a key: pail log --key KEY, or --prefix PREFIX",
                    e);
        }
    }

    private static Listing listing(Call call, Versions versions, @Nullable String key, @Nullable String prefix) {
        Repository repository = versions instanceof RepositoryVersions known ? known.repository() : null;
        if (repository != null) {
            call.warnOfForeignFiles(repository);
        }
        Predicate<String> wanted = key != null ? key::equals : prefix == null ? null : each -> each.startsWith(prefix);
        return new Listing(
                call.terminal(),
                wanted,
                key != null,
                new EventMoves(repository),
                new Graph(call.terminal()::printStyled));
    }

    private static String time(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    static String brief(Cid event) {
        String text = event.toString();
        return text.substring(0, Math.min(SHORT, text.length()));
    }

    private static String brief(Head head) {
        return head.isEmpty()
                ? "(empty)"
                : head.events().stream().map(LogCommand::brief).collect(Collectors.joining(" "));
    }

    /** The first line of the message, and the author. */
    private static String text(Note note) {
        return note.message()
                        .map(message -> "  "
                                + Escapes.brief(
                                        message.lines().findFirst().orElse("").strip()))
                        .orElse("")
                + note.author()
                        .map(author -> "  by " + Escapes.printable(author))
                        .orElse("");
    }

    private static void writeNote(JsonGenerator json, Note note) throws IOException {
        if (note.author().isPresent()) {
            json.writeStringField("author", note.author().get());
        }
        if (note.message().isPresent()) {
            json.writeStringField("message", note.message().get());
        }
    }

    private static void printMoves(Call call, long most) {
        Terminal terminal = call.terminal();
        try (Repository repository = call.repository();
                Stream<LogEntry> moves = repository.logEvenIfRemoved(call.branch(repository))) {
            long number = 0;
            for (Iterator<LogEntry> each = moves.iterator(); number < most && each.hasNext(); number++) {
                LogEntry move = each.next();
                long ago = number;
                if (terminal.json) {
                    terminal.printJson(json -> {
                        json.writeStringField("revision", "@{" + ago + "}");
                        json.writeStringField("time", move.time().toString());
                        json.writeStringField("reason", move.reason());
                        writeNote(json, move.note());
                        Json.writeCids(json, "from", move.from().events());
                        Json.writeCids(json, "to", move.to().events());
                    });
                } else {
                    terminal.printStyled(
                            "@{" + ago + "}  " + brief(move.to()) + "  " + terminal.faint(time(move.time())) + "  "
                                    + Escapes.printable(move.reason()) + text(move.note()));
                }
            }
        }
    }

    /**
     * Prints events.
     *
     * @param wanted the keys whose changes alone are printed; null for all
     * @param valued whether to print values
     * @param moves the moves that events came with
     */
    private record Listing(
            Terminal terminal, @Nullable Predicate<String> wanted, boolean valued, EventMoves moves, Graph graph) {
        /** Prints an event, if it is one of those that were asked for. */
        boolean print(Event event) {
            moves.pass();
            List<Change> changes = event.operation().changes();
            if (wanted != null) {
                changes = changes.stream()
                        .filter(change -> wanted.test(change.key()))
                        .toList();
                if (changes.isEmpty()) {
                    return false;
                }
            }
            if (terminal.json) {
                printJson(event, changes);
            } else if (wanted == null) {
                graph.draw(event.cid(), event.parents(), line(event, text(event.operation())));
            } else if (changes.size() > 1 && !valued) {
                terminal.printStyled(line(event, changes.size() + " of " + text(event.operation())));
            } else {
                terminal.printStyled(line(event, text(changes.get(changes.size() - 1), valued)));
            }
            return true;
        }

        private String line(Event event, String text) {
            EventMoves.Move move = moves.of(event.cid());
            String when = move == null || move.isImport() ? UNKNOWN : terminal.faint(time(move.time())) + "  ";
            List<String> branches = moves.branches(event.cid());
            return brief(event.cid()) + "  "
                    + (moves.isEmpty() ? "" : when)
                    + text
                    + (move == null ? "" : LogCommand.text(move.note()))
                    + (branches == null ? "" : "  (" + String.join(", ", branches) + ")");
        }

        private static String text(Operation operation) {
            return operation instanceof Change change
                    ? text(change, false)
                    : "batch of " + operation.changes().size();
        }

        private static String text(Change change, boolean valued) {
            return change instanceof Operation.Put put
                    ? "put " + Escapes.brief(put.key()) + (valued ? " " + put.value() : "")
                    : "del " + Escapes.brief(change.key());
        }

        private void printJson(Event event, List<Change> changes) {
            terminal.printJson(json -> {
                json.writeStringField("event", event.cid().toString());
                json.writeStringField("root", event.root().toString());
                Json.writeCids(json, "parents", event.parents());
                EventMoves.Move move = moves.of(event.cid());
                if (move != null) {
                    json.writeStringField(
                            move.isImport() ? "imported" : "time", move.time().toString());
                    writeNote(json, move.note());
                }
                List<String> branches = moves.branches(event.cid());
                if (branches != null) {
                    Json.writeTexts(json, "branches", branches);
                }
                json.writeBooleanField("batch", event.operation() instanceof Operation.Batch);
                json.writeArrayFieldStart("ops");
                for (Change change : changes) {
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
