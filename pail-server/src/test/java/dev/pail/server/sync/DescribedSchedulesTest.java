package dev.pail.server.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Batch;
import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.car.CarExport;
import dev.pail.car.CarReader;
import dev.pail.clock.Description;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.remote.Exchange;
import dev.pail.remote.HttpRemote;
import dev.pail.remote.PushMode;
import dev.pail.remote.Remote;
import dev.pail.remote.RemoteException;
import dev.pail.remote.RepositoryRemote;
import dev.pail.repository.CopyOptions;
import dev.pail.repository.Repository;
import dev.pail.repository.RepositoryCopy;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.repository.model.ImportOptions;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.PailChange;
import dev.pail.server.PailServer;
import dev.pail.table.Document;
import dev.pail.table.FieldPath;
import dev.pail.table.Tables;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random schedules on three replicas, whose authors and clocks differ: changes, reverts, pushes, pulls, merges, CARs and copies, between
 * memory, folders and servers. After each step, all replicas agree about who made which change, and when.
 */
class DescribedSchedulesTest {
    private static final String MAIN = Repository.MAIN;
    private static final FieldPath CITY = FieldPath.parse("city");

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    @Test
    void eachReplicaSaysWhoMadeAChange_DE1_DE7_DE9() {
        long seed = Randomness.seed("DescribedSchedulesTest");
        Map<String, Integer> steps = new HashMap<>();
        int schedules = schedules();
        for (int i = 0; i < schedules; i++) {
            try (Schedule schedule = new Schedule(i, new Random(seed + i))) {
                schedule.run(steps);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("schedule " + i + " of -Dpail.seed=" + seed + ": " + e.getMessage(), e);
            }
        }
        System.out.println("DescribedSchedulesTest: " + steps);
        assertThat(steps.keySet()).containsAll(always());
    }

    /** How many schedules there are. */
    int schedules() {
        return Randomness.times(200, 10_000);
    }

    /** What happens in this many schedules, with any seed. */
    List<String> always() {
        return List.of("corrected", "repaired", "chain", "revert", "HTTP", "folder");
    }

    /** An empty repository in another store, if some are to be in the schedules. */
    Optional<Repository> elsewhere() {
        return Optional.empty();
    }

    private static Pail people(Pail pail) {
        return Tables.of(pail).create("people").createIndex(CITY).pail();
    }

    /** A change that a replica made with a note. */
    private record Made(Note note, Instant time) {}

    private final class Schedule implements AutoCloseable {
        private final Random random;
        private final List<Replica> replicas = new ArrayList<>();

        /** The bytes of each event, and the description of each change by its last event. */
        private final Map<Cid, Block> events = new HashMap<>();

        private final Map<Cid, Made> made = new LinkedHashMap<>();
        private Map<String, Integer> steps = new HashMap<>();

        Schedule(int number, Random random) {
            this.random = random;
            // Servers and folders take long to make.
            boolean hasServers = number % 8 == 3;
            boolean hasFolder = number % 8 == 5;
            for (int i = 0; i < 3; i++) {
                boolean isFolder = hasFolder && i == 1;
                Optional<Repository> elsewhere = i == 2 ? elsewhere() : Optional.empty();
                Repository repository = isFolder
                        ? FileRepository.init(folder.resolve("" + number), ShardFormat.v1())
                        : elsewhere.orElseGet(() -> Repository.inMemory(ShardFormat.v1()));
                replicas.add(new Replica(i, repository.with(Tables.mergeRules()), hasServers));
            }
        }

        void run(Map<String, Integer> counts) {
            steps = counts;
            replicas.stream()
                    .filter(each -> FileRepository.of(each.repository).isPresent())
                    .forEach(each -> count("folder"));
            replicas.get(0).change(DescribedSchedulesTest::people);
            replicas.get(1).pull(replicas.get(0), MergeOptions.DEFAULT);
            replicas.get(2).pull(replicas.get(1), MergeOptions.DEFAULT);
            for (int left = 6 + random.nextInt(10); left > 0; left--) {
                Replica one = replicas.get(random.nextInt(3));
                Replica other = replicas.get((one.number + 1 + random.nextInt(2)) % 3);
                step(one, other);
                events(one);
                events(other);
            }
            Replica one = replicas.get(random.nextInt(3));
            Replica other = replicas.get((one.number + 1) % 3);
            one.pull(other, MergeOptions.DEFAULT);
            other.pull(one, MergeOptions.DEFAULT);
            one.change(pail -> pail.put("both", value(pail, "of one")));
            other.change(pail -> pail.put("both", value(pail, "of the other")));
            one.pull(other, policy());
            replicas.forEach(this::check);
        }

        private void step(Replica one, Replica other) {
            switch (random.nextInt(random.nextInt(8) == 0 ? 17 : 16)) {
                case 0, 1 -> one.change(pail -> pail.put(key(), value(pail)));
                case 2 -> one.change(pail -> pail.delete(key()));
                case 3 -> one.change(pail -> batch(pail, 2 + random.nextInt(20)));
                case 4, 5, 6 -> one.change(this::rows);
                case 7 -> one.revert();
                case 8 -> one.repository.update(MAIN, pail -> pail.put(key(), value(pail)));
                case 9, 10 -> one.pull(other, MergeOptions.DEFAULT);
                case 11 -> one.pull(other, policy());
                case 12 -> one.push(other, PushMode.MERGE);
                case 13 -> one.push(other, PushMode.FAST_FORWARD);
                case 14 -> one.take(other);
                case 15 -> one.copy(other);
                default -> {
                    one.change(pail -> batch(pail, 5001 + random.nextInt(200)));
                    count("chain");
                }
            }
        }

        private void count(String what) {
            steps.merge(what, 1, Integer::sum);
        }

        private String key() {
            return "k" + random.nextInt(12);
        }

        private Cid value(Pail pail) {
            return value(pail, "value " + random.nextInt(50));
        }

        private static Cid value(Pail pail, String text) {
            Block block = Block.of(Cid.RAW, text.getBytes(StandardCharsets.UTF_8));
            pail.blocks().put(block);
            return block.cid();
        }

        private Pail batch(Pail pail, int keys) {
            Cid value = value(pail);
            Batch batch = pail.batch();
            for (int i = 0; i < keys; i++) {
                batch.put("k" + i, value);
            }
            return batch.commit();
        }

        private Pail rows(Pail pail) {
            Tables tables = Tables.of(pail);
            if (tables.find("people").isEmpty()) {
                // A revert may have taken it away.
                return people(pail);
            }
            for (int left = 1 + random.nextInt(3); left > 0; left--) {
                String id = "p" + random.nextInt(6);
                String row =
                        "{\"city\":\"" + (char) ('a' + random.nextInt(4)) + "\",\"age\":" + random.nextInt(90) + "}";
                tables = Tables.of(
                        random.nextInt(5) == 0
                                ? tables.table("people").delete(id).pail()
                                : tables.table("people")
                                        .put(id, Document.parse(row))
                                        .pail());
            }
            return tables.pail();
        }

        private MergeOptions policy() {
            return MergeOptions.DEFAULT.withPolicy(
                    switch (random.nextInt(4)) {
                        case 0 -> MergePolicy.ours();
                        case 1 -> MergePolicy.theirs();
                        case 2 -> MergePolicy.resolve(conflict -> Optional.empty());
                        default -> MergePolicy.fail();
                    });
        }

        /** The events that no replica had before are those of the step. All copies of an event are the same block. */
        private Set<Cid> events(Replica replica) {
            MerkleClock clock = MerkleClock.open(replica.repository.blocks());
            Set<Cid> recent = new HashSet<>();
            for (Cid cid : clock.history(replica.repository.head(MAIN))) {
                Block block = clock.event(cid).block();
                Block before = events.putIfAbsent(cid, block);
                if (before == null) {
                    recent.add(cid);
                } else {
                    assertThat(block.bytes()).isEqualTo(before.bytes());
                }
            }
            return recent;
        }

        /** Nobody wrote what a merge or a repair added. */
        private void merged(String how, Replica where) {
            Set<Cid> added = events(where);
            for (Cid cid : added) {
                assertThat(Event.fromBlock(events.get(cid)).isDescribed())
                        .as("%s made %s", how, cid)
                        .isFalse();
                count(how.equals("policy") ? "corrected" : "repaired");
            }
        }

        private void check(Replica replica) {
            try (Stream<HistoryEntry> history = replica.repository.history().of(MAIN)) {
                Set<Cid> listed = new HashSet<>();
                for (HistoryEntry entry : history.toList()) {
                    assertThat(entry.events())
                            .allMatch(listed::add)
                            .endsWith(entry.event().cid());
                    Made wanted = made.get(entry.event().cid());
                    Optional<Description> description = entry.event().description();
                    if (wanted == null) {
                        assertThat(description).isEmpty();
                    } else {
                        assertThat(entry.note()).isEqualTo(wanted.note);
                        assertThat(entry.time()).contains(wanted.time);
                        assertThat(description.map(Note::of)).contains(wanted.note);
                    }
                    for (Cid cid : entry.events()) {
                        Description part =
                                Event.fromBlock(events.get(cid)).description().orElse(null);
                        assertThat(part == null ? null : Note.of(part))
                                .isEqualTo(description.map(Note::of).orElse(null));
                    }
                }
                assertThat(listed)
                        .containsExactlyInAnyOrderElementsOf(
                                MerkleClock.open(replica.repository.blocks()).history(replica.repository.head(MAIN)));
            }
        }

        @Override
        public void close() {
            replicas.forEach(Replica::close);
        }

        private final class Replica implements AutoCloseable {
            final int number;
            final Repository repository;
            private final Optional<PailServer> server;

            /** Hours apart from those of the others, and may go back. */
            private long clock;

            Replica(int number, Repository repository, boolean hasServer) {
                this.number = number;
                this.repository = repository;
                this.server =
                        hasServer ? Optional.of(PailServer.over(repository).start()) : Optional.empty();
                this.clock = 1_700_000_000_000L + random.nextInt(100_000_000);
            }

            private Made made() {
                clock += random.nextInt(2000) - 200;
                String message = random.nextInt(4) == 0 ? null : "change " + made.size();
                return new Made(
                        Note.of("Author " + number + " <" + number + "@example.org>", message),
                        Instant.ofEpochMilli(clock));
            }

            void change(PailChange<RuntimeException> change) {
                Made next = made();
                noted(
                        repository
                                .withNote(next.note, next.time)
                                .update(MAIN, change)
                                .isChanged(),
                        next);
            }

            private void noted(boolean isChanged, Made next) {
                if (isChanged) {
                    assertThat(repository.head(MAIN).events()).hasSize(1);
                    assertThat(made)
                            .doesNotContainKey(repository.head(MAIN).events().get(0));
                    made.put(repository.head(MAIN).events().get(0), next);
                    assertThat(events(this)).isNotEmpty();
                }
            }

            void revert() {
                List<Cid> history = MerkleClock.open(repository.blocks()).history(repository.head(MAIN));
                Cid event = history.get(random.nextInt(history.size()));
                if (!made.containsKey(event)) {
                    return;
                }
                Made next = made();
                Head before = repository.head(MAIN);
                repository.withNote(next.note, next.time).revert(MAIN, event, MergePolicy.ours());
                noted(!repository.head(MAIN).equals(before), next);
                count("revert");
            }

            private Remote remote() {
                count(server.isPresent() ? "HTTP" : "direct");
                return server.map(at -> (Remote) HttpRemote.open(
                                "http://127.0.0.1:" + at.address().getPort(), Optional.empty()))
                        .orElseGet(() -> RepositoryRemote.of(repository, "there"));
            }

            /** A note of a merge goes into the log alone. */
            private Repository merging() {
                Made next = made();
                return random.nextBoolean() ? repository.withNote(next.note, next.time) : repository;
            }

            void pull(Replica from, MergeOptions options) {
                try (Remote remote = from.remote()) {
                    assertThat(Exchange.of(merging(), "r" + from.number, remote)
                                    .pull(MAIN, options)
                                    .root())
                            .isEqualTo(repository.root(MAIN));
                } catch (MergeConflictException e) {
                    count("refused");
                }
                merged(options.policy().isPresent() ? "policy" : "pull", this);
            }

            void push(Replica to, PushMode mode) {
                try (Remote remote = to.remote()) {
                    assertThat(Exchange.of(merging(), "r" + to.number, remote)
                                    .push(MAIN, mode)
                                    .branch()
                                    .head())
                            .isEqualTo(to.repository.head(MAIN));
                } catch (RemoteException e) {
                    assertThat(mode).isEqualTo(PushMode.FAST_FORWARD);
                    count("refused");
                }
                merged("push", to);
            }

            void take(Replica from) {
                ByteArrayOutputStream car = new ByteArrayOutputStream();
                CarExport.of(
                                from.repository.blocks(),
                                from.repository.head(MAIN).events())
                        .writeTo(car, "car");
                try (CarReader reader = CarReader.of(new ByteArrayInputStream(car.toByteArray()), "car")) {
                    assertThat(merging().take(MAIN, reader, ImportOptions.DEFAULT))
                            .isNotNull();
                }
                merged("take", this);
                count("take");
            }

            void copy(Replica to) {
                assertThat(RepositoryCopy.of(repository, to.repository, CopyOptions.DEFAULT)
                                .run())
                        .isNotEmpty();
                merged("copy", to);
                count("copy");
            }

            @Override
            public void close() {
                server.ifPresent(PailServer::close);
                repository.close();
            }
        }
    }
}
