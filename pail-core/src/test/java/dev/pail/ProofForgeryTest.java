package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.MalformedDataException;
import dev.pail.proof.Answer;
import dev.pail.proof.Proof;
import dev.pail.proof.ProofLimits;
import dev.pail.proof.Query;
import dev.pail.testkit.RandomOperations;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fifty proofs of all kinds and formats, and every small change of each: none has another answer, and none is accepted. */
class ProofForgeryTest {
    private static final int PROOFS = 50;
    private static final int MOST_BYTES = 1000;
    private static final int[] SOME_CHANGES = {1, 0x80, 0xff};
    private static final List<String> FORMATS = List.of("v0", "v1", "v2");

    /** What a proof is of. */
    private enum Kind {
        PRESENT,
        ABSENT,
        KEYS,
        RANGE,
        DIFF
    }

    /**
     * A proof to change.
     *
     * @param others blocks of shards that it does not have: those of the versions, and one of another pail
     * @param ask the answer of a proof
     */
    private record Sample(Proof proof, List<Block> others, Function<Proof, Answer> ask) {}

    /** Random proofs of at least two blocks and at most 1,000 bytes: of each kind in each format, three or more. */
    private static List<Sample> samples(Random random) {
        List<Sample> samples = new ArrayList<>();
        Kind[] kinds = Kind.values();
        while (samples.size() < PROOFS) {
            String format = FORMATS.get(samples.size() % FORMATS.size());
            Kind kind = kinds[samples.size() / FORMATS.size() % kinds.length];
            sample(random, format, kind)
                    .filter(sample -> sample.proof.blocks().size() > 1 && sample.proof.bytes().length <= MOST_BYTES)
                    .ifPresent(samples::add);
        }
        return samples;
    }

    /** A proof, if the random version has one of that kind. */
    private static Optional<Sample> sample(Random random, String name, Kind kind) {
        MapBlocks blocks = new MapBlocks();
        ShardFormat format = ProofRandomTest.format(name, random);
        RandomOperations operations = new RandomOperations(random, format);
        Pail before = ProofRandomTest.changed(Pail.create(blocks, format), operations, 20);
        Pail pail = ProofRandomTest.changed(before, operations, 1);
        Pail other = Pail.create(blocks, ShardFormat.v0()).put("other", Vectors.value(1));
        KeyRange range = operations.range();
        if (kind == Kind.DIFF) {
            return Optional.of(sample(
                    List.of(other, before, pail),
                    before.proveDiff(pail, range),
                    proof -> proof.verifyDiff(before.root(), pail.root(), range)));
        }
        String key = operations.key();
        Query query = kind == Kind.RANGE
                ? new Query.Range(range)
                : kind == Kind.KEYS
                        ? new Query.Keys(List.of(key, operations.key(), operations.key()))
                        : new Query.Key(key);
        if (query instanceof Query.Key && pail.get(key).isPresent() != (kind == Kind.PRESENT)) {
            return Optional.empty();
        }
        return Optional.of(sample(
                List.of(other, before, pail),
                pail.prove(query, ProofLimits.DEFAULT),
                proof -> proof.verify(pail.root(), query)));
    }

    private static Sample sample(List<Pail> pails, Proof proof, Function<Proof, Answer> ask) {
        List<Block> others = pails.stream()
                .flatMap(pail -> pail.prove(KeyRange.all()).blocks().stream())
                .distinct()
                .filter(cid -> !proof.blocks().contains(cid))
                .map(pails.get(0).blocks()::require)
                .toList();
        return new Sample(proof, others, ask);
    }

    private static void assertRefused(Sample sample, byte[] changed, String what) {
        Answer answer;
        try {
            answer = sample.ask.apply(Proof.read(changed));
        } catch (MalformedDataException e) {
            return;
        }
        assertThat(answer).as(what).isInstanceOf(Answer.Invalid.class);
    }

    @Test
    void aChangedByteIsRefused() {
        changeBytes("ProofForgeryTest.aChangedByteIsRefused", SOME_CHANGES);
    }

    /** At night each byte gets each of its 255 other values. */
    @Tag("stress")
    @Test
    void everyOtherByteIsRefused() {
        int[] all = IntStream.range(1, Randomness.times(16, 256)).toArray();
        changeBytes("ProofForgeryTest.everyOtherByteIsRefused", all);
    }

    private static void changeBytes(String test, int[] changes) {
        long count = 0;
        for (Sample sample : samples(Randomness.random(test))) {
            byte[] bytes = sample.proof.bytes();
            for (int i = 0; i < bytes.length; i++) {
                byte sound = bytes[i];
                for (int change : changes) {
                    bytes[i] = (byte) (sound ^ change);
                    assertRefused(sample, bytes, "byte " + i);
                    count++;
                }
                bytes[i] = sound;
            }
            assertAccepted(sample, bytes);
        }
        System.out.println(test + ": " + count + " changes of a byte in " + PROOFS + " proofs");
    }

    private static void assertAccepted(Sample sample, byte[] bytes) {
        assertThat(sample.ask.apply(Proof.read(bytes))).isNotInstanceOf(Answer.Invalid.class);
    }

    @Test
    void aBlockThatIsDroppedAddedRepeatedOrMovedIsRefused() {
        String test = "ProofForgeryTest.aBlockThatIsDroppedAddedRepeatedOrMovedIsRefused";
        long count = 0;
        for (Sample sample : samples(Randomness.random(test))) {
            ProofCar car = ProofCar.of(sample.proof);
            Set<ProofCar> changed = new LinkedHashSet<>();
            int blocks = car.sections().size();
            for (int i = 0; i <= blocks; i++) {
                for (int j = 0; j < blocks; j++) {
                    ProofCar.Section one = car.sections().get(j);
                    changed.add(car.with(i, one));
                    if (i < blocks) {
                        changed.add(car.swapped(i, j));
                        changed.add(car.without(sample.proof.blocks().get(j)).with(i, one));
                    }
                }
                for (Block other : sample.others) {
                    ProofCar.Section added = new ProofCar.Section(other.cid(), other.bytes());
                    changed.add(car.with(i, added));
                    if (i < blocks) {
                        changed.add(car.without(sample.proof.blocks().get(i)).with(i, added));
                    }
                }
            }
            sample.proof.blocks().forEach(cid -> changed.add(car.without(cid)));
            // A block that stays where it is.
            assertThat(changed.remove(car)).isTrue();
            changed.forEach(each -> assertRefused(sample, each.bytes(), each.toString()));
            count += changed.size();
            assertAccepted(sample, car.bytes());
        }
        System.out.println(test + ": " + count + " changes of blocks in " + PROOFS + " proofs");
    }

    @Test
    void aProofThatIsCutOffIsRefused() {
        for (Sample sample : samples(Randomness.random("ProofForgeryTest.aProofThatIsCutOffIsRefused"))) {
            byte[] bytes = sample.proof.bytes();
            for (int length = 0; length < bytes.length; length++) {
                assertRefused(sample, Arrays.copyOf(bytes, length), "cut off at " + length);
            }
        }
    }
}
