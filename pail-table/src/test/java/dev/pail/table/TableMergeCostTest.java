package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.BlockStore;
import dev.pail.MergePolicy;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How many blocks a merge of tables reads. */
class TableMergeCostTest {
    private static final FieldPath FIELD = FieldPath.parse("n");
    private static final int CHANGES = 4;

    /** Counts reads. */
    private static final class Counting implements BlockStore {
        private final BlockStore blocks = new MemoryBlockStore();
        private int reads;

        @Override
        public Optional<Block> get(Cid cid) {
            reads++;
            return blocks.get(cid);
        }

        @Override
        public void putAll(Collection<Block> all) {
            blocks.putAll(all);
        }

        @Override
        public boolean has(Cid cid) {
            return blocks.has(cid);
        }

        @Override
        public void close() {
            blocks.close();
        }
    }

    private final Counting blocks = new Counting();

    private Pail rows(Pail pail, int first, int count, int step, int version) {
        TableBatch batch = Tables.of(pail).batch();
        for (int i = 0; i < count; i++) {
            int row = first + i * step;
            batch.put("t", "row" + row, Document.parse("{\"n\":" + row + ",\"version\":" + version + "}"));
        }
        return batch.commit().pail();
    }

    private int reads(int rows) {
        Pail empty = Tables.of(Pail.create(blocks, ShardFormat.v1()))
                .create("t")
                .createIndex(FIELD)
                .pail();
        Pail base = rows(empty, 0, rows, 1, 0);
        Pail ours = rows(base, 1, CHANGES, rows / CHANGES, 1);
        Pail theirs = rows(base, 2, CHANGES, rows / CHANGES, 2);
        blocks.reads = 0;
        Repair merged = TableMerge.of(
                        Pail.open(blocks, base.root()),
                        Pail.open(blocks, ours.root()),
                        Pail.open(blocks, theirs.root()))
                .by(MergePolicy.fail());
        int reads = blocks.reads;
        assertThat(merged.tables()
                        .table("t")
                        .rows()
                        .filter(row -> !row.cid()
                                .equals(Document.parse("{\"n\":" + row.id().substring(3) + ",\"version\":0}")
                                        .cid())))
                .hasSize(2 * CHANGES);
        return reads;
    }

    @Test
    void readsGrowWithChangesAndNotWithRows_R5_R6() {
        int few = reads(1_000);
        int many = reads(16_000);
        assertThat(many).isLessThan(2 * few);
    }
}
