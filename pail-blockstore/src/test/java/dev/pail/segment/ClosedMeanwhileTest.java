package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.pail.disk.Disk;
import dev.pail.disk.HookedDisk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What is told to who reads a store that another thread closes meanwhile. */
class ClosedMeanwhileTest extends StoreInFolder {
    private static final Set<String> READS = Set.of("read", "size");
    private static final Block BLOCK = block(1, 100);
    private static final Cid MISSING = block(2, 7).cid();

    /** Closes a store before each call that reads of its files, the first time the first one. */
    private void whileClosing(Consumer<Segments> action) {
        putByAnother(LARGE, BLOCK);
        boolean reached = true;
        for (int at = 1; reached; at++) {
            AtomicInteger left = new AtomicInteger(at);
            Segments[] opened = new Segments[1];
            Disk disk = HookedDisk.telling(Disk.system(), (call, file) -> {
                if (READS.contains(call) && left.decrementAndGet() == 0) {
                    opened[0].close();
                }
            });
            try (Segments store = open(disk, LARGE)) {
                opened[0] = store;
                try {
                    action.accept(store);
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessageContaining("closed").hasMessageContaining(folder.toString());
                }
                reached = left.get() <= 0;
                if (reached) {
                    assertThatIllegalStateException().isThrownBy(() -> store.get(BLOCK.cid()));
                }
            }
            assertThat(at > 1 || reached).isTrue();
        }
    }

    @Test
    void aBlockIsRead() {
        whileClosing(store -> assertThat(store.get(BLOCK.cid())).contains(BLOCK));
    }

    @Test
    void aBlockIsLookedFor() {
        whileClosing(store -> assertThat(store.has(BLOCK.cid())).isTrue());
        whileClosing(store -> assertThat(store.has(MISSING)).isFalse());
    }

    @Test
    void allBlocksAreListed() {
        whileClosing(store -> store.forEach(kept -> assertThat(kept.cid()).isEqualTo(BLOCK.cid())));
    }

    @Test
    void whatOthersHaveWrittenIsLookedFor() {
        whileClosing(store -> {
            store.get(BLOCK.cid());
            store.renew();
        });
    }
}
