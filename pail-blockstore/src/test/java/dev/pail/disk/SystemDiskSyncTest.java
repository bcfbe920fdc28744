package dev.pail.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said to be safe has been handed to the disk: no test with a simulated one would notice that it was not. */
class SystemDiskSyncTest {
    @TempDir
    Path folder;

    private final Disk disk = Disk.system();

    @Test
    void aFileThatIsClosedIsNotSynced() throws IOException {
        Disk.WritableFile out = disk.create(folder.resolve("a"));
        out.write(new byte[] {1});
        out.sync();
        out.close();
        assertThatThrownBy(out::sync).isInstanceOf(IOException.class);
    }

    @Test
    void whatIsNotThereIsNotSynced() {
        Path absent = folder.resolve("absent");
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> disk.sync(absent));
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> disk.syncDirectory(absent));
        assertThat(absent).doesNotExist();
    }

    /** As the system is seen to be asked, where there is a program that shows this. */
    @Test
    void theSystemIsAskedForEachSync() throws IOException, InterruptedException {
        Path shown = Files.createDirectory(folder.resolve("shown"));
        String seen = calls(shown.toString());
        String real = shown.toRealPath().toString();
        for (String name : List.of("sync", "truncate", "force-path", "force-folder")) {
            assertThat(seen)
                    .as(name)
                    .containsPattern("f(data)?sync\\([0-9]+<" + Pattern.quote(real + "/" + name) + ">");
        }
        assertThat(seen).containsPattern(Pattern.quote("/safely\", ") + "\\S*O_D?SYNC");
        assertThat(seen).doesNotContainPattern("sync\\([0-9]+<" + Pattern.quote(real + "/untouched"));
    }

    @Test
    void theSystemIsNotAskedOnADiskThatForcesNothing() throws IOException, InterruptedException {
        Path shown = Files.createDirectory(folder.resolve("shown"));
        String seen = calls(shown.toString(), "unsynced");
        assertThat(seen).contains("/safely\", ");
        assertThat(seen).doesNotContainPattern("sync\\([0-9]+<" + Pattern.quote(shown.toRealPath() + "/"));
        assertThat(seen).doesNotContainPattern(Pattern.quote("/safely\", ") + "\\S*O_D?SYNC");
    }

    private String calls(String... args) throws IOException, InterruptedException {
        Path calls = folder.resolve("calls");
        List<String> strace =
                List.of("strace", "-f", "-y", "-e", "trace=fsync,fdatasync,open,openat", "-o", calls.toString());
        assumeTrue(isRun(concat(strace, List.of("true"))), "there is no strace here, or it may not be used");
        List<String> java = List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xint",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                SyncingMain.class.getName());
        assertThat(isRun(concat(concat(strace, java), List.of(args)))).isTrue();
        return Files.readString(calls, StandardCharsets.ISO_8859_1);
    }

    private static List<String> concat(List<String> first, List<String> second) {
        return java.util.stream.Stream.concat(first.stream(), second.stream()).toList();
    }

    private static boolean isRun(List<String> command) throws InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        List.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS").forEach(builder.environment()::remove);
        try {
            return builder.start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
