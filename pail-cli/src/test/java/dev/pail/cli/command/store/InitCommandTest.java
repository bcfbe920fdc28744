package dev.pail.cli.command.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Making a repository, and finding it again. */
class InitCommandTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private static Answer initialized(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isZero();
        return answer;
    }

    @Test
    void makesAnEmptyPailInDotPailAndPrintsItsRoot() {
        Shell shell = Shell.in(folder);
        Answer made = initialized(shell.run("init"));

        assertThat(made.err().lines()).hasSize(1);
        assertThat(made.err()).contains(folder.resolve(".pail").toString(), "v0");
        assertThat(shell.root()).isEqualTo(made.line());
        assertThat(shell.keys()).isEmpty();
        assertThat(folder.resolve(".pail")).isDirectoryContaining("glob:**/{config,heads,logs,blocks}");
        assertThat(folder.resolve(".pail/heads/main")).isEmptyFile();
        assertThat(folder.resolve(".pail/logs/main")).isEmptyFile();
    }

    @Test
    void saysNothingWhenQuiet() {
        Answer made = Shell.in(folder).run("init", "-q").done();
        assertThat(made.lines()).isEmpty();
        assertThat(made.err()).isEmpty();
    }

    @Test
    void tellsTheSameInJson() {
        JsonNode made = initialized(Shell.in(folder).run("init", "--json", "--format", "v1"))
                .json()
                .get(0);

        assertThat(made.get("repository").asText())
                .isEqualTo(folder.resolve(".pail").toString());
        assertThat(made.get("format").asText()).isEqualTo("v1");
        assertThat(made.get("root").asText()).isEqualTo(Shell.in(folder).root());
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
            "",                                                v0, 524288, 64,
            --format v0,                                       v0, 524288, 64,
            --format V0 --max-size 330,                        v0, 330, 64,
            --max-key-length 8,                                v0, 524288, 8,
            --format=v0 --max-size=64 --max-key-length=4096,   v0, 64, 4096,
            --max-size 8388608 --max-key-length 1,             v0, 8388608, 1,
            --format v1,                                       v1, , , 4096
            --format v1 --max-key-size 10,                     v1, , , 10
            --format v2,                                       v2, , , 4096
            --format v2 --max-key-size 1,                      v2, , , 1
            """)
    void keepsFormatAndSettings(String options, String format, String size, String length, String keySize) {
        String[] arguments = Stream.concat(Stream.of("init"), Stream.of(options.split(" ")))
                .filter(word -> !word.isEmpty())
                .toArray(String[]::new);
        initialized(Shell.in(folder).run(arguments));
        Shell shell = Shell.in(folder);

        assertThat(shell.run("stat", "--json")
                        .done()
                        .json()
                        .get(0)
                        .get("format")
                        .asText())
                .isEqualTo(format);
        assertThat(shell.run("stat").done().text())
                .contains("format\t" + format)
                .contains(size == null ? "" : "maxSize=" + size)
                .contains(length == null ? "" : "maxKeyLength=" + length)
                .contains(keySize == null ? "" : "maxKeySize=" + keySize);
    }

    @Test
    void makesItInTheFolderThatIsNamed() {
        Shell shell = Shell.in(folder);
        initialized(shell.run("-C", "named", "init"));
        initialized(shell.run("init", "--store=" + folder.resolve("absolute")));
        initialized(shell.withVariable("PAIL_STORE", "variable").run("init"));

        for (String name : new String[] {"named", "absolute", "variable"}) {
            shell.run("-C", name, "root").done();
        }
        assertThat(folder.resolve(".pail")).doesNotExist();
    }

    @Test
    void theOptionCountsMoreThanTheVariableAndThatMoreThanTheFolder() {
        Shell.withRepository(folder).put("in", 1);
        Shell shell = Shell.in(folder);
        initialized(shell.run("init", "-C", "option"));
        initialized(shell.run("init", "-C", "variable"));
        shell.run("put", "in", Shell.cid(2), "-C", "option").done();
        shell.run("put", "in", Shell.cid(3), "-C", "variable").done();
        Shell withVariable = shell.withVariable("PAIL_STORE", "variable");

        assertThat(shell.run("get", "in").done().line()).isEqualTo(Shell.cid(1));
        assertThat(withVariable.run("get", "in").done().line()).isEqualTo(Shell.cid(3));
        assertThat(withVariable.run("get", "in", "-C", "option").done().line()).isEqualTo(Shell.cid(2));
        assertThat(shell.withVariable("PAIL_STORE", "").run("get", "in").done().line())
                .isEqualTo(Shell.cid(1));
    }

    @Test
    void theNearestRepositoryUpwardsIsMeant() throws IOException {
        Path deep = Files.createDirectories(folder.resolve("a/b/c"));
        Shell.withRepository(folder).put("outer", 1);
        assertThat(Shell.in(deep).keys()).containsExactly("outer");

        Shell.withRepository(folder.resolve("a/b")).put("inner", 1);
        assertThat(Shell.in(deep).keys()).containsExactly("inner");
        assertThat(Shell.in(folder.resolve("a")).keys()).containsExactly("outer");
        assertThat(deep).isEmptyDirectory();
    }

    /** Blocks that only their writer can read are of no use to the others of a group. */
    @Test
    void itsFilesAreAsReadableAsAnyOther() throws IOException {
        Shell shell = Shell.withRepository(folder);
        shell.put("a", 1);
        Path other = Files.createFile(folder.resolve("other"));
        String usual = PosixFilePermissions.toString(Files.getPosixFilePermissions(other));

        try (Stream<Path> files = Files.walk(folder.resolve(".pail"))) {
            assertThat(files.filter(Files::isRegularFile))
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo(usual));
        }
    }
}
