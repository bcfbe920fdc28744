package dev.pail.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.server.PailServer;
import dev.pail.testkit.disk.MemoryTempDir;
import dev.pail.testkit.remote.OldServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on the repository of a server give what they give on its folder. */
class ServedCommandsTest {
    private static final int KEYS = 300;
    private static final int ROWS = 120;

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    /** Without those for the state, which a slow command repeats each second. */
    private final AtomicInteger requests = new AtomicInteger();

    private Shell here;
    private Shell there;
    private Repository repository;
    private PailServer server;

    @BeforeEach
    void make() throws IOException {
        here = Shell.withRepository(folder, "--format", "v1");
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < KEYS; i++) {
            lines.append("{\"op\":\"put\",\"key\":\"many/")
                    .append(i)
                    .append("\",\"text\":\"value ")
                    .append(i)
                    .append("\"}\n");
        }
        here.feed(lines.toString(), "apply", "-m", "many").done();
        here.run("tag", "start").done();
        for (int i = 0; i < 40; i++) {
            here.run("put", "many/" + (i % 7), "--text", "changed " + i, "-m", "change " + i)
                    .done();
        }
        here.run("put", "note", "--text", "one\ntwo\nthree\n").done();
        here.run("branch", "other").done();
        here.run("put", "note", "--text", "one\nTWO\nthree\n", "-m", "ours").done();
        here.run("put", "-b", "other", "note", "--text", "one\n2\nthree\n", "-m", "theirs")
                .done();
        assertThat(here.run("merge", "other").status()).isZero();
        here.run("table", "init", "-b", "other").status();
        here.run("table", "create", "people").done();
        here.run("table", "index", "people", "city").done();
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < ROWS; i++) {
            rows.append("{\"id\":\"")
                    .append(i)
                    .append("\",\"city\":\"c")
                    .append(i % 3)
                    .append("\",\"age\":")
                    .append(i)
                    .append("}\n");
        }
        here.feed(rows.toString(), "table", "load", "people").done();
        here.run("table", "put", "people", "7", "{\"city\":\"c9\",\"age\":1}").done();
        repository = FileRepository.open(folder.resolve(".pail"));
        server = PailServer.over(repository)
                .withAccessLog(line -> requests.addAndGet(line.contains("/v1/info") ? 0 : 1))
                .start();
        there = Shell.in(Files.createDirectory(folder.resolve("elsewhere")))
                .withVariable(
                        "PAIL_STORE", "http://127.0.0.1:" + server.address().getPort());
    }

    @AfterEach
    void stop() {
        server.close();
        repository.close();
    }

    /** The commands, each with the most requests. */
    private static final String READS = """
            get many/7 | 3
            cat note | 3
            ls | 5
            ls -l | 18
            ls --reverse -l many/ | 18
            du | 18
            tree | 30
            root | 2
            root --at start | 5
            stat | 7
            diff start | 9
            diff -p start | 40
            diff -p main~3 | 20
            log | 14
            log -n 3 | 8
            log --graph --oneline | 14
            log -p | 55
            log --stat | 55
            log --prefix many/ | 8
            log --all | 35
            log --head | 4
            log --pushed | 4
            root --at @{1} | 4
            get note --at @{30} | 6
            ls --at @{yesterday} | 4
            log --json | 6
            show | 8
            blame | 7
            blame many/ | 6
            table ls | 4
            table get people 7 | 6
            table find people city c1 | 14
            table explain people city=="c1" | 4
            conflicts | 20
            table scan people | 12
            table history people 7 | 8
            table diff main~1 | 12
            table count people --by city | 12
            table max people age | 12
            describe | 8
            tag | 4
            branch | 1
            branch -v | 9
            merge-rules | 3
            prove many/3 -o p.car | 9
            export all.car | 160
            export u.car --as unixfs --prefix many | 14
            verify | 50
            verify --all --values | 85
            restore many/ --to out | 12
            """;

    @Test
    void readsAsInTheFolderInFewRequests_SY24() {
        SoftAssertions all = new SoftAssertions();
        for (String line : READS.lines().toList()) {
            int end = line.indexOf('|');
            String command = line.substring(0, end).strip();
            Answer expected = here.run(command.split(" "));
            requests.set(0);
            Answer answer = there.run(command.split(" "));
            all.assertThat(answer.err()).as(command).isEqualTo(expected.err());
            all.assertThat(answer.status()).as(command).isEqualTo(expected.status());
            all.assertThat(answer.bytes()).as(command).isEqualTo(expected.bytes());
            all.assertThat(requests.get())
                    .as("requests of " + command)
                    .isLessThanOrEqualTo(
                            Integer.parseInt(line.substring(end + 1).strip()));
        }
        all.assertAll();
    }

    /** It sends the blocks that are asked for alone, and neither tags nor logs, which some commands name or count. */
    @Test
    void readsFromAServerOfVersion020_SY24_SY25() throws IOException {
        SoftAssertions all = new SoftAssertions();
        try (OldServer old = new OldServer(server.address().getPort())) {
            Shell shell = there.withVariable("PAIL_STORE", "http://127.0.0.1:" + old.port())
                    .withVariable("XDG_CACHE_HOME", folder.resolve("old-cache").toString());
            for (String line : READS.lines().toList()) {
                String command = line.substring(0, line.indexOf('|')).strip();
                if (command.matches("tag|describe|verify|conflicts|log --head|log --pushed|.*( start|@\\{).*")) {
                    continue;
                }
                Answer expected = here.run(command.split(" "));
                Answer answer = shell.run(command.split(" "));
                all.assertThat(answer.err()).as(command).isEqualTo(expected.err());
                all.assertThat(answer.bytes()).as(command).isEqualTo(expected.bytes());
            }
            // Without the log, ours is the value that stands.
            all.assertThat(sides(shell.run("conflicts"))).hasSize(4).isEqualTo(sides(here.run("conflicts")));
            all.assertThat(shell.run("log", "--head").err()).contains("stays with the server, as one of version 0.2.0");
            for (String command : List.of("root --at @{1}", "root --at @{yesterday}", "undo")) {
                all.assertThat(shell.run(command.split(" ")).refused(Exit.FAILED))
                        .contains("its log stays with the server, as that of version 0.2.0 does not send it");
            }
            System.out.println(old.requests() + " requests to a server of version 0.2.0");
        }
        all.assertAll();
    }

    /** The lines of conflicts without the names of the sides, in an order that does not depend on these. */
    private static List<String> sides(Answer conflicts) {
        return conflicts
                .text()
                .lines()
                .map(line -> line.replaceFirst("^  (?:ours  |theirs)", "  side"))
                .sorted()
                .toList();
    }

    /** Mixed with undos in the folder, they lead where those lead. */
    @Test
    void undoesAndRedoesAsInTheFolder_SY29() {
        String[] log = {"log", "--head", "--json"};
        List<String> roots = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            roots.add(here.root());
            (i == 1 ? there : here)
                    .run("put", "undone", "--text", "text " + i, "-q")
                    .done();
        }
        roots.add(here.root());
        assertThat(there.run("undo").status()).isZero();
        assertThat(here.root()).isEqualTo(roots.get(2));
        assertThat(here.run("undo").status()).isZero();
        assertThat(there.run("undo").status()).isZero();
        assertThat(here.root()).isEqualTo(roots.get(0));
        assertThat(there.run("redo", "2").status()).isZero();
        assertThat(here.root()).isEqualTo(roots.get(2));
        assertThat(here.run("redo").status()).isZero();
        assertThat(here.root()).isEqualTo(roots.get(3));
        assertThat(there.run("redo").refused(Exit.FAILED)).contains("nothing to redo");
        assertThat(there.run("undo", "3").status()).isZero();
        assertThat(here.root()).isEqualTo(roots.get(0));
        assertThat(there.run(log).done().text())
                .isEqualTo(here.run(log).done().text())
                .contains("undo to generation ", "redo to generation ");
    }

    @Test
    void copiesFromTheServerAndBack() throws IOException {
        String url = "http://127.0.0.1:" + server.address().getPort();
        Shell outside = Shell.in(folder.resolve("elsewhere"));
        outside.run("copy", url, "copy", "-q").done();
        Shell copy = outside.withVariable(
                "PAIL_STORE", folder.resolve("elsewhere/copy").toString());
        for (String command : List.of("root -b main", "root -b other", "tag", "log --json", "verify --all --values")) {
            assertThat(copy.run(command.split(" ")).done().text())
                    .as(command)
                    .isEqualTo(here.run(command.split(" ")).done().text());
        }
        byte[] large = new byte[33 << 20];
        new Random(1).nextBytes(large);
        Files.write(folder.resolve("elsewhere/large"), large);
        copy.run("put", "large", "--file", "large", "-q").done();
        copy.run("switch", "other", "-q").done();
        copy.run("put", "b", "--text", "c", "-q").done();
        copy.run("tag", "later").done();
        assertThat(outside.run("copy", "copy", url).done().lines())
                .hasSize(3)
                .anyMatch(line -> line.startsWith("tag later"));
        for (String command : List.of("root -b main", "root -b other", "tag", "verify --all --values")) {
            assertThat(here.run(command.split(" ")).done().text())
                    .as(command)
                    .isEqualTo(copy.run(command.split(" ")).done().text());
        }
        here.run("put", "-b", "other", "b", "--text", "theirs", "-q").done();
        copy.run("put", "b", "--text", "ours", "-q").done();
        assertThat(outside.run("copy", "copy", url).refused(Exit.CONFLICT)).contains("branch other", url);
    }

    /** The current branch stays with the server. A copy that does not fit into the memory is refused. */
    @Test
    void copiesToANewServer() throws IOException {
        Shell outside = Shell.in(folder.resolve("elsewhere"));
        outside.run("-C", "new", "init", "--format", "v1", "-q").done();
        here.run("switch", "other", "-q").done();
        try (Repository made = FileRepository.open(folder.resolve("elsewhere/new"));
                PailServer empty = PailServer.over(made).start()) {
            String url = "http://127.0.0.1:" + empty.address().getPort();
            outside.run("copy", folder.resolve(".pail").toString(), url, "-q").done();
            assertThat(made.root("other").toString()).isEqualTo(here.root());
            assertThat(made.branches().current()).isEqualTo("main");
            byte[] large = new byte[65 << 20];
            new Random(1).nextBytes(large);
            Files.write(folder.resolve("elsewhere/large"), large);
            Shell.in(folder)
                    .run("put", "large", "--file", "elsewhere/large", "-q")
                    .done();
            assertThat(outside.run("copy", folder.resolve(".pail").toString(), url)
                            .refused(Exit.FAILED))
                    .contains("at most 67108864 bytes of new blocks", "push it from there");
        }
    }

    /** Also behind the updates that removed the branch. */
    @Test
    void theLogIsReadInPages_SY26() {
        for (int i = 0; i < 20; i++) {
            here.run("branch", "gone", "start").done();
            here.run("branch", "-d", "gone").done();
        }
        here.run("branch", "gone").done();
        requests.set(0);
        String[] log = {"log", "--head", "-b", "gone"};
        assertThat(there.run(log).done().lines())
                .hasSizeGreaterThan(20)
                .isEqualTo(here.run(log).done().lines());
        assertThat(requests).hasValue(2);
        String before = here.run("root", "--at", "@{1}").done().line();
        assertThat(there.run("reset", "@{1}").status()).isZero();
        assertThat(here.root()).isEqualTo(before);
    }

    @Test
    void statusNamesTheServer() {
        assertThat(there.run("status").done().lines())
                .hasSize(3)
                .startsWith(here.run("status").done().lines().get(0), "1 open conflict; list with: pail conflicts")
                .last()
                .asString()
                .contains("repository http://127.0.0.1:", "format v1, events described");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "switch other | is changed where it is, not from here: http://",
                "gc | no block is taken away",
                "gc --dry-run | are not collected from here: http://",
                "erase note | are erased where it is, not from here: http://",
                "recover | refs are rebuilt where the repository is, not through its server: http://",
            })
    void whatStaysWithTheServerIsRefused(String command, String why) {
        assertThat(there.run(command.split(" ")).refused(Exit.FAILED)).contains(why, "hint: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"pack", "unpack", "stat --storage", "config set author Ann", "remote", "fetch", "pull", "push"})
    void whatOnlyAFolderHasIsRefused(String command) {
        assertThat(there.run(command.split(" ")).refused(Exit.USAGE))
                .contains("only a repository in a folder has ", ", not http://", "pail copy http://");
    }
}
