package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ShardFormat;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.LogEntry;
import dev.pail.repository.Note;
import dev.pail.repository.Repository;
import dev.pail.testkit.disk.MemoryTempDir;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against the whole of each log. */
class EventMovesTest {
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private final Map<Cid, Instant> times = new HashMap<>();

    /** The events of a branch with 60 of them, newest first. */
    private List<Cid> fill(Repository repository) {
        for (int i = 0; i < 60; i++) {
            String key = "key" + i;
            repository.update("main", pail -> pail.put(key, VALUE));
        }
        repository.createBranch("other", repository.head("main"));
        List<Cid> events = new ArrayList<>();
        for (LogEntry move : repository.log("main").toList()) {
            events.addAll(move.to().events());
            times.put(move.to().events().get(0), move.time());
        }
        return events;
    }

    @Test
    void tellsTheTimeOfEachEventThatIsPassed() {
        try (Repository repository = Repository.init(folder.resolve("r"), ShardFormat.v1())) {
            List<Cid> events = fill(repository);
            EventMoves moves = new EventMoves(repository, 4, 1000);
            assertThat(moves.of(events.get(4))).isNull();
            for (Cid event : events) {
                moves.pass();
                assertThat(moves.of(event)).isEqualTo(new EventMoves.Move(times.get(event), false, Note.NONE));
            }
            assertThat(moves.branches(events.get(0))).containsExactly("main", "other");
            assertThat(moves.branches(events.get(1))).isNull();
        }
    }

    @Test
    void readsNoMoreThanTheMost() {
        try (Repository repository = Repository.init(folder.resolve("r"), ShardFormat.v1())) {
            List<Cid> events = fill(repository);
            EventMoves moves = new EventMoves(repository, 4, 20);
            events.forEach(event -> moves.pass());
            assertThat(moves.of(events.get(19))).isNotNull();
            assertThat(moves.of(events.get(20))).isNull();
        }
    }

    @Test
    void knowsNothingWithoutLogs() {
        EventMoves moves = new EventMoves(null);
        moves.pass();
        assertThat(moves.isEmpty()).isTrue();
        assertThat(moves.of(VALUE)).isNull();
    }
}
