package dev.pail.cli.command.exchange;

import dev.pail.MergePolicy;
import dev.pail.PailException;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.command.ErasureReport;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.SignedHeadReport;
import dev.pail.cli.command.history.MergeCommand;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.terminal.Terminal;
import dev.pail.remote.Exchange;
import dev.pail.remote.FetchResult;
import dev.pail.remote.Following;
import dev.pail.repository.Repository;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.MergeResult;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** Takes in a branch of a remote, and merges it. */
public final class PullCommand extends ChangeCommand {
    private static final Option.Flag REBASE = Option.flag(
            "Do not merge: make the changes that only this branch has again behind what was fetched, each with its author, message and time. Rebase"
                    + " what no one else has. A conflict changes nothing and exits with 4, unless --policy decides.",
            "--rebase");

    private static final Option.Flag FOLLOW = Option.flag(
            "Then wait for further versions, and merge each, until Ctrl-C. If the connection breaks, or the remote is down, try again after a pause of at most"
                    + " a minute.",
            "--follow");

    /** What stays when the process is interrupted while it waits. */
    private static final String FOLLOWED = "what came is merged; run the same command again to continue";

    public PullCommand() {
        super(
                "pull",
                "Takes in a branch of a remote and merges it into the branch of the same name here, as merge does.",
                "pull is fetch and then merge REMOTE/BRANCH. If nothing was changed here, the branch moves forward. It lists each key that both sides",
                "changed, and the value that stands. Without --policy, the order of the clock decides, and all copies decide alike.");
        parameter("REMOTE", "0..1", "The name of a remote; else origin.");
        parameter("BRANCH", "0..1", "The branch; else the one that -b names, else the current one.");
        takes(MergeCommand.POLICY, MergeCommand.VALUES, REBASE, FOLLOW, FetchCommand.NO_VALUES, FetchCommand.PRUNE);
        mayMergeUnrelated();
        takes(Remotes.AUTHORITIES);
        examples(
                "  pail pull",
                "  pail pull --policy ours",
                "  pail pull --merge-values text",
                "  pail pull --rebase",
                "  pail pull --follow",
                "  pail pull disk main");
    }

    @Override
    public int run(Call call) {
        String name = call.optionalParameter(0) == null ? Remotes.ORIGIN : call.parameter(0);
        call.terminal().kept = () -> FetchCommand.CONTINUES;
        try (Repository repository = call.toWrite(call.exchangingRepository());
                Remotes.Connection connection = Remotes.connect(call, repository, name)) {
            String branch = call.optionalParameter(1) == null ? call.branch(repository) : call.parameter(1);
            ErasureReport.fetch(call.terminal(), repository, connection.remote());
            Exchange exchange = FetchCommand.exchange(call, repository, name, connection);
            if (call.get(FetchCommand.PRUNE)) {
                boolean unused = FetchCommand.prune(call.terminal(), exchange);
            }
            Pull pull = new Pull(call, repository, name, connection, exchange, branch);
            if (call.get(FOLLOW)) {
                return pull.follow();
            }
            try (Progress progress = call.progress("blocks")) {
                FetchResult fetched = exchange.withProgress(progress::step).fetch(branch);
                progress.hide();
                pull.take(fetched, progress);
            }
            return Exit.DONE;
        }
    }

    /** A pull of one branch. */
    private record Pull(
            Call call,
            Repository repository,
            String name,
            Remotes.Connection connection,
            Exchange exchange,
            String branch) {
        /** Takes in each update until the process is interrupted. */
        int follow() {
            Terminal terminal = call.terminal();
            Following.Listener listener = new Following.Listener() {
                @Override
                public void fetched(FetchResult fetched) {
                    try (Progress progress = call.progress("blocks")) {
                        take(fetched, progress);
                    }
                    terminal.kept = () -> FOLLOWED;
                    terminal.flush();
                }

                @Override
                public void failed(PailException failure, Duration pause) {
                    terminal.warn(Remotes.again(failure, pause));
                }
            };
            try (Following following = Following.of(exchange, branch, listener)) {
                following.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Exit.INTERRUPTED;
        }

        /** Takes tags and signed heads, and merges what was fetched. */
        void take(FetchResult fetched, Progress progress) {
            Terminal terminal = call.terminal();
            String policy = call.get(MergeCommand.POLICY);
            MergeOptions options =
                    MergeOptions.DEFAULT.withUnrelated(unrelated(call)).withProgress(progress::step);
            MergeOptions decided = policy == null ? options : options.withPolicy(MergeCommand.policy(policy));
            boolean unused = FetchCommand.printTags(terminal, exchange.fetchTags());
            boolean unusedToo = SignedHeadReport.fetch(
                    terminal, repository.headNotes(), connection.remote().headNotes());
            Remotes.note(call, repository, name, connection, Remotes.Seen.of(List.of(fetched)));
            Repository merging = MergeCommand.inside(call, repository);
            MergeResult merged = MergeCommand.merged(
                    terminal,
                    repository,
                    () -> call.get(REBASE)
                            ? rebased(merging, branch, fetched, decided)
                            : merging.merge(branch, fetched.ref(), decided));
            progress.hide();
            terminal.kept = null;
            changed(call, merged.root());
            print(fetched, merged);
        }

        private void print(FetchResult fetched, MergeResult merged) {
            Terminal terminal = call.terminal();
            MergeCommand.print(terminal, merged);
            long open = MergeCommand.noteOpen(terminal, repository, branch);
            // Values that the caller did not ask for are no loss.
            OptionalLong leftOut =
                    call.get(FetchCommand.NO_VALUES) ? OptionalLong.empty() : MergeCommand.leftOut(call, merged);
            if (terminal.json) {
                terminal.printJson(json -> {
                    json.writeStringField("branch", branch);
                    json.writeStringField("root", merged.root().toString());
                    json.writeNumberField("blocks", fetched.blocks());
                    json.writeNumberField("openConflicts", open);
                    if (leftOut.isPresent()) {
                        json.writeNumberField("leftOut", leftOut.getAsLong());
                    }
                });
            } else {
                leftOut.ifPresent(blocks -> call.warnOfLeftOut(blocks, "neither at the remote nor here"));
                printRoot(call, merged.root());
            }
        }
    }

    /** A branch that is not there yet has nothing to make again. */
    private static MergeResult rebased(
            Repository repository, String branch, FetchResult fetched, MergeOptions options) {
        return repository.branches().contains(branch)
                ? repository.rebase(
                        branch,
                        repository.resolve(fetched.ref()),
                        options.policy().orElseGet(MergePolicy::fail))
                : repository.merge(branch, fetched.ref(), options);
    }
}
