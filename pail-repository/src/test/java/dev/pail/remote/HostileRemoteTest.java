package dev.pail.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.Batch;
import dev.pail.CorruptBlockException;
import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.car.CarExport;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.MemoryBlocks;
import dev.pail.repository.MemoryRefs;
import dev.pail.repository.Repository;
import dev.pail.repository.spi.RepositoryBlocks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that want to keep a peer for ever, or to fill its disk. */
// A request that waits for ever cannot be interrupted.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileRemoteTest {
    private static final String MAIN = Repository.MAIN;
    private static final String[] CAR = {
        "Content-Type: application/vnd.ipld.car", "Transfer-Encoding: chunked", "Pail-Generation: 1"
    };
    private static final Cid EVENT = Block.of(Cid.DAG_CBOR, new byte[] {1}).cid();

    private final AtomicLong now = new AtomicLong();

    /** Each look at it is a second later, and a watched request is looked at all the time. */
    private final Waiting.Clock clock =
            new Waiting.Clock(() -> now.addAndGet(Duration.ofSeconds(1).toNanos()), task -> {
                Thread thread = new Thread(task, "watch");
                thread.setDaemon(true);
                thread.start();
            });

    private static Block block(int number, int size) {
        return Block.of(Cid.RAW, ByteBuffer.allocate(size).putInt(number).array());
    }

    @Test
    void aServerThatAlwaysAsksForMoreEventsIsRefused_SY4() throws IOException {
        try (HostileServer server =
                        new HostileServer((request, out) -> HostileServer.json(out, 409, "{\"need\":\"more-haves\"}"));
                Repository here = Repository.inMemory()) {
            Exchange exchange = Exchange.of(here, "origin", server.remote());
            assertThatExceptionOfType(RemoteException.class)
                    .isThrownBy(() -> exchange.fetch(MAIN))
                    .withMessageContaining("it asks for more events, and none were named");
            assertThat(server.requests()).isEqualTo(1);
            here.update(MAIN, pail -> pail.putBytes("a", new byte[] {1}));
            assertThatExceptionOfType(RemoteException.class).isThrownBy(() -> exchange.fetch(MAIN));
            assertThat(server.requests()).isEqualTo(3);
        }
    }

    @Test
    void aBodyOfOneByteAtATimeEnds_SY17() throws IOException {
        try (HostileServer server = new HostileServer((request, out) -> {
                    HostileServer.head(out, 200, CAR);
                    byte[] car = HostileServer.car(List.of(EVENT), block(1, 1 << 20));
                    for (byte each : car) {
                        HostileServer.chunk(out, new byte[] {each});
                    }
                });
                Repository here = Repository.inMemory()) {
            Exchange exchange = Exchange.of(
                    here, "origin", server.remote().withClock(new Waiting.Clock(clock.nanoTime(), task -> {})));
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(() -> exchange.fetch(MAIN))
                    .withMessageContaining("less than 65536 bytes moved within 60 s of waiting");
            assertThat(server.requests()).isEqualTo(1);
        }
    }

    @Test
    void headersThatNeverEndAreEnded_SY17() throws IOException {
        try (HostileServer server = new HostileServer((request, out) -> {
                    out.write(HostileServer.ascii("HTTP/1.1 200 OK\r\nX-A: "));
                    for (int i = 0; i < 1000; i++) {
                        out.write('a');
                        out.flush();
                    }
                    Thread.currentThread().join();
                });
                Repository here = Repository.inMemory()) {
            Exchange exchange = Exchange.of(here, "origin", server.remote().withClock(clock));
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(() -> exchange.fetch(MAIN))
                    .withMessageContaining("less than 65536 bytes moved within 60 s of waiting");
            assertThat(server.requests()).isEqualTo(1);
        }
    }

    /** No byte of the body: what extends a chunk header, and what follows the last chunk. */
    @ParameterizedTest
    @CsvSource({"'1;a=',true", "'0\r\nX-A: ',true", "'1;a=',false"})
    void framesOfOneByteAtATimeAreEnded_SY17(String frame, boolean isCar) throws IOException {
        try (HostileServer server = new HostileServer((request, out) -> {
                    HostileServer.head(out, 200, CAR);
                    HostileServer.chunk(out, isCar ? HostileServer.car(List.of(EVENT)) : HostileServer.ascii("{"));
                    out.write(HostileServer.ascii(frame));
                    for (int i = 0; i < 1000; i++) {
                        out.write('a');
                        out.flush();
                    }
                    Thread.currentThread().join();
                });
                Repository here = Repository.inMemory()) {
            HttpRemote remote = server.remote().withClock(clock);
            Exchange exchange = Exchange.of(here, "origin", remote);
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(() -> {
                        if (isCar) {
                            exchange.fetch(MAIN);
                        } else {
                            remote.branches();
                        }
                    })
                    .havingRootCause()
                    .withMessageContaining("less than 65536 bytes moved within 60 s of waiting");
            assertThat(server.requests()).isEqualTo(1);
        }
    }

    /** The server may sync a file for each block before it answers, also for those that came in an earlier request. */
    @ParameterizedTest
    @CsvSource({"1000,false,true", "1000,true,true", "1,false,false"})
    void aPushOfManyBlocksWaitsLongerForItsAnswer_SY17(int keys, boolean isSkipped, boolean isAnswered)
            throws IOException {
        AtomicInteger looks = new AtomicInteger();
        Queue<Runnable> watches = new ConcurrentLinkedQueue<>();
        Waiting.Clock byHand = new Waiting.Clock(
                () -> {
                    looks.incrementAndGet();
                    return now.get();
                },
                watches::add);
        try (HostileServer server = new HostileServer((request, out) -> {
                    // The client connects, writes and ends the body, and then waits for the answer.
                    while (looks.get() < 7) {
                        Thread.onSpinWait();
                    }
                    now.addAndGet(Duration.ofSeconds(65).toNanos());
                    watches.remove().run();
                    HostileServer.json(out, 412, "{\"error\":\"moved\",\"code\":\"moved\"}");
                });
                Repository here = Repository.inMemory()) {
            here.update(MAIN, pail -> {
                Batch batch = pail.batch();
                for (int i = 0; i < keys; i++) {
                    Batch unusedBatch =
                            batch.putBytes("key/" + i, Integer.toString(i).getBytes(StandardCharsets.US_ASCII));
                }
                return batch.commit();
            });
            HttpRemote remote = server.remote().withClock(byHand);
            Head head = here.snapshot(MAIN).head();
            CarExport export = Heads.export(here.blocks(), head, Head.empty()).skipping(cid -> isSkipped);
            PushRequest request = new PushRequest(MAIN, head, Optional.empty(), PushMode.FAST_FORWARD);
            if (isAnswered) {
                assertThat(remote.push(request, export).outcome()).isEqualTo(PushReply.Outcome.MOVED);
            } else {
                assertThatExceptionOfType(StoreIOException.class)
                        .isThrownBy(() -> remote.push(request, export))
                        .withMessageContaining("less than 65536 bytes moved within 60 s of waiting");
            }
        }
    }

    @Test
    void aServerThatReadsNothingIsLeft_SY17() throws IOException {
        byte[] bytes = new byte[3 << 20];
        new Random(1).nextBytes(bytes);
        try (HostileServer server = new HostileServer((request, out) -> {
                    out.write(HostileServer.ascii("HTTP/1.1 100 Continue\r\n\r\n"));
                    out.flush();
                    Thread.currentThread().join();
                });
                Repository here = Repository.inMemory()) {
            for (int i = 0; i < 12; i++) {
                String key = "key/" + i;
                bytes[0] = (byte) i;
                here.update(MAIN, pail -> pail.putBytes(key, bytes));
            }
            Exchange exchange = Exchange.of(here, "origin", server.remote().withClock(clock));
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(() -> exchange.push(MAIN, PushMode.FAST_FORWARD))
                    .withMessageContaining("less than 65536 bytes moved within 60 s of waiting");
            assertThat(server.requests()).isLessThan(8);
        }
    }

    /** A repository on a disk of this size. */
    private static Repository onDisk(long size, AtomicLong used) {
        MemoryBlocks blocks = new MemoryBlocks();
        Object counted = Proxy.newProxyInstance(
                RepositoryBlocks.class.getClassLoader(),
                new Class<?>[] {RepositoryBlocks.class},
                (proxy, method, given) -> {
                    if (method.getName().equals("usableBytes")) {
                        return OptionalLong.of(size - used.get());
                    }
                    if (method.getName().equals("putAll")) {
                        ((Collection<?>) given[0]).forEach(each -> used.addAndGet(((Block) each).size()));
                    }
                    try {
                        return method.invoke(blocks, given);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return Repository.open(new MemoryRefs(), (RepositoryBlocks) counted, ShardFormat.v1());
    }

    @Test
    void anEndlessCarLeavesTheReserve_SY17() throws IOException {
        AtomicLong used = new AtomicLong();
        try (HostileServer server = new HostileServer((request, out) -> {
                    HostileServer.head(out, 200, CAR);
                    HostileServer.chunk(out, HostileServer.car(List.of(EVENT)));
                    for (int i = 0; ; i++) {
                        HostileServer.chunk(out, HostileServer.section(block(i, 1 << 20)));
                    }
                });
                Repository here = onDisk(50 << 20, used)) {
            Exchange exchange = Exchange.of(here, "origin", server.remote());
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(() -> exchange.fetch(MAIN))
                    .withMessageContaining("cannot store what arrives")
                    .withMessageContaining("a transfer leaves " + (5 << 20) + " of them");
            assertThat(server.requests()).isEqualTo(1);
            assertThat(used.get()).isBetween(40L << 20, 45L << 20);
        }
    }

    /** They take no space on the disk: a block that comes again and again, identity CIDs, and a block with other bytes than its CID says. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void anEndlessCarWithoutNewBlocksIsRefused_SY17(int kind) throws IOException {
        Block block = block(1, 1 << 20);
        byte[] section = HostileServer.section(block);
        if (kind == 1) {
            section = HostileServer.identity(new byte[100]);
        } else if (kind == 2) {
            section[section.length - 1] ^= 1;
        }
        ByteArrayOutputStream many = new ByteArrayOutputStream();
        while (many.size() < 1 << 20) {
            many.write(section);
        }
        byte[] all = many.toByteArray();
        AtomicLong sent = new AtomicLong();
        try (HostileServer server = new HostileServer((request, out) -> {
                    HostileServer.head(out, 200, CAR);
                    HostileServer.chunk(out, HostileServer.car(List.of(EVENT)));
                    while (true) {
                        HostileServer.chunk(out, all);
                        sent.addAndGet(all.length);
                    }
                });
                Repository here = Repository.inMemory()) {
            Exchange exchange = Exchange.of(here, "origin", server.remote());
            assertThatExceptionOfType(RemoteException.class)
                    .isThrownBy(() -> exchange.fetch(MAIN))
                    .withMessageContaining(
                            "it sends more than " + NewBlocks.MOST_OTHER + " bytes that bring no new block");
            assertThat(server.requests()).isEqualTo(1);
            assertThat(sent.get()).isBetween(NewBlocks.MOST_OTHER / 2, 2 * NewBlocks.MOST_OTHER);
        }
    }

    @Test
    void blocksThatWereNotAskedForAreRefused_SY17() throws IOException {
        Block asked = block(1, 100);
        AtomicBoolean isOther = new AtomicBoolean();
        try (HostileServer server = new HostileServer((request, out) -> {
            HostileServer.head(out, 200, CAR);
            HostileServer.chunk(out, HostileServer.car(List.of()));
            if (isOther.get()) {
                HostileServer.chunk(out, HostileServer.section(block(2, 100)));
                HostileServer.chunk(out, new byte[0]);
                return;
            }
            while (true) {
                HostileServer.chunk(out, HostileServer.section(asked));
            }
        })) {
            MemoryBlockStore target = new MemoryBlockStore();
            HttpRemote remote = server.remote();
            assertThatExceptionOfType(RemoteException.class)
                    .isThrownBy(() -> remote.blocks(List.of(asked.cid()), target))
                    .withMessageContaining("it sends more blocks than were asked for");
            isOther.set(true);
            assertThatExceptionOfType(RemoteException.class)
                    .isThrownBy(() -> remote.blocks(List.of(asked.cid()), target))
                    .withMessageContaining("which was not asked for");
            assertThat(target.has(block(2, 100).cid())).isFalse();
        }
    }

    @Test
    void partsThatAreNoneOfTheBlockAreRefused_SY16() throws IOException {
        Block wanted = block(1, 100);
        String[] ranges = {"bytes 0-99/100", "bytes 0-99/99", "bytes 0-99/99999999", "bytes 7-99/100", "none"};
        AtomicInteger kind = new AtomicInteger();
        try (HostileServer server = new HostileServer((request, out) -> {
            HostileServer.head(out, 206, "Content-Length: 100", "Content-Range: " + ranges[kind.get()]);
            out.write(block(2, 100).bytes());
        })) {
            HttpRemote remote = server.remote();
            BlockParts whole = new BlockParts(wanted.cid());
            assertThat(remote.part(wanted.cid(), 0, whole)).isTrue();
            assertThat(whole.isWhole()).isTrue();
            assertThatExceptionOfType(CorruptBlockException.class).isThrownBy(whole::block);
            for (int i = 1; i < ranges.length; i++) {
                kind.set(i);
                BlockParts parts = new BlockParts(wanted.cid());
                assertThatExceptionOfType(i < 3 ? CorruptBlockException.class : RemoteException.class)
                        .as(ranges[i])
                        .isThrownBy(() -> remote.part(wanted.cid(), 0, parts));
            }
        }
    }

    @Test
    void connectionsThatBringLittleEnd_SY16() {
        Endurance none = new Endurance();
        assertThat(none.continuesAfter(0)).isFalse();
        Endurance weak = new Endurance();
        for (int i = 0; i < 10; i++) {
            assertThat(weak.continuesAfter(Endurance.LEAST)).isTrue();
            assertThat(weak.continuesAfter(Endurance.LEAST - 1)).isTrue();
            assertThat(weak.continuesAfter(0)).isTrue();
        }
        assertThat(weak.continuesAfter(1)).isFalse();
        Endurance strong = new Endurance();
        int connections = 1;
        while (strong.continuesAfter(Endurance.LEAST)) {
            connections++;
        }
        assertThat(connections).isEqualTo(Endurance.MOST_CONNECTIONS);
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(plain);
        }
        return bytes.toByteArray();
    }

    private static HostileServer answering(String coding, byte[]... parts) throws IOException {
        return new HostileServer((request, out) -> {
            HostileServer.head(
                    out,
                    200,
                    "Content-Type: application/json",
                    "Content-Encoding: " + coding,
                    "Content-Length: "
                            + Stream.of(parts).mapToInt(part -> part.length).sum());
            for (byte[] part : parts) {
                out.write(part);
            }
        });
    }

    @Test
    void messagesInGzipAreRead_SY2() throws IOException {
        byte[] message = HostileServer.ascii("{\"branches\":[]}");
        for (String coding : List.of("gzip", "GZIP")) {
            try (HostileServer server = answering(coding, gzip(message))) {
                assertThat(server.remote().branches()).isEmpty();
            }
        }
    }

    /** 1 GiB of spaces is a megabyte in gzip; 16 MiB of it are unpacked. */
    @Test
    void aMessageInGzipIsBounded_SY2() throws IOException {
        byte[] spaces = new byte[64 << 20];
        Arrays.fill(spaces, (byte) ' ');
        byte[] part = gzip(spaces);
        byte[][] bomb = new byte[16][];
        Arrays.fill(bomb, part);
        try (HostileServer server = answering("gzip", bomb)) {
            assertThatExceptionOfType(RemoteException.class)
                    .isThrownBy(() -> server.remote().branches())
                    .withMessageContaining("an answer of more than 16777216 bytes");
        }
    }

    @Test
    void aMessageInGzipThatIsNoneIsRefused_SY2() throws IOException {
        byte[] message = HostileServer.ascii("{\"branches\":[]}");
        byte[] packed = gzip(message);
        byte[] damaged = packed.clone();
        damaged[damaged.length - 6] ^= 1;
        for (byte[] body : List.of(message, damaged, Arrays.copyOf(packed, packed.length - 9), new byte[0])) {
            try (HostileServer server = answering("gzip", body)) {
                assertThatExceptionOfType(RemoteException.class)
                        .isThrownBy(() -> server.remote().branches())
                        .withMessageContaining("a message in gzip that is cut off or damaged");
            }
        }
    }

    @Test
    void blocksInGzipAreRefused_SY2() throws IOException {
        Block block = block(1, 100);
        try (HostileServer server = answering("gzip", gzip(HostileServer.car(List.of(), block)));
                Repository here = Repository.inMemory()) {
            assertThatExceptionOfType(RemoteException.class)
                    .isThrownBy(() -> server.remote().blocks(List.of(block.cid()), here.blocks()))
                    .withMessageContaining("blocks in the coding \"gzip\", which was not asked for");
        }
    }
}
