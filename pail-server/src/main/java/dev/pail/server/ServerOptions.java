package dev.pail.server;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.repository.Repository;
import dev.pail.repository.RepositoryServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Objects;
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
    /** What callers may do at most. */
    enum Access {
        READ,
        WRITE
    }

    private final Repository repository;
    private final InetSocketAddress address;
    private final ServerLimits limits;
    private final Access access;
    private final @Nullable Path tokens;

    private ServerOptions(
            Repository repository,
            InetSocketAddress address,
            ServerLimits limits,
            Access access,
            @Nullable Path tokens) {
        this.repository = repository;
        this.address = address;
        this.limits = limits;
        this.access = access;
        this.tokens = tokens;
    }

    static ServerOptions over(Repository repository) {
        InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return new ServerOptions(repository, free, ServerLimits.DEFAULT, Access.WRITE, null);
    }

    @CheckReturnValue
    @Override
    public ServerOptions withAddress(InetSocketAddress other) {
        Objects.requireNonNull(other, "other");
        if (other.isUnresolved()) {
            throw new IllegalArgumentException("a server listens on an address, not on a name: " + other);
        }
        return new ServerOptions(repository, other, limits, access, tokens);
    }

    /** With other limits. */
    @CheckReturnValue
    public ServerOptions withLimits(ServerLimits other) {
        return new ServerOptions(repository, address, Objects.requireNonNull(other, "other"), access, tokens);
    }

    /**
     * With a file of tokens: then each request but that of {@code /healthz} needs one of them. A line is {@code SHA256 RIGHT BRANCHES NAME}:
     * the SHA-256 of the token in hexadecimal; {@code read}, {@code write} or {@code force}; a pattern of the branches that it may update;
     * and a name for logs. A token that may read reads the whole repository. {@link #start} reads the file, and the server again when it
     * has changed.
     */
    @CheckReturnValue
    @Override
    public ServerOptions withTokens(Path file) {
        return new ServerOptions(repository, address, limits, access, Objects.requireNonNull(file, "file"));
    }

    @CheckReturnValue
    @Override
    public ServerOptions readOnly() {
        return new ServerOptions(repository, address, limits, Access.READ, tokens);
    }

    @Override
    public PailServer start() {
        // Who can reach other addresses is unknown, and a token that is sent there in clear text can be copied.
        if (!address.getAddress().isLoopbackAddress()) {
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

    Access access() {
        return access;
    }

    /** The file of tokens; null if no request needs one. */
    @Nullable
    Path tokens() {
        return tokens;
    }
}
