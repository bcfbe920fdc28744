package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.KeyChange;
import dev.pail.Pail;
import dev.pail.PailStatistics;
import dev.pail.ShardFormat;
import dev.pail.car.CarExport;
import dev.pail.car.CarImport;
import dev.pail.car.CarReader;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import dev.pail.threads.TaskThread;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A check of many versions by two threads beside a plain one, version by version. */
@Isolated("sets a system property")
class LongHistoryCheckTest {
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    @AfterEach
    void clear() {
        System.clearProperty(TaskThread.PROPERTY);
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("pail-connectivity"));
    }

    /** A history of versions, and a store that lacks some of its blocks. */
    private static final class World {
        private final OddBlocks blocks = new OddBlocks();
        private final Head head;

        World(Random random) {
            try (Repository there = Repository.inMemory()) {
                int versions = 1 + random.nextInt(100);
                for (int i = 0; i < versions; i++) {
                    there.update(
                            "main",
                            pail -> pail.put("k" + random.nextInt(1000), VALUE)
                                    .put(Integer.toString(random.nextInt(1 << 20), 36), VALUE));
                }
                head = there.head("main");
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                List<Cid> all = new ArrayList<>();
                assertThat(CarExport.of(there.blocks(), head.events())
                                .writeTo(out, "car")
                                .blocks())
                        .isPositive();
                try (CarReader reader = CarReader.of(new ByteArrayInputStream(out.toByteArray()), "car")) {
                    reader.forEach(section -> all.add(section.cid()));
                }
                try (CarReader reader = CarReader.of(new ByteArrayInputStream(out.toByteArray()), "car")) {
                    assertThat(CarImport.of(reader, blocks).added()).isEqualTo(all.size());
                }
                for (int i = random.nextInt(4); i > 0; i--) {
                    Cid gone = all.get(random.nextInt(all.size()));
                    (random.nextInt(4) == 0 ? blocks.unreadable : blocks.missing).add(gone);
                }
            }
        }

        private String by(int threads) {
            System.setProperty(TaskThread.PROPERTY, Integer.toString(threads));
            // Not closed: that would close the blocks.
            Repository here = Repository.open(new MemoryRefs(), blocks, ShardFormat.v0());
            try {
                here.branches().create("side", head);
                return "complete";
            } catch (RuntimeException e) {
                return e.toString();
            }
        }

        /** Reads an event, then the shards of its version that the version before does not have, then the next event. */
        private String plain() {
            try {
                Set<Cid> seen = new HashSet<>(head.events());
                Deque<Cid> due = new ArrayDeque<>(head.events());
                for (Cid cid = due.poll(); cid != null; cid = due.poll()) {
                    Event event = Event.fromBlock(blocks.require(cid));
                    Pail version = Pail.open(blocks, event.root());
                    if (event.parents().isEmpty()) {
                        assertThat(PailStatistics.of(version).entries()).isPositive();
                    } else {
                        Event parent =
                                Event.fromBlock(blocks.require(event.parents().get(0)));
                        try (Stream<KeyChange> changes =
                                Pail.open(blocks, parent.root()).diff(version).boundedKeys()) {
                            changes.forEach(change -> {});
                        }
                    }
                    event.parents().stream().filter(seen::add).forEach(due::add);
                }
                return "complete";
            } catch (RuntimeException e) {
                return e.toString();
            }
        }
    }

    @Test
    void throwsWhatIsMissingFirst_G14() {
        long seed = Randomness.seed("LongHistoryCheckTest");
        Set<String> found = new HashSet<>();
        for (int i = 0; i < Randomness.times(60, 3000); i++) {
            World world = new World(Randomness.random(seed + i));
            String plain = world.plain();
            assertThat(world.by(1)).isEqualTo(plain);
            assertThat(world.by(2)).isEqualTo(plain);
            found.add(plain);
        }
        assertThat(found).hasSizeGreaterThan(10).contains("complete");
    }
}
