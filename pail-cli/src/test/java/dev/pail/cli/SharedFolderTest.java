package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two users of a group write to one repository, and a user who is not of the group reads it. Runs as root only. */
class SharedFolderTest {
    private static final int GROUP = 60;
    private static final int GROUP_WRITE = 020;

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private String classPath = "";

    @BeforeEach
    void makeFolder() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")) && Files.exists(Path.of("/usr/bin/setpriv")));
        Files.setAttribute(folder, "unix:mode", 0755);
        Path shared = Files.createDirectory(folder.resolve("s"));
        Files.setAttribute(shared, "unix:gid", GROUP);
        Files.setAttribute(shared, "unix:mode", 02775);
        // The users may not be able to read the one of this process.
        List<String> copies = new ArrayList<>();
        for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path copy = folder.resolve("classes" + copies.size() + (each.endsWith(".jar") ? ".jar" : ""));
            if (!each.isEmpty() && Files.exists(Path.of(each))) {
                copy(Path.of(each), copy);
                copies.add(copy.toString());
            }
        }
        classPath = String.join(File.pathSeparator, copies);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> walk = Files.walk(from)) {
            for (Path each : (Iterable<Path>) walk::iterator) {
                Path copy = to.resolve(from.relativize(each).toString());
                Files.copy(each, copy);
                Files.setAttribute(copy, "unix:mode", Files.isDirectory(copy) ? 0755 : 0644);
            }
        }
    }

    private Answer as(int user, int group, String in, String... arguments) {
        List<String> words = new ArrayList<>(
                List.of("setpriv", "--reuid=" + user, "--regid=" + group, "--clear-groups", "sh", "-c"));
        words.addAll(List.of("umask 0002; exec \"$@\"", "sh"));
        words.addAll(Launched.command(Main.class, arguments));
        words.set(words.indexOf("-cp") + 1, classPath);
        return Launched.start(Launched.builder(folder.resolve("s"), words)).feed(in.getBytes(StandardCharsets.UTF_8));
    }

    private void member(int user, String in, String... arguments) {
        assertThat(as(user, GROUP, in, arguments).status()).isZero();
    }

    private Answer outsider(String... arguments) {
        return as(5003, 5003, "", arguments);
    }

    @Test
    void bothWriteAndAnOutsiderReads() throws IOException {
        member(5001, "", "init");
        member(5001, "", "put", "k", Shell.cid(1));
        member(5002, "v", "put", "k2", "--file", "-");
        member(5002, "", "rm", "k");
        member(5001, "", "undo");
        member(5002, "", "gc");
        member(5002, "", "pack");
        member(5001, "", "put", "k4", Shell.cid(1));
        member(5001, "", "unpack");

        Path store = folder.resolve("s/.pail");
        try (Stream<Path> walk = Files.walk(store)) {
            assertThat(walk.filter(file -> !isGroupWritable(file)).map(store::relativize))
                    .isEmpty();
        }
        assertThat(outsider("ls").done().lines()).hasSize(3);
        assertThat(outsider("log").done().lines()).isNotEmpty();
        assertThat(outsider("cat", "k2").done().text()).isEqualTo("v");
        outsider("verify", "--all").done();
        outsider("gc", "--dry-run").done();
        assertThat(outsider("put", "x", Shell.cid(1)).refused(Exit.FAILED)).contains("LOCK");
        assertThat(outsider("ls").done().lines()).hasSize(3);
    }

    private static boolean isGroupWritable(Path file) {
        try {
            return ((int) Files.getAttribute(file, "unix:mode") & GROUP_WRITE) != 0;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
