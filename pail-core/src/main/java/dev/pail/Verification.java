package dev.pail;

import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a check of everything that is reachable from a root has found. Each shard is read from the block store and checked
 * against its CID and the rules of the format; each value that is in the block store is checked against its CID. Values
 * that are not there are no problem: a pail maps to CIDs, and what they name may be anywhere.
 *
 * @param shards the number of sound shard blocks
 * @param entries the number of entries in them
 * @param values the number of sound blocks that are values
 * @param bytes the size of all sound blocks together
 * @param problems what is wrong, in the order of the walk
 */
public record Verification(long shards, long entries, long values, long bytes, List<Problem> problems) {
    /**
     * Something that is wrong.
     *
     * @param isShard whether it should be a shard; or else it is a value
     * @param key what the keys of the shard start with; or the key of the value
     * @param cause the missing, corrupt or malformed block
     */
    public record Problem(boolean isShard, String key, BlockException cause) {
        /** The name of the block. */
        public Cid cid() {
            return cause.cid();
        }
    }

    public Verification {
        problems = List.copyOf(problems);
    }

    /** Whether nothing is wrong. */
    public boolean isSound() {
        return problems.isEmpty();
    }

    /** Checks all that is reachable from a root. Work and memory go with the number of different blocks. */
    public static Verification of(BlockStore blocks, Cid root) {
        return of(blocks, List.of(root));
    }

    /**
     * Checks all that is reachable from several roots, as those of versions of one map. What several of them reach is counted,
     * and told of, once. Work and memory go with the number of different blocks.
     */
    public static Verification of(BlockStore blocks, Collection<Cid> roots) {
        Walk walk = new Walk(blocks);
        roots.forEach(walk::run);
        return walk.result();
    }

    private static final class Walk {
        private final BlockStore blocks;
        private final ShardWalk<Cid> walk = new ShardWalk<>();
        private final Set<Cid> seenShards = new HashSet<>();

        /** The shards that earlier roots reach; with what the keys of each start with, where it can be in one place alone. */
        private final Map<Cid, String> earlier = new HashMap<>();

        private final Set<Cid> seenValues = new HashSet<>();
        private final List<Problem> problems = new ArrayList<>();
        private long shards;
        private long entries;
        private long values;
        private long bytes;

        Walk(BlockStore blocks) {
            this.blocks = blocks;
        }

        void run(Cid root) {
            try {
                Shards of = Pail.open(blocks, root).shards();
                shard(of, new ShardRef(root), KeyBytes.EMPTY);
                for (ShardWalk.Level<Cid> level = walk.innermost(); level != null; level = walk.innermost()) {
                    int entry = walk.next();
                    if (entry < 0) {
                        walk.leave();
                    } else {
                        entry(of, level.shard, entry);
                    }
                }
            } catch (BlockException e) {
                if (earlier.putIfAbsent(root, "") == null) {
                    problems.add(new Problem(true, "", e));
                }
            }
            seenShards.clear();
        }

        Verification result() {
            return new Verification(shards, entries, values, bytes, problems);
        }

        private void entry(Shards of, Shard shard, int entry) {
            if (shard.hasData(entry)) {
                entries++;
                value(shard.data(entry));
            }
            if (shard.hasShard(entry)) {
                shard(of, new ShardRef(shard.ref(entry).cid), walk.key());
            }
        }

        private void shard(Shards of, ShardRef ref, KeyBytes prefix) {
            try {
                if (!seenShards.add(ref.cid)) {
                    of.checkShared(ref);
                    return;
                }
                String place = of.format.isPrefixed() ? prefix.toString() : "";
                String known = earlier.putIfAbsent(ref.cid, place);
                if (known != null && known.equals(place)) {
                    return;
                }
                Shard shard = ShardDecoder.decode(of.format, Shards.block(blocks, ref.cid), prefix);
                shards++;
                bytes += shard.bytes.length;
                walk.enter(ref, shard, ref.cid);
            } catch (BlockException e) {
                problems.add(new Problem(true, prefix.toString(), e));
            }
        }

        private void value(Cid cid) {
            if (!blocks.has(cid) || !seenValues.add(cid)) {
                return;
            }
            try {
                bytes += Shards.block(blocks, cid).size();
                values++;
            } catch (BlockException e) {
                problems.add(new Problem(false, walk.key().toString(), e));
            } catch (UnsupportedHashException e) {
                // Not known to be sound, and not known to be anything else.
                return;
            }
        }
    }
}
