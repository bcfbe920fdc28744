package dev.pail.bench;

import dev.pail.Batch;
import dev.pail.Entry;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.bench.Entries.Order;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Cid;
import dev.pail.proof.Answer;
import dev.pail.proof.Proof;
import dev.pail.proof.Query;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** The operations of a pail over a memory store, one at a time. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "-Xmx4g")
public class PailBenchmark {
    private static final int PROOFS = 100;

    /** The format of the pail. */
    @Param({"v0", "v1"})
    public String format = "v0";

    /** The kind of keys. */
    @Param
    public KeySet set = KeySet.W1;

    /** The number of keys in the pail. */
    @Param({"10000", "100000"})
    public int size;

    private Entries entries = new Entries(List.of(), List.of());
    private Entries others = entries;
    private Pail empty = Pail.create(new MemoryBlockStore());
    private Pail full = empty;
    private Pail changed = empty;
    private List<byte[]> sent = List.of();
    private int next;

    /** Fills the pail with every second key of the set. */
    @Setup
    public void fill() {
        Entries all = Entries.of(set, 2 * size, Order.GIVEN);
        entries = all.first(size);
        others = new Entries(all.keys().subList(size, 2 * size), all.values().subList(size, 2 * size));
        empty = Pail.create(new MemoryBlockStore(), ShardFormat.named(format));
        full = all(empty.batch(), entries).commit();
        changed = all(full.batch(), others.first(100)).commit();
        sent = entries.keys().stream()
                .limit(PROOFS)
                .map(key -> full.prove(key).bytes())
                .toList();
    }

    private static Batch all(Batch batch, Entries entries) {
        for (int i = 0; i < entries.size(); i++) {
            batch.put(entries.keys().get(i), entries.values().get(i));
        }
        return batch;
    }

    private int next() {
        next = next + 1 < size ? next + 1 : 0;
        return next;
    }

    /** One more key, always into the same version. */
    @Benchmark
    public Pail put() {
        int i = next();
        return full.put(others.keys().get(i), others.values().get(i));
    }

    /** All keys at once into an empty pail. */
    @Benchmark
    public Pail batch() {
        return all(empty.batch(), entries).commit();
    }

    /** A key that is there. */
    @Benchmark
    public Optional<Cid> get() {
        return full.get(entries.keys().get(next()));
    }

    /** A key that is there, by a handle that was opened for it: so also what it takes to decode the shards on the way. */
    @Benchmark
    public Optional<Cid> coldGet() {
        return Pail.open(full.blocks(), full.root()).get(entries.keys().get(next()));
    }

    /** The root shard, decoded for a key that is not there. */
    @Benchmark
    public Optional<Cid> decode() {
        return Pail.open(full.blocks(), full.root()).get("!");
    }

    /** The proof of a key that is there. */
    @Benchmark
    public Proof prove() {
        return full.prove(entries.keys().get(next()));
    }

    /** A proof that was sent, from its bytes to the answer. */
    @Benchmark
    public Answer verify() {
        int i = next() % sent.size();
        return Proof.read(sent.get(i))
                .verify(full.root(), new Query.Key(entries.keys().get(i)));
    }

    /** All entries in order. */
    @Benchmark
    public void scan(Blackhole blackhole) {
        full.entries().forEach(blackhole::consume);
    }

    /** Lists the keys that differ between two versions; one has a hundred keys more than the other. */
    @Benchmark
    public void diff(Blackhole blackhole) {
        full.diff(changed).keys().forEach(blackhole::consume);
    }

    /** A hundred entries from some key on. */
    @Benchmark
    public void range(Blackhole blackhole) {
        KeyRange range = KeyRange.all().from(entries.keys().get(next()));
        full.entries(range).limit(100).forEach((Entry entry) -> blackhole.consume(entry));
    }
}
