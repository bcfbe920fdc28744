package dev.pail.repository.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ShardFormat;
import dev.pail.clock.Event;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.MemoryBlocks;
import dev.pail.repository.MemoryRefs;
import dev.pail.repository.Repository;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.repository.model.HistoryEntry.Origin;
import dev.pail.repository.model.Note;
import dev.pail.repository.refs.Refs;
import dev.pail.testkit.HandClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against the whole of each log. */
class EventOriginsTest {
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    private final HandClock clock = new HandClock();
    private final MemoryRefs refs = new MemoryRefs(clock);
    private final Map<Cid, Origin> origins = new HashMap<>();
    private List<Event> events;

    /** A branch with 60 events, and another one at the newest of them. */
    @BeforeEach
    void fill() {
        Repository repository = Repository.open(refs, new MemoryBlocks(), ShardFormat.v1());
        for (int i = 0; i < 60; i++) {
            String key = "key" + i;
            repository.update("main", pail -> pail.put(key, VALUE));
            origins.put(repository.head("main").events().get(0), new Origin(clock.instant(), false, Note.NONE));
            clock.pass(Duration.ofHours(1));
        }
        repository.branches().create("other", repository.head("main"));
        events = repository.history().of("main").map(HistoryEntry::event).toList();
    }

    private static HistoryEntry entry(EventOrigins origins, Event event) {
        return origins.entry(event, List.of(event.cid()), event.parents(), 1, List.of());
    }

    @Test
    void tellsTheTimeOfEachEventThatIsPassed() {
        EventOrigins of = new EventOrigins(new Refs(refs), 4, 1000);
        assertThat(entry(of, events.get(4)).origin()).isEmpty();
        for (Event event : events) {
            of.pass();
            assertThat(entry(of, event).origin()).isEqualTo(Optional.of(origins.get(event.cid())));
        }
        assertThat(entry(of, events.get(0)).branches()).containsExactly("main", "other");
        assertThat(entry(of, events.get(1)).branches()).isEmpty();
    }

    @Test
    void readsNoMoreThanTheMost() {
        EventOrigins of = new EventOrigins(new Refs(refs), 4, 20);
        events.forEach(event -> of.pass());
        assertThat(entry(of, events.get(19)).origin()).isPresent();
        assertThat(entry(of, events.get(20)).origin()).isEmpty();
    }

    @Test
    void knowsNothingWithoutLogs() {
        HistoryEntry entry = entry(new EventOrigins(null), events.get(0));
        assertThat(entry.origin()).isEmpty();
        assertThat(entry.branches()).isEmpty();
    }
}
