package dev.pail.cli.command.exchange;

import dev.pail.Escapes;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.ErasureReport;
import dev.pail.cli.command.Healing;
import dev.pail.cli.command.HistoryText;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.SignedHeadReport;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.terminal.Terminal;
import dev.pail.ipld.Cid;
import dev.pail.remote.Exchange;
import dev.pail.remote.FetchResult;
import dev.pail.remote.FetchedTag;
import dev.pail.remote.Remote;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.Part;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.model.VerifyReport;
import dev.pail.through.BlockSources;
import dev.pail.through.RemoteReads;
import java.util.List;
import java.util.Map;

/** Takes in what a remote has. */
public final class FetchCommand extends Command {
    static final Option.Flag NO_VALUES = Option.flag(
            "Take in events and shards, and leave the blocks of values there. The next fetch without this takes in all of them.",
            "--no-values");

    static final Option.Flag PRUNE = Option.flag(
            "Remove the refs here, such as origin/x, whose branches the remote does not have any more.", "--prune");

    /** What stays of a fetch that was interrupted. */
    static final String CONTINUES = "the blocks that arrived are kept; run the same command again to continue";

    private static final Option.Flag TAGS =
            Option.flag("Take in all tags, also those of versions that no fetched branch has.", "--tags");

    private static final Option.Flag HEAL = Option.flag(
            "Also check all versions and values here, and fetch each block that is missing or damaged.", "--heal");

    private static final Option.Flag ALL = Option.flag(
            "Fill a part: fetch all that the remote promises to it, with all values. Then it is a part no more.",
            "--all",
            "--all-values");

    public FetchCommand() {
        super(
                "fetch",
                "Fetches the new versions of a remote, and changes no branch.",
                "REMOTE/BRANCH then names the version that the remote has: pail diff main origin/main, pail merge origin/main. Tags of versions that",
                "are here then come, too; a tag that is here stays. fetch prints the refs that changed. If the connection breaks, the blocks that arrived stay, and the next fetch continues from there.");
        parameter("REMOTE", "0..1", "The name of a remote; else origin.");
        parameter("BRANCH", "0..*", "Branches there; else all.");
        takes(NO_VALUES, PRUNE, TAGS, HEAL, ALL, Remotes.AUTHORITIES);
        examples("  pail fetch", "  pail fetch --heal", "  pail fetch --prune --tags", "  pail fetch origin main");
    }

    @Override
    public int run(Call call) {
        String name = call.optionalParameter(0) == null ? Remotes.ORIGIN : call.parameter(0);
        List<String> branches = call.parameters(1);
        if (call.get(ALL) && call.get(NO_VALUES)) {
            throw Failure.usage(ALL + " fetches values, too: leave out " + NO_VALUES);
        }
        call.terminal().kept = () -> CONTINUES;
        try (Repository repository = call.toWrite(call.exchangingRepository());
                Remotes.Connection connection = Remotes.connect(call, repository, name);
                Progress progress = call.progress("blocks")) {
            ErasureReport.fetch(call.terminal(), repository, connection.remote());
            Exchange exchange = exchange(call, repository, name, connection).withProgress(progress::step);
            List<FetchResult> results = branches.isEmpty()
                    ? exchange.fetchAll()
                    : branches.stream().map(exchange::fetch).toList();
            progress.hide();
            Remotes.note(call, repository, name, connection, Remotes.Seen.of(results));
            results.forEach(result -> print(call.terminal(), result));
            boolean hasNewTags =
                    printTags(call.terminal(), call.get(TAGS) ? exchange.fetchAllTags() : exchange.fetchTags());
            boolean hasNewSignatures = SignedHeadReport.fetch(
                    call.terminal(), repository.headNotes(), connection.remote().headNotes());
            boolean isPruned = call.get(PRUNE) && prune(call.terminal(), exchange);
            if (branches.isEmpty() && !call.get(PRUNE)) {
                warnOfGone(call.terminal(), exchange, name, results);
            }
            if (!isPruned
                    && !hasNewTags
                    && !hasNewSignatures
                    && !call.get(ALL)
                    && results.stream().noneMatch(FetchResult::isChanged)
                    && !call.terminal().json
                    && !call.terminal().quiet) {
                call.terminal().note("nothing new at " + connection.remote().address());
            }
            if (call.get(ALL)) {
                return fill(call, repository, exchange, connection.remote());
            }
            if (call.get(HEAL)) {
                return heal(call, repository, name, connection.remote());
            }
            return Exit.DONE;
        }
    }

    /** Fetches all that a part lacks, and looks whether it lacks anything still. */
    private static int fill(Call call, Repository repository, Exchange exchange, Remote remote) {
        FileRepository files = call.files(repository, "parts");
        Part part = files.part().orElse(null);
        if (part == null) {
            return Exit.DONE;
        }
        remote.branches().forEach(branch -> print(call.terminal(), exchange.fetchWhole(branch.name())));
        boolean unused = printTags(call.terminal(), exchange.fetchTags());
        VerifyReport report;
        try (Repository here = call.bareRepository()) {
            report = here.verify(VerifyOptions.DEFAULT.withAllVersions());
        }
        if (report.promised() > 0 || !report.isSound()) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "incomplete-version",
                    "this is still a part: " + report.promised() + " blocks are not here, and "
                            + (report.damaged() + report.unreadable()) + " are lost or damaged",
                    "see which with: pail verify --all; fetch single blocks with: pail verify --all --heal");
        }
        files.setWhole();
        if (!call.terminal().quiet) {
            call.terminal().note("this is a part no more: all that " + part.remote() + " promised is here");
        }
        return Exit.DONE;
    }

    /** Fetches what is missing or damaged here, of all versions with their values. */
    private static int heal(Call call, Repository repository, String name, Remote remote) {
        try (Progress progress = call.progress("blocks");
                BlockSources source =
                        BlockSources.of(Map.of(name, () -> RemoteReads.of(remote)), BlockSources.Listener.NONE)) {
            VerifyOptions options =
                    VerifyOptions.DEFAULT.withAllVersions().withValues().withProgress(progress::step);
            VerifyReport report = repository.readingThrough(source).verify(options);
            progress.hide();
            Healing.tell(call.terminal(), source);
            if (report.isSound()) {
                return Exit.DONE;
            }
            throw new Failure.Found(
                    Exit.DAMAGED,
                    "damaged-store",
                    "blocks are still missing or damaged: " + call.place(),
                    "see which with: pail verify --all --values");
        }
    }

    /** Prints new tags, and warns of those that stay as they are; returns whether there are new ones. */
    static boolean printTags(Terminal terminal, List<FetchedTag> tags) {
        for (FetchedTag fetched : tags) {
            String name = fetched.tag().name();
            if (fetched.outcome() == FetchedTag.Outcome.LEFT) {
                terminal.warn("the tag " + Escapes.printable(name)
                        + " of the remote was not taken: here, the name stands for something else");
            }
            if (fetched.outcome() != FetchedTag.Outcome.CREATED) {
                continue;
            }
            terminal.changed = "made the tag " + name;
            List<Cid> head = fetched.tag().head().events();
            if (terminal.json) {
                terminal.printJson(json -> {
                    json.writeStringField("tag", name);
                    Json.writeCids(json, "head", head);
                });
            } else if (!terminal.quiet) {
                terminal.printStyled("tag " + name + "\t" + terminal.faint(HistoryText.briefs(head)));
            }
        }
        return tags.stream().anyMatch(tag -> tag.outcome() == FetchedTag.Outcome.CREATED);
    }

    /** Tells of refs whose branches are gone, which otherwise would look as if they were there. */
    private static void warnOfGone(Terminal terminal, Exchange exchange, String name, List<FetchResult> results) {
        List<String> there = results.stream()
                .map(result -> result.ref().substring(name.length() + 1))
                .toList();
        List<String> gone = exchange.gone(there);
        gone.forEach(ref -> terminal.warn("the remote has no branch for " + ref + " any more"));
        if (!gone.isEmpty()) {
            terminal.hint("remove what is left of it here with: pail fetch " + name + " " + PRUNE);
        }
    }

    /** Removes the refs whose branches the remote does not have, and prints each; returns whether there were any. */
    static boolean prune(Terminal terminal, Exchange exchange) {
        List<String> pruned = exchange.prune();
        for (String ref : pruned) {
            terminal.changed = "removed " + ref;
            if (terminal.json) {
                terminal.printJson(json -> {
                    json.writeStringField("ref", ref);
                    json.writeBooleanField("pruned", true);
                });
            } else if (!terminal.quiet) {
                terminal.note("removed " + ref + ": the remote has no such branch any more");
            }
        }
        return !pruned.isEmpty();
    }

    /** The exchange with a remote, with or without values. */
    public static Exchange exchange(Call call, Repository repository, String name, Remotes.Connection connection) {
        Exchange exchange = Exchange.of(repository, name, connection.remote());
        return call.get(NO_VALUES) ? exchange.withoutValues() : exchange;
    }

    /** Prints a ref that changed, or in JSON each. */
    public static void print(Terminal terminal, FetchResult result) {
        if (result.isChanged()) {
            terminal.changed = "updated " + result.ref();
        }
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("ref", result.ref());
                json.writeBooleanField("changed", result.isChanged());
                json.writeNumberField("generation", result.now().generation());
                Json.writeCids(json, "head", result.now().head().events());
                json.writeNumberField("blocks", result.blocks());
            });
        } else if (result.isChanged() && !terminal.quiet) {
            String head = HistoryText.briefs(result.now().head().events());
            terminal.printStyled(result.ref() + "\t" + terminal.faint(head.isEmpty() ? "empty" : head) + "\t"
                    + result.blocks() + (result.blocks() == 1 ? " block" : " blocks"));
        }
    }
}
