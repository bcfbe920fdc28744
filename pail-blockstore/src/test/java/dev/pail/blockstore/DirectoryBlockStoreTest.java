package dev.pail.blockstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.disk.Unfinished;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.lock.FailStop;
import dev.pail.sweep.SweepRule;
import dev.pail.sweep.SweptBlocks;
import dev.pail.testkit.BlockStoreContract;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.Fault;
import dev.pail.testkit.disk.FaultyDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectoryBlockStoreTest extends BlockStoreContract {
    /** What a put needs: without it, its block may be lost. */
    private static final Set<Fault.Call> NEEDED =
            EnumSet.of(Fault.Call.WRITE, Fault.Call.SYNC, Fault.Call.RENAME, Fault.Call.SYNC_DIRECTORY);

    @TempDir
    Path folder;

    @Override
    protected BlockStore newStore() {
        return DirectoryBlockStore.open(folder.resolve("contract"));
    }

    private DirectoryBlockStore store() {
        return DirectoryBlockStore.open(folder.resolve("blocks"));
    }

    private Path file(Block block) {
        String name = block.cid().multihashName();
        return folder.resolve("blocks")
                .resolve(name.substring(name.length() - 2))
                .resolve(name + ".data");
    }

    /** What npm blockstore-fs 4.0.1 writes for the empty pail of version 0. */
    @Test
    void theLayoutIsThatOfBlockstoreFs() throws IOException {
        byte[] empty = java.util.HexFormat.of()
                .parseHex("a367656e747269657380676d617853697a651a000800006c6d61784b65794c656e6774681840");
        Block block = Block.of(Cid.DAG_CBOR, empty);
        assertThat(block.cid()).hasToString("bafyreiflpbpsuu4rm5wackscdscm6gbs7u6bxk6v6obo6f52z3vstwwpyu");
        store().put(block);
        Path file = folder.resolve(
                "blocks/YU/BCIQKW6C7FJJZCZ3MAEVEEHEEZ4MDF7J4DOV5L44C54L3VTXLFHNM7RI.data".replace("YU", "RI"));
        assertThat(file).hasBinaryContent(empty);
        assertThat(Files.getPosixFilePermissions(file)).contains(PosixFilePermission.OWNER_READ);
        assertThat(Files.getPosixFilePermissions(file))
                .isEqualTo(Files.getPosixFilePermissions(Files.createFile(folder.resolve("ordinary"))));
        try (Stream<Path> files = Files.walk(folder.resolve("blocks"))) {
            assertThat(files.filter(Files::isRegularFile)).containsExactly(file);
        }
    }

    @Test
    void aBlockIsFoundByItsMultihash() {
        Block raw = block(1);
        store().put(raw);
        Cid asCbor = Block.of(Cid.DAG_CBOR, raw.bytes()).cid();
        assertThat(store().get(asCbor).orElseThrow().cid()).isEqualTo(asCbor);
    }

    @Test
    void damagedBlocksAreNeitherHandedOutNorDeleted() throws IOException {
        store().put(block(1));
        for (byte[] wrong : List.of(new byte[0], new byte[] {9, 9, 9}, new byte[100])) {
            Files.write(file(block(1)), wrong);
            assertThatExceptionOfType(CorruptBlockException.class)
                    .isThrownBy(() -> store().get(block(1).cid()))
                    .withMessageContaining(file(block(1)).toString())
                    .satisfies(e -> assertThat(e.cid()).isEqualTo(block(1).cid()));
            assertThat(file(block(1))).hasBinaryContent(wrong);
        }
    }

    @Test
    void puttingMendsWhatIsDamaged() throws IOException {
        DirectoryBlockStore store = store();
        store.put(block(1));
        for (byte[] wrong : List.of(new byte[0], new byte[] {9, 9, 9}, new byte[100])) {
            for (DirectoryBlockStore each : List.of(store, store())) {
                Files.write(file(block(1)), wrong);
                each.put(block(1));
                assertThat(each.get(block(1).cid())).contains(block(1));
            }
        }
    }

    /** A put must repair an unreadable file as it repairs a corrupt one. */
    @Test
    void puttingMendsWhatTheDiskCannotRead() throws IOException {
        store().put(block(1));
        AtomicBoolean broken = new AtomicBoolean(true);
        DirectoryBlockStore store = DirectoryBlockStore.open(
                HookedDisk.telling(Disk.system(), (call, path) -> {
                    // A file that has the name in its place is another one.
                    broken.compareAndSet(true, !call.equals("rename"));
                    if (broken.get() && call.equals("read") && path.equals(file(block(1)))) {
                        throw new IOException("Input/output error");
                    }
                }),
                folder.resolve("blocks"));
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(() -> store.get(block(1).cid()))
                .withMessageContaining(file(block(1)).toString());
        store.put(block(1));
        assertThat(store.get(block(1).cid())).contains(block(1));
        store.put(block(2));
    }

    /** As where the file is damaged: it may have come back from there. */
    @Test
    void whatTheDiskCannotReadIsReadFromTheTrash() throws IOException {
        store().put(block(1));
        Path blocks = folder.resolve("blocks");
        Path inTrash = blocks.resolve(".trash").resolve(blocks.relativize(file(block(1))));
        Files.createDirectories(Disk.parent(inTrash));
        Files.copy(file(block(1)), inTrash);
        DirectoryBlockStore store = DirectoryBlockStore.open(
                HookedDisk.telling(Disk.system(), (call, path) -> {
                    if (call.equals("read") && path.equals(file(block(1)))) {
                        throw new IOException("Input/output error");
                    }
                }),
                blocks);
        assertThat(store.get(block(1).cid())).contains(block(1));
        Files.delete(inTrash);
        assertThatExceptionOfType(StoreIOException.class).isThrownBy(() -> store.get(block(1).cid()));
    }

    /** Only the owner of a file may set its mtime, but other users may have the right to write it. */
    @Test
    void aStampThatMustNotBeSetIsRenewedByWritingAnew() throws IOException {
        DirectoryBlockStore store = DirectoryBlockStore.open(
                HookedDisk.telling(Disk.system(), (call, path) -> {
                    if (call.equals("setMtime")) {
                        throw new FileSystemException(path.toString(), null, "Operation not permitted");
                    }
                }),
                folder.resolve("blocks"));
        store().put(block(1));
        Instant old = Instant.now().minus(Duration.ofDays(1));
        for (int i = 0; i < 2; i++) {
            Files.setLastModifiedTime(file(block(1)), FileTime.from(old));
            store.put(block(1));
            assertThat(Files.getLastModifiedTime(file(block(1))).toInstant()).isAfter(old.plus(Duration.ofHours(23)));
        }
        store.put(block(2));
        assertThat(store().get(block(2).cid())).contains(block(2));
    }

    @Test
    void whatIsNoFileIsNotRead() throws IOException {
        Files.createDirectories(file(block(1)));
        assertThatExceptionOfType(CorruptBlockException.class).isThrownBy(() -> store().get(block(1).cid()));
        Files.createDirectories(file(block(2)).getParent());
        Path elsewhere = Files.write(folder.resolve("elsewhere"), block(2).bytes());
        Files.createSymbolicLink(file(block(2)), elsewhere);
        assertThatExceptionOfType(CorruptBlockException.class).isThrownBy(() -> store().get(block(2).cid()));
    }

    @Test
    void hashesThatCannotBeComputedAreNotBelieved() throws IOException {
        byte[] bytes = Arrays.copyOf(new byte[] {1, 0x55, 0x30, 32}, 36);
        Cid unknown = Cid.fromBytes(bytes);
        String name = unknown.multihashName();
        Path file = folder.resolve("blocks")
                .resolve(name.substring(name.length() - 2))
                .resolve(name + ".data");
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[] {1});
        assertThat(store().has(unknown)).isTrue();
        assertThatExceptionOfType(UnsupportedHashException.class).isThrownBy(() -> store().get(unknown));
    }

    @Test
    void temporaryFilesOfADayAgoAreRemoved() throws IOException {
        Path temporary = folder.resolve("blocks/.tmp");
        Files.createDirectories(temporary);
        Path old = Files.createFile(temporary.resolve("old"));
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(25))));
        Path fresh = Files.createFile(temporary.resolve("fresh"));
        store().put(block(1));
        assertThat(old).doesNotExist();
        assertThat(fresh).exists();
    }

    /** The name of an unfinished file says what process writes it. */
    @Test
    void anUnfinishedFileOfALiveWriterStays_REP8() throws IOException {
        Path temporary = Files.createDirectories(folder.resolve("blocks/.tmp"));
        Path live = Files.createFile(temporary.resolve(Unfinished.name()));
        String own = String.valueOf(live.getFileName());
        // Of a process that cannot be, of another machine, and as older programs name them.
        Path dead = Files.createFile(temporary.resolve("999999999" + own.substring(own.indexOf('.'))));
        Path foreign = Files.createFile(temporary.resolve(own.replaceFirst("\\.[^.]*", ".elsewhere")));
        Path older = Files.createFile(temporary.resolve(own.substring(own.lastIndexOf('.') + 1)));
        for (Path each : List.of(live, dead, foreign, older)) {
            Files.setLastModifiedTime(each, FileTime.from(Instant.now().minus(Duration.ofDays(3))));
        }
        try (DirectoryBlockStore store = store()) {
            store.put(block(1));
        }
        assertThat(temporary).isDirectoryContaining(live::equals);
        assertThat(List.of(dead, foreign, older)).noneMatch(Files::exists);
    }

    /** The age of a file is measured by the clock that set its mtime, not by that of the reader. */
    @Test
    void theClockOfAnotherWriterRemovesNothing_REP8() throws IOException {
        Path temporary = Files.createDirectories(folder.resolve("blocks/.tmp"));
        Path young = Files.createFile(temporary.resolve("young"));
        Disk ahead = HookedDisk.of(
                Disk.system(),
                (call, file, made) -> call.equals("now") ? Instant.now().plus(Duration.ofDays(2)) : made.make());
        try (DirectoryBlockStore store = DirectoryBlockStore.open(ahead, folder.resolve("blocks"))) {
            store.put(block(1));
        }
        assertThat(young).exists();
    }

    @Test
    void aPutAfterAFailureSucceedsWhenTheCauseIsGone() throws IOException {
        int points = 0;
        int needed = 0;
        for (long failing = 1; ; failing++) {
            Path own = folder.resolve("faults" + failing);
            FaultyDisk disk = new FaultyDisk(Disk.system(), Fault.BEFORE, failing, false);
            DirectoryBlockStore store = DirectoryBlockStore.open(disk, own);
            boolean refused = false;
            try {
                store.put(block(1));
            } catch (StoreIOException e) {
                refused = true;
            }
            if (disk.calls() < failing) {
                assertThat(refused).isFalse();
                break;
            }
            points++;
            boolean isNeeded = NEEDED.contains(disk.failed().orElseThrow().call());
            assertThat(refused || !isNeeded).as(disk.failed() + " is said").isTrue();
            needed += isNeeded ? 1 : 0;
            store.put(block(1));
            store.put(block(2));
            DirectoryBlockStore again = DirectoryBlockStore.open(own);
            assertThat(again.get(block(2).cid())).contains(block(2));
            assertThat(again.get(block(1).cid())).contains(block(1));
        }
        assertThat(points).isGreaterThan(8);
        assertThat(needed).isGreaterThanOrEqualTo(6);
    }

    private static List<Block> manyBlocks() {
        return IntStream.range(0, 3000)
                .mapToObj(i -> Block.of(Cid.RAW, new byte[] {(byte) i, (byte) (i >> 8)}))
                .toList();
    }

    /** Several threads write the files of many blocks. All are synced before the first gets its name, and each folder is synced once. */
    @Test
    void manyBlocksAreSyncedTogether() throws IOException {
        List<String> calls = new ArrayList<>();
        Disk disk = HookedDisk.telling(Disk.system(), (call, path) -> {
            synchronized (calls) {
                calls.add(call.startsWith("sync") || call.equals("rename") ? call + " " + path : call);
            }
        });
        Path own = folder.resolve("many");
        DirectoryBlockStore store = DirectoryBlockStore.open(disk, own);
        // Makes the folders, which are synced when they are made.
        store.putAll(manyBlocks());
        store = DirectoryBlockStore.open(disk, own);
        try (Stream<Path> files = Files.walk(own)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
        store.putAll(List.of());
        calls.clear();
        store.putAll(manyBlocks());

        List<String> syncs =
                calls.stream().filter(call -> call.startsWith("sync ")).toList();
        assertThat(syncs).hasSize(3000).doesNotHaveDuplicates();
        List<String> order = calls.stream()
                .map(call -> call.substring(0, (call + ' ').indexOf(' ')))
                .filter(call -> call.equals("sync") || call.equals("rename"))
                .toList();
        assertThat(order.lastIndexOf("sync")).isLessThan(order.indexOf("rename"));
        List<String> after = calls.subList(
                calls.lastIndexOf(calls.stream()
                        .filter(call -> call.startsWith("rename"))
                        .reduce((first, second) -> second)
                        .orElseThrow()),
                calls.size());
        List<String> folders =
                after.stream().filter(call -> call.startsWith("syncDirectory")).toList();
        assertThat(folders).hasSize(128).doesNotHaveDuplicates();
        for (Block block : manyBlocks()) {
            assertThat(store.get(block.cid())).contains(block);
        }
    }

    /** Whichever thread fails: no block has its name, no temporary file is left, and the store takes no more. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 500, 2999, 3000})
    void aFailureAmongManyBlocksLeavesNone(int failing) throws IOException {
        AtomicInteger writes = new AtomicInteger();
        Path own = folder.resolve("many");
        DirectoryBlockStore store = DirectoryBlockStore.open(
                HookedDisk.telling(Disk.system(), (call, path) -> {
                    if (call.equals("write") && writes.incrementAndGet() == failing) {
                        throw new IOException("Input/output error");
                    }
                }),
                own);
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(() -> store.putAll(manyBlocks()))
                .withMessageContaining("Input/output error");
        try (Stream<Path> files = Files.walk(own)) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        }
        store.putAll(manyBlocks());
        assertThat(DirectoryBlockStore.open(own).get(manyBlocks().get(2999).cid()))
                .isPresent();
    }

    @Test
    void whoWritesAfterAFailureIsToldOfItInOneSentence() {
        FailStop failStop = new FailStop("store", Path.of("store"));
        Map.of(
                        new FileSystemException("store", null, "No space left on device"),
                        "No space left on device",
                        new StoreIOException("cannot keep a block", "store/a", "No space left on device", null),
                        "cannot keep a block: store/a: No space left on device",
                        new StackOverflowError(),
                        "StackOverflowError")
                .forEach((failure, reason) -> {
                    failStop.refuseAfter(failure);
                    assertThatExceptionOfType(StoreIOException.class)
                            .isThrownBy(failStop::check)
                            .withCause(failure)
                            .withMessage("nothing is written after a failure, until the store is opened again: store: "
                                    + reason);
                });
    }

    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    /** A killed writer may leave folders that are not durable yet; the next writer must sync them. */
    @Test
    void whatIsPutAfterAnotherWasKilledSurvivesALossOfPower() throws IOException {
        Path own = Path.of("/around/store");
        int kills = 0;
        while (true) {
            CrashDisk disk = new CrashDisk();
            disk.createDirectory(Path.of("/around"));
            disk.syncDirectory(Path.of("/"));
            long last = disk.calls() + kills;
            disk.onChange(() -> {
                if (disk.calls() > last) {
                    throw new Killed();
                }
            });
            try {
                DirectoryBlockStore.open(disk, own).put(block(1));
                break;
            } catch (Killed e) {
                kills++;
            }
            disk.onChange(() -> {});
            DirectoryBlockStore next = DirectoryBlockStore.open(disk, own);
            next.put(block(1));
            next.put(block(2));
            DirectoryBlockStore left = DirectoryBlockStore.open(disk.afterLoss(CrashDisk.Loss.ALL, new Random(0)), own);
            assertThat(left.get(block(1).cid())).as("killed at call %s", kills).contains(block(1));
            assertThat(left.get(block(2).cid())).as("killed at call %s", kills).contains(block(2));
        }
        assertThat(kills).isGreaterThan(8);
    }

    /** As another program may leave it that syncs nothing. */
    @Test
    void whatIsThereAlreadyIsMadeSafeWithItsFolder() throws IOException {
        Path own = Path.of("/store");
        CrashDisk disk = new CrashDisk();
        Path file = new BlockFiles(disk, own).file(block(1).cid());
        disk.createDirectory(own);
        disk.createDirectory(Disk.parent(file));
        try (Disk.WritableFile out = disk.create(file)) {
            out.write(block(1).bytes());
        }
        DirectoryBlockStore.open(disk, own).put(block(1));
        assertThat(DirectoryBlockStore.open(disk.afterLoss(CrashDisk.Loss.ALL, new Random(0)), own)
                        .get(block(1).cid()))
                .contains(block(1));
    }

    @Test
    void theFolderAroundTheStoreNeedNotBeReadable() {
        store().put(block(1));
        Disk denied = HookedDisk.telling(Disk.system(), (call, path) -> {
            if (call.equals("syncDirectory") && path.equals(folder)) {
                throw new AccessDeniedException(path.toString());
            }
        });
        DirectoryBlockStore store = DirectoryBlockStore.open(denied, folder.resolve("blocks"));
        store.put(block(2));
        assertThat(store.get(block(2).cid())).contains(block(2));
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(() -> DirectoryBlockStore.open(denied, folder.resolve("another"))
                        .put(block(1)))
                .withMessageContaining("permission denied");
    }

    @Test
    void aSweepThatFailsStopsNoWriting() {
        store().put(block(1));
        DirectoryBlockStore store = DirectoryBlockStore.open(
                HookedDisk.telling(Disk.system(), (call, path) -> {
                    if (call.equals("status") && path.equals(file(block(1)))) {
                        throw new IOException("Input/output error");
                    }
                }),
                folder.resolve("blocks"));
        SweptBlocks.Portion portion = store.swept().portions().next();
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(() -> portion.preview(new SweepRule(cid -> false, Instant.MAX)));
        store.put(block(2));
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(() -> portion.sweep(new SweepRule(cid -> false, Instant.MAX)));
        store.put(block(3));
        assertThat(store.get(block(3).cid())).contains(block(3));
    }

    /** If only the removal from the old folder were durable, a loss of power would lose a block that may be needed again. */
    @Test
    void whatGoesToTheTrashIsSafeThere() {
        Path own = Path.of("/store");
        CrashDisk disk = new CrashDisk();
        DirectoryBlockStore store = DirectoryBlockStore.open(disk, own);
        store.put(block(1));
        disk.pause(10_000);
        store.swept().portions().forEachRemaining(portion -> portion.sweep(new SweepRule(cid -> false, Instant.MAX)));
        assertThat(disk.status(new BlockFiles(disk, own).file(block(1).cid()))).isEmpty();
        Random random = new Random(Randomness.seed("DirectoryBlockStoreTest"));
        for (int i = 0; i < 100; i++) {
            CrashDisk left = disk.afterLoss(CrashDisk.Loss.ANY, random);
            assertThat(DirectoryBlockStore.open(left, own).get(block(1).cid())).contains(block(1));
        }
    }
}
