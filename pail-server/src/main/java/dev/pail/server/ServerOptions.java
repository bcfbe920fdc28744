package dev.pail.server;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.repository.Repository;
import dev.pail.repository.RepositoryServer;
import dev.pail.server.access.Entrance;
import dev.pail.server.access.TlsFiles;
import dev.pail.server.http.ForeignPages;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link PailServer} will run. {@link PailServer#over} gives the usual: a free port of 127.0.0.1, {@link ServerLimits#DEFAULT},
 * neither tokens nor TLS.
 *
 * <p>Immutable.
 *
 * <pre>{@code
 * var address = new java.net.InetSocketAddress("127.0.0.1", 8080);
 * PailServer server = PailServer.over(repository).withAddress(address).readOnly().start();
 * }</pre>
 */
public final class ServerOptions implements RepositoryServer.Options {
    private final Repository repository;
    private final InetSocketAddress address;
    private final ServerLimits limits;
    private final Entrance.Access access;
    private final ForeignPages.Gateway gateway;
    private final @Nullable Path tokens;
    private final @Nullable TlsFiles tls;
    private final Consumer<String> log;

    private ServerOptions(
            Repository repository,
            InetSocketAddress address,
            ServerLimits limits,
            Entrance.Access access,
            ForeignPages.Gateway gateway,
            @Nullable Path tokens,
            @Nullable TlsFiles tls,
            Consumer<String> log) {
        this.repository = repository;
        this.address = address;
        this.limits = limits;
        this.access = access;
        this.gateway = gateway;
        this.tokens = tokens;
        this.tls = tls;
        this.log = log;
    }

    static ServerOptions over(Repository repository) {
        InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return new ServerOptions(
                repository,
                free,
                ServerLimits.DEFAULT,
                Entrance.Access.WRITE,
                ForeignPages.Gateway.OWN,
                null,
                null,
                line -> {});
    }

    @CheckReturnValue
    @Override
    public ServerOptions withAddress(InetSocketAddress other) {
        Objects.requireNonNull(other, "other");
        if (other.isUnresolved()) {
            throw new IllegalArgumentException("a server listens on an address, not on a name: " + other);
        }
        return new ServerOptions(repository, other, limits, access, gateway, tokens, tls, log);
    }

    /** With other limits. */
    @CheckReturnValue
    public ServerOptions withLimits(ServerLimits other) {
        return new ServerOptions(
                repository, address, Objects.requireNonNull(other, "other"), access, gateway, tokens, tls, log);
    }

    /**
     * With a file of tokens: then each request but those of {@code /healthz} and of the page at {@code /} needs one of them. A line is {@code SHA256 RIGHT BRANCHES NAME}:
     * the SHA-256 of the token in hexadecimal; {@code read}, {@code write} or {@code force}; a pattern of the branches that it may update;
     * and a name for logs. A token that may read reads the whole repository. {@link #start} reads the file, and the server again when it
     * has changed.
     */
    @CheckReturnValue
    @Override
    public ServerOptions withTokens(Path file) {
        return new ServerOptions(
                repository, address, limits, access, gateway, Objects.requireNonNull(file, "file"), tls, log);
    }

    @CheckReturnValue
    @Override
    public ServerOptions readOnly() {
        return new ServerOptions(repository, address, limits, Entrance.Access.READ, gateway, tokens, tls, log);
    }

    @CheckReturnValue
    @Override
    public ServerOptions mirrorOf(String origin) {
        Objects.requireNonNull(origin, "origin");
        return new ServerOptions(
                repository, address, limits, Entrance.Access.mirrorOf(origin), gateway, tokens, tls, log);
    }

    /**
     * With a gateway that pages of all origins read, as that of IPFS: {@code /ipfs/} only, and nothing else. Without this, a browser gives
     * nothing of the server to pages of other origins. Without tokens, each page that a browser of this machine shows can then read each
     * block whose CID it knows.
     */
    @CheckReturnValue
    @Override
    public ServerOptions withOpenGateway() {
        return new ServerOptions(repository, address, limits, access, ForeignPages.Gateway.ALL, tokens, tls, log);
    }

    /**
     * With TLS 1.2 and 1.3, and HTTP/2 for clients that speak it. Both files are PEM; {@link #start} reads them.
     *
     * @param certificates the certificate of the server, and behind it those that lead to one that clients trust
     * @param key its private key: of RSA or of an elliptic curve, in PKCS#8, without a password
     */
    @CheckReturnValue
    @Override
    public ServerOptions withTls(Path certificates, Path key) {
        Objects.requireNonNull(certificates, "certificates");
        Objects.requireNonNull(key, "key");
        return new ServerOptions(
                repository, address, limits, access, gateway, tokens, new TlsFiles(certificates, key), log);
    }

    /**
     * With a log of requests: the action gets a line for each, when its response has ended. A line has the time, the name of the token, the
     * method, the path, the status, the bytes of the body and the milliseconds, with spaces between, and if the server itself failed, why.
     * No line has a token or a hidden character. Threads of the server call the action, several at once: it must not throw or wait.
     */
    @CheckReturnValue
    @Override
    public ServerOptions withAccessLog(Consumer<String> lines) {
        Objects.requireNonNull(lines, "lines");
        return new ServerOptions(repository, address, limits, access, gateway, tokens, tls, lines);
    }

    @Override
    public PailServer start() {
        // Anyone may reach other addresses, and read a token on its way there if there is no TLS.
        if (!address.getAddress().isLoopbackAddress() && (tokens == null || tls == null)) {
            throw new IllegalArgumentException(
                    "a server without tokens and TLS listens on 127.0.0.1 or [::1] only, not on "
                            + address.getAddress().getHostAddress());
        }
        return PailServer.start(this);
    }

    Repository repository() {
        return repository;
    }

    InetSocketAddress address() {
        return address;
    }

    ServerLimits limits() {
        return limits;
    }

    Entrance.Access access() {
        return access;
    }

    /** Which origins read the gateway. */
    ForeignPages.Gateway gateway() {
        return gateway;
    }

    /** The file of tokens; null if no request needs one. */
    @Nullable
    Path tokens() {
        return tokens;
    }

    /** The certificate and its key; null for plain HTTP. */
    @Nullable
    TlsFiles tls() {
        return tls;
    }

    Consumer<String> log() {
        return log;
    }
}
