package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.pail.BlockStore;
import dev.pail.MergePolicy;
import dev.pail.MergeRules;
import dev.pail.Pail;
import dev.pail.RowLoc;
import dev.pail.ShardFormat;
import dev.pail.blockstore.CachingBlockStore;
import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.blockstore.Durability;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.blockstore.SegmentBlockStore;
import dev.pail.car.CarBlockStore;
import dev.pail.car.CarExport;
import dev.pail.car.CarReader;
import dev.pail.clock.Head;
import dev.pail.clock.ReplicatedPail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.ConflictEntry;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.model.ImportOptions;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.PailChange;
import dev.pail.repository.model.Part;
import dev.pail.repository.model.Revision;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.model.Tracking;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.spi.BlockSource;
import dev.pail.sign.HeadNote;
import dev.pail.sign.SignedHead;
import dev.pail.sign.SigningKey;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** After close, each public method of a repository and of a store throws an IllegalStateException that says what is closed. */
class ClosedTest {
    /** What neither reads nor changes anything stored. */
    private static final Set<String> HARMLESS = Set.of(
            "close",
            "format",
            "with",
            "withNote",
            "readingThrough",
            "whole",
            "refs",
            "blocks",
            "arrivals",
            "erasing",
            "erasures",
            "isErased",
            "isNear",
            "usableBytes",
            "listen",
            "garbageCollection",
            "withRetention",
            "withGrace",
            "withProgress",
            "roots",
            "size",
            "location",
            "folderOf",
            "swept",
            "loose",
            "offer",
            "rely",
            "renew",
            "confirm",
            "lost");

    @TempDir
    Path folder;

    private Repository repository(String kind) {
        return switch (kind) {
            case "memory" -> Repository.inMemory();
            case "files" -> FileRepository.init(folder.resolve("r"), ShardFormat.v1(), BlockStorage.FILES);
            default -> FileRepository.init(folder.resolve("r"), ShardFormat.v1(), BlockStorage.SEGMENTS);
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "files", "segments"})
    void aRepository(String kind) throws Exception {
        Repository repository = repository(kind);
        Pail pail = repository
                .update("main", before -> before.putBytes("a", new byte[] {1}))
                .pail();
        Head head = repository.head("main");
        Map<Class<?>, Object> samples = samples();
        samples.put(String.class, "main");
        samples.put(long.class, 0L);
        samples.put(Pail.class, pail);
        samples.put(Head.class, head);
        samples.put(Cid.class, head.events().get(0));
        samples.put(Snapshot.class, repository.snapshot("main"));
        samples.put(LogEntry.class, new LogEntry(1, Instant.EPOCH, "push", Head.empty(), head));
        samples.put(Revision.class, repository.resolve("main"));
        samples.put(CarReader.class, CarReader.open(car(pail)));
        repository.close();
        repository.close();
        allAreRefused(repository, samples);
        allAreRefused(repository.readingThrough((cids, target) -> {}), samples);
        allAreRefused(repository.branches(), samples);
        allAreRefused(repository.conflicts(), samples);
        HeadNote note = HeadNote.parse(new SignedHead("main", 1, pail.root(), head).sign(SigningKey.generate("a")));
        SoftAssertions wrong = new SoftAssertions();
        Class<?> notes = repository.headNotes().getClass();
        assertClosed(wrong, "all", notes, call(() -> repository.headNotes().all()));
        assertClosed(wrong, "of", notes, call(() -> repository.headNotes().of("main")));
        assertClosed(wrong, "keep", notes, call(() -> repository.headNotes().keep(note)));
        wrong.assertAll();
        allAreRefused(repository.tags(), samples);
        allAreRefused(repository.history(), samples);
        allAreRefused(repository.remotes(), samples);
        allAreRefused(repository.maintenance(), samples);
        GarbageCollection collection = repository.maintenance().garbageCollection();
        allAreRefused(collection, samples);
        allAreRefused(repository.maintenance().erasing(), samples);
        assertThatIllegalStateException()
                .isThrownBy(() -> assertThat(pail.putBytes("b", new byte[] {2})).isNotNull())
                .withMessageContaining("closed");
        assertThatIllegalStateException()
                .isThrownBy(() -> assertThat(pail.getBytes("a")).isNotNull())
                .withMessageContaining("closed");
    }

    @Test
    void stores() throws Exception {
        Pail pail = Pail.create(new MemoryBlockStore(), ShardFormat.v1()).putBytes("a", new byte[] {1});
        Block block = Block.of(Cid.RAW, new byte[] {1});
        Map<Class<?>, Object> samples = samples();
        samples.put(Cid.class, block.cid());
        samples.put(Block.class, block);
        samples.put(Path.class, folder);
        samples.put(Map.class, Map.of());
        samples.put(RowLoc.class, new RowLoc(0, 0, 1));
        List<AutoCloseable> stores = List.of(
                new MemoryBlockStore(),
                new CachingBlockStore(new MemoryBlockStore(), 1000),
                new MemoryBlocks(),
                DirectoryBlockStore.open(folder.resolve("directory")),
                SegmentBlockStore.open(folder.resolve("sync")),
                SegmentBlockStore.open(folder.resolve("none"), Durability.NONE),
                CarBlockStore.open(car(pail)));
        for (AutoCloseable store : stores) {
            store.close();
            store.close();
            allAreRefused(store, samples);
        }
    }

    private Path car(Pail pail) throws Exception {
        Path file = folder.resolve("car");
        try (OutputStream out = Files.newOutputStream(file)) {
            CarExport.of(pail.blocks(), List.of(pail.root())).writeTo(out, "car");
        }
        return file;
    }

    private static Map<Class<?>, Object> samples() {
        Map<Class<?>, Object> samples = new HashMap<>();
        PailChange<Exception> change = before -> before.putBytes("b", new byte[] {2});
        UnaryOperator<ReplicatedPail> replicated = before -> before.delete("a");
        Consumer<Object> consumer = told -> {};
        Predicate<Object> predicate = each -> true;
        Runnable runnable = () -> {};
        samples.put(PailChange.class, change);
        samples.put(Part.class, new Part("origin", "", true));
        samples.put(Tracking.class, new Tracking(0, true, Head.empty()));
        samples.put(UnaryOperator.class, replicated);
        samples.put(Consumer.class, consumer);
        samples.put(Predicate.class, predicate);
        samples.put(Runnable.class, runnable);
        samples.put(MergeOptions.class, MergeOptions.DEFAULT);
        samples.put(ImportOptions.class, ImportOptions.DEFAULT);
        samples.put(VerifyOptions.class, VerifyOptions.DEFAULT);
        samples.put(MergePolicy.class, MergePolicy.fail());
        samples.put(MergeRules.class, MergeRules.keys());
        samples.put(Note.class, Note.NONE);
        BlockSource source = (cids, target) -> {};
        samples.put(BlockSource.class, source);
        samples.put(Instant.class, Instant.EPOCH);
        samples.put(ZoneId.class, ZoneOffset.UTC);
        samples.put(int.class, 1);
        BiFunction<ConflictEntry, BlockStore, Optional<Cid>> decision = (entry, blocks) -> entry.stands();
        samples.put(BiFunction.class, decision);
        return samples;
    }

    /** What a method is called with: of several types that have one name, what it takes. */
    private static Object sample(Method method, Class<?> type, Map<Class<?>, Object> samples) {
        if (method.getDeclaringClass() == Erasing.class && type == Collection.class) {
            Cid value = Block.of(Cid.RAW, new byte[] {1}).cid();
            return method.getName().equals("take")
                    ? List.of(new Erasure(Erasure.State.ERASED, value, value, Instant.EPOCH, Note.NONE))
                    : List.of(value);
        }
        if (type == List.class) {
            return samples.get(Head.class) instanceof Head head ? head.events() : List.of();
        }
        if (method.getDeclaringClass() == Conflicts.class && type == Collection.class) {
            return List.of("a");
        }
        if (type == Collection.class) {
            boolean isAsked =
                    method.getName().equals("getAll") || method.getName().equals("hasAll");
            return List.of(samples.get(isAsked ? Cid.class : Block.class));
        }
        assertThat(samples).as(method.toString()).containsKey(type);
        return samples.get(type);
    }

    private static void allAreRefused(Object closed, Map<Class<?>, Object> samples) {
        List<String> tried = new ArrayList<>();
        SoftAssertions wrong = new SoftAssertions();
        for (Method method : closed.getClass().getMethods()) {
            if (Modifier.isStatic(method.getModifiers())
                    || method.getDeclaringClass() == Object.class
                    || method.isBridge()
                    || PARTS.contains(method.getReturnType())
                    || HARMLESS.contains(method.getName())) {
                continue;
            }
            Object[] arguments = Arrays.stream(method.getParameterTypes())
                    .map(type -> sample(method, type, samples))
                    .toArray();
            tried.add(method.getName());
            assertClosed(wrong, method.toString(), closed.getClass(), call(() -> {
                try {
                    return method.invoke(closed, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            }));
        }
        wrong.assertAll();
        assertThat(tried).hasSizeGreaterThan(1);
    }

    /** The parts of a repository refuse by themselves. */
    private static final Set<Class<?>> PARTS = Set.of(
            Branches.class,
            Conflicts.class,
            HeadNotes.class,
            Tags.class,
            VersionHistory.class,
            RemoteRefs.class,
            Maintenance.class);

    private interface Call {
        Object make() throws Throwable;
    }

    private static Object call(Call call) {
        try {
            Object given = call.make();
            return given instanceof Stream<?> stream ? stream.toList() : given;
        } catch (Throwable e) {
            return e;
        }
    }

    private static void assertClosed(SoftAssertions wrong, String call, Class<?> on, Object outcome) {
        wrong.assertThat(outcome).as("%s of %s", call, on.getSimpleName()).isInstanceOf(IllegalStateException.class);
        if (outcome instanceof IllegalStateException refused) {
            wrong.assertThat(refused.getMessage()).as(call).contains("closed");
        }
    }
}
