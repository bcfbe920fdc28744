package dev.pail.cli.command.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import dev.pail.cli.Snapshot;
import dev.pail.cli.terminal.Exit;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files and folders: put -r, restore, cat of large files, import --files and export --as unixfs. */
class FolderCommandsTest {
    private static final int MEBI = 1 << 20;

    @TempDir
    Path folder;

    private Shell shell;
    private Path site;

    @BeforeEach
    void makeRepository() throws IOException {
        shell = Shell.withRepository(folder, "--format", "v0");
        site = Files.createDirectory(folder.resolve("site"));
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return bytes;
    }

    private void file(String name, String text) throws IOException {
        Path file = site.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        // As old as a file that no process is writing.
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(100)));
    }

    private String text(String key) {
        return shell.run("cat", key).done().text();
    }

    private int versions() {
        return shell.run("log").done().lines().size();
    }

    private static Map<String, String> files(Path folder) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : (Iterable<Path>) all::iterator) {
                if (!Files.isDirectory(each)) {
                    files.put(folder.relativize(each).toString().replace('\\', '/'), Files.readString(each));
                }
            }
        }
        return files;
    }

    private String put(String... arguments) {
        List<String> all = new ArrayList<>(List.of("put", "-r", "site"));
        all.addAll(List.of(arguments));
        Answer answer = shell.run(all.toArray(String[]::new));
        assertThat(answer.status()).as(answer.toString()).isZero();
        return answer.err().strip();
    }

    @Test
    void everyFileBelowAFolderIsAKeyInOneChange() throws IOException {
        file("index.html", "home");
        file("css/main.css", "body {}");
        file("empty", "");
        int before = versions();
        assertThat(put("www")).isEqualTo("3 files: 3 new, 0 changed, 0 unchanged");
        assertThat(versions()).isEqualTo(before + 1);
        assertThat(shell.keys()).containsExactly("www/css/main.css", "www/empty", "www/index.html");
        assertThat(text("www/index.html")).isEqualTo("home");
        assertThat(text("www/empty")).isEmpty();

        file("index.html", "new home");
        assertThat(put("www/")).isEqualTo("3 files: 0 new, 1 changed, 2 unchanged");
        assertThat(text("www/index.html")).isEqualTo("new home");
        assertThat(versions()).isEqualTo(before + 2);
        assertThat(put("www")).isEqualTo("3 files: 0 new, 0 changed, 3 unchanged");
        assertThat(versions()).isEqualTo(before + 2);
    }

    @Test
    void aFileThatHasNotChangedIsNotReadAgain_REP28() throws IOException {
        file("a", "one");
        put();
        Path cache = cache();
        assertThat(Files.readString(cache)).startsWith("files 1\n").contains("\ta\n");
        // The cache says that the file has another value: one that the key does not have is not believed.
        String other = Shell.cid(7);
        rewrite(cache, other);
        put();
        assertThat(text("a")).isEqualTo("one");
        rewrite(cache, other);
        shell.run("put", "a", other).done();
        put();
        assertThat(shell.run("get", "a").done().line()).isEqualTo(other);
    }

    private Path cache() throws IOException {
        try (Stream<Path> derived = Files.list(folder.resolve(".pail/derived"))) {
            return derived.filter(file -> file.getFileName().toString().startsWith("files-"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Gives the only file of a cache another value, with a sum that is right. */
    private static void rewrite(Path cache, String cid) throws IOException {
        String line = Files.readAllLines(cache).get(1).replaceFirst("^[^\t]+", cid);
        CRC32C sum = new CRC32C();
        sum.update(line.getBytes(StandardCharsets.UTF_8));
        Files.writeString(cache, "files 1\n" + line + "\nsum " + sum.getValue() + "\n");
    }

    @Test
    void aDamagedCacheIsNotBelieved_REP28() throws IOException {
        file("a", "one");
        put();
        for (String damaged : List.of("", "files 2\n", "files 1\nx\n", "files 1\n" + Shell.cid(1) + "\t1\n", "\0")) {
            Files.writeString(cache(), damaged);
            file("a", "one");
            put();
            assertThat(text("a")).isEqualTo("one");
        }
        String good = Files.readString(cache());
        Files.writeString(cache(), good.replaceFirst("\nbaf[^\t]+", "\n" + Shell.cid(1)));
        put();
        assertThat(text("a")).isEqualTo("one");
        Files.delete(cache());
        put();
        assertThat(text("a")).isEqualTo("one");
    }

    /** It says that the new file has the old bytes, which the key has, too. Only its sum tells. */
    @Test
    void aCacheWithAnotherSumIsNotBelieved_REP28() throws IOException {
        file("a", "one");
        put();
        String one = shell.run("get", "a").done().line();
        file("a", "two");
        put("elsewhere");
        String line = Files.readAllLines(cache()).get(1);
        String forged = one + line.substring(line.indexOf('\t'));
        for (String sum : List.of("\nsum 7\n", "\nsum x\n", "\n", "")) {
            shell.run("put", "a", one).done();
            Files.writeString(cache(), "files 1\n" + forged + sum);
            put();
            assertThat(text("a")).isEqualTo("two");
        }
    }

    /** It may be written again in the same tick of the clock. */
    @Test
    void aFileThatWasWrittenJustNowIsReadAgain_REP28() throws IOException {
        file("a", "old");
        Files.writeString(site.resolve("b"), "new");
        Files.setLastModifiedTime(site.resolve("b"), FileTime.from(Instant.now().plusSeconds(100)));
        put();
        assertThat(Files.readString(cache())).contains("\ta\n").doesNotContain("\tb\n");
    }

    @Test
    void namesThatAreNoUnicodeAreRefusedByName() throws Exception {
        file("a", "1");
        Process made = new ProcessBuilder("sh", "-c", "printf x > \"$(printf 'b\\377')\"")
                .directory(site.toFile())
                .start();
        assumeThat(made.waitFor()).as("a file system for any bytes").isZero();
        Answer answer = shell.run("put", "-r", "site");
        assertThat(answer.status()).isEqualTo(Exit.FAILED);
        assertThat(answer.err())
                .contains("refused: b", "the name is not Unicode", "1 name cannot be a key", "--exclude");
        assertThat(shell.keys()).isEmpty();
    }

    /** A file that another program writes to all the time has no value. */
    @Test
    void aFileThatIsWrittenWhileItIsReadIsRefused() throws Exception {
        Path growing = site.resolve("growing");
        Files.write(growing, bytes(32 * MEBI));
        AtomicBoolean isOver = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            try (OutputStream out = Files.newOutputStream(growing, StandardOpenOption.APPEND)) {
                while (!isOver.get()) {
                    out.write(1);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        writer.start();
        try {
            Answer answer = shell.run("put", "-r", "site");
            assertThat(answer.status()).isEqualTo(Exit.FAILED);
            assertThat(answer.err()).contains("changed while it was read, and no key was changed", "growing");
        } finally {
            isOver.set(true);
            writer.join();
        }
        assertThat(shell.keys()).isEmpty();
    }

    @Test
    void mirrorRemovesKeysWithoutAFile() throws IOException {
        file("a", "1");
        file("b", "2");
        put("www");
        shell.put("other", 1, "www2", 2);
        Files.delete(site.resolve("b"));
        assertThat(put("www")).isEqualTo("1 file: 0 new, 0 changed, 1 unchanged");
        assertThat(put("www", "--mirror", "--dry-run"))
                .isEqualTo("1 file: 0 new, 0 changed, 1 unchanged; removed 1 key");
        assertThat(shell.keys()).contains("www/b");
        put("www", "--mirror");
        assertThat(shell.keys()).containsExactly("other", "www/a", "www2");
        assertThat(shell.run("put", "-r", "site", "--mirror").refused(Exit.USAGE))
                .contains("give a PREFIX");
    }

    @Test
    void aDryRunChangesNothing() throws IOException {
        file("a", "1");
        Files.write(site.resolve("large"), bytes(3 * MEBI));
        Map<String, String> before = Snapshot.of(folder.resolve(".pail"));
        assertThat(put("--dry-run")).isEqualTo("2 files: 2 new, 0 changed, 0 unchanged");
        assertThat(Snapshot.of(folder.resolve(".pail"))).isEqualTo(before);
    }

    @Test
    void whatPatternsNameIsLeftOut() throws IOException {
        file(".pailignore", "*.log\n/build/\n!keep.log\n");
        file("a.log", "");
        file("keep.log", "");
        file("build/x", "");
        file("sub/build/x", "");
        file("sub/.pailignore", "x\n");
        file("sub/y", "");
        file("sub/z.tmp", "");
        put("--exclude", "*.tmp", "--exclude", ".pailignore");
        assertThat(shell.keys()).containsExactly("keep.log", "sub/y");
    }

    @Test
    void linksAreSkippedAndCounted() throws IOException {
        file("a", "1");
        Files.writeString(folder.resolve("secret"), "secret");
        Files.createSymbolicLink(site.resolve("l"), folder.resolve("secret"));
        Files.createSymbolicLink(site.resolve("loop"), site);
        assertThat(put()).isEqualTo("1 file: 1 new, 0 changed, 0 unchanged; skipped 2 symbolic links");
        assertThat(shell.keys()).containsExactly("a");
        JsonNode counts = shell.run("put", "-r", "site", "--json").done().json().get(0);
        assertThat(counts.get("links").asInt()).isEqualTo(2);
        assertThat(counts.get("unchanged").asInt()).isEqualTo(1);
    }

    @Test
    void theRepositoryIsNoPartOfItself() throws IOException {
        file("a", "1");
        Answer answer = shell.run("put", "-r", ".");
        assertThat(answer.status()).isZero();
        assertThat(shell.keys()).containsExactly("site/a");
    }

    @Test
    void allNamesThatCannotBeKeysAreNamed() throws IOException {
        Path other = Files.createDirectory(folder.resolve("other"));
        Shell v1 = Shell.withRepository(other, "--format", "v1");
        Path files = Files.createDirectory(other.resolve("files"));
        for (String name : List.of("é", "ü", "plain")) {
            Files.writeString(files.resolve(name), name);
        }
        String root = v1.root();
        Answer answer = v1.run("put", "-r", "files");
        assertThat(answer.status()).isEqualTo(Exit.FAILED);
        assertThat(answer.err()).contains("refused: é: ", "refused: ü: ", "error: 2 names cannot be keys", "hint: ");
        assertThat(v1.root()).isEqualTo(root);
    }

    @Test
    void keysOfTablesAreNotTaken() throws IOException {
        shell.run("table", "create", "people").done();
        file("Photo", "x");
        file("R", "x");
        file("a", "x");
        Answer answer = shell.run("put", "-r", "site");
        assertThat(answer.status()).isEqualTo(Exit.FAILED);
        assertThat(answer.err()).contains("refused: Photo: ", "refused: R: ").doesNotContain("refused: a");
        put("files");
    }

    @Test
    void restoreWritesWhatPutHasRead() throws IOException {
        file("index.html", "home");
        file("a/b/c", "deep");
        file("empty", "");
        Files.write(site.resolve("large"), bytes(2 * MEBI + 1));
        put("www");
        Answer answer = shell.run("restore", "www", "--to", "out");
        assertThat(answer.status()).as(answer.toString()).isZero();
        assertThat(answer.err()).isEqualTo("4 files: 4 written, 0 unchanged\n");
        try (Stream<Path> all = Files.walk(site)) {
            for (Path each : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
                assertThat(folder.resolve("out").resolve(site.relativize(each))).hasSameBinaryContentAs(each);
            }
        }
        assertThat(folder.resolve("out/.pail-restore")).doesNotExist();
        assertThat(shell.run("restore", "www", "--to", "out").err()).isEqualTo("4 files: 0 written, 4 unchanged\n");
        assertThat(shell.run("restore", "www/a/b/c", "--to", "one").status()).isZero();
        assertThat(files(folder.resolve("one"))).containsOnlyKeys("c");
        assertThat(shell.run("restore", "none", "--to", "none").refused(Exit.NO))
                .contains("none");
    }

    private static byte[] message(Object... fields) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < fields.length; i += 2) {
            int field = (int) fields[i];
            if (fields[i + 1] instanceof byte[] bytes) {
                out.write(field << 3 | 2);
                out.write(bytes.length);
                out.writeBytes(bytes);
            } else {
                out.write(field << 3);
                for (int rest = (int) fields[i + 1]; ; rest >>>= 7) {
                    out.write(rest < 128 ? rest : (rest & 127) | 128);
                    if (rest < 128) {
                        break;
                    }
                }
            }
        }
        return out.toByteArray();
    }

    private Cid store(long codec, byte[] bytes) {
        Block block = Block.of(codec, bytes);
        try (Repository repository = FileRepository.open(folder.resolve(".pail"))) {
            repository.blocks().put(block);
        }
        return block.cid();
    }

    private static byte[] entry(String name, Cid cid) {
        return message(1, cid.toBytes(), 2, name.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aNodeThatCannotBeReadIsRefusedAndNotShown_FS15() {
        Cid part = store(Cid.RAW, utf8("hi\n"));
        Cid sound = store(Cid.DAG_PB, message(2, entry("named", part), 1, message(1, 2, 8, message())));
        Cid wrong = store(Cid.DAG_PB, message(2, entry("", part), 1, message(1, 2, 3, 4)));
        Cid inline = Forged.identity(message(1, message(1, 9)));
        shell.run("put", "sound", sound.toString()).done();
        assertThat(text("sound")).isEqualTo("hi\n");
        assertThat(shell.run("verify", "--values").status()).isZero();
        shell.run("put", "inline", inline.toString()).done();
        shell.run("put", "wrong", wrong.toString()).done();
        for (String key : List.of("inline", "wrong")) {
            Answer cat = shell.run("cat", key);
            assertThat(cat.text()).isEmpty();
            assertThat(cat.failed(Exit.DAMAGED)).contains(key.equals("wrong") ? wrong.toString() : "bafyaa");
            assertThat(cat.err()).contains("pail cat KEY --raw");
        }
        assertThat(shell.run("cat", "wrong", "--raw").done().bytes()).endsWith(8, 2, 24, 4);
        Answer restore = shell.run("restore", "--to", "out");
        assertThat(restore.status()).isEqualTo(Exit.DAMAGED);
        assertThat(restore.err())
                .contains(
                        "values that cannot be read: 2",
                        wrong.toString(),
                        "the size of a file is the sum of its parts");
        assertThat(folder.resolve("out"))
                .isDirectoryContaining("glob:**sound")
                .isDirectoryNotContaining("glob:**wrong");
        assertThat(shell.run("verify", "--values").text()).contains("damaged\t" + wrong, "sum of its parts");
    }

    @Test
    void foldersAndLinksAreRestoredWithinTheFolder() throws IOException {
        Cid hi = store(Cid.RAW, utf8("hi"));
        Cid run = store(Cid.DAG_PB, message(1, message(1, 2, 2, utf8("x"), 7, 04755, 8, message(1, 1_700_000_000))));
        Map<String, String> targets = new TreeMap<>(
                Map.of("in", "../hi", "same", "run", "out", "../../../etc", "abs", "/etc/passwd", "by", "in/../../x"));
        List<Object> links = new ArrayList<>();
        targets.forEach((name, target) ->
                links.addAll(List.of(2, entry(name, store(Cid.DAG_PB, message(1, message(1, 4, 2, utf8(target))))))));
        links.addAll(List.of(2, entry("run", run), 1, message(1, 1)));
        Cid sub = store(Cid.DAG_PB, message(links.toArray()));
        Cid empty = store(Cid.DAG_PB, message(1, message(1, 1, 7, 0700, 8, message(1, 1_600_000_000))));
        Cid top = store(
                Cid.DAG_PB,
                message(2, entry("empty", empty), 2, entry("hi", hi), 2, entry("sub", sub), 1, message(1, 1)));
        shell.run("put", "v/site", top.toString()).done();
        shell.run(
                        "put",
                        "v/inline",
                        Forged.identity(message(1, message(1, 2, 2, utf8("abc"))))
                                .toString())
                .done();
        assertThat(shell.run("cat", "v/site").done().lines())
                .containsExactly("empty\t" + empty, "hi\t" + hi, "sub\t" + sub);
        assertThat(text("v/inline")).isEqualTo("abc");
        assertThat(shell.run("ls", "-l", "v/site").done().line()).contains(" 3 B  dag-pb");
        assertThat(shell.run("ls", "-l", "v/inline").done().line()).contains(" 3 B  dag-pb");

        Answer restore = shell.run("restore", "v", "--to", "out");
        assertThat(restore.status()).isEqualTo(Exit.FAILED);
        assertThat(restore.err())
                .contains("links that may lead out of the folder: 3", "site/sub/abs", "site/sub/by", "site/sub/out")
                .doesNotContain("sub/in");
        Path site = folder.resolve("out/site");
        assertThat(site.resolve("sub/in")).hasContent("hi");
        assertThat(Files.readSymbolicLink(site.resolve("sub/same"))).isEqualTo(Path.of("run"));
        assertThat(Files.exists(site.resolve("sub/abs"), LinkOption.NOFOLLOW_LINKS))
                .isFalse();
        assertThat(Files.exists(site.resolve("sub/by"), LinkOption.NOFOLLOW_LINKS))
                .isFalse();
        assertThat(Files.getLastModifiedTime(site.resolve("empty")).toMillis()).isEqualTo(1_600_000_000_000L);
        assertThat(Files.getLastModifiedTime(site.resolve("sub/run")).toMillis())
                .isEqualTo(1_700_000_000_000L);
        assertThat((int) Files.getAttribute(site.resolve("sub/run"), "unix:mode") & 07777)
                .isEqualTo(0755);
        assertThat((int) Files.getAttribute(site.resolve("empty"), "unix:mode") & 07777)
                .isEqualTo(0700);
        assertThat(shell.run("restore", "v", "--to", "out").err()).contains("0 written, 5 unchanged");

        // A link that is there is neither followed nor replaced by a file.
        Files.delete(site.resolve("sub/run"));
        Path outside = Files.writeString(folder.resolve("outside"), "old");
        Files.createSymbolicLink(site.resolve("sub/run"), outside);
        Answer inTheWay = shell.run("restore", "v", "--to", "out", "--overwrite");
        assertThat(inTheWay.status()).isEqualTo(Exit.FAILED);
        assertThat(inTheWay.err()).contains("site/sub/run");
        assertThat(outside).hasContent("old");
    }

    @Test
    void permissionsAndTimesAreKeptIfAskedFor_FS3() throws IOException {
        file("a", "one");
        Files.write(site.resolve("large"), bytes(3 * MEBI + 1));
        PosixFileAttributeView posix = Files.getFileAttributeView(site.resolve("a"), PosixFileAttributeView.class);
        assumeThat(posix).isNotNull();
        posix.setPermissions(PosixFilePermissions.fromString("rw-r-x--x"));
        for (String name : List.of("a", "large")) {
            Files.setLastModifiedTime(
                    site.resolve(name), FileTime.from(Instant.ofEpochSecond(1_600_000_000, 123_000_000)));
        }
        assertThat(put("plain")).startsWith("2 files: 2 new");
        assertThat(put("kept", "--preserve")).startsWith("2 files: 2 new");
        assertThat(put("kept", "-p")).startsWith("2 files: 0 new, 0 changed, 2 unchanged");
        assertThat(shell.run("get", "plain/a").done().line())
                .isNotEqualTo(shell.run("get", "kept/a").done().line());
        assertThat(put("kept")).startsWith("2 files: 0 new, 2 changed");
        assertThat(put("kept", "-p")).startsWith("2 files: 0 new, 2 changed");
        assertThat(shell.run("restore", "kept", "--to", "out").status()).isZero();
        for (String name : List.of("a", "large")) {
            Path out = folder.resolve("out").resolve(name);
            assertThat(out).hasSameBinaryContentAs(site.resolve(name));
            assertThat(Files.getLastModifiedTime(out).toInstant())
                    .isEqualTo(Instant.ofEpochSecond(1_600_000_000, 123_000_000));
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("out/a"))))
                .isEqualTo("rw-r-x--x");
        // Blocks of plain files are those of kept ones, too: only roots differ.
        assertThat(shell.run("cat", "kept/large").done().bytes()).isEqualTo(bytes(3 * MEBI + 1));
    }

    /** Bytes of dag-pb in their CID. */
    private static final class Forged {
        static Cid identity(byte[] bytes) {
            return Cid.fromBytes(concat(new byte[] {1, 0x70, 0, (byte) bytes.length}, bytes));
        }

        private static byte[] concat(byte[] one, byte[] other) {
            byte[] both = Arrays.copyOf(one, one.length + other.length);
            System.arraycopy(other, 0, both, one.length, other.length);
            return both;
        }
    }

    @Test
    void aMirrorThatRemovesMostKeysNeedsAYes() throws IOException {
        file("a", "1");
        file("b", "2");
        file("c", "3");
        put("www");
        shell.put("other", 1);
        String before = shell.root();
        Files.delete(site.resolve("a"));
        Files.delete(site.resolve("b"));
        assertThat(shell.run("put", "-r", "site", "www", "--mirror", "-q").failed(Exit.FAILED))
                .contains("--mirror would remove 2 of 3 keys that start with \"www/\"", "--yes");
        assertThat(put("www", "--mirror", "--dry-run"))
                .isEqualTo("1 file: 0 new, 0 changed, 1 unchanged; removed 2 keys");
        Files.delete(site.resolve("c"));
        assertThat(shell.run("put", "-r", "site", "www", "--mirror").failed(Exit.FAILED))
                .contains("would remove 3 of 3 keys");
        assertThat(shell.root()).isEqualTo(before);
        put("www", "--mirror", "--yes");
        assertThat(shell.keys()).containsExactly("other");
        assertThat(put("www", "--mirror")).isEqualTo("0 files: 0 new, 0 changed, 0 unchanged");
    }

    @Test
    void aFolderMayBeInANamespace() throws IOException {
        file("index.html", "home");
        file("a/ü", "deep");
        put("www", "--namespace", "users/eu");
        String cid = shell.run("get", "www/index.html", "--namespace", "users/eu")
                .done()
                .line();
        assertThat(Files.readString(cache())).contains("\n" + cid + "\t");
        Files.delete(site.resolve("index.html"));
        assertThat(put("www", "--namespace", "users/eu", "--mirror"))
                .isEqualTo("1 file: 0 new, 0 changed, 1 unchanged; removed 1 key");
        assertThat(shell.run("restore", "www", "--namespace", "users/eu", "--to", "out")
                        .status())
                .isZero();
        assertThat(files(folder.resolve("out"))).containsExactly(Map.entry("a/ü", "deep"));
        assertThat(shell.run("restore", "--namespace", "users/eu", "--to", "all")
                        .status())
                .isZero();
        assertThat(files(folder.resolve("all"))).containsOnlyKeys("www/a/ü");
        assertThat(shell.run("restore", "www/a/ü", "--namespace", "users/eu", "--to", "one")
                        .status())
                .isZero();
        assertThat(files(folder.resolve("one"))).containsOnlyKeys("ü");
    }

    @Test
    void filesWithOtherBytesAreReplacedOnlyIfAskedFor() throws IOException {
        file("a", "1");
        file("b", "2");
        put();
        Path out = Files.createDirectory(folder.resolve("out"));
        for (String mine : List.of("mine", "3")) {
            Files.writeString(out.resolve("a"), mine);
            Answer answer = shell.run("restore", "--to", "out");
            assertThat(answer.status()).isEqualTo(Exit.FAILED);
            assertThat(answer.err()).contains("refused: a: a file with other bytes is there", "--overwrite");
            assertThat(files(out)).containsOnly(Map.entry("a", mine));
        }
        assertThat(shell.run("restore", "--to", "out", "--overwrite", "--dry-run")
                        .err())
                .isEqualTo("2 files: 2 to write, 0 unchanged\n");
        assertThat(files(out)).hasSize(1);
        assertThat(shell.run("restore", "--to", "out", "--overwrite").status()).isZero();
        assertThat(files(out)).containsEntry("a", "1").containsEntry("b", "2").hasSize(2);
    }

    @Test
    void aKeyThatWouldBeAFileAndAFolderIsNamedWithTheOther() throws IOException {
        shell.run("put", "a", "--text", "1").done();
        shell.run("put", "a/b", "--text", "2").done();
        Answer answer = shell.run("restore", "--to", "out");
        assertThat(answer.status()).isEqualTo(Exit.FAILED);
        assertThat(answer.err()).contains("refused: a: ", "refused: a/b: ");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"../x", "a/../../x", "/x", "a//b", ".", "..", "a/.", "x/", ".pail/config", "a/.PAIL-restore/b"})
    void noKeyLeadsOutOfTheFolder(String key) throws IOException {
        shell.run("put", "--text", "evil", "--", key).done();
        shell.run("put", "--text", "good", "--", "good").done();
        Path out = Files.createDirectories(folder.resolve("in/out"));
        Answer answer = shell.run("restore", "--to", "in/out");
        assertThat(answer.status()).isEqualTo(Exit.FAILED);
        assertThat(answer.err()).contains("refused: ");
        assertThat(files(folder.resolve("in"))).isEmpty();
        assertThat(out).isEmptyDirectory();
        assertThat(Path.of("/x")).doesNotExist();
    }

    @Test
    void twoThousandHostileNamesWriteNothingOutside() throws IOException {
        long seed = Long.getLong("pail.seed", System.nanoTime());
        System.out.println("FolderCommandsTest: -Dpail.seed=" + seed);
        Random random = new Random(seed);
        String[] pieces = {
            "..",
            ".",
            "",
            "a",
            "b",
            "con",
            "nul.txt",
            "\\",
            "..\\",
            "C:",
            "~",
            "a\u0000b",
            "\u202e",
            "\n",
            "é",
            "link",
            "x y",
            "*",
            "$(id)"
        };
        Path area = Files.createDirectories(folder.resolve("area/out"));
        Files.createSymbolicLink(area.resolve("link"), folder.resolve("area"));
        StringBuilder lines = new StringBuilder();
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            StringBuilder key = new StringBuilder();
            for (int j = random.nextInt(4); j >= 0; j--) {
                key.append(pieces[random.nextInt(pieces.length)]).append(j > 0 ? "/" : "");
            }
            if (!key.isEmpty()) {
                keys.add(key.toString());
            }
        }
        int restored = 0;
        for (String key : keys) {
            lines.append("{\"op\":\"put\",\"text\":\"x\",\"key\":")
                    .append(TextNode.valueOf(key))
                    .append("}\n");
        }
        shell.feed(lines.toString(), "apply").done();
        assertThat(shell.run("restore", "--to", "area/out").status()).isEqualTo(Exit.FAILED);
        for (String key : keys.subList(0, 300)) {
            restored += shell.run("restore", "--to", "area/out", "--", key).status() == 0 ? 1 : 0;
            try (Stream<Path> outside = Files.list(folder.resolve("area"))) {
                assertThat(outside).as(key).containsExactly(area);
            }
            assertThat(area.resolve("link")).isSymbolicLink();
        }
        assertThat(restored).isPositive();
    }

    @Test
    void noLinkIsFollowed() throws IOException {
        shell.run("put", "l/x", "--text", "evil").done();
        shell.run("put", "m", "--text", "evil").done();
        Path out = Files.createDirectory(folder.resolve("out"));
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.createSymbolicLink(out.resolve("l"), elsewhere);
        Files.createSymbolicLink(out.resolve("m"), elsewhere.resolve("m"));
        Answer answer = shell.run("restore", "--to", "out", "--overwrite");
        assertThat(answer.status()).isEqualTo(Exit.FAILED);
        assertThat(answer.err()).contains("refused: l/x: ", "refused: m: ");
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void whatAKilledRestoreHasLeftIsRemoved() throws IOException {
        file("a", "1");
        put();
        Path left = Files.createDirectories(folder.resolve("out/.pail-restore/left"));
        Files.createFile(left.resolve("LOCK"));
        Files.writeString(left.resolve("part"), "half");
        assertThat(shell.run("restore", "--to", "out").status()).isZero();
        assertThat(files(folder.resolve("out"))).containsOnlyKeys("a");
        assertThat(folder.resolve("out/.pail-restore")).doesNotExist();
    }

    @Test
    void damagedFilesAreNamedAndTheOthersRestored() throws IOException {
        file("a", "1");
        byte[] large = bytes(3 * MEBI);
        Files.write(site.resolve("large"), large);
        put();
        Cid lost = Block.of(Cid.RAW, Arrays.copyOfRange(large, MEBI, 2 * MEBI)).cid();
        String name = lost.multihashName();
        Path block = folder.resolve(".pail/blocks/" + name.substring(name.length() - 2) + "/" + name + ".data");
        byte[] stored = Files.readAllBytes(block);
        Files.delete(block);
        Answer answer = shell.run("restore", "--to", "out");
        assertThat(answer.status()).isEqualTo(Exit.DAMAGED);
        assertThat(answer.err())
                .contains("damaged: large: ", lost.toString(), "byte 1048576", "error: values that cannot be read: 1");
        assertThat(files(folder.resolve("out"))).containsOnlyKeys("a");

        Answer cat = shell.run("cat", "large");
        assertThat(cat.status()).isEqualTo(Exit.DAMAGED);
        assertThat(cat.bytes()).isEqualTo(Arrays.copyOf(large, MEBI));
        assertThat(cat.err()).contains(lost.toString(), "byte 1048576", "hint: ");
        assertThat(shell.run("cat", "large", "--offset", "2097152").done().bytes())
                .isEqualTo(Arrays.copyOfRange(large, 2 * MEBI, 3 * MEBI));
        stored[0] ^= 1;
        Files.write(block, stored);
        assertThat(shell.run("cat", "large").status()).isEqualTo(Exit.DAMAGED);
    }

    @Test
    void aFileOfSeveralChunksIsAUnixfsFile() throws IOException {
        byte[] large = bytes(9 * MEBI + 5);
        shell.feed(large, "put", "f", "--file", "-").done();
        assertThat(shell.run("get", "f").done().line()).startsWith("bafybei");
        assertThat(shell.run("cat", "f").done().bytes()).isEqualTo(large);
        assertThat(shell.run("cat", "f", "--offset", "1048570", "--length", "12")
                        .done()
                        .bytes())
                .isEqualTo(Arrays.copyOfRange(large, 1048570, 1048582));
        assertThat(shell.run("cat", "f", "--offset", "999999999").done().bytes())
                .isEmpty();
        assertThat(shell.run("cat", "f", "--json")
                        .refusedInJson(Exit.FAILED)
                        .get("hint")
                        .asText())
                .contains("--offset");
        JsonNode part = shell.run("cat", "f", "--json", "--offset", "1", "--length", "3")
                .done()
                .json()
                .get(0);
        assertThat(Base64.getDecoder().decode(part.get("bytes").asText())).isEqualTo(Arrays.copyOfRange(large, 1, 4));
        shell.run("verify", "--values").done();

        byte[] chunk = bytes(MEBI);
        shell.feed(chunk, "put", "g", "--file", "-").done();
        assertThat(shell.run("get", "g").done().line())
                .isEqualTo(Block.of(Cid.RAW, chunk).cid().toString());
        byte[] text = "some text".getBytes(StandardCharsets.UTF_8);
        shell.feed(text, "put", "t", "--file", "-").done();
        assertThat(shell.run("cat", "t", "--offset", "5").done().text()).isEqualTo("text");
        assertThat(shell.run("cat", "t", "--length", "4").done().text()).isEqualTo("some");
        assertThat(shell.run("cat", "t", "--length", "-4").refused(Exit.USAGE)).contains("--length");
    }

    @Test
    void rawKeepsOneBlock() {
        byte[] large = bytes(3 * MEBI);
        Answer answer = shell.feed(large, "put", "f", "--file", "-", "--raw");
        assertThat(answer.status()).isZero();
        assertThat(answer.err()).startsWith("warning: a block of 3145728 bytes");
        assertThat(shell.run("get", "f").done().line())
                .isEqualTo(Block.of(Cid.RAW, large).cid().toString());
        assertThat(shell.feed(bytes(8 * MEBI + 1), "put", "f", "--file", "-", "--raw")
                        .refused(Exit.FAILED))
                .contains("too large for a block", "without --raw");
    }

    @Test
    void optionsAreForOneFormOfPut() {
        assertThat(shell.run("put", "-r", "site", "--text", "x").refused(Exit.USAGE))
                .contains("--text is not for put -r");
        assertThat(shell.run("put", "a", "--text", "x", "--mirror").refused(Exit.USAGE))
                .contains("--mirror is for put -r");
        assertThat(shell.run("put", "a", "--text", "x", "--raw").refused(Exit.USAGE))
                .contains("--raw is for --file");
        assertThat(shell.run("put", "-r", "nothere").refused(Exit.FAILED)).contains("nothere");
        assertThat(shell.run("restore").refused(Exit.USAGE)).contains("--to DIR");
    }

    @Test
    void aFolderGoesOutAsUnixfsAndComesBack() throws IOException {
        file("index.html", "home");
        file("css/main.css", "body {}");
        Files.write(site.resolve("large"), bytes(2 * MEBI + 1));
        put("www");
        shell.run("export", "site.car", "--as", "unixfs", "--prefix", "www").done();
        Path other = Files.createDirectory(folder.resolve("other"));
        Shell there = Shell.withRepository(other, "--format", "v1");
        Answer answer = there.run("import", "../site.car", "--files", "copy");
        assertThat(answer.status()).as(answer.toString()).isZero();
        assertThat(answer.err()).isEqualTo("files: 3\n");
        for (String name : List.of("index.html", "css/main.css", "large")) {
            assertThat(there.run("cat", "copy/" + name).done().bytes())
                    .isEqualTo(Files.readAllBytes(site.resolve(name)));
            assertThat(there.run("get", "copy/" + name).line())
                    .isEqualTo(shell.run("get", "www/" + name).line());
        }
        assertThat(there.run("import", "../site.car", "copy").refused(Exit.USAGE))
                .contains("--files");
        assertThat(shell.run("export", "x.car", "--prefix", "www").refused(Exit.USAGE))
                .contains("--as unixfs");
        shell.run("put", "www", "--text", "x").done();
        assertThat(shell.run("export", "x.car", "--as", "unixfs").refused(Exit.FAILED))
                .contains("no CAR was written");
        assertThat(folder.resolve("x.car")).doesNotExist();
    }

    @Test
    void linesOfApplyMayCarryValues() throws IOException {
        Files.write(folder.resolve("large"), bytes(2 * MEBI));
        shell.feed("""
                {"op":"put","key":"t","text":"grün"}
                {"op":"put","key":"b","base64":"AAEC"}
                {"op":"batch","ops":[{"op":"put","key":"f","file":"large"}]}
                """, "apply").done();
        assertThat(text("t")).isEqualTo("grün");
        assertThat(shell.run("cat", "b").done().bytes()).containsExactly(0, 1, 2);
        assertThat(shell.run("cat", "f").done().bytes()).isEqualTo(bytes(2 * MEBI));
        for (String line : List.of(
                "{\"op\":\"put\",\"key\":\"k\",\"text\":\"a\",\"base64\":\"AA==\"}",
                "{\"op\":\"put\",\"key\":\"k\",\"text\":\"\\ud800\"}",
                "{\"op\":\"put\",\"key\":\"k\",\"base64\":\"%\"}",
                "{\"op\":\"put\",\"key\":\"k\",\"file\":\"-\"}",
                "{\"op\":\"put\",\"key\":\"k\",\"file\":\"nothere\"}",
                "{\"op\":\"del\",\"key\":\"k\",\"text\":\"a\"}")) {
            assertThat(shell.feed(line, "apply").status()).as(line).isEqualTo(Exit.FAILED);
        }
        assertThat(shell.keys()).doesNotContain("k");
    }
}
