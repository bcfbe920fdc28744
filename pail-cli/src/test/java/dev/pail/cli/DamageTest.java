package dev.pail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.StoreDamagedException;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.ipld.Cid;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Repositories that something has happened to: what is whole can still be read, what is not is named, nothing changes. */
class DamageTest {
    private static final String CID = Shell.cid(9);

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;
    private Path store;

    /** Shards in a chain: the root has "a" and "banana", the next "p", the last the two fruits. */
    @BeforeEach
    void makeRepository() throws IOException {
        Files.createDirectory(folder.resolve("shell"));
        shell = Shell.withRepository(folder.resolve("shell"), "--format", "v1");
        shell.put("apple", 1, "apricot", 2, "zebra", 3);
        shell.feed("yellow", "put", "banana", "--file", "-").done();
        store = folder.resolve("shell/.pail");
    }

    /** Something that happens to the file of a block. */
    enum Damage {
        FLIPPED_BIT {
            @Override
            void happen(Path file) throws IOException {
                byte[] bytes = Files.readAllBytes(file);
                bytes[bytes.length / 2] ^= 1;
                Files.write(file, bytes);
            }
        },
        EMPTY {
            @Override
            void happen(Path file) throws IOException {
                Files.write(file, new byte[0]);
            }
        },
        CUT {
            @Override
            void happen(Path file) throws IOException {
                byte[] bytes = Files.readAllBytes(file);
                Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
            }
        },
        TOO_LARGE {
            @Override
            void happen(Path file) throws IOException {
                try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
                    sparse.setLength(9 << 20);
                }
            }
        },
        FOLDER {
            @Override
            void happen(Path file) throws IOException {
                Files.delete(file);
                Files.createDirectory(file);
            }
        },
        LINK {
            @Override
            void happen(Path file) throws IOException {
                Path outside = file.resolveSibling("outside");
                Files.move(file, outside);
                Files.createSymbolicLink(file, outside);
            }
        },
        DANGLING_LINK {
            @Override
            void happen(Path file) throws IOException {
                Files.delete(file);
                Files.createSymbolicLink(file, file.resolveSibling("nothing"));
            }
        },
        MISSING {
            @Override
            void happen(Path file) throws IOException {
                Files.delete(file);
            }
        };

        abstract void happen(Path file) throws IOException;
    }

    private void damage(Damage damage, String cid) throws IOException {
        String name = Cid.parse(cid).multihashName();
        damage.happen(store.resolve("blocks/" + name.substring(name.length() - 2) + "/" + name + ".data"));
    }

    private void refuses(String named, String... arguments) {
        Map<String, String> before = Snapshot.of(folder);
        assertThat(shell.run(arguments).refused(Exit.DAMAGED)).contains(named);
        JsonNode failure = shell.run(Shell.concat("--json", arguments)).refusedInJson(Exit.DAMAGED);
        assertThat(failure.get("error").asText()).contains(named);
        assertThat(Snapshot.of(folder)).isEqualTo(before);
    }

    /** A command that prints what it can before it fails. */
    private String failsLater(String named, String... arguments) {
        Answer answer = shell.run(arguments);
        assertThat(answer.failed(Exit.DAMAGED)).contains(named);
        return answer.text();
    }

    private void verifies(String cid, String word, String problem, String key) {
        Map<String, String> before = Snapshot.of(folder);
        assertThat(failsLater("1 block", "verify").lines())
                .filteredOn(line -> line.startsWith(word + "\t"))
                .hasSize(1)
                .allSatisfy(line -> assertThat(line).contains("\t" + cid + "\t", "\t" + key + "\t"));
        Answer inJson = shell.run("verify", "--json");
        assertThat(inJson.failedInJson(Exit.DAMAGED).get("code").asText()).isEqualTo("damaged-store");
        JsonNode found = inJson.json().get(0);
        assertThat(found.get("problem").asText()).isEqualTo(word);
        assertThat(found.get("cid").asText()).isEqualTo(cid);
        assertThat(found.get(problem).asText()).isEqualTo(key);
        assertThat(found.get("message").asText()).contains(cid);
        assertThat(inJson.json().get(1).get("problems").asInt()).isEqualTo(1);
        assertThat(Snapshot.of(folder)).isEqualTo(before);
    }

    private static String word(Damage damage) {
        return damage == Damage.MISSING ? "missing" : "damaged";
    }

    @ParameterizedTest
    @EnumSource
    void ofAShardInTheMiddle(Damage damage) throws IOException {
        String middle = shell.shards().get(1).get("shard").asText();
        assertThat(shell.shards())
                .extracting(shard -> shard.get("prefix").asText())
                .containsExactly("", "a", "ap");
        damage(damage, middle);

        refuses(middle, "get", "apple");
        refuses(middle, "cat", "apricot");
        refuses(middle, "put", "apple", CID);
        refuses(middle, "put", "abacus", CID);
        refuses(middle, "rm", "apple");
        refuses(middle, "rm", "banana", "apricot");
        refuses(middle, "ls");
        refuses(middle, "ls", "a", "--reverse");
        refuses(middle, "stat");
        assertThat(failsLater(middle, "ls", "--reverse").lines())
                .containsExactly("zebra\t" + Shell.cid(3), "banana\t" + Shell.cid("yellow".getBytes(UTF_8)));
        assertThat(failsLater(middle, "tree").lines()).hasSizeLessThan(3);
        verifies(middle, word(damage), "prefix", "a");

        assertThat(shell.run("get", "banana").done().line()).isEqualTo(Shell.cid("yellow".getBytes(UTF_8)));
        assertThat(shell.run("cat", "banana").done().text()).isEqualTo("yellow");
        assertThat(shell.run("ls", "--gt", "b").done().lines()).hasSize(2);
        shell.put("berry", 4);
        shell.run("rm", "banana").done();
        assertThat(shell.run("ls", "b").done().lines()).containsExactly("berry\t" + Shell.cid(4));
    }

    @ParameterizedTest
    @EnumSource
    void ofTheRoot(Damage damage) throws IOException {
        String root = shell.root();
        damage(damage, root);

        assertThat(shell.root()).isEqualTo(root);
        refuses(root, "get", "banana");
        refuses(root, "cat", "banana");
        refuses(root, "put", "banana", CID);
        refuses(root, "rm", "banana");
        refuses(root, "apply");
        refuses(root, "ls");
        refuses(root, "tree");
        refuses(root, "stat");
        verifies(root, word(damage), "prefix", "");
    }

    @ParameterizedTest
    @EnumSource
    void ofAValue(Damage damage) throws IOException {
        String value = shell.run("get", "banana").done().line();
        damage(damage, value);

        refuses(value, "cat", "banana");
        assertThat(shell.run("get", "banana").done().line()).isEqualTo(value);
        assertThat(shell.keys()).hasSize(4);
        if (damage == Damage.MISSING) {
            assertThat(shell.run("verify").done().text()).contains("values here 0");
        } else {
            verifies(value, "damaged", "key", "banana");
        }
    }

    /** What is damaged is not taken for being there. */
    @ParameterizedTest
    @EnumSource(names = {"FLIPPED_BIT", "EMPTY", "CUT", "TOO_LARGE", "MISSING"})
    void ofAValueIsHealedByStoringItAgain(Damage damage) throws IOException {
        damage(damage, shell.run("get", "banana").done().line());
        String root = shell.root();

        assertThat(shell.feed("yellow", "put", "banana", "--file", "-").done().line())
                .isEqualTo(root);
        assertThat(shell.run("cat", "banana").done().text()).isEqualTo("yellow");
        shell.run("verify").done();
    }

    /** The row stays as it is, so that nothing but its document is put. */
    @ParameterizedTest
    @EnumSource(names = {"FLIPPED_BIT", "EMPTY", "CUT", "TOO_LARGE", "MISSING"})
    void ofADocumentIsHealedByPuttingItAgain(Damage damage) throws IOException {
        String document = "{\"id\":\"kiwi\",\"color\":\"green\"}";
        shell.run("table", "create", "fruits").done();
        shell.run("table", "put", "fruits", "kiwi", document).done();
        String root = shell.root();
        JsonNode row =
                shell.run("table", "ls", "fruits", "--json").done().json().get(0);
        for (String[] again : List.of(
                new String[] {"table", "put", "fruits", "kiwi", document}, new String[] {"table", "load", "fruits"})) {
            damage(damage, row.get("cid").asText());
            assertThat(shell.run("table", "get", "fruits", "kiwi").refused(Exit.DAMAGED))
                    .contains(row.get("cid").asText());

            assertThat(shell.feed(document, again).done().line()).isEqualTo(root);
            assertThat(shell.run("table", "get", "fruits", "kiwi").done().text())
                    .contains("green");
            shell.run("verify").done();
        }
    }

    /** A reader of lines of JSON must not take a part of a line for all of it. */
    @Test
    void ofADocumentLeavesNoPartOfALine() throws IOException {
        shell.run("table", "create", "fruits").done();
        shell.run("table", "put", "fruits", "kiwi", "{}").done();
        JsonNode row =
                shell.run("table", "ls", "fruits", "--json").done().json().get(0);
        damage(Damage.MISSING, row.get("cid").asText());

        JsonNode failure = shell.run("table", "diff", "--json").refusedInJson(Exit.DAMAGED);
        assertThat(failure.get("error").asText()).contains(row.get("cid").asText());
        assertThat(failure.get("hint").asText()).contains("pail import");
    }

    @Test
    void ofSeveralBlocksIsToldInOneVerify() throws IOException {
        shell.put("x1", 1, "x2", 2);
        for (JsonNode shard : shell.shards()) {
            if (!shard.get("prefix").asText().isEmpty()) {
                damage(Damage.FLIPPED_BIT, shard.get("shard").asText());
            }
        }
        damage(Damage.FOLDER, shell.run("get", "banana").done().line());

        Answer verified = shell.run("verify");
        assertThat(verified.failed(Exit.DAMAGED)).contains("3 blocks");
        assertThat(verified.lines())
                .filteredOn(line -> line.startsWith("damaged\t"))
                .hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "garbage",
                "\0\1\2\u00ff",
                "layout = 2\nformat = v1\n",
                "layout = 2\nmaxKeySize = 4096\n",
                "layout = 2\nformat = v1\nmaxKeySize = many\n",
                "layout = 2\nformat = v1\nmaxKeySize = 1000000\n",
                "layout = 2\nformat = v0\nmaxSize = 3\nmaxKeyLength = 64\n",
                "layout = 2\nformat = v7\n",
                "layout = 2\nformat = \u001b[31m\n",
                "layout = one\nformat = v1\nmaxKeySize = 4096\n",
                "layout = 1\nformat = v1\nmaxKeySize = 4096\n",
                "layout = 4\nneeds = moonlight\nformat = v1\nmaxKeySize = 4096\n",
                "layout = 5\nformat = v1\nmaxKeySize = 4096\n"
            })
    void ofTheConfiguration(String text) throws IOException {
        Path config = store.resolve("config");
        Files.writeString(config, text);

        for (String command : List.of("root", "ls", "get apple", "put apple " + CID, "rm apple", "apply", "verify")) {
            refuses(config.toString(), command.split(" "));
        }
    }

    /** What an export cannot find may be missing to an old version alone: the hint leads to what sees it. */
    @Test
    void ofAnOldVersionIsSeenByWhatTheHintNames() throws IOException {
        String old = shell.root();
        shell.put("banana", 5);
        damage(Damage.MISSING, old);

        shell.run("verify").done();
        assertThat(shell.run("export", "x.car").refused(Exit.DAMAGED)).endsWith("with: pail verify --all\n");
        failsLater("1 block", "verify", "--all");
    }

    @Test
    void ofTheConfigurationBySomethingMuchTooLong() throws IOException {
        Files.write(store.resolve("config"), new byte[1 << 20]);

        refuses(store.resolve("config").toString(), "ls");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "garbage", "\0\0\0\0", "\u001b[31m", "../../../../etc/passwd", "bafyreigarbage"})
    void ofTheHead(String text) throws IOException {
        Path head = store.resolve("heads/main");
        Files.writeString(head, text);

        for (String command : List.of("root", "ls", "get apple", "put apple " + CID, "rm apple", "apply", "verify")) {
            refuses(head.toString(), command.split(" "));
        }
    }

    @Test
    void ofTheHeadBySomethingMuchTooLong() throws IOException {
        Files.write(store.resolve("heads/main"), new byte[1 << 20]);

        refuses(store.resolve("heads/main").toString(), "ls");
    }

    /** Every repository has this branch, so something has happened to one that has not. */
    @Test
    void ofTheHeadByItsLoss() throws IOException {
        Files.delete(store.resolve("heads/main"));

        refuses("main", "root");
        refuses("main", "put", "apple", CID);
        for (String command : List.of("branch", "verify", "stat --storage", "gc", "gc --dry-run")) {
            refuses(store.resolve("heads/main").toString(), command.split(" "));
        }
    }

    /** All commands agree, also those that are not for one branch. */
    @Test
    void ofAllHeadsByTheirLoss() throws IOException {
        shell.run("branch", "other").done();
        try (Stream<Path> heads = Files.list(store.resolve("heads"))) {
            for (Path head : heads.toList()) {
                Files.delete(head);
            }
        }
        Files.delete(store.resolve("heads"));

        for (String command : List.of(
                "root",
                "ls",
                "put apple " + CID,
                "-b other ls",
                "branch",
                "tag",
                "log",
                "verify",
                "gc",
                "stat --storage")) {
            refuses(store.resolve("heads").toString(), command.split(" "));
        }
        assertThat(shell.run("verify").refused(Exit.DAMAGED)).contains("hint: restore heads and logs");
    }

    /** What is there is no reason to make a new repository over it. */
    @Test
    void ofTheConfigurationByItsLoss() throws IOException {
        Files.delete(store.resolve("config"));

        for (String command : List.of("root", "ls", "put apple " + CID, "branch", "verify", "gc", "init")) {
            refuses("a repository without a configuration: " + store, command.split(" "));
        }
        assertThat(shell.run("ls").refused(Exit.DAMAGED)).contains("hint: restore the file config");
    }

    /** What an init has left that was broken off is no repository yet, and the next init makes it one. */
    @Test
    void aRepositoryThatWasNeverMadeIsNotDamaged() throws IOException {
        Shell half = Shell.withRepository(Files.createDirectory(folder.resolve("half")));
        Files.delete(folder.resolve("half/.pail/config"));

        assertThat(half.run("ls").refused(Exit.FAILED)).contains("no repository", "init");
        assertThat(half.run("init").status()).isZero();
        assertThat(half.keys()).isEmpty();
    }

    @Test
    void ofAStoreIsDamageAndNotAFailure() {
        Failure failure = Failure.of(
                new StoreDamagedException("cannot compact", "segments", "a record with a wrong checksum", null));

        assertThat(failure.exit()).isEqualTo(Exit.DAMAGED);
        assertThat(failure.code()).isEqualTo("damaged-store");
        assertThat(failure.message()).contains("cannot compact", "segments", "a record with a wrong checksum");
        assertThat(failure.hint()).contains("pail verify --all", "pail unpack");
    }

    /** A head and a log that do not belong together: no one but the user knows which is right. */
    @ParameterizedTest
    @ValueSource(strings = {"bafyreibl4z7rbuejpkg3a6gmz4uxqkjuh2qcz2732lwcnadrpkjag42eve", "root"})
    void aHeadThatItsLogDoesNotKnow(String other) throws IOException {
        String event = other.equals("root") ? shell.root() : other;
        Files.writeString(store.resolve("heads/main"), event + "\n");

        for (String command : List.of("root", "ls", "get apple", "put apple " + CID, "rm apple", "apply", "verify")) {
            refuses(event, command.split(" "));
            refuses(store.resolve("logs/main").toString(), command.split(" "));
        }
    }

    @Test
    void ofTheLogByItsLoss() throws IOException {
        Files.delete(store.resolve("logs/main"));

        refuses(store.resolve("logs/main").toString(), "root");
        refuses(store.resolve("logs/main").toString(), "put", "apple", CID);
    }

    /** The command creates nothing under a name that the user did not give. */
    @Test
    void ofTheNameOfTheCurrentBranch() throws IOException {
        shell.run("export", "x.car").done();
        shell.run("branch", "other").done();
        shell.run("switch", "other").done();
        Path current = store.resolve("branch");
        Files.writeString(current, "otter\n");

        for (String command : List.of(
                "root",
                "ls",
                "put apple " + CID,
                "rm apple",
                "undo",
                "log",
                "branch",
                "tag new",
                "import x.car",
                "verify")) {
            refuses(current + " names otter", command.split(" "));
        }
        assertThat(shell.run("ls").refused(Exit.DAMAGED)).contains("pail switch NAME", "there are: main, other");
        shell.run("-b", "other", "ls").done();
        shell.run("switch", "other").done();
        shell.run("verify").done();
    }

    @Test
    void ofTheHeadOfTheCurrentBranchByItsLoss() throws IOException {
        shell.run("branch", "other").done();
        shell.run("switch", "other").done();
        shell.put("fig", 5);
        Files.delete(store.resolve("heads/other"));

        for (String command : List.of("root", "ls", "put apple " + CID, "undo", "log", "branch", "verify")) {
            refuses(store.resolve("heads/other").toString(), command.split(" "));
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofTheNewestEvent(Damage damage) throws IOException {
        String event = Files.readString(store.resolve("heads/main")).strip();
        damage(damage, event);

        refuses(event, "root");
        refuses(event, "ls");
        refuses(event, "put", "apple", CID);
    }
}
