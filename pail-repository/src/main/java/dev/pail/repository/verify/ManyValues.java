package dev.pail.repository.verify;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.StoreIOException;
import dev.pail.car.ValueCheck;
import dev.pail.dag.CidSet;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.threads.TaskThread;
import dev.pail.trace.Trace;
import dev.pail.unixfs.UnixFs;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A check of many values, in the order in which they come. It looks for the blocks of a portion of values together, since each look for a
 * block that is not there asks the disk what other processes have written. Another thread does that and checks the values, while the caller
 * looks for more of them. The caller's thread alone gets problems and progress. For one use by one thread.
 */
final class ManyValues implements AutoCloseable {
    /** How many values are checked together. */
    private static final int PORTION = 256;

    /** How many portions wait at most for the check. */
    private static final int MOST_PORTIONS = 8;

    private final TaskThread other = new TaskThread("pail-values");
    private final AbsentBlocks blocks;
    private final ValueCheck check;

    /** The blocks of files, if their bytes are read, too; and the files that were. */
    private final @Nullable BlockStore files;

    private final CidSet seen = new CidSet();
    private final Runnable progress;
    private final ValueCheck.Problems problems;
    private final Deque<TaskThread.Task<Checked>> waiting = new ArrayDeque<>();
    private List<Value> gathered = new ArrayList<>();

    /** What is found in the present portion. Only tasks use it. */
    private Checked found = new Checked();

    private record Value(Cid cid, String key) {}

    private record Problem(String key, ValueCheck.Place place, BlockException cause) {}

    /** What the check of a portion has found. */
    private static final class Checked {
        private final List<Problem> problems = new ArrayList<>();
        private long blocks;
    }

    /**
     * @param blocks is used by two threads
     * @param toCheck makes of these blocks those that the check reads
     * @param progress is called for each block that was read
     */
    ManyValues(
            BlockStore blocks,
            Function<BlockStore, BlockStore> toCheck,
            ValueCheck.Extent extent,
            Runnable progress,
            ValueCheck.Problems problems) {
        this.blocks = new AbsentBlocks(blocks);
        this.progress = progress;
        this.problems = problems;
        this.files = extent == ValueCheck.Extent.ALL ? this.blocks : null;
        this.check = new ValueCheck(
                toCheck.apply(this.blocks),
                extent,
                () -> found.blocks++,
                (key, place, cause) -> found.problems.add(new Problem(key, place, cause)));
    }

    /** Takes a value, which is checked later. */
    void add(Cid value, Supplier<String> key) {
        gathered.add(new Value(value, key.get()));
        if (gathered.size() == PORTION) {
            begin();
            if (waiting.size() > MOST_PORTIONS) {
                report(waiting.remove().get());
            }
        }
    }

    private void begin() {
        List<Value> portion = gathered;
        gathered = new ArrayList<>();
        waiting.add(other.begin(() -> check(portion)));
    }

    private Checked check(List<Value> portion) {
        found = new Checked();
        blocks.lookFor(portion.stream().map(Value::cid).toList());
        portion.forEach(value -> {
            check.check(value.cid, value::key);
            if (files != null && value.cid.codec() == Cid.DAG_PB && seen.add(value.cid)) {
                UnixFs.check(
                        files,
                        value.cid,
                        e -> found.problems.add(new Problem(
                                value.key,
                                e.cid().equals(value.cid) ? ValueCheck.Place.VALUE : ValueCheck.Place.BELOW,
                                e)));
            }
        });
        return found;
    }

    private void report(Checked checked) {
        for (long i = 0; i < checked.blocks; i++) {
            progress.run();
        }
        checked.problems.forEach(problem -> problems.add(problem.key, problem.place, problem.cause));
    }

    /** Checks the values that wait. */
    ValueCheck end() {
        begin();
        while (!waiting.isEmpty()) {
            report(waiting.remove().get());
        }
        return check;
    }

    @Override
    public void close() {
        other.close();
    }

    /** The blocks of a store, and a list of blocks that it does not have. For one thread at a time. */
    private static final class AbsentBlocks implements BlockStore {
        private final BlockStore blocks;
        private final Set<Cid> absent = new HashSet<>();

        AbsentBlocks(BlockStore blocks) {
            this.blocks = blocks;
        }

        /** Finds out which of some blocks are absent, instead of those before. */
        void lookFor(Collection<Cid> cids) {
            absent.clear();
            try {
                Set<Cid> here = blocks.hasAll(cids);
                absent.addAll(cids);
                absent.removeAll(here);
            } catch (CorruptBlockException | StoreIOException e) {
                // The check asks for each, and reports that.
                Trace.swallowed("cannot look for values together", e);
            }
        }

        @Override
        public Optional<Block> get(Cid cid) {
            return absent.contains(cid) ? Optional.empty() : blocks.get(cid);
        }

        @Override
        public boolean has(Cid cid) {
            return !absent.contains(cid) && blocks.has(cid);
        }

        @Override
        public boolean isErased(Cid cid) {
            return blocks.isErased(cid);
        }

        @Override
        public void putAll(Collection<Block> all) {
            blocks.putAll(all);
        }

        @Override
        public void close() {
            // The blocks are not its own.
        }
    }
}
