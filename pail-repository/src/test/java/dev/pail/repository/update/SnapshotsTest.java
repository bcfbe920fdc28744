package dev.pail.repository.update;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Pail;
import dev.pail.ShardCache;
import dev.pail.ShardFormat;
import dev.pail.SharedShards;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.disk.CrashDisk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The memory that an open repository takes for many branches. */
class SnapshotsTest {
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    private final Repository repository =
            FileRepository.init(new CrashDisk(), Path.of("/r"), ShardFormat.v1(), BlockStorage.FILES);

    @AfterEach
    void close() {
        repository.close();
    }

    private void branches(int count) {
        for (int i = 0; i < count; i++) {
            repository.branches().create("b" + i, repository.snapshot("main").head());
        }
    }

    @Test
    void allPailsShareOneCache() {
        repository.update("main", pail -> pail.put("a", VALUE));
        branches(2);
        Pail first = repository.pail("b0");
        assertThat(cache(first))
                .isSameAs(((SharedShards) repository.blocks()).shardCache())
                .isSameAs(cache(repository.pail("b1")))
                .isSameAs(cache(
                        repository.update("b1", pail -> pail.put("b", VALUE)).pail()));
    }

    private static ShardCache cache(Pail pail) {
        return ((SharedShards) pail.blocks()).shardCache();
    }

    @Test
    void thoseThatWereAskedForLatelyAreKept() {
        repository.update("main", pail -> pail.put("a", VALUE));
        branches(Snapshots.MOST_CACHED + 1);
        List<Pail> first = new ArrayList<>();
        for (int i = 0; i <= Snapshots.MOST_CACHED; i++) {
            first.add(repository.pail("b" + i));
            assertThat(repository.pail("b0")).isSameAs(first.get(0));
        }
        assertThat(repository.pail("b2")).isSameAs(first.get(2));
        assertThat(repository.pail("b1")).isNotSameAs(first.get(1));
    }
}
