package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.CachedBlock;
import dev.pail.segment.format.Location;
import dev.pail.segment.format.RecordHeader;
import dev.pail.segment.format.RecordRef;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriteCacheTest {
    private static final int SIZE = 1000;
    private static final int WEIGHT = SIZE + CachedBlock.OVERHEAD;

    private final WriteCache writeCache = new WriteCache(3 * WEIGHT, 2 * SIZE);
    private final List<RecordRef> all = new ArrayList<>();

    private RecordRef hold(int size) {
        Block block = Block.of(Cid.RAW, new byte[size]);
        RecordRef stored = new RecordRef(
                new Location(0, 32 + 2000L * all.size(), size + 50),
                new RecordHeader.BlockContent(block.cid(), null, 0, size));
        all.add(stored);
        stored.cache(new CachedBlock(new byte[size], 0, block));
        writeCache.add(stored);
        return stored;
    }

    private List<Integer> cached() {
        List<Integer> cached = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).cached() != null) {
                cached.add(i);
            }
        }
        return cached;
    }

    @Test
    void theOldestGoes() {
        for (int i = 0; i < 5; i++) {
            hold(SIZE);
        }
        assertThat(cached()).containsExactly(2, 3, 4);
        hold(SIZE + 1);
        assertThat(cached()).containsExactly(4, 5);
    }

    @Test
    void whatWasUsedStaysOnce() {
        hold(SIZE);
        RecordRef used = hold(SIZE);
        assertThat(writeCache.use(used)).isSameAs(used.cached()).isNotNull();
        hold(SIZE);
        hold(SIZE);
        hold(SIZE);
        assertThat(cached()).containsExactly(1, 3, 4);
        hold(SIZE);
        assertThat(cached()).containsExactly(1, 4, 5);
        hold(SIZE);
        assertThat(cached()).containsExactly(4, 5, 6);
        assertThat(writeCache.use(used)).isNull();
    }

    @Test
    void aLargeBlockIsNotKept() {
        hold(SIZE);
        hold(2 * SIZE + 1);
        assertThat(cached()).containsExactly(0);
        hold(2 * SIZE);
        assertThat(cached()).containsExactly(0, 2);
    }

    @Test
    void allIsForgotten() {
        hold(SIZE);
        hold(SIZE);
        writeCache.clear();
        assertThat(cached()).isEmpty();
        for (int i = 0; i < 4; i++) {
            hold(SIZE);
        }
        assertThat(cached()).containsExactly(3, 4, 5);
    }
}
