package dev.pail.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.RepositoryException;
import dev.pail.server.PailServer;
import dev.pail.server.Served;
import dev.pail.server.ServerLimits;
import dev.pail.server.ServerOptions;
import dev.pail.server.http.TimedRequest;
import dev.pail.unixfs.FileLayout;
import dev.pail.unixfs.UnixFs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server over TLS, with HTTP/2 and HTTP/1.1. The certificates are made by the keytool of the JDK. */
@Timeout(120)
class TlsTest {
    private static final char[] PASSWORD = "password".toCharArray();

    @TempDir
    static Path folder;

    /** A certificate for 127.0.0.1 and localhost, with its key. */
    private static KeyStore made(String algorithm) throws GeneralSecurityException, IOException {
        Path store = folder.resolve(algorithm + ".p12");
        if (!Files.exists(store)) {
            Process keytool = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-genkeypair",
                            "-keyalg",
                            algorithm,
                            "-alias",
                            "server",
                            "-dname",
                            "CN=localhost",
                            "-ext",
                            "san=dns:localhost,ip:127.0.0.1",
                            "-validity",
                            "36500",
                            "-storetype",
                            "PKCS12",
                            "-keystore",
                            store.toString(),
                            "-storepass",
                            new String(PASSWORD))
                    .redirectErrorStream(true)
                    .start();
            String said = new String(keytool.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            assertThat(Files.exists(store)).as(said).isTrue();
        }
        try (InputStream in = Files.newInputStream(store)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, PASSWORD);
            return keys;
        }
    }

    private static String pem(String kind, byte[] bytes) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder().encodeToString(bytes).replace("\r", "") + "\n-----END " + kind + "-----\n";
    }

    private static Path write(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static Path certificate(String algorithm) throws GeneralSecurityException, IOException {
        return write(
                algorithm + "-cert.pem",
                "a comment\n"
                        + pem(
                                "CERTIFICATE",
                                made(algorithm).getCertificate("server").getEncoded()));
    }

    private static Path key(String algorithm) throws GeneralSecurityException, IOException {
        return write(
                algorithm + "-key.pem",
                pem("PRIVATE KEY", made(algorithm).getKey("server", PASSWORD).getEncoded()));
    }

    private static SSLContext trusting(String algorithm) throws GeneralSecurityException, IOException {
        Certificate certificate = made(algorithm).getCertificate("server");
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", certificate);
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    private static Served served(String algorithm, UnaryOperator<ServerOptions> more)
            throws GeneralSecurityException, IOException {
        Path certificate = certificate(algorithm);
        Path key = key(algorithm);
        return new Served(Repository.inMemory(), options -> more.apply(options.withTls(certificate, key)));
    }

    private static HttpClient client(String algorithm, HttpClient.Version version)
            throws GeneralSecurityException, IOException {
        return HttpClient.newBuilder()
                .version(version)
                .sslContext(trusting(algorithm))
                .build();
    }

    private static HttpRequest request(Served served, String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://" + served.host() + path));
        return (headers.length == 0 ? request : request.headers(headers)).build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC"})
    void clientsChooseTheVersion_GW18(String algorithm) throws Exception {
        try (Served served = served(algorithm, options -> options)) {
            Cid milk = served.raw("milk");
            for (HttpClient.Version version : HttpClient.Version.values()) {
                HttpResponse<byte[]> answer = client(algorithm, version)
                        .send(
                                request(served, "/ipfs/" + milk + "?format=raw"),
                                HttpResponse.BodyHandlers.ofByteArray());
                assertThat(answer.version()).isEqualTo(version);
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(Block.verified(milk, answer.body()).size()).isEqualTo(4);
            }
        }
    }

    @Test
    void foreignSendersAreRefused_GW12() throws Exception {
        try (Served served = served("EC", options -> options)) {
            for (HttpClient.Version version : HttpClient.Version.values()) {
                HttpClient client = client("EC", version);
                for (String origin : List.of("http://" + served.host(), "https://evil.example", "null")) {
                    assertThat(client.send(
                                            request(served, "/healthz", "Origin", origin),
                                            HttpResponse.BodyHandlers.discarding())
                                    .statusCode())
                            .as(origin)
                            .isEqualTo(403);
                }
                assertThat(client.send(
                                        request(served, "/healthz", "Origin", "https://" + served.host()),
                                        HttpResponse.BodyHandlers.discarding())
                                .statusCode())
                        .isEqualTo(200);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1", "TLSv1.1"})
    void oldVersionsAreRefused_GW18(String version) throws Exception {
        try (Served served = served("EC", options -> options);
                SSLSocket socket = (SSLSocket) trusting("EC")
                        .getSocketFactory()
                        .createSocket(
                                served.server.address().getAddress(),
                                served.server.address().getPort())) {
            socket.setEnabledProtocols(new String[] {version});
            assertThatExceptionOfType(SSLHandshakeException.class).isThrownBy(socket::startHandshake);
        }
    }

    @Test
    void otherAddressesNeedTokensAndTls_GW12() throws Exception {
        Path tokens = write("tokens", TokensTest.sha256("secret") + " read * ann\n");
        InetSocketAddress all = new InetSocketAddress("0.0.0.0", 0);
        try (Served served = served("EC", options -> options.withTokens(tokens).withAddress(all))) {
            HttpClient client = client("EC", HttpClient.Version.HTTP_2);
            assertThat(client.send(request(served, "/none"), HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(401);
            assertThat(client.send(
                                    request(served, "/none", "Authorization", "Bearer secret"),
                                    HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(404);
        }
        try (Repository repository = Repository.inMemory()) {
            ServerOptions open = PailServer.over(repository).withAddress(all);
            for (ServerOptions half : List.of(open.withTokens(tokens), open.withTls(certificate("EC"), key("EC")))) {
                org.assertj.core.api.Assertions.assertThatIllegalArgumentException()
                        .isThrownBy(half::start)
                        .withMessageContaining("without tokens and TLS");
            }
        }
    }

    /** A response that is not read holds no thread for long: its connection ends. */
    @Test
    void aStreamThatIsNotReadEndsItsConnection_GW13() throws Exception {
        // Long enough for the handshake of a client on a busy machine.
        ServerLimits impatient =
                new ServerLimits(16, Duration.ofSeconds(3), Duration.ofSeconds(10), 64 << 20, Duration.ofHours(1));
        try (Served served = served("EC", options -> options.withLimits(impatient))) {
            HttpClient client = client("EC", HttpClient.Version.HTTP_2);
            // More than the client takes without reading, in small writes: a large one has the time for all of it.
            Cid file = served.file(40 << 20, new FileLayout(TimedRequest.LEAST / 2, 1024));
            HttpResponse<InputStream> unread = client.send(
                    request(served, "/ipfs/" + file + "?format=car"), HttpResponse.BodyHandlers.ofInputStream());
            assertThat(unread.body().read()).isNotNegative();
            assertThat(client.send(request(served, "/healthz"), HttpResponse.BodyHandlers.ofString())
                            .body())
                    .isEqualTo("ok\n");
            while (served.activeRequests() > 0) {
                Thread.onSpinWait();
            }
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> unread.body().transferTo(java.io.OutputStream.nullOutputStream()));
        }
    }

    @Test
    void manyStreamsOnOneConnection_GW18() throws Exception {
        try (Served served = served("EC", options -> options)) {
            HttpClient client = client("EC", HttpClient.Version.HTTP_2);
            Cid file = served.file(1 << 18);
            URI uri = URI.create("https://" + served.host() + "/ipfs/" + file + "?format=car");
            client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding());
            List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                answers.add(
                        client.sendAsync(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofByteArray()));
            }
            for (CompletableFuture<HttpResponse<byte[]>> each : answers) {
                assertThat(Served.cids(each.get())).containsExactly(file);
            }
            assertThat(served.connections()).isEqualTo(1);
        }
    }

    /** A handshake that never comes holds a connection no longer than a header does. */
    @Test
    void aHandshakeThatNeverComesIsEnded_GW13() throws Exception {
        ServerLimits impatient =
                new ServerLimits(16, Duration.ofMillis(300), Duration.ofSeconds(10), 64 << 20, Duration.ofHours(1));
        try (Served served = served("EC", options -> options.withLimits(impatient));
                java.net.Socket socket = new java.net.Socket(
                        served.server.address().getAddress(),
                        served.server.address().getPort())) {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    /** A CAR that fails in the middle ends its stream with an error: GW9 over HTTP/2. */
    @Test
    void aBrokenCarIsNoWholeOne_GW9() throws Exception {
        try (Served served = served("EC", options -> options)) {
            Repository whole = Repository.inMemory();
            byte[] bytes = new byte[3 << 20];
            new Random(1).nextBytes(bytes);
            Cid file = UnixFs.write(whole.blocks(), new ByteArrayInputStream(bytes));
            Cid last = Block.of(Cid.RAW, Arrays.copyOfRange(bytes, 2 << 20, 3 << 20))
                    .cid();
            whole.blocks().require(last);
            for (Cid cid : List.of(
                    file,
                    Block.of(Cid.RAW, Arrays.copyOf(bytes, 1 << 20)).cid(),
                    Block.of(Cid.RAW, Arrays.copyOfRange(bytes, 1 << 20, 2 << 20))
                            .cid())) {
                served.blocks().put(whole.blocks().require(cid));
            }
            HttpClient client = client("EC", HttpClient.Version.HTTP_2);
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> client.send(
                            request(served, "/ipfs/" + file + "?format=car"), HttpResponse.BodyHandlers.ofByteArray()));
        }
    }

    @Test
    void filesThatAreNoneAreRefused_GW18() throws Exception {
        Path certificate = certificate("EC");
        Path key = key("EC");
        refused(new TlsFiles(key, key), "not certificates in PEM");
        refused(new TlsFiles(write("empty", ""), key), "not certificates in PEM");
        refused(
                new TlsFiles(write("odd", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"), key),
                "not certificates in PEM");
        refused(new TlsFiles(certificate, certificate), "not a private key in PEM and PKCS#8");
        refused(new TlsFiles(certificate, key("RSA")), "not the private key of the certificate in");
        refused(new TlsFiles(certificate("RSA"), key), "not the private key of the certificate in");
        String other = Files.readString(key).replaceFirst("PRIVATE KEY", "EC PRIVATE KEY");
        refused(new TlsFiles(certificate, write("sec1", other)), "not a private key in PEM and PKCS#8");
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(() -> new TlsFiles(folder.resolve("none"), key).context());
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        refused(new TlsFiles(certificate, key), "others than its owner may use this file");
    }

    private static void refused(TlsFiles files, String why) {
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(files::context)
                .withMessageContaining(why)
                .satisfies(e -> assertThat(e.code()).isEqualTo("bad-server-file"));
    }
}
