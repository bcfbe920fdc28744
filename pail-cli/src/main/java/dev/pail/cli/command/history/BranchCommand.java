package dev.pail.cli.command.history;

import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.command.HistoryText;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.RepositoryVersions;
import dev.pail.cli.command.Stores;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Terminal;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.repository.Repository;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.repository.model.RepositoryException;
import java.util.stream.Stream;

/** Lists branches, or makes one. */
public final class BranchCommand extends ChangeCommand {
    private static final Option.Flag RENAME = Option.flag("Rename a branch.", "-m", "--move");

    private static final Option.Flag REMOTES =
            Option.flag("List the remote-tracking refs, such as origin/main, instead.", "-r", "--remotes");

    private static final Option.Flag ALL = Option.flag("List the remote-tracking refs, too.", "-a", "--all");

    private static final Option.Text DELETE = Option.text("NAME", "Remove this branch.", "-d", "--delete");

    private static final Option.Flag VERBOSE = Option.flag(
            "List the time, the message and the author of the newest change of each, too.", "-v", "--verbose");

    private static final Option.Flag MERGED =
            Option.flag("List only branches whose changes are all in the current one.", "--merged");

    public BranchCommand() {
        super(
                "branch",
                "Lists the branches and their newest events; or makes, renames or removes a branch.",
                "A * marks the current branch. After making or renaming one, branch prints its root. -m OLD NEW renames a branch, -m NEW the current one.",
                "The log of a removed or renamed branch stays: NAME@{1} is its last version, and a new branch of this name continues the log.",
                "A warning names each file in heads that is no branch; -d removes it.");
        parameter("NAME", "0..1", "The branch to make: the name of no tag, and no CID.");
        parameter("REVISION", "0..1", "Where it begins: " + Versions.HOW + "; else the current version.");
        takes(RENAME, DELETE, REMOTES, ALL, VERBOSE, MERGED);
        examples(
                "  pail branch",
                "  pail branch -a",
                "  pail branch experiment",
                "  pail branch before @{3}",
                "  pail branch -m experiment feature/search",
                "  pail branch -d experiment",
                "  pail branch experiment experiment@{1}");
    }

    @Override
    public int run(Call call) {
        String name = call.optionalParameter(0);
        String removed = call.get(DELETE);
        boolean renames = call.get(RENAME);
        if (removed != null && (name != null || renames)) {
            throw Failure.usage("a branch is made, renamed or removed, one of them");
        }
        if (renames && name == null) {
            throw Failure.usage("give the new name: pail branch -m OLD NEW, or pail branch -m NEW");
        }
        if (Stream.of(REMOTES, ALL, VERBOSE, MERGED).anyMatch(call::get)
                && (removed != null || renames || name != null)) {
            throw Failure.usage(REMOTES + ", " + ALL + ", " + VERBOSE + " and " + MERGED + " list, and take no name");
        }
        try (Repository repository = call.toWrite()) {
            if (removed != null) {
                remove(call, repository, removed);
                return Exit.DONE;
            }
            if (renames) {
                String other = call.optionalParameter(1);
                String old = other == null ? call.branch(repository) : String.valueOf(name);
                String renamed = other == null ? String.valueOf(name) : other;
                repository.branches().rename(old, renamed);
                printRoot(call, repository.root(renamed));
                return Exit.DONE;
            }
            if (name == null) {
                if (!call.get(REMOTES)) {
                    print(call, repository);
                }
                if (call.get(REMOTES) || call.get(ALL)) {
                    repository
                            .remotes()
                            .refs()
                            .forEach((ref, tracking) -> print(call, repository, ref, tracking.head()));
                }
                return Exit.DONE;
            }
            String from = call.branch(repository);
            String given = call.optionalParameter(1);
            repository.branches().create(name, RepositoryVersions.resolveOrNewest(repository, from, given));
            printRoot(call, repository.root(name));
            return Exit.DONE;
        }
    }

    private static void remove(Call call, Repository repository, String branch) {
        try {
            repository.branches().remove(branch);
        } catch (RepositoryException e) {
            if (!recovered(call, repository, branch, e)) {
                throw e;
            }
            repository.branches().remove(branch);
        }
    }

    private static void print(Call call, Repository repository, String ref, Head head) {
        Terminal terminal = call.terminal();
        if (!isListed(call, repository, head)) {
            return;
        }
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("ref", ref);
                Json.writeCids(json, "head", head.events());
            });
        } else {
            terminal.printStyled("  " + ref + "\t" + terminal.faint(HistoryText.briefs(head.events()))
                    + newest(call, repository, head));
        }
    }

    private static boolean isListed(Call call, Repository repository, Head head) {
        if (!call.get(MERGED)) {
            return true;
        }
        Head current = repository.head(Stores.currentBranch(repository));
        return MerkleClock.open(repository.blocks()).merge(current, head).equals(current);
    }

    /** With -v, the newest change of a head. */
    private static String newest(Call call, Repository repository, Head head) {
        if (!call.get(VERBOSE) || head.isEmpty()) {
            return "";
        }
        try (Stream<HistoryEntry> history = repository.history().of(head)) {
            return history.findFirst()
                    .map(entry ->
                            "\t" + entry.time().map(HistoryText::time).orElse("") + HistoryText.text(entry.note()))
                    .orElse("");
        }
    }

    private static void print(Call call, Repository repository) {
        Terminal terminal = call.terminal();
        String current = Stores.currentBranch(repository);
        call.warnOfForeignFiles(repository);
        repository.branches().heads().forEach((branch, head) -> {
            if (!isListed(call, repository, head)) {
                return;
            }
            if (terminal.json) {
                terminal.printJson(json -> {
                    json.writeStringField("branch", branch);
                    json.writeBooleanField("current", branch.equals(current));
                    Json.writeCids(json, "head", head.events());
                });
            } else {
                String events = HistoryText.briefs(head.events());
                terminal.printStyled((branch.equals(current) ? "* " : "  ") + branch + "\t" + terminal.faint(events)
                        + newest(call, repository, head));
            }
        });
    }
}
