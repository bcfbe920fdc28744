package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.terminal.Exit;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CIDs as people paste them: in addresses, with blanks, and damaged on the way. */
class PastedCidsTest {
    private static final String CID = "bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy";
    private static final String V0 = "QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMnR";

    @TempDir
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeRepository() {
        shell = Shell.withRepository(folder);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%s",
                " %s",
                "%s\n",
                "\t%s \r\n",
                "\u00a0%s",
                "/ipfs/%s",
                "/ipfs/%s/",
                "ipfs://%s",
                "IPFS://%s/",
                " ipfs://%s "
            })
    void theseAreTaken(String form) {
        for (String cid : List.of(CID, V0)) {
            String text = String.format(Locale.ROOT, form, cid);
            shell.run("put", "k", text).done();
            assertThat(shell.run("get", "k").done().line()).isEqualTo(cid);
            if (!text.contains("\n")) {
                shell.feed("l\t" + text + "\n", "load").done();
                assertThat(shell.run("get", "l").done().line()).isEqualTo(cid);
                shell.feed(
                                "{\"op\":\"put\",\"key\":\"m\",\"value\":\""
                                        + text.replace("\t", "\\t").replace("\r", "") + "\"}",
                                "apply")
                        .done();
                assertThat(shell.run("get", "m").done().line()).isEqualTo(cid);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "https://ipfs.io/ipfs/%s | give the CID alone: %s",
                "http://127.0.0.1:8080/ipfs/%s/ | give the CID alone: %s",
                "https://ipfs.io/ipfs/%s?filename=x.jpg | give the CID alone: %s",
                "https://%s.ipfs.dweb.link/ | give the CID alone: %s",
                "https://%s.ipfs.dweb.link | give the CID alone: %s",
                "ipfs://%s?x#y | give the CID alone: %s",
                "dweb:/ipfs/%s | give the CID alone: %s",
                "<%s> | give the CID alone: %s",
                "%s.car | give the CID alone: %s",
                "%s %s | give the CID alone: %s",
                "%s/readme.md | ipfs resolve -r /ipfs/%s/readme.md",
                "/ipfs/%s/a/b.txt | ipfs resolve -r /ipfs/%s/a/b.txt",
                "ipfs://%s/a%%20b | ipfs resolve -r /ipfs/%s/PATH",
                "https://ipfs.io/ipfs/%s/$(rm) | ipfs resolve -r /ipfs/%s/PATH",
                "https://%s.ipfs.dweb.link/readme.md#top | ipfs resolve -r /ipfs/%s/readme.md",
            })
    void aCidInSomethingElseIsNamed(String form, String hint) {
        String text = String.format(Locale.ROOT, form, CID, CID);
        String err = shell.run("put", "--", "k", text).refused(Exit.USAGE);
        assertThat(err).startsWith("error: not a CID: \"").contains("hint: ", String.format(Locale.ROOT, hint, CID));
    }

    @ParameterizedTest
    @ValueSource(strings = {"%s", "ipfs://%s", "/ipfs/%s", "https://%s.ipfs.dweb.link/a", "https://ipfs.io/ipfs/%s"})
    void aCidInBase58WithoutItsCapitals(String form) {
        String v1 = "zdj7WWeQ43G6JJvLWQWZpyHuAMq6uYWRjkBXFad11vE2LHhQ7";
        for (String lost :
                List.of(V0.toLowerCase(Locale.ROOT), V0.toUpperCase(Locale.ROOT), v1.toLowerCase(Locale.ROOT))) {
            assertThat(shell.run("put", "k", String.format(Locale.ROOT, form, lost))
                            .refused(Exit.USAGE))
                    .startsWith("error: not a CID: ")
                    .contains("base58 before its letters were all made small or capital");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/ipns/docs.ipfs.tech, ipfs resolve -r /ipns/NAME",
        "ipns://k51qzi5uqu5dlvj2baxnqndepeb86cbk3ng7n3i46uzyxzyqj2xjonzllnv0v8, ipfs resolve -r /ipns/NAME",
        "https://docs-ipfs-tech.ipns.dweb.link/, ipfs resolve -r /ipns/NAME",
        "CIQJTNS33T6THRXRAR25ZN5TMMORVNP6JKCOS4EW52632DQPVFWMNGY, this is a multihash",
        "'', --file FILE",
        "' ', --file FILE",
        "/ipfs/, --file FILE",
        "ipfs://, --file FILE",
        "/ipfs/hello, --file FILE",
        "bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52z, --file FILE",
        "QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMn0, --file FILE",
    })
    void whatIsNoCidIsWrongUsage(String text, String hint) {
        String err = shell.run("put", "k", text).refused(Exit.USAGE);
        assertThat(err).startsWith("error: not a CID: ").contains("\nhint: ").contains(hint);
        JsonNode told = shell.run("put", "k", text, "--json").refusedInJson(Exit.USAGE);
        assertThat(told.get("code").asText()).isEqualTo("bad-value");
        assertThat(told.get("error").asText()).startsWith("not a CID: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hello", "buy milk", "/ipld/x", "2", "zebra", "Quebec", "k1", "\u00fc", "a\nb"})
    void whatIsNoCidIsText(String text) {
        assertThat(shell.run("put", "k", text).err()).contains("the value is a text");
        assertThat(shell.run("cat", "k").done().text()).isEqualTo(text);
        assertThat(shell.run("put", "k", text, "--json").done().err()).isEmpty();
        assertThat(shell.run("put", "k", text, "-q").done().err()).isEmpty();
        assertThat(shell.run("put", "k", "--cid", text).refused(Exit.USAGE)).contains("--text TEXT");
    }

    /** Neither is it looked for in texts without end, nor does anything of them reach the terminal raw. */
    @Test
    void longAndHostileTexts() {
        for (String text : List.of(
                "/ipfs/".repeat(20_000),
                "https://" + "a/".repeat(50_000),
                "\u001b[31m" + CID,
                "z".repeat(100_000),
                ("z" + "9".repeat(60) + "/").repeat(60),
                "ipfs://" + "\u202e" + CID)) {
            assertThat(shell.run("put", "k", "--cid", text).refused(Exit.USAGE))
                    .startsWith("error: not a CID: ")
                    .hasSizeLessThan(1_000)
                    .doesNotContain("\u001b", "\u202e");
        }
    }

    /** In a file it is as any other bad line. */
    @Test
    void inFilesTheLineIsNamed() {
        String root = shell.root();
        String bad = "https://ipfs.io/ipfs/" + CID;
        assertThat(shell.feed("a\t" + CID + "\nb\t" + bad + "\n", "load").refused(Exit.FAILED))
                .contains("line 2, column 3: not a CID: ", "hint: nothing was changed; give the CID alone: " + CID);
        assertThat(shell.feed("{\"op\":\"put\",\"key\":\"b\",\"value\":\"" + bad + "\"}\n", "apply")
                        .refused(Exit.FAILED))
                .contains("line 1: not a CID: ", "hint: nothing was changed; give the CID alone: " + CID);
        assertThat(shell.root()).isEqualTo(root);
    }

    @Test
    void revisionsAreTakenInTheSameForms() {
        shell.put("a", 1);
        String first = shell.root();
        shell.put("b", 2);
        shell.run("export", "all.car").done();
        for (String form : List.of("/ipfs/" + first, "ipfs://" + first, " " + first + " ")) {
            assertThat(shell.run("root", "--at", form).done().line()).isEqualTo(first);
            assertThat(shell.run("diff", form).done().text()).startsWith("+ b");
            shell.run("export", "first.car", "--at", form).done();
            shell.run("branch", "x", form).done();
            shell.run("branch", "-d", "x").done();
            shell.run("tag", "t", form).done();
            shell.run("tag", "-d", "t").done();
        }
        assertThat(shell.run("-C", "first.car", "root", "--at", "ipfs://" + first)
                        .done()
                        .line())
                .isEqualTo(first);
        for (String store : List.of(".pail", "first.car")) {
            assertThat(shell.run("-C", store, "root", "--at", "https://ipfs.io/ipfs/" + first)
                            .refused(Exit.USAGE))
                    .contains("give the CID alone: " + first);
        }
        assertThat(shell.run("root", "--at", "nothing").refused(Exit.FAILED)).contains("no branch and no event");
        assertThat(shell.run("reset", "ipfs://" + first).done().line()).isEqualTo(first);
    }
}
