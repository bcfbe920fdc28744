package dev.pail.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.pail.StoreLockedException;
import dev.pail.disk.Disk;
import dev.pail.testkit.disk.HookedDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriterLockTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** A disk whose lock another process holds, and whose clock is set during the wait. */
    private static final class ClockThatIsSet {
        private Instant now = Instant.parse("2026-01-01T12:00:00Z");
        private Duration waited = Duration.ZERO;
        private final Duration by;
        private boolean isSet;

        ClockThatIsSet(Duration by) {
            this.by = by;
        }

        Disk disk() {
            return HookedDisk.of(Disk.system(), (call, file, made) -> switch (call) {
                case "now" -> now;
                case "tryLock" -> Optional.empty();
                case "holder" -> "another writer";
                case "pause" -> pause(Duration.ofMillis((long) made.arguments[0]));
                default -> throw new AssertionError(call);
            });
        }

        private Instant pause(Duration time) {
            now = now.plus(time);
            waited = waited.plus(time);
            if (!isSet && waited.compareTo(PATIENCE.dividedBy(2)) > 0) {
                isSet = true;
                now = now.plus(by);
            }
            if (waited.compareTo(PATIENCE.multipliedBy(3)) > 0) {
                throw new AssertionError("still waiting after " + waited);
            }
            return now;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1})
    void whoWaitsWhileTheClockIsSetWaitsAsLongAsThereIsPatience(int hours) {
        ClockThatIsSet clock = new ClockThatIsSet(Duration.ofHours(hours));
        WriterLock lock = new WriterLock(clock.disk(), Path.of("none"), PATIENCE);
        assertThatExceptionOfType(StoreLockedException.class)
                .isThrownBy(lock::take)
                .satisfies(e -> assertThat(e.holder()).isEqualTo("another writer"));
        assertThat(clock.waited).isBetween(PATIENCE, PATIENCE.plusMillis(10));
    }

    /** No other code could release it. */
    @Test
    void anErrorLeavesTheLockFree(@TempDir Path folder) {
        boolean reached = true;
        for (int at = 1; reached; at++) {
            AtomicInteger left = new AtomicInteger(at);
            Disk disk = HookedDisk.of(Disk.system(), (call, file, made) -> {
                if (call.equals("now") && left.decrementAndGet() == 0) {
                    throw new StackOverflowError("thrown by a test");
                }
                return made.make();
            });
            WriterLock.Turns turns = new WriterLock(disk, folder, Duration.ZERO).turns();
            try {
                turns.holding(() -> "");
                turns.holding(() -> "");
            } catch (StackOverflowError e) {
                assertThat(left.get()).isNotPositive();
            }
            reached = left.getAndSet(Integer.MAX_VALUE) <= 0;
            new WriterLock(Disk.system(), folder, Duration.ZERO).take().close();
            turns.holding(() -> "");
            assertThat(at > 4 || reached).isTrue();
        }
    }

    /** The file names who took the lock last, and another may hold it who has not written that yet. */
    @Test
    void namesNoProcessThatHasEnded() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        assertThat(holder(ended.pid())).isEqualTo("another writer");
        assertThat(holder(ProcessHandle.current().pid())).startsWith("process ");
    }

    private static String holder(long pid) {
        Disk disk = HookedDisk.of(Disk.system(), (call, file, made) -> switch (call) {
            case "now" -> Instant.EPOCH;
            case "tryLock" -> Optional.empty();
            case "holder" -> "process " + pid + ", which writes since 2026-01-01T12:00:00Z";
            default -> throw new AssertionError(call);
        });
        return catchThrowableOfType(
                        StoreLockedException.class, () -> new WriterLock(disk, Path.of("none"), Duration.ZERO).take())
                .holder();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0})
    void whoHasNoPatienceDoesNotWait(int seconds) {
        ClockThatIsSet clock = new ClockThatIsSet(Duration.ZERO);
        WriterLock lock = new WriterLock(clock.disk(), Path.of("none"), Duration.ofSeconds(seconds));
        assertThatExceptionOfType(StoreLockedException.class).isThrownBy(lock::take);
        assertThat(clock.waited).isZero();
    }
}
