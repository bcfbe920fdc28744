package dev.pail.repository.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.clock.Head;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Listing;
import dev.pail.repository.Repository;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.RepositoryException;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A damaged log: a torn line at the end is ignored, and damage before it is reported. */
class LogDamageTest {
    private static final Path FOLDER = Path.of("/r");
    private static final Path LOG = FOLDER.resolve("logs/main");
    private static final Path HEAD = FOLDER.resolve("heads/main");
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    private final CrashDisk disk = new CrashDisk();
    private byte[] log = {};
    private Head head = Head.empty();

    @BeforeEach
    void makeThreeMoves() throws IOException {
        FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES).close();
        try (Repository repository = open()) {
            for (String key : List.of("a", "b", "c")) {
                repository.update("main", pail -> pail.put(key, VALUE));
            }
            head = repository.snapshot("main").head();
        }
        log = disk.read(LOG, 1 << 20);
    }

    private Repository open() {
        return FileRepository.open(disk, FOLDER, Duration.ZERO);
    }

    private void write(Path file, byte[] bytes) throws IOException {
        disk.delete(file);
        try (Disk.WritableFile out = disk.create(file)) {
            out.write(bytes);
        }
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private int line(int number) {
        int at = 0;
        for (int i = 1; i < number; i++) {
            at = new String(log, StandardCharsets.US_ASCII).indexOf('\n', at) + 1;
        }
        return at;
    }

    /** The line of a move that did not happen: it counts for nothing, whether it is whole or not. */
    @Test
    void whatIsAtTheEndOfTheLogAndNotInTheHead_REP10_REP12() throws IOException {
        LogEntry next = new LogEntry(4, disk.now(), "lost", head, Head.empty());
        byte[] line = LogLine.encode(next);
        for (int cut = 1; cut <= line.length; cut++) {
            tolerates(join(log, Arrays.copyOf(line, cut)));
        }
        for (String tail : List.of("\0", "\n", "\n\n", "\0".repeat(5000), "x\ty\n\0z\n", "\u00ff\n".repeat(3000))) {
            tolerates(join(log, text(tail)));
        }
    }

    private void tolerates(byte[] damaged) throws IOException {
        write(LOG, damaged);
        try (Repository repository = open()) {
            assertThat(repository.snapshot("main").generation()).isEqualTo(3);
            assertThat(Listing.log(repository, "main")).hasSize(3);
            repository.update("main", pail -> pail.put("d", VALUE));
            assertThat(Listing.log(repository, "main")).hasSize(4);
            // The next writer has taken it away, or noted the same generation again.
            byte[] mended = disk.read(LOG, 1 << 20);
            assertThat(Arrays.copyOf(mended, log.length)).isEqualTo(log);
            repository.move(repository.snapshot("main"), head, "back");
        }
        try (Repository repository = open()) {
            assertThat(Listing.log(repository, "main")).hasSize(5);
            assertThat(Listing.log(repository, "main").get(0).generation()).isEqualTo(5);
        }
        write(HEAD, text(head + "\n"));
    }

    /** A head that has moved has its entry, and the entry is safe before: so this is no crash. */
    @Test
    void aCutThatTakesTheEntryOfTheHead() throws IOException {
        for (int size = 0; size < log.length; size++) {
            write(LOG, Arrays.copyOf(log, size));
            try (Repository repository = open()) {
                assertThatExceptionOfType(RepositoryException.class)
                        .isThrownBy(() -> repository.root("main"))
                        .withMessageContainingAll(LOG.toString(), HEAD.toString(), head.toString())
                        .satisfies(e -> assertThat(e.reason()).isEqualTo(RepositoryException.Reason.DAMAGED));
            }
        }
    }

    @Test
    void damageInTheMiddleIsNamedByItsLine_REP10() throws IOException {
        for (int number = 1; number <= 2; number++) {
            // Without its end, the last line but one would be part of the last.
            int end = line(number + 1) - (number == 2 ? 1 : 0);
            for (int at = line(number); at < end; at++) {
                byte[] damaged = log.clone();
                damaged[at] ^= 1;
                write(LOG, damaged);
                int damagedLine = number;
                try (Repository repository = open()) {
                    assertThat(repository.pail().entries()).hasSize(3);
                    assertThatExceptionOfType(RepositoryException.class)
                            .isThrownBy(() -> Listing.log(repository, "main"))
                            .withMessageContainingAll(LOG.toString(), "line " + damagedLine)
                            .satisfies(e -> assertThat(e.reason()).isEqualTo(RepositoryException.Reason.DAMAGED));
                }
            }
        }
    }

    @Test
    void linesThatAreMissingOrTwice_REP11() throws IOException {
        byte[] withoutFirst = Arrays.copyOfRange(log, line(2), log.length);
        byte[] withoutSecond = join(Arrays.copyOf(log, line(2)), Arrays.copyOfRange(log, line(3), log.length));
        byte[] twice = join(Arrays.copyOf(log, line(3)), Arrays.copyOfRange(log, line(2), log.length));
        for (byte[] damaged : List.of(withoutFirst, withoutSecond)) {
            write(LOG, damaged);
            try (Repository repository = open()) {
                assertThat(repository.pail().entries()).hasSize(3);
                assertThatExceptionOfType(RepositoryException.class).isThrownBy(() -> Listing.log(repository, "main"));
            }
        }
        // As if the first of the two had not happened.
        write(LOG, twice);
        try (Repository repository = open()) {
            assertThat(Listing.log(repository, "main")).hasSize(3);
        }
    }

    @Test
    void linesOfAnyLengthAreRead() throws IOException {
        try (Repository repository = open()) {
            for (int length = 0; length < 9000; length += 400) {
                String reason = "\u00e9".repeat(length);
                String key = "key " + length;
                repository.update("main", reason, pail -> pail.put(key, VALUE));
                List<LogEntry> entries = Listing.log(repository, "main");
                assertThat(entries.get(0).reason()).isEqualTo(reason.substring(0, Math.min(length, 1000)));
                assertThat(entries).hasSize(4 + length / 400);
            }
        }
    }

    /** Spec rules REP9 and REP10: lines that no writer writes are refused, even with a right checksum. */
    @Test
    void aLineWithARightChecksumThatNobodyWrites_REP9_REP10() throws IOException {
        String time = disk.now().toString();
        for (String reason :
                List.of("\\", "\\u00", "\\x0041", "\\u+041", "\\u0041", "\u0001", "\u00e9", "x".repeat(1001))) {
            tolerates(join(log, line("4\t" + time + "\t" + head + "\t-\t" + reason)));
        }
        for (String generation : List.of("0", "-4", "+4", "04", "9223372036854775808")) {
            tolerates(join(log, line(generation + "\t" + time + "\t" + head + "\t-\t")));
        }
        tolerates(join(log, line("4\t2026-01-01T00:00:00+01:00\t" + head + "\t-\t")));
        tolerates(join(log, line("4\t" + time + "\t" + head + " " + head + "\t-\t")));
        tolerates(join(log, line("4\t" + time + "\t" + head + "\t" + head + "\t")));
    }

    /** A line with its checksum, of these bytes. */
    private static byte[] line(String fields) {
        CRC32C checksum = new CRC32C();
        checksum.update(text(fields));
        return text(fields + "\t" + String.format("%08x", checksum.getValue()) + "\n");
    }

    @Test
    void aLineHasAtMostAMegabyte_REP9() throws IOException {
        for (boolean ended : new boolean[] {true, false}) {
            for (int more = 0; more <= 1; more++) {
                byte[] line = new byte[LogReader.MAX_LINE + more];
                write(LOG, join(log, ended ? join(line, text("\n")) : line));
                try (LogReader reader = LogReader.open(disk, LOG)) {
                    if (more == 0) {
                        assertThat(reader.next()).isNotNull();
                        assertThat(reader.next())
                                .extracting(LogReader.Line::entry)
                                .isNotNull();
                    } else {
                        assertThatExceptionOfType(IllegalArgumentException.class)
                                .isThrownBy(reader::next);
                    }
                }
            }
        }
    }

    @Test
    void lineThatIsMuchTooLong() throws IOException {
        write(LOG, join(log, new byte[3 << 20]));
        try (Repository repository = open()) {
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> repository.root("main"))
                    .withMessageContaining(LOG.toString());
        }
    }

    @Test
    void anErrorLeavesNoLogOpen() {
        AtomicInteger open = new AtomicInteger();
        Disk failing = HookedDisk.of(disk, (call, file, made) -> {
            if (call.equals("size")) {
                throw new OutOfMemoryError("of a test");
            }
            Object opened = made.make();
            open.addAndGet(opened instanceof Disk.ReadableFile ? 1 : call.equals("close") && file != null ? -1 : 0);
            return opened;
        });
        assertThatThrownBy(() -> LogReader.open(failing, LOG)).hasMessage("of a test");
        assertThat(open).hasValue(0);
    }

    /**
     * The system may keep a line whose sync failed, and say of the next sync that all is safe. It is cut off, if that can be done; else the next
     * writer finds it.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLineWhoseSyncFailed_REP16(boolean isCutOff) {
        AtomicBoolean synced = new AtomicBoolean();
        Disk failing = HookedDisk.telling(disk, (call, file) -> {
            if (file.equals(LOG)) {
                // The first is that of what is there already.
                boolean isSync = call.equals("sync");
                if (isSync && !synced.compareAndSet(false, true)) {
                    disk.failToForce(file);
                    throw new IOException("Input/output error");
                }
                if (call.equals("truncate") && !isCutOff) {
                    throw new IOException("Input/output error");
                }
            }
        });
        try (Repository repository = FileRepository.open(failing, FOLDER, Duration.ZERO)) {
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(() -> repository.update("main", pail -> pail.put("lost", VALUE)))
                    .withMessageContaining("cannot write a log");
        }
        try (Repository repository = open()) {
            repository.update("main", pail -> pail.put("d", VALUE));
        }
        CrashDisk image = disk.afterLoss(CrashDisk.Loss.ALL, new Random(0));
        try (Repository repository = FileRepository.open(image, FOLDER, Duration.ZERO)) {
            assertThat(Listing.log(repository, "main")).hasSize(4);
            assertThat(repository.pail("main").get("d")).isPresent();
        }
    }

    /** The error also says which part of the removal has happened. */
    @Test
    void aNameThatWasRemovedAndMayComeBack() {
        AtomicBoolean deleted = new AtomicBoolean();
        Disk failing = HookedDisk.telling(disk, (call, file) -> {
            deleted.compareAndSet(false, call.equals("delete") && (file.endsWith("b") || file.endsWith("t")));
            if (deleted.get() && call.equals("syncDirectory")) {
                throw new IOException("Input/output error");
            }
        });
        try (Repository repository = open()) {
            repository.branches().create("b", head);
            repository.tags().create("t", head);
        }
        try (Repository repository = FileRepository.open(failing, FOLDER, Duration.ZERO)) {
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(() -> repository.tags().remove("t"))
                    .withMessageContaining("it was removed, which may be undone");
        }
        deleted.set(false);
        try (Repository repository = FileRepository.open(failing, FOLDER, Duration.ZERO)) {
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(() -> repository.branches().remove("b"))
                    .withMessageContaining("a branch is without events now, and cannot be removed")
                    .withMessageContaining("it was removed, which may be undone");
        }
    }
}
