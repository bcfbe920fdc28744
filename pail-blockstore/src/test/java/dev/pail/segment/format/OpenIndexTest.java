package dev.pail.segment.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OpenIndexTest {
    /** A CID with a SHA2-256 digest whose last four bytes are one of a few, and many CIDs have the same hash. */
    private static Cid cid(Random random, int codec) {
        byte[] bytes = new byte[36];
        random.nextBytes(bytes);
        bytes[0] = 1;
        bytes[1] = (byte) codec;
        bytes[2] = (byte) Cid.SHA2_256;
        bytes[3] = 32;
        if (random.nextBoolean()) {
            bytes[32] = 0;
            bytes[33] = 0;
            bytes[34] = (byte) random.nextInt(2);
            bytes[35] = (byte) random.nextInt(4);
        }
        return Cid.fromBytes(bytes);
    }

    private static Cid withCodec(Cid cid, int codec) {
        byte[] bytes = cid.toBytes();
        bytes[1] = (byte) codec;
        return Cid.fromBytes(bytes);
    }

    private static RecordRef stored(Cid cid, int number) {
        return new RecordRef(new Location(0, number, 100), new RecordHeader.BlockContent(cid, null, 0, 100));
    }

    @Test
    void theLastOfEachMultihashIsFound_SEG15() throws IOException {
        Random random = new Random(Randomness.seed("OpenIndexTest"));
        for (int round = 0; round < Randomness.times(20, 1000); round++) {
            OpenIndex index = new OpenIndex();
            Map<Cid, RecordRef> model = new HashMap<>();
            List<Cid> raw = new ArrayList<>();
            for (int i = random.nextInt(2000); i >= 0; i--) {
                boolean isThere = !raw.isEmpty() && random.nextInt(4) == 0;
                Cid cid = isThere ? raw.get(random.nextInt(raw.size())) : cid(random, (int) Cid.RAW);
                RecordRef block = stored(withCodec(cid, random.nextBoolean() ? (int) Cid.DAG_CBOR : (int) Cid.RAW), i);
                index.add(block);
                if (model.put(cid, block) == null) {
                    raw.add(cid);
                }
                assertThat(index.count()).isEqualTo(model.size());
            }
            SealedIndex sealed = index.sealed();
            assertThat(sealed.count()).isEqualTo(model.size());
            for (Map.Entry<Cid, RecordRef> each : model.entrySet()) {
                Cid cid = each.getKey();
                RecordRef block = each.getValue();
                assertThat(index.known(cid)).isSameAs(block);
                assertThat(index.known(withCodec(cid, (int) Cid.DAG_CBOR))).isSameAs(block);
                assertThat(index.find(cid)).containsExactly(block.location());
                assertThat(sealed.find(cid)).contains(block.location());
            }
            for (int i = 0; i < 100; i++) {
                Cid other = cid(random, (int) Cid.RAW);
                assertThat(index.known(other)).isSameAs(model.get(other));
            }
        }
    }

    /** While a thread adds blocks, readers find all blocks that were added before, and never a wrong one. */
    @Test
    void whatWasAddedIsFoundMeanwhile() throws InterruptedException, ExecutionException {
        Random random = new Random(Randomness.seed("OpenIndexTest, threads"));
        ExecutorService readers = Executors.newFixedThreadPool(2);
        int rounds = Randomness.times(300, 10_000);
        long lookups = 0;
        try {
            for (int round = 0; round < rounds; round++) {
                Set<Cid> distinct = new LinkedHashSet<>();
                while (distinct.size() < 1000) {
                    distinct.add(cid(random, (int) Cid.RAW));
                }
                List<Cid> cids = List.copyOf(distinct);
                OpenIndex index = new OpenIndex();
                AtomicInteger added = new AtomicInteger();
                CountDownLatch running = new CountDownLatch(2);
                List<Future<Long>> found = new ArrayList<>();
                for (int reader = 0; reader < 2; reader++) {
                    long seed = random.nextLong();
                    found.add(readers.submit(() -> read(index, cids, added, new Random(seed), running)));
                }
                running.await();
                for (int i = 0; i < cids.size(); i++) {
                    index.add(stored(cids.get(i), i));
                    added.set(i + 1);
                }
                for (Future<Long> each : found) {
                    lookups += each.get();
                }
            }
        } finally {
            readers.shutdownNow();
        }
        // Each reader has looked up something before anything was added.
        assertThat(lookups).isGreaterThan(2L * rounds);
    }

    private static long read(
            OpenIndex index, List<Cid> cids, AtomicInteger added, Random random, CountDownLatch running) {
        long lookups = 0;
        try {
            for (int there = added.get(); there < cids.size(); there = added.get()) {
                // Usually one that is not there, or was just added.
                int wanted = random.nextInt(4) == 0
                        ? random.nextInt(there + 1)
                        : Math.min(cids.size() - 1, there + random.nextInt(20));
                RecordRef block = index.known(cids.get(wanted));
                if (block == null ? wanted < there : block.location().offset() != wanted) {
                    throw new AssertionError("at " + there + ", number " + wanted
                            + (block == null
                                    ? " is not found"
                                    : " is number " + block.location().offset()));
                }
                lookups++;
                if (lookups == 1) {
                    running.countDown();
                }
            }
        } finally {
            if (lookups == 0) {
                running.countDown();
            }
        }
        return lookups;
    }
}
