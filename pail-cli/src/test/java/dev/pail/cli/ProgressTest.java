package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The line that tells how far long work has come. */
class ProgressTest {
    private static final long SECOND = 1_000_000_000L;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Terminal terminal = new Terminal(
            InputStream.nullInputStream(), new ByteArrayOutputStream(), err, Map.of(), Path.of("."), false, true);
    private long now = 5;

    private Progress progress(Lines lines) {
        return new Progress(terminal, "keys", lines, () -> now);
    }

    private static Lines lines(int size, long known) {
        Lines lines = new Lines(new Spool(new ByteArrayInputStream(new byte[size])), "-", known);
        lines.next();
        return lines;
    }

    private String shown() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void tellsCountRateBytesAndTimeLeft() {
        try (Progress progress = progress(lines(1 << 20, 4 << 20))) {
            progress.step();
            assertThat(shown()).isEmpty();
            now += 2 * SECOND;
            progress.step();
        }
        assertThat(shown()).isEqualTo("\r2 keys, 1 a second, 1.0 MiB of 4.0, 6 s left\u001b[K\r\u001b[K");
    }

    @Test
    void tellsNoTimeLeftWhereTheSizeIsNotKnown() {
        Progress progress = progress(lines(3 << 20, -1));
        now += SECOND;
        progress.step();
        assertThat(shown()).isEqualTo("\r1 keys, 1 a second, 3.0 MiB\u001b[K");
    }

    @Test
    void isNotShownMoreOftenThanItCanBeRead() {
        Progress progress = progress(lines(1, 1));
        for (int i = 0; i < 1000; i++) {
            now += SECOND / 1000;
            progress.step();
        }
        assertThat(shown().chars().filter(c -> c == '\r')).hasSize(6);
    }

    @Test
    void ofShortWorkIsNotShownAtAll() {
        try (Progress progress = progress(lines(1, 1))) {
            progress.step();
        }
        assertThat(shown()).isEmpty();
    }
}
