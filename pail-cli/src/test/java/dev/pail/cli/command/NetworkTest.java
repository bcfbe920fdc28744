package dev.pail.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Terminal;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Networks with proxies, pages where users log in, and authorities of their own. */
class NetworkTest {
    private static final String INFO =
            "{\"format\":{\"name\":\"v1\",\"maxKeySize\":4096},\"current\":\"main\",\"maxBody\":1000000,"
                    + "\"features\":[]}";

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
        shell = Shell.in(Files.createDirectory(folder.resolve("here")));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(int status, String type, String text, String... header) {
        answer(server, status, type, text, header);
    }

    private void answer(HttpServer answering, int status, String type, String text, String... header) {
        answering.createContext("/", exchange -> {
            seen.add(exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("Proxy-Authorization"));
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().add("Content-Type", type);
            for (int i = 0; i < header.length; i += 2) {
                exchange.getResponseHeaders().add(header[i], header[i + 1]);
            }
            send(exchange, status, text);
        });
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }

    /** The failure of a command with a remote at an address. */
    private String failure(Shell from, String url) {
        return from.run("clone", url, "copy").refused(Exit.FAILED);
    }

    @Test
    void aPageForLoginsIsNoDamage() {
        answer(200, "text/html; charset=utf-8", "<html><TITLE>Sign\n in</TITLE>");
        String is = "not an answer of a pail server: http://" + address() + ": a web page with the title ";
        assertThat(failure(shell, "http://" + address())).contains(is, "Sign in", "status 200", "hint: ");
        shell.run("init", "-q").done();
        shell.run("put", "a", "--text", "b").done();
        shell.run("remote", "add", "origin", "http://" + address()).done();
        for (String command : List.of("fetch", "pull", "push")) {
            assertThat(shell.run(command).refused(Exit.FAILED)).as(command).contains(is);
        }
    }

    @Test
    void aRedirectToALoginIsToldWithoutItsSecrets() {
        answer(302, "text/html", "", "Location", "https://user:geheim@login.example/saml?token=geheim#geheim");
        assertThat(failure(shell, "http://" + address()))
                .contains("wants a login", "https://login.example/saml")
                .doesNotContain("geheim");
    }

    @Test
    void aTokenThatIsMissingIsHintedAt() {
        answer(401, "application/json", "{\"error\":\"no token\",\"code\":\"no-token\"}");
        assertThat(failure(shell, "http://" + address())).contains("status 401", "hint: ", "PAIL_TOKEN");
    }

    @ParameterizedTest
    @CsvSource({
        "http://pail.invalid, no such host, check the name",
        "http://127.0.0.1:1, no server listens there, see whether the server runs"
    })
    void whatIsNotThereIsToldInWords(String url, String words, String hint) {
        assertThat(failure(shell, url)).contains("error: cannot exchange: " + url, words, "hint: " + hint);
    }

    @Test
    void aServerWithoutTlsIsTold() throws IOException {
        try (ServerSocket plain = new ServerSocket(0)) {
            Thread answering = new Thread(() -> {
                try (Socket socket = plain.accept()) {
                    int unused = socket.getInputStream().read();
                    socket.getOutputStream()
                            .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    socket.getOutputStream().flush();
                    socket.shutdownOutput();
                    socket.getInputStream().readAllBytes();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            answering.setDaemon(true);
            answering.start();
            assertThat(failure(shell, "https://127.0.0.1:" + plain.getLocalPort()))
                    .contains("does not speak TLS", "http://");
        }
    }

    @Test
    void aDatabaseThatIsNotThereIsToldAtOnce() {
        assertThat(shell.run("-C", "postgresql://u@pail.invalid/d?repository=r", "ls", "--lock-timeout", "1000")
                        .refused(Exit.FAILED))
                .contains("no such host", "hint: check the name");
        assertThat(shell.run("-C", "postgresql://u@127.0.0.1:1/d?repository=r", "ls", "--lock-timeout", "1000")
                        .refused(Exit.FAILED))
                .contains("no server listens there", "hint: ");
    }

    @Test
    void aProxyOfTheEnvironmentIsUsed() {
        answer(200, "application/json", INFO);
        Shell behind = shell.withVariable("http_proxy", "http://ann:se%2Fcret@" + address());
        assertThat(behind.run("clone", "http://pail.invalid/x", "copy").err()).doesNotContain("no such host");
        String login = Base64.getEncoder().encodeToString("ann:se/cret".getBytes(StandardCharsets.UTF_8));
        assertThat(seen.get(0)).isEqualTo("http://pail.invalid/x/v1/info Basic " + login);
    }

    @Test
    void aProxyThatRefusesIsTold() {
        answer(407, "text/html", "<title>no</title>");
        Shell behind = shell.withVariable("http_proxy", address());
        assertThat(failure(behind, "http://pail.invalid"))
                .contains("the proxy wants a user and a password", "hint: ", "http_proxy");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "invalid", ".invalid", "pail.invalid:80", "a,  pail.invalid ,b", "PAIL.INVALID"})
    void noProxyNamesHostsThatAreReachedWithoutOne(String list) {
        answer(200, "application/json", INFO);
        Shell behind = shell.withVariable("http_proxy", address()).withVariable("NO_PROXY", list);
        assertThat(failure(behind, "http://pail.invalid")).contains("no such host");
        assertThat(seen).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nvalid", "il.invalid", "pail.invalid:81", "10.0.0.0/8", "x.pail.invalid"})
    void noProxyCoversNothingElse(String list) {
        answer(200, "application/json", INFO);
        Shell behind = shell.withVariable("http_proxy", address()).withVariable("no_proxy", list);
        assertThat(behind.run("clone", "http://pail.invalid", "copy").err()).doesNotContain("no such host");
        assertThat(seen).isNotEmpty();
    }

    @Test
    void noProxyNamesRangesOfAddresses() throws IOException {
        Terminal terminal = new Terminal(
                new Terminal.Streams(InputStream.nullInputStream(), System.out, System.err),
                Map.of("https_proxy", "http://p:1", "no_proxy", "10.0.0.0/8,192.168.7.0/24"),
                folder);
        ProxyVariables variables = new ProxyVariables(terminal);
        for (String host : List.of("10.1.2.3", "192.168.7.255", "127.0.0.1", "localhost", "[::1]")) {
            assertThat(variables.to(new URL("https://" + host)).orElseThrow().proxy())
                    .as(host)
                    .isEqualTo(Proxy.NO_PROXY);
        }
        for (String host : List.of("11.1.2.3", "192.168.8.1", "pail.invalid")) {
            assertThat(variables
                            .to(new URL("https://" + host))
                            .orElseThrow()
                            .proxy()
                            .type())
                    .as(host)
                    .isEqualTo(Proxy.Type.HTTP);
        }
        assertThat(variables.to(new URL("http://pail.invalid"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"socks5://u:geheim@h:1", "https://u:geheim@h:1", "http://u:geheim@ h", "http://"})
    void aProxyOfAnotherKindIsRefusedAndNotRepeated(String proxy) {
        assertThat(shell.withVariable("http_proxy", proxy)
                        .run("clone", "http://pail.invalid", "copy")
                        .refused(Exit.USAGE))
                .contains("http_proxy is http://HOST:PORT")
                .doesNotContain("geheim");
    }

    @Test
    void theVariableThatAHeaderMaySetIsIgnored() {
        assertThat(failure(shell.withVariable("HTTP_PROXY", address()), "http://pail.invalid"))
                .contains("no such host");
        assertThat(seen).isEmpty();
    }

    @Test
    void authoritiesOfAFileAreTrusted() throws Exception {
        HttpsServer secure = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        Path certificate = certify(secure);
        answer(secure, 401, "application/json", "{\"error\":\"no token\",\"code\":\"no-token\"}");
        secure.start();
        try {
            String url = "https://localhost:" + secure.getAddress().getPort();
            assertThat(failure(shell, url))
                    .contains("the certificate of localhost is signed by no authority", "hint: ", "--tls-ca");
            String file = certificate.toString();
            assertThat(failure(shell.withVariable("SSL_CERT_FILE", file), url)).contains("status 401");
            assertThat(shell.withVariable("SSL_CERT_FILE", "none")
                            .run("clone", url, "copy", "--tls-ca", file)
                            .refused(Exit.FAILED))
                    .contains("status 401");
            String other = url.replace("localhost", "127.0.0.1");
            assertThat(failure(shell.withVariable("SSL_CERT_FILE", file), other))
                    .contains("the certificate of 127.0.0.1 does not fit");
            assertThat(failure(shell.withVariable("SSL_CERT_FILE", "none"), url))
                    .contains("cannot read certificates", "none", "no such file", "SSL_CERT_FILE");
            Path empty = Files.writeString(folder.resolve("empty"), "nothing\n");
            assertThat(failure(shell.withVariable("SSL_CERT_FILE", empty.toString()), url))
                    .contains("cannot read certificates");
        } finally {
            secure.stop(0);
        }
    }

    /** Gives a server a certificate for localhost, and returns the file with it. */
    private static Path certify(HttpsServer secure) throws Exception {
        Path store = Files.createTempDirectory("pail").resolve("keys.p12");
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process made = new ProcessBuilder((keytool
                                + " -genkeypair -keyalg EC -alias a -dname CN=localhost -ext san=dns:localhost -validity 9 -storetype PKCS12"
                                + " -storepass password -keystore " + store)
                        .split(" "))
                .redirectErrorStream(true)
                .start();
        made.getInputStream().readAllBytes();
        assertThat(made.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, "password".toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, "password".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        secure.setHttpsConfigurator(new HttpsConfigurator(context));
        return Files.writeString(
                store.resolveSibling("ca.pem"),
                "-----BEGIN CERTIFICATE-----\n"
                        + Base64.getMimeEncoder()
                                .encodeToString(keys.getCertificate("a").getEncoded())
                        + "\n-----END CERTIFICATE-----\n");
    }
}
