package dev.pail.cli.command.map;

import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.HistoryText;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.terminal.Terminal;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.remote.Exchange;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Tracking;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Tells where the branch stands. */
public final class StatusCommand extends Command {
    public StatusCommand() {
        super(
                "status",
                "Shows the branch, what was not pushed or merged, and open conflicts.",
                "Each branch of a remote with the same name has a line: how many changes the branch here has that it lacks, and the other way round, as of the last",
                "fetch or push. A transfer that broke off, and bytes of erased values that are left, have a line, too. It reads no remote.");
        examples("  pail status", "  pail status -b draft --json");
    }

    /** How far the branch is from one of a remote, in changes. */
    private record Distance(String ref, long ahead, long behind) {}

    @Override
    public int run(Call call) {
        try (Repository repository = call.repository();
                Progress progress = call.progress("reading the history")) {
            String branch = call.branch(repository);
            Head head = repository.head(branch);
            List<Distance> distances = new ArrayList<>();
            List<String> unfinished = new ArrayList<>();
            MerkleClock clock = MerkleClock.open(repository.blocks());
            for (Map.Entry<String, Tracking> each : repository.remotes().refs().entrySet()) {
                String ref = each.getKey();
                String remote = ref.substring(0, ref.indexOf('/'));
                if (ref.equals(remote + "/" + branch)) {
                    Head there = each.getValue().head();
                    distances.add(new Distance(
                            ref, HistoryText.changes(clock, head, there), HistoryText.changes(clock, there, head)));
                }
                if (Exchange.isUnfinished(repository, ref)) {
                    unfinished.add("a transfer of " + ref + " broke off; continue with: pail fetch " + remote
                            + ", or: pail push " + remote);
                }
            }
            int left = repository.maintenance().erasing().left().size();
            if (left > 0) {
                unfinished.add("bytes of " + left + (left == 1 ? " erased block" : " erased blocks")
                        + " may be left; remove them with: pail gc");
            }
            long open = repository.conflicts().count(head);
            progress.hide();
            if (call.terminal().json) {
                printJson(call, repository, branch, distances, open, unfinished);
            } else {
                print(call, repository, branch, distances, open, unfinished);
            }
            return Exit.DONE;
        }
    }

    private static String events(Repository repository) {
        return repository.refs().needs().contains(Need.EVENTS) ? "described" : "plain";
    }

    private static void print(
            Call call,
            Repository repository,
            String branch,
            List<Distance> distances,
            long open,
            List<String> unfinished) {
        Terminal terminal = call.terminal();
        terminal.printStyled("on branch " + branch + "  " + terminal.faint(HistoryText.brief(repository.head(branch))));
        for (Distance each : distances) {
            terminal.print(
                    each.ahead + each.behind == 0
                            ? "as " + each.ref
                            : each.ref + ": " + each.ahead + " ahead, " + each.behind + " behind");
        }
        if (open > 0) {
            terminal.print((open == 1 ? "1 open conflict" : open + " open conflicts") + "; list with: pail conflicts");
        }
        unfinished.forEach(terminal::print);
        terminal.print("repository " + call.place() + ", format "
                + repository.format().name() + ", events " + events(repository));
    }

    private static void printJson(
            Call call,
            Repository repository,
            String branch,
            List<Distance> distances,
            long open,
            List<String> unfinished) {
        call.terminal().printJson(json -> {
            json.writeStringField("branch", branch);
            Json.writeCids(json, "head", repository.head(branch).events());
            json.writeArrayFieldStart("remotes");
            for (Distance each : distances) {
                json.writeStartObject();
                json.writeStringField("ref", each.ref);
                json.writeNumberField("ahead", each.ahead);
                json.writeNumberField("behind", each.behind);
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeNumberField("openConflicts", open);
            Json.writeTexts(json, "unfinished", unfinished);
            json.writeStringField("repository", call.place());
            json.writeStringField("format", repository.format().name());
            json.writeStringField("events", events(repository));
        });
    }
}
