package dev.pail.cli.command.map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Pail;
import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.ipld.Cid;
import dev.pail.keys.Name;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of a namespace, from putting to removing, in each format. */
class NamespaceCommandsTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell filled(String format) {
        Shell shell = Shell.withRepository(folder, "--format", format);
        for (String key : new String[] {"ann", "", "bob\n", "größe"}) {
            shell.run("put", "--namespace", "users/eu", "--", key, Shell.cid(1)).done();
        }
        shell.run("put", "--namespace", "users", "ann", Shell.cid(2)).done();
        shell.run("put", "--namespace", "orders", "ann", Shell.cid(3)).done();
        return shell;
    }

    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1", "v2"})
    void keysAreThoseOfTheirNamespace(String format) {
        Shell shell = filled(format);
        String one = "\t" + Shell.cid(1);

        assertThat(shell.run("ls", "--namespace", "users/eu").done().lines())
                .containsExactly(one, "ann" + one, "bob\\u{a}" + one, "größe" + one);
        assertThat(shell.run("ls", "--namespace", "users").done().lines()).containsExactly("ann\t" + Shell.cid(2));
        assertThat(shell.run("ls", "--namespace", "eu").done().lines()).isEmpty();
        assertThat(shell.run("ls", "--namespace", "users/eu", "--gt", "ann", "--reverse", "--limit", "1")
                        .done()
                        .line())
                .isEqualTo("größe" + one);
        assertThat(shell.run("ls", "--namespace", "users/eu", "b", "-0").done().text())
                .isEqualTo("bob\n" + one + "\0");
        assertThat(shell.run("ls", "--namespace", "users/eu", "a", "--json")
                        .done()
                        .line())
                .isEqualTo("{\"key\":\"ann\",\"value\":\"" + Shell.cid(1) + "\"}");

        assertThat(shell.run("get", "--namespace", "users/eu", "ann").done().line())
                .isEqualTo(Shell.cid(1));
        assertThat(shell.run("get", "--namespace", "users", "ann", "--json")
                        .done()
                        .line())
                .startsWith("{\"key\":\"ann\"");
        assertThat(shell.run("get", "ann").status()).isEqualTo(Exit.NO);
        Answer absent = shell.run("get", "--namespace", "users", "bob");
        assertThat(absent.status()).isEqualTo(Exit.NO);
        assertThat(absent.err()).contains("no such key: \"bob\"");
        assertThat(shell.keys()).hasSize(6).doesNotContain("ann");

        shell.run("rm", "--namespace", "users/eu", "ann", "größe").done();
        assertThat(shell.run("ls", "--namespace", "users/eu").done().lines()).hasSize(2);
        assertThat(shell.run("ls", "--namespace", "users").done().lines()).hasSize(1);
        assertThat(shell.run("rm", "--namespace", "users/eu", "ann").status()).isEqualTo(Exit.NO);

        shell.feed("hello\n", "put", "--namespace", "texts", "greeting", "--file", "-")
                .done();
        assertThat(shell.run("cat", "--namespace", "texts", "greeting").done().text())
                .isEqualTo("hello\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1", "v2"})
    void namespacesAreListed(String format) {
        Shell shell = filled(format);

        assertThat(shell.run("ls", "--namespaces").done().lines()).containsExactly("orders", "users");
        assertThat(shell.run("ls", "--namespaces", "--namespace", "users")
                        .done()
                        .lines())
                .containsExactly("eu");
        assertThat(shell.run("ls", "--namespaces", "--namespace", "orders")
                        .done()
                        .lines())
                .isEmpty();
        assertThat(shell.run("ls", "--namespaces", "--json", "--limit", "1")
                        .done()
                        .line())
                .isEqualTo("{\"namespace\":\"orders\"}");
        assertThat(shell.run("ls", "--namespaces", "-0").done().text()).isEqualTo("orders\0users\0");
        Answer bounded = shell.run("ls", "--namespaces", "--gt", "a");
        assertThat(bounded.status()).isEqualTo(Exit.USAGE);

        shell.put("readme", 4);
        Answer mixed = shell.run("ls", "--namespaces");
        assertThat(mixed.status()).isEqualTo(Exit.FAILED);
        assertThat(mixed.err())
                .contains("malformed key: \"readme\": \"r\" is none of the digits 0-9a-f (N2) (at offset 0)\nhint: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "a/", "/a", "a//b"})
    void anEmptyNameIsAMistake(String path) {
        Answer answer = Shell.withRepository(folder).run("ls", "--namespace", path);

        assertThat(answer.status()).isEqualTo(Exit.USAGE);
        assertThat(answer.err()).startsWith("error: a name in --namespace is empty: \"" + path + "\"\n");
    }

    /** A program puts bytes; the command shows them. */
    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1"})
    void bytesThatAreNoText(String format) {
        Shell shell = Shell.withRepository(folder, "--format", format);
        byte[] key = {'a', '\\', -1};
        try (Repository repository = FileRepository.open(folder.resolve(".pail"))) {
            Cid value = Cid.parse(Shell.cid(1));
            repository.update("main", pail -> put(pail, Name.of(key), value));
        }
        String value = Shell.cid(1);

        assertThat(shell.run("ls", "--namespace", "b").done().line()).isEqualTo("a\\\\\\xff\t" + value);
        assertThat(shell.run("ls", "--namespace", "b", "--json").done().line())
                .isEqualTo("{\"keyBytes\":\"YVz/\",\"value\":\"" + value + "\"}");
        byte[] exact = shell.run("ls", "--namespace", "b", "-0").done().bytes();
        assertThat(exact).startsWith(key).endsWith(("\t" + value + "\0").getBytes(UTF_8));
        assertThat(exact).hasSize(key.length + value.length() + 2);
    }

    private static Pail put(Pail pail, Name key, Cid value) {
        return pail.namespace("b").put(key, value).pail();
    }

    /** The listing of the LevelDB document, "Recommended delimiters": the users by delimiter. */
    private static final Map<String, List<String>> ORDERS = Map.of(
            ":", List.of("rod.vagg", "rod1977", "rod", "roderick"),
            "!", List.of("rod", "rod.vagg", "rod1977", "roderick"),
            "0x00", List.of("rod", "rod.vagg", "rod1977", "roderick"),
            "~", List.of("rod.vagg", "rod1977", "roderick", "rod"),
            "0xff", List.of("rod.vagg", "rod1977", "roderick", "rod"));

    @ParameterizedTest
    @ValueSource(strings = {":", "!", "~", "0x00", "0xff"})
    void usersAreInTheOrderOfTheirDelimiter_N14(String delimiter) {
        Shell shell = Shell.withRepository(folder);
        String codec = "delimited:" + delimiter;
        for (String user : new String[] {"roderick", "rod", "rod1977", "rod.vagg"}) {
            for (String key : new String[] {"last_login", "default_theme"}) {
                shell.run("put", key, Shell.cid(1), "--namespace", user, "--codec", codec)
                        .done();
            }
        }
        String c = character(delimiter);
        List<String> users = ORDERS.get(delimiter);
        assertThat(shell.keys())
                .isEqualTo(users.stream()
                        .flatMap(user -> Stream.of(user + c + "default_theme", user + c + "last_login"))
                        .toList());
        assertThat(shell.run("ls", "--namespaces", "--codec", codec).done().lines())
                .isEqualTo(users);
        assertThat(shell.run("get", "last_login", "--namespace", "rod", "--codec", codec)
                        .done()
                        .line())
                .isEqualTo(Shell.cid(1));
    }

    private static String character(String delimiter) {
        return delimiter.length() == 1 ? delimiter : Character.toString(Integer.decode(delimiter));
    }

    /** The injection of the LevelDB document: a user name with the delimiter is refused, not stripped. */
    @ParameterizedTest
    @ValueSource(strings = {"!", "~", "0x7e", "0x00", "0xff"})
    void theDelimiterInANameIsRefused_N9_N14(String delimiter) {
        Shell shell = Shell.withRepository(folder);
        String codec = "delimited:" + delimiter;
        String c = character(delimiter);
        shell.run("put", "theme", Shell.cid(1), "--namespace", "rod/settings", "--codec", codec)
                .done();
        assertThat(shell.run("put", "theme", Shell.cid(2), "--namespace", "rod" + c + c + "settings", "--codec", codec)
                        .failed(Exit.FAILED))
                .contains("the delimiter")
                .contains("(N9)");
        assertThat(shell.run("put", "x" + c + "y", Shell.cid(2), "--namespace", "rod", "--codec", codec)
                        .failed(Exit.FAILED))
                .contains("(N9)");
        assertThat(shell.keys()).containsExactly("rod" + c + c + "settings" + c + "theme");
    }

    @Test
    void copiesAndClonesUseTheCodec_REP3() throws IOException {
        Shell from = Shell.withRepository(
                Files.createDirectory(folder.resolve("from")), "--format", "v1", "--namespace-codec", "delimited:!");
        from.run("put", "bar", Shell.cid(1), "--namespace", "fo").done();
        Shell outside = Shell.in(folder);
        outside.run("copy", "from", "to", "-q").done();
        outside.run("clone", "from", "clone", "-q", "--namespace-codec", "delimited:!")
                .done();
        outside.run("clone", "from", "other", "-q").done();
        for (String made : List.of("to", "clone")) {
            assertThat(outside.run("-C", made, "get", "bar", "--namespace", "fo")
                            .done()
                            .line())
                    .isEqualTo(Shell.cid(1));
        }
        assertThat(outside.run("-C", "other", "get", "bar", "--namespace", "fo").failed(Exit.NO))
                .contains("no such key");
        assertThat(outside.run("clone", "from", "wrong", "--namespace-codec", "hex:0x00")
                        .failed(Exit.USAGE))
                .contains("the format does not take its keys");
        assertThat(folder.resolve("wrong")).doesNotExist();
    }

    @Test
    void theSettingChoosesTheCodec_N14() {
        Shell shell = Shell.withRepository(folder, "--format", "v1", "--namespace-codec", "delimited:!");
        shell.run("put", "bar", Shell.cid(1), "--namespace", "fo/foo").done();
        shell.run("put", "bar", Shell.cid(2), "--namespace", "fo", "--codec", "length-prefixed")
                .done();
        assertThat(shell.keys()).containsExactly("00000002cpng/c9gn4", "fo!!foo!bar");
        assertThat(shell.run("config", "get", "namespace-codec").done().line()).isEqualTo("delimited:!");
        assertThat(shell.run("get", "bar", "--namespace", "fo/foo").done().line())
                .isEqualTo(Shell.cid(1));
        assertThat(shell.run("ls", "--namespaces", "--codec", "length-prefixed").failed(Exit.FAILED))
                .contains("fo!!foo!bar");
        assertThat(shell.run("config", "set", "namespace-codec", "hex:!").failed(Exit.USAGE))
                .contains("fixed when a repository is made");
        assertThat(shell.run("-C", "other", "init", "--format", "v1", "--namespace-codec", "hex:0x00")
                        .failed(Exit.USAGE))
                .contains("the format does not take its keys");
        assertThat(shell.run("get", "bar", "--codec", "hex:!").failed(Exit.USAGE))
                .contains("--codec is for keys of namespaces: give --namespace too");
        for (String wrong :
                new String[] {"x", "delimited:", "delimited:ab", "hex:a", "hex: ", "delimited:0xFF", "hex:0x0"}) {
            assertThat(shell.run("ls", "--namespace", "a", "--codec", wrong).failed(Exit.USAGE))
                    .contains("--codec: ");
        }
    }
}
