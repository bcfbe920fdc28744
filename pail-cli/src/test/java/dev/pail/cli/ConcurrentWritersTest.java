package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.Pail;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.cli.terminal.Exit;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several processes and one repository; processes that are killed (D21b and D24 of {@code spec/deviations.md}). */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConcurrentWritersTest {
    @TempDir
    Path folder;

    /** The reference kept one to five of thirteen keys, and mostly said that all was well. */
    @Test
    void twelveWritersAtOnceLoseNothing() {
        Shell shell = Shell.withRepository(folder);
        shell.put("earlier", 0);
        List<Launched> writers = new ArrayList<>();
        TreeSet<String> keys = new TreeSet<>(List.of("earlier"));
        for (int i = 1; i <= 12; i++) {
            keys.add("key " + i);
            writers.add(Launched.pail(folder, "put", "key " + i, Shell.cid(i), "--lock-timeout", "120"));
        }
        List<String> roots =
                writers.stream().map(writer -> writer.answer().done().line()).toList();

        assertThat(roots).doesNotHaveDuplicates().contains(shell.root());
        assertThat(shell.keys()).containsExactlyElementsOf(keys);
        for (int i = 1; i <= 12; i++) {
            assertThat(shell.run("get", "key " + i).done().line()).isEqualTo(Shell.cid(i));
        }
        shell.run("verify").done();
    }

    @Test
    void ofFiveProcessesThatMakeARepositoryOneDoes() {
        List<Launched> makers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            makers.add(Launched.pail(folder, "init", "--format", i == 2 ? "v1" : "v0"));
        }
        List<Integer> statuses =
                makers.stream().map(maker -> maker.answer().status()).sorted().toList();
        assertThat(statuses).containsExactly(Exit.DONE, Exit.FAILED, Exit.FAILED, Exit.FAILED, Exit.FAILED);
        Shell shell = Shell.in(folder);
        shell.put("k", 1);
        assertThat(shell.keys()).containsExactly("k");
        shell.run("verify", "--all").done();
    }

    /** All of them take turns: none fails, and the table and its index have the same rows after that. */
    @Test
    void rowsArePutWhileBlocksMoveAndAnIndexComesAndGoes() {
        Shell shell = Shell.withRepository(folder);
        shell.run("table", "create", "t").done();
        List<List<String>> loops = new ArrayList<>();
        for (String writer : List.of("A", "B")) {
            List<String> puts = new ArrayList<>();
            for (int n = 1; n <= 6; n++) {
                puts.add("table put t " + writer + n + " {\"a\":" + n + "}");
            }
            loops.add(puts);
        }
        String index = "table index t a";
        String drop = "table index t a --drop";
        loops.add(List.of(index, drop, index, drop, index, drop, index));
        loops.add(List.of("pack", "unpack", "pack", "unpack", "pack", "unpack"));
        loops.add(List.of("gc", "verify --all", "gc", "verify --all", "gc", "verify --all"));
        List<CompletableFuture<Void>> all = loops.stream()
                .map(loop -> CompletableFuture.runAsync(
                        () -> loop.forEach(words -> shell.run((words + " --lock-timeout 120").split(" "))
                                .done()),
                        each -> new Thread(each).start()))
                .toList();
        all.forEach(CompletableFuture::join);
        assertThat(shell.run("table", "scan", "t", "--json").done().json()).hasSize(12);
        assertThat(shell.run("table", "find", "t", "a", "--gte", "0", "--json")
                        .done()
                        .json())
                .hasSize(12);
        shell.run("verify", "--all").done();
        assertThat(shell.run("table", "reindex").done().err()).isEmpty();
    }

    @Test
    void whoFindsItLockedIsToldByWhomAndCanStillRead() throws IOException {
        Shell shell = Shell.withRepository(folder);
        shell.put("a", 1);
        String store = folder.resolve(".pail").toString();
        Launched holder = Launched.start(Launched.builder(folder, Launched.command(LockHolder.class, store)));
        assertThat(holder.readLine()).isEqualTo("held");
        Map<String, String> before = Snapshot.of(folder);

        for (String command : List.of("put b " + Shell.cid(2), "rm a", "apply", "put b --file -")) {
            String[] words = (command + " --lock-timeout 0").split(" ");
            String message = shell.run(words).refused(Exit.CONFLICT);
            assertThat(message)
                    .contains(
                            "process " + holder.process().pid(),
                            ".pail",
                            "hint: ",
                            "--lock-timeout",
                            "do not remove LOCK");
            JsonNode failure = shell.run(Shell.concat("--json", words)).refusedInJson(Exit.CONFLICT);
            assertThat(failure.get("code").asText()).isEqualTo("store-locked");
        }
        shell.feed(Line.put("b", 2), "apply", "--lock-timeout", "0").refused(Exit.CONFLICT);
        shell.feed(Line.put("b", 2), "apply", "--each", "--lock-timeout", "0").refused(Exit.CONFLICT);
        Launched.pail(folder, "put", "b", Shell.cid(2), "--lock-timeout=0")
                .answer()
                .refused(Exit.CONFLICT);

        assertThat(shell.run("get", "a").done().line()).isEqualTo(Shell.cid(1));
        assertThat(shell.keys()).containsExactly("a");
        for (String command : List.of("root", "tree", "stat", "verify")) {
            shell.run(command).done();
        }
        // Those who were refused must not have taken the lock from its holder.
        shell.run("rm", "a", "--lock-timeout", "0").refused(Exit.CONFLICT);
        assertThat(Snapshot.of(folder)).isEqualTo(before);

        holder.feed(new byte[0]);
        shell.run("put", "b", Shell.cid(2), "--lock-timeout", "0").done();
        assertThat(shell.keys()).containsExactly("a", "b");
    }

    @Test
    void branchesAndTagsThatOthersRemoveMeanwhileAreInNobodysWay() {
        Shell shell = Shell.withRepository(folder);
        shell.put("a", 1);
        // Those that are looked at between the listing of all and the look at the one that comes and goes.
        for (int i = 10; i < 40; i++) {
            shell.run("branch", "b" + i).done();
        }
        String event =
                shell.run("log", "--json").done().json().get(0).get("event").asText();
        List<String> lookers = List.of(
                "verify",
                "verify --all",
                "branch",
                "tag",
                "log",
                "stat --storage",
                "gc",
                "get a --at " + event.substring(0, 12));
        AtomicBoolean isEnough = new AtomicBoolean();
        AtomicLong changes = new AtomicLong();
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
            while (!isEnough.get()) {
                for (String words :
                        List.of("branch passing", "tag passing-too", "branch -d passing", "tag -d passing-too")) {
                    shell.run(words.split(" ")).done();
                    changes.incrementAndGet();
                }
            }
        });
        int disturbed = 0;
        try {
            for (int i = 0; (i < 25 || disturbed < 25) && !other.isDone(); i++) {
                for (String words : lookers) {
                    long before = changes.get();
                    shell.run(words.split(" ")).done();
                    disturbed += changes.get() > before ? 1 : 0;
                }
            }
        } finally {
            isEnough.set(true);
        }
        other.join();
        assertThat(disturbed).as("looks while something came or went").isGreaterThanOrEqualTo(25);
    }

    @Test
    void theLockOfAKilledProcessIsFree() throws IOException {
        Shell shell = Shell.withRepository(folder);
        String store = folder.resolve(".pail").toString();
        Launched holder = Launched.start(Launched.builder(folder, Launched.command(LockHolder.class, store)));
        assertThat(holder.readLine()).isEqualTo("held");
        holder.kill();
        holder.answer();

        shell.run("put", "a", Shell.cid(1), "--lock-timeout", "0").done();
    }

    /** The roots that follow on each other when keys are put one by one, the empty one first. */
    private static List<String> roots(int keys) {
        List<String> roots = new ArrayList<>();
        Pail pail = Pail.create(new MemoryBlockStore());
        roots.add(pail.root().toString());
        for (int i = 1; i <= keys; i++) {
            pail = pail.put(key(i), Cid.parse(Shell.cid(i)));
            roots.add(pail.root().toString());
        }
        return roots;
    }

    private static String key(int number) {
        return "key " + number;
    }

    @Test
    void aProcessKilledWhileItAppliesLosesNothingThatItAcknowledged() throws IOException {
        List<String> roots = roots(500);
        Shell shell = Shell.withRepository(folder);
        int done = 0;
        for (int kill = 1; kill <= 10; kill++) {
            List<String> acknowledged = applyAndKill(done, 3 * kill - 2);

            int last = done + acknowledged.size();
            assertThat(acknowledged).isEqualTo(roots.subList(done + 1, last + 1));
            int head = roots.indexOf(shell.root());
            assertThat(head).isBetween(last, last + 1);
            shell.run("verify").done();
            checkReadable(acknowledged, done + 1);
            assertThat(shell.run("apply", "--lock-timeout", "0").done().line()).isEqualTo(roots.get(head));
            done = head;
        }
        assertThat(done).isGreaterThan(100);
        shell.run("put", key(done + 1), Shell.cid(done + 1)).done();
        assertThat(shell.root()).isEqualTo(roots.get(done + 1));
    }

    /** Kills a process after {@code answers} answers, while it has more to do, and returns all its answers. */
    private List<String> applyAndKill(int done, int answers) throws IOException {
        Launched writer = Launched.pail(folder, "apply", "--each");
        for (int i = 1; i <= answers + 20; i++) {
            writer.write(Line.put(key(done + i), done + i));
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < answers; i++) {
            out.append(writer.readLine()).append('\n');
        }
        writer.kill();
        Answer rest = writer.answer();
        assertThat(rest.status()).as(rest.err()).isEqualTo(137);
        out.append(new String(rest.bytes(), StandardCharsets.US_ASCII));
        return out.substring(0, out.lastIndexOf("\n") + 1)
                .lines()
                .map(line -> Answer.parse(line).get("root").asText())
                .toList();
    }

    private void checkReadable(List<String> acknowledged, int first) {
        try (Repository repository = FileRepository.open(folder.resolve(".pail"))) {
            for (int i = 0; i < acknowledged.size(); i++) {
                Pail pail = Pail.open(repository.blocks(), Cid.parse(acknowledged.get(i)));
                assertThat(pail.entries().count()).isEqualTo(first + i);
                assertThat(pail.get(key(first + i))).hasValue(Cid.parse(Shell.cid(first + i)));
            }
        }
    }

    /** A listing shows one version, even if other processes write meanwhile. */
    @Test
    void aListingUnderWayIsNotDisturbed() throws IOException {
        Shell shell = Shell.withRepository(folder);
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 5000; i++) {
            lines.append(Line.put(key(i), 1));
        }
        shell.feed(lines.toString(), "apply").done();
        List<String> before = shell.run("ls").done().lines();

        Launched listing = Launched.pail(folder, "ls");
        String first = listing.readLine();
        shell.feed(lines.toString().replace("\"put\"", "\"del\"").replaceAll(",\"value\":\"[^\"]*\"", ""), "apply")
                .done();
        assertThat(shell.keys()).isEmpty();
        List<String> listed = new ArrayList<>(List.of(first));
        listed.addAll(listing.answer().done().lines());
        assertThat(listed).isEqualTo(before);
    }
}
