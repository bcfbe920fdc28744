package dev.pail.repository.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.ShardFormat;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.MemoryBlocks;
import dev.pail.repository.MemoryRefs;
import dev.pail.repository.Repository;
import dev.pail.repository.VersionHistory;
import dev.pail.repository.model.RepositoryException;
import dev.pail.testkit.HandClock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Revisions by time (spec rule REP27). */
class RevisionTimeTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Instant NOW = Instant.parse("2026-11-25T22:30:00Z");
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    private final HandClock clock = new HandClock();
    private final Repository repository = Repository.open(new MemoryRefs(clock), new MemoryBlocks(), ShardFormat.v1());

    @ParameterizedTest
    @CsvSource({
        "2026-11-20, 2026-11-20T23:00:00Z",
        "2026-07-20, 2026-07-20T22:00:00Z",
        "today, 2026-11-25T23:00:00Z",
        "Yesterday, 2026-11-24T23:00:00Z",
        "2026-11-20 14:30, 2026-11-20T13:31:00Z",
        "2026-11-20T14:30:05, 2026-11-20T13:30:06Z",
        "2026-11-20T14:30:05Z, 2026-11-20T14:30:06Z",
        "2026-11-20T14:30Z, 2026-11-20T14:31:00Z",
        "2026-11-20 14:30:05.25+05:30, 2026-11-20T09:00:05.250000001Z",
        "2 hours ago, 2026-11-25T20:30:00.000000001Z",
        "1 week ago, 2026-11-18T22:30:00.000000001Z",
        "999999999 weeks ago, -19163323-11-14T22:30:00.000000001Z",
        // The hour that there is not when summer begins, and the one that there is twice when it ends.
        "2026-03-29 02:30, 2026-03-29T01:31:00Z",
        "2026-10-25 02:30, 2026-10-25T00:31:00Z",
    })
    void theEndOfATime_REP27(String text, String end) {
        assertThat(RevisionTime.of(text, NOW, BERLIN).map(RevisionTime::end)).contains(Instant.parse(end));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-20, 2026-11-19T23:00:00Z",
        "yesterday, 2026-11-23T23:00:00Z",
        "2026-11-20 14:30, 2026-11-20T13:30:00Z",
        "2026-11-20T14:30:05Z, 2026-11-20T14:30:05Z",
        "2 hours ago, 2026-11-25T20:30:00Z",
    })
    void theBeginOfATime(String text, String begin) {
        assertThat(VersionHistory.beginOf(text, NOW, BERLIN)).isEqualTo(Instant.parse(begin));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "now",
                "2026",
                "2026-2-3",
                "2026-02-30",
                "2026-11-20 25:00",
                "2026-11-20 14",
                "2026-11-20 14:30.5",
                "2026-11-20  14:30",
                "-1 hours ago",
                "1 year ago",
                "9999999999 hours ago",
                "2026-11-20Z",
                "+2026-11-20",
                "2026-11-20 14:30+99:00",
                "\u0662\u0660\u0662\u0666-11-20"
            })
    void notATime(String text) {
        assertThat(RevisionTime.of(text, NOW, BERLIN)).isEmpty();
        assertThatThrownBy(() -> VersionHistory.endOf(text, NOW, BERLIN)).hasMessageStartingWith("not a time: ");
    }

    private Head put(String key) {
        repository.update("main", pail -> pail.put(key, VALUE));
        return repository.head("main");
    }

    private Head at(String text) {
        return repository.resolve(text, BERLIN).head().orElseThrow();
    }

    /** The clock begins with the first moment of 2026 in UTC, which is one o'clock in Berlin. */
    @Test
    void namesWhereABranchStood_REP27() {
        clock.pass(Duration.ofMillis(731));
        Head one = put("a");
        clock.pass(Duration.ofHours(22));
        Head two = put("b");
        clock.pass(Duration.ofHours(2));
        Head three = put("c");
        assertThat(at("@{2026-01-01}")).isEqualTo(two);
        assertThat(at("@{yesterday}")).isEqualTo(two);
        assertThat(at("main@{today}")).isEqualTo(three);
        assertThat(at("main@{2027-01-01}")).isEqualTo(three);
        assertThat(at("@{2 hours ago}")).isEqualTo(two);
        assertThat(at("@{3 hours ago}")).isEqualTo(one);
        // As a listing prints it, without the fraction.
        assertThat(at("@{2026-01-01T00:00:00Z}")).isEqualTo(one);
        assertThat(at("@{2026-01-01 01:00}")).isEqualTo(one);
        assertThat(repository.resolve("@{1}").head()).contains(two);
        assertThat(at("@2026-01-01")).isEqualTo(two);
        assertThat(at("main@yesterday")).isEqualTo(two);
        assertThat(at("HEAD@3 hours ago")).isEqualTo(one);
        assertThat(at("@1")).isEqualTo(two);
        assertThat(at("HEAD@{2}")).isEqualTo(one);
    }

    @Test
    void aTimeBeforeTheLogIsAnError_REP27() {
        assertThatThrownBy(() -> at("@{today}")).hasMessage("main has no version of today: it was never moved");
        put("a");
        assertThatThrownBy(() -> at("main@{2025-12-31 23:59}"))
                .isInstanceOfSatisfying(
                        RepositoryException.class,
                        e -> assertThat(e.reason()).isEqualTo(RepositoryException.Reason.NO_VERSION))
                .hasMessage("main has no version of 2025-12-31 23:59: its log begins at 2026-01-01T00:00:00Z");
        assertThatThrownBy(() -> at("side@{today}")).hasMessageContaining("no branch side");
        assertThatThrownBy(() -> at("main@{noon}"))
                .isInstanceOfSatisfying(
                        RepositoryException.class,
                        e -> assertThat(e.reason()).isEqualTo(RepositoryException.Reason.NAME))
                .hasMessageContaining("neither a number of moves nor a time");
        assertThatThrownBy(() -> at("main@noon"))
                .hasMessageContaining("neither a number of moves nor a time: \"noon\"");
        assertThatThrownBy(() -> at("@{1")).hasMessageContaining("names no version");
    }

    /** A removed branch keeps its log. */
    @Test
    void namesWhereARemovedBranchStood_REP27() {
        Head head = put("a");
        repository.branches().create("side", head);
        clock.pass(Duration.ofHours(1));
        repository.branches().remove("side");
        assertThat(at("side@{1 hour ago}")).isEqualTo(head);
        assertThat(at("side@{today}")).isEqualTo(Head.empty());
    }
}
