package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.MissingBlockException;
import dev.pail.ShardFormat;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RepositoryException;
import dev.pail.testkit.HandClock;
import dev.pail.testkit.Randomness;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The events that lead to a version, and the changes of a key. */
class EventHistoryTest {
    private final HandClock clock = new HandClock();
    private final RestlessRefs refs = new RestlessRefs(clock);
    private final OddBlocks blocks = new OddBlocks();
    private final Repository repository = Repository.open(refs.store(), blocks, ShardFormat.v1());

    private static Cid value(int number) {
        return Block.of(Cid.RAW, new byte[] {(byte) number, (byte) (number >> 8)})
                .cid();
    }

    private void put(String branch, String key, int number) {
        repository.update(branch, pail -> pail.put(key, value(number)));
        clock.pass(Duration.ofMinutes(1));
    }

    private List<Cid> events(String revision) {
        return repository
                .history()
                .of(revision)
                .map(entry -> entry.event().cid())
                .toList();
    }

    /** Each event once, before those that it follows; the newest come first. */
    @Test
    void eachEventComesBeforeThoseThatItFollows() {
        Random random = Randomness.random("EventHistoryTest");
        List<String> branches = List.of("main", "one", "two");
        put("main", "base", 0);
        branches.stream().skip(1).forEach(branch -> repository.branches().create(branch, repository.head("main")));
        for (int i = 0; i < 60; i++) {
            String branch = branches.get(random.nextInt(branches.size()));
            String other = branches.get(random.nextInt(branches.size()));
            if (random.nextInt(3) == 0) {
                repository.change(branch, "merge", replica -> replica.merge(repository.head(other)));
            } else {
                put(branch, "key" + random.nextInt(5), i);
            }
            Head head = repository.head(branch);
            Set<Cid> due = new HashSet<>(head.events());
            Set<Cid> seen = new HashSet<>();
            for (HistoryEntry entry : repository.history().of(branch).toList()) {
                Event event = entry.event();
                assertThat(seen.add(event.cid())).isTrue();
                assertThat(due.remove(event.cid()))
                        .as("known by an event before")
                        .isTrue();
                assertThat(event.parents()).noneMatch(seen::contains);
                due.addAll(event.parents());
            }
            assertThat(due).isEmpty();
        }
    }

    /** Two events side by side, each with 50 before it. */
    private void makeSides() {
        put("main", "base", 0);
        repository.branches().create("side", repository.head("main"));
        for (int i = 0; i < 50; i++) {
            put("main", "a", i);
            put("side", "b", i);
        }
        repository.change("main", "merge", replica -> replica.merge(repository.head("side")));
    }

    @Test
    void theFirstEventOfAHeadIsReadAlone() {
        makeSides();
        List<Cid> all = events("main");
        assertThat(all).hasSize(101);
        Repository opened = Repository.open(refs.store(), blocks, ShardFormat.v1());
        blocks.reads = 0;
        assertThat(opened.history().of("main").findFirst().orElseThrow().event().cid())
                .isEqualTo(all.get(0));
        assertThat(blocks.reads).isEqualTo(1);
    }

    /** The head of a revision is found without its shards. */
    @Test
    void aHistoryNeedsNoShard_REP18() {
        put("main", "a", 1);
        put("main", "a", 2);
        blocks.missing.add(repository.root("main"));
        assertThat(events("main")).hasSize(2);
        assertThat(events("main@{1}")).hasSize(1);
        assertThat(repository.resolveHead("main@{0}")).contains(repository.head("main"));
        assertThatThrownBy(() -> repository.resolve("main@{0}")).isInstanceOf(MissingBlockException.class);
    }

    @Test
    void theHistoryOfAKeyHasValueTimeAuthorAndMessage() {
        Instant begin = clock.instant();
        put("main", "a", 1);
        put("main", "b", 2);
        Repository noted = repository.withNote(Note.of("ann", "no longer needed"));
        noted.update("main", pail -> pail.delete("a"));
        List<HistoryEntry> changes = repository.history().of("main", "a").toList();
        assertThat(changes).extracting(HistoryEntry::value).containsExactly(Optional.empty(), Optional.of(value(1)));
        assertThat(changes)
                .extracting(HistoryEntry::time)
                .containsExactly(Optional.of(begin.plus(Duration.ofMinutes(2))), Optional.of(begin));
        assertThat(changes.get(0).note()).isEqualTo(Note.of("ann", "no longer needed"));
        assertThat(changes.get(0).branches()).containsExactly("main");
        assertThat(repository.history().of("main", "absent")).isEmpty();
    }

    @Test
    void eventsFromElsewhereHaveNoTime() {
        put("main", "a", 1);
        Repository other = Repository.open(new MemoryRefs(clock), blocks, ShardFormat.v1());
        other.change("main", "import a.car", replica -> replica.merge(repository.head("main")));
        HistoryEntry entry = other.history().of("main").findFirst().orElseThrow();
        assertThat(entry.time()).isEmpty();
        assertThat(entry.origin().orElseThrow().isImport()).isTrue();
    }

    /** A branch that is removed between the list of branches and the read of its log. */
    @Test
    void passesByABranchThatIsRemovedMeanwhile() {
        put("main", "a", 1);
        repository.branches().create("side", repository.head("main"));
        refs.removeAtRead("side", 1);
        assertThat(repository.history().of("main").findFirst().orElseThrow().branches())
                .containsExactly("main");
        assertThat(repository.history().of("main").findFirst().orElseThrow().branches())
                .containsExactly("main", "side");
    }

    @Test
    void aRootWithoutAHistoryHasNone() {
        String root = repository.pail().put("a", value(1)).root().toString();
        assertThatThrownBy(() -> repository.history().of(root))
                .isInstanceOf(RepositoryException.class)
                .hasMessageContaining("a root without a history");
    }
}
