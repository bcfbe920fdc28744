package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.proof.Answer;
import dev.pail.proof.MalformedProofException;
import dev.pail.proof.Proof;
import dev.pail.proof.ProofLimits;
import dev.pail.proof.Query;
import dev.pail.testkit.RandomOperations;
import dev.pail.testkit.Randomness;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fifty proofs, and every small change of each: none has another answer, and none is accepted. */
class ProofForgeryTest {
    private static final int PROOFS = 50;
    private static final int MOST_BYTES = 1000;
    private static final int[] SOME_CHANGES = {1, 0x80, 0xff};

    /**
     * A proof to change.
     *
     * @param ask the answer of a proof
     */
    private record Sample(Proof proof, Block other, Function<Proof, Answer> ask) {}

    /** Random proofs of all kinds and formats, of at least two blocks and at most 1,000 bytes. */
    private static List<Sample> samples(Random random) {
        Supplier<Sample> next = () -> sample(random);
        return Stream.generate(next)
                .filter(sample -> sample.proof.blocks().size() > 1 && sample.proof.bytes().length <= MOST_BYTES)
                .limit(PROOFS)
                .toList();
    }

    private static Sample sample(Random random) {
        MapBlocks blocks = new MapBlocks();
        ShardFormat format = RandomOperations.format(random);
        RandomOperations operations = new RandomOperations(random, format);
        Pail before = ProofRandomTest.changed(Pail.create(blocks, format), operations, 20);
        Pail pail = ProofRandomTest.changed(before, operations, 1);
        Cid otherRoot = Pail.create(blocks, ShardFormat.v0())
                .put("other", Vectors.value(1))
                .root();
        Block other = blocks.get(otherRoot).orElseThrow();
        KeyRange range = operations.range();
        if (random.nextInt(4) == 0) {
            return new Sample(
                    before.proveDiff(pail, range), other, proof -> proof.verifyDiff(before.root(), pail.root(), range));
        }
        Query query = random.nextBoolean() ? new Query.Key(operations.key()) : new Query.Range(range);
        return new Sample(Proof.of(pail, query, ProofLimits.DEFAULT), other, proof -> proof.verify(pail.root(), query));
    }

    private static void assertRefused(Sample sample, byte[] changed, String what) {
        Answer answer;
        try {
            answer = sample.ask.apply(Proof.read(changed));
        } catch (MalformedProofException e) {
            return;
        }
        assertThat(answer).as(what).isInstanceOf(Answer.Invalid.class);
    }

    @Test
    void aChangedByteIsRefused() {
        long seed = Randomness.seed("ProofForgeryTest.aChangedByteIsRefused");
        for (Sample sample : samples(Randomness.random(seed))) {
            changeBytes(sample, SOME_CHANGES);
        }
    }

    @Tag("stress")
    @Test
    void everyOtherByteIsRefused() {
        long seed = Randomness.seed("ProofForgeryTest.everyOtherByteIsRefused");
        int[] all = IntStream.range(1, Randomness.times(16, 256)).toArray();
        for (Sample sample : samples(Randomness.random(seed))) {
            changeBytes(sample, all);
        }
    }

    private static void changeBytes(Sample sample, int[] changes) {
        byte[] bytes = sample.proof.bytes();
        for (int i = 0; i < bytes.length; i++) {
            byte sound = bytes[i];
            for (int change : changes) {
                bytes[i] = (byte) (sound ^ change);
                assertRefused(sample, bytes, "byte " + i);
            }
            bytes[i] = sound;
        }
        assertThat(sample.ask.apply(Proof.read(bytes))).isNotInstanceOf(Answer.Invalid.class);
    }

    @Test
    void aBlockThatIsDroppedAddedRepeatedOrMovedIsRefused() {
        long seed = Randomness.seed("ProofForgeryTest.aBlockThatIsDroppedAddedRepeatedOrMovedIsRefused");
        for (Sample sample : samples(Randomness.random(seed))) {
            ProofCar car = ProofCar.of(sample.proof);
            int count = car.sections().size();
            for (int i = 0; i <= count; i++) {
                byte[] added = car.with(i, new ProofCar.Section(sample.other.cid(), sample.other.bytes()))
                        .bytes();
                assertRefused(sample, added, "added at " + i);
                for (int j = 0; j < count; j++) {
                    assertRefused(sample, car.with(i, car.sections().get(j)).bytes(), j + " repeated at " + i);
                    if (i < count && i != j) {
                        assertRefused(sample, car.swapped(i, j).bytes(), i + " and " + j + " swapped");
                    }
                }
            }
            for (Cid cid : sample.proof.blocks()) {
                assertRefused(sample, car.without(cid).bytes(), "without " + cid);
            }
            assertThat(sample.ask.apply(Proof.read(car.bytes()))).isNotInstanceOf(Answer.Invalid.class);
        }
    }

    @Test
    void aProofThatIsCutOffIsRefused() {
        long seed = Randomness.seed("ProofForgeryTest.aProofThatIsCutOffIsRefused");
        for (Sample sample : samples(Randomness.random(seed))) {
            byte[] bytes = sample.proof.bytes();
            for (int length = 0; length < bytes.length; length++) {
                assertRefused(sample, Arrays.copyOf(bytes, length), "cut off at " + length);
            }
        }
    }
}
