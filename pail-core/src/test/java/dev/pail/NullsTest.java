package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.Operation;
import dev.pail.clock.ReplicatedBatch;
import dev.pail.clock.ReplicatedPail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.UnsafeBlocks;
import dev.pail.keys.KeyCodec;
import dev.pail.keys.Name;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Null is refused at once. */
class NullsTest {
    @Test
    void nullIsRefusedAtOnce() throws Exception {
        MapBlocks blocks = new MapBlocks();
        Cid value = Block.of(Cid.RAW, new byte[1]).cid();
        ReplicatedPail replica = ReplicatedPail.create(blocks).put("key", value);
        Pail pail = replica.pail();
        Event event = replica.clock().event(replica.head().events().get(0));
        Map<Class<?>, Callable<?>> samples = new HashMap<>();
        samples.put(String.class, () -> "key");
        samples.put(String[].class, () -> new String[0]);
        samples.put(byte[].class, () -> new byte[1]);
        samples.put(BigInteger.class, () -> BigInteger.ONE);
        samples.put(List.class, List::of);
        samples.put(Set.class, Set::of);
        samples.put(Map.class, Map::of);
        samples.put(Collection.class, List::of);
        samples.put(Optional.class, Optional::empty);
        samples.put(Function.class, Function::identity);
        samples.put(Cid.class, event::cid);
        samples.put(Block.class, event::block);
        samples.put(BlockException.class, () -> new MissingBlockException(event.cid()));
        samples.put(MessageDigest.class, UnsafeBlocks::sha256);
        samples.put(DagCborWriter.class, DagCborWriter::new);
        samples.put(BlockStore.class, () -> blocks);
        samples.put(ShardFormat.class, ShardFormat::v0);
        samples.put(Pail.class, () -> pail);
        samples.put(Batch.class, pail::batch);
        samples.put(KeyRange.class, KeyRange::all);
        samples.put(MergePolicy.class, MergePolicy::fail);
        samples.put(Name.class, () -> Name.of("name"));
        samples.put(NameRange.class, NameRange::all);
        samples.put(Namespace.class, () -> pail.namespace("name"));
        samples.put(KeyCodec.class, KeyCodec::lengthPrefixed);
        samples.put(Event.class, () -> event);
        samples.put(Operation.class, event::operation);
        samples.put(Head.class, replica::head);
        samples.put(MerkleClock.class, replica::clock);
        samples.put(ReplicatedPail.class, () -> replica);
        samples.put(ReplicatedBatch.class, replica::batch);
        assertThat(new Nulls(samples).taken("dev.pail", "dev.pail.clock", "dev.pail.ipld", "dev.pail.keys"))
                .isEmpty();
    }
}
