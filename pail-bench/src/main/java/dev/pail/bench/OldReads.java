package dev.pail.bench;

import dev.pail.Pail;
import dev.pail.bench.Step.Load;
import dev.pail.blockstore.Durability;
import dev.pail.blockstore.SegmentBlockStore;
import dev.pail.ipld.Cid;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * Lookups in versions of a pail, each by a handle that was opened by its root and has read nothing, and so with the time that it takes to
 * read and check the root. The files are in the memory of the operating system.
 */
final class OldReads {
    private static final long SEED = 20240703;

    /** Which version is looked at. */
    enum Version {
        NEWEST,
        OLD
    }

    /** What the store has read before. */
    enum Before {
        /** Nothing: it was just opened. */
        NOTHING("just opened"),
        /** What was looked up before, as far as it holds it. */
        OTHERS("in use");

        private final String title;

        Before(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }
    }

    private final Path folder;
    private final Trial.Options options;
    private final List<Step> steps;
    private final List<Cid> roots;
    private final Random random = new Random(SEED);

    /** Fills a store in a folder that is not there. */
    OldReads(Path folder, String format, Trial.Options options) {
        this.folder = folder;
        this.options = options;
        this.steps = Load.PUTS.steps(options.keys());
        try (PailHistory history =
                new PailHistory(() -> SegmentBlockStore.open(folder, Durability.NONE), Keeper.format(format))) {
            steps.forEach(history::apply);
            this.roots = history.roots();
        }
    }

    /** The name of a figure. */
    static String name(Version version, Before before, String what) {
        return version + " " + before + " " + what;
    }

    /** Medians and 99th percentiles in microseconds. */
    Map<String, Double> measure() {
        Map<String, Double> figures = new LinkedHashMap<>();
        for (Before before : Before.values()) {
            for (Version version : Version.values()) {
                options.warm(() -> {
                    List<Long> unused = lookups(version, before, options.lookups() / 5);
                });
                List<Long> nanos = lookups(version, before, options.lookups());
                Collections.sort(nanos);
                figures.put(name(version, before, "median"), nanos.get(nanos.size() / 2) / 1e3);
                figures.put(name(version, before, "99th"), nanos.get(nanos.size() * 99 / 100) / 1e3);
            }
        }
        return figures;
    }

    private List<Long> lookups(Version version, Before before, int count) {
        List<Long> nanos = new ArrayList<>();
        SegmentBlockStore blocks = open();
        try {
            for (int i = 0; i < count; i++) {
                if (before == Before.NOTHING) {
                    blocks.close();
                    blocks = open();
                }
                nanos.add(lookup(blocks, version == Version.NEWEST ? roots.size() : 1 + random.nextInt(roots.size())));
            }
            return nanos;
        } finally {
            blocks.close();
        }
    }

    /** A store that knows what is where. */
    private SegmentBlockStore open() {
        SegmentBlockStore blocks = SegmentBlockStore.open(folder);
        if (!blocks.has(roots.get(0))) {
            throw new IllegalStateException("the first root is not there");
        }
        return blocks;
    }

    /** Looks up a key of the version after {@code changes} changes. */
    private long lookup(SegmentBlockStore blocks, int changes) {
        Step step = steps.get(random.nextInt(changes));
        Cid root = roots.get(changes - 1);
        long start = System.nanoTime();
        Cid value = Pail.open(blocks, root).get(step.key()).orElseThrow();
        long nanos = System.nanoTime() - start;
        if (!Objects.equals(value, step.value())) {
            throw new IllegalStateException("another value of " + step.key() + " after " + changes + " changes");
        }
        return nanos;
    }
}
