package dev.pail.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.CorruptBlockException;
import dev.pail.PailException;
import dev.pail.ShardFormat;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.testkit.repository.RepositoryBlocksContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresBlocksTest extends RepositoryBlocksContract {
    private final PGSimpleDataSource source =
            TestServer.get().source(TestServer.get().newDatabase());

    private final PostgresStorage storage = TestServer.storage(source, PostgresStorage.PATIENCE);

    @Override
    protected RepositoryBlocks newStore() {
        Repository unused = storage.init("r", ShardFormat.v1());
        return storage.blocks("r");
    }

    /** The clock of the server cannot be set, so the rows become older. */
    @Override
    protected void pass(Duration time) {
        String earlier = " - interval '" + time.toSeconds() + " seconds'";
        TestServer.execute(
                source, "update pail_block set put_at = put_at" + earlier + ", condemned_at = condemned_at" + earlier);
    }

    @Test
    void aDamagedRowIsRefusedAndAPutMendsIt_PG3_PG4() {
        Block block = Block.of(Cid.RAW, new byte[] {1, 2, 3});
        RepositoryBlocks blocks = (RepositoryBlocks) opened();
        blocks.put(block);
        TestServer.execute(source, "update pail_block set bytes = '\\x010204'");
        blocks.renew();
        assertThatExceptionOfType(CorruptBlockException.class).isThrownBy(() -> blocks.get(block.cid()));
        assertThatExceptionOfType(CorruptBlockException.class)
                .isThrownBy(() -> blocks.getAll(
                        List.of(block.cid(), Block.of(Cid.RAW, new byte[1]).cid())));
        List<PailException> damaged = new ArrayList<>();
        blocks.check(damaged::add, () -> {});
        assertThat(damaged).hasSize(1);

        blocks.put(block);
        assertThat(blocks.get(block.cid())).contains(block);
    }

    /** Rule PG3. A repository never has the blocks of another one. */
    @Test
    void repositoriesAreApart_PG3() {
        Block block = Block.of(Cid.RAW, new byte[] {1, 2, 3});
        opened().put(block);
        try (Repository other = storage.init("other", ShardFormat.v1())) {
            assertThat(other.blocks().has(block.cid())).isFalse();
            assertThat(other.blocks().get(block.cid())).isEmpty();
            assertThat(other.blocks().getAll(List.of(block.cid()))).isEmpty();
        }
        assertThat(storage.repositories()).containsExactly("other", "r");
    }
}
