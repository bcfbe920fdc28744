package dev.pail.server;

import dev.pail.repository.Repository;
import dev.pail.repository.RepositoryServer;

/**
 * {@link PailServer}, for programs that look for a {@link RepositoryServer}.
 *
 * <pre>{@code
 * RepositoryServer.Running running = new HttpRepositoryServer().over(repository).start();
 * }</pre>
 */
public final class HttpRepositoryServer implements RepositoryServer {
    /** For {@link java.util.ServiceLoader}. */
    public HttpRepositoryServer() {}

    @Override
    public ServerOptions over(Repository repository) {
        return PailServer.over(repository);
    }
}
