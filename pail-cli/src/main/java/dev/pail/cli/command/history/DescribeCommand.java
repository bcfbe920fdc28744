package dev.pail.cli.command.history;

import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.HistoryText;
import dev.pail.cli.command.RepositoryVersions;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Progress;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.HistoryEntry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Names a version by the newest tag below it. */
public final class DescribeCommand extends Command {
    public DescribeCommand() {
        super(
                "describe",
                "Names a version by the newest tag that leads to it.",
                "It prints TAG-N-gEVENT: the tag, how many changes came after it, and the first characters of the event of the version. At a tag, it prints",
                "the tag alone.");
        parameter("REVISION", "0..1", "The version: " + Versions.HOW + "; else the current one.");
        examples("  pail describe", "  pail describe @{3}");
    }

    @Override
    public int run(Call call) {
        try (Repository repository = call.repository();
                Progress progress = call.progress("changes")) {
            Head head = RepositoryVersions.resolveOrNewest(
                            repository, call.branch(repository), call.optionalParameter(0))
                    .head()
                    .orElseThrow(() -> Versions.withoutHistory(call.parameter(0)));
            String tag = nearest(repository, head, progress)
                    .orElseThrow(() -> new Failure.Found(
                            Exit.FAILED,
                            "no-such-version",
                            "no tag leads to " + HistoryText.brief(head),
                            "make one with: pail tag NAME"));
            MerkleClock clock = MerkleClock.open(repository.blocks());
            Head tagged = repository.tags().head(tag).orElse(head);
            long changes = HistoryText.changes(clock, head, tagged);
            progress.hide();
            String name = changes == 0
                    ? tag
                    : tag + "-" + changes + "-g"
                            + HistoryText.brief(head.events().get(0));
            if (call.terminal().json) {
                call.terminal().printJson(json -> {
                    json.writeStringField("name", name);
                    json.writeStringField("tag", tag);
                    json.writeNumberField("changes", changes);
                });
            } else {
                call.terminal().print(name);
            }
            return Exit.DONE;
        }
    }

    /** The tag whose events come first in the history, newest first. */
    private static Optional<String> nearest(Repository repository, Head head, Progress progress) {
        Map<String, Set<Cid>> tags = new HashMap<>();
        for (String tag : repository.tags().names()) {
            repository.tags().head(tag).ifPresent(there -> tags.put(tag, new HashSet<>(there.events())));
        }
        Map<Cid, Set<String>> named = new HashMap<>();
        tags.forEach((tag, events) -> events.forEach(
                event -> named.computeIfAbsent(event, each -> new HashSet<>()).add(tag)));
        try (Stream<HistoryEntry> history = repository.history().of(head)) {
            for (Iterator<HistoryEntry> each = history.iterator(); !named.isEmpty() && each.hasNext(); ) {
                progress.step();
                for (Cid event : each.next().events()) {
                    Set<String> found = named.getOrDefault(event, Set.of());
                    found.forEach(tag -> tags.getOrDefault(tag, Set.of()).remove(event));
                    Optional<String> whole = found.stream()
                            .filter(tag -> tags.getOrDefault(tag, Set.of()).isEmpty())
                            .min(String::compareTo);
                    if (whole.isPresent()) {
                        return whole;
                    }
                }
            }
        }
        return Optional.empty();
    }
}
