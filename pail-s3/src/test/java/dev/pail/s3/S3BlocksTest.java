package dev.pail.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ShardFormat;
import dev.pail.repository.Repository;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.sweep.SweepRule;
import dev.pail.sweep.Swept;
import dev.pail.sweep.SweptBlocks;
import dev.pail.testkit.HandClock;
import dev.pail.testkit.repository.RepositoryBlocksContract;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

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

    /** So that what is copied does not become new each time. */
    @Test
    void aCopyKeepsItsStamp_OS9() {
        RepositoryBlocks blocks = (RepositoryBlocks) opened();
        blocks.putAll(List.of(block(1), block(2), block(3)));
        pass(Duration.ofHours(2));
        Instant before = clock.instant().minus(Duration.ofHours(1));
        SweepRule rule = new SweepRule(cid -> cid.equals(block(1).cid().raw()), before);
        blocks.swept().portions().forEachRemaining(portion -> {
            Swept unused = portion.sweep(rule);
        });
        Swept now = Swept.NOTHING;
        for (Iterator<SweptBlocks.Portion> left = blocks.swept().portions(); left.hasNext(); ) {
            now = now.plus(left.next().preview(new SweepRule(cid -> false, before)));
        }
        assertThat(now.moved().blocks()).isEqualTo(1);
        assertThat(now.waiting().blocks()).isEqualTo(2);
    }
}
