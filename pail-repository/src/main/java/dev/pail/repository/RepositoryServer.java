package dev.pail.repository;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.StoreIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * A server of a repository for other programs over a network. An optional module implements it: {@link java.util.ServiceLoader} finds
 * the one of {@code pail-server}.
 *
 * <pre>{@code
 * for (RepositoryServer server : ServiceLoader.load(RepositoryServer.class)) {
 *     try (RepositoryServer.Running running = server.over(repository).start()) {
 *         System.out.println(running.address());
 *     }
 * }
 * }</pre>
 */
public interface RepositoryServer {
    /** Returns the options of a server over a repository, which the caller closes. */
    Options over(Repository repository);

    /** The options of a server. By default it listens on a free port of 127.0.0.1, without tokens and TLS. Immutable. */
    interface Options {
        /**
         * With the address to listen on. Port 0 is a free port, which {@link Running#address} names.
         *
         * @throws IllegalArgumentException if the address is the unresolved name of a host
         */
        @CheckReturnValue
        Options withAddress(InetSocketAddress address);

        /** With a file of tokens: then each request needs one of them. The server reads the file again when it has changed. */
        @CheckReturnValue
        Options withTokens(Path file);

        /**
         * With TLS.
         *
         * @param certificates a PEM file with the certificates, that of the server first
         * @param key a PEM file with its private key in PKCS#8; only the owner of the file may read it
         */
        @CheckReturnValue
        Options withTls(Path certificates, Path key);

        /** With an action that gets a line for each request. Several threads may call it at once; it must not throw. */
        @CheckReturnValue
        Options withAccessLog(Consumer<String> lines);

        /** Refuses all writes, even if the caller has the right to write. */
        @CheckReturnValue
        Options readOnly();

        /**
         * Refuses all writes, as {@link #readOnly} does, with a sentence that names where to write instead.
         *
         * @param origin the repository that this one is a copy of, for clients
         */
        @CheckReturnValue
        default Options mirrorOf(String origin) {
            Objects.requireNonNull(origin, "origin");
            return readOnly();
        }

        /** Lets pages of all origins read blocks and CARs in a browser. By default, pages of the server alone may. */
        @CheckReturnValue
        Options withOpenGateway();

        /**
         * Starts a server. The caller closes it, and the repository after it.
         *
         * @throws IllegalArgumentException if the address is not one of this machine alone, and there are no tokens or no TLS
         * @throws dev.pail.repository.model.RepositoryException if the file of tokens, a certificate or the private key cannot be used
         * @throws StoreIOException if a file cannot be read, or the address is in use or not one of this machine
         */
        Running start();
    }

    /** A server that runs until it is closed. */
    interface Running extends AutoCloseable {
        /** Returns the address that it listens on. */
        InetSocketAddress address();

        /** Stops the server after the responses that have begun, as far as its limits allow. May be called twice. */
        @Override
        void close();
    }
}
