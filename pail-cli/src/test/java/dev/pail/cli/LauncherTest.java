package dev.pail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.JavaFailure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real processes: what arguments, pipes, files and locales are to them. And the script {@code bin/pail}. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public class LauncherTest {
    private static final String PASSWORD = "password";

    private static final String KEY = "日本é😀";
    private static final String CID = Shell.cid(1);

    /** A release that was started once, so that it has its archive of classes. No test changes it. */
    @TempDir(factory = TempDirFactory.Standard.class)
    static Path shared;

    // A system may run no programs from a folder in memory.
    @TempDir(factory = TempDirFactory.Standard.class)
    Path folder;

    private Shell shell;

    @BeforeAll
    static void makeRelease() throws IOException {
        Path pail = release(shared);
        // The first start makes the archive, and must not need a standard input for that.
        List<String> start = List.of("/bin/sh", "-c", "exec \"$1\" --version <&-", "sh", pail.toString());
        Answer first = Launched.start(Launched.builder(shared, start)).answer();
        assertThat(first.status()).isZero();
        assertThat(first.err())
                .isEqualTo("pail: preparing faster starts, the first time only: it takes some seconds\n");
        assertThat(shared.resolve("release/lib/pail.jsa")).exists();
    }

    @BeforeEach
    void makeRepository() throws IOException {
        Files.createDirectory(folder.resolve("work"));
        shell = Shell.withRepository(folder.resolve("work"));
    }

    /**
     * Makes a release: the script, and beside it a folder with one jar, which leads to the classes under test. The classes of the hash
     * functions, of the server and of databases are in folders of their own. Its first start makes the archive of classes, which takes
     * about as long as ten other starts.
     */
    static Path release(Path folder) throws IOException {
        String project = System.getProperty("pail.project");
        Path root = project == null ? Path.of("").toAbsolutePath().getParent() : Path.of(project);
        Path script = folder.resolve("release/bin/pail");
        Files.createDirectories(script.getParent());
        Files.copy(root.resolve("bin/pail"), script);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));

        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        List<String> entries = List.of(System.getProperty("java.class.path").split(File.pathSeparator));
        String classes = entries.stream()
                .filter(entry -> !isOfHashes(entry) && !isOfServer(entry) && !isOfDatabase(entry) && !isOfBucket(entry))
                .map(entry -> Path.of(entry).toUri().toString())
                .collect(Collectors.joining(" "));
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classes);
        Path lib = Files.createDirectory(folder.resolve("release/lib"));
        new JarOutputStream(Files.newOutputStream(lib.resolve("pail.jar")), manifest).close();
        Path hashes = Files.createDirectory(lib.resolve("hashes"));
        for (String entry : entries.stream().filter(LauncherTest::isOfHashes).toList()) {
            copy(Path.of(entry), hashes);
        }
        Path serve = Files.createDirectory(lib.resolve("serve"));
        for (String entry : entries.stream().filter(LauncherTest::isOfServer).toList()) {
            copy(Path.of(entry), serve);
        }
        Path jdbc = Files.createDirectory(lib.resolve("jdbc"));
        for (String entry : entries.stream().filter(LauncherTest::isOfDatabase).toList()) {
            copy(Path.of(entry), jdbc);
        }
        return script;
    }

    private static Path release() {
        return shared.resolve("release/bin/pail");
    }

    /** A copy of the release with its archive, for tests that change it or that need it beside their files. */
    private Path copyOfRelease() throws IOException {
        Path from = shared.resolve("release");
        Path to = folder.resolve("release");
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        return to.resolve("bin/pail");
    }

    private static boolean isOfHashes(String entry) {
        return entry.contains("pail-hashes") || entry.contains("bcprov");
    }

    private static boolean isOfServer(String entry) {
        return Stream.of("pail-server", "jetty-", "slf4j-", "micrometer-", "prometheus-")
                .anyMatch(entry::contains);
    }

    private static boolean isOfDatabase(String entry) {
        return Stream.of("pail-jdbc", "postgresql-", "checker-qual").anyMatch(entry::contains);
    }

    private static boolean isOfBucket(String entry) {
        return Stream.of("pail-s3", "awssdk", "reactive-streams").anyMatch(entry::contains);
    }

    /** Copies a jar, or makes one of a folder of classes. */
    private static void copy(Path entry, Path folder) throws IOException {
        if (!Files.isDirectory(entry)) {
            Files.copy(entry, folder.resolve(String.valueOf(entry.getFileName())));
            return;
        }
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(folder.resolve("classes.jar")));
                Stream<Path> files = Files.walk(entry)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                jar.putNextEntry(new ZipEntry(entry.relativize(file).toString()));
                jar.write(Files.readAllBytes(file));
            }
        }
    }

    /** A command that needs them loads the jars in lib/hashes; without these, it verifies no such block. */
    @Test
    void hashFunctionsAreInAFolderOfTheirOwn() throws IOException {
        Path pail = copyOfRelease();
        byte[] hello = "hello".getBytes(UTF_8);
        byte[] cid =
                HexFormat.of().parseHex("01551e20ea8f163db38682925e4491c5e58d4bb3506ef8c14eb78a86e908c5624a67200f");
        Block blake3 = Block.verified(Cid.fromBytes(cid), hello);
        shell.run("put", "k", blake3.cid().toString()).done();
        try (Repository repository = FileRepository.open(shell.folder().resolve(".pail"))) {
            repository.blocks().put(blake3);
        }
        List<String> cat = List.of(pail.toString(), "cat", "k");
        assertThat(answer(builder(cat), "C").done().bytes()).isEqualTo(hello);

        Files.move(folder.resolve("release/lib/hashes"), folder.resolve("elsewhere"));
        assertThat(answer(builder(cat), "C").refused(Exit.DAMAGED))
                .contains(
                        "cannot verify a block by hash function 0x1e",
                        blake3.cid().toString());
        assertThat(answer(builder(List.of(pail.toString(), "get", "k")), "C")
                        .done()
                        .line())
                .isEqualTo(blake3.cid().toString());
    }

    /** Java's own exit status would be an answer: no. */
    @Test
    void aCommandWithoutItsLibrariesSaysSo() throws IOException, URISyntaxException {
        Path classes = Path.of(
                Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Path alone = Files.createDirectories(folder.resolve("alone/classes/dev/pail"));
        try (Stream<Path> files = Files.walk(classes.resolve("dev/pail/cli"))) {
            for (Path file : files.toList()) {
                Files.copy(file, alone.resolve(classes.resolve("dev/pail").relativize(file)));
            }
        }
        String java = Path.of(System.getProperty("java.home"), "bin/java").toString();
        List<String> init =
                List.of(java, "-cp", folder.resolve("alone/classes").toString(), Main.class.getName(), "init");
        Answer answer = answer(builder(init), "C");
        assertThat(answer.status()).isEqualTo(Exit.FAILED);
        assertThat(answer.err())
                .contains("error: Java cannot continue", "hint: a part of pail may be missing")
                .hasLineCount(2);

        ProcessBuilder traced = builder(init);
        traced.environment().put(JavaFailure.TRACE, "1");
        assertThat(answer(traced, "C").err()).contains("\tat dev.pail.cli.Main", "error: Java cannot continue");
    }

    /** A command on a folder does not look into lib/jdbc. One on a URL does, and says what is missing. */
    @Test
    void databasesAreInAFolderOfTheirOwn() throws IOException {
        Path pail = copyOfRelease();
        shell.put("key", 1);
        Path jdbc = folder.resolve("release/lib/jdbc");
        Files.move(jdbc, folder.resolve("elsewhere"));
        // Loading a class from there fails.
        Files.createDirectory(jdbc);
        Files.writeString(jdbc.resolve("broken.jar"), "no jar");
        assertThat(answer(builder(List.of(pail.toString(), "get", "key")), "C")
                        .done()
                        .line())
                .isEqualTo(CID);
        List<String> get =
                List.of(pail.toString(), "-C", "postgresql://app@localhost:1/store?repository=notes", "get", "key");
        Files.delete(jdbc.resolve("broken.jar"));
        Files.delete(jdbc);
        assertThat(answer(builder(get), "C").refused(Exit.FAILED))
                .contains("cannot open postgresql:// URLs", "a package other than pail-core");
        assertThat(answer(builder(List.of(pail.toString(), "-C", "s3://bucket/notes", "ls")), "C")
                        .refused(Exit.FAILED))
                .contains("cannot open s3:// URLs", "a package other than pail-core");
    }

    @Test
    void theServerIsInAFolderOfItsOwn() throws IOException {
        Path pail = copyOfRelease();
        shell.put("key", 1);
        List<String> serve = List.of(pail.toString(), "serve", "--listen", "127.0.0.1:0");
        Process server = builder(serve).start();
        try {
            String said = new BufferedReader(new InputStreamReader(server.getErrorStream(), UTF_8)).readLine();
            assertThat(said).matches("serving at http://127\\.0\\.0\\.1:[0-9]+");
            URI health = URI.create(said.substring("serving at ".length()) + "/healthz");
            try (InputStream answer = health.toURL().openStream()) {
                assertThat(answer.readAllBytes()).isEqualTo("ok\n".getBytes(UTF_8));
            }
            // As SIGTERM.
            server.destroy();
            assertThat(server.waitFor()).isEqualTo(Exit.DONE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            server.destroyForcibly();
        }

        Files.move(folder.resolve("release/lib/serve"), folder.resolve("elsewhere"));
        assertThat(answer(builder(serve), "C").refused(Exit.FAILED))
                .contains("has no server", "a package other than pail-core");
    }

    /** Jetty looks for its parts for HTTP/2 in the folder, too. */
    @Test
    void theServerInAFolderOfItsOwnSpeaksHttp2_GW18() throws IOException, GeneralSecurityException {
        Path pail = release();
        shell.put("key", 1);
        KeyStore keys = certificate();
        Path chain = pem("CERTIFICATE", keys.getCertificate("server").getEncoded());
        Path key =
                pem("PRIVATE KEY", keys.getKey("server", PASSWORD.toCharArray()).getEncoded());
        Process server = builder(List.of(
                        pail.toString(),
                        "serve",
                        "--listen",
                        "127.0.0.1:0",
                        "--tls-cert",
                        chain.toString(),
                        "--tls-key",
                        key.toString()))
                .start();
        try {
            String said = new BufferedReader(new InputStreamReader(server.getErrorStream(), UTF_8)).readLine();
            URI health = URI.create(said.substring("serving at ".length()) + "/healthz");
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("server", keys.getCertificate("server"));
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            HttpResponse<String> answer = HttpClient.newBuilder()
                    .sslContext(context)
                    .build()
                    .send(HttpRequest.newBuilder(health).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(answer.body()).isEqualTo("ok\n");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            server.destroyForcibly();
        }
    }

    /** A key with a certificate for 127.0.0.1, which the keytool of this Java makes. */
    private KeyStore certificate() throws IOException, GeneralSecurityException {
        Path store = folder.resolve("server.p12");
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        String options =
                " -genkeypair -keyalg EC -alias server -dname CN=localhost -ext san=ip:127.0.0.1 -storetype PKCS12 -storepass ";
        List<String> words = new ArrayList<>(List.of(keytool.toString()));
        words.addAll(List.of((options + PASSWORD).strip().split(" ")));
        words.addAll(List.of("-keystore", store.toString()));
        assertThat(answer(builder(words), "C").status()).isZero();
        try (InputStream in = Files.newInputStream(store)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, PASSWORD.toCharArray());
            return keys;
        }
    }

    private Path pem(String kind, byte[] bytes) throws IOException {
        String text = Base64.getMimeEncoder().encodeToString(bytes);
        Path file = folder.resolve(kind + ".pem");
        Files.writeString(file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    /** A process in the folder of the repository. */
    private ProcessBuilder builder(List<String> words) {
        return Launched.builder(shell.folder(), words);
    }

    /** Runs words in a shell script, where they are {@code "$@"}, so that it can give them bytes as arguments. */
    private ProcessBuilder script(String script, List<String> words) {
        List<String> all = new ArrayList<>(List.of("/bin/sh", "-c", script, "sh"));
        all.addAll(words);
        return builder(all);
    }

    /** The text as an argument for {@code sh}, in every locale of this process. */
    private static String printed(String text) {
        StringBuilder octal = new StringBuilder();
        for (byte b : text.getBytes(UTF_8)) {
            octal.append(String.format(Locale.ROOT, "\\%03o", b & 0xff));
        }
        return "\"$(printf '" + octal + "')\"";
    }

    private static Answer answer(ProcessBuilder builder, String locale) {
        builder.environment().put("LC_ALL", locale);
        return Launched.start(builder).feed(new byte[0]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"C", "C.UTF-8", "no_SUCH", "no_SUCH.UTF-8"})
    void keysAreUtf8InAnyLocale(String locale) throws IOException {
        Path pail = release();
        answer(script("exec \"$@\" " + printed(KEY) + " " + CID, List.of(pail.toString(), "put")), locale)
                .done();

        assertThat(answer(builder(List.of(pail.toString(), "ls")), locale)
                        .done()
                        .text())
                .isEqualTo(KEY + "\t" + CID + "\n");
        assertThat(shell.keys()).containsExactly(KEY);
        assertThat(answer(script("exec \"$@\" " + printed("né"), List.of(pail.toString(), "get")), locale)
                        .refused(Exit.NO))
                .contains("\"né\"");
    }

    /** Java does not start there, with the exit status that says that there is no such key. */
    @Test
    void inAFolderThatIsGoneNothingIsAnswered() throws IOException {
        List<String> words = List.of(
                release().toString(), "-C", shell.folder().resolve(".pail").toString(), "get", "key");
        Answer get = answer(script("mkdir gone && cd gone && rmdir ../gone && exec \"$@\"", words), "C");

        assertThat(get.status()).isEqualTo(Exit.FAILED);
        assertThat(get.text()).isEmpty();
        // Before that, the shell may say something of its own.
        assertThat(get.err())
                .contains("error: the current folder is gone\nhint: ")
                .doesNotContain("\tat ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"C", "C.UTF-8"})
    void namesOfFilesAreUtf8InAnyLocale(String locale) throws IOException {
        Path pail = release();
        Answer put = answer(
                script(
                        "echo text > " + printed("naïve") + " && exec \"$@\" " + printed("naïve"),
                        List.of(pail.toString(), "put", "key", "--file")),
                locale);
        put.done();

        assertThat(shell.run("cat", "key").done().text()).isEqualTo("text\n");
    }

    /** Java has another name for such a folder, which another one may have, or nothing; then the one around it would be asked. */
    @Test
    void aFolderWhoseNameIsNotUtf8IsNoOther() throws IOException {
        Map<String, String> before = Snapshot.of(shell.folder());
        List<String> words = List.of(release().toString(), "put", "key", CID);
        String bad = "\"$(printf 'd\\377')\"";
        assertThat(answer(script("mkdir " + bad + " && cd " + bad + " && exec \"$@\"", words), "C.UTF-8")
                        .refused(Exit.FAILED))
                .contains("the name of the current folder is not UTF-8");
        assertThat(answer(script("export PAIL_STORE=" + bad + "/.pail && exec \"$@\"", words), "C.UTF-8")
                        .refused(Exit.FAILED))
                .contains("PAIL_STORE is not UTF-8");
        assertThat(answer(script("cd " + bad + " && exec \"$@\" --json", words), "C.UTF-8")
                        .refusedInJson(Exit.FAILED)
                        .get("error")
                        .asText())
                .contains("the current folder is not UTF-8");
        JsonNode usage = answer(script("exec \"$@\" " + bad + " --json", words.subList(0, 3)), "C.UTF-8")
                .refusedInJson(Exit.USAGE);
        assertThat(usage.get("error").asText()).contains("an argument is not UTF-8");
        assertThat(usage.get("hint").asText()).isEqualTo("see: pail help");
        answer(script("rmdir " + bad, List.of()), "C.UTF-8").done();
        assertThat(Snapshot.of(shell.folder())).isEqualTo(before);

        // U+FFFD is a character like others.
        String good = printed("\ufffd");
        answer(script("mkdir " + good + " && cd " + good + " && exec \"$@\"", words), "C.UTF-8")
                .done();
        answer(script("mv .pail " + good + " && export PAIL_STORE=" + good + "/.pail && exec \"$@\"", words), "C.UTF-8")
                .done();
    }

    /** Java's own exit status for these is that of an answer. */
    @Test
    void anErrorOfJavaIsNoAnswer() {
        for (Error error : List.of(new NoClassDefFoundError("dev/pail/Some"), new StackOverflowError())) {
            InputStream in = new InputStream() {
                @Override
                public int read() {
                    throw error;
                }

                @Override
                public int read(byte[] target, int from, int length) {
                    throw error;
                }
            };
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            Terminal terminal = new Terminal(
                    new Terminal.Streams(in, OutputStream.nullOutputStream(), err), Map.of(), shell.folder());
            assertThat(Main.run(terminal, "put", "key", "--file", "-")).isEqualTo(Exit.FAILED);
            assertThat(err.toString(UTF_8))
                    .contains("error: Java cannot continue: " + error.getClass().getName());
        }
    }

    /** Without the script, which sees to the locale: the key goes in as it is, or not at all. */
    @Test
    void aKeyIsNeverReplacedByAnother() {
        Map<String, String> before = Snapshot.of(shell.folder());
        Answer put =
                answer(script("exec \"$@\" " + printed(KEY) + " " + CID, Launched.command(Main.class, "put")), "C");
        if (put.status() == Exit.DONE) {
            assertThat(shell.keys()).containsExactly(KEY);
        } else {
            put.refused(put.status());
            assertThat(Snapshot.of(shell.folder())).isEqualTo(before);
        }
    }

    /** All such keys would be one. */
    @Test
    void anArgumentThatIsNotUtf8IsRefused() throws IOException {
        Map<String, String> before = Snapshot.of(shell.folder());
        Answer put = answer(
                script(
                        "exec \"$@\" \"$(printf 'a\\377b')\" " + CID,
                        List.of(release().toString(), "put")),
                "C.UTF-8");

        assertThat(put.status()).as(put.toString()).isIn(Exit.USAGE, Exit.FAILED);
        put.refused(put.status());
        assertThat(Snapshot.of(shell.folder())).isEqualTo(before);
    }

    @Test
    void outputIsUtf8InAnyLocale() {
        shell.put(KEY, 1);
        List<String> words = Launched.command(Main.class, "ls");

        for (String locale : List.of("C", "C.UTF-8")) {
            assertThat(answer(builder(words), locale).done().text()).isEqualTo(KEY + "\t" + CID + "\n");
        }
    }

    @Test
    void theScriptStartsThroughALinkFromAnywhere() throws IOException {
        Path pail = copyOfRelease();
        Path links = Files.createDirectories(folder.resolve("some where"));
        Files.createSymbolicLink(links.resolve("first"), Path.of("../release/bin/pail"));
        Files.createSymbolicLink(links.resolve("second"), links.resolve("first"));
        shell.put("a", 1);

        for (String script : List.of(links + "/first", "../some where/second")) {
            assertThat(answer(builder(List.of(script, "get", "a")), "C").done().line())
                    .isEqualTo(CID);
        }
        assertThat(answer(script("PATH=\"../some where:$PATH\"; exec second get a", List.of()), "C")
                        .done()
                        .line())
                .isEqualTo(CID);
        assertThat(answer(builder(List.of(pail.toString(), "get", "", "b", "c d")), "C")
                        .refused(Exit.NO))
                .contains("\"\", \"b\", \"c d\"");
    }

    /** Where a folder on the way is a link, the one around it is not the one before it in the path. */
    @Test
    void theScriptStartsThroughALinkedFolder() throws IOException {
        copyOfRelease();
        Path links = Files.createDirectories(folder.resolve("far/away"));
        Files.createSymbolicLink(links.resolve("bin"), folder.resolve("release/bin"));
        Files.createDirectories(folder.resolve("near/deep/bin"));
        Files.createSymbolicLink(folder.resolve("near/deep/bin/pail"), Path.of("../../../release/bin/pail"));
        Files.createSymbolicLink(links.resolve("other"), folder.resolve("near/deep/bin"));
        Files.createSymbolicLink(links.resolve("plain"), Path.of("other/pail"));
        shell.put("a", 1);

        String store = shell.folder().resolve(".pail").toString();
        for (String command : List.of("bin/pail", "other/pail", "sh plain", "sh ./plain", "cd other && sh pail")) {
            Answer get = answer(
                    script("cd \"$1\" && " + command + " -C \"$2\" get a", List.of(links.toString(), store)), "C");
            assertThat(get.done().line()).as(command).isEqualTo(CID);
        }
        assertThat(links).isDirectoryNotContaining("glob:**/lib");
    }

    @Test
    void whereJavaCannotBeStartedNothingIsAnswered() throws IOException {
        Path pail = copyOfRelease();
        shell.put("a", 1);
        ProcessBuilder none = builder(List.of(pail.toString(), "get", "a"));
        none.environment().put("JAVA_HOME", "/none");
        assertThat(answer(none, "C").refused(Exit.FAILED)).contains("there is no Java: /none/bin/java");

        Path colon = folder.resolve("re:lease");
        Files.move(folder.resolve("release"), colon);
        assertThat(answer(builder(List.of(colon.resolve("bin/pail").toString(), "get", "a")), "C")
                        .refused(Exit.FAILED))
                .contains("colon");
    }

    /**
     * What takes long is compiled as well as Java can; for what does not, that would only take time. A server has the collector with short
     * pauses, other commands the one with a small heap.
     */
    @Test
    void longWorkIsCompiledWell() throws IOException {
        Path pail = release();
        Path java = Files.createDirectories(folder.resolve("java/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\necho \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        for (String command : List.of(
                "get a",
                "-C x put a b",
                "rm a",
                "--help",
                "gc",
                "-C x verify",
                "table scan t",
                "cat a",
                "put a --file b",
                "put -r a",
                "-C x serve")) {
            List<String> words = new ArrayList<>(List.of(pail.toString()));
            words.addAll(List.of(command.split(" ")));
            ProcessBuilder builder = builder(words);
            builder.environment().put("JAVA_HOME", folder.resolve("java").toString());
            boolean isLong = List.of(
                            "gc", "-C x verify", "table scan t", "cat a", "put a --file b", "put -r a", "-C x serve")
                    .contains(command);
            assertThat(answer(builder, "C").done().line())
                    .endsWith("dev.pail.cli.Main " + command)
                    .matches(line -> line.contains("TieredStopAtLevel") != isLong, command)
                    .matches(line -> line.contains("-XX:+UseG1GC") == command.endsWith("serve"), command)
                    .matches(line -> line.contains("-XX:+UseSerialGC") != command.endsWith("serve"), command);
        }
    }

    /** Java starts with no two collectors, and the environment may name one for all programs. */
    @Test
    void anotherCollectorInTheEnvironmentIsNoError() throws IOException {
        Path pail = release(folder);
        shell.put("key", 1);
        // The archive is made with G1, so the first start makes none.
        for (String collector : List.of("-XX:+UseParallelGC", "-XX:+UseG1GC", "-XX:+UseSerialGC")) {
            ProcessBuilder builder = builder(List.of(pail.toString(), "get", "key"));
            builder.environment().put("JAVA_TOOL_OPTIONS", collector);
            Answer get = answer(builder, "C");
            assertThat(get.status()).as("%s: %s", collector, get.err()).isZero();
            assertThat(get.text()).as(collector).contains(CID);
        }
    }

    /** What is read from a pipe is kept in a temporary file, for which there may be no room. */
    @Test
    void aFullTemporaryFolderIsNamed() {
        List<String> words = Launched.command(Main.class, "load");
        Answer load = Launched.start(script("ulimit -f 16; exec \"$@\"", words))
                .feed((KEY + "\t" + CID + "\n").repeat(600).getBytes(UTF_8));
        assertThat(load.status()).isEqualTo(Exit.FAILED);
        // What to do has the name of an option of Java in it.
        assertThat(load.err())
                .contains("error: cannot write a temporary file in ")
                .contains("hint: choose another folder for it");
    }

    @Test
    void aClosedPipeIsNoError() throws IOException {
        fill();
        Launched listing = Launched.pail(shell.folder(), "ls");
        assertThat(listing.readLine()).startsWith("key 0\t");

        assertClosedQuietly(listing.close());
    }

    @Test
    void aClosedPipeEndsOneLineAfterAnother() throws IOException {
        Files.writeString(shell.folder().resolve("operations"), manyLines());
        Launched writer = Launched.pail(shell.folder(), "apply", "--each", "operations");
        assertThat(writer.readLine()).startsWith("{\"root\"");

        assertClosedQuietly(writer.close());
        assertThat(shell.keys()).hasSizeBetween(1, 4999);
        shell.run("verify").done();
    }

    private static void assertClosedQuietly(Answer answer) {
        assertThat(answer.err()).isEmpty();
        assertThat(answer.status()).isEqualTo(Exit.PIPE);
    }

    private static String manyLines() {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 5000; i++) {
            lines.append(Line.put("key " + i, 1));
        }
        return lines.toString();
    }

    private void fill() {
        shell.feed(manyLines(), "apply").done();
    }

    /** A command whose output was not written has failed. */
    @ParameterizedTest
    @ValueSource(strings = {"ls", "root --json", "cat file", "put a CID"})
    void aFullDiskIsAnError(String command) {
        File full = new File("/dev/full");
        assumeThat(full).exists();
        shell.feed("text", "put", "file", "--file", "-").done();
        List<String> words =
                Launched.command(Main.class, command.replace("CID", CID).split(" "));
        Answer answer = Launched.start(builder(words).redirectOutput(full)).answer();

        if (command.contains("--json")) {
            assertThat(answer.failedInJson(Exit.FAILED).get("error").asText()).contains("standard output");
        } else {
            assertThat(answer.failed(Exit.FAILED)).contains("standard output");
        }
    }

    /** A change that was made before the output failed stays, and must not count as failed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "put a CID",
                "put a CID --json",
                "rm file",
                "apply --each",
                "undo",
                "-C new init",
                "gc",
                "pack",
                "export new.car",
                "get file",
                "merge --dry-run other",
                "gc --dry-run"
            })
    void aFullDiskIsToldWithWhatWasChanged(String command) throws IOException {
        File full = new File("/dev/full");
        assumeThat(full).exists();
        shell.put("file", 2);
        shell.run("branch", "other").done();
        String before = shell.root();
        List<String> words =
                Launched.command(Main.class, command.replace("CID", CID).split(" "));
        Answer answer = Launched.start(builder(words).redirectOutput(full))
                .feed(Line.put("b", 1).getBytes(UTF_8));

        assertThat(answer.status()).isEqualTo(Exit.FAILED);
        String told = answer.err();
        assertThat(told).contains("cannot write to standard output: ");
        if (command.matches("get.*|.*--dry-run.*")) {
            assertThat(told).doesNotContain("hint", "change");
        } else {
            assertThat(told).contains("the change was made all the same: ");
        }
        if (!shell.root().equals(before)) {
            assertThat(told).contains("the root is " + shell.root());
        }
    }

    /** Enough conflicts that they are written before the root. */
    @ParameterizedTest
    @ValueSource(strings = {"merge other", "import other.car"})
    void aFullDiskIsToldWithAMergeOfManyConflicts(String command) throws IOException {
        File full = new File("/dev/full");
        assumeThat(full).exists();
        StringBuilder others = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            others.append(Line.put("key " + i, 2));
        }
        shell.put("file", 2);
        shell.run("branch", "other").done();
        shell.feed(others.toString(), "apply", "-b", "other").done();
        shell.run("export", "other.car", "--at", "other").done();
        fill();
        List<String> words = Launched.command(Main.class, command.split(" "));
        Answer answer = Launched.start(builder(words).redirectOutput(full)).answer();

        assertThat(answer.failed(Exit.FAILED))
                .contains("the change was made all the same: the root is " + shell.root());
        assertThat(shell.run("log", "--head", "-n", "1").done().line()).endsWith("  " + command);
    }

    @Test
    void aFullDiskIsAnErrorInALongAnswerToo() {
        File full = new File("/dev/full");
        assumeThat(full).exists();
        fill();
        Answer answer = Launched.start(
                        builder(Launched.command(Main.class, "ls")).redirectOutput(full))
                .answer();

        assertThat(answer.failed(Exit.FAILED)).contains("standard output");
    }

    /** Java's own exit status after a failure that is not caught is that of a negative answer. */
    @ParameterizedTest
    @ValueSource(strings = {"cat absent", "cat absent --json"})
    void theExitStatusIsTheSameWhereNobodyCanBeToldWhy(String command) {
        File full = new File("/dev/full");
        assumeThat(full).exists();
        shell.put("absent", 1);
        List<String> words = Launched.command(Main.class, command.split(" "));
        Answer answer = Launched.start(builder(words).redirectError(full)).answer();

        assertThat(answer.status()).isEqualTo(Exit.DAMAGED);
    }

    @Test
    void aValueComesThroughAPipe() {
        byte[] bytes = HexFormat.of().parseHex("00ff0a0d80");
        Launched.pail(shell.folder(), "put", "piped", "--file", "-").feed(bytes).done();

        assertThat(shell.run("cat", "piped").done().bytes()).isEqualTo(bytes);
        assertThat(Launched.pail(shell.folder(), "cat", "piped").answer().done().bytes())
                .isEqualTo(bytes);
    }

    /** A pipe by its name, as shells have it for {@code <(command)}: it cannot be asked for its size or position. */
    @ParameterizedTest
    @ValueSource(strings = {"load", "apply", "put piped --file", "table load people", "import"})
    void pipesHaveNames(String command) throws IOException {
        Path pipe = Path.of("/dev/stdin");
        assumeThat(pipe).exists();
        shell.put("key", 1);
        shell.run("table", "create", "people").done();
        shell.run("export", "all.car", "--only").done();
        Map<String, String> inputs = Map.of(
                "load",
                "piped\t" + CID + "\n",
                "apply",
                Line.put("piped", 1),
                "put piped --file",
                "text",
                "table load people",
                "{\"id\":\"piped\"}\n");
        byte[] input = inputs.containsKey(command)
                ? inputs.get(command).getBytes(UTF_8)
                : Files.readAllBytes(shell.folder().resolve("all.car"));
        String[] words = (command + " " + pipe).split(" ");

        Launched.pail(shell.folder(), words).feed(input).done();
        if (!command.equals("import")) {
            assertThat(String.join(" ", shell.keys())).contains("piped");
        }
    }

    /** As shells have it for {@code >(command)}. */
    @Test
    void aCarGoesIntoAPipeThatHasAName() throws IOException {
        Path pipe = Path.of("/dev/stdout");
        assumeThat(pipe).exists();
        shell.put("key", 1);
        shell.run("export", "all.car").done();
        Answer answer = Launched.pail(shell.folder(), "export", pipe.toString(), "-q")
                .answer()
                .done();

        assertThat(answer.bytes()).isEqualTo(Files.readAllBytes(shell.folder().resolve("all.car")));
    }

    @Test
    void operationsComeThroughAPipe() {
        Answer answer =
                Launched.pail(shell.folder(), "apply").feed(Line.put(KEY, 1).getBytes(UTF_8));

        assertThat(answer.done().line()).isEqualTo(shell.root());
        assertThat(shell.keys()).containsExactly(KEY);
    }

    /** Answers are not held back: a program that asks line by line waits for each. */
    @Test
    void eachLineIsAnsweredBeforeTheNextIsThere() throws IOException {
        Launched writer = Launched.pail(shell.folder(), "apply", "--each");
        for (int i = 0; i < 3; i++) {
            writer.write(Line.put("key " + i, i));
            assertThat(Answer.parse(writer.readLine()).get("root").asText()).isEqualTo(shell.root());
        }
        assertThat(writer.feed(new byte[0]).done().bytes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"put a --file -", "apply"})
    void aClosedStandardInputDoesNotCrash(String command) throws IOException {
        List<String> words = new ArrayList<>(List.of(release().toString()));
        words.addAll(List.of(command.split(" ")));

        assertThat(Launched.start(script("exec \"$@\" <&-", words)).answer().failed(Exit.FAILED))
                .contains("cannot read: standard input: ");
    }

    /** Nothing goes through the folder for temporary files that all share (D21a of {@code spec/deviations.md}). */
    @Test
    void noSharedTemporaryFolderIsNeeded() {
        List<String> words = Launched.command(Main.class, "put", "a", CID);
        words.add(1, "-Djava.io.tmpdir=/dev/null/nowhere");
        assertDoneWithoutTemporaryFolder(Launched.start(builder(words)).answer());

        assertThat(shell.keys()).containsExactly("a");
    }

    /** A command that answers line by line may run for ever, so it must not keep its lines in memory. */
    @Test
    void changesOneByOneAreNotKept() {
        List<String> words = Launched.command(Main.class, "apply", "--each");
        words.add(1, "-Djava.io.tmpdir=/dev/null/nowhere");
        assertDoneWithoutTemporaryFolder(
                Launched.start(builder(words)).feed(Line.put(KEY, 1).getBytes(UTF_8)));

        assertThat(shell.keys()).containsExactly(KEY);
    }

    /** Newer Javas warn of such a folder themselves. */
    private static void assertDoneWithoutTemporaryFolder(Answer answer) {
        assertThat(answer.err()).isIn("", "WARNING: java.io.tmpdir directory does not exist\n");
        assertThat(answer.status()).isZero();
    }

    @Test
    void theCurrentFolderIsNamedWhereThereIsNoRepository() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assumeThat(FileRepository.find(empty)).isEmpty();

        assertThat(Launched.pail(empty, "ls").answer().refused(Exit.FAILED)).contains(empty.toString());
        assertThat(empty).isEmptyDirectory();
    }
}
