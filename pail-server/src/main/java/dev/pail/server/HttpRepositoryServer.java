package dev.pail.server;

import dev.pail.repository.Repository;
import dev.pail.repository.RepositoryServer;
import java.net.InetSocketAddress;

/**
 * {@link PailServer} with the usual limits, for programs that look for a {@link RepositoryServer}.
 *
 * <pre>{@code
 * var address = new java.net.InetSocketAddress("127.0.0.1", 8080);
 * RepositoryServer.Running running = new HttpRepositoryServer().start(repository, address);
 * }</pre>
 */
public final class HttpRepositoryServer implements RepositoryServer {
    /** For {@link java.util.ServiceLoader}. */
    public HttpRepositoryServer() {}

    @Override
    public Running start(Repository repository, InetSocketAddress address) {
        PailServer server = PailServer.over(repository).withAddress(address).start();
        return new Running() {
            @Override
            public InetSocketAddress address() {
                return server.address();
            }

            @Override
            public void close() {
                server.close();
            }
        };
    }
}
