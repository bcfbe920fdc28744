package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Batch;
import dev.pail.Entry;
import dev.pail.MergePolicy;
import dev.pail.Pail;
import dev.pail.clock.Head;
import dev.pail.clock.ReplicatedBatch;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RepositoryException;
import dev.pail.testkit.Randomness;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Changes of 1 to 30,000 keys or rows that are reverted, reverted again, undone and merged, beside a plain map. A change of several events
 * is one change of the history.
 */
class LargeChangesTest {
    private static final int RUNS = Randomness.times(1, 60);
    private static final int MOST = Randomness.times(11_000, 30_000);
    private static final int EVENT = ReplicatedBatch.MAX_CHANGES;
    private static final String MAIN = Repository.MAIN;

    /** What is changed. */
    enum Kind {
        /** The keys that differ from the version before become the changes. */
        VERSIONS,
        /** A batch of changes, of which some change nothing. */
        OPERATIONS,
        /** The same, with keys so long that an event is full by its bytes. */
        LONG_KEYS,
        ROWS,
        /** Each row makes three changes. */
        INDEXED_ROWS
    }

    @ParameterizedTest
    @EnumSource
    void aLargeChangeIsOneChange_M7_M21_DE6_DE7(Kind kind) {
        long seed = Randomness.seed("LargeChangesTest " + kind);
        for (int i = 0; i < RUNS; i++) {
            try (Repository repository = Repository.inMemory().with(Tables.mergeRules())) {
                new Run(kind, repository, Randomness.random(seed + i)).run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("run " + i + " of -Dpail.seed=" + seed + ": " + e.getMessage(), e);
            }
        }
    }

    /** The keys of a change with their numbers before and after it; null without the key. */
    private record Done(Map<String, @Nullable Integer> before, Map<String, @Nullable Integer> after, Note note) {}

    /** The map at some time, and the last events of its changes. */
    private record State(SortedMap<String, Integer> map, Set<Cid> changes) {}

    private static final class Run {
        private final Kind kind;
        private final Repository repository;
        private final Random random;
        private final Map<Cid, Done> all = new HashMap<>();
        private final Deque<State> states = new ArrayDeque<>();
        private int notes;

        Run(Kind kind, Repository repository, Random random) {
            this.kind = kind;
            this.repository = repository;
            this.random = random;
            states.push(new State(new TreeMap<>(), new HashSet<>()));
        }

        private boolean isOfTables() {
            return kind == Kind.ROWS || kind == Kind.INDEXED_ROWS;
        }

        void run() {
            if (isOfTables()) {
                repository.update(MAIN, pail -> {
                    Table people = Tables.of(pail).create("people");
                    return (kind == Kind.ROWS ? people : people.createIndex(FieldPath.parse("city"))).pail();
                });
            } else {
                repository.update(MAIN, pail -> pail.put("first", value(1)));
                state().map.put("first", 1);
            }
            Head start = repository.head(MAIN);
            change(MAIN, "k");
            for (int left = 4 + random.nextInt(4); left > 0; left--) {
                switch (random.nextInt(6)) {
                    case 0, 1 -> change(MAIN, "k");
                    case 2, 3 -> revert();
                    case 4 -> undo();
                    default -> merge();
                }
                check(start);
            }
            merge();
            revert();
            revert();
            check(start);
        }

        private State state() {
            return states.getFirst();
        }

        private State next() {
            State next = new State(new TreeMap<>(state().map), new HashSet<>(state().changes));
            states.push(next);
            return next;
        }

        private Note note() {
            return Note.of("Ann <ann@example.org>", "change " + ++notes);
        }

        private Repository noted(Note note) {
            return repository.withNote(note, Instant.ofEpochMilli(1_000_000L + notes));
        }

        private static Cid value(int number) {
            return Block.of(Cid.RAW, Integer.toString(number).getBytes(StandardCharsets.US_ASCII))
                    .cid();
        }

        private int size() {
            int full = kind == Kind.INDEXED_ROWS ? EVENT / 3 : EVENT;
            return switch (random.nextInt(6)) {
                case 0 -> 1 + random.nextInt(3);
                case 1 -> full - 1 + random.nextInt(3);
                case 2 -> 2 * full - 1 + random.nextInt(3);
                case 3 -> 1 + random.nextInt(MOST / (kind == Kind.INDEXED_ROWS ? 3 : 1));
                default -> full - 300 + random.nextInt(600);
            };
        }

        private String key(String prefix, int number) {
            // About 3,400 of these fill an event.
            return prefix + number + (kind == Kind.LONG_KEYS ? "-" + "long".repeat(60 + number % 5) : "");
        }

        /** Puts and deletes of keys with a prefix. */
        private void change(String branch, String prefix) {
            Map<String, @Nullable Integer> changes = new TreeMap<>();
            int number = random.nextInt(1_000_000);
            int from = random.nextInt(4) * 1000;
            boolean deletes = random.nextInt(3) == 0;
            for (int i = size(); i > 0; i--) {
                changes.put(key(prefix, from + i), deletes && i % 2 == 0 ? null : number + i % 7);
            }
            Note note = note();
            Head before = repository.head(branch);
            if (kind == Kind.OPERATIONS || kind == Kind.LONG_KEYS) {
                assertThat(noted(note).change(branch, "batch", replica -> {
                            ReplicatedBatch batch = replica.batch();
                            changes.forEach((key, value) -> {
                                if (value == null) {
                                    batch.delete(key);
                                } else {
                                    batch.put(key, value(value));
                                }
                            });
                            return batch.commit();
                        }))
                        .isNotNull();
            } else {
                noted(note).update(branch, pail -> isOfTables() ? rows(pail, changes) : keys(pail, changes));
            }
            done(branch, before, changes, note);
        }

        private static Pail keys(Pail pail, Map<String, @Nullable Integer> changes) {
            Batch batch = pail.batch();
            changes.forEach((key, value) -> {
                if (value == null) {
                    batch.delete(key);
                } else {
                    batch.put(key, value(value));
                }
            });
            return batch.commit();
        }

        private static Pail rows(Pail pail, Map<String, @Nullable Integer> changes) {
            TableBatch batch = Tables.of(pail).batch();
            changes.forEach((id, number) -> {
                if (number == null) {
                    batch.delete("people", id);
                } else {
                    batch.put(
                            "people",
                            id,
                            Document.parse("{\"number\":" + number + ",\"city\":\"" + number % 3 + "\"}"));
                }
            });
            return batch.commit().pail();
        }

        /** Notes a change that was made, if the branch moved. */
        private void done(String branch, Head before, Map<String, @Nullable Integer> changes, Note note) {
            if (repository.head(branch).equals(before)) {
                return;
            }
            State next = next();
            Map<String, @Nullable Integer> old = new HashMap<>();
            changes.forEach((key, value) -> {
                old.put(key, next.map.get(key));
                if (value == null) {
                    next.map.remove(key);
                } else {
                    next.map.put(key, value);
                }
            });
            Cid last = repository.head(branch).events().get(0);
            next.changes.add(last);
            all.put(last, new Done(old, changes, note));
        }

        private void revert() {
            List<Cid> changes = state().changes.stream().sorted().toList();
            if (changes.isEmpty()) {
                return;
            }
            Cid last = changes.get(random.nextInt(changes.size()));
            Done done = Objects.requireNonNull(all.get(last));
            boolean isTheirs = random.nextBoolean();
            Map<String, @Nullable Integer> reverted = new TreeMap<>();
            done.after.forEach((key, after) -> {
                Integer before = done.before.get(key);
                Integer now = state().map.get(key);
                boolean isAsItWas = Objects.equals(now, after);
                if (!Objects.equals(before, after) && !Objects.equals(now, before) && (isAsItWas || isTheirs)) {
                    reverted.put(key, before);
                }
            });
            Note note = note();
            Head before = repository.head(MAIN);
            List<Cid> parts = repository.replica(MAIN).parts(last);
            Cid named = parts.get(random.nextInt(parts.size()));
            noted(note).revert(MAIN, named, isTheirs ? MergePolicy.theirs() : MergePolicy.ours());
            assertThat(repository.head(MAIN).equals(before)).isEqualTo(reverted.isEmpty());
            done(MAIN, before, reverted, note);
        }

        private void undo() {
            if (states.size() > 2) {
                repository.undo(repository.snapshot(MAIN), 1);
                states.pop();
            }
        }

        /** Both branches change keys of their own. */
        private void merge() {
            String side = "side" + ++notes;
            repository.branches().create(side, repository.head(MAIN));
            int depth = states.size();
            change(side, "s");
            State there = state();
            if (states.size() > depth) {
                states.pop();
            }
            change(MAIN, "m");
            repository.merge(MAIN, side, MergeOptions.DEFAULT);
            State next = next();
            Set<String> keys = new HashSet<>();
            keys.addAll(next.map.keySet());
            keys.addAll(there.map.keySet());
            for (String key : keys) {
                if (key.startsWith("s")) {
                    Integer number = there.map.get(key);
                    if (number == null) {
                        next.map.remove(key);
                    } else {
                        next.map.put(key, number);
                    }
                }
            }
            next.changes.addAll(there.changes);
        }

        private Map<String, String> content() {
            Map<String, String> content = new TreeMap<>();
            Pail pail = repository.pail();
            if (isOfTables()) {
                try (Stream<Row> rows = Tables.of(pail).table("people").rows()) {
                    rows.forEach(row -> content.put(
                            row.id(),
                            row.document()
                                    .get(FieldPath.parse("number"))
                                    .orElseThrow()
                                    .toString()));
                }
            } else {
                try (Stream<Entry> entries = pail.entries()) {
                    entries.forEach(
                            entry -> content.put(entry.key(), entry.value().toString()));
                }
            }
            return content;
        }

        private void check(Head start) {
            Map<String, String> wanted = new TreeMap<>();
            state().map
                    .forEach((key, number) -> wanted.put(
                            key,
                            isOfTables()
                                    ? Integer.toString(number)
                                    : value(number).toString()));
            assertThat(content().equals(wanted)).isTrue();
            if (kind == Kind.INDEXED_ROWS) {
                assertThat(Tables.of(repository.pail()).check().wrongEntries().values())
                        .allMatch(count -> count == 0);
            }
            try (Stream<HistoryEntry> history = repository.history().of(MAIN)) {
                List<HistoryEntry> entries = new ArrayList<>(history.toList());
                assertThat(entries.remove(entries.size() - 1).event().cid())
                        .isEqualTo(start.events().get(0));
                assertThat(entries)
                        .extracting(entry -> entry.event().cid())
                        .containsExactlyInAnyOrderElementsOf(state().changes);
                entries.forEach(this::check);
            }
        }

        private void check(HistoryEntry entry) {
            Done done = Objects.requireNonNull(all.get(entry.event().cid()));
            assertThat(entry.note()).isEqualTo(done.note);
            List<Cid> events = entry.events();
            assertThat(entry.changes()).hasSize(entry.size());
            if (!isOfTables()) {
                assertThat(entry.size()).isLessThanOrEqualTo(done.after.size());
            }
            assertThat(events.size()).isGreaterThanOrEqualTo((entry.size() + EVENT - 1) / EVENT);
            for (Cid part : events) {
                Block block = repository.blocks().get(part).orElseThrow();
                assertThat(block.bytes().length).isLessThanOrEqualTo(ReplicatedBatch.MAX_EVENT_SIZE);
            }
            if (events.size() > 1) {
                assertThat(catchReason(events.get(0))).isEqualTo(RepositoryException.Reason.PART_OF_CHANGE);
            }
        }

        private RepositoryException.@Nullable Reason catchReason(Cid part) {
            try {
                repository.move(repository.snapshot(MAIN), Head.of(part), "test");
                return null;
            } catch (RepositoryException e) {
                return e.reason();
            }
        }
    }
}
