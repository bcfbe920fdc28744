package dev.pail.cli.command.exchange;

import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.ErasureReport;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.SignedHeadReport;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.terminal.Terminal;
import dev.pail.remote.Exchange;
import dev.pail.remote.PushMode;
import dev.pail.remote.Pushed;
import dev.pail.repository.Repository;
import java.util.List;
import java.util.Set;

/** Sends a branch and tags to a remote. */
public final class PushCommand extends Command {
    private static final Option.Flag MERGE =
            Option.flag("Let the remote merge, if it has changes that are not here.", "--merge");

    private static final Option.Flag FORCE = Option.flag(
            "Move the branch even if that drops changes of others. The remote refuses if it changed since the last fetch.",
            "--force");

    private static final Option.Flag CONVERT = Option.flag(
            "As --force, also if the version here has another shard format, which readers there may not know.",
            "--convert");

    private static final Option.Flag TAGS = Option.flag("Send all tags, too, with their versions.", "--tags");

    private static final Option.Text DELETE = Option.text(
            "NAME",
            "Send nothing, and remove the branch or tag NAME there. The remote refuses a branch that changed since the last fetch.",
            "--delete");

    private static final String BOTH = "push merges or forces, not both at once";

    public PushCommand() {
        super(
                "push",
                "Sends a branch or tag to a remote, and moves the branch of the same name there.",
                "The remote refuses a push that would drop changes of others: then pull first, or let the remote merge. push prints the root that the",
                "remote has then. A tag stays where it is: a remote refuses one that it has with another version. Repeating a push changes nothing twice, so after a broken connection push again.");
        parameter("REMOTE", "0..1", "The name of a remote; else origin.");
        parameter("BRANCH", "0..1", "The branch or tag; else the branch that -b names, else the current one.");
        takes(MERGE, FORCE, CONVERT, TAGS, DELETE, Remotes.AUTHORITIES);
        excludes(MERGE, FORCE, BOTH);
        excludes(MERGE, CONVERT, BOTH);
        examples(
                "  pail push",
                "  pail push origin main --merge",
                "  pail push origin v1",
                "  pail push --tags",
                "  pail push --delete draft");
    }

    @Override
    public int run(Call call) {
        String name = call.optionalParameter(0) == null ? Remotes.ORIGIN : call.parameter(0);
        boolean isForced = call.get(FORCE) || call.get(CONVERT);
        call.terminal().kept = () -> "the remote has all of the push or nothing; run the same command again";
        if (call.get(DELETE) != null) {
            return delete(call, name);
        }
        PushMode mode = call.get(CONVERT)
                ? PushMode.CONVERT
                : isForced ? PushMode.FORCE : call.get(MERGE) ? PushMode.MERGE : PushMode.FAST_FORWARD;
        try (Repository repository = call.toWrite();
                Remotes.Connection connection = Remotes.connect(call, repository, name)) {
            String branch = call.optionalParameter(1) == null ? call.branch(repository) : call.parameter(1);
            ErasureReport.push(call.terminal(), repository, connection.remote());
            Exchange exchange = Exchange.of(repository, name, connection.remote());
            boolean isTag = !repository.branches().contains(branch)
                    && repository.tags().names().contains(branch);
            List<String> tags = call.get(TAGS) ? repository.tags().names() : isTag ? List.of(branch) : List.of();
            if (!isTag) {
                Pushed pushed;
                try (Progress progress = call.progress("blocks")) {
                    pushed = exchange.withProgress(progress::step).push(branch, mode);
                }
                if (pushed.isBack()) {
                    Remotes.note(call, repository, name, connection, Remotes.Seen.BACK);
                }
                print(call.terminal(), connection.remote().address(), pushed);
            }
            pushTags(call, exchange, connection, tags);
            SignedHeadReport.push(
                    call.terminal(),
                    repository.headNotes(),
                    connection.remote().headNotes(),
                    ref -> ref.equals(branch) || tags.contains(ref));
            return Exit.DONE;
        }
    }

    private static void pushTags(Call call, Exchange exchange, Remotes.Connection connection, List<String> tags) {
        Terminal terminal = call.terminal();
        for (String tag : tags) {
            boolean isNew;
            try (Progress progress = call.progress("blocks")) {
                isNew = exchange.withProgress(progress::step).pushTag(tag);
            }
            terminal.changed = "pushed " + tag;
            if (terminal.json) {
                terminal.printJson(json -> {
                    json.writeStringField("tag", tag);
                    json.writeBooleanField("changed", isNew);
                });
            } else if (!terminal.quiet) {
                terminal.note((isNew ? "pushed the tag " + tag + " to " : "the tag " + tag + " is at ")
                        + connection.remote().address());
            }
        }
    }

    /** Both {@code push REMOTE --delete NAME} and {@code push --delete REMOTE NAME}, as git has it. */
    private static int delete(Call call, String given) {
        String option = call.get(DELETE);
        if (option == null
                || call.get(TAGS)
                || call.get(MERGE)
                || call.get(FORCE)
                || call.get(CONVERT)
                || call.optionalParameter(1) != null) {
            throw Failure.usage("push --delete NAME takes a remote, and no branch to send");
        }
        try (Repository repository = call.toWrite()) {
            Set<String> remotes = call.files(repository, "remotes").remotes().keySet();
            boolean isGitOrder =
                    call.optionalParameter(0) != null && remotes.contains(option) && !remotes.contains(given);
            delete(call, repository, isGitOrder ? option : given, isGitOrder ? given : option);
            return Exit.DONE;
        }
    }

    private static void delete(Call call, Repository repository, String name, String ref) {
        try (Remotes.Connection connection = Remotes.connect(call, repository, name)) {
            Exchange exchange = Exchange.of(repository, name, connection.remote());
            boolean isTag = connection.remote().tags().stream()
                    .anyMatch(tag -> tag.name().equals(ref));
            if (isTag) {
                exchange.removeTag(ref);
            } else {
                exchange.remove(ref);
            }
            Terminal terminal = call.terminal();
            terminal.changed = "removed " + ref + " at the remote";
            if (terminal.json) {
                terminal.printJson(json -> {
                    json.writeStringField(isTag ? "tag" : "branch", ref);
                    json.writeBooleanField("removed", true);
                });
            } else if (!terminal.quiet) {
                terminal.note("removed " + ref + " at " + connection.remote().address());
            }
        }
    }

    private static void print(Terminal terminal, String address, Pushed pushed) {
        String branch = pushed.branch().name();
        terminal.changed = "pushed " + branch;
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("branch", branch);
                json.writeNumberField("generation", pushed.branch().generation());
                Json.writeCids(json, "head", pushed.branch().head().events());
                json.writeNumberField("blocks", pushed.blocks());
                json.writeBooleanField("merged", pushed.isMerged());
            });
        } else if (!terminal.quiet) {
            terminal.note("pushed " + branch + " to " + address + ": " + pushed.blocks()
                    + (pushed.blocks() == 1 ? " block" : " blocks") + ", generation "
                    + pushed.branch().generation() + " there");
            if (pushed.isMerged()) {
                terminal.note("the remote has more: take it in with: pail pull");
            }
        }
    }
}
