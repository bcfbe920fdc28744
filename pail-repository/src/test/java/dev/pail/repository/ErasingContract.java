package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.ErasedBlockException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.model.ErasurePlan;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.model.VerifyReport;
import dev.pail.testkit.Randomness;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What an erasure does in every store: nothing stored has the bytes, all else stays, and each process says that the value is erased. */
abstract class ErasingContract {
    private static final int WINDOW = 32;

    private final Random random = Randomness.random("ErasingContract");

    /** Makes the repository. */
    abstract Repository init();

    /** Opens the repository once more, as another process does. */
    abstract Repository open();

    /** Returns all that is stored. */
    abstract List<byte[]> stored();

    final Block random(int size) {
        byte[] made = new byte[size];
        random.nextBytes(made);
        return Block.of(Cid.RAW, made);
    }

    private Map<String, Block> fill(Repository repository) {
        Map<String, Block> values = new LinkedHashMap<>();
        for (int i = 0; i < 12; i++) {
            Block block = random(400 + i);
            String key = "key" + i;
            values.put(key, block);
            repository.update("main", pail -> {
                pail.blocks().put(block);
                return pail.put(key, block.cid());
            });
        }
        return values;
    }

    /** Whether some part of a block is stored, of any 32 bytes. */
    final boolean isStored(Block block) {
        List<String> all = stored().stream()
                .map(each -> new String(each, StandardCharsets.ISO_8859_1))
                .toList();
        byte[] bytes = block.bytes();
        for (int at = 0; at + WINDOW <= bytes.length; at++) {
            String part = new String(Arrays.copyOfRange(bytes, at, at + WINDOW), StandardCharsets.ISO_8859_1);
            if (all.stream().anyMatch(each -> each.contains(part))) {
                return true;
            }
        }
        return false;
    }

    private static void checkOthers(Repository repository, Map<String, Block> values, Cid erased) {
        values.forEach((key, block) -> {
            assertThat(repository.pail().get(key)).contains(block.cid());
            if (!block.cid().equals(erased)) {
                assertThat(repository.blocks().get(block.cid())).contains(block);
            }
        });
    }

    @Test
    void nothingStoredHasTheBytes_ER6() {
        Map<String, Block> values;
        Block erased;
        try (Repository repository = init()) {
            values = fill(repository);
            erased = values.get("key5");
            Cid root = repository.root("main");
            assertThat(isStored(erased)).isTrue();
            ErasurePlan plan = repository
                    .withNote(Note.of("Ann", "a secret\nof two lines"))
                    .maintenance()
                    .erasing()
                    .erase(List.of(erased.cid()));
            assertThat(plan.blocks()).containsExactly(erased.cid().raw());
            assertThat(isStored(erased)).isFalse();
            assertThat(repository.root("main")).isEqualTo(root);
            assertThatThrownBy(() -> repository.blocks().require(erased.cid()))
                    .isInstanceOf(ErasedBlockException.class);
            checkOthers(repository, values, erased.cid());
            VerifyReport report =
                    repository.verify(VerifyOptions.DEFAULT.withAllVersions().withValues());
            assertThat(report.problems()).isEmpty();
            assertThat(report.erased()).isEqualTo(1);
            assertThat(report.absentValues()).isZero();
            assertThat(report.unremoved()).isZero();
        }
        try (Repository again = open()) {
            assertThat(again.maintenance().erasing().records()).singleElement().satisfies(record -> {
                assertThat(record.cid()).isEqualTo(erased.cid().raw());
                assertThat(record.state()).isEqualTo(Erasure.State.ERASED);
                assertThat(record.note()).isEqualTo(Note.of("Ann", "a secret\nof two lines"));
            });
            again.maintenance().garbageCollection().withAnyGrace(Duration.ZERO).run();
            checkOthers(again, values, erased.cid());
            assertThat(again.verify(VerifyOptions.DEFAULT.withAllVersions()).isSound())
                    .isTrue();
        }
    }

    @Test
    void theTrashHasNothingOfIt_ER8() {
        try (Repository repository = init()) {
            Block block = random(500);
            repository.blocks().put(block);
            repository
                    .maintenance()
                    .garbageCollection()
                    .withAnyGrace(Duration.ZERO)
                    .run();
            repository.maintenance().erasing().erase(List.of(block.cid()));
            assertThat(isStored(block)).isFalse();
            repository
                    .maintenance()
                    .garbageCollection()
                    .withAnyGrace(Duration.ZERO)
                    .run();
            assertThat(repository.blocks().isErased(block.cid())).isTrue();
        }
    }

    @Test
    void putOfAnErasedBlockIsRefused_ER5() {
        try (Repository repository = init()) {
            Block block = random(300);
            Block other = random(300);
            repository.blocks().putAll(List.of(block, other));
            repository.maintenance().erasing().erase(List.of(block.cid()));
            assertThatThrownBy(() -> repository.blocks().put(block)).isInstanceOf(ErasedBlockException.class);
            Cid root = repository.root("main");
            assertThatThrownBy(() -> repository.update("main", pail -> pail.putBytes("a", block.bytes())))
                    .isInstanceOf(ErasedBlockException.class);
            assertThat(repository.root("main")).isEqualTo(root);
            repository.arrivals().putAll(List.of(block, other));
            assertThat(repository.blocks().has(block.cid())).isFalse();
            assertThat(repository.blocks().hasAll(List.of(block.cid(), other.cid())))
                    .containsExactly(other.cid());
            assertThat(isStored(block)).isFalse();
            assertThat(repository.maintenance().erasing().allow(block.cid())).hasSize(1);
            repository.blocks().put(block);
            assertThat(repository.blocks().get(block.cid())).contains(block);
        }
    }

    @Test
    void anotherProcessSeesTheMark_ER12() {
        try (Repository repository = init();
                Repository reader = open()) {
            Map<String, Block> values = fill(repository);
            Block block = values.get("key3");
            Block unread = values.get("key4");
            assertThat(reader.blocks().get(block.cid())).contains(block);
            repository.maintenance().erasing().erase(List.of(block.cid(), unread.cid()));
            assertThat(reader.pail().get("key3")).contains(block.cid());
            assertThatThrownBy(() -> reader.blocks().require(unread.cid())).isInstanceOf(ErasedBlockException.class);
            assertThatThrownBy(() -> reader.blocks().require(block.cid())).isInstanceOf(ErasedBlockException.class);
            assertThatThrownBy(() -> reader.blocks().put(block)).isInstanceOf(ErasedBlockException.class);
            assertThat(isStored(block)).isFalse();
        }
    }

    @Test
    void aWriterThatKnowsNoMarkPutsNothing_ER5() {
        try (Repository repository = init();
                Repository writer = open()) {
            Block block = random(300);
            repository.blocks().put(block);
            writer.blocks().put(random(300));
            repository.maintenance().erasing().erase(List.of(block.cid()));
            assertThatThrownBy(() -> writer.blocks().put(block)).isInstanceOf(ErasedBlockException.class);
            assertThat(isStored(block)).isFalse();
            assertThatThrownBy(() -> writer.update("main", pail -> pail.putBytes("a", block.bytes())))
                    .isInstanceOf(ErasedBlockException.class);
            assertThat(isStored(block)).isFalse();
        }
    }

    @Test
    void aMarkOfAPeerWaitsForTheCollection_ER9() {
        try (Repository repository = init()) {
            Map<String, Block> values = fill(repository);
            Block block = values.get("key11");
            Erasure mark = record(Erasure.State.ERASED, block.cid(), 100);
            Erasure shard = record(Erasure.State.ERASED, repository.root("main"), 100);
            assertThat(repository.maintenance().erasing().take(List.of(mark, shard)))
                    .extracting(Erasure::cid)
                    .containsExactly(block.cid());
            assertThat(repository.blocks().get(block.cid())).isEmpty();
            assertThat(repository.maintenance().erasing().left()).containsExactly(block.cid());
            Erasure allowed = record(Erasure.State.ALLOWED, block.cid(), 200);
            assertThat(repository.maintenance().erasing().take(List.of(allowed)))
                    .hasSize(1);
            assertThat(repository.maintenance().erasing().take(List.of(mark))).isEmpty();
            assertThat(repository.blocks().get(block.cid())).contains(block);
            assertThat(repository.maintenance().erasing().take(List.of(record(Erasure.State.ERASED, block.cid(), 300))))
                    .hasSize(1);
            repository.maintenance().garbageCollection().run();
            assertThat(repository.maintenance().erasing().left()).isEmpty();
            assertThat(isStored(block)).isFalse();
            assertThat(repository.verify(VerifyOptions.DEFAULT).isSound()).isTrue();
        }
    }

    @Test
    void thereAreManyMarksInPages_ER11() {
        List<Erasure> marks = new ArrayList<>();
        Note note = Note.of("Ann", "x".repeat(Note.MAX_MESSAGE));
        for (int i = 0; i < 3000; i++) {
            Cid cid = random(8).cid();
            Note own = i % 100 == 0 ? note : Note.NONE;
            marks.add(new Erasure(Erasure.State.ERASED, cid, cid, Instant.ofEpochMilli(i), own));
        }
        try (Repository repository = init()) {
            assertThat(repository.maintenance().erasing().take(marks)).hasSize(marks.size());
            assertThat(repository.maintenance().erasing().allow(marks.get(7).cid()))
                    .hasSize(1);
        }
        try (Repository again = open()) {
            assertThat(again.maintenance().erasing().records()).hasSize(marks.size());
            for (int i : List.of(0, 1, 2999)) {
                assertThat(again.blocks().isErased(marks.get(i).cid())).isTrue();
            }
            assertThat(again.blocks().isErased(marks.get(7).cid())).isFalse();
        }
    }

    private static Erasure record(Erasure.State state, Cid cid, long time) {
        return new Erasure(state, cid, cid, Instant.ofEpochMilli(time), Note.NONE);
    }
}
