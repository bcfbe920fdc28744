package dev.pail.jdbc;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * A way to a server of PostgreSQL that ends the connection of a client at a commit, so that the client does not know whether it
 * happened. Safe for use by several threads.
 */
public final class CommitProxy implements AutoCloseable {
    private static final int LARGEST_MESSAGE = 1 << 26;
    private static final int RECEIVE_BUFFER = 1 << 16;

    /** What becomes of a commit. */
    public enum Fault {
        NONE,
        /** The server never gets it. */
        NOT_SENT,
        /** The connection ends at once when it is sent. */
        SENT,
        /** The connection ends when the answer comes. */
        ANSWERED,
        /** The client is cut off, and the server gets it when another client waits for a lock, or has looked and given up. */
        LATE
    }

    private final ServerSocket socket;
    private final InetSocketAddress target;
    private final Supplier<Fault> faults;
    private final Supplier<Boolean> isAnyWaiting;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Map<Fault, AtomicLong> done = new EnumMap<>(Fault.class);
    private final AtomicLong rollbacks = new AtomicLong();
    private final Semaphore answers = new Semaphore(1);

    /**
     * @param faults gives what becomes of the next commit
     * @param isAnyWaiting whether a session of the server waits for a lock
     */
    public CommitProxy(InetSocketAddress target, Supplier<Fault> faults, Supplier<Boolean> isAnyWaiting)
            throws IOException {
        this.target = target;
        this.faults = faults;
        this.isAnyWaiting = isAnyWaiting;
        for (Fault each : Fault.values()) {
            done.put(each, new AtomicLong());
        }
        this.socket = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        Thread unused = start(this::accept);
    }

    private static Thread start(Runnable task) {
        Thread thread = new Thread(task, "proxy of commits");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    public int port() {
        return socket.getLocalPort();
    }

    /** How often something became of a commit. */
    public long done(Fault fault) {
        return done.get(fault).get();
    }

    /** From now on, no answer passes, and the server finds that it cannot send more. */
    public void stall() {
        answers.acquireUninterruptibly();
    }

    /** Lets answers pass again. */
    public void goOn() {
        answers.release();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                open.add(client);
                Thread unused = start(() -> serve(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket server = new Socket()) {
            open.add(server);
            // The server soon notices that nothing is read.
            server.setReceiveBufferSize(RECEIVE_BUFFER);
            server.connect(target);
            server.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            Way way = new Way(client, server);
            Thread back = start(way::back);
            try {
                way.run();
            } catch (IOException e) {
                // The client has ended the connection: so does the proxy.
                end(client);
            }
            // The server gets all that was sent, and then ends.
            server.shutdownOutput();
            back.join();
            open.remove(server);
        } catch (IOException | InterruptedException e) {
            // The server has ended the connection: so does the proxy.
            return;
        } finally {
            open.remove(client);
        }
    }

    /** One connection. */
    private final class Way {
        private final Socket client;
        private final Socket server;
        private final DataInputStream in;
        private final OutputStream out;
        private final Map<String, String> statements = new HashMap<>();
        private volatile boolean isCutAtAnswer;

        Way(Socket client, Socket server) throws IOException {
            this.client = client;
            this.server = server;
            this.in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
            this.out = server.getOutputStream();
        }

        void run() throws IOException {
            byte[] hello = new byte[in.readInt() - 4];
            in.readFully(hello);
            ByteArrayOutputStream request = new ByteArrayOutputStream();
            number(request, hello.length + 4);
            request.write(hello);
            out.write(request.toByteArray());
            request.reset();
            Fault fault = Fault.NONE;
            while (true) {
                int type;
                try {
                    type = in.readUnsignedByte();
                } catch (EOFException e) {
                    return;
                }
                int length = in.readInt();
                if (length < 4 || length > LARGEST_MESSAGE) {
                    throw new IOException("a message of " + length + " bytes");
                }
                byte[] body = new byte[length - 4];
                in.readFully(body);
                request.write(type);
                number(request, length);
                request.write(body);
                String sql = sql(type, body);
                if (sql.equals("COMMIT")) {
                    fault = faults.get();
                    done.get(fault).incrementAndGet();
                } else if (sql.equals("ROLLBACK")) {
                    rollbacks.incrementAndGet();
                }
                if (type == 'S' || type == 'Q' || type == 'X') {
                    if (!sent(request.toByteArray(), fault)) {
                        return;
                    }
                    request.reset();
                    fault = Fault.NONE;
                }
            }
        }

        /** What a message runs; nothing, if it runs nothing. */
        private String sql(int type, byte[] body) {
            if (type == 'Q') {
                return text(body, 0).toUpperCase(Locale.ROOT);
            }
            if (type == 'P') {
                String name = text(body, 0);
                statements.put(name, text(body, name.length() + 1).toUpperCase(Locale.ROOT));
            }
            if (type == 'B') {
                int name = text(body, 0).length() + 1;
                return statements.getOrDefault(text(body, name), "");
            }
            return "";
        }

        private String text(byte[] body, int at) {
            int end = at;
            while (body[end] != 0) {
                end++;
            }
            return new String(body, at, end - at, StandardCharsets.ISO_8859_1);
        }

        private void number(ByteArrayOutputStream to, int value) {
            for (int shift = 24; shift >= 0; shift -= 8) {
                to.write(value >> shift);
            }
        }

        /** Sends a request on, and returns whether there may be another one. */
        private boolean sent(byte[] request, Fault fault) throws IOException {
            switch (fault) {
                case NONE -> {
                    out.write(request);
                    return true;
                }
                case ANSWERED -> {
                    isCutAtAnswer = true;
                    out.write(request);
                    // Until the answer comes.
                    int unused = in.read();
                }
                case SENT -> {
                    end(client);
                    out.write(request);
                }
                case LATE -> {
                    long before = rollbacks.get();
                    end(client);
                    while (rollbacks.get() == before && !isAnyWaiting.get() && !socket.isClosed()) {
                        Thread.onSpinWait();
                    }
                    out.write(request);
                }
                case NOT_SENT -> end(client);
            }
            return false;
        }

        /** Sends the answers on; when the client has gone, they come to nothing. */
        void back() {
            byte[] buffer = new byte[8192];
            try {
                InputStream from = server.getInputStream();
                for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
                    answers.acquireUninterruptibly();
                    answers.release();
                    if (isCutAtAnswer) {
                        end(client);
                    } else if (!client.isClosed()) {
                        write(buffer, count);
                    }
                }
            } catch (IOException e) {
                // The server has ended the connection.
                return;
            } finally {
                end(client);
            }
        }

        private void write(byte[] buffer, int count) {
            try {
                client.getOutputStream().write(buffer, 0, count);
            } catch (IOException e) {
                end(client);
            }
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
        open.forEach(CommitProxy::end);
    }
}
