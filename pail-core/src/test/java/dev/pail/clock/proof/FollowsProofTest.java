package dev.pail.clock.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.LimitException;
import dev.pail.MapBlocks;
import dev.pail.clock.Description;
import dev.pail.clock.Event;
import dev.pail.clock.HistoryTree;
import dev.pail.clock.Operation;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import dev.pail.proof.Answer;
import dev.pail.proof.ProofLimits;
import dev.pail.proof.form.ProofForm;
import dev.pail.testkit.Randomness;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Proofs that an event follows another. */
class FollowsProofTest {
    private static final Cid ROOT = Block.of(Cid.DAG_CBOR, new byte[] {0}).cid();
    private static final Description NOTE = new Description(
            Optional.of("Ann"), Optional.empty(), Optional.of(Instant.ofEpochMilli(1_795_892_400_123L)));

    private final MapBlocks blocks = new MapBlocks();
    private int number;

    private Cid plain(Cid... parents) {
        return stored(Event.of(new Operation.Delete("k" + number++), ROOT, List.of(parents)));
    }

    private Cid described(HistoryTree tree, Cid... parents) {
        return stored(Event.of(new Operation.Delete("k" + number++), ROOT, List.of(parents), NOTE.with(tree)));
    }

    private Cid stored(Event event) {
        blocks.put(event.block());
        return event.cid();
    }

    /** Events that follow one another, each with the tree over those before. */
    private List<Cid> linear(int count) {
        List<Cid> events = new ArrayList<>();
        HistoryTree tree = HistoryTree.empty();
        for (int i = 0; i < count; i++) {
            Cid event = i == 0 ? described(tree) : described(tree, events.get(i - 1));
            events.add(event);
            tree = tree.append(event);
        }
        return events;
    }

    private FollowsProof proof(Cid from, Cid follows) {
        return FollowsProof.of(blocks, from, follows, ProofLimits.DEFAULT).orElseThrow();
    }

    private static Optional<Answer.Invalid> verify(byte[] bytes, Cid from, Cid follows) {
        return FollowsProof.read(bytes, ProofLimits.DEFAULT).verify(from, follows);
    }

    private void holds(Cid from, Cid follows, int steps) {
        FollowsProof proof = proof(from, follows);
        assertThat(proof.blocks()).hasSize(steps + 1);
        assertThat(verify(proof.bytes(), from, follows)).isEmpty();
        assertThat(proof.trees()).isBetween(0, steps);
    }

    @Test
    void aTreeIsOneStepToEachEventBefore_PF14_PF17() {
        List<Cid> events = linear(3000);
        Cid last = events.get(2999);
        for (int i = 0; i < 2999; i += 7) {
            holds(last, events.get(i), 1);
        }
        assertThat(proof(last, events.get(2)).trees()).isEqualTo(1);
        assertThat(proof(last, events.get(2998)).trees()).isZero();
    }

    @Test
    void aProofOfAMillionEventsIsSmall_PF14() {
        // Their CIDs alone: the tree needs no more.
        List<Cid> events = new AbstractList<>() {
            @Override
            public Cid get(int index) {
                return Block.of(Cid.DAG_CBOR, new byte[] {(byte) (index >> 16), (byte) (index >> 8), (byte) index})
                        .cid();
            }

            @Override
            public int size() {
                return 1_000_000;
            }
        };
        Cid older = events.get(271_828);
        Cid newer = described(HistoryTree.of(events), events.get(999_999));
        Steps.Step jump = new Steps.Step(older, 271_828, HistoryTree.path(events, 271_828));
        byte[] bytes = car(new Steps(newer, List.of(jump)).encode(), newer);
        assertThat(verify(bytes, newer, older)).isEmpty();
        assertThat(bytes.length).isLessThanOrEqualTo(4096);
    }

    @Test
    void plainEventsAndMergesAreStepsToParents_PF17() {
        Cid first = plain();
        Cid second = plain(first);
        Cid left = plain(second);
        Cid right = plain(second);
        Cid merged = plain(left, right);
        holds(second, first, 1);
        holds(merged, first, 3);
        holds(merged, left, 1);
        assertThat(FollowsProof.of(blocks, left, right, ProofLimits.DEFAULT)).isEmpty();
        assertThat(FollowsProof.of(blocks, first, second, ProofLimits.DEFAULT)).isEmpty();
        assertThat(FollowsProof.of(blocks, first, first, ProofLimits.DEFAULT)).isEmpty();
    }

    @Test
    void aWrongTreeIsNotUsed_PF17() {
        List<Cid> events = linear(50);
        Cid liar = described(HistoryTree.of(events.subList(1, 50)), events.get(49));
        holds(liar, events.get(10), 2);
        // The tree names an event that the liar does not follow.
        Cid foreign = plain();
        List<Cid> claimed = new ArrayList<>(events);
        claimed.set(0, foreign);
        Cid other = described(HistoryTree.of(claimed), events.get(49));
        assertThat(FollowsProof.of(blocks, other, foreign, ProofLimits.DEFAULT)).isEmpty();
        // More wrong trees than are tried.
        Cid at = events.get(49);
        for (int i = 0; i < 20; i++) {
            at = described(HistoryTree.empty(), at);
        }
        assertThat(verify(proof(at, events.get(10)).bytes(), at, events.get(10)))
                .isEmpty();
    }

    @Test
    void randomHistoriesAreProved_PF16_PF17() {
        long seed = Randomness.seed("FollowsProofTest.random");
        for (int i = 0; i < Randomness.times(20, 500); i++) {
            Random random = Randomness.random(seed + i);
            List<Cid> events = new ArrayList<>(List.of(plain()));
            List<List<Cid>> before = new ArrayList<>(List.of(List.of()));
            while (events.size() < 60) {
                int one = random.nextInt(events.size());
                int two = random.nextInt(4) == 0 ? random.nextInt(events.size()) : one;
                Cid first = Event.of(new Operation.Delete("k"), ROOT, List.of(events.get(one), events.get(two)))
                        .parents()
                        .get(0);
                List<Cid> chain = new ArrayList<>(before.get(events.indexOf(first)));
                chain.add(first);
                Cid[] parents = {events.get(one), events.get(two)};
                events.add(random.nextBoolean() ? plain(parents) : described(HistoryTree.of(chain), parents));
                before.add(chain);
            }
            for (int j = 0; j < 30; j++) {
                Cid from = events.get(random.nextInt(60));
                Cid follows = events.get(random.nextInt(60));
                Optional<FollowsProof> proof = FollowsProof.of(blocks, from, follows, ProofLimits.DEFAULT);
                String what = "history " + i + " of -Dpail.seed=" + seed;
                assertThat(proof.isPresent()).as(what).isEqualTo(isBelow(follows, from));
                proof.ifPresent(each ->
                        assertThat(verify(each.bytes(), from, follows)).as(what).isEmpty());
            }
        }
    }

    private boolean isBelow(Cid event, Cid from) {
        return Event.fromBlock(blocks.require(from)).parents().stream()
                .anyMatch(parent -> parent.equals(event) || isBelow(event, parent));
    }

    @Test
    void eachChangedByteIsRefused_PF13_PF15_PF16() {
        List<Cid> events = linear(20);
        Cid merged = plain(events.get(19), plain());
        byte[] bytes = proof(merged, events.get(3)).bytes();
        assertThat(verify(bytes, merged, events.get(3))).isEmpty();
        for (int at = 0; at < bytes.length; at++) {
            byte[] wrong = bytes.clone();
            wrong[at] ^= 1;
            try {
                assertThat(verify(wrong, merged, events.get(3)))
                        .as("byte " + at)
                        .isPresent();
            } catch (MalformedDataException e) {
                assertThat(e.code()).isEqualTo("malformed-proof");
            }
        }
    }

    @Test
    void otherEventsAreRefused_PF16() {
        List<Cid> events = linear(20);
        byte[] bytes = proof(events.get(19), events.get(3)).bytes();
        assertThat(reason(verify(bytes, events.get(18), events.get(3)))).contains("another newer event");
        assertThat(reason(verify(bytes, events.get(19), events.get(4)))).contains("another older event");
        // A claim of a step that does not hold.
        Cid last = events.get(19);
        Steps parent = new Steps(last, List.of(Steps.Step.toParent(events.get(3))));
        assertThat(reason(verify(car(parent.encode(), last), last, events.get(3))))
                .contains("no such parent");
        Steps jump = new Steps(last, List.of(new Steps.Step(events.get(3), 4, List.of())));
        assertThat(reason(verify(car(jump.encode(), last), last, events.get(3))))
                .contains("does not have");
        Cid plain = plain(last);
        Steps none = new Steps(plain, List.of(new Steps.Step(last, 0, List.of())));
        assertThat(reason(verify(car(none.encode(), plain), plain, last))).contains("does not have");
    }

    @Test
    void theBlocksAreThoseOfTheSteps_PF15() {
        List<Cid> events = linear(5);
        Cid last = events.get(4);
        byte[] steps = new Steps(last, List.of(Steps.Step.toParent(events.get(3)))).encode();
        assertThat(verify(car(steps, last), last, events.get(3))).isEmpty();
        assertThat(reason(verify(car(steps), last, events.get(3)))).contains("lacks it");
        assertThat(reason(verify(car(steps, last, events.get(0)), last, events.get(3))))
                .contains("PF15");
    }

    @Test
    void theFirstBlockHasOneForm_PF14() {
        Cid last = linear(2).get(1);
        refusedForm(
                last,
                new DagCborWriter().map(2).text("from").link(last).text("steps").array(0));
        refusedForm(last, new DagCborWriter().map(1).text("from").link(last));
        refusedForm(
                last,
                new DagCborWriter()
                        .map(2)
                        .text("from")
                        .link(last)
                        .text("steps")
                        .array(1)
                        .array(2)
                        .link(last)
                        .integer(0));
        refusedForm(last, jump(last, 0, 31));
        refusedForm(last, jump(last, 0, 54 * 32));
        refusedForm(last, jump(last, -1, 32));
    }

    /** A list with one step by a tree. */
    private static DagCborWriter jump(Cid last, int index, int path) {
        return new DagCborWriter()
                .map(2)
                .text("from")
                .link(last)
                .text("steps")
                .array(1)
                .array(3)
                .link(last)
                .integer(index)
                .bytes(new byte[path]);
    }

    private void refusedForm(Cid last, DagCborWriter writer) {
        assertThat(reason(verify(car(writer.toByteArray(), last), last, last))).contains("PF14");
    }

    private byte[] car(byte[] steps, Cid... events) {
        Block first = Block.of(Cid.DAG_CBOR, steps);
        Map<Cid, byte[]> sections = new LinkedHashMap<>();
        sections.put(first.cid(), steps);
        for (Cid event : events) {
            sections.put(event, blocks.require(event).bytes());
        }
        return ProofForm.encode(List.of(first.cid()), sections);
    }

    private static String reason(Optional<Answer.Invalid> answer) {
        return answer.orElseThrow().reason();
    }

    @Test
    void aProofHasOneRoot_PF13() {
        Cid last = linear(1).get(0);
        byte[] two = ProofForm.encode(List.of(last, ROOT), Map.of());
        assertThatThrownBy(() -> FollowsProof.read(two, ProofLimits.DEFAULT))
                .isInstanceOf(MalformedDataException.class)
                .hasMessageContaining("PF13");
    }

    @Test
    void aProofHasLimits_PF12() {
        List<Cid> events = linear(2);
        ProofLimits small = new ProofLimits(100, 10, 10);
        assertThatThrownBy(() -> FollowsProof.of(blocks, events.get(1), events.get(0), small))
                .isInstanceOf(LimitException.class);
        ProofLimits few = new ProofLimits(100_000, 1, 10);
        assertThatThrownBy(() -> FollowsProof.of(blocks, events.get(1), events.get(0), few))
                .isInstanceOf(LimitException.class);
    }
}
