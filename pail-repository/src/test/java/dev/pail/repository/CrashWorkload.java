package dev.pail.repository;

import dev.pail.Batch;
import dev.pail.Pail;
import dev.pail.PailException;
import dev.pail.ShardFormat;
import dev.pail.Verification;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.UnrelatedHistoriesException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.HeadUpdateUncertainException;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Changes a repository, and loses the power before each call of the disk that changes something, with several outcomes. What
 * must be found afterwards is kept beside the disk: of each branch, the state that was acknowledged last, or the one under way.
 */
final class CrashWorkload {
    private static final Path FOLDER = Path.of("/r");
    private static final int IMAGES_OF_EACH_RANDOM_LOSS = 5;
    private static final int RECOVERIES_FOR_A_WRITE = 10;
    private static final int FAILURES_FOR_ALL_LOSSES = 16;
    private static final int CHECKS_FOR_THE_HISTORY = 8;
    private static final String KEY_LETTERS = "abc";

    /** A state of a branch; a generation of -1 stands for no branch. */
    private record Expected(long generation, Map<String, Cid> entries) {}

    private final Random random;
    private final ShardFormat format;
    private final BlockStorage storage;
    private final CrashDisk crashing = new CrashDisk();
    private final UnaryOperator<Disk> faults;
    private final Map<String, List<Expected>> expected = new TreeMap<>();
    private List<String> currents = List.of(Repository.MAIN);
    private boolean heals;
    private int healed;

    /** Whether all kinds of losses are tried after a failure. */
    private boolean thorough;

    private boolean made;
    private long recoveries;
    private long writes;

    /** Changes on a disk that loses its power, but does not fail. */
    CrashWorkload(long seed) {
        this(seed, UnaryOperator.identity());
    }

    /** @param faults puts faults into a disk */
    CrashWorkload(long seed, UnaryOperator<Disk> faults) {
        this.random = Randomness.random(seed);
        this.faults = faults;
        this.format = random.nextBoolean() ? ShardFormat.v1() : ShardFormat.v0(400, 8);
        this.storage = random.nextBoolean() ? BlockStorage.FILES : BlockStorage.SEGMENTS;
    }

    /** Makes a repository and a number of changes, and returns the number of recoveries. */
    long run(int changes) {
        crashing.onChange(this::loseThePower);
        work(changes);
        loseThePower();
        return recoveries;
    }

    private void work(int changes) {
        Disk disk = faults.apply(crashing);
        expected.put(Repository.MAIN, List.of(new Expected(0, Map.of())));
        try (Repository repository = FileRepository.init(disk, FOLDER, format, storage)) {
            made = true;
            changeAndTell(repository, changes / 2);
        }
        try (Repository repository = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            changeAndTell(repository, changes - changes / 2);
        }
    }

    private void changeAndTell(Repository repository, int changes) {
        try {
            change(repository, changes);
        } catch (PailException e) {
            if (heals) {
                checkFailure(e);
                try {
                    goOn(repository);
                } catch (PailException again) {
                    throw new AssertionError("a repository does not continue when the cause is gone", again);
                }
                healed++;
            }
            throw e;
        }
    }

    /**
     * Makes a number of changes on a disk that fails. The outcome that an error reports must be true, and remain true after a loss of
     * power.
     *
     * @param heals whether the disk works again after the first failure: then the same repository continues
     * @return the error; empty if no change has failed
     */
    Optional<PailException> fail(int changes, boolean heals) {
        this.heals = heals;
        try {
            work(changes);
            // Where nothing was said of the failure, all that was acknowledged must be safe.
            check(crashing.afterLoss(CrashDisk.Loss.NOTHING, random));
            check(crashing.afterLoss(CrashDisk.Loss.ALL, random));
            recoverOnce(crashing);
            return Optional.empty();
        } catch (PailException e) {
            if (healed == 0) {
                checkFailure(e);
                if (thorough && made) {
                    try (Repository repository = FileRepository.open(crashing, FOLDER, Duration.ZERO)) {
                        goOn(repository);
                    }
                }
            }
            return Optional.of(e);
        }
    }

    /** What an error reports must be true, and remain true after a loss of power. */
    private void checkFailure(PailException e) {
        Map<String, List<Expected>> before = new TreeMap<>(expected);
        thorough = random.nextInt(FAILURES_FOR_ALL_LOSSES) == 0;
        if (thorough) {
            loseThePower();
        } else {
            recoverOnce(crashing);
        }
        if (!(e instanceof HeadUpdateUncertainException)) {
            expected.replaceAll((branch, states) -> states.subList(0, 1));
        }
        check(crashing.afterLoss(CrashDisk.Loss.NOTHING, random));
        expected.putAll(before);
    }

    /** How often a repository has continued after a failure. */
    int healed() {
        return healed;
    }

    /** A repository continues after a failure, with nothing lost yet, and then the power is lost. */
    private void goOn(Repository repository) {
        currents = List.of(currents.get(0), repository.branches().current());
        String branch = repository.branches().names().get(0);
        Expected found = read(repository, branch);
        List<Expected> states = new ArrayList<>(expected.get(branch));
        states.add(found);
        expected.put(branch, states);
        if (thorough) {
            crashing.onChange(() -> {
                recoverOnce(crashing);
                recoverOnce(crashing);
            });
        }
        // A no-op must still be durable before it reports success.
        update(repository, branch, random.nextInt(3) == 0 ? UnaryOperator.identity() : edit());
        recoverOnce(crashing);
        for (String name : List.copyOf(expected.keySet())) {
            if (!repository.branches().contains(name)) {
                create(repository, branch, name);
                recoverOnce(crashing);
            }
        }
        crashing.onChange(() -> {});
        check(crashing.afterLoss(CrashDisk.Loss.ALL, random));
    }

    /** Returns the number of recoveries that wrote again and lost the power during that. */
    long writes() {
        return writes;
    }

    private void change(Repository repository, int changes) {
        for (int i = 0; i < changes; i++) {
            List<String> names = repository.branches().names();
            String branch = names.get(random.nextInt(names.size()));
            switch (random.nextInt(10)) {
                case 0 -> create(repository, branch);
                case 1 -> undo(repository, branch);
                case 2 -> merge(repository, branch, names.get(random.nextInt(names.size())));
                case 3 -> switchTo(repository, branch);
                case 4 -> pack(repository);
                default -> update(repository, branch, edit());
            }
        }
    }

    private UnaryOperator<Pail> edit() {
        int count = random.nextInt(3) == 0 ? 1 + random.nextInt(6) : 1;
        List<String> keys = new ArrayList<>();
        List<Cid> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            StringBuilder key = new StringBuilder();
            for (int left = 1 + random.nextInt(4); left > 0; left--) {
                key.append(KEY_LETTERS.charAt(random.nextInt(KEY_LETTERS.length())));
            }
            keys.add(key.toString());
            byte[] value = Integer.toString(random.nextInt(5)).getBytes(StandardCharsets.US_ASCII);
            values.add(Block.of(Cid.RAW, value).cid());
        }
        boolean delete = random.nextInt(4) == 0;
        return pail -> {
            Batch batch = pail.batch();
            for (int i = 0; i < keys.size(); i++) {
                if (delete) {
                    batch.delete(keys.get(i));
                } else {
                    batch.put(keys.get(i), values.get(i));
                }
            }
            return batch.commit();
        };
    }

    /** From now on a branch may be in the state after the one that it is in. */
    private void goesTo(Repository repository, String branch, Pail next) {
        List<Expected> states = new ArrayList<>(expected.get(branch));
        states.add(new Expected(repository.snapshot(branch).generation() + 1, Listing.entries(next)));
        expected.put(branch, states);
    }

    /** From now on a branch is in the state that it was going to. */
    private void done(String branch) {
        List<Expected> states = expected.get(branch);
        expected.put(branch, List.of(states.get(states.size() - 1)));
    }

    private void update(Repository repository, String branch, UnaryOperator<Pail> edit) {
        repository.update(branch, before -> {
            Pail after = edit.apply(before);
            if (!after.root().equals(before.root())) {
                goesTo(repository, branch, after);
            }
            return after;
        });
        done(branch);
    }

    private void undo(Repository repository, String branch) {
        Snapshot snapshot = repository.snapshot(branch);
        List<LogEntry> log = Listing.log(repository, branch);
        Head head = log.isEmpty()
                ? snapshot.head()
                : log.get(random.nextInt(log.size())).from();
        if (!head.equals(snapshot.head())) {
            goesTo(repository, branch, repository.pailAt(head));
        }
        repository.move(snapshot, head, "undo\n");
        done(branch);
    }

    private void merge(Repository repository, String branch, String other) {
        Head theirs = repository.snapshot(other).head();
        try {
            repository.change(branch, "merge " + other, ours -> {
                var merged = ours.merge(theirs);
                if (!merged.head().equals(ours.head())) {
                    goesTo(repository, branch, merged.pail());
                }
                return merged;
            });
        } catch (UnrelatedHistoriesException e) {
            return;
        }
        done(branch);
    }

    private void create(Repository repository, String from) {
        create(repository, from, "b" + expected.size());
    }

    private void create(Repository repository, String from, String name) {
        Snapshot start = repository.snapshot(from);
        expected.put(
                name,
                List.of(
                        new Expected(-1, Map.of()),
                        new Expected(start.head().isEmpty() ? 0 : 1, Listing.entries(start.pail()))));
        repository.branches().create(name, start.head());
        done(name);
    }

    private void pack(Repository repository) {
        if (random.nextInt(3) == 0) {
            FileRepository.of(repository).orElseThrow().packing().unpack();
        } else {
            FileRepository.of(repository).orElseThrow().packing().pack();
        }
    }

    private void switchTo(Repository repository, String branch) {
        currents = List.of(currents.get(0), branch);
        repository.branches().switchTo(branch);
        currents = List.of(branch);
    }

    private void loseThePower() {
        for (CrashDisk.Loss loss : CrashDisk.Loss.values()) {
            for (int i = 0; i < (loss.isRandom() ? IMAGES_OF_EACH_RANDOM_LOSS : 1); i++) {
                recover(loss);
            }
        }
    }

    private void recover(CrashDisk.Loss loss) {
        CrashDisk image = crashing.afterLoss(loss, random);
        try {
            check(image);
            if (random.nextInt(RECOVERIES_FOR_A_WRITE) == 0) {
                writeAndLoseThePower(image);
            }
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("after the loss " + loss + " before call " + crashing.calls(), e);
        }
    }

    private void check(CrashDisk image) {
        recoveries++;
        Repository opened;
        try {
            opened = FileRepository.open(image, FOLDER, Duration.ZERO);
        } catch (RepositoryException e) {
            if (made || e.reason() != RepositoryException.Reason.NO_REPOSITORY) {
                throw e;
            }
            FileRepository.init(image, FOLDER, format, storage).close();
            return;
        }
        try (Repository repository = opened) {
            boolean thorough = random.nextInt(CHECKS_FOR_THE_HISTORY) == 0;
            expect(currents.contains(repository.branches().current()), "the current branch");
            List<String> names = repository.branches().names();
            for (Map.Entry<String, List<Expected>> branch : expected.entrySet()) {
                Expected found = new Expected(-1, Map.of());
                if (names.contains(branch.getKey())) {
                    found = read(repository, branch.getKey());
                    if (thorough) {
                        checkHistory(repository, branch.getKey());
                    }
                }
                expect(branch.getValue().contains(found), "the state of " + branch.getKey() + ": " + found);
            }
        }
    }

    /** Writes to a recovered repository, and loses the power again before each call. */
    private void writeAndLoseThePower(CrashDisk image) {
        if (!made) {
            return;
        }
        writes++;
        CrashWorkload second = new CrashWorkload(format, storage, random.nextLong());
        try (Repository repository = FileRepository.open(image, FOLDER, Duration.ZERO)) {
            for (String name : repository.branches().names()) {
                second.expected.put(name, List.of(read(repository, name)));
            }
            second.currents = List.of(repository.branches().current());
            String branch = repository.branches().names().get(0);
            image.onChange(() -> {
                second.recoverOnce(image);
                recoveries++;
            });
            second.update(repository, branch, second.edit());
            image.onChange(() -> {});
        }
        second.check(image);
        second.check(image.afterLoss(CrashDisk.Loss.ALL, random));
    }

    /** Changes to what was recovered from a loss of power. */
    private CrashWorkload(ShardFormat format, BlockStorage storage, long seed) {
        this.random = Randomness.random(seed);
        this.faults = UnaryOperator.identity();
        this.format = format;
        this.storage = storage;
        this.made = true;
    }

    private void recoverOnce(CrashDisk image) {
        CrashDisk.Loss[] losses = CrashDisk.Loss.values();
        check(image.afterLoss(losses[random.nextInt(losses.length)], random));
    }

    private static Expected read(Repository repository, String branch) {
        Snapshot snapshot = repository.snapshot(branch);
        Verification verification = Verification.of(repository.blocks(), snapshot.root());
        expect(verification.isSound(), "soundness of " + branch + ": " + verification.problems());
        List<Cid> history = MerkleClock.open(repository.blocks()).history(snapshot.head());
        expect(history.containsAll(snapshot.head().events()), "the history of " + branch);
        List<LogEntry> log = Listing.log(repository, branch);
        expect(log.size() == snapshot.generation(), "the number of entries of the log of " + branch);
        expect(log.isEmpty() || log.get(0).to().equals(snapshot.head()), "the last entry of the log of " + branch);
        return new Expected(snapshot.generation(), Listing.entries(snapshot.pail()));
    }

    /** Every version that the log of a branch leads to is complete. */
    private static void checkHistory(Repository repository, String branch) {
        for (LogEntry entry : Listing.log(repository, branch)) {
            Cid root = repository.pailAt(entry.to()).root();
            Verification verification = Verification.of(repository.blocks(), root);
            expect(
                    verification.isSound(),
                    "soundness of " + branch + " at generation " + entry.generation() + ": " + verification.problems());
        }
    }

    private static void expect(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
