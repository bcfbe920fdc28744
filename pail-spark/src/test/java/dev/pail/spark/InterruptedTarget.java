package dev.pail.spark;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.sweep.SweptBlocks;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.apache.spark.TaskContext;

/** A target in which the first attempt of one task writes half of its blocks, and then ends badly. */
final class InterruptedTarget implements PailTarget {
    private static final long serialVersionUID = 1;

    /** What then happens. */
    enum End {
        /** The process of the executor ends at once. */
        HALT,
        /** The task fails. */
        FAIL,
        /** The task waits until Spark stops it: another attempt was faster. */
        WAIT
    }

    private final PailTarget target;
    private final int partition;
    private final End end;

    /** @param partition the task; less than 0 for the thread with the name "first", where Spark does not run */
    InterruptedTarget(PailTarget target, int partition, End end) {
        this.target = target;
        this.partition = partition;
        this.end = end;
    }

    @Override
    public Repository open() {
        Repository opened = target.open();
        TaskContext task = TaskContext.get();
        boolean isFirst = task == null
                ? partition < 0 && Thread.currentThread().getName().equals("first")
                : task.partitionId() == partition && task.attemptNumber() == 0 && task.stageAttemptNumber() == 0;
        return isFirst
                ? Repository.open(opened.refs(), new Interrupted(opened.blocks(), end), opened.format())
                : opened;
    }

    private static final SweptBlocks NO_COLLECTION = new SweptBlocks() {
        @Override
        public Optional<Block> look(Cid cid) {
            throw new UnsupportedOperationException("no task collects garbage");
        }

        @Override
        public Instant clock() {
            throw new UnsupportedOperationException("no task collects garbage");
        }

        @Override
        public Iterator<Portion> portions() {
            throw new UnsupportedOperationException("no task collects garbage");
        }
    };

    private record Interrupted(BlockStore store, End end) implements RepositoryBlocks {
        @Override
        public void putAll(Collection<Block> blocks, Map<Cid, Cid> origins) {
            store.putAll(List.copyOf(blocks).subList(0, blocks.size() / 2));
            switch (end) {
                case HALT -> Runtime.getRuntime().halt(1);
                case FAIL -> throw new IllegalStateException("this attempt fails");
                case WAIT -> {
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException("this attempt was stopped", e);
                    }
                }
            }
        }

        @Override
        public Optional<Block> get(Cid cid) {
            return store.get(cid);
        }

        @Override
        public boolean has(Cid cid) {
            return store.has(cid);
        }

        @Override
        public SweptBlocks swept() {
            // A repository asks when it is opened, and uses it only to collect garbage.
            return NO_COLLECTION;
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
