package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The check of several versions at once. */
class VerificationTest {
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    /** Shards for "a" and "b", below the root, of which two versions share the first. */
    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1", "v2"})
    void whatVersionsShareIsCountedOnceAndInItsPlace(String format) {
        MapBlocks blocks = new MapBlocks();
        ShardFormat of = switch (format) {
            case "v0" -> ShardFormat.v0(260, 64);
            case "v1" -> ShardFormat.v1();
            default -> ShardFormat.v2();
        };
        Pail one = Pail.create(blocks, of);
        for (String key : List.of("a1", "a2", "a3", "b1", "b2", "b3")) {
            one = one.put(key, VALUE);
        }
        Pail two = one.put("c", VALUE);
        ShardChanges changes = one.diff(two).shards();
        Verification first = Verification.of(blocks, one.root());
        Verification both = Verification.of(blocks, List.of(one.root(), two.root(), one.root()));

        assertThat(both.problems()).isEmpty();
        assertThat(first.shards()).isGreaterThan(1);
        assertThat(both.shards())
                .isEqualTo(first.shards() + changes.added().size())
                .isLessThan(first.shards() + Verification.of(blocks, two.root()).shards());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aRootThatIsMissingIsToldOfOnceAndTheOthersAreChecked(int times) {
        MapBlocks blocks = new MapBlocks();
        Pail pail = Pail.create(blocks).put("a", VALUE);
        Cid absent = Pail.create(new MapBlocks()).put("b", VALUE).root();
        List<Cid> roots = new ArrayList<>(Collections.nCopies(times, absent));
        roots.add(pail.root());
        Verification found = Verification.of(blocks, roots);

        assertThat(found.problems()).extracting(Verification.Problem::cid).containsExactly(absent);
        assertThat(found.shards()).isOne();
    }
}
