package dev.pail.cli.command.history;

import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.command.HistoryText;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.RepositoryVersions;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Terminal;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Revision;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lists tags, makes one or removes one. */
public final class TagCommand extends ChangeCommand {
    private static final Option.Text DELETE = Option.text("NAME", "Remove this tag.", "-d", "--delete");

    private static final Option.Flag LIST = Option.flag("List the tags, as without a name.", "-l", "--list");

    private static final Option.Flag FORCE = Option.flag(
            "Move a tag that is there to this version. Copies keep the one that they have.", "-f", "--force");

    public TagCommand() {
        super(
                "tag",
                "Lists the tags and their events; or makes a tag and prints its root; or removes one.",
                "A tag names a version and keeps it from gc. -d removes only the name. A warning names each file in tags that is no tag; -d removes it.");
        parameter("NAME", "0..1", "The tag to make: the name of no branch, and no CID.");
        parameter("REVISION", "0..1", "The version to name: " + Versions.HOW + "; else that of the branch.");
        takes(DELETE, LIST, FORCE);
        examples("  pail tag", "  pail tag v1", "  pail tag before-import @{3}", "  pail tag -d v1");
    }

    @Override
    public int run(Call call) {
        String name = call.optionalParameter(0);
        String removed = call.get(DELETE);
        if ((name != null && removed != null) || (call.get(LIST) && (name != null || removed != null))) {
            throw Failure.usage("tags are listed, or one is made or removed: one of these at once");
        }
        if (call.get(FORCE) && name == null) {
            throw Failure.usage("name the tag that is moved: pail tag -f NAME REVISION");
        }
        try (Repository repository = call.toWrite()) {
            if (removed != null) {
                repository.tags().remove(removed);
            } else if (name == null) {
                call.warnOfForeignFiles(repository);
                print(call.terminal(), repository);
            } else {
                make(call, repository, name, call.optionalParameter(1));
            }
            return Exit.DONE;
        }
    }

    private static void make(Call call, Repository repository, String name, @Nullable String given) {
        String from = call.branch(repository);
        Revision revision = RepositoryVersions.resolveOrNewest(repository, from, given);
        Head head = revision.head()
                .orElseThrow(
                        () -> Versions.withoutHistory(revision.pail().root().toString()));
        if (head.isEmpty()) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "no-such-version",
                    "nothing was changed yet in what the tag is to stand at: " + (given == null ? from : given),
                    "make a change first, for example with: pail put KEY CID");
        }
        if (call.get(FORCE) && repository.tags().names().contains(name)) {
            repository.tags().remove(name);
        }
        repository.tags().create(name, head);
        printRoot(call, revision.pail());
    }

    private static void print(Terminal terminal, Repository repository) {
        for (String tag : repository.tags().names()) {
            Optional<Head> there = repository.tags().head(tag);
            if (there.isEmpty()) {
                // Removed since the tags were listed.
                continue;
            }
            List<Cid> events = there.get().events();
            if (terminal.json) {
                terminal.printJson(json -> {
                    json.writeStringField("tag", tag);
                    Json.writeCids(json, "head", events);
                });
            } else {
                String head = HistoryText.briefs(events);
                terminal.printStyled(tag + "\t" + terminal.faint(head));
            }
        }
    }
}
