package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.pail.Batch;
import dev.pail.KeyRange;
import dev.pail.MergePolicy;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.car.CarExport;
import dev.pail.car.CarReader;
import dev.pail.clock.Description;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.Operation;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.files.InitOptions;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.RepositoryException.Reason;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Descriptions in the events of a repository: who has them, and what takes a change of several events as one. */
class DescribedEventsTest {
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();
    private static final Note ANN = Note.of("Ann <ann@example.org>", "milk is needed");

    @TempDir
    Path folder;

    private static Event event(Repository repository) {
        return repository
                .replica("main")
                .clock()
                .event(repository.head("main").events().get(0));
    }

    private static Pail large(Pail pail, String prefix, int keys) {
        Batch batch = pail.batch();
        for (int i = 0; i < keys; i++) {
            batch.put(prefix + i, VALUE);
        }
        return batch.commit();
    }

    private static List<HistoryEntry> log(Repository repository) {
        try (Stream<HistoryEntry> log = repository.history().of("main")) {
            return log.toList();
        }
    }

    @Test
    void aChangeWithANoteIsDescribed_DE11() {
        try (Repository repository = Repository.inMemory()) {
            repository.update("main", pail -> pail.put("a", VALUE));
            assertThat(event(repository).isDescribed()).isFalse();
            Instant before = Instant.now().minusMillis(1);
            repository.withNote(ANN).update("main", pail -> pail.put("b", VALUE));
            Description description = event(repository).description().orElseThrow();
            assertThat(description.author()).isEqualTo(ANN.author());
            assertThat(description.message()).isEqualTo(ANN.message());
            assertThat(description.time().orElseThrow()).isBetween(before, Instant.now());
            repository.withNote(Note.NONE).update("main", pail -> pail.put("c", VALUE));
            assertThat(event(repository).description().orElseThrow().author()).isEmpty();
            assertThat(event(repository).description().orElseThrow().time()).isPresent();
            assertThat(log(repository).get(1).note()).isEqualTo(ANN);
            assertThat(log(repository).get(1).time()).isEqualTo(description.time());
        }
    }

    @Test
    void aRepositoryOfPlainEventsKeepsTheNoteInItsLog_DE11() throws IOException {
        InitOptions plain = InitOptions.of(ShardFormat.v1()).withPlainEvents();
        Path config = folder.resolve("r/config");
        try (Repository repository = FileRepository.init(folder.resolve("r"), plain)) {
            repository.withNote(ANN).update("main", pail -> large(pail, "k", 5001));
            assertThat(event(repository).isDescribed()).isFalse();
            assertThat(log(repository)).hasSize(2);
            assertThat(log(repository).get(0).note()).isEqualTo(ANN);
            assertThat(Files.readString(config)).contains("layout = 3\n").doesNotContain("needs");
            FileRepository.of(repository).orElseThrow().describeEvents();
            assertThat(Files.readString(config)).contains("layout = 4\n").contains("needs = events\n");
        }
        try (Repository repository = FileRepository.open(folder.resolve("r"))) {
            repository.withNote(ANN).update("main", pail -> pail.put("b", VALUE));
            assertThat(event(repository).description().map(Note::of)).contains(ANN);
        }
    }

    @Test
    void aRepositoryOfPlainEventsRefusesDescribedOnes_DE11() {
        InitOptions plain = InitOptions.of(ShardFormat.v1()).withPlainEvents();
        try (Repository other = Repository.inMemory();
                Repository repository = FileRepository.init(folder.resolve("r"), plain)) {
            other.update("main", pail -> pail.put("a", VALUE));
            other.withNote(ANN).update("main", pail -> pail.put("b", VALUE));
            other.update("main", pail -> pail.put("c", VALUE));
            Head head = other.head("main");
            copy(other, repository);
            Snapshot before = new Snapshot(repository);
            assertThatThrownBy(() -> repository.move(repository.snapshot("main"), head, "test"))
                    .asInstanceOf(type(RepositoryException.class))
                    .satisfies(e -> {
                        assertThat(e.reason()).isEqualTo(Reason.NOT_UNDERSTOOD);
                        assertThat(e).hasMessageContaining("has a description");
                    });
            assertThatThrownBy(() -> repository.tags().create("t", head)).hasMessageContaining("has a description");
            before.isUnchanged();
        }
    }

    private record Snapshot(Repository repository, Head head, List<String> tags) {
        Snapshot(Repository repository) {
            this(repository, repository.head("main"), repository.tags().names());
        }

        void isUnchanged() {
            assertThat(repository.head("main")).isEqualTo(head);
            assertThat(repository.tags().names()).isEqualTo(tags);
        }
    }

    /** Puts all blocks of a history; no ref leads to them. */
    private static void copy(Repository from, Repository to) {
        ByteArrayOutputStream car = new ByteArrayOutputStream();
        CarExport.of(from.blocks(), from.head("main").events()).writeTo(car, "car");
        try (CarReader reader = CarReader.of(new ByteArrayInputStream(car.toByteArray()), "car")) {
            reader.forEach(section -> to.blocks().put(section.block()));
        }
    }

    @Test
    void anUnknownNeedIsRefusedByItsWord_DE12_REP35() throws IOException {
        FileRepository.init(folder.resolve("r"), ShardFormat.v1()).close();
        Path config = folder.resolve("r/config");
        Files.writeString(config, Files.readString(config).replace("needs = events", "needs = events, moonlight"));
        assertThatThrownBy(() -> FileRepository.open(folder.resolve("r")))
                .isInstanceOf(RepositoryException.class)
                .hasMessageContaining("needs \"moonlight\", which this version does not know; it knows events");
        assertThat(Need.parse(" events ,")).isEqualTo(Set.of(Need.EVENTS));
        assertThat(Need.words(Set.of(Need.EVENTS))).isEqualTo("events");
        Files.writeString(
                config,
                Files.readString(config).replace("layout = 4\nneeds = events, moonlight", "layout = 3\nneeds = x"));
        FileRepository.open(folder.resolve("r")).close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5000, 5001, 12_000})
    void aLargeChangeIsOneChange_DE6_DE7_DE8(int keys) {
        try (Repository repository = Repository.inMemory()) {
            repository.update("main", pail -> pail.put("z", VALUE));
            Cid before = repository.root("main");
            Head start = repository.head("main");
            Cid root = repository
                    .withNote(ANN)
                    .update("main", pail -> large(pail, "k", keys))
                    .root();
            Head large = repository.head("main");
            int events = (keys + 4999) / 5000;

            List<HistoryEntry> log = log(repository);
            assertThat(log).hasSize(2);
            assertThat(log.get(0).events()).hasSize(events);
            assertThat(log.get(0).size()).isEqualTo(keys);
            assertThat(log.get(0).changes()).hasSize(keys);
            assertThat(log.get(0).changes().stream().map(change -> change.key()).distinct())
                    .hasSize(keys);
            assertThat(log.get(0).parents()).isEqualTo(start.events());
            assertThat(log.get(0).note()).isEqualTo(ANN);
            try (Stream<HistoryEntry> ofKey = repository.history().of("main", "k" + (keys - 1))) {
                assertThat(ofKey.toList()).singleElement().satisfies(entry -> {
                    assertThat(entry.size()).isEqualTo(keys);
                    assertThat(entry.value()).contains(VALUE);
                });
            }

            for (Cid part : log.get(0).events().subList(0, events - 1)) {
                assertThatThrownBy(() -> repository.move(repository.snapshot("main"), Head.of(part), "test"))
                        .asInstanceOf(type(RepositoryException.class))
                        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.PART_OF_CHANGE));
                assertThatThrownBy(() -> repository.branches().create("b", Head.of(part)))
                        .hasMessageContaining("not the last");
                assertThatThrownBy(() -> repository.tags().create("t", Head.of(part)))
                        .hasMessageContaining("not the last");
            }
            assertThat(repository.head("main")).isEqualTo(large);

            // Each of its events names the change.
            for (Cid part : log.get(0).events()) {
                repository.withNote(ANN).revert("main", part, MergePolicy.fail());
                assertThat(repository.root("main")).isEqualTo(before);
                assertThat(log(repository)).hasSize(3);
                assertThat(log(repository).get(0).events()).hasSize(events);
                Cid revert = repository.head("main").events().get(0);
                repository.withNote(ANN).revert("main", revert, MergePolicy.fail());
                assertThat(repository.root("main")).isEqualTo(root);
                repository.undo(repository.snapshot("main"), 2);
                assertThat(repository.head("main")).isEqualTo(large);
            }
        }
    }

    /** Without a note, and in a repository whose log does not know the change. */
    @Test
    void aLargeChangeIsOneChangeInACopy_DE8() {
        try (Repository from = Repository.inMemory();
                Repository to = Repository.inMemory()) {
            from.update("main", pail -> pail.put("z", VALUE));
            Cid before = from.root("main");
            from.update("main", pail -> large(pail, "k", 12_000));
            from.update("main", pail -> pail.put("y", VALUE));
            copy(from, to);
            to.move(to.snapshot("main"), from.head("main"), "push");
            assertThat(log(to)).hasSize(3);
            assertThat(log(to).get(1).events()).hasSize(3);
            assertThat(log(to).get(1).note().isEmpty()).isTrue();
            to.revert("main", log(to).get(1).events().get(1), MergePolicy.fail());
            assertThat(to.pail().count(KeyRange.all())).isEqualTo(2);
            to.update("main", pail -> pail.delete("y"));
            assertThat(to.root("main")).isEqualTo(before);
        }
    }

    @Test
    void whatAMergeAddsIsPlain_DE9() {
        try (Repository one = Repository.inMemory();
                Repository two = Repository.inMemory()) {
            Cid other = Block.of(Cid.RAW, new byte[] {2}).cid();
            one.withNote(ANN).update("main", pail -> pail.put("a", VALUE).put("b", VALUE));
            copy(one, two);
            two.move(two.snapshot("main"), one.head("main"), "push");
            one.withNote(ANN).update("main", pail -> pail.put("a", other));
            two.withNote(Note.of("Bob", "why")).update("main", pail -> pail.delete("a"));
            Head ours = one.head("main");
            Head theirs = two.head("main");
            copy(one, two);
            copy(two, one);
            MergeOptions keepsOther =
                    MergeOptions.DEFAULT.withPolicy(MergePolicy.resolve(conflict -> Optional.of(other)));
            one.withNote(ANN).branches().create("theirs", theirs);
            two.branches().create("theirs", ours);
            assertThat(one.withNote(ANN).merge("main", "theirs", keepsOther).conflicts())
                    .hasSize(1);
            two.withNote(Note.of("Bob", "why")).merge("main", "theirs", keepsOther);
            assertThat(event(one).isDescribed()).isFalse();
            assertThat(two.head("main")).isEqualTo(one.head("main"));
        }
    }

    @Test
    void aDescriptionCountsInTheSizeOfAnEvent_M7() {
        try (Repository repository = Repository.inMemory(ShardFormat.v0())) {
            repository.withNote(Note.of("Ann", "\u20ac".repeat(10_000))).update("main", pail -> {
                Batch batch = pail.batch();
                for (int i = 0; i < 1500; i++) {
                    batch.put("\u20ac".repeat(1000) + i, VALUE);
                }
                return batch.commit();
            });
            HistoryEntry change = log(repository).get(0);
            assertThat(change.events()).hasSizeGreaterThan(2);
            assertThat(change.events())
                    .allSatisfy(event -> assertThat(
                                    repository.blocks().require(event).size())
                            .isBetween(30_000, 1 << 20));
        }
    }

    /** Two events that both claim to end a chain: a hostile history could make a listing read the chain again for each. */
    @Test
    void aChainEndsOnceInAListing_DE7() {
        try (Repository repository = Repository.inMemory()) {
            repository.withNote(ANN).update("main", pail -> large(pail, "k", 5001));
            Event end = event(repository);
            Event first = repository.replica("main").clock().event(end.parents().get(0));
            Operation.Put other = new Operation.Put("other", VALUE);
            Cid root = Pail.open(repository.blocks(), first.root())
                    .put("other", VALUE)
                    .root();
            Event second = Event.of(
                    other, root, List.of(first.cid()), end.description().orElseThrow());
            repository.blocks().put(second.block());
            repository.move(repository.snapshot("main"), Head.of(List.of(end.cid(), second.cid())), "test");
            List<HistoryEntry> log = log(repository);
            assertThat(log).hasSize(2);
            assertThat(log.stream().map(entry -> entry.events().size())).containsExactlyInAnyOrder(2, 1);
            assertThat(log.stream().mapToInt(HistoryEntry::size).sum()).isEqualTo(5002);
        }
    }
}
