package dev.pail.testkit.remote;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A way to a server of this machine that ends all connections when a number of bytes has passed, in both directions together. Safe for
 * use by several threads.
 *
 * <pre>{@code
 * try (CuttingProxy proxy = new CuttingProxy(port)) {
 *     proxy.cutAfter(1000, () -> {}); // then each connection ends, and new ones are as before
 *     Remote remote = HttpRemote.open("http://127.0.0.1:" + proxy.port(), Optional.empty());
 * }
 * }</pre>
 */
public final class CuttingProxy implements AutoCloseable {
    private static final int BUFFER = 512;

    private final ServerSocket socket;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong left = new AtomicLong(Long.MAX_VALUE);
    private volatile int target;
    private final AtomicInteger cuts = new AtomicInteger();
    private volatile LongSupplier next = () -> Long.MAX_VALUE;
    private volatile Runnable onCut = () -> {};

    /** A proxy for a port of this machine. */
    public CuttingProxy(int target) throws IOException {
        this.target = target;
        this.socket = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    /** The port that clients connect to. */
    public int port() {
        return socket.getLocalPort();
    }

    /** From now on, new connections lead to another port. */
    public void lead(int port) {
        target = port;
    }

    /** Ends all connections after this many further bytes. Runs an action before they end. */
    public void cutAfter(long bytes, Runnable action) {
        onCut = action;
        next = () -> Long.MAX_VALUE;
        left.set(bytes);
    }

    /** Ends all connections each time that as many further bytes have passed as the supplier says. */
    public void cutEach(LongSupplier bytes) {
        onCut = () -> {};
        next = bytes;
        left.set(bytes.getAsLong());
    }

    /** How many times this has ended all connections. */
    public int cuts() {
        return cuts.get();
    }

    /** Lets everything pass. */
    public void heal() {
        next = () -> Long.MAX_VALUE;
        left.set(Long.MAX_VALUE);
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                open.add(client);
                start(() -> connect(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void connect(Socket client) {
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            open.add(server);
            start(() -> copy(server, client));
            copy(client, server);
        } catch (IOException e) {
            end(client);
        }
    }

    private void copy(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                long rest = left.addAndGet(-count);
                if (rest < 0) {
                    out.write(buffer, 0, (int) Math.max(0, count + rest));
                    if (rest + count >= 0) {
                        onCut.run();
                        cuts.incrementAndGet();
                        // Clients first: the server would answer that the request broke off.
                        List<Socket> ended = open.stream()
                                .sorted(Comparator.comparing(each -> each.getLocalPort() != port()))
                                .toList();
                        left.set(next.getAsLong());
                        ended.forEach(CuttingProxy::end);
                    }
                    return;
                }
                out.write(buffer, 0, count);
            }
        } catch (IOException e) {
            // One side has ended the connection: so does the other.
            return;
        } finally {
            end(from);
            end(to);
            open.remove(from);
            open.remove(to);
        }
    }

    private static void end(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It has ended.
            return;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        open.forEach(CuttingProxy::end);
    }
}
