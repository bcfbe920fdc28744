package dev.pail.car;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.Pail;
import dev.pail.ShardView;
import dev.pail.clock.Event;
import dev.pail.clock.MerkleClock;
import dev.pail.dag.CidSet;
import dev.pail.dag.Link;
import dev.pail.dag.Links;
import dev.pail.dag.Seen;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.segment.format.DamageException;
import dev.pail.segment.format.Delta;
import dev.pail.segment.format.Input;
import dev.pail.segment.format.Output;
import dev.pail.unsafe.UnsafeBlocks;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a CAR in which a section may stand for a block by its difference to another, its base (Rule CAR13): the shard at the same place of the version that
 * an event follows. So a change of a large shard takes about the bytes that it changes. For one use.
 */
final class DeltaSections {
    /** A smaller block is written whole: a delta would not be much smaller. In bytes. */
    private static final int SMALLEST = 160;

    private static final int MAX_SIZE_BYTES = 4;

    private final BlockStore blocks;
    private final CarWriter writer;
    private final @Nullable Seen earlier;
    private final CidSet written = new CidSet();

    /** By shards that are due: the shards that they replace. */
    private final Map<Cid, Cid> bases = new HashMap<>();

    /** @param earlier what the receiver has; null if that is nothing */
    DeltaSections(BlockStore blocks, CarWriter writer, @Nullable Seen earlier) {
        this.blocks = blocks;
        this.writer = writer;
        this.earlier = earlier;
    }

    /** The name of a section that is a delta: an identity CID, which no other section needs, with the CIDs of the block and its base. */
    static Cid name(Cid block, Cid base) {
        ByteArrayOutputStream name = new ByteArrayOutputStream();
        name.writeBytes(block.toBytes());
        name.writeBytes(base.toBytes());
        return Cid.ofIdentity(Cid.RAW, name.toByteArray());
    }

    void write(Block block) {
        if (Links.isEvent(block)) {
            note(block);
        }
        Cid base = bases.remove(block.cid());
        byte[] delta = base == null || block.size() < SMALLEST || !isThere(base) ? null : delta(block, base);
        if (base == null || delta == null) {
            writer.write(block);
        } else {
            writer.writeDelta(block.cid(), base, delta);
        }
        written.add(block.cid());
    }

    private boolean isThere(Cid base) {
        return written.contains(base) || (earlier != null && earlier.contains(new Link(base, Link.Role.SHARD)));
    }

    private byte @Nullable [] delta(Block block, Cid base) {
        byte[] target = UnsafeBlocks.bytes(block);
        byte[] delta = Delta.of(UnsafeBlocks.bytes(blocks.require(base)), target, target.length * 3 / 4);
        if (delta == null) {
            return null;
        }
        return new Output(MAX_SIZE_BYTES + delta.length)
                .varint(target.length)
                .write(delta)
                .toBytes();
    }

    /** Notes which shards of the version of an event replace others. If they cannot be read, all are written whole. */
    private void note(Block block) {
        bases.clear();
        try {
            Event event = Event.fromBlock(block);
            if (!event.parents().isEmpty()) {
                Cid before = MerkleClock.open(blocks).root(event.parents().get(0));
                align(
                        Pail.open(blocks, before).shard(),
                        Pail.open(blocks, event.root()).shard());
            }
        } catch (BlockException e) {
            // The walk comes to the same block, if it is needed, and says what is wrong.
            return;
        }
    }

    /** Pairs the shards that are at the same place. */
    private void align(ShardView before, ShardView after) {
        Deque<Map.Entry<ShardView, ShardView>> due = new ArrayDeque<>();
        due.add(Map.entry(before, after));
        for (Map.Entry<ShardView, ShardView> pair = due.poll(); pair != null; pair = due.poll()) {
            Cid later = pair.getValue().cid();
            if (pair.getKey().cid().equals(later)
                    || bases.putIfAbsent(later, pair.getKey().cid()) != null) {
                continue;
            }
            Map<String, ShardView> below = new HashMap<>();
            pair.getKey().items().forEach(item -> item.shard().ifPresent(shard -> below.put(item.shardKey(), shard)));
            pair.getValue()
                    .items()
                    .forEach(item -> item.shard().ifPresent(shard -> {
                        ShardView old = below.get(item.shardKey());
                        if (old != null && !old.cid().equals(shard.cid())) {
                            due.add(Map.entry(old, shard));
                        }
                    }));
        }
    }

    /** The block and the base that the name of a section has. */
    record Named(Cid block, Cid base) {
        /** Of the name of a section; null if it is no delta. */
        static @Nullable Named of(Cid section) {
            if (section.hashFunction() != Cid.IDENTITY || section.codec() != Cid.RAW) {
                return null;
            }
            byte[] both = section.digest();
            try {
                int first = Cid.lengthAt(both, 0, both.length);
                int second = Cid.lengthAt(both, first, both.length);
                return first + second == both.length
                        ? new Named(Cid.fromBytes(both, 0, first), Cid.fromBytes(both, first, both.length))
                        : null;
            } catch (MalformedDataException e) {
                return null;
            }
        }

        /**
         * The bytes of the block, which are not compared with its CID yet.
         *
         * @throws DamageException if the delta is none for this base, or makes more than a block may have
         */
        byte[] apply(Block baseBlock, byte[] payload) throws DamageException {
            Input in = new Input(payload, 0, payload.length);
            int size = in.varint(Block.MAX_SIZE);
            int at = in.position();
            if (at > MAX_SIZE_BYTES) {
                throw new DamageException("a size of more than " + MAX_SIZE_BYTES + " bytes");
            }
            byte[] delta = Arrays.copyOfRange(payload, at, payload.length);
            return Delta.apply(UnsafeBlocks.bytes(baseBlock), delta, size);
        }
    }
}
