package dev.pail.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pail.StoreIOException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class SystemDiskTest {
    @TempDir
    Path folder;

    private final Disk disk = Disk.system();

    private void write(Path file, String text) throws IOException {
        try (Disk.WritableFile out = disk.create(file)) {
            out.write(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            out.sync();
        }
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        Path file = folder.resolve("a");
        write(file, "one");
        try (Disk.WritableFile out = disk.append(file)) {
            out.write(new byte[] {'2'});
        }
        assertThat(disk.read(file, 4)).asString().isEqualTo("one2");
        assertThatThrownBy(() -> disk.read(file, 3))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("4 bytes");
        assertThat(disk.status(file).orElseThrow().size()).isEqualTo(4);
        assertThatThrownBy(() -> write(file, "x")).isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void aFolderIsNoFile() {
        List<ThrowingCallable> reads =
                List.of(() -> disk.open(folder), () -> disk.read(folder, 10), () -> disk.append(folder));
        assertThat(reads)
                .allSatisfy(read -> assertThatThrownBy(read)
                        .satisfies(e -> assertThat(StoreIOException.reason((IOException) e))
                                .isEqualTo("a folder, not a file")));
    }

    /** A pipe that has a name is one of these, too, and to open that would not fail, but wait. */
    @Test
    void aDeviceIsNoFile() {
        Path device = Path.of("/dev/null");
        assumeTrue(Files.exists(device));
        List<ThrowingCallable> uses =
                List.of(() -> disk.open(device), () -> disk.read(device, 10), () -> disk.append(device));
        assertThat(uses)
                .allSatisfy(use -> assertThatThrownBy(use)
                        .satisfies(e -> assertThat(StoreIOException.reason((IOException) e))
                                .isEqualTo("a pipe or a device, not a file")));
    }

    @Test
    void aRenameTakesThePlaceOfAFile() throws IOException {
        write(folder.resolve("a"), "new");
        write(folder.resolve("b"), "old");
        disk.rename(folder.resolve("a"), folder.resolve("b"));
        disk.syncDirectory(folder);
        assertThat(disk.list(folder)).containsExactly(folder.resolve("b"));
        assertThat(disk.read(folder.resolve("b"), 10)).asString().isEqualTo("new");
    }

    @Test
    void linksAreNotFollowed() throws IOException {
        write(folder.resolve("a"), "x");
        Files.createSymbolicLink(folder.resolve("link"), folder.resolve("a"));
        assertThat(disk.status(folder.resolve("link")).orElseThrow().isFile()).isFalse();
        assertThatThrownBy(() -> disk.tryLock(folder.resolve("link"), "me")).isInstanceOf(IOException.class);
        Files.createSymbolicLink(folder.resolve("folder"), folder);
        assertThatThrownBy(() -> disk.createDirectory(folder.resolve("folder"))).isInstanceOf(IOException.class);
        assertThat(disk.read(folder.resolve("a"), 1)).asString().isEqualTo("x");
    }

    @Test
    void whatIsNotThere() throws IOException {
        Path absent = folder.resolve("absent");
        assertThat(disk.status(absent)).isEmpty();
        assertThatThrownBy(() -> disk.read(absent, 1)).isInstanceOf(NoSuchFileException.class);
        disk.delete(absent);
        disk.createDirectory(absent);
        disk.createDirectory(absent);
        assertThat(disk.isDirectory(absent)).isTrue();
        assertThat(disk.exists(absent)).isTrue();
        assertThat(disk.exists(absent.resolve("x"))).isFalse();
        assertThatThrownBy(() -> disk.createDirectory(folder.resolve("x/y"))).isInstanceOf(IOException.class);
    }

    @Test
    void aLockIsHeldOnce() throws IOException {
        Path file = folder.resolve("LOCK");
        Disk.Lock lock = disk.tryLock(file, "me").orElseThrow();
        assertThat(disk.tryLock(file, "you")).isEmpty();
        assertThat(disk.tryLock(folder.resolve("../" + folder.getFileName() + "/LOCK"), "you"))
                .isEmpty();
        assertThat(disk.holder(file)).isEqualTo("me");
        lock.close();
        lock.close();
        Disk.Lock again = disk.tryLock(file, "you").orElseThrow();
        assertThat(disk.holder(file)).isEqualTo("you");
        again.close();
    }

    @Test
    @SuppressWarnings("NullAway") // Stands for any failure while the lock is taken.
    void aLockThatCouldNotBeTakenIsFree() throws IOException {
        Path file = folder.resolve("LOCK");
        assertThatThrownBy(() -> disk.tryLock(file, null)).isInstanceOf(NullPointerException.class);
        assertThat(disk.tryLock(file, "me")).isPresent();
    }

    /** As on a file system of the network, whose server may have no place for a change of locks. */
    @Test
    void aLockThatTheSystemDoesNotTakeBackIsFree() throws IOException {
        Path file = folder.resolve("LOCK");
        List<Exception> errors = List.of(new IOException("No locks available"), new IllegalStateException("for now"));
        for (Exception error : errors) {
            List<Exception> due = new ArrayList<>(List.of(error));
            LockFiles locks = new LockFiles(lock -> {
                Exception now = due.isEmpty() ? null : due.remove(0);
                if (now instanceof IOException e) {
                    throw e;
                }
                if (now instanceof RuntimeException e) {
                    throw e;
                }
                lock.release();
            });
            Disk.Lock lock = locks.tryLock(file, "me").orElseThrow();
            if (error instanceof IOException) {
                lock.close();
            } else {
                assertThatThrownBy(lock::close).isSameAs(error);
            }
            assertThat(due).isEmpty();
            try (FileChannel other = FileChannel.open(file, StandardOpenOption.WRITE)) {
                assertThat(other.tryLock()).isNotNull();
            }
            Disk.Lock again = locks.tryLock(file, "you").orElseThrow();
            lock.close();
            assertThat(locks.tryLock(file, "another")).isEmpty();
            again.close();
        }
    }

    /** The files of the locks that were used last stay open: more than that are closed, but none that is held. */
    @Test
    void manyLocks() throws IOException {
        List<Disk.Lock> odd = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 40; i++) {
                Path file = folder.resolve("LOCK" + i);
                if (i % 2 == 0 || round == 0) {
                    Disk.Lock lock = disk.tryLock(file, "round " + round).orElseThrow();
                    assertThat(disk.holder(file)).isEqualTo("round " + round);
                    if (i % 2 == 0) {
                        lock.close();
                        assertThat(disk.holder(file)).isEqualTo("round " + round);
                    } else {
                        odd.add(lock);
                    }
                } else {
                    assertThat(disk.tryLock(file, "another")).isEmpty();
                    assertThat(disk.holder(file)).isEqualTo("round 0");
                }
            }
        }
        odd.forEach(Disk.Lock::close);
        for (int i = 0; i < 40; i++) {
            try (FileChannel other = FileChannel.open(folder.resolve("LOCK" + i), StandardOpenOption.WRITE)) {
                assertThat(other.tryLock()).isNotNull();
            }
        }
    }

    @Test
    void whoHadALockCannotReleaseThatOfAnother() throws IOException {
        Path file = folder.resolve("LOCK");
        Disk.Lock first = disk.tryLock(file, "first").orElseThrow();
        first.close();
        Disk.Lock second = disk.tryLock(file, "second").orElseThrow();
        first.close();
        assertThat(disk.tryLock(file, "third")).isEmpty();
        second.close();
        assertThat(disk.tryLock(file, "fourth")).isPresent();
    }

    /** A folder that was removed and made again has another lock, even if a process still holds the old one. */
    @Test
    void aLockFileThatWasMadeAgain() throws IOException {
        Path file = folder.resolve("LOCK");
        Disk.Lock old = disk.tryLock(file, "old").orElseThrow();
        disk.delete(file);
        Disk.Lock now = disk.tryLock(file, "now").orElseThrow();
        old.close();
        assertThat(disk.tryLock(file, "another")).isEmpty();
        assertThat(disk.holder(file)).isEqualTo("now");
        now.close();
    }

    @Test
    void writesSafelyOverWhatIsThere() throws IOException {
        Path file = folder.resolve("a");
        try (Disk.WritableFile out = disk.create(file)) {
            out.write("0123".getBytes(StandardCharsets.US_ASCII));
            out.writeDurably(2, "abcd".getBytes(StandardCharsets.US_ASCII));
            assertThat(disk.read(file, 10)).asString().isEqualTo("01abcd");
            out.writeDurably(0, "x".getBytes(StandardCharsets.US_ASCII));
            out.seek(5);
            out.write("yz".getBytes(StandardCharsets.US_ASCII));
        }
        assertThat(disk.read(file, 10)).asString().isEqualTo("x1abcyz");
    }

    @Test
    void anInterruptDisturbsNothing() throws IOException {
        Thread.currentThread().interrupt();
        write(folder.resolve("a"), "x");
        disk.sync(folder.resolve("a"));
        disk.syncDirectory(folder);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(disk.read(folder.resolve("a"), 1)).hasSize(1);
    }

    @Test
    void aPauseIsAsLongForWhomWasInterrupted() {
        long[] clock = {Long.MAX_VALUE - 5_000_000};
        List<Long> asked = new ArrayList<>();
        for (boolean before : new boolean[] {true, false}) {
            asked.clear();
            if (before) {
                Thread.currentThread().interrupt();
            }
            SystemDisk.pause(20, () -> clock[0], nanoseconds -> {
                asked.add(nanoseconds);
                clock[0] += Math.min(nanoseconds, 8_000_000);
                if (Thread.interrupted() || asked.size() == 2) {
                    throw new InterruptedException();
                }
            });
            assertThat(Thread.interrupted()).isTrue();
            assertThat(asked).containsExactly(20_000_000L, 12_000_000L, 4_000_000L);
        }
    }

    /** As a folder that may not be searched is, which one cannot have as root. */
    @Test
    void whatCannotBeReachedIsNotTakenForAbsent() throws IOException {
        Path loop = Files.createSymbolicLink(folder.resolve("loop"), Path.of("loop"));
        for (ThrowingCallable each :
                List.<ThrowingCallable>of(() -> disk.open(loop), () -> disk.read(loop, 1), () -> disk.sync(loop))) {
            assertThatThrownBy(each).isInstanceOf(IOException.class).isNotInstanceOf(NoSuchFileException.class);
        }
    }

    /** Opening a named pipe blocks until another process writes to it. */
    @Test
    @Timeout(60)
    void aNamedPipeIsNoFolder_REP1() throws IOException, InterruptedException {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        assertThatThrownBy(() -> disk.list(pipe)).isInstanceOf(NotDirectoryException.class);
        assertThatThrownBy(() -> disk.syncDirectory(pipe)).isInstanceOf(NotDirectoryException.class);
        assertThatThrownBy(() -> disk.tryLock(pipe, "me")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> disk.open(pipe)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> disk.append(pipe)).isInstanceOf(IOException.class);
    }

    @Test
    void aFolderThatCannotBeReadToItsEnd() {
        IOException error = new IOException("Input/output error");
        DirectoryStream<Path> failing = new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                throw new DirectoryIteratorException(error);
            }

            @Override
            public void close() {}
        };
        assertThatThrownBy(() -> SystemDisk.sorted(failing)).isSameAs(error);
    }

    @Test
    void aFileIsCut() throws IOException {
        Path file = folder.resolve("cut");
        Files.writeString(file, "12345");
        disk.truncate(file, 3);
        assertThat(file).hasContent("123");
        disk.truncate(file, 9);
        assertThat(file).hasContent("123");
    }
}
