package dev.pail.cli;

import dev.pail.StoreIOException;
import dev.pail.car.CarWriter;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.Delta;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Clients that mean a server harm, all at once, with tokens for {@code feature/*} alone. A process of its own: it runs until it is killed.
 */
final class Attackers {
    private static final int MIB = 1 << 20;

    private final InetSocketAddress server;
    private final Map<String, AtomicInteger> answers = new ConcurrentHashMap<>();

    private Attackers(int port) {
        this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** The tokens: each kind of large request has one, so that none is behind another in a queue of one token. */
    static final List<String> TOKENS = List.of("uploads", "huge-pushes", "tiny-blocks", "bombs", "others");

    /** Gives the port of the server. Each line that comes in is answered by how many answers of each kind there were. */
    public static void main(String[] arguments) throws IOException {
        Attackers attackers = new Attackers(Integer.parseInt(arguments[0]));
        attackers.begin();
        while (System.in.read() >= 0) {
            System.out.println(new TreeMap<>(attackers.answers));
        }
    }

    /** One attack. */
    private interface Attack {
        void run(int round) throws IOException;
    }

    private void begin() throws IOException {
        String create =
                head("uploads", "PUT", "/v1/value?branch=feature/up&key=a", "If-None-Match: *", "Content-Length: 1");
        ask("branch", create, out -> out.write('1'));
        keep("idle", 1500, "");
        keep("header drips", 200, "GET /v1/keys HTTP/1.1\r\nX: ");
        String drip = "/v1/value?branch=feature/up&key=drip";
        keep("body drips", 20, head("others", "PUT", drip, "If-Match: *", "Content-Length: 8388608"));
        keep("watchers", 1200, head("others", "GET", "/v1/watch?branch=main"));
        repeat("huge pushes", 2, round -> push("application/vnd.ipld.car", car(60, MIB)));
        repeat("tiny blocks", 1, round -> push("application/vnd.ipld.car", car(20_000, 8)));
        repeat("bombs", 2, round -> push("application/vnd.pail.delta", Attackers::bomb));
        byte[] upload = new byte[8 * MIB];
        new Random(1).nextBytes(upload);
        repeat("uploads", 12, round -> {
            byte[] body = upload.clone();
            ByteBuffer.wrap(body).putLong(System.nanoTime());
            String path = "/v1/value?branch=feature/up&key="
                    + Thread.currentThread().getName().replace(' ', '-');
            String head = head("uploads", "PUT", path, "If-Match: *", "Content-Length: " + body.length);
            ask("uploads", head, out -> out.write(body));
        });
        String[] foreign = {"Origin: http://example.com", "Sec-Fetch-Site: cross-site"};
        repeat("foreign pages", 2, round -> {
            String head = head("others", "GET", "/v1/value?key=honest-" + round, foreign);
            ask("foreign pages", head, out -> {});
        });
        String old = "POST /v1/fetch HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
        repeat("old encodings", 2, round -> ask("old encodings", old, out -> {}));
    }

    private void repeat(String name, int threads, Attack attack) {
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(
                    () -> {
                        for (int round = 0; ; round++) {
                            try {
                                attack.run(round);
                            } catch (IOException e) {
                                count(name + " cut");
                            } catch (RuntimeException | Error e) {
                                count(name + " died");
                                throw e;
                            }
                        }
                    },
                    name + " " + i);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void count(String what) {
        answers.computeIfAbsent(what, each -> new AtomicInteger()).incrementAndGet();
    }

    private static String head(String token, String method, String path, String... more) {
        StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n");
        head.append("Authorization: Bearer ").append(token).append("\r\n");
        for (String each : more) {
            head.append(each).append("\r\n");
        }
        return head + "\r\n";
    }

    /** Keeps a number of connections open, and sends a byte a second on each that began with something. */
    private void keep(String name, int count, String begin) {
        repeat(name, 1, round -> keepAll(name, count, begin));
    }

    private void keepAll(String name, int count, String begin) throws IOException {
        List<SocketChannel> open = new ArrayList<>();
        ByteBuffer read = ByteBuffer.allocate(4096);
        while (true) {
            open.removeIf(channel -> isEnded(name, channel, read, !begin.isEmpty()));
            for (int i = 0; i < 200 && open.size() < count; i++) {
                SocketChannel channel = SocketChannel.open();
                channel.configureBlocking(false);
                channel.connect(server);
                open.add(channel);
                pause(1);
                if (channel.finishConnect()) {
                    channel.write(ByteBuffer.wrap(begin.getBytes(StandardCharsets.US_ASCII)));
                    count(name + " begun");
                }
            }
            pause(1000);
        }
    }

    private boolean isEnded(String name, SocketChannel channel, ByteBuffer read, boolean drips) {
        try {
            if (!channel.finishConnect()) {
                return false;
            }
            int bytes = channel.read(read.clear());
            String line = StandardCharsets.US_ASCII.decode(read.flip()).toString();
            if (bytes > 12 && line.startsWith("HTTP/1.1 ")) {
                count(name + line.substring(8, 12));
            }
            if (bytes >= 0) {
                if (drips) {
                    channel.write(ByteBuffer.wrap(new byte[] {'x'}));
                }
                return false;
            }
            channel.close();
        } catch (IOException e) {
            count(name + " ended");
            return true;
        }
        count(name + " ended");
        return true;
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is sent as a body. */
    private interface Body {
        void writeTo(OutputStream out) throws IOException;
    }

    private void push(String type, Body body) throws IOException {
        String name = Thread.currentThread().getName().replaceAll(" [0-9]+$", "");
        String head = head(
                name.replace(' ', '-'),
                "POST",
                "/v1/push/feature/x?blocks=1",
                "Content-Type: " + type,
                "Connection: close",
                "Transfer-Encoding: chunked");
        ask(name, head, out -> {
            body.writeTo(new BufferedOutputStream(new Chunks(out), 64 << 10));
            out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        });
    }

    private void ask(String name, String head, Body body) throws IOException {
        try (Socket socket = new Socket(server.getAddress(), server.getPort())) {
            socket.setSoTimeout(60_000);
            OutputStream out = socket.getOutputStream();
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            try {
                body.writeTo(out);
                out.flush();
            } catch (IOException | StoreIOException e) {
                // The answer may be there all the same. A writer of CARs wraps the failure of the connection.
                count(name + " unread");
            }
            String status = status(socket.getInputStream());
            count(name + " " + status);
            if (!status.startsWith("2")) {
                pause(20);
            }
        }
    }

    private static String status(InputStream in) throws IOException {
        byte[] line = in.readNBytes(12);
        return line.length < 12 ? "none" : new String(line, 9, 3, StandardCharsets.US_ASCII);
    }

    private static Block block(Random random, int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return Block.of(Cid.RAW, bytes);
    }

    /** A CAR whose blocks are made before the server waits for them: on a slow core, it would end a push that makes them meanwhile. */
    private static Body car(int count, int size) {
        Random random = new Random(System.nanoTime());
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            blocks.add(block(random, size));
        }
        return out -> {
            CarWriter writer = CarWriter.of(out, "attack", List.of(blocks.get(0).cid()));
            blocks.forEach(writer::write);
            writer.flush();
        };
    }

    /** One block of 8 MiB, and many deltas that each make another one of it: eight bytes, and a copy of all behind them. */
    private static void bomb(OutputStream out) throws IOException {
        Random random = new Random(System.nanoTime());
        byte[] bytes = new byte[8 * MIB];
        random.nextBytes(bytes);
        Block base = Block.of(Cid.RAW, bytes);
        CarWriter writer = CarWriter.of(out, "attack", List.of(base.cid()));
        writer.write(base);
        writer.flush();
        byte[] other = bytes.clone();
        ByteBuffer.wrap(other).putLong(0x50_41_49_4c_42_4f_4d_42L);
        byte[] delta = Objects.requireNonNull(Delta.of(bytes, other, 1000));
        int eight = new String(delta, StandardCharsets.ISO_8859_1).indexOf("PAILBOMB");
        for (int i = 0; i < 100; i++) {
            long first = random.nextLong();
            ByteBuffer.wrap(other).putLong(first);
            ByteBuffer.wrap(delta).putLong(eight, first);
            ByteArrayOutputStream section = new ByteArrayOutputStream();
            section.writeBytes(new byte[] {1, (byte) Cid.RAW, (byte) Cid.IDENTITY, 72});
            section.writeBytes(Block.of(Cid.RAW, other).cid().toBytes());
            section.writeBytes(base.cid().toBytes());
            varint(section, bytes.length);
            section.writeBytes(delta);
            ByteArrayOutputStream length = new ByteArrayOutputStream();
            varint(length, section.size());
            out.write(length.toByteArray());
            out.write(section.toByteArray());
            out.flush();
        }
    }

    private static void varint(ByteArrayOutputStream out, int number) {
        int left = number;
        while (left >= 0x80) {
            out.write((left & 0x7f) | 0x80);
            left >>>= 7;
        }
        out.write(left);
    }

    /** Chunks of a body whose length is not known before. */
    private static final class Chunks extends OutputStream {
        private final OutputStream out;

        Chunks(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(bytes, offset, length);
            out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }
    }
}
