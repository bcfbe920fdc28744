package example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pail.Pail;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.table.Tables;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConsumerTest {
    @Test
    void aValueComesBack() {
        Cid value = Block.of(Cid.RAW, new byte[] {1}).cid();
        Pail pail = Pail.create(new MemoryBlockStore()).put("key", value);

        assertEquals(value, pail.get("key").orElseThrow());
        assertEquals(List.of(), Tables.of(Pail.create(new MemoryBlockStore())).list());
    }
}
