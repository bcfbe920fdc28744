package dev.pail.cli.command;

import dev.pail.Batch;
import dev.pail.KeyChange;
import dev.pail.Pail;
import dev.pail.PailException;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.text.Values;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A command that makes a new version, and prints its root. */
public abstract class ChangeCommand extends Command {
    private static final Option.Flag UNRELATED =
            Option.flag("Merge even histories that began apart from each other.", "--allow-unrelated-histories");

    protected static final Option.Text IF = Option.text(
            "CID", "Only if the key has this value; else nothing is changed, and the exit status is 4.", "--if");

    protected static final Option.Flag IF_ABSENT = Option.flag(
            "Only if the key has no value; else nothing is changed, and the exit status is 4.", "--if-absent");

    /** How many events and keys of a version are looked at to see whether it can be read. */
    private static final int MOST_COMPARED = 1000;

    protected ChangeCommand(String name, String... description) {
        super(name, description);
    }

    /** The option that lets histories be merged that began apart from each other: {@link #unrelated} heeds it. */
    protected final void mayMergeUnrelated() {
        takes(UNRELATED);
    }

    public static UnrelatedHistories unrelated(Call call) {
        return call.get(UNRELATED) ? UnrelatedHistories.MERGE_FROM_EMPTY : UnrelatedHistories.REFUSE;
    }

    /** Checks {@link #IF} and {@link #IF_ABSENT} when the change of a key is made. */
    protected static Consumer<Batch> condition(Call call, String key) {
        String text = call.get(IF);
        if (text == null && !call.get(IF_ABSENT)) {
            return batch -> {};
        }
        Optional<Cid> expected = Optional.ofNullable(text).map(Values::parse);
        return batch -> batch.expect(key, expected);
    }

    /** Reads a branch that is about to move. If its head or its log is damaged, recovers the branch first. */
    public static Snapshot toMove(Call call, Repository repository, String branch) {
        try {
            return repository.snapshot(branch);
        } catch (RepositoryException e) {
            if (!recovered(call, repository, branch, e)) {
                throw e;
            }
            return repository.snapshot(branch);
        }
    }

    /** Makes head and log of a branch fit, if an error says that they do not, and says whether that was done. */
    public static boolean recovered(Call call, Repository repository, String branch, RepositoryException error) {
        if (error.reason() != RepositoryException.Reason.DAMAGED) {
            return false;
        }
        Optional<RepositoryException> wrong = repository.maintenance().recover(branch);
        wrong.ifPresent(damage ->
                call.terminal().warn(Failure.message(damage) + ": made to fit at " + repository.head(branch)));
        return wrong.isPresent();
    }

    /** Names the first event or shard that is lost of what a branch left and does not have now. */
    public static void warnIfLost(Call call, Repository repository, Snapshot left, Snapshot now) {
        try {
            readEvents(repository, left.head(), now.head());
            try (Stream<KeyChange> changes = left.pail().diff(now.pail()).boundedKeys()) {
                changes.limit(MOST_COMPARED).forEach(change -> {});
            }
        } catch (PailException e) {
            call.terminal().warn("what " + left.branch() + " moved away from cannot be read: " + Failure.message(e));
        }
    }

    private static void readEvents(Repository repository, Head from, Head to) {
        MerkleClock clock = MerkleClock.open(repository.blocks());
        Set<Cid> seen = new HashSet<>(to.events());
        Deque<Cid> due = new ArrayDeque<>(from.events());
        for (Cid cid = due.poll(); cid != null && seen.size() < MOST_COMPARED; cid = due.poll()) {
            if (seen.add(cid)) {
                due.addAll(clock.event(cid).parents());
            }
        }
    }

    public static void printRoot(Call call, Pail pail) {
        printRoot(call, pail.root());
    }

    /** Notes what was changed, before anything about it is printed. */
    public static void changed(Call call, Cid root) {
        if (!call.isDryRun()) {
            call.terminal().changed = "the root is " + root;
        }
    }

    public static void printRoot(Call call, Cid root) {
        changed(call, root);
        if (call.terminal().json) {
            call.terminal().printJson(json -> json.writeStringField("root", root.toString()));
        } else if (!call.terminal().quiet) {
            call.terminal().print(root.toString());
        }
    }
}
