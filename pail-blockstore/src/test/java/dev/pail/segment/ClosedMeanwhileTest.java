package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The errors of readers whose store another thread closes meanwhile. */
class ClosedMeanwhileTest extends StoreInFolder {
    private static final Set<String> READS = Set.of("read", "size");
    private static final Block BLOCK = block(1, 100);
    private static final long SMALL = 50;
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
    void noFileStaysOpen() throws InterruptedException {
        putByAnother(SMALL, BLOCK, block(3, 100), block(4, 100));
        boolean reached = true;
        for (int at = 1; reached; at++) {
            AtomicInteger left = new AtomicInteger(at);
            AtomicInteger open = new AtomicInteger();
            Segments[] opened = new Segments[1];
            Thread closing = new Thread(() -> opened[0].close());
            Disk disk = counting(open, (call, file, made) -> {
                if (Thread.currentThread() != closing && left.decrementAndGet() == 0) {
                    closing.start();
                    while (closing.getState() != Thread.State.BLOCKED
                            && closing.getState() != Thread.State.TERMINATED) {
                        Thread.onSpinWait();
                    }
                }
                return made.make();
            });
            opened[0] = open(disk, SMALL);
            try {
                assertThat(opened[0].get(BLOCK.cid())).contains(BLOCK);
            } catch (IllegalStateException e) {
                assertThat(e).hasMessageContaining("closed");
            }
            reached = left.get() <= 0;
            closing.join();
            opened[0].close();
            assertThat(open).as("closed before call " + at).hasValue(0);
            assertThat(at > 3 || reached).isTrue();
        }
    }

    /** A reader may see the store open and then find it closed. */
    @Test
    void whatIsClosedOpensNothing() throws IOException {
        putByAnother(LARGE, BLOCK);
        AtomicInteger open = new AtomicInteger();
        Disk counted = counting(open, (call, file, made) -> made.make());
        CurrentView view = new CurrentView(counted, new Catalog(counted, folder));
        view.close();
        assertThatExceptionOfType(IOException.class).isThrownBy(view::found).withMessage("closed");
        assertThat(open).hasValue(0);
    }

    @Test
    void whereOneFileCannotBeClosedTheOthersAre() {
        putByAnother(SMALL, BLOCK, block(3, 100), block(4, 100));
        AtomicInteger open = new AtomicInteger();
        Disk disk = HookedDisk.of(counting(open, (call, file, made) -> made.make()), (call, file, made) -> {
            Object result = made.make();
            if (call.equals("close")) {
                throw new IOException("Input/output error");
            }
            return result;
        });
        Segments store = open(disk, SMALL);
        assertThat(store.get(BLOCK.cid())).contains(BLOCK);
        assertThat(open.get()).isGreaterThan(1);
        assertThatExceptionOfType(StoreIOException.class).isThrownBy(store::close);
        assertThat(open).hasValue(0);
    }

    @Test
    void whatOthersHaveWrittenIsLookedFor() {
        whileClosing(store -> {
            store.get(BLOCK.cid());
            store.renew();
        });
    }
}
