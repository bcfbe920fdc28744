package dev.pail.cli.command.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Answer;
import dev.pail.cli.Launched;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two people with a repository each, and one that both push to. */
class RemoteCommandsTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shared;
    private Shell ann;
    private Shell bob;

    @BeforeEach
    void make() throws IOException {
        shared = Shell.withRepository(Files.createDirectory(folder.resolve("shared")), "--format", "v1");
        shared.run("put", "first", "--text", "1").done();
        ann = cloned("ann");
        bob = cloned("bob");
    }

    /** Done, with notes on standard error. */
    private static Answer told(Shell shell, String... arguments) {
        Answer answer = shell.run(arguments);
        assertThat(answer.status()).as(answer.err()).isZero();
        assertThat(answer.err()).doesNotContain("error:");
        return answer;
    }

    private Shell cloned(String name) throws IOException {
        Path own = Files.createDirectory(folder.resolve(name));
        Shell shell = Shell.in(own);
        assertThat(told(shell, "clone", "../shared", ".pail").line()).isEqualTo(shared.root());
        return shell;
    }

    @Test
    void aCloneHasAllAndKnowsItsOrigin() {
        assertThat(ann.root()).isEqualTo(shared.root());
        assertThat(ann.run("cat", "first").done().text()).isEqualTo("1");
        assertThat(ann.run("remote").done().text()).isEqualTo("origin\t" + folder.resolve("shared") + "\n");
        assertThat(ann.run("root", "--at", "origin/main").done().line()).isEqualTo(shared.root());
        assertThat(ann.run("stat", "--storage").done().text()).contains("inFiles\t0");
        assertThat(ann.run("log").done().text()).contains("put");
        assertThat(ann.run("verify", "--all", "--values").done().status()).isZero();
    }

    @Test
    void aPullThatFollowsMergesEachVersionAsItComes() throws IOException, InterruptedException {
        Launched follower = Launched.pail(ann.folder(), "pull", "--follow", "--json");
        assertThat(Answer.parse(follower.readLine()).get("root").asText()).isEqualTo(shared.root());
        for (String key : List.of("second", "third")) {
            shared.run("put", key, "--text", key).done();
            assertThat(Answer.parse(follower.readLine()).get("root").asText()).isEqualTo(shared.root());
        }
        String pid = Long.toString(follower.process().pid());
        assertThat(new ProcessBuilder("kill", "-INT", pid).start().waitFor()).isZero();
        Answer ended = follower.answer();
        assertThat(ended.status()).isEqualTo(Exit.INTERRUPTED);
        assertThat(ended.err()).contains("what came is merged; run the same command again to continue");
        assertThat(ann.root()).isEqualTo(shared.root());
    }

    @Test
    void branchListsThoseOfRemotesToo() {
        String head = shared.run("branch").done().line().substring(7);
        assertThat(ann.run("branch").done().lines()).containsExactly("* main\t" + head);
        assertThat(ann.run("branch", "-r").done().lines()).containsExactly("  origin/main\t" + head);
        assertThat(ann.run("branch", "-a").done().lines()).containsExactly("* main\t" + head, "  origin/main\t" + head);
        assertThat(ann.run("branch", "-r", "--json").done().json())
                .singleElement()
                .satisfies(ref -> {
                    assertThat(ref.get("ref").asText()).isEqualTo("origin/main");
                    assertThat(ref.get("head")).hasSize(1);
                });
        assertThat(ann.run("branch", "-a", "x").refused(Exit.USAGE)).contains("take no name");
    }

    @Test
    void logPushedListsThePushesAlone() {
        assertThat(shared.run("log", "--pushed").done().bytes()).isEmpty();
        ann.run("put", "second", "--text", "2", "-m", "two").done();
        told(ann, "push");
        shared.run("put", "third", "--text", "3").done();
        assertThat(shared.run("log", "--pushed").done().lines())
                .singleElement()
                .asString()
                .startsWith("@{1}  ")
                .contains("  push  \"two\"");
        assertThat(shared.run("log", "--head").done().lines()).hasSizeGreaterThan(2);
        assertThat(shared.run("log", "--pushed", "--all").refused(Exit.USAGE)).contains("only -n and -b go with it");
    }

    @Test
    void tagsTravelWithTheirVersions_SY19_SY20_SY21() throws IOException {
        shared.run("tag", "v1").done();
        assertThat(told(ann, "fetch").lines()).anyMatch(line -> line.startsWith("tag v1\t"));
        assertThat(ann.run("root", "--at", "v1").done().line()).isEqualTo(shared.root());
        assertThat(told(ann, "fetch").err()).contains("nothing new");
        Shell carl = cloned("carl");
        assertThat(carl.run("tag").done().text()).startsWith("v1\t");

        ann.run("put", "second", "--text", "2").done();
        ann.run("tag", "v2").done();
        assertThat(told(ann, "push", "origin", "v2").err()).contains("pushed the tag v2 to ");
        assertThat(shared.run("cat", "second", "--at", "v2").done().text()).isEqualTo("2");
        assertThat(told(ann, "push", "--tags").err()).contains("pushed main to ", "the tag v1 is at ");
        assertThat(told(carl, "pull").lines()).anyMatch(line -> line.startsWith("tag v2\t"));

        carl.run("tag", "-d", "v2").done();
        carl.run("tag", "v2", "v1").done();
        assertThat(told(carl, "fetch").err()).contains("the tag v2 of the remote was not taken");
        assertThat(carl.run("root", "--at", "v2").done().line())
                .isEqualTo(carl.run("root", "--at", "v1").done().line());
        assertThat(carl.run("push", "origin", "v2").refused(Exit.CONFLICT)).contains("another tag, or a branch");
        assertThat(told(carl, "push", "--delete", "v2").err()).contains("removed v2 at ");
        assertThat(shared.run("tag").done().text()).startsWith("v1\t").doesNotContain("v2");
        assertThat(carl.run("push", "--delete", "v2").refused(Exit.FAILED)).contains("v2");
        // As git has the order.
        assertThat(told(carl, "push", "--delete", "origin", "v1").err()).contains("removed v1 at ");
        assertThat(shared.run("tag").done().text()).isEmpty();
    }

    @Test
    void aCloneBringsAllTags_SY19() throws IOException {
        shared.run("branch", "gone").done();
        shared.run("put", "second", "--text", "2", "-b", "gone").done();
        shared.run("tag", "v2", "gone").done();
        shared.run("branch", "-d", "gone").done();
        assertThat(told(ann, "fetch").text()).doesNotContain("v2");
        assertThat(told(ann, "fetch", "--tags").lines()).anyMatch(line -> line.startsWith("tag v2\t"));
        assertThat(cloned("carl").run("cat", "second", "--at", "v2").done().text())
                .isEqualTo("2");
    }

    @Test
    void signedHeadsTravel_SY22_SY23() throws IOException {
        ann.run("sign", "--new-key", "key", "example.com/ann").done();
        ann.run("put", "second", "--text", "2").done();
        ann.run("sign", "--key", "key", "-q", "-o", "note").done();
        assertThat(told(ann, "push").err()).contains("kept at the remote the signed head of main, update ");
        Shell carl = cloned("carl");
        String key = Files.readString(ann.folder().resolve("key.pub")).strip();
        assertThat(carl.run("verify", "--signed-by", key).done().line()).startsWith("current\tmain\t");
        ann.run("put", "third", "--text", "3").done();
        ann.run("sign", "--key", "key", "-q", "-o", "note").done();
        told(ann, "push");
        assertThat(told(carl, "fetch").err()).contains("kept here the signed head of main, update ");
        assertThat(carl.run("verify", "--signed-by", key).status()).isEqualTo(Exit.NO);
        told(carl, "pull");
        assertThat(carl.run("verify", "--signed-by", key).done().line()).startsWith("current\tmain\t");
        assertThat(told(carl, "fetch").err()).contains("nothing new");
    }

    @Test
    void aRemoteShowsItsBranchesAndTags_SY19() {
        shared.run("branch", "old").done();
        told(ann, "fetch");
        shared.run("branch", "-d", "old").done();
        shared.run("tag", "v1").done();
        shared.run("branch", "late").done();
        assertThat(told(ann, "remote", "show", "origin").lines())
                .extracting(line -> line.substring(0, line.lastIndexOf('\t')))
                .containsExactly("branch late\tnew", "branch main\tfetched", "tag v1\tnew", "branch old\tstale");
        shared.run("put", "x", "--text", "x").done();
        assertThat(told(ann, "remote", "show", "origin", "--json")
                        .json()
                        .get(1)
                        .get("state")
                        .asText())
                .isEqualTo("changed");
        assertThat(ann.run("remote", "show").refused(Exit.USAGE)).contains("pail remote show NAME");
        assertThat(ann.run("remote", "show", "none").refused(Exit.FAILED)).contains("no such remote");
    }

    @Test
    void branchesThatAreGoneThereAreToldAndPruned_SY15() {
        shared.run("branch", "brew").done();
        shared.run("branch", "late").done();
        told(ann, "fetch");
        shared.run("branch", "-d", "brew").done();
        assertThat(told(ann, "fetch").err())
                .contains("warning: the remote has no branch for origin/brew any more", "pail fetch origin --prune");
        assertThat(told(ann, "fetch", "--prune").err())
                .contains("removed origin/brew")
                .doesNotContain("warning");
        assertThat(told(ann, "fetch").err()).doesNotContain("brew");
        shared.run("branch", "-d", "late").done();
        assertThat(told(ann, "pull", "--prune").err()).contains("removed origin/late");
        assertThat(ann.run("root", "--at", "origin/late").status()).isEqualTo(Exit.FAILED);
        assertThat(ann.run("root", "--at", "origin/main").done().line()).isEqualTo(shared.root());
    }

    @Test
    void aBranchIsRemovedThere_SY15() {
        shared.run("branch", "draft").done();
        assertThat(ann.run("push", "--delete", "draft").refused(Exit.FAILED))
                .contains("origin/draft", "hint: fetch first");
        told(ann, "fetch");
        shared.run("put", "x", "--text", "x", "-b", "draft").done();
        assertThat(ann.run("push", "--delete", "draft").refused(Exit.CONFLICT)).contains("another peer", "pail fetch");
        told(ann, "fetch");
        assertThat(told(ann, "push", "--delete", "draft").err()).contains("removed draft at ");
        assertThat(shared.run("branch").done().text()).doesNotContain("draft");
        assertThat(ann.run("push", "--delete", "main").refused(Exit.FAILED)).contains("main", "hint: a remote keeps");
        assertThat(ann.run("push", "origin", "main", "--delete", "main").refused(Exit.USAGE))
                .contains("no branch to send");
    }

    @Test
    void changesGoFromOneToTheOther() {
        ann.run("put", "second", "--text", "2").done();
        assertThat(told(ann, "push").err()).contains("pushed main to ", "3 blocks, generation 2 there");
        assertThat(shared.root()).isEqualTo(ann.root());
        assertThat(told(bob, "fetch").text()).startsWith("origin/main\t").contains("3 blocks");
        assertThat(told(bob, "fetch").err()).contains("nothing new");
        assertThat(bob.run("diff", "main", "origin/main").text()).contains("second");
        assertThat(bob.run("pull").done().line()).isEqualTo(ann.root());
        assertThat(bob.run("cat", "second").done().text()).isEqualTo("2");
    }

    @Test
    void aPushThatWouldDropChangesIsRefused() {
        ann.run("put", "a", "--text", "ann").done();
        told(ann, "push");
        bob.run("put", "a", "--text", "bob").done();
        assertThat(bob.run("push").refused(Exit.CONFLICT))
                .contains("error: ", "has changes", "hint: ", "pail pull", "pail push --merge");
        assertThat(shared.root()).isEqualTo(ann.root());

        String pulled = bob.run("pull").done().text();
        assertThat(pulled).contains("a");
        told(bob, "push");
        assertThat(ann.run("pull").done().line()).isEqualTo(bob.root());
        assertThat(shared.root()).isEqualTo(bob.root());
    }

    @Test
    void aQuietPullPrintsConflicts() {
        ann.run("put", "first", "--text", "ann").done();
        told(ann, "push");
        bob.run("put", "first", "--text", "bob").done();
        assertThat(bob.run("pull", "-q", "--policy", "fail").failed(Exit.CONFLICT))
                .contains("conflict");
        assertThat(bob.run("pull", "-q", "--policy", "fail").lines())
                .singleElement()
                .asString()
                .startsWith("! first\tours ");
        assertThat(bob.run("pull", "-q").done().lines())
                .singleElement()
                .asString()
                .startsWith("! first\tours ")
                .endsWith(" stands");
        assertThat(bob.run("pull", "-q").done().text()).isEmpty();
    }

    @Test
    void aPushAfterConvertHasAHintThatWorks() {
        ann.run("convert", "--format", "v0").done();
        for (String option : List.of("-q", "--merge", "--force")) {
            assertThat(ann.run("push", option).refused(Exit.CONFLICT))
                    .contains(" has the shard format v1, and the version here v0")
                    .contains("with: pail push --convert")
                    .doesNotContain("pail pull");
        }
        assertThat(shared.run("stat").done().text()).contains("v1");
        told(ann, "push", "--convert");
        assertThat(shared.root()).isEqualTo(ann.root());
        assertThat(ann.run("push", "--merge", "--convert").refused(Exit.USAGE)).contains("not both");
    }

    @Test
    void aPushToAnotherHistoryHasAHintThatWorks() {
        ann.run("put", "a", "--text", "1").done();
        told(ann, "push");
        ann.run("squash").done();
        ann.run("put", "b", "--text", "2").done();
        for (String option : List.of("-q", "--merge")) {
            assertThat(ann.run("push", option).refused(Exit.CONFLICT))
                    .contains("another history", "pail push --force", "pail pull --allow-unrelated-histories");
        }
        ann.run("pull", "--allow-unrelated-histories").done();
        told(ann, "push");
        assertThat(shared.root()).isEqualTo(ann.root());
        ann.run("squash").done();
        told(ann, "push", "--force");
        assertThat(shared.run("log").done().lines())
                .hasSize(ann.run("log").done().lines().size());
    }

    @Test
    void aTokenThatIsNoneIsNotShown() {
        ann.run("remote", "set-url", "origin", "http://127.0.0.1:1").done();
        for (String token : List.of("geheim\n", "geheim\r\nX: y", "geheim ", "geheim\u00e4", "geheim\0")) {
            assertThat(ann.withVariable("PAIL_TOKEN", token).run("fetch").refused(Exit.USAGE))
                    .contains("the token for 127.0.0.1 has a line break or another character")
                    .doesNotContain("geheim", "defect");
        }
    }

    @Test
    void aPortThatIsNoneIsNamed() {
        assertThat(ann.run("remote", "set-url", "origin", "http://127.0.0.1:180811")
                        .refused(Exit.USAGE))
                .contains("a port is at most 65535: \"http://127.0.0.1:180811\"");
        assertThat(ann.run("clone", "https://h.example:180811", "c").refused(Exit.USAGE))
                .contains("a port is at most 65535");
        ann.run("remote", "set-url", "origin", "http://pail.invalid").done();
        assertThat(ann.withVariable("http_proxy", "http://127.0.0.1:180811")
                        .run("fetch")
                        .refused(Exit.USAGE))
                .contains("http_proxy is http://HOST:PORT");
        assertThat(ann.run("serve", "--listen", "127.0.0.1:180811").refused(Exit.USAGE))
                .contains("127.0.0.1:180811");
        assertThat(ann.run("serve", "--listen", "127.0.0.1:99999").refused(Exit.USAGE))
                .contains("127.0.0.1:99999");
    }

    @Test
    void theRemoteMergesOrIsForced() {
        ann.run("put", "a", "--text", "ann").done();
        told(ann, "push");
        bob.run("put", "b", "--text", "bob").done();
        assertThat(told(bob, "push", "--merge").err()).contains("take it in with: pail pull");
        assertThat(shared.keys()).containsExactly("a", "b", "first");
        ann.run("put", "c", "--text", "ann").done();
        assertThat(ann.run("push", "--force").refused(Exit.CONFLICT)).contains("another peer");
        told(ann, "fetch");
        told(ann, "push", "--force");
        assertThat(shared.keys()).containsExactly("a", "c", "first");
        assertThat(ann.run("push", "--force", "--merge").refused(Exit.USAGE)).contains("not both");
    }

    @Test
    void conflictsAreThoseOfMerge() {
        ann.run("put", "a", "--text", "ann").done();
        told(ann, "push");
        bob.run("put", "a", "--text", "bob").done();
        String before = bob.root();
        assertThat(bob.run("pull", "--policy", "fail").failed(Exit.CONFLICT)).contains("--policy");
        assertThat(bob.root()).isEqualTo(before);
        assertThat(bob.run("pull", "--policy", "ours").done().text()).contains("a");
        assertThat(bob.run("cat", "a").done().text()).isEqualTo("bob");
    }

    @Test
    void branchesAreNamed() {
        ann.run("branch", "feature/x").done();
        ann.run("put", "x", "--text", "x", "-b", "feature/x").done();
        told(ann, "push", "origin", "feature/x");
        assertThat(shared.run("root", "-b", "feature/x").done().line())
                .isEqualTo(ann.run("root", "-b", "feature/x").done().line());
        assertThat(bob.run("pull", "origin", "feature/x").done().line())
                .isEqualTo(ann.run("root", "-b", "feature/x").done().line());
        assertThat(bob.run("fetch", "origin", "nothing").refused(Exit.FAILED))
                .contains("no branch \"nothing\"", "there are: feature/x, main");
        assertThat(ann.run("pull", "upstream").refused(Exit.FAILED)).contains("no such remote", "origin");
    }

    @Test
    void programsReadWhatWasExchanged() {
        ann.run("put", "a", "--text", "ann").done();
        var pushed = told(ann, "push", "--json").json().get(0);
        assertThat(pushed.get("branch").asText()).isEqualTo("main");
        assertThat(pushed.get("generation").asLong()).isEqualTo(2);
        assertThat(pushed.get("blocks").asLong()).isEqualTo(3);
        var fetched = told(bob, "fetch", "--json").json().get(0);
        assertThat(fetched.get("ref").asText()).isEqualTo("origin/main");
        assertThat(fetched.get("changed").asBoolean()).isTrue();
        assertThat(bob.run("pull", "--json").done().json().get(0).get("root").asText())
                .isEqualTo(ann.root());
        assertThat(bob.run("push", "nowhere", "--json")
                        .refusedInJson(Exit.FAILED)
                        .get("code")
                        .asText())
                .isEqualTo("no-such-remote");
    }

    @Test
    void remotesAreAddedAndRemoved() {
        ann.run("remote", "add", "disk", "../bob/.pail").done();
        told(ann, "fetch", "disk");
        assertThat(ann.run("remote", "list").done().text())
                .contains("disk\t" + folder.resolve("bob/.pail"), "origin\t");
        assertThat(ann.run("remote", "add", "disk", "x").refused(Exit.FAILED)).contains("there is a remote");
        ann.run("remote", "set-url", "disk", "https://example.org/pail/").done();
        assertThat(ann.run("config", "get", "remote.disk.url").done().line()).isEqualTo("https://example.org/pail");
        ann.run("remote", "remove", "disk").done();
        assertThat(ann.run("root", "--at", "disk/main").refused(Exit.FAILED)).contains("disk/main");
        assertThat(ann.run("remote", "remove", "disk").refused(Exit.FAILED)).contains("no such remote");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ssh://host/x",
                "https://user:secret@host",
                "https://host?x=1",
                "http://",
                "a\nb",
                "s3://key:secret@bucket",
                "ftp://bucket",
                "https://host#x"
            })
    void addressesThatAreNoneAreRefused(String address) {
        assertThat(ann.run("remote", "add", "other", address).refused(Exit.USAGE))
                .doesNotContain("secret");
        assertThat(ann.run("remote").done().text()).doesNotContain("other");
    }

    @Test
    void aCloneNeedsAFolderOfItsOwn() {
        assertThat(ann.run("clone", "../shared", ".pail").refused(Exit.FAILED)).contains("cannot clone into");
        assertThat(ann.run("clone", "../nothing", "x").refused(Exit.FAILED)).contains("no repository");
        assertThat(folder.resolve("ann/x")).doesNotExist();
    }

    @Test
    void valuesMayStayThere() {
        Shell thin = Shell.in(folder);
        told(thin, "clone", "shared", "thin", "--no-values");
        Shell in = Shell.in(folder.resolve("thin"));
        assertThat(in.run("-C", ".", "get", "first").done().status()).isZero();
        // A value that is needed comes from the remote, and stays.
        assertThat(told(in, "-C", ".", "cat", "first").text()).isEqualTo("1");
        assertThat(in.run("-C", ".", "cat", "first").done().text()).isEqualTo("1");
        told(in, "-C", ".", "fetch");
    }

    @Test
    void valuesThatAreNowhereAreTold() {
        shared.put("foreign", 77);
        assertThat(told(ann, "pull").err()).contains("left out 1 linked block that is neither at the remote nor here");
        assertThat(told(Shell.in(folder), "clone", "shared", "again").err())
                .contains("left out 1 linked block that is not at the remote");
        assertThat(told(bob, "pull", "--json").json().get(0).get("leftOut").asLong())
                .isEqualTo(1);
    }

    @Test
    void tokensOfOthersAreNotRead() throws IOException {
        Path config = Files.createDirectories(folder.resolve("config/pail"));
        Path tokens = Files.writeString(config.resolve("tokens"), "http://127.0.0.1:1 secret\n");
        Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-r--r--"));
        Shell shell =
                ann.withVariable("XDG_CONFIG_HOME", folder.resolve("config").toString());
        shell.run("remote", "set-url", "origin", "http://127.0.0.1:1").done();
        assertThat(shell.run("fetch").refused(Exit.FAILED))
                .contains("others can read the tokens", "chmod 600")
                .doesNotContain("secret");
        Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
        assertThat(shell.run("fetch").refused(Exit.FAILED)).contains("cannot exchange: http://127.0.0.1:1");
    }

    @Test
    void aServerWithTokensIsPushedTo() throws IOException {
        Path tokens = Files.writeString(
                folder.resolve("tokens"),
                // The SHA2-256 of "secret".
                "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b write * ann\n");
        Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
        Launched server = Launched.pail(
                shared.folder(), "serve", "--listen", "127.0.0.1:0", "--json", "--tokens", tokens.toString());
        String url = Answer.parse(server.readLine()).get("url").asText();
        ann.run("remote", "set-url", "origin", url).done();
        ann.run("put", "a", "--text", "ann").done();
        assertThat(ann.run("push").refused(Exit.FAILED)).contains("the remote refuses", "PAIL_TOKEN");
        Shell withToken = ann.withVariable("PAIL_TOKEN", "secret");
        told(withToken, "push");
        assertThat(shared.root()).isEqualTo(ann.root());
        assertThat(withToken.run("push", "--force").refused(Exit.FAILED)).contains("the token of ann may not");
        assertThat(told(withToken, "clone", url, folder.resolve("again").toString())
                        .line())
                .isEqualTo(ann.root());
        server.process().toHandle().destroy();
        server.answer().done();
    }
}
