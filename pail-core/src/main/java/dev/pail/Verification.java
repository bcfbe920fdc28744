package dev.pail;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
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
     * @param cid the name of the block
     * @param isShard whether it should be a shard; or else it is a value
     * @param key what the keys of the shard start with; or the key of the value
     * @param cause the missing, corrupt or malformed block
     */
    public record Problem(Cid cid, boolean isShard, String key, PailException cause) {}

    public Verification {
        problems = List.copyOf(problems);
    }

    /** Whether nothing is wrong. */
    public boolean isSound() {
        return problems.isEmpty();
    }

    /** Checks all that is reachable from a root. Work and memory go with the number of different blocks. */
    public static Verification of(BlockStore blocks, Cid root) {
        return new Walk(blocks).run(root);
    }

    private static final class Walk {
        private record Due(ShardRef ref, KeyBytes prefix) {}

        private final BlockStore blocks;
        private final Deque<Due> due = new ArrayDeque<>();
        private final Set<Cid> seenShards = new HashSet<>();
        private final Set<Cid> seenValues = new HashSet<>();
        private final List<Problem> problems = new ArrayList<>();
        private long shards;
        private long entries;
        private long values;
        private long bytes;

        Walk(BlockStore blocks) {
            this.blocks = blocks;
        }

        Verification run(Cid root) {
            try {
                Pail pail = Pail.open(blocks, root);
                due.push(new Due(new ShardRef(root), KeyBytes.EMPTY));
                while (!due.isEmpty()) {
                    shard(pail.format(), due.pop());
                }
            } catch (MissingBlockException | CorruptBlockException | MalformedShardException e) {
                problems.add(new Problem(root, true, "", e));
            }
            return new Verification(shards, entries, values, bytes, problems);
        }

        private void shard(ShardFormat format, Due at) {
            Cid cid = at.ref.cid;
            Shard shard;
            try {
                shard = ShardDecoder.decode(format, Shards.block(blocks, cid), at.prefix);
            } catch (MissingBlockException | CorruptBlockException | MalformedShardException e) {
                problems.add(new Problem(cid, true, at.prefix.toString(), e));
                return;
            }
            // Where a shard is linked to again, it must be right for that place, too. What is below it was checked.
            if (!seenShards.add(cid)) {
                return;
            }
            shards++;
            bytes += shard.bytes.length;
            for (int entry = shard.count() - 1; entry >= 0; entry--) {
                KeyBytes key = at.prefix.append(shard.key(entry));
                if (shard.hasShard(entry)) {
                    due.push(new Due(new ShardRef(shard.ref(entry).cid), key));
                }
                if (shard.hasData(entry)) {
                    entries++;
                    value(shard.data(entry), key);
                }
            }
        }

        private void value(Cid cid, KeyBytes key) {
            if (!blocks.has(cid) || !seenValues.add(cid)) {
                return;
            }
            try {
                bytes += blocks.get(cid).map(Block::size).orElse(0);
                values++;
            } catch (CorruptBlockException e) {
                problems.add(new Problem(cid, false, key.toString(), e));
            } catch (UnsupportedHashException e) {
                // Not known to be sound, and not known to be anything else.
                return;
            }
        }
    }
}
