package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Cid;
import dev.pail.proof.Answer;
import dev.pail.proof.Proof;
import dev.pail.proof.ProofLimits;
import dev.pail.proof.Query;
import dev.pail.testkit.MapOperation;
import dev.pail.testkit.RandomOperations;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random proofs of random maps: each has the blocks that the rules name, and gives the answer of the map itself. */
class ProofRandomTest {
    private static final int PROOFS_OF_ONE = 50;

    private final MapBlocks blocks = new MapBlocks();

    /** Verifies the proof as bytes, and nothing else. */
    static Proof sent(Proof proof) {
        return Proof.read(proof.bytes());
    }

    /** A random format of a name. */
    static ShardFormat format(String name, Random random) {
        return Stream.generate(() -> RandomOperations.format(random))
                .filter(format -> format.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static Pail changed(Pail pail, RandomOperations operations, int times) {
        Pail next = pail;
        for (int i = 0; i < times; i++) {
            MapOperation operation = operations.next();
            try {
                next = operation.applyTo(next);
            } catch (KeyNotAllowedException | LimitException e) {
                // The format refuses some.
            }
        }
        return next;
    }

    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1", "v2"})
    void tenThousandProofs_PF4_PF5_PF6_PF7_PF8_PF9(String format) {
        run(format, 10_000);
    }

    @Tag("stress")
    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1", "v2"})
    void manyMoreProofs(String format) {
        run(format, Randomness.times(100_000, 1_000_000));
    }

    private void run(String name, int proofs) {
        long seed = Randomness.seed("ProofRandomTest." + name);
        int several = 0;
        for (int run = 0; run < proofs / PROOFS_OF_ONE; run++) {
            Random random = Randomness.random(seed + run);
            blocks.blocks.clear();
            ShardFormat format = format(name, random);
            RandomOperations operations = new RandomOperations(random, format);
            Pail before = changed(Pail.create(blocks, format), operations, 1 + random.nextInt(60));
            Pail pail = changed(before, operations, 1 + random.nextInt(10));
            String seeded = "-Dpail.seed=" + (seed + run);
            for (int i = 0; i < PROOFS_OF_ONE; i++) {
                several += prove(before, pail, operations, i % 5, seeded) > 1 ? 1 : 0;
            }
        }
        assertThat(several).isGreaterThan(proofs / 4);
    }

    /** Says how many blocks there are. */
    private static int prove(Pail before, Pail pail, RandomOperations operations, int kind, String seeded) {
        return switch (kind) {
            case 0, 1 -> key(pail, operations.key(), seeded);
            case 2 -> keys(pail, List.of(operations.key(), operations.key(), operations.key()), seeded);
            case 3 -> range(pail, operations.range(), seeded);
            default -> diff(before, pail, operations.range(), seeded);
        };
    }

    private static int key(Pail pail, String key, String seeded) {
        Proof proof = pail.prove(key);
        Optional<Cid> value = pail.get(key);
        Answer expected = value.isPresent() ? new Answer.Present(value.get()) : new Answer.Absent();
        assertThat(sent(proof).verify(pail.root(), new Query.Key(key)))
                .as(seeded)
                .isEqualTo(expected);
        assertThat(proof.blocks()).as(seeded).isEqualTo(PlainProof.ofKeys(pail, List.of(key)));
        return proof.blocks().size();
    }

    private static int keys(Pail pail, List<String> keys, String seeded) {
        Proof proof = pail.prove(keys);
        List<Entry> expected = new ArrayList<>();
        pail.getAll(keys).forEach((key, value) -> expected.add(new Entry(key, value)));
        assertThat(sent(proof).verify(pail.root(), new Query.Keys(keys)))
                .as(seeded)
                .isEqualTo(new Answer.Entries(expected));
        assertThat(proof.blocks()).as(seeded).isEqualTo(PlainProof.ofKeys(pail, keys));
        return proof.blocks().size();
    }

    static int range(Pail pail, KeyRange range, String seeded) {
        Proof proof = pail.prove(range);
        assertThat(sent(proof).verify(pail.root(), new Query.Range(range)))
                .as(seeded)
                .isEqualTo(new Answer.Entries(pail.entries(range).toList()));
        assertThat(proof.blocks()).as("%s %s", seeded, range).isEqualTo(PlainProof.ofRange(pail, range));
        return proof.blocks().size();
    }

    static int diff(Pail before, Pail after, KeyRange range, String seeded) {
        Proof proof = before.proveDiff(after, range);
        assertThat(sent(proof).verifyDiff(before.root(), after.root(), range))
                .as(seeded)
                .isEqualTo(new Answer.Changes(before.diff(after, range).keys().toList()));
        assertThat(proof.blocks()).as("%s %s", seeded, range).isEqualTo(PlainProof.ofDiff(before, after, range));
        return proof.blocks().size();
    }

    @Test
    void diffsOfTwoFormats_PF9() {
        long seed = Randomness.seed("ProofRandomTest.diffsOfTwoFormats");
        for (int run = 0; run < 500; run++) {
            Random random = Randomness.random(seed + run);
            blocks.blocks.clear();
            RandomOperations operations = new RandomOperations(random, ShardFormat.v1());
            Pail one = changed(Pail.create(blocks, RandomOperations.format(random)), operations, 30);
            Pail two = Pail.create(blocks, RandomOperations.format(random));
            for (Entry entry : one.entries().toList()) {
                try {
                    two = two.put(entry.key(), entry.value());
                } catch (KeyNotAllowedException | LimitException e) {
                    // It is a difference.
                }
            }
            two = changed(two, operations, 3);
            diff(one, two, operations.range(), "-Dpail.seed=" + (seed + run));
        }
    }

    /** Shards of another program, which are linked from everywhere and overlap (V0.7). */
    @Test
    void shardsThatOverlap_PF5_PF6_PF8_PF9() {
        long seed = Randomness.seed("ProofRandomTest.shardsThatOverlap");
        int overlapping = 0;
        int runs = Randomness.times(800, 200_000);
        for (int run = 0; run < runs; run++) {
            Random random = Randomness.random(seed + run);
            blocks.blocks.clear();
            List<Cid> pool = DiffOverlapTest.pool(blocks, random);
            Pail one = Pail.open(blocks, pool.get(pool.size() - 1));
            Pail two = Pail.open(blocks, pool.get(pool.size() - 2));
            overlapping += ModelTest.isOverlapping(one) ? 1 : 0;
            RandomOperations operations = new RandomOperations(random, ShardFormat.v0());
            String seeded = "-Dpail.seed=" + (seed + run);
            for (int i = 0; i < 5; i++) {
                String key = DiffOverlapTest.key(random) + DiffOverlapTest.key(random);
                key(one, key, seeded);
                KeyRange range = random.nextBoolean()
                        ? KeyRange.all().from(key).before(DiffOverlapTest.key(random) + key)
                        : operations.range();
                range(one, range, seeded);
                diff(one, two, range, seeded);
            }
        }
        assertThat(overlapping).isGreaterThan(runs / 4);
    }

    /** Every block of a proof is needed, and a proof of exactly the size limit can be made. */
    @Test
    void eachBlockIsNeeded_PF4() {
        long seed = Randomness.seed("ProofRandomTest.eachBlockIsNeeded");
        for (int run = 0; run < 200; run++) {
            Random random = Randomness.random(seed + run);
            blocks.blocks.clear();
            ShardFormat format = RandomOperations.format(random);
            RandomOperations operations = new RandomOperations(random, format);
            Pail pail = changed(Pail.create(blocks, format), operations, 60);
            Query query = random.nextBoolean() ? new Query.Key(operations.key()) : new Query.Range(operations.range());
            Proof proof = pail.prove(query, ProofLimits.DEFAULT);
            for (Cid left : proof.blocks()) {
                byte[] without = ProofCar.of(proof).without(left).bytes();
                assertThat(Proof.read(without).verify(pail.root(), query))
                        .as("-Dpail.seed=%s", seed + run)
                        .isEqualTo(
                                new Answer.Invalid(left, "the query reads this block, and the proof lacks it (PF4)"));
            }
        }
    }
}
