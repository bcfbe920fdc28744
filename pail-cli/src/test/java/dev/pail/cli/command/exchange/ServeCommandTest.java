package dev.pail.cli.command.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Answer;
import dev.pail.cli.Launched;
import dev.pail.cli.LauncherTest;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command that serves the repository. Its jars in a folder of their own: {@link LauncherTest}. */
class ServeCommandTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0:80",
                "example.com:80",
                "127.0.0.1",
                "127.0.0.1:",
                ":80",
                "127.0.0.1:99999",
                "127.0.0.999:1",
                "[::]:80",
                "",
                "127.0.0.1:-1",
                "localhost:1x"
            })
    void otherAddressesAreRefused_GW12(String address) {
        Shell shell = Shell.withRepository(folder);
        shell.put("key", 1);
        assertThat(shell.run("serve", "--listen", address).refused(Exit.USAGE))
                .contains("--listen is ", "127.0.0.1:", "[::1]:", "localhost:");
    }

    /** With tokens, but without TLS, they could be read on their way. */
    @Test
    void otherAddressesNeedTokensAndTls_GW12() {
        Shell shell = Shell.withRepository(folder);
        shell.put("key", 1);
        assertThat(shell.run("serve", "--listen", "0.0.0.0:0", "--tokens", "none")
                        .refused(Exit.USAGE))
                .contains("unless there are --tokens, --tls-cert and --tls-key");
        assertThat(shell.run("serve", "--listen", "[::]:0", "--tls-cert", "a", "--tls-key", "b")
                        .refused(Exit.USAGE))
                .contains("unless there are --tokens");
        assertThat(shell.run("serve", "--tls-cert", "a").refused(Exit.USAGE)).contains("go together");
        assertThat(shell.run("serve", "--listen", "0.0.0.0:0", "--tokens", "none", "--tls-cert", "a", "--tls-key", "b")
                        .refused(Exit.FAILED))
                .contains("no such file");
    }

    @Test
    void anAddressInUseIsNamed() throws IOException {
        Shell shell = Shell.withRepository(folder);
        shell.put("key", 1);
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(shell.run("serve", "--listen", "127.0.0.1:" + other.getLocalPort())
                            .refused(Exit.FAILED))
                    .contains("cannot listen: 127.0.0.1:" + other.getLocalPort());
        }
    }

    @Test
    void aFileOfTokensThatOthersReadIsRefused_GW16() throws IOException {
        Shell shell = Shell.withRepository(folder);
        shell.put("key", 1);
        Path tokens = Files.writeString(folder.resolve("tokens"), "nonsense");
        Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(shell.run("serve", "--listen", "127.0.0.1:0", "--tokens", tokens.toString())
                        .refused(Exit.FAILED))
                .contains("others than its owner may use this file", "hint: give it the mode 600");
        Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
        assertThat(shell.run("serve", "--listen", "127.0.0.1:0", "--tokens", tokens.toString())
                        .refused(Exit.FAILED))
                .contains("line 1 of the file of tokens");
    }

    /** It makes the copy, follows the origin, and takes no write. */
    @Test
    void aMirrorIsACopyThatTakesNoWrites_SY28() throws IOException {
        Shell origin = Shell.withRepository(Files.createDirectory(folder.resolve("origin")));
        origin.run("put", "first", "--text", "1").done();
        Path own = Files.createDirectory(folder.resolve("own"));
        Launched server =
                Launched.pail(own, "serve", "--mirror", "../origin/.pail", "--listen", "localhost:0", "--json");
        String url = Answer.parse(server.readLine()).get("url").asText();
        origin.run("put", "second", "--text", "2").done();
        assertThat(Answer.parse(server.readLine()).get("mirrored").asText()).isEqualTo("branch");
        Shell other = Shell.in(folder);
        assertThat(other.run("-C", url, "ls").done().lines()).hasSize(2);
        assertThat(other.run("-C", url, "put", "third", "--text", "3").refused(Exit.FAILED))
                .contains("the server is a read-only mirror of another repository: change it there");
        server.process().toHandle().destroy();
        assertThat(server.answer().status()).isZero();
        assertThat(Shell.in(own).root()).isEqualTo(origin.root());
    }

    /** Its branches would move. */
    @Test
    void anotherRepositoryIsNoMirror_SY28() throws IOException {
        Shell origin = Shell.withRepository(Files.createDirectory(folder.resolve("origin")));
        Shell own = Shell.withRepository(Files.createDirectory(folder.resolve("own")));
        own.put("key", 1);
        String root = own.root();
        assertThat(own.run("serve", "--mirror", "../origin/.pail").refused(Exit.FAILED))
                .contains("is no mirror of " + origin.folder());
        assertThat(own.root()).isEqualTo(root);
    }

    @Test
    void aProgramReadsTheAddress() throws IOException {
        Shell shell = Shell.withRepository(folder);
        shell.put("key", 1);
        Launched server = Launched.pail(shell.folder(), "serve", "--listen", "localhost:0", "--json");
        String url = Answer.parse(server.readLine()).get("url").asText();
        try (InputStream answer = URI.create(url + "/ipfs/" + shell.root() + "?format=raw")
                .toURL()
                .openStream()) {
            assertThat(answer.readAllBytes()).isNotEmpty();
        }
        server.process().toHandle().destroy();
        assertThat(server.answer().done().err()).isEmpty();
    }
}
