package dev.pail.server;

import dev.pail.StoreIOException;
import dev.pail.remote.Quarantine;
import dev.pail.repository.Repository;
import dev.pail.repository.RepositoryServer;
import dev.pail.server.access.AccessLog;
import dev.pail.server.access.Deadlines;
import dev.pail.server.access.Entrance;
import dev.pail.server.access.Metrics;
import dev.pail.server.access.Places;
import dev.pail.server.access.Quotas;
import dev.pail.server.access.TlsFiles;
import dev.pail.server.access.Tokens;
import dev.pail.server.access.WriteHealth;
import dev.pail.server.api.Api;
import dev.pail.server.gateway.Gateway;
import dev.pail.server.http.Endpoint;
import dev.pail.server.http.ErrorReply;
import dev.pail.server.http.ForeignPages;
import dev.pail.server.http.MemoryBudget;
import dev.pail.server.http.Paths;
import dev.pail.server.page.Explorer;
import dev.pail.server.sync.SyncEndpoint;
import dev.pail.server.sync.WatchEndpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * A running HTTP server over a repository. It serves {@code /ipfs/CID}, the trustless gateway; {@code /v1}, the JSON API;
 * {@code /healthz}; and at {@code /} a page that shows the repository in a browser.
 *
 * <p>Safe for use by several threads.
 *
 * <pre>{@code
 * try (PailServer server = PailServer.over(repository).start()) {
 *     System.out.println("http:/" + server.address() + "/ipfs/" + repository.root("main") + "?format=car&dag-scope=block");
 *     System.in.read(); // until a line is entered
 * }
 * }</pre>
 */
public final class PailServer implements RepositoryServer.Running {
    /** Also what the system buffers of a response: less makes each block wait for the client. */
    private static final int SEND_BUFFER = 256 << 10;

    private static final int HEADER = 16 << 10;

    /** A CID is in five fields of a response. */
    private static final int RESPONSE_HEADER = 64 << 10;

    /** The most requests at once on a connection of HTTP/2. */
    private static final int STREAMS = 64;

    /** How many connections the system lets wait beyond the limit. It drops others, which try again. */
    private static final int WAITING = 4096;

    /** Threads that serve no connection: of the acceptor, the selectors, and one to spare. */
    private static final int OTHER_THREADS = 8;

    /** How many times the beat of a watcher a response to it takes. */
    private static final int LIFE = 3;

    private static final long LEAST_BODIES = 25L << 20;
    private static final long LEAST_RESPONSES = 16L << 20;

    private final Server server;
    private final ServerConnector connector;
    private final Deadlines deadlines;
    private final WatchEndpoint watch;
    private final Quarantine quarantine;
    private final InetSocketAddress address;

    private PailServer(
            Server server,
            ServerConnector connector,
            Deadlines deadlines,
            WatchEndpoint watch,
            Quarantine quarantine,
            InetSocketAddress address) {
        this.server = server;
        this.connector = connector;
        this.deadlines = deadlines;
        this.watch = watch;
        this.quarantine = quarantine;
        this.address = address;
    }

    /** The options of a server over a repository, which stays the caller's. */
    public static ServerOptions over(Repository repository) {
        return ServerOptions.over(Objects.requireNonNull(repository, "repository"));
    }

    /** Jetty looks for its parts for HTTP/2 with the class loader of the thread, which need not see them. */
    static PailServer start(ServerOptions options) {
        return start(options, System::nanoTime);
    }

    /** @param nanos the clock of watchers */
    static PailServer start(ServerOptions options, LongSupplier nanos) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(PailServer.class.getClassLoader());
        try {
            return startWithOwnLoader(options, nanos);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static PailServer startWithOwnLoader(ServerOptions options, LongSupplier nanos) {
        ServerLimits limits = options.limits();
        Path file = options.tokens();
        Tokens tokens = file == null ? null : Tokens.of(file);
        // A response may hold a thread for as long as its client reads.
        QueuedThreadPool threads = new QueuedThreadPool(Deadlines.most(limits.connections()) + OTHER_THREADS);
        threads.setName("pail-server");
        threads.setDaemon(true);
        Server server = new Server(threads);
        Deadlines deadlines = new Deadlines(
                limits.connections(),
                limits.patience(),
                limits.requestTime(),
                server.getScheduler(),
                threads,
                request -> tokens == null ? Places.senderOf(request) : tokens.senderOf(request));
        ServerConnector connector = connector(server, options, deadlines);
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(Deadlines.most(limits.connections()), server));
        server.setStopTimeout(limits.stopTime().toMillis());
        server.setErrorHandler(new ErrorReply());
        Duration beat = limits.patience().dividedBy(2);
        WatchEndpoint watch = new WatchEndpoint(options.repository(), beat, beat.multipliedBy(LIFE), nanos);
        Metrics metrics = new Metrics();
        metrics.show(
                "pail.server.connections",
                "Open connections",
                () -> connector.getConnectedEndPoints().size());
        metrics.show("pail.server.watchers", "Requests that follow a branch", watch::watchers);
        metrics.show("pail.server.requests.active", "Requests that are being answered", deadlines::activeRequests);
        Entrance.Budgets budgets = budgets(Runtime.getRuntime().maxMemory());
        WriteHealth health = new WriteHealth(options.repository().blocks(), System::nanoTime);
        metrics.show(
                "pail.server.memory.bodies", "Bytes that are reserved for bodies of requests", budgets.bodies()::taken);
        metrics.show(
                "pail.server.memory.responses",
                "Bytes that are reserved for blocks that are sent",
                budgets.responses()::taken);
        metrics.show(
                "pail.server.writes.failed", "Writes that failed because of the disk or the heap", health::failures);
        metrics.show(
                "pail.server.writes.failing", "1 if the last write failed, else 0", () -> health.isFailing() ? 1 : 0);
        Quarantine quarantine = Quarantine.of(options.repository(), Clock.systemUTC());
        server.setRequestLog(new RequestLog.Collection(metrics, new AccessLog(options.log())));
        server.setHandler(new GracefulHandler(deadlines.around(new Entrance(
                endpoints(options, metrics, watch, health, quarantine),
                tokens,
                options.access(),
                new ForeignPages(options.gateway(), tokens != null),
                options.repository().refs().location(),
                budgets,
                health))));
        try {
            server.start();
            deadlines.begin();
        } catch (IOException e) {
            stop(server);
            throw new StoreIOException("cannot listen", text(options.address()), e);
        } catch (Exception e) {
            stop(server);
            throw new IllegalStateException("the HTTP server does not start", e);
        }
        InetSocketAddress address = new InetSocketAddress(options.address().getAddress(), connector.getLocalPort());
        return new PailServer(server, connector, deadlines, watch, quarantine, address);
    }

    private static Map<String, Endpoint> endpoints(
            ServerOptions options, Metrics metrics, WatchEndpoint watch, WriteHealth health, Quarantine quarantine) {
        Map<String, Endpoint> endpoints = new LinkedHashMap<>();
        new Explorer().addTo(endpoints);
        endpoints.put(Paths.GATEWAY, new Gateway(options.repository().blocks()));
        endpoints.put(Paths.HEALTH, Entrance.answeringHealth(health));
        endpoints.put(Metrics.PATH, metrics);
        endpoints.put(WatchEndpoint.PATH, watch);
        Quotas quotas = Quotas.of(options.repository());
        new SyncEndpoint(options.repository(), options.limits().body(), quotas, quarantine).addTo(endpoints);
        endpoints.putAll(
                Api.endpoints(options.repository(), options.limits().body(), options.tokens() != null, quotas));
        return endpoints;
    }

    /** Each budget has room for one request with a block of the largest size. */
    private static Entrance.Budgets budgets(long heap) {
        return new Entrance.Budgets(
                new MemoryBudget(Math.max(LEAST_BODIES, heap * 3 / 8)),
                new MemoryBudget(Math.max(LEAST_RESPONSES, heap / 4)));
    }

    private static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    private static void stop(Server server) {
        try {
            server.stop();
        } catch (TimeoutException e) {
            // The responses that took too long have been ended.
            return;
        } catch (Exception e) {
            throw new IllegalStateException("the HTTP server does not stop", e);
        }
    }

    private static ServerConnector connector(Server server, ServerOptions options, Deadlines deadlines) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(HEADER);
        http.setResponseHeaderSize(RESPONSE_HEADER);
        http.setMaxResponseHeaderSize(RESPONSE_HEADER);
        // No leniency by which a proxy in front could see other requests than the server does. Rule GW20.
        http.setHttpCompliance(HttpCompliance.STRICT);
        // Nothing here opens a file by a path. Which paths name something, the gateway decides.
        http.setUriCompliance(UriCompliance.UNSAFE);
        TlsFiles tls = options.tls();
        ServerConnector connector = tls == null
                ? new ServerConnector(server, 1, 1, new HttpConnectionFactory(http))
                : new ServerConnector(server, 1, 1, secure(http, tls));
        connector.setHost(options.address().getAddress().getHostAddress());
        connector.setPort(options.address().getPort());
        connector.setAcceptQueueSize(WAITING);
        connector.setAcceptedSendBufferSize(SEND_BUFFER);
        // The deadlines are shorter, and tell a slow client from a slow disk.
        connector.setIdleTimeout(options.limits().requestTime().toMillis());
        connector.setShutdownIdleTimeout(options.limits().stopTime().toMillis());
        connector.addBean(deadlines);
        return connector;
    }

    /** TLS, then HTTP/2 or HTTP/1.1, as the client chooses in the handshake. */
    private static ConnectionFactory[] secure(HttpConfiguration http, TlsFiles tls) {
        // A proxy or an address in the place of the host is none of the names in the certificate: the client checks
        // that.
        http.addCustomizer(new SecureRequestCustomizer(false));
        HttpConnectionFactory http1 = new HttpConnectionFactory(http);
        HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(http);
        http2.setMaxConcurrentStreams(STREAMS);
        ALPNServerConnectionFactory choice = new ALPNServerConnectionFactory();
        choice.setDefaultProtocol(http1.getProtocol());
        return new ConnectionFactory[] {
            new SslConnectionFactory(tls.context(), choice.getProtocol()), choice, http2, http1
        };
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    /** How many requests are being answered, for tests. */
    int activeRequests() {
        return deadlines.activeRequests();
    }

    /** How many connections are open, for tests. */
    int connections() {
        return connector.getConnectedEndPoints().size();
    }

    /**
     * Stops the server: it takes no more requests, and waits for responses that have begun as long as {@link ServerLimits#stopTime} says.
     * Then it ends what is left. May be called twice.
     */
    @Override
    public void close() {
        connector.close();
        watch.close();
        deadlines.end();
        stop(server);
        quarantine.close();
    }
}
