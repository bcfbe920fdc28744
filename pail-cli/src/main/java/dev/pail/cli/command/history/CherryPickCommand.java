package dev.pail.cli.command.history;

import dev.pail.MergePolicy;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.command.RepositoryVersions;
import dev.pail.cli.command.RevisionRange;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Progress;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.MergeResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes changes of another branch again on this one. */
public final class CherryPickCommand extends ChangeCommand {
    public CherryPickCommand() {
        super(
                "cherry-pick",
                "Makes changes of another branch again on this one, and prints the new root. Each keeps its author, message and time.",
                "A range A..B is the changes of B that A does not have, the oldest first. All of them are one update of the branch: undo takes back all.",
                "A key that has another value here than before the change is a conflict. Then cherry-pick lists the conflicts, changes nothing and exits with 4,",
                "unless --policy decides: ours keeps the current value, theirs takes that of the change.");
        parameter("REVISION", "1..*", "A change, or a range A..B: " + Versions.HOW + ".");
        takes(RevertCommand.POLICY);
        examples(
                "  pail cherry-pick draft",
                "  pail cherry-pick main..draft",
                "  pail cherry-pick draft~1 --policy theirs");
    }

    @Override
    public int run(Call call) {
        MergePolicy policy = RevertCommand.policy(call);
        try (Repository repository = call.toWrite();
                Progress progress = call.progress("working")) {
            String branch = call.branch(repository);
            List<Cid> changes = new ArrayList<>();
            call.parameters(0).forEach(text -> changes.addAll(changes(repository, branch, text)));
            MergeResult result = MergeCommand.merged(
                    call.terminal(), repository, () -> repository.cherryPick(branch, changes, policy));
            progress.hide();
            changed(call, result.root());
            MergeCommand.print(call.terminal(), result);
            printRoot(call, result.root());
            return Exit.DONE;
        }
    }

    /** The last event of each change that a text names. */
    private static List<Cid> changes(Repository repository, String branch, String text) {
        RevisionRange range = RevisionRange.of(repository, text).orElse(null);
        if (range != null) {
            MerkleClock clock = MerkleClock.open(repository.blocks());
            return clock.since(head(repository, branch, range.to()), head(repository, branch, range.from())).stream()
                    .filter(event -> !clock.event(event).isContinued())
                    .toList();
        }
        Head head = head(repository, branch, text);
        if (head.size() != 1) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "ambiguous-version",
                    (head.isEmpty() ? "no event: " : "more than one event: ") + text,
                    "name one event, as pail log shows them, or a range A..B");
        }
        return head.events();
    }

    private static Head head(Repository repository, String branch, @Nullable String text) {
        return text == null
                ? repository.head(branch)
                : RepositoryVersions.resolve(repository, branch, text)
                        .head()
                        .orElseThrow(() -> Versions.withoutHistory(text));
    }
}
