package dev.pail.server;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.StoreIOException;
import dev.pail.repository.Repository;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;

/**
 * How a {@link PailServer} will run. {@link PailServer#over} gives the usual: a free port of 127.0.0.1, {@link ServerLimits#DEFAULT}.
 *
 * <p>Immutable.
 *
 * <pre>{@code
 * var address = new java.net.InetSocketAddress("127.0.0.1", 8080);
 * PailServer server = PailServer.over(repository).withAddress(address).start();
 * }</pre>
 */
public final class ServerOptions {
    private final Repository repository;
    private final InetSocketAddress address;
    private final ServerLimits limits;

    private ServerOptions(Repository repository, InetSocketAddress address, ServerLimits limits) {
        this.repository = repository;
        this.address = address;
        this.limits = limits;
    }

    static ServerOptions over(Repository repository) {
        InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return new ServerOptions(repository, free, ServerLimits.DEFAULT);
    }

    /**
     * With the address to listen on. Port 0 is a free port, which {@link PailServer#address} names.
     *
     * @throws IllegalArgumentException unless it is an address of this machine alone: a server has no passwords. Rule GW12
     */
    @CheckReturnValue
    public ServerOptions withAddress(InetSocketAddress other) {
        Objects.requireNonNull(other, "other");
        if (other.getAddress() == null || !other.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException(
                    "a server without passwords listens on 127.0.0.1 or [::1] only, not on " + other.getHostString());
        }
        return new ServerOptions(repository, other, limits);
    }

    /** With other limits. */
    @CheckReturnValue
    public ServerOptions withLimits(ServerLimits other) {
        return new ServerOptions(repository, address, Objects.requireNonNull(other, "other"));
    }

    /**
     * Starts a server. The caller closes it, and the repository after it.
     *
     * @throws StoreIOException if the address is in use, or not one of this machine
     */
    public PailServer start() {
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
}
