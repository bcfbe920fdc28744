package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Batch;
import dev.pail.Entry;
import dev.pail.MergePolicy;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.clock.ReplicatedBatch;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.files.InitOptions;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.testkit.Randomness;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events of versions that are made of an empty one, against those that a comparison of the two versions gives. */
class BuiltEventsTest {
    private static final int MOST = ReplicatedBatch.MAX_CHANGES;

    @TempDir
    Path folder;

    private int made;

    private Repository empty(ShardFormat format, boolean isPlain) {
        InitOptions options = InitOptions.of(format).withStorage(BlockStorage.SEGMENTS);
        return FileRepository.init(
                folder.resolve(Integer.toString(made++)), isPlain ? options.withPlainEvents() : options);
    }

    private static Cid value(int i) {
        return Block.of(Cid.RAW, new byte[] {(byte) i, (byte) (i >> 8)}).cid();
    }

    private static Consumer<Batch> puts(List<String> keys) {
        return batch -> {
            for (int i = 0; i < keys.size(); i++) {
                batch.put(keys.get(i), value(i));
            }
        };
    }

    /** As {@link #puts}, by an editor that makes no version from its sorted keys. */
    private static Consumer<Batch> plainPuts(List<String> keys) {
        Consumer<Batch> begun = batch -> batch.delete("not there");
        return begun.andThen(puts(keys));
    }

    private static List<Cid> events(Repository repository) {
        return repository.history().of("main").map(entry -> entry.event().cid()).toList();
    }

    private static void update(Repository repository, Consumer<Batch> changes) {
        repository.update("main", "load", pail -> {
            Batch batch = pail.batch();
            changes.accept(batch);
            return batch.commit();
        });
    }

    private void compare(ShardFormat format, List<String> keys) {
        try (Repository fast = empty(format, true);
                Repository slow = empty(format, true)) {
            update(fast, puts(keys));
            update(slow, plainPuts(keys));
            assertThat(events(fast)).isEqualTo(events(slow));
            assertThat(fast.root("main")).isEqualTo(slow.root("main"));
        }
    }

    private static List<String> keys(Random random, int count, String prefix) {
        int radix = 2 + random.nextInt(35);
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(prefix + Integer.toString(random.nextInt(4 * count), radix));
        }
        if (random.nextBoolean()) {
            keys.sort(null);
        }
        return keys;
    }

    @Test
    void eventsAreThoseOfAComparison_M7() {
        Random random = Randomness.random("BuiltEventsTest");
        for (int n = 0; n < Randomness.times(2, 30); n++) {
            ShardFormat format = random.nextBoolean() ? ShardFormat.v1() : ShardFormat.v2();
            compare(format, keys(random, 1 + random.nextInt(3 * MOST), ""));
            compare(format, keys(random, 200 + random.nextInt(200), "k".repeat(3000)));
        }
        for (int count : List.of(1, 2, MOST, MOST + 1, 2 * MOST)) {
            List<String> keys = new ArrayList<>();
            IntStream.range(0, count).mapToObj(Integer::toString).forEach(keys::add);
            compare(ShardFormat.v1(), keys);
        }
    }

    /** A key that was put again, after the version was begun, with more changes behind it, and a removal. */
    @Test
    void changesBehindThePutsCount_M3() {
        List<String> keys = keys(new Random(1), 3 * MOST, "");
        Consumer<Batch> rest =
                batch -> batch.delete(keys.get(7)).put("0", value(9)).deletePrefix("1");
        try (Repository fast = empty(ShardFormat.v1(), true);
                Repository slow = empty(ShardFormat.v1(), true)) {
            update(fast, puts(keys).andThen(rest));
            update(slow, plainPuts(keys).andThen(rest));
            assertThat(events(fast)).isEqualTo(events(slow));
        }
    }

    /** The function of an update makes two versions, and returns the first. */
    @Test
    void aVersionThatIsDroppedHasNoEvents_M19() {
        List<String> keys = keys(new Random(2), 2 * MOST, "");
        try (Repository repository = empty(ShardFormat.v1(), true);
                Repository slow = empty(ShardFormat.v1(), true)) {
            repository.update("main", "load", pail -> {
                Pail first = pail.batch().put("a", value(1)).commit();
                Batch dropped = pail.batch();
                puts(keys).accept(dropped);
                assertThat(dropped.commit().root()).isNotEqualTo(first.root());
                return first;
            });
            update(slow, batch -> batch.put("a", value(1)));
            assertThat(events(repository)).isEqualTo(events(slow));
        }
    }

    /** A branch whose keys were all removed. */
    @Test
    void aBranchThatWasEmptied_M19() {
        List<String> keys = keys(new Random(3), 2 * MOST, "");
        try (Repository fast = empty(ShardFormat.v1(), true);
                Repository slow = empty(ShardFormat.v1(), true)) {
            for (Repository each : List.of(fast, slow)) {
                update(each, batch -> batch.put("a", value(1)));
                update(each, batch -> batch.delete("a"));
            }
            update(fast, puts(keys));
            update(slow, plainPuts(keys));
            assertThat(events(fast)).isEqualTo(events(slow));
        }
    }

    @Test
    void describedEventsMakeAChain_DE6() {
        List<String> keys = keys(new Random(4), 3 * MOST, "");
        try (Repository repository = empty(ShardFormat.v1(), false)) {
            update(repository, puts(keys));
            List<Cid> events = events(repository);
            assertThat(repository
                            .history()
                            .of("main")
                            .map(entry -> entry.event().root()))
                    .doesNotHaveDuplicates()
                    .startsWith(repository.root("main"));
            assertThat(repository.verify(VerifyOptions.DEFAULT).isSound()).isTrue();
            update(repository, batch -> batch.put("later", value(1)));
            assertThat(repository
                            .revert("main", events.get(0), MergePolicy.fail())
                            .pail()
                            .entries()
                            .map(Entry::key))
                    .containsExactly("later");
        }
    }
}
