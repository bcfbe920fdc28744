package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pail.CorruptBlockException;
import dev.pail.Entry;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.Verification;
import dev.pail.clock.Head;
import dev.pail.clock.ReplicatedPail;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.Collected;
import dev.pail.repository.model.Hint;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a garbage collection takes away, and what it does not (spec rules G1 to G15). */
class GarbageCollectionTest {
    private static final Path FOLDER = Path.of("/r");
    private static final Duration DAY = Duration.ofDays(1);

    private final CrashDisk disk = new CrashDisk();
    private final Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES);

    @AfterEach
    void close() {
        repository.close();
    }

    private static Block value(String text) {
        return Block.of(Cid.RAW, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Puts a key whose value is in the repository. */
    private Snapshot put(String branch, String key) {
        repository.update(branch, pail -> {
            repository.blocks().put(value(key));
            return pail.put(key, value(key).cid());
        });
        return repository.snapshot(branch);
    }

    private void later(Duration time) {
        disk.pause(time.toMillis());
    }

    private Collected collect() {
        return repository.maintenance().garbageCollection().run();
    }

    private static void assertReadable(Repository repository, Head head, String... keys) {
        Pail pail = repository.pailAt(head);
        assertThat(Verification.of(repository.blocks(), pail.root()).isSound()).isTrue();
        try (Stream<Entry> entries = pail.entries()) {
            assertThat(entries.map(Entry::key)).containsExactly(keys);
        }
        for (String key : keys) {
            assertThat(repository.blocks().get(value(key).cid())).as(key).isPresent();
        }
    }

    /** The files below the repository, with their contents. */
    private Map<String, String> files() throws IOException {
        Map<String, String> files = new TreeMap<>();
        add(FOLDER, files);
        return files;
    }

    private void add(Path folder, Map<String, String> files) throws IOException {
        for (Path path : disk.list(folder)) {
            if (disk.isDirectory(path)) {
                files.put(path.toString(), "folder");
                add(path, files);
            } else {
                files.put(
                        path.toString(),
                        disk.status(path).orElseThrow()
                                + new String(disk.read(path, 1 << 20), StandardCharsets.ISO_8859_1));
            }
        }
    }

    private boolean isInBlocks(Cid cid) {
        return disk.status(file("blocks", cid)).isPresent();
    }

    private boolean isInTrash(Cid cid) {
        return disk.status(file("trash", cid)).isPresent();
    }

    private static Path file(String folder, Cid cid) {
        String name = cid.multihashName();
        return FOLDER.resolve(folder).resolve(name.substring(name.length() - 2)).resolve(name + ".data");
    }

    /** A head that only the log leads to. */
    private Head abandoned() {
        Snapshot first = put("main", "a");
        Head left = put("main", "left").head();
        repository.move(repository.snapshot("main"), first.head(), "back");
        put("main", "b");
        return left;
    }

    @Test
    void whatAHeadReachesStaysWithItsHistory_G3() {
        Head first = put("main", "a").head();
        put("main", "b");
        repository.update("main", pail -> pail.delete("a"));
        later(DAY.multipliedBy(1000));

        Collected collected = collect();

        assertThat(collected.moved().blocks()).isZero();
        assertThat(collected.kept().blocks()).isPositive();
        assertReadable(repository, first, "a");
        assertThat(isInBlocks(value("a").cid())).isTrue();
    }

    @Test
    void whatALogLeadsToStaysWithinTheRetention_G1() {
        Head left = abandoned();
        later(DAY.multipliedBy(89));
        assertThat(collect().moved().blocks()).isZero();
        later(DAY.multipliedBy(2));

        Collected collected = collect();

        // The event, its root, the value.
        assertThat(collected.moved().blocks()).isEqualTo(3);
        assertThat(isInTrash(value("left").cid())).isTrue();
        assertThat(isInBlocks(left.events().get(0))).isFalse();
        assertReadable(repository, repository.snapshot("main").head(), "a", "b");
    }

    @Test
    void theLastMoveOfABranchIsHeededAnyway_G2() {
        Snapshot first = put("main", "a");
        Head left = put("main", "left").head();
        repository.move(repository.snapshot("main"), first.head(), "back");
        later(DAY.multipliedBy(1000));

        assertThat(collect().moved().blocks()).isZero();
        assertReadable(repository, left, "a", "left");
    }

    /** The version of two events is named by neither of them. */
    @Test
    void theVersionOfSeveralEventsStaysAndTheEmptyOne_G5() {
        put("main", "a");
        ReplicatedPail side =
                repository.replica("main").put("side", value("side").cid());
        put("main", "b");
        repository.change("main", "merge", replica -> replica.merge(side.head()));
        Cid merged = repository.snapshot("main").root();
        later(DAY.multipliedBy(1000));
        collect();
        assertThat(isInBlocks(merged)).isTrue();
        assertThat(isInBlocks(repository.pailAt(Head.empty()).root())).isTrue();
    }

    @Test
    void aBlockIsNeededUnderAnyCidOfItsMultihash_G6() {
        Block block = value("named in another way");
        ByteArrayOutputStream named = new ByteArrayOutputStream();
        named.writeBytes(new byte[] {1, (byte) Cid.DAG_PB});
        named.writeBytes(block.cid().multihash());
        repository.update("main", pail -> {
            repository.blocks().put(block);
            return pail.put("a", Cid.fromBytes(named.toByteArray()));
        });
        later(DAY.multipliedBy(1000));
        assertThat(collect().moved().blocks()).isZero();
        assertThat(isInBlocks(block.cid())).isTrue();
    }

    @Test
    void theFileGcHasANumberThatIsOddMeanwhileAndATime_REP7_G12() throws IOException {
        repository.blocks().put(value("garbage"));
        later(DAY.multipliedBy(15));
        List<String> meanwhile = new ArrayList<>();
        Disk told = HookedDisk.telling(disk, (call, file) -> {
            if (call.equals("rename")
                    && file.equals(file("blocks", value("garbage").cid()))) {
                meanwhile.add(gc());
            }
        });
        Instant now = disk.now();
        try (Repository collector = FileRepository.open(told, FOLDER, Duration.ZERO)) {
            assertThat(collector.maintenance().garbageCollection().run().moved().blocks())
                    .isEqualTo(1);
        }
        String keptSince = now.minus(GarbageCollection.RETENTION).toString();
        assertThat(meanwhile).singleElement().asString().startsWith("1 ").hasSameSizeAs("1 " + keptSince + "\n");
        assertThat(gc()).isEqualTo("2" + meanwhile.get(0).substring(1));
        assertThat(repository.maintenance().logsKeptSince())
                .hasToString(gc().substring(2).strip());
    }

    private String gc() throws IOException {
        return new String(disk.read(FOLDER.resolve("gc"), 100), StandardCharsets.US_ASCII);
    }

    @Test
    void theBlocksOfAChangeAndTheHeadAreWrittenUnderTheLock_G13() {
        List<Boolean> locked = new ArrayList<>();
        Disk told = HookedDisk.of(disk, (call, file, made) -> {
            if (call.equals("rename")) {
                Path to = (Path) made.arguments[1];
                if (to.startsWith(FOLDER.resolve("blocks")) || to.startsWith(FOLDER.resolve("heads"))) {
                    locked.add(disk.tryLock(FOLDER.resolve("LOCK"), "another").isEmpty());
                }
            }
            return made.make();
        });
        try (Repository writer = FileRepository.open(told, FOLDER, Duration.ZERO)) {
            writer.update("main", pail -> pail.putBytes("a", new byte[] {1}));
        }
        // The value, the root, the event, the head.
        assertThat(locked).hasSize(4).containsOnly(true);
    }

    @Test
    void aTagKeepsWhatItStandsAtAndNoLongerThanItIsThere_G1() {
        Head left = abandoned();
        repository.tags().create("v1", left);
        later(DAY.multipliedBy(1000));
        assertThat(collect().moved().blocks()).isZero();
        assertThat(repository.resolve("v1").head()).contains(left);
        assertThat(repository.tags().names()).containsExactly("v1");

        repository.tags().remove("v1");

        assertThat(repository.tags().names()).isEmpty();
        assertThat(collect().moved().blocks()).isEqualTo(3);
    }

    /** Of the head of a branch, its log would say. */
    @Test
    void aTagThatIsCutToNothingIsDamagedAndNothingIsTakenAway_REP5_G11() throws IOException {
        Head left = abandoned();
        repository.tags().create("v1", left);
        later(DAY.multipliedBy(1000));
        disk.delete(FOLDER.resolve("tags/v1"));
        disk.create(FOLDER.resolve("tags/v1")).close();
        Map<String, String> before = files();

        for (Runnable use : List.<Runnable>of(
                this::collect,
                () -> repository.resolve("v1"),
                () -> repository.tags().head("v1"))) {
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(use::run)
                    .withMessageContaining(FOLDER.resolve("tags/v1").toString())
                    .matches(e -> e.reason() == RepositoryException.Reason.DAMAGED);
        }
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void aBranchThatWasRemovedIsKeptByItsLog_REP15_G1() {
        Head main = put("main", "a").head();
        repository.branches().create("side", main);
        Head side = put("side", "s").head();
        repository.branches().remove("side");

        assertThat(repository.branches().names()).containsExactly("main");
        later(DAY.multipliedBy(1000));
        assertThat(collect().moved().blocks()).isZero();
        assertThat(repository.resolve("side@{1}").head()).contains(side);
        repository.branches().create("side", side);
        assertThat(repository.snapshot("side").generation()).isEqualTo(4);
        assertReadable(repository, side, "a", "s");
    }

    @Test
    void mainAndTheCurrentBranchAreNotRemoved() {
        repository.branches().create("side", put("main", "a").head());
        repository.branches().switchTo("side");
        for (String branch : List.of("main", "side")) {
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> repository.branches().remove(branch))
                    .withMessageContaining(branch);
        }
        assertThat(repository.branches().names()).containsExactly("main", "side");
    }

    @Test
    void aTagTakesNoNameThatIsTaken() {
        Head head = put("main", "a").head();
        repository.tags().create("v1", head);
        for (String name : List.of("v1", "main")) {
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> repository.tags().create(name, head))
                    .matches(e -> e.reason() == RepositoryException.Reason.EXISTS);
        }
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> repository.tags().create("../v2", head))
                .matches(e -> e.reason() == RepositoryException.Reason.NAME);
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> repository.tags().remove("v2"))
                .matches(e -> e.reason() == RepositoryException.Reason.NO_TAG);
    }

    @Test
    void whatWasJustPutStaysForTheGracePeriod_G8() {
        Block block = value("garbage");
        repository.blocks().put(block);
        later(DAY.multipliedBy(13));
        assertThat(collect().moved().blocks()).isZero();
        // Who puts it again needs it from now on.
        repository.blocks().put(block);
        later(DAY.multipliedBy(13));
        assertThat(collect().moved().blocks()).isZero();
        later(DAY.multipliedBy(2));

        assertThat(collect().moved()).isEqualTo(new Collected.Amount(1, block.size()));
    }

    @Test
    void theTrashIsDeletedAfterAnotherGracePeriod_G10() {
        Block block = value("garbage");
        repository.blocks().put(block);
        later(DAY.multipliedBy(15));
        collect();
        later(DAY.multipliedBy(13));

        Collected waiting = collect();
        assertThat(waiting.waiting()).isEqualTo(new Collected.Amount(1, block.size()));
        assertThat(waiting.deleted().blocks()).isZero();
        later(DAY.multipliedBy(2));
        assertThat(collect().deleted()).isEqualTo(new Collected.Amount(1, block.size()));

        assertThat(isInTrash(block.cid())).isFalse();
        assertThat(repository.blocks().has(block.cid())).isFalse();
        assertThat(repository.blocks().get(block.cid())).isEmpty();
        repository.blocks().put(block);
        assertThat(repository.blocks().get(block.cid())).contains(block);
    }

    @Test
    void getHasAndPutBringBackFromTheTrash_G9() {
        List<Block> blocks = List.of(value("get"), value("has"), value("put"));
        repository.blocks().putAll(blocks);
        later(DAY.multipliedBy(15));
        assertThat(collect().moved().blocks()).isEqualTo(3);
        assertThat(blocks).noneMatch(block -> isInBlocks(block.cid()));

        assertThat(repository.blocks().get(blocks.get(0).cid())).contains(blocks.get(0));
        assertThat(repository.blocks().has(blocks.get(1).cid())).isTrue();
        repository.blocks().put(blocks.get(2));

        assertThat(blocks).allMatch(block -> isInBlocks(block.cid()));
        // They have a grace period again, even with copies in the trash.
        later(DAY.multipliedBy(10));
        assertThat(collect().moved().blocks()).isZero();
        later(DAY.multipliedBy(4).plusHours(1));
        collect();
        assertThat(blocks)
                .allMatch(block -> repository.blocks().get(block.cid()).isPresent());
    }

    /** As where the power was lost while it came back, and something damaged it since. */
    @Test
    void aWholeCopyInTheTrashIsReadWhereTheOtherIsDamaged() throws IOException {
        Block block = value("a");
        repository.blocks().put(block);
        put("main", "a");
        later(DAY);
        Path whole = file("blocks", block.cid());
        Path thrown = file("trash", block.cid());
        disk.createDirectory(FOLDER.resolve("trash"));
        disk.createDirectory(Disk.parent(thrown));
        disk.rename(whole, thrown);
        byte[] damaged = "damaged".getBytes(StandardCharsets.UTF_8);
        try (Disk.WritableFile out = disk.create(whole)) {
            out.write(damaged);
        }
        try (Repository reader = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            assertThat(reader.blocks().get(block.cid())).contains(block);
            // Reading changes nothing that is there.
            assertThat(disk.read(whole, 100)).isEqualTo(damaged);
            reader.maintenance().garbageCollection().run();
            assertThat(disk.read(whole, 100)).isEqualTo(block.bytes());
            assertThat(isInTrash(block.cid())).isFalse();
        }
    }

    /** The trash is deleted later, so a writer that puts the block again must not take it for present. */
    @Test
    void whatIsDamagedInTheTrashDoesNotComeBack_G9() throws IOException {
        Block block = value("a");
        byte[] damaged = "damaged".getBytes(StandardCharsets.UTF_8);
        Path thrown = file("trash", block.cid());
        disk.createDirectory(FOLDER.resolve("trash"));
        disk.createDirectory(Disk.parent(thrown));
        try (Disk.WritableFile out = disk.create(thrown)) {
            out.write(damaged);
        }
        assertThat(repository.blocks().has(block.cid())).isFalse();
        assertThatExceptionOfType(CorruptBlockException.class)
                .isThrownBy(() -> repository.blocks().get(block.cid()));
        assertThat(disk.read(thrown, 100)).isEqualTo(damaged);
        repository.blocks().put(block);
        assertThat(repository.blocks().has(block.cid())).isTrue();
        assertThat(repository.blocks().get(block.cid())).contains(block);
    }

    /** Who may only read finds what is in the trash, but cannot bring it back. */
    @Test
    void aReadOnlyFolderHasWhatIsInItsTrash() {
        Block block = value("thrown");
        repository.blocks().put(block);
        later(DAY.multipliedBy(15));
        collect();
        Disk readOnly = HookedDisk.telling(disk, (call, file) -> {
            if (List.of("create", "createDirectory", "setMtime", "rename", "delete")
                    .contains(call)) {
                throw new FileSystemException(file.toString(), null, "Read-only file system");
            }
        });
        try (Repository reader = FileRepository.open(readOnly, FOLDER, Duration.ZERO)) {
            assertThat(reader.blocks().has(block.cid())).isTrue();
            assertThat(reader.blocks().get(block.cid())).contains(block);
        }
        assertThat(isInTrash(block.cid())).isTrue();
    }

    /** As where the folder of the blocks is a link to a larger disk. */
    @Test
    void theTrashMayBeOnAnotherFileSystem_G8() {
        Block block = value("thrown");
        repository.blocks().put(block);
        later(DAY.multipliedBy(15));
        Path trash = FOLDER.resolve("trash");
        Disk two = HookedDisk.of(disk, (call, file, made) -> {
            if (call.equals("rename") && file != null) {
                Path to = (Path) made.arguments[1];
                if (file.startsWith(trash) != to.startsWith(trash)) {
                    throw new AtomicMoveNotSupportedException(file.toString(), to.toString(), "another device");
                }
            }
            return made.make();
        });
        try (Repository apart = FileRepository.open(two, FOLDER, Duration.ZERO)) {
            assertThat(apart.maintenance().garbageCollection().run().moved().blocks())
                    .isPositive();
            assertThat(isInBlocks(block.cid())).isFalse();
            assertThat(isInTrash(block.cid())).isTrue();
            // What is in the trash stays there for a grace period.
            later(DAY.multipliedBy(13));
            assertThat(apart.maintenance().garbageCollection().run().deleted().blocks())
                    .isZero();
            assertThat(apart.blocks().get(block.cid())).contains(block);
            assertThat(isInBlocks(block.cid())).isTrue();
        }
    }

    /** Only who owns a file may set its time; who may write to its folder can put a copy in its place. */
    @Test
    void whoOwnsNoFileCollectsAsWell_G8() throws IOException {
        Head left = abandoned();
        disk.pause(DAY.multipliedBy(91).toMillis());
        Disk another = HookedDisk.telling(disk, (call, file) -> {
            if (call.equals("setMtime")) {
                throw new FileSystemException(file.toString(), null, "Operation not permitted");
            }
        });
        try (Repository guest = FileRepository.open(another, FOLDER, Duration.ZERO)) {
            assertThat(guest.maintenance().garbageCollection().run().moved().blocks())
                    .isPositive();
            assertThat(isInBlocks(value("left").cid())).isFalse();
            assertThat(isInTrash(value("left").cid())).isTrue();
            // What is in the trash stays there for a grace period.
            later(DAY.multipliedBy(13));
            assertThat(guest.maintenance().garbageCollection().run().deleted().blocks())
                    .isZero();
            guest.update("main", pail -> pail.put("next", value("next").cid()));
        }
        assertReadable(repository, left, "a", "left");
    }

    /** To find what follows from a head of several events may take as long as merging them did. */
    @Test
    void whatSeveralEventsLeadToIsFoundOnce() {
        Snapshot before = put("main", "a");
        ReplicatedPail side =
                repository.replica("main").put("side", value("side").cid());
        put("main", "b");
        repository.change("main", "merge", replica -> replica.merge(side.head()));
        for (int i = 0; i < 100; i++) {
            repository.blocks().put(value("garbage " + i));
        }
        later(DAY.multipliedBy(15));
        List<Path> read = new ArrayList<>();
        Disk told = HookedDisk.telling(disk, (call, file) -> {
            if (call.equals("read")) {
                read.add(file);
            }
        });
        try (Repository collector = FileRepository.open(told, FOLDER, Duration.ZERO)) {
            assertThat(collector.maintenance().garbageCollection().run().moved().blocks())
                    .isEqualTo(100);
        }
        assertThat(read.stream().filter(file("blocks", before.root())::equals)).hasSizeLessThan(5);
    }

    @Test
    void aDryRunChangesNothing() throws IOException {
        abandoned();
        Block block = value("garbage");
        repository.blocks().put(block);
        later(DAY.multipliedBy(100));
        collect();
        put("main", "c");
        repository.blocks().put(value("new"));
        later(DAY.multipliedBy(15));
        Map<String, String> before = files();

        Collected dry = repository.maintenance().garbageCollection().dryRun();

        assertThat(files()).isEqualTo(before);
        assertThat(dry.moved().blocks()).isEqualTo(1);
        assertThat(dry.deleted().blocks()).isEqualTo(4);
        assertThat(collect()).isEqualTo(dry);
    }

    /** A reader that holds a version that nothing reaches any more has the grace period twice. */
    @Test
    void aReaderFinishes() {
        Pail held = repository.pailAt(abandoned());
        later(DAY.multipliedBy(91));
        assertThat(collect().moved().blocks()).isEqualTo(3);

        assertThat(held.get("left")).contains(value("left").cid());
        assertThat(Verification.of(repository.blocks(), held.root()).isSound()).isTrue();
        assertThat(repository.blocks().get(value("left").cid())).isPresent();
    }

    /** A value may be the root of something larger. */
    @Test
    void whatValuesLinkToStays() {
        Block leaf = value("leaf");
        Block file = Block.of(Cid.DAG_PB, dagPb(leaf.cid()));
        Block list = Block.of(
                Cid.DAG_CBOR, new DagCborWriter().array(1).link(file.cid()).toByteArray());
        repository.blocks().putAll(List.of(leaf, file, list));
        repository.update("main", pail -> pail.put("list", list.cid()));
        later(DAY.multipliedBy(1000));

        assertThat(collect().moved().blocks()).isZero();
        assertThat(isInBlocks(leaf.cid())).isTrue();
    }

    /** Older encoders write short floating point numbers, and inlined blocks are in the CID itself. */
    @Test
    void whatValuesLinkToStaysHoweverTheyAreWritten() {
        List<Block> leaves =
                Stream.of("a", "b").map(GarbageCollectionTest::value).toList();
        ByteArrayOutputStream half = new ByteArrayOutputStream();
        half.writeBytes(new byte[] {(byte) 0x82, (byte) 0xf9, 0x3e, 0});
        half.writeBytes(new DagCborWriter().link(leaves.get(0).cid()).toByteArray());
        Block list = Block.of(Cid.DAG_CBOR, half.toByteArray());
        byte[] inlined = new DagCborWriter().array(1).link(leaves.get(1).cid()).toByteArray();
        repository.blocks().putAll(leaves);
        repository.blocks().put(list);
        repository.update("main", pail -> pail.put("list", list.cid()));
        repository.update("main", pail -> pail.put("inlined", identity(Cid.DAG_CBOR, inlined)));
        later(DAY.multipliedBy(1000));

        assertThat(collect().moved().blocks()).isZero();
        assertThat(leaves).allSatisfy(leaf -> assertThat(isInBlocks(leaf.cid())).isTrue());
    }

    /** Folders that are small enough are in the CID itself, as {@code ipfs add --inline} makes them. */
    @Test
    void whatIsInlinedInDagPbOrLinkedFromItStays() {
        List<Block> leaves =
                Stream.of("a", "b", "c").map(GarbageCollectionTest::value).toList();
        Cid folder = identity(Cid.DAG_PB, dagPb(leaves.get(0).cid()));
        byte[] list = new DagCborWriter().array(1).link(leaves.get(1).cid()).toByteArray();
        Block toList = Block.of(Cid.DAG_PB, dagPb(identity(Cid.DAG_CBOR, list)));
        // The digest of the first link is cut.
        byte[] bad = dagPb(leaves.get(2).cid());
        bad[4 + 3] = 20;
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(bad);
        both.writeBytes(dagPb(leaves.get(2).cid()));
        Block besideBad = Block.of(Cid.DAG_PB, both.toByteArray());
        repository.blocks().putAll(leaves);
        repository.blocks().putAll(List.of(toList, besideBad));
        for (Cid value : List.of(folder, toList.cid(), besideBad.cid())) {
            repository.update("main", pail -> pail.put(value.toString(), value));
        }
        later(DAY.multipliedBy(1000));

        assertThat(collect().moved().blocks()).isZero();
        assertThat(leaves).allSatisfy(leaf -> assertThat(isInBlocks(leaf.cid())).isTrue());
    }

    /** A value counts once, wherever it is linked, and whether it is here or not. */
    @Test
    void valuesWhoseLinksAreUnknownAreCounted_G4() {
        Cid leaf = value("leaf").cid();
        Block list = Block.of(
                Cid.DAG_CBOR,
                new DagCborWriter()
                        .array(2)
                        .link(inCodec(0x90, leaf))
                        .link(leaf)
                        .toByteArray());
        repository.blocks().put(list);
        for (int known : new int[] {0x51, 0x55, 0x70, 0x71, 0x72, 0x78, 0x85, 0x0129, 0x0200}) {
            repository.update("main", pail -> pail.put("known " + known, inCodec(known, leaf)));
        }
        assertThat(collect().unfollowed()).isZero();
        repository.update("main", pail -> pail.put("a", inCodec(0x90, leaf)));
        repository.update("main", pail -> pail.put("again", inCodec(0x90, leaf)));
        repository.update("main", pail -> pail.put("a", inCodec(0x91, leaf)));
        repository.update("main", pail -> pail.put("list", list.cid()));

        assertThat(repository.maintenance().garbageCollection().dryRun().unfollowed())
                .isEqualTo(2);
        assertThat(collect().unfollowed()).isEqualTo(2);
    }

    private static Cid inCodec(int codec, Cid of) {
        ByteArrayOutputStream cid = new ByteArrayOutputStream();
        cid.write(1);
        for (int rest = codec; ; rest >>>= 7) {
            cid.write(rest < 0x80 ? rest : (rest & 0x7f) | 0x80);
            if (rest < 0x80) {
                break;
            }
        }
        cid.writeBytes(of.multihash());
        return Cid.fromBytes(cid.toByteArray());
    }

    private static Cid identity(long codec, byte[] inlined) {
        ByteArrayOutputStream identity = new ByteArrayOutputStream();
        identity.writeBytes(new byte[] {1, (byte) codec, (byte) Cid.IDENTITY, (byte) inlined.length});
        identity.writeBytes(inlined);
        return Cid.fromBytes(identity.toByteArray());
    }

    /** A link with a hash, a name and a size, and some data behind it. */
    private static byte[] dagPb(Cid cid) {
        byte[] hash = cid.toBytes();
        byte[] bytes = new byte[2 + 2 + hash.length + 3 + 3 + 4];
        int at = 0;
        bytes[at++] = 0x12;
        bytes[at++] = (byte) (2 + hash.length + 3 + 3);
        bytes[at++] = 0x0a;
        bytes[at++] = (byte) hash.length;
        System.arraycopy(hash, 0, bytes, at, hash.length);
        at += hash.length;
        for (byte each : new byte[] {0x12, 1, 'n', 0x18, (byte) 0x84, 1, 0x0a, 2, 8, 1}) {
            bytes[at++] = each;
        }
        return bytes;
    }

    @Test
    void nothingIsTakenAwayWhileSomethingNeededIsMissingOrDamaged_G11() throws IOException {
        Head left = abandoned();
        repository.tags().create("left", left);
        repository.blocks().put(value("garbage"));
        later(DAY.multipliedBy(100));
        Path event = file("blocks", left.events().get(0));
        byte[] bytes = disk.read(event, 1 << 20);
        disk.delete(event);
        assertRefuses(left.events().get(0));

        bytes[0] ^= 1;
        try (var out = disk.create(event)) {
            out.write(bytes);
        }
        assertRefuses(left.events().get(0));
        assertThat(isInBlocks(value("garbage").cid())).isTrue();

        repository.tags().remove("left");
        assertThat(collect().moved().blocks()).isPositive();
    }

    private void assertRefuses(Cid damaged) throws IOException {
        Map<String, String> before = files();
        for (boolean dry : new boolean[] {true, false}) {
            GarbageCollection collection = repository.maintenance().garbageCollection();
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> {
                        Collected none = dry ? collection.dryRun() : collection.run();
                        assertThat(none).isNull();
                    })
                    .withMessageContaining(damaged.toString())
                    .matches(e -> e.advice().call().orElseThrow().action() == Hint.Action.VERIFY);
        }
        assertThat(files()).isEqualTo(before);
    }

    /** Mtimes are compared with the clock that they come from. */
    @Test
    void aClockThatIsAheadOfTheFileSystemTakesNothingAwayTooEarly() {
        Block block = value("garbage");
        Disk ahead = ahead(disk, DAY.multipliedBy(60));
        try (Repository other = FileRepository.open(ahead, FOLDER, Duration.ZERO)) {
            other.blocks().put(block);
            assertThat(other.maintenance().garbageCollection().run().moved().blocks())
                    .isZero();
            later(DAY.multipliedBy(15));
            assertThat(other.maintenance().garbageCollection().run().moved().blocks())
                    .isEqualTo(1);
            assertThat(other.maintenance().garbageCollection().run().deleted().blocks())
                    .isZero();
            // What comes back is stamped by that clock as well.
            other.blocks().put(block);
            later(DAY.multipliedBy(15));
            assertThat(other.maintenance().garbageCollection().run().moved().blocks())
                    .isEqualTo(1);
        }
    }

    /** A collection by a clock that was ahead does not end the retention of later ref updates, not even when that time has come. */
    @ParameterizedTest
    @ValueSource(ints = {100, 3650})
    void aClockThatWasAheadOnceDoesNotEndTheRetention_G12(int days) {
        Head before = abandoned();
        later(DAY.multipliedBy(15));
        try (Repository ahead = FileRepository.open(ahead(disk, DAY.multipliedBy(days)), FOLDER, Duration.ZERO)) {
            assertThat(ahead.maintenance().garbageCollection().run().moved().blocks())
                    .isEqualTo(3);
        }
        Snapshot kept = repository.snapshot("main");
        Head since = put("main", "since").head();
        repository.move(repository.snapshot("main"), kept.head(), "back");
        put("main", "c");
        later(DAY.multipliedBy(20));

        Collected collected = collect();

        // What the clock has sent to the trash comes back, as long as it is there.
        assertThat(collected.restored().blocks()).isEqualTo(3);
        assertThat(collected.moved().blocks()).isZero();
        assertReadable(repository, before, "a", "left");
        assertReadable(repository, since, "a", "b", "since");
        later(DAY.multipliedBy(89));
        assertThat(collect().moved().blocks()).isEqualTo(6);
    }

    /** Blocks that were deleted because a clock was ahead are not needed, and do not stop the collection of garbage. */
    @Test
    void whatWasDeletedByAClockThatWasAheadIsNotMissed() {
        Head gone = abandoned();
        later(DAY.multipliedBy(15));
        try (Repository ahead = FileRepository.open(ahead(disk, DAY.multipliedBy(3650)), FOLDER, Duration.ZERO)) {
            assertThat(ahead.maintenance().garbageCollection().run().moved().blocks())
                    .isEqualTo(3);
            later(DAY.multipliedBy(15));
            assertThat(ahead.maintenance().garbageCollection().run().deleted().blocks())
                    .isEqualTo(3);
        }
        repository.blocks().put(value("garbage"));
        later(DAY.multipliedBy(15));

        assertThat(collect().moved().blocks()).isEqualTo(1);
        assertThat(repository.blocks().get(gone.events().get(0))).isEmpty();
    }

    /** A disk whose own clock is ahead of the clock that sets mtimes. */
    private static Disk ahead(Disk disk, Duration time) {
        return HookedDisk.of(
                disk, (call, file, made) -> call.equals("now") ? ((Instant) made.make()).plus(time) : made.make());
    }

    /** A file with the name of a block in the folder of other ones, where nothing looks for it, is none of the store. */
    @Test
    void blocksInFoldersOfOthersAreLeftAlone() throws IOException {
        put("main", "a");
        Block block = value("garbage");
        List<Path> strangers = new ArrayList<>();
        for (String folder : List.of("blocks", "trash")) {
            Path stranger = FOLDER.resolve(folder)
                    .resolve("AA")
                    .resolve(file(folder, block.cid()).getFileName());
            disk.createDirectory(FOLDER.resolve(folder));
            disk.createDirectory(Disk.parent(stranger));
            try (Disk.WritableFile out = disk.create(stranger)) {
                out.write(block.bytes());
            }
            strangers.add(stranger);
        }
        later(DAY.multipliedBy(15));

        Collected collected = collect();

        assertThat(collected.moved().blocks()).isZero();
        assertThat(collected.deleted().blocks()).isZero();
        assertThat(strangers).allMatch(disk::exists);
        put("main", "b");
    }

    /** A writer that cannot know what was taken away trusts nothing; the next collection replaces the file. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDamagedFileOfTheCollectorStopsNoWriter_G17(boolean reopened) throws IOException {
        Head left = abandoned();
        later(DAY.multipliedBy(100));
        assertThat(collect().moved().blocks()).isPositive();
        later(DAY.multipliedBy(15));
        assertThat(collect().deleted().blocks()).isPositive();
        Path file = FOLDER.resolve("gc");
        disk.truncate(file, 1);
        try (Repository other = reopened ? FileRepository.open(disk, FOLDER, Duration.ZERO) : repository) {
            assertReadable(other, other.snapshot("main").head(), "a", "b");
            other.update("main", pail -> pail.delete("a"));
            assertThatExceptionOfType(MissingBlockException.class)
                    .isThrownBy(() -> other.move(other.snapshot("main"), left, "to what is gone"));
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(other.maintenance()::logsKeptSince)
                    .withMessageContaining(file.toString());
            assertThat(other.maintenance()
                            .garbageCollection()
                            .dryRun()
                            .deleted()
                            .blocks())
                    .isZero();
            assertThat(disk.read(file, 100)).hasSize(1);
            Instant before = disk.now();
            other.maintenance().garbageCollection().run();
            assertThat(other.maintenance().logsKeptSince()).isBetween(before, disk.now());
            other.update("main", pail -> pail.delete("b"));
            other.maintenance().garbageCollection().run();
        }
    }

    /** The branch was moved away from a lost event: the collection names it, and keeps all else that the log leads to. */
    @Test
    void whatOnlyALogLeadsToMayBeLost_G11() throws IOException {
        Snapshot first = put("main", "a");
        Head middle = put("main", "b").head();
        Head last = put("main", "c").head();
        repository.move(repository.snapshot("main"), first.head(), "back");
        repository.blocks().put(value("garbage"));
        later(DAY.multipliedBy(15));
        disk.delete(file("blocks", last.events().get(0)));
        Collected collected = collect();
        assertThat(collected.lost())
                .singleElement()
                .satisfies(
                        lost -> assertThat(lost.cid()).isEqualTo(last.events().get(0)));
        assertThat(isInBlocks(value("garbage").cid())).isFalse();
        // The log leads to it by itself.
        assertReadable(repository, middle, "a", "b");
        assertThat(isInBlocks(middle.events().get(0))).isTrue();
    }

    /** Between any two steps of a collection, a writer moves back to a version that no ref has reached. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsPublishedMeanwhileStays_G12(boolean slow) {
        Head left = abandoned();
        Cid root = repository.pailAt(left).root();
        Head now = repository.snapshot("main").head();
        boolean reached = true;
        int moments = 0;
        for (int moment = 1; reached; moment++) {
            later(DAY.multipliedBy(100));
            reached = isPublishedAt(moment, left, slow);
            moments++;
            assertThat(isInBlocks(root)).as("the root, moment " + moment).isTrue();
            // A value may be in the trash, as it may be anywhere: it comes back when it is asked for.
            assertThat(repository.blocks().get(value("left").cid())).isPresent();
            repository.move(repository.snapshot("main"), now, "and back");
            repository.update("main", pail -> pail.delete("b"));
            now = repository.snapshot("main").head();
            repository.update("main", pail -> pail.put("b", value("b").cid()));
        }
        assertThat(moments).isGreaterThan(10);
    }

    /**
     * Wraps the disk, and counts the reads of the branch's log: each read of the roots begins one. Its head need not be read again.
     *
     * @param slow whether each removal makes other writers wait for longer than a turn
     */
    private Disk hooked(boolean slow, int[] reads) {
        return HookedDisk.telling(disk, (call, file) -> {
            if (slow && (call.equals("rename") || call.equals("delete"))) {
                disk.pause(600);
            }
            reads[0] += call.equals("open") && file.endsWith("logs/main") ? 1 : 0;
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"quick", "slow", "the clock is set"})
    void theRootsAreReadOnceATurn_G12(String how) {
        int blocks = 40;
        for (int i = 0; i < blocks; i++) {
            repository.blocks().put(value("unneeded " + i));
        }
        later(DAY.multipliedBy(100));
        int[] reads = new int[1];
        Disk quickOrSlow = hooked(!how.equals("quick"), reads);
        Disk hooked = HookedDisk.telling(quickOrSlow, (call, file) -> {
            if (how.equals("the clock is set") && call.equals("open") && file.endsWith("logs/main")) {
                disk.pause(Duration.ofHours(1).toMillis());
            }
        });
        try (Repository collecting = FileRepository.open(hooked, FOLDER, Duration.ZERO)) {
            assertThat(collecting
                            .maintenance()
                            .garbageCollection()
                            .run()
                            .moved()
                            .blocks())
                    .isEqualTo(blocks);
        }
        switch (how) {
            case "quick" -> assertThat(reads[0]).isLessThanOrEqualTo(4);
            case "slow" -> assertThat(reads[0]).isGreaterThan(blocks / 2);
            default -> assertThat(reads[0]).isGreaterThan(blocks / 10);
        }
    }

    /** To look through many takes long, and does not need the lock. */
    @Test
    void whoeverOnlyLooksKeepsNobodyWaiting() {
        put("main", "a");
        FileRepository.of(repository).orElseThrow().packing().pack();
        for (int i = 0; i < 5; i++) {
            repository.blocks().put(value("unneeded " + i));
        }
        later(DAY.multipliedBy(100));
        int[] reads = new int[1];
        try (Repository other = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            Disk hooked = HookedDisk.telling(disk, (call, file) -> {
                if (call.equals("read") && file.startsWith(FOLDER.resolve("segments"))) {
                    reads[0]++;
                    other.blocks().put(value("meanwhile " + reads[0]));
                    other.tags().create("t" + reads[0], other.snapshot("main").head());
                }
            });
            try (Repository collecting = FileRepository.open(hooked, FOLDER, Duration.ZERO)) {
                assertThat(collecting
                                .maintenance()
                                .garbageCollection()
                                .run()
                                .moved()
                                .blocks())
                        .isEqualTo(5);
            }
        }
        assertThat(reads[0]).isPositive();
    }

    /** Publishes a head at a moment of a collection, or behind it if there is no such moment. */
    private boolean isPublishedAt(int moment, Head head, boolean slow) {
        int[] count = {0};
        try (Repository other = FileRepository.open(disk, FOLDER, Duration.ZERO);
                Repository collecting = FileRepository.open(hooked(slow, new int[1]), FOLDER, Duration.ZERO)) {
            Runnable publish = () -> {
                count[0]++;
                if (count[0] == moment) {
                    other.move(other.snapshot("main"), head, "again");
                }
            };
            collecting.maintenance().garbageCollection().withProgress(publish).run();
            if (count[0] < moment) {
                other.move(other.snapshot("main"), head, "again");
                return false;
            }
            return true;
        }
    }

    @Test
    void theGracePeriodHasALeast_G8() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> repository.maintenance().garbageCollection().withGrace(Duration.ofMinutes(59)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> repository.maintenance().garbageCollection().withRetention(Duration.ofMillis(-1)));
    }

    /** Longer than any time that there is has begun. */
    @Test
    void whatIsKeptForEverIsKept() {
        Duration forEver = ChronoUnit.FOREVER.getDuration();
        Snapshot first = put("main", "a");
        Snapshot second = put("main", "b");
        repository.move(second, first.head(), "back");
        Block garbage = value("garbage");
        repository.blocks().put(garbage);
        later(DAY.multipliedBy(1000));
        assertThat(repository
                        .maintenance()
                        .garbageCollection()
                        .withGrace(forEver)
                        .run()
                        .moved()
                        .blocks())
                .isZero();
        Collected collected = repository
                .maintenance()
                .garbageCollection()
                .withRetention(forEver)
                .run();
        assertThat(collected.moved().blocks()).isEqualTo(1);
        assertThat(isInTrash(garbage.cid())).isTrue();
        assertReadable(repository, second.head(), "a", "b");
        assertThat(repository.maintenance().logsKeptSince()).isEqualTo(Instant.MIN);
    }

    /** A process with an old version may publish it again, but only if all of its blocks are there. */
    @Test
    void whatComesBackIsCheckedAsAWhole_G14() throws IOException {
        try (Repository other = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            Snapshot first = put("main", "a");
            put("main", "l1");
            Head left = put("main", "l2").head();
            repository.move(repository.snapshot("main"), first.head(), "back");
            put("main", "b");
            Pail held = other.pailAt(left);
            Cid root = held.root();
            later(DAY.multipliedBy(100));
            collect();
            // From the trash it comes back as it is published.
            Snapshot now = other.snapshot("main");
            other.move(now, left, "again");
            assertThat(isInBlocks(root)).isTrue();
            other.move(other.snapshot("main"), now.head(), "and back");
            other.update("main", pail -> pail.put("x", value("x").cid()));
            later(DAY.multipliedBy(100));
            assertThat(collect().moved().blocks()).isPositive();
            later(DAY.multipliedBy(100));
            assertThat(collect().deleted().blocks()).isPositive();

            assertThatExceptionOfType(MissingBlockException.class)
                    .isThrownBy(() -> other.move(other.snapshot("main"), left, "too late"));
            assertThatExceptionOfType(MissingBlockException.class)
                    .isThrownBy(() -> other.replace("main", "back", pail -> held));
            assertThatExceptionOfType(MissingBlockException.class)
                    .isThrownBy(() -> other.replace(
                            "main",
                            "back",
                            pail -> held.put("more", value("more").cid())));
            assertThatExceptionOfType(MissingBlockException.class)
                    .isThrownBy(() -> other.tags().create("late", left));
            assertThatExceptionOfType(MissingBlockException.class)
                    .isThrownBy(() -> other.branches().create("late", left));
            assertThat(Verification.of(other.blocks(), other.pail().root()).isSound())
                    .isTrue();
        }
    }

    /** The same between the beginning of a change and its end. */
    @Test
    void whatIsTakenAwayDuringAChangeIsMissed_G14() {
        Head left = abandoned();
        Pail held = repository.pailAt(left);
        later(DAY.multipliedBy(100));
        collect();
        try (Repository other = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            Pail seen = other.pailAt(left);
            assertThat(seen.root()).isEqualTo(held.root());
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> other.replace("main", "back", pail -> {
                        later(DAY.multipliedBy(20));
                        collect();
                        later(DAY.multipliedBy(20));
                        collect();
                        return seen;
                    }))
                    .withCauseInstanceOf(MissingBlockException.class);
        }
    }

    /** A writer that finds a block may refer to it until half an hour before the least grace period ends (G7, SEG19). */
    @ParameterizedTest
    @EnumSource
    void whatIsPutAgainIsAsNewHalfAnHourAfterItWasPut_G7_SEG19(BlockStorage storage) {
        Path own = Path.of("/own");
        try (Repository made = FileRepository.init(disk, own, ShardFormat.v1(), storage)) {
            putTwiceAndCollect(made, made, value("by the same"));
            try (Repository other = FileRepository.open(disk, own, Duration.ZERO)) {
                putTwiceAndCollect(made, other, value("by another"));
            }
        }
    }

    private void putTwiceAndCollect(Repository first, Repository second, Block block) {
        GarbageCollection collection = first.maintenance().garbageCollection().withGrace(GarbageCollection.LEAST_GRACE);
        first.blocks().put(block);
        later(Duration.ofMinutes(31));
        second.blocks().put(block);
        later(Duration.ofMinutes(35));
        assertThat(collection.run().moved().blocks()).isZero();
        assertThat(second.blocks().get(block.cid())).contains(block);
        later(Duration.ofMinutes(26));
        assertThat(collection.run().moved().blocks())
                .as("an hour after it was put")
                .isPositive();
    }
}
