package dev.pail.cli.command.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.Snapshot;
import dev.pail.sign.SignedHead;
import dev.pail.sign.SigningKey;
import dev.pail.sign.VerifierKey;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code sign}, and {@code verify --signed-by} and {@code check --note} with what it has written. */
class SignCommandsTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    @TempDir(factory = MemoryTempDir.class)
    Path elsewhere;

    /** A repository with three updates of main, and a key. */
    private Shell repository() {
        Shell shell = Shell.withRepository(folder, "--format", "v1");
        shell.put("a/1", 1, "a/2", 2, "b/1", 3);
        shell.run("sign", "--new-key", "key", "example.com/ann").done();
        return shell;
    }

    private Path path(String name) {
        return folder.resolve(name);
    }

    private Snapshot snapshot(String branch) {
        try (Repository repository = FileRepository.open(path(".pail"))) {
            return repository.snapshot(branch);
        }
    }

    private SigningKey key() throws IOException {
        return SigningKey.parse(Files.readString(path("key")).strip());
    }

    private Answer verify(Shell shell) {
        return shell.run(
                "verify",
                "--signed-by",
                path("key.pub").toString(),
                path("note").toString());
    }

    @Test
    void aNoteSaysWhatTheBranchHas() throws IOException {
        Shell shell = repository();
        assertThat(shell.run("sign", "--key", "key", "-o", "note").done().line())
                .isEqualTo("signed\tmain\t3\t" + shell.root());
        VerifierKey ann = VerifierKey.parse(Files.readString(path("key.pub")).strip());
        assertThat(ann).isEqualTo(key().verifierKey());
        Snapshot main = snapshot("main");
        assertThat(SignedHead.open(Files.readAllBytes(path("note")), ann))
                .isEqualTo(new SignedHead("main", 3, Cid.parse(shell.root()), main.head()));
        // An Ed25519 signature of one text by one key is always the same.
        byte[] note = shell.run("sign", "main", "--key", "key").done().bytes();
        assertThat(note).isEqualTo(Files.readAllBytes(path("note")));
        assertThat(shell.run("sign", "--key", "key", "-o", "-", "-b", "main")
                        .done()
                        .bytes())
                .isEqualTo(note);
        assertThat(verify(shell).done().line()).isEqualTo("current\tmain\t3\t" + shell.root());
        assertThat(shell.feed(note, "verify", "--signed-by", ann.toString(), "-")
                        .done()
                        .line())
                .startsWith("current\t");
        assertThat(shell.run("verify", "--signed-by", "key.pub", "note", "-q")
                        .done()
                        .text())
                .isEmpty();
    }

    @Test
    void theHeadIsInTheHistoryOrNot_SN10() {
        Shell shell = repository();
        String root = shell.root();
        shell.run("sign", "--key", "key", "-o", "note").done();
        shell.put("c", 4);
        assertThat(verify(shell).done().line()).isEqualTo("older\tmain\t3\t" + root);
        shell.run("reset", "@{2}").done();
        Answer absent = verify(shell);
        assertThat(absent.status()).isEqualTo(Exit.NO);
        assertThat(absent.line()).isEqualTo("absent\tmain\t3\t" + root);
        assertThat(absent.err()).isEmpty();
        // Another line of work from there has as many events, and others.
        shell.put("d", 5, "e", 6);
        assertThat(verify(shell).status()).isEqualTo(Exit.NO);
        shell.run("branch", "other", "@{4}").done();
        assertThat(shell.run("verify", "--signed-by", "key.pub", "note", "-b", "other")
                        .done()
                        .line())
                .startsWith("current\tmain\t3\t");
        shell.run("merge", "other").done();
        assertThat(verify(shell).done().line()).isEqualTo("older\tmain\t3\t" + root);
    }

    @Test
    void aHeadOfSeveralEventsIsComparedAsAWhole_SN10() throws IOException {
        Shell shell = repository();
        shell.run("branch", "other").done();
        shell.put("c", 4);
        shell.run("put", "d", Shell.cid(5), "-b", "other").done();
        Head both = Head.of(
                snapshot("main").head().events().get(0),
                snapshot("other").head().events().get(0));
        shell.run("branch", "apart").done();
        shell.run("merge", "other").done();
        assertThat(snapshot("main").head()).isEqualTo(both);
        shell.run("sign", "--key", "key", "-o", "note").done();
        assertThat(verify(shell).done().line()).startsWith("current\tmain\t5\t");
        // Each of these branches has one of the two events.
        for (String one : List.of("other", "apart")) {
            assertThat(shell.run("verify", "--signed-by", "key.pub", "note", "-b", one)
                            .status())
                    .isEqualTo(Exit.NO);
        }
        shell.put("e", 6);
        assertThat(verify(shell).done().line()).startsWith("older\tmain\t5\t");
        Files.write(path("note"), new SignedHead("main", 5, Cid.parse(shell.root()), both).sign(key()));
        assertThat(verify(shell).refused(Exit.DAMAGED)).contains("another root than that of the signed events");
    }

    @Test
    void aCopyIsCompared() {
        Shell shell = repository();
        shell.run("export", "old.car").done();
        String old = shell.root();
        shell.run("sign", "--key", "key", "-o", "old.note").done();
        shell.put("c", 4);
        shell.run("sign", "--key", "key", "-o", "note").done();
        Shell copy = Shell.withRepository(elsewhere);
        // Nothing was put there yet.
        assertThat(verify(copy).status()).isEqualTo(Exit.NO);
        copy.run("import", path("old.car").toString()).done();
        assertThat(verify(copy).line()).isEqualTo("absent\tmain\t4\t" + shell.root());
        assertThat(copy.run(
                                "verify",
                                "--signed-by",
                                path("key.pub").toString(),
                                path("old.note").toString())
                        .done()
                        .line())
                .isEqualTo("current\tmain\t3\t" + old);
        assertThat(shell.run("-C", "old.car", "verify", "--signed-by", "key.pub", "old.note")
                        .done()
                        .line())
                .startsWith("current\t");
        Answer absent = shell.run("-C", "old.car", "verify", "--signed-by", "key.pub", "note");
        assertThat(absent.status()).isEqualTo(Exit.NO);
        shell.run("export", "new.car").done();
        assertThat(shell.run("-C", "new.car", "verify", "--signed-by", "key.pub", "old.note")
                        .done()
                        .line())
                .startsWith("older\t");
        shell.run("export", "only.car", "--only").done();
        shell.run("-C", "only.car", "verify", "--signed-by", "key.pub", "note").refused(Exit.FAILED);
    }

    @Test
    void aTagIsSigned() {
        Shell shell = repository();
        String root = shell.root();
        shell.run("tag", "v1").done();
        shell.put("c", 4);
        assertThat(shell.run("sign", "v1", "--key", "key", "-o", "note").done().line())
                .isEqualTo("signed\tv1\t0\t" + root);
        assertThat(verify(shell).done().line()).isEqualTo("current\tv1\t0\t" + root);
        shell.run("tag", "-d", "v1").done();
        assertThat(verify(shell).refused(Exit.FAILED)).contains("no branch v1");
    }

    @Test
    void aSignedHeadIsKeptBesideItsBranch_SN11() {
        Shell shell = repository();
        Answer none = shell.run("verify", "--signed-by", "key.pub");
        assertThat(none.status()).isEqualTo(Exit.NO);
        assertThat(none.err()).contains("error: no signed head of \"main\" by this key is here: example.com/ann+");
        shell.run("sign", "--key", "key", "-q", "-o", "note").done();
        shell.run("tag", "v1").done();
        shell.run("sign", "v1", "--key", "key").done();
        assertThat(shell.run("verify", "--signed-by", "key.pub").done().line())
                .isEqualTo("current\tmain\t3\t" + shell.root());
        assertThat(shell.run("verify", "--signed-by", "key.pub", "-b", "v1")
                        .done()
                        .line())
                .isEqualTo("current\tv1\t0\t" + shell.root());
        shell.put("c", 4);
        assertThat(shell.run("verify", "--signed-by", "key.pub").done().line()).startsWith("older\tmain\t3\t");
    }

    @Test
    void inJson() {
        Shell shell = repository();
        String head = snapshot("main").head().toString();
        JsonNode made =
                shell.run("sign", "--key", "key", "--json").done().json().get(0);
        assertThat(made.get("name").asText()).isEqualTo("main");
        assertThat(made.get("generation").asInt()).isEqualTo(3);
        assertThat(made.get("root").asText()).isEqualTo(shell.root());
        assertThat(made.get("head").get(0).asText()).isEqualTo(head);
        assertThat(made.get("note").asText())
                .startsWith("pail/main\n3\n" + shell.root() + "\n" + head + "\n\n\u2014 example.com/ann ");
        shell.run("sign", "--key", "key", "-o", "note", "--json").done();
        assertThat(shell.run("verify", "--signed-by", "key.pub", "note", "--json")
                        .done()
                        .line())
                .isEqualTo("{\"answer\":\"current\",\"name\":\"main\",\"generation\":3,\"root\":\"" + shell.root()
                        + "\",\"head\":[\"" + head + "\"]}");
        JsonNode key = shell.run("sign", "--new-key", "other", "b", "--json")
                .done()
                .json()
                .get(0);
        assertThat(path("other.pub")).hasContent(key.get("key").asText());
        JsonNode refused = shell.run("verify", "--signed-by", "other.pub", "note", "--json")
                .refusedInJson(Exit.DAMAGED);
        assertThat(refused.get("code").asText()).isEqualTo("invalid-note");
    }

    @Test
    void aNoteThatTheKeyHasNotSignedIsRefused() throws IOException {
        Shell shell = repository();
        shell.run("sign", "--key", "key", "-o", "note").done();
        shell.run("sign", "--new-key", "other", "example.com/bob").done();
        assertThat(shell.run("verify", "--signed-by", "other.pub", "note").refused(Exit.DAMAGED))
                .startsWith("error: proves nothing: note: no signature by example.com/bob+")
                .contains("\nhint: ");
        String note = Files.readString(path("note"));
        for (String changed : List.of(
                note.replace("pail/main", "pail/maid"),
                note.replace("\n3\n", "\n4\n"),
                note + "x",
                "",
                "\0",
                "x".repeat(300_000))) {
            Files.writeString(path("bad"), changed);
            assertThat(shell.run("verify", "--signed-by", "key.pub", "bad").refused(Exit.DAMAGED))
                    .startsWith("error: proves nothing: bad: ");
        }
        // The right key has signed this, and its root is another.
        Snapshot main = snapshot("main");
        Files.write(path("bad"), new SignedHead("main", 3, Cid.parse(shell.root()), main.head()).sign(key()));
        shell.run("verify", "--signed-by", "key.pub", "bad").done();
        Cid event = main.head().events().get(0);
        Files.write(path("bad"), new SignedHead("main", 3, event, main.head()).sign(key()));
        assertThat(shell.run("verify", "--signed-by", "key.pub", "bad").refused(Exit.DAMAGED))
                .startsWith("error: proves nothing: bad: another root than that of the signed events (SN10): " + event
                        + ", not " + shell.root());
    }

    @Test
    void missingBlocksAreDamage() throws IOException {
        Shell shell = repository();
        shell.run("sign", "--key", "key", "-o", "note").done();
        shell.put("c", 4);
        Cid signed = snapshot("main").head().events().get(0);
        shell.run("rm", "c").done();
        try (Stream<Path> files = Files.walk(path(".pail/blocks"))) {
            for (Path file : files.filter(each -> each.toString().contains(signed.multihashName()))
                    .toList()) {
                Files.delete(file);
            }
        }
        assertThat(verify(shell).refused(Exit.DAMAGED)).contains("missing", signed.toString());
    }

    @Test
    void theNewerEventOfAProofComesFromANote() {
        Shell shell = repository();
        String older = snapshot("main").head().events().get(0).toString();
        shell.put("c", 4, "d", 5);
        shell.run("sign", "--key", "key", "-o", "note").done();
        shell.run("prove", "--follows", older, "-o", "f.car").done();
        assertThat(shell.run("check", "f.car", "--note", "note", "--signed-by", "key.pub", "--follows", older)
                        .done()
                        .line())
                .startsWith("follows\t" + older);
        assertThat(shell.run("check", "f.car", "--note", "note", "--follows", older)
                        .refused(Exit.USAGE))
                .contains("--note FILE and --signed-by KEY");
        assertThat(shell.run(
                                "check",
                                "f.car",
                                "--event",
                                older,
                                "--note",
                                "note",
                                "--signed-by",
                                "key.pub",
                                "--follows",
                                older)
                        .refused(Exit.USAGE))
                .contains("--note FILE and --signed-by KEY");
    }

    @Test
    void theRootOfAProofComesFromANote() throws IOException {
        Shell shell = repository();
        shell.run("sign", "--key", "key", "-o", "note").done();
        shell.run("prove", "a/1", "-o", "one.car").done();
        Shell reader = Shell.in(elsewhere);
        for (String name : List.of("note", "one.car", "key.pub")) {
            Files.copy(path(name), elsewhere.resolve(name));
        }
        assertThat(reader.run("check", "one.car", "--note", "note", "--signed-by", "key.pub", "--key", "a/1")
                        .done()
                        .line())
                .isEqualTo("present\t" + Shell.cid(1));
        shell.put("c", 4);
        shell.run("sign", "--key", "key", "-o", elsewhere.resolve("note").toString())
                .done();
        assertThat(reader.run("check", "one.car", "--note", "note", "--signed-by", "key.pub", "--key", "a/1")
                        .refused(Exit.DAMAGED))
                .contains("the proof is of other roots (PF10)");
        Files.writeString(elsewhere.resolve("note"), "x");
        assertThat(reader.run("check", "one.car", "--note", "note", "--signed-by", "key.pub", "--key", "a/1")
                        .refused(Exit.DAMAGED))
                .contains("proves nothing: note: ");
        for (String[] wrong : new String[][] {
            {"--note", "note"},
            {"--signed-by", "key.pub"},
            {"--root", Shell.cid(1), "--note", "note", "--signed-by", "key.pub"}
        }) {
            assertThat(reader.run(Shell.concat("check", Shell.concat("one.car", wrong)))
                            .refused(Exit.USAGE))
                    .contains("--note FILE and --signed-by KEY");
        }
    }

    @Test
    void theOwnerAloneCanReadANewKey() throws IOException {
        assumeTrue(path("x").getFileSystem().supportedFileAttributeViews().contains("posix"));
        Shell shell = repository();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path("key"))))
                .isEqualTo("rw-------");
        assertThat(Files.readString(path("key")))
                .startsWith("PRIVATE+KEY+example.com/ann+")
                .endsWith("\n");
        for (String open : List.of("rw-r-----", "rw----r--", "rw--w----", "rwx------", "rw-------")) {
            Files.setPosixFilePermissions(path("key"), PosixFilePermissions.fromString(open));
            Answer answer = shell.run("sign", "--key", "key");
            if (open.equals("rw-------")) {
                answer.done();
            } else {
                assertThat(answer.refused(Exit.FAILED)).contains("this private key: " + path("key"), "chmod 600");
            }
        }
        Files.setPosixFilePermissions(path("key"), PosixFilePermissions.fromString("r--------"));
        shell.run("sign", "--key", "key").done();
    }

    @ParameterizedTest
    @ValueSource(strings = {"key", "key.pub"})
    void noKeyIsReplaced(String file) throws IOException {
        Shell shell = repository();
        String before = Files.readString(path(file));
        Files.delete(path(file.equals("key") ? "key.pub" : "key"));
        assertThat(shell.run("sign", "--new-key", "key", "example.com/ann").refused(Exit.FAILED))
                .contains("a file is there, and no key replaces it: " + path(file));
        assertThat(path(file)).hasContent(before.strip());
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(each -> each.getFileName().toString())).containsExactlyInAnyOrder(".pail", file);
        }
    }

    @Test
    void whatIsNoKeyIsRefused() throws IOException {
        Shell shell = repository();
        shell.run("sign", "--key", "key", "-o", "note").done();
        String secret = Files.readString(path("key")).strip();
        for (String bad : List.of("", "x", secret + "x", secret.substring(1), "x".repeat(10_000))) {
            Files.writeString(path("key"), bad);
            assertThat(shell.run("sign", "--key", "key").refused(Exit.FAILED))
                    .startsWith("error: no key: key: ")
                    .doesNotContain(secret.substring(secret.length() - 10));
            Files.writeString(path("bad.pub"), bad);
            assertThat(shell.run("verify", "--signed-by", "bad.pub", "note").refused(Exit.FAILED))
                    .startsWith("error: no key: bad.pub: ");
        }
        String published = Files.readString(path("key.pub")).strip();
        assertThat(shell.run("verify", "--signed-by", published.replace("ann", "bob"), "note")
                        .refused(Exit.FAILED))
                .startsWith("error: no key: --signed-by: the hash of a key");
        assertThat(shell.run("verify", "--signed-by", "nothing", "note").refused(Exit.FAILED))
                .contains("no such file: nothing");
        assertThat(shell.run("verify", "--signed-by", "key.pub", "nothing").refused(Exit.FAILED))
                .contains("no such file: nothing");
        assertThat(shell.run("sign", "--key", "nothing").refused(Exit.FAILED)).contains("no such file");
        assertThat(shell.run("sign", "--new-key", "no/where", "a").refused(Exit.FAILED))
                .contains("cannot write: ");
    }

    @Test
    void onlyANoteIsReplaced() throws IOException {
        Shell shell = repository();
        shell.run("sign", "--key", "key", "-o", "note").done();
        shell.put("c", 4);
        shell.run("sign", "--key", "key", "-o", "note").done();
        assertThat(verify(shell).done().line()).startsWith("current\tmain\t4\t");
        String secret = Files.readString(path("key"));
        assertThat(shell.run("sign", "--key", "key", "-o", "key").refused(Exit.FAILED))
                .contains("is not replaced");
        assertThat(Files.readString(path("key"))).isEqualTo(secret);
    }

    @Test
    void wrongUsageIsNamed() {
        Shell shell = repository();
        for (String[] wrong : new String[][] {
            {"sign"},
            {"sign", "main"},
            {"sign", "--key", "key", "--new-key", "x", "a"},
            {"sign", "--new-key", "x", "a", "-o", "y"}
        }) {
            assertThat(shell.run(wrong).refused(Exit.USAGE))
                    .contains("sign with --key FILE, or make a key with --new-key");
        }
        assertThat(shell.run("sign", "--new-key", "x").refused(Exit.USAGE)).contains("give the key a name");
        assertThat(shell.run("sign", "--new-key", "x", "a b").refused(Exit.USAGE))
                .contains("(SN1)");
        assertThat(path("x")).doesNotExist();
        assertThat(shell.run("sign", "main", "-b", "main", "--key", "key").refused(Exit.USAGE))
                .contains("once");
        for (String[] wrong : new String[][] {
            {"verify", "note"},
            {"verify", "--signed-by", "key.pub", "--all"},
            {"verify", "--signed-by", "key.pub", "note", "--all"},
            {"verify", "--signed-by", "key.pub", "note", "--values"}
        }) {
            assertThat(shell.run(wrong).refused(Exit.USAGE)).contains("a signed note is checked alone");
        }
    }

    @Test
    void whatHasNoHeadIsNotSigned() {
        Shell shell = Shell.withRepository(folder);
        shell.run("sign", "--new-key", "key", "a").done();
        assertThat(shell.run("sign", "--key", "key").refused(Exit.FAILED)).contains("nothing was changed yet");
        assertThat(shell.run("sign", "nothing", "--key", "key").refused(Exit.FAILED))
                .contains("no branch nothing");
        shell.put("a", 1);
        shell.run("export", "all.car").done();
        assertThat(shell.run("-C", "all.car", "sign", "--key", "key").refused(Exit.FAILED))
                .contains("a CAR file is only read");
    }
}
