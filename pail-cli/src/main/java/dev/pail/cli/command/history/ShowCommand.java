package dev.pail.cli.command.history;

import dev.pail.Escapes;
import dev.pail.KeyChange;
import dev.pail.Pail;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.HistoryText;
import dev.pail.cli.command.Patch;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Terminal;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.HistoryEntry;
import java.util.Iterator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Shows one change. */
public final class ShowCommand extends Command {
    public ShowCommand() {
        super(
                "show",
                "Shows one change: who made it, when and why, and the keys that it changed, as pail diff prints them.",
                "The keys are those that differ between the version before the change and the version after it.");
        parameter("REVISION", "0..1", "The change: " + Versions.HOW + "; else the newest.");
        takes(Patch.PATCH, Patch.STAT, Patch.WORD_DIFF);
        excludes(Patch.STAT, Patch.WORD_DIFF, "--stat prints numbers, and --word-diff words: give one of them");
        examples("  pail show", "  pail show -p", "  pail show HEAD~1", "  pail show bafyreie6w5u6tr --json");
    }

    @Override
    public boolean isPaged() {
        return true;
    }

    @Override
    public int run(Call call) {
        String revision = call.optionalParameter(0);
        Terminal terminal = call.terminal();
        try (Versions versions = call.versions()) {
            HistoryEntry change = change(versions, revision);
            if (terminal.json) {
                printJson(terminal, change);
            } else {
                print(terminal, change);
            }
            Pail before = versions.pailAt(Head.of(change.parents()));
            Pail after = versions.pailAt(Head.of(change.event().cid()));
            Optional<Patch> patch = Patch.of(call, versions.blocks());
            if (patch.isPresent()) {
                patch.get().print(before, after, key -> true, table -> true);
                return Exit.DONE;
            }
            try (Stream<KeyChange> keys = before.diff(after).keys()) {
                keys.forEachOrdered(key -> DiffCommand.print(terminal, key));
            }
            return Exit.DONE;
        }
    }

    private static HistoryEntry change(Versions versions, @Nullable String revision) {
        Head head = revision == null
                ? versions.head().orElseThrow(Versions::withoutHistory)
                : versions.headOf(revision).orElseThrow(() -> Versions.withoutHistory(revision));
        String text = revision == null ? "the current version" : revision;
        if (head.size() > 1) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "ambiguous-version",
                    text + " has " + head.size() + " newest events: " + HistoryText.brief(head),
                    "name one of them");
        }
        try (Stream<HistoryEntry> history = versions.history(head, null)) {
            Iterator<HistoryEntry> newest = history.iterator();
            if (!newest.hasNext()) {
                throw new Failure.Found(
                        Exit.FAILED, "no-such-version", "no change leads to " + text, "make one with: pail put KEY");
            }
            return newest.next();
        }
    }

    private static void print(Terminal terminal, HistoryEntry change) {
        terminal.print("event   " + change.event().cid());
        if (change.events().size() > 1) {
            terminal.print("events  " + change.events().size() + ": " + HistoryText.briefs(change.events()));
        }
        change.note().author().ifPresent(author -> terminal.print("author  " + Escapes.printable(author)));
        change.time().ifPresent(time -> terminal.print("time    " + HistoryText.time(time)));
        change.note().message().ifPresent(message -> {
            terminal.print("");
            message.lines().forEach(line -> terminal.print(("    " + Escapes.printable(line)).stripTrailing()));
        });
        terminal.print("");
    }

    private static void printJson(Terminal terminal, HistoryEntry change) {
        Cid event = change.event().cid();
        terminal.printJson(json -> {
            json.writeStringField("event", event.toString());
            if (change.events().size() > 1) {
                Json.writeCids(json, "events", change.events());
            }
            json.writeStringField("root", change.event().root().toString());
            Json.writeCids(json, "parents", change.parents());
            HistoryText.writeDescription(json, change.time(), change.note());
        });
    }
}
