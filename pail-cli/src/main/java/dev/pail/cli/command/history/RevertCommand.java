package dev.pail.cli.command.history;

import dev.pail.Escapes;
import dev.pail.MergePolicy;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.command.HistoryText;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.RepositoryVersions;
import dev.pail.cli.command.Versions;
import dev.pail.cli.table.TableRepairs;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Progress;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.repository.model.MergeResult;
import dev.pail.repository.model.RepositoryException;
import java.util.stream.Stream;

/** Takes a change back by another change. */
public final class RevertCommand extends ChangeCommand {
    /** How a change that is made again or taken back resolves conflicts. */
    static final Option.Text POLICY = Option.text(
                    "POLICY", "How to resolve conflicts: fail, ours or theirs; else fail.", "--policy")
            .offering("fail", "ours", "theirs");

    public RevertCommand() {
        super(
                "revert",
                "Takes back one change in all copies, and prints the new root.",
                "It adds a change that gives the keys of the event the values from before it, and other copies take it in like any change.",
                "A key that was changed since is a conflict. Then revert lists the conflicts, changes nothing and exits with 4, unless --policy",
                "decides: ours keeps the current value, theirs restores the value from before the event. Tables are merged as pail merge merges them:",
                "indexes as a set, rows one by one. To take back pail table create does not drop a table that has got rows or indexes since.",
                "Without -m, the message is revert with the message of the change, or with its event.");
        parameter("EVENT", "1", "The event or its first characters, as pail log shows it; or @{0}, the last change.");
        takes(POLICY);
        takesMessage();
        examples("  pail revert bafyreie6w5u6tr", "  pail revert @{0}", "  pail revert bafyreie6w5u6tr --policy ours");
    }

    @Override
    public int run(Call call) {
        MergePolicy policy = policy(call);
        try (Repository repository = call.repository();
                Progress progress = call.progress("working")) {
            String branch = call.branch(repository);
            Cid event = event(repository, branch, call.parameter(0));
            Repository noted = call.noted(repository, () -> message(repository, event));
            MergeResult result =
                    MergeCommand.merged(call.terminal(), repository, () -> reverted(noted, branch, event, policy));
            progress.hide();
            changed(call, result.root());
            TableRepairs.print(call.terminal(), result.outcomes());
            printRoot(call, result.root());
            return Exit.DONE;
        }
    }

    /** The policy of {@link #POLICY}. */
    static MergePolicy policy(Call call) {
        String given = call.get(POLICY);
        return given == null ? MergePolicy.fail() : MergeCommand.policy(given);
    }

    private static String message(Repository repository, Cid event) {
        try (Stream<HistoryEntry> changes = repository.history().of(Head.of(event))) {
            return "revert "
                    + changes.findFirst()
                            .flatMap(change -> change.note().message())
                            .map(message -> Escapes.brief(HistoryText.firstLine(message)))
                            .orElseGet(event::toString);
        }
    }

    private static MergeResult reverted(Repository repository, String branch, Cid event, MergePolicy policy) {
        try {
            return repository.revert(branch, event, policy);
        } catch (RepositoryException e) {
            throw switch (e.reason()) {
                case NO_VERSION ->
                    new Failure.Found(
                            Exit.FAILED,
                            e.code(),
                            Failure.message(e),
                            "if it was undone, bring it back first with: pail redo");
                case PART_OF_CHANGE ->
                    new Failure.Found(
                            Exit.FAILED,
                            e.code(),
                            Failure.message(e),
                            "revert it where the change was made; or take back all that came after a version BEFORE, up to an event LAST,"
                                    + " with: pail merge BEFORE --base LAST");
                default -> e;
            };
        }
    }

    private static Cid event(Repository repository, String branch, String text) {
        Head head = RepositoryVersions.resolve(repository, branch, text)
                .head()
                .orElseThrow(() -> Versions.withoutHistory(text));
        if (head.size() != 1) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "no-such-version",
                    (head.isEmpty() ? "no event: " : "more than one event: ") + text,
                    "name one event, as pail log shows them");
        }
        return head.events().get(0);
    }
}
