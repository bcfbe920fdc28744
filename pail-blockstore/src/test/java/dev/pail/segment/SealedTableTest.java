package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.disk.Disk;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.Index;
import dev.pail.segment.format.Location;
import dev.pail.segment.format.OpenIndex;
import dev.pail.segment.format.SealedIndex;
import dev.pail.segment.format.SegmentFile;
import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealedTableTest {
    private static final int MOST_ENTRIES = 300;

    @TempDir
    Path folder;

    /** A CID with a SHA2-256 digest; of some, the last eight bytes are those of others, or numbers that follow each other. */
    private static Cid cid(Random random) {
        byte[] bytes = new byte[36];
        random.nextBytes(bytes);
        bytes[0] = 1;
        bytes[1] = (byte) Cid.RAW;
        bytes[2] = (byte) Cid.SHA2_256;
        bytes[3] = 32;
        if (random.nextInt(3) == 0) {
            for (int i = 28; i < 35; i++) {
                bytes[i] = 0;
            }
        }
        return Cid.fromBytes(bytes);
    }

    private View.Segment segment(int number, Index index) throws IOException {
        Path path = folder.resolve(number + ".seg");
        Files.write(path, SegmentFile.beginning(number, 0));
        SegmentFile file = SegmentFile.open(Disk.system(), path, number);
        file.close();
        return new View.Segment(file, index, List.of());
    }

    private View.Segment sealed(int number, Random random, List<Cid> cids) throws IOException {
        Map<Cid, Location> locations = new HashMap<>();
        for (int i = random.nextInt(MOST_ENTRIES); i > 0; i--) {
            Cid cid = !cids.isEmpty() && random.nextInt(4) == 0 ? cids.get(random.nextInt(cids.size())) : cid(random);
            locations.put(cid, new Location(number, 100L * i, 100));
            cids.add(cid);
        }
        return segment(number, SealedIndex.of(locations));
    }

    private static View view(List<View.Segment> segments) {
        return new View(List.copyOf(segments), null, List.of(), segments.size());
    }

    private static boolean mayHave(View.Segment segment, Cid cid) {
        try {
            return !(segment.index() instanceof SealedIndex)
                    || !segment.index().find(cid).isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the candidates are few; compares them with a search of each index. */
    private static boolean check(SealedTable table, View view, Cid cid) throws IOException {
        List<View.Segment> found = table.candidates(view, cid);

        assertThat(view.segments()).containsAll(found);
        assertThat(found)
                .containsAll(view.segments().stream()
                        .filter(segment -> mayHave(segment, cid))
                        .toList())
                .doesNotHaveDuplicates()
                .isSortedAccordingTo(Comparator.comparingInt(each -> each.file().segmentNumber()));
        return found.stream().allMatch(segment -> mayHave(segment, cid));
    }

    @Test
    void allSegmentsThatMayHaveABlockAreFound_SEG15() throws IOException {
        Random random = Randomness.random("SealedTableTest");
        int few = 0;
        int all = 0;
        for (int round = 0; round < Randomness.times(20, 500); round++) {
            SealedTable table = new SealedTable();
            List<View.Segment> segments = new ArrayList<>();
            List<Cid> cids = new ArrayList<>();
            List<View> views = new ArrayList<>();
            for (int number = 0; number < 60; number++) {
                segments.add(random.nextInt(10) == 0 ? segment(number, new OpenIndex()) : sealed(number, random, cids));
                // As after a compaction.
                if (random.nextInt(20) == 0) {
                    segments.removeIf(segment -> random.nextInt(3) > 0);
                }
                views.add(view(segments));
                for (int i = 0; i < 40; i++) {
                    View view = views.get(random.nextInt(4) == 0 ? random.nextInt(views.size()) : views.size() - 1);
                    boolean isOld = !cids.isEmpty() && random.nextBoolean();
                    Cid cid = isOld ? cids.get(random.nextInt(cids.size())) : cid(random);
                    if (view.segments().size() > 10) {
                        few += check(table, view, cid) ? 1 : 0;
                        all++;
                    } else {
                        check(table, view, cid);
                    }
                }
            }
        }
        assertThat(few).as("lookups with no other segments, of %d", all).isGreaterThan(all * 9 / 10);
    }

    /** Some of these keys have the same bits as another one beside them. */
    @Test
    void aSegmentIsFoundOnce_SEG15() throws IOException {
        Random random = Randomness.random("SealedTableTest, once");
        List<View.Segment> segments = new ArrayList<>();
        List<Cid> cids = new ArrayList<>();
        for (int number = 0; number < 4; number++) {
            Map<Cid, Location> locations = new HashMap<>();
            for (int i = 0; i < 150_000; i++) {
                Cid cid = cid(random);
                locations.put(cid, new Location(number, 100L * i, 100));
                cids.add(cid);
            }
            segments.add(segment(number, SealedIndex.of(locations)));
        }
        View view = view(segments);
        SealedTable table = new SealedTable();
        for (Cid cid : cids) {
            List<View.Segment> found = table.candidates(view, cid);
            assertThat(Set.copyOf(found).size()).isEqualTo(found.size());
        }
    }

    /** Threads with older views look up while another thread adds segments. */
    @Test
    void anOlderViewFindsItsSegmentsMeanwhile() throws Exception {
        Random random = Randomness.random("SealedTableTest, threads");
        ExecutorService readers = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < Randomness.times(10, 300); round++) {
                SealedTable table = new SealedTable();
                List<View.Segment> segments = new ArrayList<>();
                List<Cid> cids = new ArrayList<>();
                List<View> views = new ArrayList<>();
                for (int number = 0; number < 50; number++) {
                    segments.add(sealed(number, random, cids));
                    views.add(view(segments));
                }
                List<Future<?>> running = new ArrayList<>();
                for (int reader = 0; reader < 2; reader++) {
                    Random own = new Random(random.nextLong());
                    running.add(readers.submit(() -> {
                        for (int i = 0; i < 2_000; i++) {
                            check(table, views.get(10 + own.nextInt(5)), cids.get(own.nextInt(cids.size())));
                        }
                        return null;
                    }));
                }
                for (View view : views) {
                    for (Cid cid : cids.subList(0, 50)) {
                        check(table, view, cid);
                    }
                }
                for (Future<?> each : running) {
                    each.get();
                }
            }
        } finally {
            readers.shutdownNow();
        }
    }
}
