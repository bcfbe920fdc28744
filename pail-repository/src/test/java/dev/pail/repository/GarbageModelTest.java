package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.model.Collected;
import dev.pail.testkit.Randomness;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** Random histories: what is moved and deleted is what a plain computation over sets says. */
class GarbageModelTest {
    private static final int STEPS = 120;

    private long collections;
    private long moved;
    private long deleted;
    private long restored;

    @Test
    void whatGoesIsWhatTheRulesSay() throws Exception {
        muchGoes(seed -> new GarbageWorkload(seed, BlockStorage.FILES));
    }

    @Test
    void whatGoesInMemoryIsWhatTheRulesSay() throws Exception {
        muchGoes(seed -> new GarbageWorkload(seed, GarbageWorkload.inMemory()));
    }

    private void muchGoes(LongFunction<GarbageWorkload> workloads) throws Exception {
        int histories = Randomness.times(30, 6000);
        whatGoesIsWhatTheRulesSay(histories, workloads);
        assertThat(moved).isGreaterThan(10L * histories);
        assertThat(deleted).isGreaterThan(2L * histories);
        assertThat(restored).isPositive();
    }

    void whatGoesIsWhatTheRulesSay(int histories, LongFunction<GarbageWorkload> workloads) throws Exception {
        long seed = Randomness.seed(getClass().getSimpleName());
        for (long each = seed; each < seed + histories; each++) {
            try {
                run(workloads.apply(each));
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("history " + each, e);
            }
        }
        assertThat(collections).isEqualTo(histories * (STEPS / 6L));
        assertThat(moved).isPositive();
    }

    private void run(GarbageWorkload workload) throws Exception {
        for (int step = 1; step <= STEPS; step++) {
            workload.step();
            if (step % 6 == 0) {
                collect(workload);
            }
        }
    }

    private void collect(GarbageWorkload workload) throws Exception {
        Repository repository = workload.repository;
        Instant now = repository.refs().now();
        Instant keptSince = now.minus(GarbageCollection.RETENTION);
        Instant before = now.minus(GarbageCollection.GRACE);
        Map<String, Map<String, Cid>> contents = GarbageWorkload.contents(repository);
        Map<String, Instant> trash = workload.trash();
        Set<String> needed = GarbageWorkload.needed(repository, keptSince);
        Map<String, Instant> blocks = workload.blocks();

        Set<String> due = new TreeSet<>();
        Set<String> blocksLeft = new TreeSet<>();
        blocks.forEach(
                (name, stamp) -> (!needed.contains(name) && stamp.isBefore(before) ? due : blocksLeft).add(name));
        Set<String> trashLeft = new TreeSet<>(due);
        Set<String> gone = new TreeSet<>();
        Set<String> back = new TreeSet<>();
        Set<String> waiting = new TreeSet<>();
        trash.forEach((name, stamp) -> {
            if (needed.contains(name)) {
                (blocks.containsKey(name) ? gone : back).add(name);
            } else {
                (stamp.isBefore(before) ? gone : waiting).add(name);
            }
        });
        int kept = blocksLeft.size();
        blocksLeft.addAll(back);
        trashLeft.addAll(waiting);

        Collected dry = repository.maintenance().garbageCollection().dryRun();
        Collected done = repository.maintenance().garbageCollection().run();

        assertThat(done.moved()).isEqualTo(dry.moved());
        assertThat(done.waiting()).isEqualTo(dry.waiting());
        assertThat(done.deleted()).isEqualTo(dry.deleted());
        assertThat(done.restored()).isEqualTo(dry.restored());
        assertThat(done.moved().blocks()).isEqualTo(due.size());
        assertThat(done.waiting().blocks()).isEqualTo(waiting.size());
        assertThat(done.deleted().blocks()).isEqualTo(gone.size());
        assertThat(done.restored().blocks()).isEqualTo(back.size());
        assertThat(dry.kept().blocks()).isEqualTo(kept);
        // What came back is met again, if its folder was there.
        assertThat(done.kept().blocks()).isBetween((long) kept, (long) kept + back.size());
        assertThat(new TreeSet<>(workload.blocks().keySet())).isEqualTo(blocksLeft);
        assertThat(new TreeSet<>(workload.trash().keySet())).isEqualTo(trashLeft);
        assertThat(GarbageWorkload.contents(repository)).isEqualTo(contents);
        collections++;
        moved += done.moved().blocks();
        deleted += done.deleted().blocks();
        restored += done.restored().blocks();
    }
}
