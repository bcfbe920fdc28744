package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.terminal.Exit;
import dev.pail.ipld.Block;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is refused: one line says why, perhaps another what to do, no data is printed, the exit status tells whose fault it
 * is, and nothing has changed.
 */
class BadUseTest {
    private static final String CID = Shell.cid(1);

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeRepository() throws IOException {
        shell = Shell.withRepository(folder);
        shell.put("key", 1);
        Files.writeString(folder.resolve("file"), "text");
        Files.createDirectory(folder.resolve("some folder"));
    }

    /** A command line, and what the message must name. */
    record Case(List<String> arguments, String named) {
        static Case of(String named, String... arguments) {
            return new Case(List.of(arguments), named);
        }

        @Override
        public String toString() {
            return "pail " + String.join(" ", arguments).replace('\0', '0');
        }
    }

    private void check(Case bad, int status) {
        check(shell, bad, status);
    }

    private void check(Shell from, Case bad, int status) {
        String[] arguments = bad.arguments.toArray(String[]::new);
        Map<String, String> before = Snapshot.of(folder);

        String message = from.run(arguments).refused(status);
        assertThat(message.lines().findFirst().orElseThrow()).as("%s", bad).contains(bad.named);

        JsonNode failure = from.run(Shell.concat("--json", arguments)).refusedInJson(status);
        assertThat(message)
                .isEqualTo("error: " + failure.get("error").asText() + "\n"
                        + (failure.has("hint") ? "hint: " + failure.get("hint").asText() + "\n" : ""));
        assertThat(Snapshot.of(folder)).isEqualTo(before);
    }

    static Stream<Case> usage() {
        return Stream.of(
                Case.of("\"nope\"", "nope"),
                Case.of("\"--nope\"", "--nope"),
                Case.of("\"--nope\"", "ls", "--nope"),
                Case.of("\"--nope=1\"", "ls", "--nope=1"),
                Case.of("\"--lim\"", "ls", "--lim", "1"),
                Case.of("\"nope\"", "help", "nope"),
                Case.of("KEY", "get"),
                Case.of("KEY", "cat"),
                Case.of("KEY", "rm"),
                Case.of("KEY", "rm", "--"),
                Case.of("KEY", "put"),
                Case.of("FILE", "check"),
                Case.of("-o FILE", "prove", "a"),
                Case.of("--root", "check", "file", "--key", "a"),
                Case.of("--text", "put", "a", "--file", "b", "--text", "c"),
                Case.of("\"b\"", "ls", "a", "b"),
                Case.of("\"b\"", "apply", "a", "b"),
                Case.of("\"a\"", "root", "a"),
                Case.of("\"a\"", "init", "a"),
                Case.of("\"c\"", "put", "a", CID, "c"),
                // A key that looks like an option: it is that word which has to be explained.
                Case.of("-x", "get", "-x"),
                Case.of("-x", "rm", "-x"),
                Case.of("--file", "put", "key"),
                Case.of("--file", "put", "key", CID, "--file", "file"),
                Case.of("--file", "put", "key", "--file"),
                Case.of("\"xyz\"", "put", "a", "--cid", "xyz"),
                Case.of("\"\"", "put", "a", ""),
                Case.of("\"" + CID + "a\"", "put", "a", CID + "a"),
                Case.of("--limit", "ls", "--limit"),
                Case.of("-1", "ls", "--limit", "-1"),
                Case.of("-1", "ls", "--limit=-1"),
                Case.of("\"x\"", "ls", "--limit", "x"),
                Case.of("\"1.5\" is no whole number", "ls", "--limit", "1.5"),
                Case.of("is no whole number", "ls", "--limit", "1\u0662"),
                Case.of("is too far from zero", "ls", "--limit", "99999999999999999999"),
                Case.of("\"\"", "ls", "--limit", ""),
                Case.of("--gt", "ls", "--gt"),
                Case.of("\"-k\"", "put", "-k", CID),
                Case.of("--limit", "ls", "--limit", "1", "--limit", "2"),
                Case.of("\"sometimes\"", "ls", "--color", "sometimes"),
                Case.of("\"sometimes\"", "--color", "sometimes", "ls"),
                Case.of("\"sometimes\"", "ls", "--progress=sometimes"),
                Case.of("--store", "ls", "-C"),
                Case.of("\"x\"", "ls", "--lock-timeout", "x"),
                Case.of("-1", "ls", "--lock-timeout", "-1"),
                Case.of("\"v9\"", "-C", "new", "init", "--format", "v9"),
                Case.of("\"\"", "-C", "new", "init", "--format", ""),
                Case.of("--max-size", "-C", "new", "init", "--format", "v1", "--max-size", "1000"),
                Case.of("--max-key-length", "-C", "new", "init", "--format", "v2", "--max-key-length", "8"),
                Case.of("--max-key-size", "-C", "new", "init", "--max-key-size", "10"),
                Case.of("\"x\"", "-C", "new", "init", "--max-size", "x"),
                Case.of("63", "-C", "new", "init", "--max-size", "63"),
                Case.of("8388609", "-C", "new", "init", "--max-size", "8388609"),
                Case.of("99999999999", "-C", "new", "init", "--max-size", "99999999999"),
                Case.of("4097", "-C", "new", "init", "--max-key-length", "4097"),
                Case.of("not 0", "-C", "new", "init", "--max-key-length", "0"),
                Case.of("-5", "-C", "new", "init", "--format", "v1", "--max-key-size", "-5"));
    }

    @ParameterizedTest
    @MethodSource
    void usage(Case bad) {
        check(bad, Exit.USAGE);
    }

    static Stream<Case> failures() {
        return Stream.of(
                Case.of("nowhere", "-C", "nowhere", "ls"),
                Case.of("nowhere", "put", "a", CID, "--store", "nowhere"),
                Case.of("some folder", "-C", "some folder", "get", "a"),
                Case.of("file", "-C", "file", "ls"),
                Case.of("file is a file, not a folder", "-C", "file", "init"),
                Case.of("nowhere/deep", "-C", "nowhere/deep", "init"),
                Case.of("a\\u{0}b", "-C", "a\0b", "ls"),
                Case.of(".pail", "init"),
                Case.of(".pail", "init", "--format", "v1"),
                Case.of("nowhere", "put", "a", "--file", "nowhere"),
                Case.of("some folder", "put", "a", "--file", "some folder"),
                Case.of("file/deep", "put", "a", "--file", "file/deep"),
                Case.of("a\\u{0}b", "put", "a", "--file", "a\0b"),
                Case.of("\"\\u{d800}\"", "put", "\ud800", CID),
                Case.of("\"\\u{d800}\"", "put", "\ud800", "--file", "file"),
                Case.of("\"\\u{dc00}\"", "get", "\udc00"),
                Case.of("\"\\u{dc00}\"", "rm", "\udc00"),
                Case.of("\"\\u{dc00}\"", "ls", "--gt", "\udc00"),
                Case.of("nowhere", "apply", "nowhere"),
                Case.of("some folder", "apply", "some folder"),
                Case.of("\"../x\"", "-b", "../x", "root"),
                Case.of("\"a//b\"", "-b", "a//b", "ls"),
                Case.of("\".hidden\"", "-b", ".hidden", "put", "a", CID),
                Case.of("\"..\"", "-b", "..", "get", "a"),
                Case.of("\"\"", "-b", "", "tree"),
                Case.of("\"main\\u{0}\"", "-b", "main\0", "stat"),
                Case.of("\"main\\u{a}\"", "-b", "main\n", "verify"),
                Case.of("absent", "-b", "absent", "root"),
                Case.of("(5000 characters)", "reset", "a".repeat(5000)),
                Case.of("absent", "ls", "--branch", "absent"),
                Case.of("absent", "put", "a", CID, "-b", "absent"));
    }

    @ParameterizedTest
    @MethodSource
    void failures(Case bad) {
        check(bad, Exit.FAILED);
    }

    static Stream<Case> commandsForARepository() {
        return Stream.of(
                Case.of("", "put", "a", CID),
                Case.of("", "put", "a", "--file", "file"),
                Case.of("", "get", "a"),
                Case.of("", "cat", "a"),
                Case.of("", "rm", "a"),
                Case.of("", "ls"),
                Case.of("", "root"),
                Case.of("", "apply"),
                Case.of("", "apply", "--each"),
                Case.of("", "tree"),
                Case.of("", "stat"),
                Case.of("", "verify"));
    }

    /** Nothing but {@code init} ever makes a repository (D21e of {@code spec/deviations.md}). */
    @ParameterizedTest
    @MethodSource("commandsForARepository")
    void withoutARepository(Case command) {
        Path empty = folder.resolve("some folder");
        Shell outside = Shell.in(empty);
        Shell named = outside.withVariable("PAIL_STORE", "nowhere");
        check(named, new Case(command.arguments, "nowhere"), Exit.FAILED);

        List<String> elsewhere = new ArrayList<>(command.arguments);
        elsewhere.addAll(List.of("-C", "there"));
        check(outside, new Case(elsewhere, "there"), Exit.FAILED);
        assertThat(empty).isEmptyDirectory();
    }

    @Test
    void noRepositoryUpwardsNamesTheFolder(@TempDir Path outside) {
        assumeThat(FileRepository.find(outside)).isEmpty();

        String message = Shell.in(outside).run("ls").refused(Exit.FAILED);
        assertThat(message).contains(outside.toString(), "hint: ", "pail init");
        assertThat(outside).isEmptyDirectory();
    }

    /** Where a disk is away that a link leads to, the repository of a folder around it is not taken for the one that is meant. */
    @Test
    void aLinkToARepositoryThatIsAwayIsNotPassedBy(@TempDir Path outside) throws IOException {
        Shell outer = Shell.withRepository(outside);
        Map<String, String> before = Snapshot.of(outside);
        Path link = Files.createDirectory(outside.resolve("inner")).resolve(".pail");
        Shell inner = Shell.in(link.getParent());
        for (String away : new String[] {"nowhere/pail", ".pail"}) {
            Files.createSymbolicLink(link, Path.of(away));
            for (String[] command : new String[][] {{"ls"}, {"verify"}, {"put", "key", Shell.cid(1)}}) {
                assertThat(inner.run(command).refused(Exit.FAILED))
                        .contains(link.toString(), "a link to nothing", "hint: ");
            }
            Files.delete(link);
        }
        Files.delete(link.getParent());
        assertThat(Snapshot.of(outside)).isEqualTo(before);
        assertThat(outer.keys()).isEmpty();
    }

    @Test
    void aKeyThatIsNotThereIsANegativeAnswer() {
        check(Case.of("\"absent\"", "get", "absent"), Exit.NO);
        check(Case.of("\"\"", "get", ""), Exit.NO);
        check(Case.of("\"ke\"", "cat", "ke"), Exit.NO);
    }

    @Test
    void aValueWhoseBlockIsNotHereIsMissing() {
        check(Case.of(CID, "cat", "key"), Exit.DAMAGED);
    }

    @Test
    void aFileThatIsNoBlockIsTooLarge() throws IOException {
        try (RandomAccessFile sparse =
                new RandomAccessFile(folder.resolve("large").toFile(), "rw")) {
            sparse.setLength(Block.MAX_SIZE + 1L);
        }
        check(Case.of("large", "put", "a", "--raw", "--file", "large"), Exit.FAILED);
        check(Case.of("large", "put", "key", "--raw", "--file", "large"), Exit.FAILED);
    }

    @Test
    void keysThatV1DoesNotTake() {
        shell = Shell.withRepository(folder.resolve("some folder"), "--format", "v1", "--max-key-size", "10");
        shell.put("1234567890", 1);

        check(Case.of("\"é\"", "put", "é", CID), Exit.FAILED);
        check(Case.of("\"\\u{7f}\"", "put", "\u007f", CID), Exit.FAILED);
        check(Case.of("\"a\\u{9}b\"", "put", "a\tb", CID), Exit.FAILED);
        check(Case.of("\"12345678901\"", "put", "12345678901", CID), Exit.FAILED);
        check(Case.of("... (100000 characters)", "put", "x".repeat(100_000), CID), Exit.FAILED);
        check(Case.of("\"é\"", "put", "é", "--file", folder.resolve("file").toString()), Exit.FAILED);
    }

    @Test
    void noRoomForAKey() {
        shell = Shell.withRepository(folder.resolve("some folder"), "--max-size", "150");
        shell.put("a", 1, "b", 2);

        check(Case.of("\"c\"", "put", "c", CID), Exit.FAILED);
        check(Case.of("\"c\"", "put", "c", "--file", folder.resolve("file").toString()), Exit.FAILED);
        assertThat(shell.run("put", "c", CID, "--json")
                        .refusedInJson(Exit.FAILED)
                        .get("code")
                        .asText())
                .isEqualTo("shard-limit");
        assertThat(shell.keys()).containsExactly("a", "b");
    }

    /** What programs decide by: one word for each kind of trouble. */
    @Test
    void codesTellKindsOfTrouble() throws IOException {
        Files.writeString(folder.resolve("wrong"), "nothing\n");
        assertThat(type(Exit.USAGE, "nope")).isEqualTo("usage");
        assertThat(type(Exit.NO, "get", "absent")).isEqualTo("absent");
        assertThat(type(Exit.USAGE, "put", "a", "--cid", "xyz")).isEqualTo("bad-value");
        assertThat(type(Exit.FAILED, "put", "\ud800", CID)).isEqualTo("key-not-allowed");
        assertThat(type(Exit.FAILED, "put", "a", "--file", "nowhere")).isEqualTo("io");
        assertThat(type(Exit.FAILED, "apply", "wrong")).isEqualTo("syntax");
        assertThat(type(Exit.FAILED, "-C", "nowhere", "ls")).isEqualTo("no-such-repository");
        assertThat(type(Exit.DAMAGED, "cat", "key")).isEqualTo("missing-block");
    }

    /** Scripts rely on these numbers. */
    @Test
    void exitStatusesAreThoseThatAreDocumented() {
        assertThat(List.of(Exit.DONE, Exit.NO, Exit.USAGE, Exit.FAILED, Exit.CONFLICT, Exit.DAMAGED, Exit.PIPE))
                .containsExactly(0, 1, 2, 3, 4, 5, 141);
    }

    private String type(int status, String... arguments) {
        return shell.run(Shell.concat("--json", arguments))
                .refusedInJson(status)
                .get("code")
                .asText();
    }
}
