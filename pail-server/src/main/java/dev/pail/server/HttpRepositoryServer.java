package dev.pail.server;

import dev.pail.repository.Repository;
import dev.pail.repository.RepositoryServer;
import java.net.InetSocketAddress;

/** {@link PailServer} for programs that look for a {@link RepositoryServer}. */
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
