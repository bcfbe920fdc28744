package dev.pail.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.BlockStore;
import dev.pail.OriginHints;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.car.CarImport;
import dev.pail.car.CarReader;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.remote.wire.Messages;
import dev.pail.repository.Repository;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

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
                            HttpRequest.BodyPublishers.ofString("{\"want\":[\"main\"]}"),
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
}
