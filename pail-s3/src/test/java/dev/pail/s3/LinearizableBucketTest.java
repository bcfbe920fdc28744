package dev.pail.s3;

import dev.pail.ShardFormat;
import dev.pail.testkit.repository.LinearizabilityContract;
import dev.pail.testkit.repository.MapClient;
import dev.pail.testkit.repository.ProcessFaults;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Processes that share a bucket in memory. Requests are refused or get no answer, and some that got none arrive later, when others have
 * made changes.
 */
class LinearizableBucketTest extends LinearizabilityContract {
    /** So short that the outcome of a commit may stay unknown. */
    private static final Duration PATIENCE = Duration.ofMillis(50);

    @Override
    protected SharedStore newStore(Random random) {
        return new Shared(random);
    }

    private static final class Shared implements SharedStore {
        private final MemoryBucket memory = new MemoryBucket(Clock.systemUTC());
        private final Random random;
        private final List<Runnable> late = new ArrayList<>();
        private final TestBucket place = TestBucket.over(memory::below, Clock.systemUTC());

        Shared(Random random) {
            this.random = random;
            place.init(ShardFormat.v1()).close();
        }

        @Override
        public MapClient open(ProcessFaults faults) {
            S3Storage storage = S3Storage.of(prefix -> faulty(prefix, faults), Clock.systemUTC(), new S3Counters())
                    .withPatience(PATIENCE);
            return MapClient.of(storage.open(place.name()));
        }

        private Bucket faulty(String prefix, ProcessFaults faults) {
            Bucket target = memory.below(prefix);
            FaultyBucket bucket = new FaultyBucket(target) {
                @Override
                public boolean create(String key, byte[] content) {
                    arriveLate(1);
                    try {
                        return super.create(key, content);
                    } catch (UnansweredException e) {
                        mayArriveLater(() -> target.create(key, content));
                        throw e;
                    }
                }
            };
            bucket.writes(key -> switch (faults.next()) {
                case NONE -> FaultyBucket.Fault.NONE;
                case LOST_CALL -> isOneOf(3) ? FaultyBucket.Fault.REFUSED : FaultyBucket.Fault.NOT_SENT;
                case LOST_ANSWER -> FaultyBucket.Fault.NO_ANSWER;
            });
            bucket.reads(key ->
                    faults.next() == ProcessFaults.Fault.NONE ? FaultyBucket.Fault.NONE : FaultyBucket.Fault.REFUSED);
            return bucket;
        }

        private synchronized boolean isOneOf(int count) {
            return random.nextInt(count) == 0;
        }

        /** A request that got no answer may still be under way, also if its object was created meanwhile. */
        private synchronized void mayArriveLater(Runnable request) {
            if (isOneOf(2)) {
                late.add(request);
            }
        }

        private synchronized void arriveLate(int atMost) {
            for (int i = 0; i < atMost && !late.isEmpty() && (atMost > 1 || isOneOf(4)); i++) {
                late.remove(random.nextInt(late.size())).run();
            }
        }

        @Override
        public int callsOfAnOperation() {
            return 5;
        }

        @Override
        public void settle() {
            arriveLate(Integer.MAX_VALUE);
        }
    }
}
