package dev.pail.cli.command.history;

import dev.pail.Escapes;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.HistoryText;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.Patch;
import dev.pail.cli.command.RepositoryVersions;
import dev.pail.cli.command.RevisionRange;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.FailureHints;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Terminal;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.Operation;
import dev.pail.clock.Operation.Change;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.VersionHistory;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RepositoryException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
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

    private static final Option.Flag PUSHED =
            Option.flag("The moves of the branch by pushes of others, with who pushed.", "--pushed");

    private static final Option.Text AUTHOR =
            Option.text("TEXT", "Only changes whose author has this text; case makes no difference.", "--author");

    private static final Option.Text GREP =
            Option.text("TEXT", "Only changes whose message has this text; case makes no difference.", "--grep");

    private static final Option.Text SINCE = Option.text(
            "TIME",
            "Only changes from the begin of this time on: 2026-11-20, \"2026-11-20 14:30\", yesterday, \"2 hours ago\".",
            "--since");

    private static final Option.Text UNTIL =
            Option.text("TIME", "Only changes before the end of this time; see --since.", "--until");

    private static final Option.Flag ONELINE =
            Option.flag("Print the event and the message of each change; without a message, the change.", "--oneline");

    private static final Option.Flag GRAPH = Option.flag(
            "Draw lines from each change to its parents, also with --oneline. Lists of all changes have them anyway.",
            "--graph");

    private static final Option.Flag ALL =
            Option.flag("List what leads to any branch, tag or branch of a remote.", "--all");

    /** Stands for a time that is not known. */
    private static final String UNKNOWN = " ".repeat("2000-01-01T00:00:00Z  ".length());

    public LogCommand() {
        super(
                "log",
                "Lists the changes that lead to a version, newest first.",
                "Each * is a change, with the first characters of its event, which are enough to name it, the time, the change, the message and the author.",
                "Plain events that came from elsewhere have no time, and --since and --until leave them out. Lines at the left lead from an event to its",
                "parents. A..B lists the changes of B that A does not have; without A or B, the current version is meant.",
                "With --head, log lists where the branch stood before its last 0, 1, 2... moves, and why it moved.");
        parameter("REVISION", "0..1", "The version: " + Versions.HOW + "; else the current one. Or a range A..B.");
        takes(
                LIMIT,
                Patch.PATCH,
                Patch.STAT,
                Patch.WORD_DIFF,
                KEY,
                PREFIX,
                AUTHOR,
                GREP,
                SINCE,
                UNTIL,
                ONELINE,
                GRAPH,
                ALL,
                HEAD,
                PUSHED);
        excludes(Patch.STAT, Patch.WORD_DIFF, "--stat prints numbers, and --word-diff words: give one of them");
        excludes(KEY, PREFIX, "give --key or --prefix, one of them");
        for (Option option : List.of(
                Patch.PATCH, Patch.STAT, Patch.WORD_DIFF, KEY, PREFIX, AUTHOR, GREP, SINCE, UNTIL, HEAD, PUSHED)) {
            excludes(GRAPH, option, "--graph draws all changes, and does not go with " + option);
        }
        for (Option option : List.of(
                Patch.PATCH, Patch.STAT, Patch.WORD_DIFF, KEY, PREFIX, AUTHOR, GREP, SINCE, UNTIL, ONELINE, ALL)) {
            excludes(HEAD, option, "--head is of a branch: only -n and -b go with it, not " + option);
            excludes(PUSHED, option, "--pushed is of a branch: only -n and -b go with it, not " + option);
        }
        examples(
                "  pail log -n 10",
                "  pail log -p -n 1",
                "  pail log --author ann --since yesterday",
                "  pail log origin/main.. --oneline",
                "  pail log --graph --all --oneline",
                "  pail log --key photos/1.jpg",
                "  pail log --prefix photos/",
                "  pail log --head");
    }

    @Override
    public boolean isPaged() {
        return true;
    }

    @Override
    public int run(Call call) {
        long most = call.limit(LIMIT);
        String revision = call.optionalParameter(0);
        String key = call.get(KEY);
        String prefix = call.get(PREFIX);
        if (call.get(HEAD) || call.get(PUSHED)) {
            if (revision != null) {
                throw Failure.usage("--head is of a branch: only -n and -b go with it, no revision");
            }
            printMoves(call, most, call.get(PUSHED) && !call.get(HEAD));
            return Exit.DONE;
        }
        try (Versions versions = call.versions()) {
            Set<Cid> range = new HashSet<>();
            Head head = call.get(ALL) ? all(versions, revision) : head(versions, revision, range);
            boolean hasLogs = versions instanceof RepositoryVersions;
            if (versions instanceof RepositoryVersions known) {
                call.warnOfForeignFiles(known.repository());
            }
            Predicate<String> keys =
                    key != null ? key::equals : prefix == null ? null : each -> each.startsWith(prefix);
            Predicate<HistoryEntry> wanted = wanted(call);
            Patch patch = Patch.of(call, versions.blocks()).orElse(null);
            boolean isGraph =
                    wanted == null && keys == null && patch == null && (call.get(GRAPH) || !call.get(ONELINE));
            Listing listing = new Listing(
                    call.terminal(),
                    new ChangeText(versions, key != null),
                    keys != null,
                    key != null,
                    hasLogs,
                    call.get(ONELINE),
                    isGraph ? new Graph(call.terminal()::printStyled, call.terminal()::faint) : null,
                    range.isEmpty() ? null : range);
            print(versions.history(head, null), most, range, entry -> {
                HistoryEntry chosen = keys == null ? entry : entry.with(some(entry, keys));
                boolean isChosen =
                        (keys == null || !chosen.changes().isEmpty()) && (wanted == null || wanted.test(entry));
                if (isChosen) {
                    listing.print(chosen);
                    if (patch != null) {
                        patch.print(
                                versions.pailAt(Head.of(entry.parents())),
                                versions.pailAt(Head.of(entry.event().cid())),
                                keys == null ? each -> true : keys,
                                table -> keys == null);
                    }
                }
                return isChosen;
            });
        }
        return Exit.DONE;
    }

    /**
     * Prints entries.
     *
     * @param range the events of a range, whose entries alone are printed; empty for all
     * @param print prints an entry, if it is wanted, and says whether it was
     */
    private static void print(Stream<HistoryEntry> entries, long most, Set<Cid> range, Predicate<HistoryEntry> print) {
        try (entries) {
            Iterator<HistoryEntry> each = entries.iterator();
            boolean isRange = !range.isEmpty();
            long printed = 0;
            while (printed < most && (!isRange || !range.isEmpty()) && each.hasNext()) {
                HistoryEntry entry = each.next();
                if ((!isRange || range.removeAll(entry.events())) && print.test(entry)) {
                    printed++;
                }
            }
        }
    }

    private static List<Change> some(HistoryEntry entry, Predicate<String> keys) {
        return entry.changes().stream()
                .filter(change -> keys.test(change.key()))
                .toList();
    }

    /** What the options want of a change, but its keys; null for all changes. */
    private static @Nullable Predicate<HistoryEntry> wanted(Call call) {
        Predicate<HistoryEntry> wanted = null;
        String author = call.get(AUTHOR);
        if (author != null) {
            wanted = entry -> has(entry.note().author(), author);
        }
        String message = call.get(GREP);
        if (message != null) {
            wanted = and(wanted, entry -> has(entry.note().message(), message));
        }
        Instant now = Instant.now();
        String since = call.get(SINCE);
        if (since != null) {
            Instant begin = VersionHistory.beginOf(since, now, ZoneId.systemDefault());
            wanted = and(
                    wanted,
                    entry -> entry.time().filter(time -> !time.isBefore(begin)).isPresent());
        }
        String until = call.get(UNTIL);
        if (until != null) {
            Instant end = VersionHistory.endOf(until, now, ZoneId.systemDefault());
            wanted = and(
                    wanted,
                    entry -> entry.time().filter(time -> time.isBefore(end)).isPresent());
        }
        return wanted;
    }

    private static Predicate<HistoryEntry> and(@Nullable Predicate<HistoryEntry> one, Predicate<HistoryEntry> other) {
        return one == null ? other : one.and(other);
    }

    private static boolean has(Optional<String> text, String part) {
        return text.filter(each -> each.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT)))
                .isPresent();
    }

    /** The newest events of all branches, tags and remote-tracking refs; of a CAR file, those among its roots. */
    private static Head all(Versions versions, @Nullable String revision) {
        if (revision != null) {
            throw Failure.usage("--all lists what leads to any branch or tag: no revision goes with it");
        }
        if (!(versions instanceof RepositoryVersions known)) {
            return versions.head().orElseThrow(Versions::withoutHistory);
        }
        Repository repository = known.repository();
        List<Cid> events = new ArrayList<>();
        repository.branches().heads().values().forEach(head -> events.addAll(head.events()));
        for (String tag : repository.tags().names()) {
            repository.tags().head(tag).ifPresent(head -> events.addAll(head.events()));
        }
        repository
                .remotes()
                .refs()
                .values()
                .forEach(ref -> events.addAll(ref.head().events()));
        return MerkleClock.open(versions.blocks()).merge(Head.of(events), Head.empty());
    }

    /**
     * The head to begin with.
     *
     * @param range gets the events of a range
     */
    private static Head head(Versions versions, @Nullable String revision, Set<Cid> range) {
        Repository repository = versions instanceof RepositoryVersions known ? known.repository() : null;
        RevisionRange between =
                revision == null ? null : RevisionRange.of(repository, revision).orElse(null);
        if (between == null) {
            return head(versions, revision);
        }
        Head to = head(versions, between.to());
        range.addAll(MerkleClock.open(versions.blocks()).since(to, head(versions, between.from())));
        return range.isEmpty() ? Head.empty() : to;
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

    private static void printMoves(Call call, long most, boolean pushedOnly) {
        Terminal terminal = call.terminal();
        try (Repository repository = call.repository();
                Stream<LogEntry> moves = repository.history().logEvenIfRemoved(call.branch(repository))) {
            String branch = call.branch(repository);
            long number = -1;
            long left = most;
            for (Iterator<LogEntry> each = moves.iterator(); left > 0 && each.hasNext(); ) {
                LogEntry move = each.next();
                number++;
                if (pushedOnly && !move.isPush()) {
                    continue;
                }
                left--;
                Note note = repository.history().note(move);
                long ago = number;
                if (terminal.json) {
                    terminal.printJson(json -> {
                        json.writeStringField("revision", "@{" + ago + "}");
                        json.writeStringField("time", move.time().toString());
                        json.writeStringField("reason", move.reason());
                        HistoryText.writeNote(json, note);
                        Json.writeCids(json, "from", move.from().events());
                        Json.writeCids(json, "to", move.to().events());
                    });
                } else {
                    terminal.printStyled("@{" + ago + "}  " + HistoryText.brief(move.to()) + "  "
                            + terminal.faint(HistoryText.time(move.time())) + "  " + Escapes.printable(move.reason())
                            + HistoryText.text(note));
                }
            }
            if (number < 0
                    && repository.branches().contains(branch)
                    && !repository.head(branch).isEmpty()) {
                terminal.note(
                        "the log of " + branch + " stays with the server, as one of version 0.2.0 does not send it");
            }
        }
    }

    /**
     * Prints events.
     *
     * @param text says what a change did
     * @param isChosen whether only changes of some keys are printed
     * @param isBrief whether only event and message are printed
     * @param graph draws all changes beside their parents; null if some are left out
     * @param range the events of a range that are yet to come; null if all are listed
     * @param valued whether to print values
     * @param hasLogs whether there are logs that tell when events were made
     */
    private record Listing(
            Terminal terminal,
            ChangeText text,
            boolean isChosen,
            boolean valued,
            boolean hasLogs,
            boolean isBrief,
            @Nullable Graph graph,
            @Nullable Set<Cid> range) {
        void print(HistoryEntry entry) {
            Event event = entry.event();
            List<Change> changes = entry.changes();
            if (terminal.json) {
                printJson(entry);
            } else if (graph != null) {
                graph.draw(event.cid(), parents(entry), line(entry, text.of(entry)));
            } else if (!isChosen) {
                terminal.printStyled(line(entry, text.of(entry)));
            } else if (changes.size() > 1 && !valued) {
                terminal.printStyled(line(entry, changes.size() + " of " + text.of(entry)));
            } else {
                terminal.printStyled(line(entry, text.of(changes.get(changes.size() - 1))));
            }
        }

        private List<Cid> parents(HistoryEntry entry) {
            return range == null
                    ? entry.parents()
                    : entry.parents().stream().filter(range::contains).toList();
        }

        private String line(HistoryEntry entry, String text) {
            if (isBrief) {
                return HistoryText.brief(entry.event().cid()) + "  "
                        + entry.note()
                                .message()
                                .map(message -> Escapes.printable(HistoryText.firstLine(message)))
                                .orElse(text);
            }
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
