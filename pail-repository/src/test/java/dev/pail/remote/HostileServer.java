package dev.pail.remote;

import dev.pail.car.CarWriter;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that answers each request as a test wants, byte by byte. One request a connection. */
final class HostileServer implements AutoCloseable {
    /** Answers a request. */
    interface Handler {
        /** Answers a request, of which it gets the method and the path. */
        void answer(String request, OutputStream out) throws IOException, InterruptedException;
    }

    private final ServerSocket socket;
    private final Handler handler;
    private final AtomicInteger requests = new AtomicInteger();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    HostileServer(Handler handler) throws IOException {
        this.handler = handler;
        this.socket = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "hostile");
        thread.setDaemon(true);
        thread.start();
    }

    HttpRemote remote() {
        return HttpRemote.open("http://127.0.0.1:" + socket.getLocalPort(), Optional.empty());
    }

    int requests() {
        return requests.get();
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static void head(OutputStream out, int status, String... headers) throws IOException {
        out.write(ascii("HTTP/1.1 " + status + " X\r\nConnection: close\r\n"));
        for (String header : headers) {
            out.write(ascii(header + "\r\n"));
        }
        out.write(ascii("\r\n"));
    }

    static void chunk(OutputStream out, byte[] bytes) throws IOException {
        out.write(ascii(Integer.toHexString(bytes.length) + "\r\n"));
        out.write(bytes);
        out.write(ascii("\r\n"));
        out.flush();
    }

    static void json(OutputStream out, int status, String text) throws IOException {
        head(out, status, "Content-Type: application/json", "Content-Length: " + text.length());
        out.write(ascii(text));
    }

    static byte[] car(List<Cid> roots, Block... blocks) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CarWriter writer = CarWriter.of(bytes, "test", roots);
        for (Block block : blocks) {
            writer.write(block);
        }
        writer.flush();
        return bytes.toByteArray();
    }

    /** The section of a block in a CAR. */
    static byte[] section(Block block) {
        byte[] header = car(List.of());
        byte[] all = car(List.of(), block);
        return java.util.Arrays.copyOfRange(all, header.length, all.length);
    }

    /** A section with an identity CID of these bytes, fewer than 120. */
    static byte[] identity(byte[] bytes) {
        ByteArrayOutputStream section = new ByteArrayOutputStream();
        section.write(4 + bytes.length);
        section.writeBytes(new byte[] {1, (byte) Cid.RAW, 0, (byte) bytes.length});
        section.writeBytes(bytes);
        return section.toByteArray();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                open.add(client);
                start(() -> serve(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            InputStream in = client.getInputStream();
            ByteArrayOutputStream header = new ByteArrayOutputStream();
            while (!header.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
                int read = in.read();
                if (read < 0) {
                    return;
                }
                header.write(read);
            }
            String text = header.toString(StandardCharsets.US_ASCII);
            int length = text.toLowerCase(Locale.ROOT)
                    .lines()
                    .filter(line -> line.startsWith("content-length:"))
                    .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
                    .findFirst()
                    .orElse(0);
            in.skipNBytes(length);
            requests.incrementAndGet();
            handler.answer(text.lines().findFirst().orElse(""), client.getOutputStream());
            client.getOutputStream().flush();
        } catch (IOException e) {
            // The client has ended the connection.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket each : open) {
            each.close();
        }
    }
}
