package dev.pail.repository.files;

import java.util.function.LongConsumer;

/** Counts blocks and their bytes. Not for several threads. */
final class BlockCounter {
    private final LongConsumer progress;
    private long blocks;
    private long bytes;

    BlockCounter() {
        this(size -> {});
    }

    /** @param progress receives the size of each block, in bytes */
    BlockCounter(LongConsumer progress) {
        this.progress = progress;
    }

    void add(long size) {
        blocks++;
        bytes += size;
        progress.accept(size);
    }

    long blocks() {
        return blocks;
    }

    long bytes() {
        return bytes;
    }
}
