package dev.pail.s3;

import dev.pail.ShardFormat;
import dev.pail.repository.Repository;
import dev.pail.repository.RepositoryBlocks;
import dev.pail.testkit.HandClock;
import dev.pail.testkit.repository.RepositoryBlocksContract;
import java.time.Duration;
import java.util.function.Function;

/** The contract of block stores, on a server where there is one. */
class S3BlocksTest extends RepositoryBlocksContract {
    private final HandClock clock = new HandClock();

    @Override
    protected RepositoryBlocks newStore() {
        Function<String, Bucket> buckets = TestBucket.newest().buckets();
        TestBucket place = TestBucket.over(buckets, clock);
        Repository unused = place.init(ShardFormat.v1());
        return place.storage().blocks(place.name());
    }

    @Override
    protected void pass(Duration time) {
        clock.pass(time);
    }

    @Override
    protected Read read() {
        return Read.LEAVES;
    }
}
