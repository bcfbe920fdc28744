package dev.pail.testkit.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Entry;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.GarbageCollection;
import dev.pail.repository.MemoryRefs;
import dev.pail.repository.Repository;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.sweep.SweepRule;
import dev.pail.sweep.Swept;
import dev.pail.sweep.SweptBlocks;
import dev.pail.testkit.BlockStoreContract;
import dev.pail.testkit.HandClock;
import dev.pail.testkit.Randomness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link RepositoryBlocks} as tests: that of a block store, and that of {@link SweptBlocks}, whose rule a test has in its
 * name after {@code s}. Extend it for each store.
 *
 * <pre>{@code
 * class MyBlocksTest extends RepositoryBlocksContract {
 *     private final HandClock clock = new HandClock();
 *     protected RepositoryBlocks newStore() {
 *         return new MemoryBlocks(clock); // the store to test, with the test's clock
 *     }
 *     protected void pass(Duration time) {
 *         clock.pass(time);
 *     }
 * }
 * }</pre>
 */
public abstract class RepositoryBlocksContract extends BlockStoreContract {
    private static final Duration AGE = Duration.ofHours(1);
    private static final Duration LONGER = Duration.ofHours(2);
    private static final int NUMBERS = 12;

    /** Tests of the store that {@link #newStore} gives. */
    protected RepositoryBlocksContract() {}

    @Override
    protected abstract RepositoryBlocks newStore() throws Exception;

    /** Moves on the clock that the stamps of the store under test come from. */
    protected abstract void pass(Duration time);

    /** What a read of a block in the trash does. */
    protected enum Read {
        /** It brings the block back, with a new stamp. */
        BRINGS_BACK,
        /** It leaves the block there. For stores that keep blocks together, by rule 3 of {@link SweptBlocks}. */
        LEAVES
    }

    /** What {@code get} and {@code has} of the store under test do with a block in the trash. By default, they bring it back. */
    protected Read read() {
        return Read.BRINGS_BACK;
    }

    private RepositoryBlocks blocks() {
        return (RepositoryBlocks) opened();
    }

    private SweepRule rule(Predicate<Cid> isNeeded) {
        return new SweepRule(isNeeded, blocks().swept().clock().minus(AGE));
    }

    private static Predicate<Cid> only(Block... needed) {
        Set<Cid> raw = Stream.of(needed).map(block -> block.cid().raw()).collect(Collectors.toSet());
        return cid -> raw.contains(cid.raw());
    }

    private List<SweptBlocks.Portion> portions() {
        List<SweptBlocks.Portion> all = new ArrayList<>();
        blocks().swept().portions().forEachRemaining(all::add);
        return all;
    }

    private static Swept preview(List<SweptBlocks.Portion> portions, SweepRule rule) {
        return portions.stream().map(portion -> portion.preview(rule)).reduce(Swept.NOTHING, Swept::plus);
    }

    private static Swept sweep(List<SweptBlocks.Portion> portions, SweepRule rule) {
        return portions.stream().map(portion -> portion.sweep(rule)).reduce(Swept.NOTHING, Swept::plus);
    }

    private Swept sweep(Predicate<Cid> isNeeded) {
        return sweep(portions(), rule(isNeeded));
    }

    private static void assertCounts(Swept swept, long kept, long moved, long waiting, long deleted, long restored) {
        assertThat(List.of(
                        swept.kept().blocks(),
                        swept.moved().blocks(),
                        swept.waiting().blocks(),
                        swept.deleted().blocks(),
                        swept.restored().blocks()))
                .as("kept, moved, waiting, deleted, restored")
                .containsExactly(kept, moved, waiting, deleted, restored);
    }

    private void assertInStore(Block block) {
        assertThat(blocks().swept().look(block.cid())).contains(block);
        assertThat(blocks().has(block.cid())).isTrue();
        assertThat(blocks().get(block.cid())).contains(block);
    }

    private void assertGone(Block block) {
        assertThat(blocks().swept().look(block.cid())).isEmpty();
        assertThat(blocks().has(block.cid())).isFalse();
        assertThat(blocks().get(block.cid())).isEmpty();
    }

    @Test
    public void s1_eachBlockIsInOnePortion() {
        List<Block> all =
                IntStream.range(0, 600).mapToObj(BlockStoreContract::block).toList();
        blocks().putAll(all);
        pass(LONGER);
        assertCounts(sweep(only(all.subList(0, 200).toArray(Block[]::new))), 200, 400, 0, 0, 0);
        assertCounts(sweep(only(all.subList(0, 200).toArray(Block[]::new))), 200, 0, 400, 0, 0);
    }

    @Test
    public void s2_neededAndNewBlocksStay() {
        blocks().putAll(List.of(block(1), block(2)));
        pass(LONGER);
        blocks().put(block(3));
        Swept swept = sweep(only(block(1)));
        assertThat(swept.kept().plus(swept.moved()).blocks()).isEqualTo(3);
        assertThat(swept.moved().blocks()).isLessThanOrEqualTo(1);
        assertThat(swept.moved().bytes()).isLessThanOrEqualTo(block(2).size());
        assertInStore(block(1));
        assertInStore(block(3));
    }

    @Test
    public void s2_aPutOfABlockThatIsThereRenewsItsStamp() {
        blocks().put(block(1));
        pass(LONGER);
        blocks().put(block(1));
        assertCounts(sweep(only()), 1, 0, 0, 0, 0);
    }

    @Test
    public void s3_getHasAndPutBringBlocksBack() {
        blocks().putAll(List.of(block(1), block(2), block(3)));
        pass(LONGER);
        assertCounts(sweep(only()), 0, 3, 0, 0, 0);
        pass(LONGER);
        assertThat(blocks().get(block(1).cid())).contains(block(1));
        assertThat(blocks().has(block(2).cid())).isTrue();
        blocks().put(block(3));
        if (read() == Read.LEAVES) {
            assertThat(sweep(only()).deleted().blocks()).isEqualTo(2);
            assertInStore(block(3));
            return;
        }
        assertThat(sweep(only()).moved().blocks()).isZero();
        for (int number = 1; number <= 3; number++) {
            assertInStore(block(number));
        }
    }

    @Test
    public void s4_neededBlocksComeBackAndOldOnesAreDeleted() {
        blocks().putAll(List.of(block(1), block(2)));
        pass(LONGER);
        assertCounts(sweep(only()), 0, 2, 0, 0, 0);
        assertCounts(sweep(only(block(1))), 0, 0, 1, 0, 1);
        pass(LONGER);
        assertCounts(sweep(only(block(1))), 1, 0, 0, 1, 0);
        assertInStore(block(1));
        assertGone(block(2));
        blocks().put(block(2));
        assertInStore(block(2));
    }

    @Test
    public void s5_aBlockThatIsPutMeanwhileStays() {
        blocks().putAll(List.of(block(1), block(2)));
        pass(LONGER);
        SweepRule rule = rule(only());
        List<SweptBlocks.Portion> listed = portions();
        assertCounts(preview(listed, rule), 0, 2, 0, 0, 0);
        blocks().put(block(1));
        Swept swept = sweep(listed, rule);
        assertThat(swept.kept().blocks()).isPositive();
        assertThat(swept.moved().blocks()).isLessThanOrEqualTo(1);
        assertInStore(block(1));
    }

    @Test
    public void s5_aBlockThatIsBroughtBackMeanwhileStays() {
        blocks().putAll(List.of(block(1), block(2)));
        pass(LONGER);
        assertCounts(sweep(only()), 0, 2, 0, 0, 0);
        pass(LONGER);
        SweepRule rule = rule(only());
        List<SweptBlocks.Portion> listed = portions();
        assertCounts(preview(listed, rule), 0, 0, 0, 2, 0);
        assertThat(blocks().get(block(1).cid())).contains(block(1));
        blocks().put(block(2));
        Swept swept = sweep(listed, rule);
        assertThat(swept.moved().blocks()).isZero();
        assertInStore(block(2));
        if (read() == Read.BRINGS_BACK) {
            assertInStore(block(1));
        }
    }

    @Test
    public void s6_aPreviewCountsAndChangesNothing() {
        blocks().putAll(List.of(block(1), block(2), block(3)));
        pass(LONGER);
        assertCounts(sweep(only(block(1))), 1, 2, 0, 0, 0);
        pass(LONGER);
        SweepRule rule = rule(only(block(2)));
        for (int times = 0; times < 2; times++) {
            assertCounts(preview(portions(), rule), 0, 1, 0, 1, 1);
        }
        assertCounts(sweep(portions(), rule), 0, 1, 0, 1, 1);
    }

    @Test
    public void s7_lookFindsABlockInTheTrashAndLeavesItThere() {
        blocks().put(block(1));
        assertThat(blocks().swept().look(block(1).cid())).contains(block(1));
        assertThat(blocks().swept().look(block(2).cid())).isEmpty();
        pass(LONGER);
        assertCounts(sweep(only()), 0, 1, 0, 0, 0);
        assertThat(blocks().swept().look(block(1).cid())).contains(block(1));
        assertCounts(sweep(only()), 0, 0, 1, 0, 0);
    }

    /** What a block is at least. A store may keep a block for longer, but never delete it earlier. */
    private enum AtLeast {
        NOTHING,
        OLD_IN_TRASH,
        NEW_IN_TRASH,
        OLD,
        NEW;

        private AtLeast passed() {
            return this == NEW ? OLD : this == NEW_IN_TRASH ? OLD_IN_TRASH : this;
        }

        private AtLeast swept(boolean isNeeded) {
            if (isNeeded) {
                return this == NOTHING || this == NEW ? this : OLD;
            }
            return this == OLD ? NEW_IN_TRASH : this == OLD_IN_TRASH ? NOTHING : this;
        }

        private AtLeast found(Read read) {
            return read == Read.LEAVES || this == NEW ? this : OLD;
        }
    }

    /** After random steps, no block is deleted that a model says must be there. */
    @Test
    public void s2_s5_randomStepsDeleteNothingTooEarly() {
        Random random = Randomness.random(getClass().getSimpleName());
        AtLeast[] model = new AtLeast[NUMBERS];
        Arrays.fill(model, AtLeast.NOTHING);
        for (int step = 0; step < 400; step++) {
            int number = random.nextInt(NUMBERS);
            switch (random.nextInt(5)) {
                case 0 -> {
                    blocks().put(block(number));
                    model[number] = AtLeast.NEW;
                }
                case 1 -> {
                    boolean isFound = blocks().get(block(number).cid()).isPresent();
                    assertThat(isFound || model[number] == AtLeast.NOTHING)
                            .as("step %d: block %d is there", step, number)
                            .isTrue();
                    model[number] = isFound ? model[number].found(read()) : AtLeast.NOTHING;
                }
                case 2 -> {
                    pass(LONGER);
                    Arrays.setAll(model, i -> model[i].passed());
                }
                default -> {
                    Set<Integer> needed = random.ints(4, 0, NUMBERS).boxed().collect(Collectors.toSet());
                    sweep(only(needed.stream().map(BlockStoreContract::block).toArray(Block[]::new)));
                    Arrays.setAll(model, i -> model[i].swept(needed.contains(i)));
                }
            }
            for (int each = 0; each < NUMBERS; each++) {
                assertThat(blocks().swept().look(block(each).cid()).isPresent() || model[each] == AtLeast.NOTHING)
                        .as("step %d: block %d is there", step, each)
                        .isTrue();
            }
        }
    }

    /** The garbage collector of a repository over these blocks. */
    @Test
    public void s8_aRepositoryIsCollected() {
        HandClock clock = new HandClock();
        clock.pass(Duration.between(clock.instant(), blocks().swept().clock()));
        Repository repository = Repository.open(new MemoryRefs(clock), blocks(), ShardFormat.v1());
        Pail lost = repository
                .update("main", pail -> pail.put("lost", block(1).cid()))
                .pail();
        repository.undo(repository.snapshot("main"), 1);
        repository.update("main", pail -> pail.put("kept", block(2).cid()));
        passBoth(clock, GarbageCollection.RETENTION.plus(GarbageCollection.GRACE));
        repository.update("main", pail -> pail.put("later", block(3).cid()));
        GarbageCollection gc = repository.maintenance().garbageCollection();

        assertThat(blocks().swept().look(lost.root())).isPresent();
        for (int times = 0; times < 4 && blocks().swept().look(lost.root()).isPresent(); times++) {
            passBoth(clock, GarbageCollection.GRACE.plus(AGE));
            gc.run();
        }
        assertThat(blocks().has(lost.root())).isFalse();
        assertThat(repository.pail().entries().map(Entry::key)).containsExactly("kept", "later");
    }

    private void passBoth(HandClock clock, Duration time) {
        pass(time);
        clock.pass(time);
    }
}
