package dev.pail.s3;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.RefChangedException;
import dev.pail.trace.Trace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Makes one pack of many alike, so that a reader has few indexes to read. The objects of the old ones stay until a collection deletes them.
 * Rule OS8.
 */
record PackMerge(Ledger ledger, Packs packs) {
    /** How many packs of a size there are at least before some are merged. */
    private static final int LEAST = 32;

    /** How many there are at least, if together they have more than {@link #MOST_BYTES}. */
    private static final int LEAST_LARGE = 4;

    /** How many bytes a merged pack has at most. */
    private static final long MOST_BYTES = 16 << 20;

    /** The sizes below which packs are alike. Larger ones stay as they are. */
    private static final long[] SIZES = {128 << 10, 1 << 20, 8 << 20};

    /** Merges what there is to merge. */
    void run() {
        try {
            long above = 0;
            for (long size : SIZES) {
                long from = above;
                List<Pack> alike = new ArrayList<>(ledger.known().live().stream()
                        .filter(pack -> pack.size() >= from && pack.size() < size)
                        .toList());
                // The oldest first.
                Collections.reverse(alike);
                merge(alike);
                above = size;
            }
        } catch (RuntimeException e) {
            // The change before it is made, so it must not fail here. A later commit does it.
            Trace.swallowed("packs are not merged", e);
        }
    }

    private void merge(List<Pack> alike) {
        long sum = alike.stream().mapToLong(Pack::size).sum();
        if (alike.size() < LEAST && (alike.size() < LEAST_LARGE || sum <= MOST_BYTES)) {
            return;
        }
        List<Pack> chosen = new ArrayList<>();
        long bytes = 0;
        long blocks = 0;
        for (Pack each : alike) {
            bytes += each.size();
            blocks += each.blocks();
            if (bytes > MOST_BYTES || blocks > PackFile.MOST_BLOCKS) {
                break;
            }
            chosen.add(each);
        }
        if (chosen.size() < 2) {
            return;
        }
        Map<Cid, Block> all = new LinkedHashMap<>();
        List<Supplier<List<Block>>> reads = new ArrayList<>();
        chosen.forEach(pack -> reads.add(() -> packs.all(pack)));
        ledger.fetches()
                .all(reads)
                .forEach(some -> some.forEach(block -> all.put(block.cid().raw(), block)));
        Instant stamp = chosen.stream().map(Pack::stamp).max(Instant::compareTo).orElseThrow();
        boolean unused = ledger.inTransaction(() -> merged(chosen, all, stamp), e -> e);
        chosen.forEach(packs::forget);
    }

    private boolean merged(List<Pack> chosen, Map<Cid, Block> all, Instant stamp) {
        Transaction own = Objects.requireNonNull(ledger.transaction());
        for (Pack each : chosen) {
            if (!each.equals(own.base().packs().get(each.name()))) {
                throw new RefChangedException(each.name(), "another pack");
            }
            own.merge(each.name());
        }
        ledger.upload(own, PackFile.make(PackFile.newName(own.base().number() + 1), all.values(), stamp));
        return true;
    }
}
