package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.s3.TestBucket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same histories in a bucket. */
class HistoryInS3Test extends HistoryTest {
    private TestBucket place;

    @Override
    Repository init() {
        place = TestBucket.newest();
        return place.init(ShardFormat.v1());
    }

    @Override
    Repository another() {
        return place.open();
    }

    /** The bucket had made all durable that it acknowledged. */
    @Override
    Repository afterLoss() {
        return place.open();
    }

    /** No writer waits for those of other processes, so this one changes the branch when the other stops. */
    @Test
    @Override
    void whoLosesManyRacesHoldsTheLock() {
        Cid value = Block.of(Cid.RAW, new byte[] {1}).cid();
        int[] calls = {0};
        try (Repository other = another();
                Repository own = another()) {
            own.update("main", pail -> {
                if (calls[0]++ < 20) {
                    Pail unusedPail = other.update("main", before -> before.put("theirs " + calls[0], value))
                            .pail();
                }
                return pail.put("ours", value);
            });
            assertThat(calls[0]).isEqualTo(21);
            assertThat(other.snapshot("main").generation()).isEqualTo(21);
            assertThat(other.pail().get("ours")).isPresent();
        }
    }

    /** It writes 160 MiB before it is refused. */
    @Test
    @Tag("stress")
    @Override
    void fewShardsWithMoreKeysThanAnybodyCanGoThroughMakeNoEvents() {
        super.fewShardsWithMoreKeysThanAnybodyCanGoThroughMakeNoEvents();
    }
}
