package dev.pail.segment;

import dev.pail.segment.format.Location;
import dev.pail.segment.format.RecordHeader;
import dev.pail.segment.format.Scan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Walks through the blocks of all segments, one segment at a time, in the order of their numbers. A compaction that removes segments
 * meanwhile copies their wanted blocks to segments of greater numbers. So the walk misses nothing, but may meet a block twice.
 */
final class SegmentWalk {
    /** The numbers of the segments in the view when the walk began, or when it last found the next one gone. */
    private final TreeSet<Integer> segmentNumbers = new TreeSet<>();

    /** The number of the last segment that was read; -1 before the first. */
    private int done = -1;

    private boolean repeated;
    private final Set<Scan.Damage> damages = new LinkedHashSet<>();
    private final Set<Scan.Damage> corrupt = new LinkedHashSet<>();
    private final Map<Integer, Chains> chains = new HashMap<>();

    /** The length of the chain of each delta in a segment. */
    private static final class Chains {
        private final long[] offsets;
        private final byte[] lengths;
        private int count;

        Chains(int most) {
            this.offsets = new long[most];
            this.lengths = new byte[most];
        }

        /** Adds a delta behind all others. */
        void add(long offset, int length) {
            offsets[count] = offset;
            lengths[count++] = (byte) Math.min(length, Byte.MAX_VALUE);
        }

        int of(long offset) {
            int found = Arrays.binarySearch(offsets, 0, count, offset);
            return found < 0 ? 0 : lengths[found];
        }
    }

    /** The blocks of the next segment; empty if there is none. After a failure, the same segment is the next one again. */
    Optional<List<StoredBlock>> next(View now) throws IOException {
        View.Segment segment = following(now);
        if (segment == null) {
            return Optional.empty();
        }
        int segmentNumber = segment.file().segmentNumber();
        Scan scan = segment.scan();
        List<Scan.Entry> entries = scan.entries();
        Chains here = new Chains((int)
                entries.stream().filter(entry -> entry.content().base() != null).count());
        chains.put(segmentNumber, here);
        List<StoredBlock> kept = new ArrayList<>(entries.size());
        for (Scan.Entry entry : entries) {
            RecordHeader.BlockContent content = entry.content();
            Location location = entry.location();
            int chain = 0;
            Location base = content.base();
            if (base != null) {
                Chains there = chains.get(base.segmentNumber());
                chain = 1 + (there == null ? 0 : there.of(base.offset()));
                here.add(location.offset(), chain);
            }
            kept.add(new StoredBlock(content.cid(), content.size(), location.size(), chain));
        }
        damages.addAll(scan.damages());
        corrupt.addAll(scan.corrupt());
        done = segmentNumber;
        return Optional.of(kept);
    }

    /** The next segment; null if there is none. */
    private View.@Nullable Segment following(View now) {
        Integer segmentNumber = segmentNumbers.higher(done);
        if (segmentNumbers.isEmpty() || (segmentNumber != null && now.segment(segmentNumber) == null)) {
            repeated |= done >= 0;
            segmentNumbers.clear();
            now.segments().forEach(segment -> segmentNumbers.add(segment.file().segmentNumber()));
            damages.addAll(now.lost());
            segmentNumber = segmentNumbers.higher(done);
        }
        return segmentNumber == null ? null : now.segment(segmentNumber);
    }

    Listing listed() {
        return new Listing(texts(damages), texts(corrupt), repeated);
    }

    private static List<String> texts(Set<Scan.Damage> places) {
        return places.stream().map(Scan.Damage::toString).toList();
    }
}
