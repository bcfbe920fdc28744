package dev.pail.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.Batch;
import dev.pail.BlockStore;
import dev.pail.OriginHints;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.car.CarImport;
import dev.pail.car.CarReader;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.remote.Exchange;
import dev.pail.remote.HttpRemote;
import dev.pail.remote.PushMode;
import dev.pail.remote.Pushed;
import dev.pail.remote.Remote;
import dev.pail.remote.wire.Messages;
import dev.pail.repository.Repository;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.server.Served;
import dev.pail.server.http.Refusal;
import dev.pail.testkit.Randomness;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many bytes of blocks senders may make. */
class QuotasTest {
    private static final int SIZE = 100_000;

    private final AtomicLong now = new AtomicLong();
    private final AtomicLong free = new AtomicLong(1L << 40);

    private Quotas quotas(long ofRequest, long ofToken) {
        return new Quotas(ofRequest, ofToken, () -> OptionalLong.of(free.get()), now::get);
    }

    private static void put(BlockStore store, int number) {
        store.put(Block.of(Cid.RAW, ByteBuffer.allocate(SIZE).putInt(number).array()));
    }

    private static void assertRefused(int status, BlockStore store) {
        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> put(store, 99))
                .satisfies(e -> assertThat(e.status()).isEqualTo(status));
    }

    @Test
    void aRequestMakesSoManyBytes_GW26() {
        Quotas quotas = quotas(5 * SIZE, 100 * SIZE);
        MemoryBlockStore blocks = new MemoryBlockStore();
        BlockStore one = quotas.metered(blocks, "ann");
        IntStream.range(0, 5).forEach(i -> put(one, i));
        assertRefused(429, one);
        assertThat(blocks.has(
                        Block.of(Cid.RAW, ByteBuffer.allocate(SIZE).putInt(99).array())
                                .cid()))
                .isFalse();
        put(quotas.metered(blocks, "ann"), 99);
    }

    @Test
    void aTokenMakesSoManyBytesInAnHour_GW26() {
        Quotas quotas = quotas(100 * SIZE, 5 * SIZE);
        MemoryBlockStore blocks = new MemoryBlockStore();
        IntStream.range(0, 5).forEach(i -> put(quotas.metered(blocks, "ann"), i));
        assertRefused(429, quotas.metered(blocks, "ann"));
        put(quotas.metered(blocks, "bob"), 1);
        now.addAndGet(Duration.ofMinutes(61).toNanos());
        put(quotas.metered(blocks, "ann"), 1);
    }

    /** Who sends much stops before the disk is full, so that small changes of others go on. */
    @Test
    void theReserveIsForSmallChanges_GW26() {
        free.set(100L * SIZE);
        Quotas quotas = quotas(100 * SIZE, 100 * SIZE);
        MemoryBlockStore blocks = new MemoryBlockStore();
        BlockStore much = quotas.metered(blocks, "ann");
        IntStream.range(0, 5).forEach(i -> put(much, i));
        free.set(10L * SIZE);
        assertRefused(507, much);
        put(quotas.metered(blocks, "ann"), 1);
        free.set(12L * SIZE);
        put(much, 6);
    }

    /** A disk may hold a block of one byte in a page of its own. */
    @Test
    void manyTinyBlocksAreNoSmallChange_GW26() {
        free.set(100L * SIZE);
        Quotas quotas = quotas(100 * SIZE, 100 * SIZE);
        free.set(10L * SIZE);
        List<Block> tiny = IntStream.rangeClosed(0, 64)
                .mapToObj(i -> Block.of(Cid.RAW, new byte[] {(byte) i}))
                .toList();
        BlockStore store = quotas.metered(new MemoryBlockStore(), "ann");
        store.putAll(tiny.subList(0, 64));
        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> store.put(tiny.get(64)))
                .satisfies(e -> assertThat(e.status()).isEqualTo(507));
        free.set(12L * SIZE);
        store.put(tiny.get(64));
    }

    /** A store with deltas keeps those of a push. */
    @Test
    void theBasesOfAPushReachTheStore_SY11() {
        byte[] sent;
        try (Served served = new Served(Repository.inMemory(ShardFormat.v0()))) {
            for (int i = 0; i < 200; i++) {
                String key = "key/" + i;
                served.repository.update("main", pail -> pail.putBytes(key, key.getBytes(StandardCharsets.US_ASCII)));
            }
            sent = served.ask(
                            "POST",
                            "/v1/fetch",
                            HttpRequest.BodyPublishers.ofString("{\"want\":[\"main\"],\"understands\":[\"events\"]}"),
                            "Accept",
                            Messages.DELTA)
                    .body();
        }
        Map<Cid, Cid> bases = new HashMap<>();
        MemoryBlockStore blocks = new MemoryBlockStore();
        OriginHints store = new OriginHints() {
            @Override
            public void putAll(Collection<Block> given, Map<Cid, Cid> origins) {
                bases.putAll(origins);
                blocks.putAll(given);
            }

            @Override
            public Optional<Block> get(Cid cid) {
                return blocks.get(cid);
            }

            @Override
            public boolean has(Cid cid) {
                return blocks.has(cid);
            }

            @Override
            public void close() {
                blocks.close();
            }
        };
        Quotas quotas = quotas(1L << 30, 1L << 30);
        CarReader car = CarReader.of(new ByteArrayInputStream(sent), "test");
        assertThat(CarImport.ofDeltas(car, quotas.metered(store, "ann")).refused())
                .isZero();
        assertThat(bases).hasSizeGreaterThan(100);
    }

    /** Each version is a shard of nearly 512 KiB, and little of it is new: much more than the size of the requests is stored. */
    @Test
    void versionsOfALargeShardArePushedUnderTheDefaults_GW26(@TempDir Path temp) {
        int versions = Randomness.times(140, 1000);
        try (Repository here = FileRepository.init(temp.resolve("here"), ShardFormat.v0(), BlockStorage.SEGMENTS);
                Served served = new Served(FileRepository.init(temp.resolve("there"), ShardFormat.v0()));
                Remote remote = HttpRemote.open(
                        "http://127.0.0.1:" + served.server.address().getPort(), Optional.empty())) {
            Pail first = here.update("main", pail -> {
                        Batch batch = pail.batch();
                        for (int i = 0; i < 9200; i++) {
                            Batch unusedBatch =
                                    batch.putBytes(largeKey(i), largeKey(i).getBytes(StandardCharsets.US_ASCII));
                        }
                        return batch.commit();
                    })
                    .pail();
            assertThat(here.blocks().require(first.root()).size()).isBetween(450 << 10, 512 << 10);
            for (int i = 1; i < versions; i++) {
                byte[] value = {(byte) i, (byte) (i >> 8)};
                String key = largeKey(i * 31 % 9200);
                Pail unusedNext =
                        here.update("main", pail -> pail.putBytes(key, value)).pail();
            }
            Pushed pushed = Exchange.of(here, "origin", remote).push("main", PushMode.FAST_FORWARD);
            assertThat(pushed.blocks()).isGreaterThanOrEqualTo(3L * versions);
            assertThat(served.repository.root("main")).isEqualTo(here.root("main"));
        }
    }

    private static String largeKey(int number) {
        return String.format(Locale.ROOT, "%08x/%d", number * 0x9E3779B1, number);
    }
}
