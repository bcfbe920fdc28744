package dev.pail.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.StoreLockedException;
import dev.pail.disk.Disk;
import dev.pail.disk.HookedDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WriterLockTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** A disk whose lock somebody else holds, and whose clock is set back while that is waited for. */
    private static final class SetBack {
        private Instant now = Instant.parse("2026-01-01T12:00:00Z");
        private Duration waited = Duration.ZERO;
        private boolean isSetBack;

        Disk disk() {
            return HookedDisk.of(Disk.system(), (call, file, made) -> switch (call) {
                case "now" -> now;
                case "tryLock" -> Optional.empty();
                case "holder" -> "somebody else";
                case "pause" -> pause(Duration.ofMillis((long) made.arguments[0]));
                default -> throw new AssertionError(call);
            });
        }

        private Instant pause(Duration time) {
            now = now.plus(time);
            waited = waited.plus(time);
            if (!isSetBack && waited.compareTo(PATIENCE.dividedBy(2)) > 0) {
                isSetBack = true;
                now = now.minus(Duration.ofHours(1));
            }
            if (waited.compareTo(PATIENCE.multipliedBy(3)) > 0) {
                throw new AssertionError("still waiting after " + waited);
            }
            return now;
        }
    }

    @Test
    void whoWaitsWhileTheClockIsSetBackWaitsNoLongerThanThereIsPatienceFromThenOn() {
        SetBack clock = new SetBack();
        WriterLock lock = new WriterLock(clock.disk(), Path.of("none"), PATIENCE);
        assertThatExceptionOfType(StoreLockedException.class)
                .isThrownBy(lock::take)
                .satisfies(e -> assertThat(e.holder()).isEqualTo("somebody else"));
        assertThat(clock.waited).isBetween(PATIENCE, PATIENCE.multipliedBy(2));
    }
}
