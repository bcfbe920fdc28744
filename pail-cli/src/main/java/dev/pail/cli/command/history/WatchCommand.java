package dev.pail.cli.command.history;

import dev.pail.Escapes;
import dev.pail.KeyChange;
import dev.pail.KeyRange;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.HistoryText;
import dev.pail.cli.command.Option;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Terminal;
import dev.pail.repository.ChangeFeed;
import dev.pail.repository.Repository;
import dev.pail.repository.model.LogEntry;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Waits for the updates of a branch and lists what each one changes. */
public final class WatchCommand extends Command {
    private static final Option.Text FROM = Option.text(
            "TOKEN", "Begin behind the update with this token, or with this number; 0 is the beginning.", "--from");

    private static final Option.Text PREFIX = Option.text(
            "PREFIX", "Only changes of keys that start with this; each update has its line = still.", "--prefix");

    private static final Option.WholeNumber LIMIT = Option.number("N", "End after N updates.", "-n", "--limit");

    public WatchCommand() {
        super(
                "watch",
                "Waits for updates of the branch, by any process, and lists what each one changes.",
                "Each update has its changes, as pail diff prints them, and then a line with = and a token. With --from TOKEN, watch continues behind that",
                "update, also after a restart: a program stores the token with its results, and processes an update without a line = once more. Without",
                "--from, the first line has the token of the current version of the branch. If the branch is removed or renamed, watch ends with 3.");
        takes(FROM, PREFIX, LIMIT);
        examples("  pail watch", "  pail watch --prefix photos/ --json", "  pail watch --from 0 -n 10");
    }

    @Override
    @SuppressWarnings("try") // The ending is there to be closed.
    public int run(Call call) {
        long most = call.limit(LIMIT);
        String prefix = call.get(PREFIX);
        KeyRange range = prefix == null ? KeyRange.all() : KeyRange.prefix(prefix);
        Terminal terminal = call.terminal();
        terminal.endsItself();
        try (Repository repository = call.repository();
                ChangeFeed feed = feed(repository, call.branch(repository), call.get(FROM));
                Ending ending = new Ending(feed, terminal)) {
            if (call.get(FROM) == null) {
                printBeginning(terminal, feed);
            }
            for (long count = 0; count < most; count++) {
                Optional<ChangeFeed.Update> next = feed.poll();
                if (next.isEmpty()) {
                    terminal.flush();
                    next = feed.next();
                }
                if (next.isEmpty()) {
                    return Exit.INTERRUPTED;
                }
                print(terminal, next.get(), range);
            }
            return Exit.DONE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Exit.INTERRUPTED;
        }
    }

    private static ChangeFeed feed(Repository repository, String branch, @Nullable String from) {
        if (from == null) {
            return repository.changes(branch);
        }
        return from.matches("[0-9]{1,16}")
                ? repository.changes(branch, Long.parseLong(from))
                : repository.changes(branch, from);
    }

    private static void printBeginning(Terminal terminal, ChangeFeed feed) {
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("token", feed.token());
                json.writeNumberField("generation", feed.generation());
                Json.writeCids(json, "to", feed.head().events());
            });
        } else {
            terminal.print("= " + feed.token());
        }
    }

    private static void print(Terminal terminal, ChangeFeed.Update update, KeyRange range) {
        try (Stream<KeyChange> changes = update.keys(range)) {
            changes.forEachOrdered(change -> DiffCommand.print(terminal, change));
        }
        LogEntry entry = update.entry();
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("token", update.token());
                json.writeNumberField("generation", entry.generation());
                json.writeStringField("time", entry.time().toString());
                json.writeStringField("reason", entry.reason());
                HistoryText.writeNote(json, update.note());
                Json.writeCids(json, "from", entry.from().events());
                Json.writeCids(json, "to", entry.to().events());
            });
        } else {
            terminal.printStyled("= " + update.token() + "  " + terminal.faint(HistoryText.time(entry.time())) + "  "
                    + Escapes.printable(entry.reason()) + HistoryText.text(update.note()));
        }
    }

    /** Ends the feed when the process is interrupted, and lets what is being printed come to the end of its line. */
    private static final class Ending implements AutoCloseable {
        private static final long SECONDS = 1;

        private final Terminal terminal;
        private final CountDownLatch ended = new CountDownLatch(1);
        private final Thread hook;

        Ending(ChangeFeed feed, Terminal terminal) {
            this.terminal = terminal;
            this.hook = new Thread(() -> {
                feed.close();
                try {
                    ended.await(SECONDS, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            Runtime.getRuntime().addShutdownHook(hook);
        }

        @Override
        public void close() {
            try {
                terminal.flush();
            } finally {
                ended.countDown();
                remove();
            }
        }

        private void remove() {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The process is ending, and the hook runs.
                return;
            }
        }
    }
}
