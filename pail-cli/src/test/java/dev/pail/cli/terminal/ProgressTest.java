package dev.pail.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Answer;
import dev.pail.cli.Line;
import dev.pail.cli.Shell;
import dev.pail.cli.text.Lines;
import dev.pail.cli.text.RewindableInput;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The line that tells how far long work has come. */
class ProgressTest {
    private static final long SECOND = 1_000_000_000L;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Terminal terminal = new Terminal(
            new Terminal.Streams(
                    InputStream.nullInputStream(), new ByteArrayOutputStream(), err, Set.of(Terminal.Standard.ERR)),
            Map.of(),
            Path.of("."));
    private long now = 5;

    private Progress progress(Lines lines) {
        terminal.clock = () -> now;
        return new Progress(terminal, "keys", lines::bytes, lines.size());
    }

    private static Lines lines(int size, long known) {
        Lines lines = new Lines(new RewindableInput(new ByteArrayInputStream(new byte[size])), "-", known, '\n');
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

    /** If steps come in portions, the first report comes after a whole portion. */
    @Test
    void tellsNoTimeLeftBeforeMuchIsDone() {
        Progress progress = progress(lines(1 << 20, 101 << 20));
        now += SECOND;
        progress.step();
        assertThat(shown()).isEqualTo("\r1 keys, 1 a second, 1.0 MiB\u001b[K");
    }

    @Test
    void isHiddenUntilTheNextStep() {
        try (Progress progress = progress(lines(1, -1))) {
            progress.hide();
            now += SECOND;
            progress.step();
            progress.hide();
            progress.hide();
            now += SECOND;
            progress.step();
        }
        String hidden = "\r\u001b[K";
        assertThat(shown())
                .isEqualTo("\r1 keys, 1 a second, 0.0 MiB\u001b[K" + hidden + "\r2 keys, 1 a second, 0.0 MiB\u001b[K"
                        + hidden);
    }

    @Test
    void isShownWhileNoStepComes() {
        try (Progress progress = progress(lines(1 << 20, 4 << 20))) {
            progress.tick();
            assertThat(shown()).isEmpty();
            now += 2 * SECOND;
            progress.tick();
        }
        assertThat(shown()).isEqualTo("\rkeys, 2 s, 1.0 MiB of 4.0, 6 s left\u001b[K\r\u001b[K");
    }

    @Test
    void makesRoomForWarnings() {
        try (Progress progress = progress(lines(1, -1))) {
            now += SECOND;
            progress.step();
            terminal.warn("odd");
            progress.hide();
            now += SECOND;
            progress.tick();
        }
        assertThat(shown()).isEqualTo("\r1 keys, 1 a second, 0.0 MiB\u001b[K\r\u001b[Kwarning: odd\n\r\u001b[K");
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

    /** Each look at its clock takes a second there, so that no work is short. */
    @Test
    void isShownByCommandsOnATerminal(@TempDir Path folder) throws IOException {
        Shell shell = Shell.withRepository(folder);
        shell.feed("a\t" + Shell.cid(1) + "\nb\t" + Shell.cid(2) + "\n", "load").done();
        try (Repository repository = FileRepository.open(folder.resolve(".pail"))) {
            for (String value : List.of("1", "2", "3", "4")) {
                repository.blocks().put(Block.of(Cid.RAW, value.getBytes(StandardCharsets.US_ASCII)));
            }
        }
        Shell slow = shell.withSlowErrTerminal();
        for (String command : List.of("load", "apply", "export all.car", "export - --since @{1}")) {
            Answer quiet = slow.feed("", Shell.concat("--progress=never", command.split(" ")));
            assertThat(quiet.err()).as(command).isEmpty();
        }
        assertShown(slow.feed("c\t" + Shell.cid(3) + "\n", "load"), "1 keys, ");
        assertShown(slow.feed(Line.put("d", 4), "apply"), "1 operations, ");
        assertShown(slow.run("export", "all.car"), "blocks, ");
        assertShown(slow.run("export", "-"), "blocks, ");
        assertThat(slow.run("export", "-", "-q").err()).isEmpty();
        assertShown(slow.run("verify"), "blocks, ");

        Shell other = Shell.withRepository(Files.createDirectory(folder.resolve("other")));
        assertThat(other.run("import", "../all.car").done().err()).isEmpty();
        String progress = assertShown(other.withSlowErrTerminal().run("import", "../all.car"), "blocks, ");
        assertThat(progress).containsPattern("1 blocks, .* MiB of 0\\.0, \\d+ s left");
        assertShown(other.withSlowClock().run("import", "../all.car", "--progress", "always"), "blocks, ");
        assertThat(other.withSlowClock().run("import", "../all.car").err()).isEmpty();
    }

    /** Shows this, and leaves nothing of it in the end. */
    private static String assertShown(Answer answer, String part) {
        assertThat(answer.status()).isZero();
        assertThat(answer.err()).startsWith("\r1 ").contains(part).endsWith("\r\u001b[K");
        return answer.err();
    }

    @Test
    void ofShortWorkIsNotShownAtAll() {
        try (Progress progress = progress(lines(1, 1))) {
            progress.step();
        }
        assertThat(shown()).isEmpty();
    }
}
