package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.Batch;
import dev.pail.Entry;
import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.clock.Head;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.collect.Reachable;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Random changes, merges, undos, redos and reverts of two replicas in repositories of their own, against stacks of maps. */
class UndoModelTest {
    private static final Path FOLDER = Path.of("/r");
    private static final int STEPS = 60;
    private static final String MAIN = Repository.MAIN;

    private final Map<Cid, Change> changes = new HashMap<>();
    private final int[] done = new int[6];

    /** What an event changed. */
    private record Change(Set<String> keys, Map<String, Cid> before, Map<String, Cid> after) {}

    /** A version: its entries, and the events in its history. */
    private record State(Head head, Map<String, Cid> entries, Set<Cid> held) {}

    /** A replica: the version that it stands at is the last of those that can be undone. */
    private static final class Model {
        private final Repository repository;
        private final List<State> past = new ArrayList<>(List.of(new State(Head.empty(), Map.of(), Set.of())));
        private final List<State> future = new ArrayList<>();
        private int moves;

        Model(Repository repository) {
            this.repository = repository;
        }

        State now() {
            return past.get(past.size() - 1);
        }

        void move(State next) {
            if (!next.head.equals(now().head)) {
                past.add(next);
                future.clear();
                moves++;
            }
        }
    }

    /** Makes a repository somewhere. */
    interface Place {
        Repository init(ShardFormat format, Random random);
    }

    @Test
    void undoRedoAndRevertDoWhatTheModelDoes_REP22_REP23_M21() {
        int sequences = 60;
        undoRedoAndRevertDoWhatTheModelDoes(sequences, UndoModelTest::init);
        assertThat(IntStream.of(done)).as("each is done often").allMatch(count -> count > sequences);
    }

    void undoRedoAndRevertDoWhatTheModelDoes(int sequences, Place place) {
        long seed = Randomness.seed(getClass().getSimpleName());
        for (int i = 0; i < sequences; i++) {
            Random random = Randomness.random(seed + i);
            ShardFormat format = random.nextBoolean() ? ShardFormat.v1() : ShardFormat.v0();
            try (Repository ann = place.init(format, random);
                    Repository bob = place.init(format, random)) {
                run(List.of(new Model(ann), new Model(bob)), random);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("sequence " + i + " of seed " + seed, e);
            }
        }
    }

    private static Repository init(ShardFormat format, Random random) {
        if (random.nextInt(3) == 0) {
            return Repository.inMemory(format);
        }
        BlockStorage storage = random.nextBoolean() ? BlockStorage.FILES : BlockStorage.SEGMENTS;
        return FileRepository.init(new CrashDisk(), FOLDER, format, storage);
    }

    private void run(List<Model> replicas, Random random) {
        // The same event comes first, so that their histories are related.
        Repository ann = replicas.get(0).repository;
        ann.update(MAIN, pail -> pail.put("k0", value(random)));
        Head first = ann.head(MAIN);
        Repository bob = replicas.get(1).repository;
        copy(ann, bob, first);
        Snapshot cloned = bob.move(bob.snapshot(MAIN), first, "clone");
        for (Model model : replicas) {
            model.move(new State(first, entries(cloned.pail()), Set.copyOf(first.events())));
        }
        for (int step = 0; step < STEPS; step++) {
            int at = random.nextInt(2);
            Model model = replicas.get(at);
            switch (random.nextInt(8)) {
                case 0, 1 -> undo(model, 1 + random.nextInt(2));
                case 2 -> redo(model, 1 + random.nextInt(2));
                case 3 -> revert(model, random);
                case 4 -> merge(model, replicas.get(1 - at));
                default -> put(model, random);
            }
            Snapshot now = model.repository.snapshot(MAIN);
            assertThat(now.head()).isEqualTo(model.now().head);
            assertThat(entries(now.pail())).isEqualTo(model.now().entries);
            assertThat(Listing.log(model.repository, MAIN)).hasSize(model.moves);
        }
    }

    /** Copies all blocks that a head leads to. */
    private static void copy(Repository from, Repository to, Head head) {
        List<Block> blocks = new ArrayList<>();
        Reachable reachable = new Reachable(
                cid -> {
                    Optional<Block> block = from.blocks().get(cid);
                    block.ifPresent(blocks::add);
                    return block;
                },
                () -> {});
        reachable.addEvents(head.events());
        to.blocks().putAll(blocks);
    }

    private static Cid value(Random random) {
        return Block.of(Cid.RAW, new byte[] {(byte) random.nextInt(3)}).cid();
    }

    private static Map<String, Cid> entries(Pail pail) {
        Map<String, Cid> entries = new TreeMap<>();
        try (var all = pail.entries()) {
            all.forEach((Entry entry) -> entries.put(entry.key(), entry.value()));
        }
        return entries;
    }

    private void put(Model model, Random random) {
        State before = model.now();
        Map<String, Cid> after = new TreeMap<>(before.entries);
        for (int i = random.nextInt(3); i >= 0; i--) {
            String key = "k" + random.nextInt(4);
            if (random.nextInt(3) == 0) {
                after.remove(key);
            } else {
                after.put(key, value(random));
            }
        }
        model.repository.update(MAIN, pail -> {
            Batch batch = pail.batch();
            before.entries.keySet().forEach(batch::delete);
            after.forEach(batch::put);
            return batch.commit();
        });
        follow(model, after);
        done[0]++;
    }

    /** Notes what the newest event has changed, if there is a new one. */
    private void follow(Model model, Map<String, Cid> after) {
        State before = model.now();
        Head head = model.repository.head(MAIN);
        if (head.equals(before.head)) {
            assertThat(after).isEqualTo(before.entries);
            return;
        }
        Cid event = head.events().get(0);
        Set<String> keys = new TreeSet<>(before.entries.keySet());
        keys.addAll(after.keySet());
        keys.removeIf(key -> Optional.ofNullable(after.get(key)).equals(Optional.ofNullable(before.entries.get(key))));
        changes.put(event, new Change(keys, before.entries, after));
        Set<Cid> held = new HashSet<>(before.held);
        held.add(event);
        model.move(new State(head, after, held));
    }

    private void undo(Model model, int steps) {
        Repository repository = model.repository;
        Snapshot now = repository.snapshot(MAIN);
        List<State> past = model.past;
        if (past.size() <= steps || past.get(past.size() - 1 - steps).head.equals(now.head())) {
            assertThatExceptionOfType(RepositoryException.class).isThrownBy(() -> repository.undo(now, steps));
            return;
        }
        for (int i = 0; i < steps; i++) {
            model.future.add(past.remove(past.size() - 1));
        }
        repository.undo(now, steps);
        model.moves++;
        done[1]++;
    }

    private void redo(Model model, int steps) {
        Repository repository = model.repository;
        Snapshot now = repository.snapshot(MAIN);
        List<State> future = model.future;
        if (future.size() < steps || future.get(future.size() - steps).head.equals(now.head())) {
            assertThatExceptionOfType(RepositoryException.class).isThrownBy(() -> repository.redo(now, steps));
            return;
        }
        for (int i = 0; i < steps; i++) {
            model.past.add(future.remove(future.size() - 1));
        }
        repository.redo(now, steps);
        model.moves++;
        done[2]++;
    }

    private void revert(Model model, Random random) {
        if (changes.isEmpty()) {
            return;
        }
        Repository repository = model.repository;
        List<Cid> held =
                model.now().held.stream().filter(changes::containsKey).sorted().toList();
        if (held.isEmpty() || random.nextInt(8) == 0) {
            changes.keySet().stream()
                    .filter(event -> repository.blocks().has(event))
                    .filter(event -> !model.now().held.contains(event))
                    .findFirst()
                    .ifPresent(event -> assertThatExceptionOfType(RepositoryException.class)
                            .isThrownBy(() -> repository.revert(MAIN, event, MergePolicy.theirs())));
            return;
        }
        Cid event = held.get(random.nextInt(held.size()));
        Change change = changes.get(event);
        Map<String, Cid> after = new TreeMap<>(model.now().entries);
        boolean theirs = random.nextBoolean();
        boolean conflict = false;
        for (String key : change.keys) {
            Cid now = after.get(key);
            Cid given = change.after.get(key);
            Cid earlier = change.before.get(key);
            boolean isOpen = !same(now, given) && !same(now, earlier);
            conflict |= isOpen;
            if (same(now, given) || (isOpen && theirs)) {
                after.compute(key, (same, old) -> earlier);
            }
        }
        if (conflict) {
            assertThatExceptionOfType(MergeConflictException.class)
                    .isThrownBy(() -> repository.revert(MAIN, event, MergePolicy.fail()));
            assertThat(model.repository.head(MAIN)).isEqualTo(model.now().head);
            done[5]++;
        }
        MergePolicy policy = conflict ? theirs ? MergePolicy.theirs() : MergePolicy.ours() : MergePolicy.fail();
        repository.revert(MAIN, event, policy);
        follow(model, after);
        done[3]++;
    }

    private static boolean same(Cid one, Cid other) {
        return Optional.ofNullable(one).equals(Optional.ofNullable(other));
    }

    /** What the clock makes of both is tested elsewhere. */
    private void merge(Model model, Model other) {
        State theirs = other.now();
        if (theirs.head.isEmpty() || model.now().head.isEmpty()) {
            return;
        }
        copy(other.repository, model.repository, theirs.head);
        model.repository.change(
                MAIN,
                "merge",
                ours -> ours.with(UnrelatedHistories.MERGE_FROM_EMPTY).merge(theirs.head));
        Snapshot now = model.repository.snapshot(MAIN);
        Set<Cid> held = new HashSet<>(model.now().held);
        held.addAll(theirs.held);
        model.move(new State(now.head(), entries(now.pail()), held));
        done[4]++;
    }
}
