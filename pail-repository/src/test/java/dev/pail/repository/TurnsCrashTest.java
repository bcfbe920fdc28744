package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.Verification;
import dev.pail.clock.Head;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.LogEntry;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import dev.pail.testkit.disk.Turns;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Two take turns at a repository: they put, undo, pack, unpack and collect, perhaps without being allowed to set the times of files, and the power
 * is lost. All keys have their values, for both of them, and in what is left; so has every version that no collection was free
 * to take away.
 */
class TurnsCrashTest {
    private static final Path FOLDER = Path.of("/r");
    private static final int STEPS = 30;
    private static final int CHECKS_FOR_THE_HISTORY = 4;

    private static final class Workload extends Turns {
        final boolean[] mayTouch = new boolean[2];
        final Repository[] both = new Repository[2];

        /** What was acknowledged, and behind it what is under way. */
        List<Map<String, Cid>> expected = List.of(Map.of());

        Workload(long seed) {
            super(seed);
            BlockStorage storage = random.nextBoolean() ? BlockStorage.FILES : BlockStorage.SEGMENTS;
            FileRepository.init(disk, FOLDER, ShardFormat.v0(300, 8), storage).close();
            for (int i = 0; i < 2; i++) {
                mayTouch[i] = random.nextInt(3) > 0;
                both[i] = open(i);
            }
        }

        private Repository open(int who) {
            Disk owned = HookedDisk.telling(disk, (call, file) -> {
                if (call.equals("setMtime")
                        && String.valueOf(file.getFileName()).endsWith(".data")) {
                    throw new AccessDeniedException(file.toString());
                }
            });
            return FileRepository.open(mayTouch[who] ? disk : owned, FOLDER, Duration.ZERO);
        }

        @Override
        protected void step() {
            int turn = random.nextInt(2);
            Repository repository = both[turn];
            switch (random.nextInt(12)) {
                case 10, 11 -> undo(repository);
                case 0 -> {
                    repository.close();
                    both[turn] = open(turn);
                }
                case 1 -> disk.pause(random.nextInt((int) Duration.ofDays(1).toMillis()));
                case 2, 3, 4, 5 -> move(repository);
                default -> put(repository);
            }
        }

        private void move(Repository repository) {
            switch (random.nextInt(3)) {
                case 0 -> FileRepository.of(repository).orElseThrow().packing().pack();
                case 1 -> FileRepository.of(repository).orElseThrow().packing().unpack();
                default ->
                    repository
                            .maintenance()
                            .garbageCollection()
                            .withRetention(Duration.ofDays(random.nextInt(8) == 0 ? 0 : 100))
                            .withGrace(Duration.ofHours(1 + random.nextInt(8)))
                            .run();
            }
        }

        private void put(Repository repository) {
            String key = random.nextInt(3) + "/" + random.nextInt(3);
            String text = random.nextInt(40) + "x".repeat(random.nextInt(2) * 600);
            Block value = Block.of(Cid.RAW, text.getBytes(StandardCharsets.US_ASCII));
            Map<String, Cid> after = new TreeMap<>(expected.get(0));
            after.put(key, value.cid());
            repository.blocks().put(value);
            expected = List.of(expected.get(0), after);
            repository.update("main", pail -> pail.put(key, value.cid()));
            expected = List.of(after);
        }

        /** Goes back to a version that no collection was free to take away. */
        private void undo(Repository repository) {
            Instant keptSince = repository.maintenance().logsKeptSince();
            List<LogEntry> entries = Listing.log(repository, "main").stream()
                    .filter(entry -> !entry.time().isBefore(keptSince))
                    .toList();
            if (!entries.isEmpty()) {
                Head to = entries.get(random.nextInt(entries.size())).from();
                Map<String, Cid> after = Listing.entries(repository.pailAt(to));
                expected = List.of(expected.get(0), after);
                repository.move(repository.snapshot("main"), to, "undo");
                expected = List.of(after);
            }
        }

        @Override
        protected void check() {
            check(both[0]);
            check(both[1]);
        }

        private void check(Repository repository) {
            Map<String, Cid> found = Listing.entries(repository.pail());
            assertThat(found).isIn(expected);
            found.values()
                    .forEach(value -> assertThat(repository.blocks().get(value)).isPresent());
            if (random.nextInt(CHECKS_FOR_THE_HISTORY) == 0) {
                checkHistory(repository);
            }
        }

        /** Every version is complete, with its values, that no collection was free to take away. */
        private static void checkHistory(Repository repository) {
            Instant keptSince = repository.maintenance().logsKeptSince();
            List<LogEntry> entries = Listing.log(repository, "main");
            for (int i = 0; i < entries.size(); i++) {
                if (i == 0 || !entries.get(i).time().isBefore(keptSince)) {
                    for (Head head :
                            List.of(entries.get(i).from(), entries.get(i).to())) {
                        Pail pail = repository.pailAt(head);
                        assertThat(Verification.of(repository.blocks(), pail.root())
                                        .problems())
                                .isEmpty();
                        Listing.entries(pail)
                                .values()
                                .forEach(value -> assertThat(repository.blocks().get(value))
                                        .isPresent());
                    }
                }
            }
        }

        @Override
        protected void loseThePower() {
            CrashDisk image = left(disk);
            try (Repository left = FileRepository.open(image, FOLDER, Duration.ZERO)) {
                check(left);
                move(left);
                check(left);
            }
            image = left(image);
            try (Repository left = FileRepository.open(image, FOLDER, Duration.ZERO)) {
                check(left);
            }
        }
    }

    @Test
    void thePowerIsLost() {
        long seed = Randomness.seed("repository.TurnsCrashTest");
        Turns.run(seed, Randomness.times(6, 2000), STEPS, 8, Workload::new);
    }
}
