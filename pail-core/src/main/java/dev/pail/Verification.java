package dev.pail;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.shard.Cut;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.KeyInterval;
import dev.pail.shard.Layout;
import dev.pail.shard.Shard;
import dev.pail.shard.ShardRef;
import dev.pail.shard.Shards;
import dev.pail.walk.KnownEntries;
import dev.pail.walk.ShardWalk;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The result of a check of all blocks that a root reaches. The check reads each shard and compares it with its CID and the rules
 * of the format. It compares each value that is in the block store with its CID. A missing value is no problem, since the block of a
 * value may be stored elsewhere, unless the store has lost blocks and does not know which.
 *
 * <pre>{@code
 * Verification found = Verification.of(blocks, pail.root());
 * if (!found.isSound()) {
 *     found.problems().forEach(problem -> System.err.println(problem.key() + ": " + problem.cause().getMessage()));
 * }
 * }</pre>
 *
 * @param shards the number of sound shard blocks
 * @param entries the number of entries in them
 * @param values the number of sound blocks that are values
 * @param bytes the size of all sound blocks together
 * @param problems the problems, in the order of the walk
 */
public record Verification(long shards, long entries, long values, long bytes, List<Problem> problems) {
    /**
     * A problem with one block.
     *
     * @param isShard whether the block should be a shard; else it is a value
     * @param key the prefix of the shard, or the key of the value
     * @param cause the missing, corrupt or malformed block
     */
    public record Problem(boolean isShard, String key, BlockException cause) {
        public Problem {
            Objects.requireNonNull(key, "key");
            Objects.requireNonNull(cause, "cause");
        }

        /** The name of the block. */
        public Cid cid() {
            return cause.cid();
        }
    }

    public Verification {
        problems = List.copyOf(problems);
    }

    /** Whether there are no problems. */
    public boolean isSound() {
        return problems.isEmpty();
    }

    /** Checks all blocks that a root reaches. Work and memory are proportional to the number of different blocks. */
    public static Verification of(BlockStore blocks, Cid root) {
        Objects.requireNonNull(root, "root");
        return of(blocks, List.of(root));
    }

    /**
     * Checks the keys of a range below a root: the shards that can have such keys, and their values. Counts only the entries of the range.
     * Several checks whose ranges cover all keys check every shard; each check counts the shards that it reads. The direction of the range
     * makes no difference.
     *
     * <pre>{@code
     * Verification photos = Verification.of(blocks, pail.root(), KeyRange.prefix("photos/"));
     * }</pre>
     */
    public static Verification of(BlockStore blocks, Cid root, KeyRange range) {
        Objects.requireNonNull(root, "root");
        return of(new Walk(blocks, () -> {}, null, range.interval()), List.of(root));
    }

    /**
     * Checks all blocks that several roots reach, for example several versions of one map. Counts a block once, even if several roots
     * reach it, and reports each problem once. Work and memory are proportional to the number of different blocks.
     */
    public static Verification of(BlockStore blocks, Collection<Cid> roots) {
        return of(blocks, roots, () -> {});
    }

    /**
     * As {@link #of(BlockStore, Collection)}.
     *
     * @param progress is called before each shard and each value, for some perhaps several times. Its exceptions end the check
     */
    public static Verification of(BlockStore blocks, Collection<Cid> roots, Runnable progress) {
        return of(new Walk(blocks, progress, null, null), roots);
    }

    /**
     * As {@link #of(BlockStore, Collection)}, but passes the values to the caller, and reads and counts none of them.
     *
     * @param progress is called before each shard, for some perhaps several times
     */
    public static Verification of(BlockStore blocks, Collection<Cid> roots, Runnable progress, Values values) {
        return of(new Walk(blocks, progress, Objects.requireNonNull(values, "values"), null), roots);
    }

    private static Verification of(Walk walk, Collection<Cid> roots) {
        roots.forEach(walk::run);
        return walk.result();
    }

    /** Receives the values that a check reaches. */
    @FunctionalInterface
    public interface Values {
        /**
         * Receives a value. The same value may come several times.
         *
         * @param key returns its key; valid until this method returns
         */
        void value(Cid value, Supplier<String> key);
    }

    private static final class Walk {
        /** The place of shards below the root where they carry no prefix: wherever they are, the same is asked of them. */
        private static final String ANYWHERE = "anywhere below";

        private final BlockStore blocks;
        private final Runnable progress;
        private final @Nullable Values others;

        /** The keys to check; null for all. */
        private final @Nullable KeyInterval interval;

        /** The shards that lie partly in the interval. */
        private final Set<Place> parts = new HashSet<>();

        /** With an interval, the shards that lie in it as a whole: their entries are counted once. */
        private final Set<Cid> whole = new HashSet<>();

        /** On the path of a root; of each shard, whether its entries are counted. */
        private ShardWalk<Entered> walk = new ShardWalk<>();

        /** The shards that other versions have in the same place; null with an interval. */
        private final @Nullable KnownEntries known;

        private final Set<Cid> seenShards = new HashSet<>();

        /** What the shards that roots reach were checked for, by format. */
        private final Map<Layout, Set<Place>> checked = new HashMap<>();

        /** The shards of the last root that was read, whose format most others share. */
        private @Nullable Shards last;

        private final Set<Cid> refusedRoots = new HashSet<>();
        private final Set<Cid> counted = new HashSet<>();
        private final Set<Cid> seenValues = new HashSet<>();
        private final List<Problem> problems = new ArrayList<>();
        private long shards;
        private long entries;
        private long values;
        private long bytes;

        /**
         * A shard where it is: it can be sound in one place and not in another.
         *
         * @param prefix what the keys of the shard start with, if it can be in one place alone; empty for a root and for no other
         */
        private record Place(Cid shard, String prefix) {}

        /**
         * A shard on the path.
         *
         * @param counted whether its entries are counted
         * @param fresh the entries whose values are to be checked; null for all
         */
        private record Entered(boolean counted, @Nullable BitSet fresh) {
            boolean isFresh(int entry) {
                return fresh == null || fresh.get(entry);
            }
        }

        /**
         * @param others takes the values; null if they are checked here
         * @param interval the keys to look at; null for all
         */
        Walk(BlockStore blocks, Runnable progress, @Nullable Values others, @Nullable KeyInterval interval) {
            this.blocks = Objects.requireNonNull(blocks, "blocks");
            this.progress = Objects.requireNonNull(progress, "progress");
            this.others = others;
            this.interval = interval;
            this.known = interval == null ? new KnownEntries() : null;
        }

        void run(Cid root) {
            Shards of;
            Shard shard;
            try {
                Block block = ReadOnlyPail.rootBlock(blocks, root);
                shard = asLast(block);
                if (shard == null) {
                    last = ReadOnlyPail.shards(blocks, Layout.detect(block));
                    shard = last.decode(block, KeyBytes.EMPTY);
                }
                of = Objects.requireNonNull(last, "last");
            } catch (BlockException e) {
                if (refusedRoots.add(root)) {
                    problems.add(new Problem(true, "", e));
                }
                return;
            }
            Set<Place> places = checked.computeIfAbsent(of.layout, layout -> new HashSet<>());
            walk = new ShardWalk<>();
            seenShards.clear();
            ShardRef ref = new ShardRef(root);
            if (isDue(of, places, ref, KeyBytes.EMPTY)) {
                progress.run();
                enter(ref, shard, KeyBytes.EMPTY);
            }
            for (ShardWalk.Level<Entered> level = walk.innermost(); level != null; level = walk.innermost()) {
                int entry = next(level);
                if (entry < 0) {
                    walk.leave();
                } else {
                    entry(of, places, level, entry);
                }
            }
        }

        /** Decodes a root in the format of the root before, which most versions share; null if it has another or is malformed. */
        private @Nullable Shard asLast(Block root) {
            try {
                return last == null ? null : last.decode(root, KeyBytes.EMPTY);
            } catch (MalformedBlockException e) {
                // The detection of the format tells the two apart.
                return null;
            }
        }

        /** The next entry to look at, or -1. If a shard has no links, this passes over known entries, and counts them. */
        private int next(ShardWalk.Level<Entered> level) {
            BitSet fresh = level.kept.fresh;
            if (fresh != null && !level.shard.isLinked()) {
                int passed = walk.passTo(fresh);
                entries += level.kept.counted ? passed : 0;
            }
            return walk.next();
        }

        Verification result() {
            return new Verification(shards, entries, values, bytes, problems);
        }

        private void check(Cid value) {
            if (others == null) {
                value(value);
            } else {
                others.value(value, () -> walk.key().toString());
            }
        }

        private void entry(Shards of, Set<Place> places, ShardWalk.Level<Entered> level, int entry) {
            Shard shard = level.shard;
            if (shard.hasData(entry) && isIn(walk.key())) {
                entries += level.kept.counted ? 1 : 0;
                // The value of any other entry was checked for another version.
                if (level.kept.isFresh(entry)) {
                    check(shard.data(entry));
                }
            }
            if (shard.hasShard(entry) && isAnyIn(walk.key())) {
                shard(of, places, new ShardRef(shard.ref(entry).cid), walk.key());
            }
        }

        private boolean isIn(KeyBytes key) {
            return interval == null
                    || (interval.low().isBefore(key) && !interval.high().isBefore(key));
        }

        /** Whether any of the longer keys that start with a prefix can be looked at. */
        private boolean isAnyIn(KeyBytes prefix) {
            return interval == null
                    || (!interval.isEmpty()
                            && interval.low().compareTo(Cut.behind(prefix)) < 0
                            && interval.high().compareTo(Cut.after(prefix)) > 0);
        }

        /** Whether all of the longer keys that start with a prefix are looked at. */
        private boolean areAllIn(KeyBytes prefix) {
            return interval == null
                    || (interval.low().compareTo(Cut.after(prefix)) <= 0
                            && interval.high().compareTo(Cut.behind(prefix)) >= 0);
        }

        private void shard(Shards of, Set<Place> places, ShardRef ref, KeyBytes prefix) {
            try {
                if (!isDue(of, places, ref, prefix)) {
                    return;
                }
            } catch (BlockException e) {
                problems.add(new Problem(true, prefix.toString(), e));
                return;
            }
            // What is thrown there says nothing of the blocks.
            progress.run();
            try {
                enter(ref, of.decode(blocks.require(ref.cid), prefix), prefix);
            } catch (BlockException e) {
                problems.add(new Problem(true, prefix.toString(), e));
            }
        }

        private void enter(ShardRef ref, Shard shard, KeyBytes prefix) {
            boolean isNew = counted.add(ref.cid);
            shards += isNew ? 1 : 0;
            bytes += isNew && !seenValues.contains(ref.cid) ? shard.bytes.length : 0;
            boolean isCounted = interval == null ? isNew : !areAllIn(prefix) || whole.add(ref.cid);
            walk.enter(ref, shard, new Entered(isCounted, known == null ? null : known.fresh(shard, prefix)));
        }

        /** Whether a shard was not checked yet where it is. */
        private boolean isDue(Shards of, Set<Place> places, ShardRef ref, KeyBytes prefix) {
            if (!areAllIn(prefix)) {
                // In another place, other keys of it may be looked at.
                return parts.add(new Place(ref.cid, prefix.toString()));
            }
            if (!seenShards.add(ref.cid)) {
                of.checkShared(ref);
                return false;
            }
            String place = prefix.isEmpty() || of.layout.isPrefixed() ? prefix.toString() : ANYWHERE;
            return places.add(new Place(ref.cid, place));
        }

        private void value(Cid cid) {
            if (seenValues.contains(cid)) {
                return;
            }
            progress.run();
            try {
                if (blocks.has(cid)) {
                    seenValues.add(cid);
                    int size = blocks.require(cid).size();
                    bytes += counted.contains(cid) ? 0 : size;
                    values++;
                }
            } catch (BlockException e) {
                // Where a store has lost blocks and cannot know which, that it does not have one is a problem, too.
                seenValues.add(cid);
                problems.add(new Problem(false, walk.key().toString(), e));
            } catch (UnsupportedHashException e) {
                // Not known to be sound, and not known to be anything else.
                return;
            }
        }
    }
}
