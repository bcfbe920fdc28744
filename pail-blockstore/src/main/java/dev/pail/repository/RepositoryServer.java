package dev.pail.repository;

import dev.pail.StoreIOException;
import java.net.InetSocketAddress;

/**
 * Serves a repository to other programs over a network. A module that a program can do without has the implementation: {@link
 * java.util.ServiceLoader} finds the one of {@code pail-server}.
 *
 * <pre>{@code
 * for (RepositoryServer server : ServiceLoader.load(RepositoryServer.class)) {
 *     try (RepositoryServer.Running running = server.start(repository, new java.net.InetSocketAddress("127.0.0.1", 0))) {
 *         System.out.println(running.address());
 *     }
 * }
 * }</pre>
 */
public interface RepositoryServer {
    /**
     * Starts a server with the usual limits. The caller closes it, and the repository after it.
     *
     * @param address to listen on; port 0 is a free port
     * @throws IllegalArgumentException unless it is an address of this machine alone
     * @throws StoreIOException if it is in use, or not one of this machine
     */
    Running start(Repository repository, InetSocketAddress address);

    /** A server that runs until it is closed. */
    interface Running extends AutoCloseable {
        /** The address that it listens on. */
        InetSocketAddress address();

        /** Stops the server after the responses that have begun, as far as its limits allow. May be called twice. */
        @Override
        void close();
    }
}
