package dev.pail.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemDiskTest {
    @TempDir
    Path folder;

    private final Disk disk = Disk.system();

    private void write(Path file, String text) throws IOException {
        try (Disk.WritableFile out = disk.create(file)) {
            out.write(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            out.force();
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
        assertThat(disk.facts(file).orElseThrow().size()).isEqualTo(4);
        assertThatThrownBy(() -> write(file, "x")).isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void aRenameTakesThePlaceOfAFile() throws IOException {
        write(folder.resolve("a"), "new");
        write(folder.resolve("b"), "old");
        disk.rename(folder.resolve("a"), folder.resolve("b"));
        disk.forceFolder(folder);
        assertThat(disk.list(folder)).containsExactly(folder.resolve("b"));
        assertThat(disk.read(folder.resolve("b"), 10)).asString().isEqualTo("new");
    }

    @Test
    void linksAreNotFollowed() throws IOException {
        write(folder.resolve("a"), "x");
        Files.createSymbolicLink(folder.resolve("link"), folder.resolve("a"));
        assertThat(disk.facts(folder.resolve("link")).orElseThrow().isFile()).isFalse();
        assertThatThrownBy(() -> disk.tryLock(folder.resolve("link"), "me")).isInstanceOf(IOException.class);
        Files.createSymbolicLink(folder.resolve("folder"), folder);
        assertThatThrownBy(() -> disk.createFolder(folder.resolve("folder"))).isInstanceOf(IOException.class);
        assertThat(disk.read(folder.resolve("a"), 1)).asString().isEqualTo("x");
    }

    @Test
    void whatIsNotThere() throws IOException {
        Path absent = folder.resolve("absent");
        assertThat(disk.facts(absent)).isEmpty();
        assertThatThrownBy(() -> disk.read(absent, 1)).isInstanceOf(NoSuchFileException.class);
        disk.delete(absent);
        disk.createFolder(absent);
        disk.createFolder(absent);
        assertThat(disk.isFolder(absent)).isTrue();
        assertThatThrownBy(() -> disk.createFolder(folder.resolve("x/y"))).isInstanceOf(IOException.class);
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
    void anInterruptDisturbsNothing() throws IOException {
        Thread.currentThread().interrupt();
        write(folder.resolve("a"), "x");
        disk.force(folder.resolve("a"));
        disk.forceFolder(folder);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(disk.read(folder.resolve("a"), 1)).hasSize(1);
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
