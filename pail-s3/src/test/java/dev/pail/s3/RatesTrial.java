package dev.pail.s3;

import dev.pail.Batch;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Measures changes and reads of a repository on the server of the tests beside plain puts and gets of objects of the same sizes. Argument: how
 * many of each.
 */
final class RatesTrial {
    private static final int KEYS = 10_000;

    private RatesTrial() {}

    private interface Work {
        void run(int number) throws Exception;
    }

    private static void time(String what, int times, Work work) throws Exception {
        long begun = System.nanoTime();
        for (int i = 0; i < times; i++) {
            work.run(i);
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        System.out.printf("%s: %.1f/s%n", what, times / seconds);
    }

    private static Cid value(int number) {
        return Block.of(Cid.RAW, Integer.toString(number).getBytes(StandardCharsets.US_ASCII))
                .cid();
    }

    public static void main(String[] arguments) throws Exception {
        int times = Integer.parseInt(arguments[0]);
        TestBucket place = TestBucket.newest();
        Random random = new Random(1);
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            keys.add(Long.toString(random.nextLong() >>> 1, 36));
        }
        try (Repository repository = place.init(ShardFormat.v1())) {
            Pail full = repository
                    .update("main", pail -> {
                        Batch batch = pail.batch();
                        keys.forEach(key -> batch.put(key, value(0)));
                        return batch.commit();
                    })
                    .pail();
            Bucket objects = place.objects();
            byte[] small = new byte[500];
            byte[] pack = new byte[5000];
            for (int round = 0; round < 2; round++) {
                String name = "plain" + round + "-";
                time("one plain put of 5,000 bytes", times, i -> objects.put(name + i, pack));
                time("two plain puts of 5,000 and 500 bytes", times, i -> {
                    objects.put(name + i, pack);
                    objects.put(name + i + "b", small);
                });
                time("one plain get", times, i -> objects.get(name + i));
                time("changes", times, i -> {
                    repository.update("main", pail -> pail.put(keys.get((i * 7919) % KEYS), value(random.nextInt())));
                });
                time("heads read", times, i -> {
                    Cid unused = repository.root("main");
                });
            }
            time("gets of a version that is cached", times, i -> {
                if (full.get(keys.get(i)).isEmpty()) {
                    throw new AssertionError(keys.get(i));
                }
            });
        }
        try (Repository repository = place.open()) {
            Pail cold = repository.pail();
            time("gets of a version that is not", times, i -> {
                if (cold.get(keys.get((i * 31) % KEYS)).isEmpty()) {
                    throw new AssertionError(keys.get(i));
                }
            });
        }
        List<Thread> writers = new ArrayList<>();
        long begun = System.nanoTime();
        for (int writer = 0; writer < 8; writer++) {
            String branch = "w" + writer;
            Thread thread = new Thread(() -> {
                try (Repository own = place.open()) {
                    own.branches().create(branch, own.snapshot("main").head());
                    for (int i = 0; i < times / 8; i++) {
                        int number = i;
                        own.update(branch, pail -> pail.put(keys.get(number), value(number + 1)));
                    }
                }
            });
            writers.add(thread);
            thread.start();
        }
        for (Thread writer : writers) {
            writer.join();
        }
        System.out.printf(
                "changes of 8 writers on their own branches: %.1f/s%n", times / ((System.nanoTime() - begun) / 1e9));
    }
}
