package dev.pail.blockstore;

import dev.pail.CorruptBlockException;
import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.sweep.SweepRule;
import dev.pail.sweep.Swept;
import dev.pail.sweep.SweptBlocks;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A directory block store as a garbage collector sees it. The stamps are those of the files, by the file system's own clock.
 *
 * <p>A block is stamped anew before it goes to the trash, so that it is not deleted too early if the collector ends between the
 * two. It comes back as a copy, which is durable before the file in the trash is deleted: a name that goes from one folder to another
 * may be lost with the power.
 */
final class DirectorySweep implements SweptBlocks, LooseBlocks {
    /** The most files that are swept at a time. */
    private static final int PORTION = 256;

    private final Disk disk;
    private final DirectoryBlockStore store;
    private final BlockWriter writer;
    private final BlockFiles blocks;
    private final BlockFiles trash;

    /** Writes to the trash. */
    private final BlockWriter thrower;

    DirectorySweep(DirectoryBlockStore store, BlockWriter writer, BlockFiles blocks, BlockFiles trash) {
        this.disk = blocks.disk();
        this.store = store;
        this.writer = writer;
        this.blocks = blocks;
        this.trash = trash;
        this.thrower = new BlockWriter(trash);
    }

    @Override
    public void forEach(Consumer<Loose> action) {
        forEach(blocks, action);
    }

    @Override
    public void forEachInTrash(Consumer<Loose> action) {
        forEach(trash, action);
    }

    private void forEach(BlockFiles of, Consumer<Loose> action) {
        Path at = of.folder();
        try {
            for (Path subfolder : of.subfolders()) {
                at = subfolder;
                for (Path file : disk.list(subfolder)) {
                    loose(file).ifPresent(action);
                }
            }
        } catch (IOException e) {
            throw new StoreIOException("cannot list the blocks", at.toString(), e);
        }
    }

    /** The block that a file is of, if it is of one. */
    private Optional<Loose> loose(Path file) throws IOException {
        Optional<Cid> cid = BlockFiles.cid(file);
        return cid.isEmpty()
                ? Optional.empty()
                : disk.status(file)
                        .filter(Disk.FileStatus::isFile)
                        .map(status -> new Loose(cid.get(), status.size(), status.mtime()));
    }

    @Override
    public Optional<Block> read(Cid cid) {
        return store.read(blocks, cid);
    }

    @Override
    public void remove(Cid cid) {
        Path file = blocks.file(cid);
        try {
            disk.delete(file);
        } catch (IOException e) {
            throw writer.failed("cannot remove a block that was moved", file, e);
        }
    }

    @Override
    public Instant clock() {
        try {
            return writer.probe();
        } catch (IOException e) {
            throw new StoreIOException(
                    "cannot learn the time of the file system", blocks.folder().toString(), e);
        }
    }

    @Override
    public Iterator<Portion> portions() {
        try {
            // What is in the trash comes first: what goes there now need not be looked at again.
            return new Portions(List.of(trash, blocks));
        } catch (IOException e) {
            throw new StoreIOException("cannot list the blocks", blocks.folder().toString(), e);
        }
    }

    /** The files of one folder after the other. */
    private final class Portions implements Iterator<Portion> {
        private final Deque<Path> folders = new ArrayDeque<>();
        private List<Path> files = List.of();

        Portions(List<BlockFiles> all) throws IOException {
            for (BlockFiles each : all) {
                folders.addAll(each.subfolders());
            }
        }

        @Override
        public boolean hasNext() {
            while (files.isEmpty() && !folders.isEmpty()) {
                Path folder = folders.removeFirst();
                try {
                    files = disk.list(folder);
                } catch (IOException e) {
                    throw new StoreIOException("cannot list the blocks", folder.toString(), e);
                }
            }
            return !files.isEmpty();
        }

        @Override
        public Portion next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            List<Path> some = files.subList(0, Math.min(PORTION, files.size()));
            files = files.subList(some.size(), files.size());
            boolean thrown = some.get(0).startsWith(trash.folder());
            return new Files(some, thrown ? new FromTrash() : new ToTrash());
        }
    }

    private enum Mode {
        PREVIEW,
        SWEEP
    }

    /** The treatment of the blocks of a folder. */
    private interface Act {
        /** What {@link #run} would do with a block. */
        Swept preview(SweepRule rule, Loose block) throws IOException;

        /** Moves or deletes the file of a block. */
        Swept run(SweepRule rule, Swept due, Cid cid, Path file) throws IOException;

        /** Makes the changes in a folder durable, if they must be. */
        void end(Path folder) throws IOException;
    }

    private final class Files implements Portion {
        private final List<Path> files;
        private final Act act;

        Files(List<Path> files, Act act) {
            this.files = files;
            this.act = act;
        }

        @Override
        public Swept preview(SweepRule rule) {
            return run(rule, Mode.PREVIEW);
        }

        @Override
        public Swept sweep(SweepRule rule) {
            Swept swept = run(rule, Mode.SWEEP);
            if (swept.isChange()) {
                Path folder = Disk.parent(files.get(0));
                try {
                    act.end(folder);
                } catch (IOException e) {
                    throw writer.failed("cannot collect blocks", folder, e);
                }
            }
            return swept;
        }

        private Swept run(SweepRule rule, Mode mode) {
            Swept sum = Swept.NOTHING;
            for (Path file : files) {
                try {
                    Optional<Loose> block = loose(file);
                    if (block.isPresent()) {
                        Swept due = act.preview(rule, block.get());
                        boolean isDone = mode == Mode.SWEEP && due.isChange();
                        sum = sum.plus(isDone ? act.run(rule, due, block.get().cid(), file) : due);
                    }
                } catch (IOException e) {
                    throw mode == Mode.SWEEP
                            ? writer.failed("cannot collect blocks", file, e)
                            : new StoreIOException("cannot collect blocks", file.toString(), e);
                }
            }
            return sum;
        }
    }

    /** Rule G8: what is not needed goes to the trash. */
    private final class ToTrash implements Act {
        @Override
        public Swept preview(SweepRule rule, Loose block) {
            return rule.isDue(block.cid(), block.mtime()) ? Swept.moved(block.size()) : Swept.kept(block.size());
        }

        @Override
        public Swept run(SweepRule rule, Swept due, Cid cid, Path file) throws IOException {
            Path to = trash.file(cid);
            if (!disk.isDirectory(trash.folder())) {
                disk.createDirectory(trash.folder());
            }
            disk.createDirectory(Disk.parent(to));
            // A process that may not set the mtime puts a copy there, which has a new one.
            if (!Disk.trySetMtime(disk, file, writer.mtimeNow()) || !tryMove(file, to)) {
                thrower.copy(file, to);
                disk.delete(file);
            }
            return due;
        }

        /** Moves a file, unless the trash is on another file system. */
        private boolean tryMove(Path file, Path to) throws IOException {
            try {
                disk.rename(file, to);
                return true;
            } catch (AtomicMoveNotSupportedException e) {
                return false;
            }
        }

        @Override
        public void end(Path folder) throws IOException {
            disk.syncDirectory(Disk.parent(trash.folder()));
            disk.syncDirectory(trash.folder());
            disk.syncDirectory(trash.folder().resolve(folder.getFileName()));
        }
    }

    /** Rule G10: what is needed comes back from the trash, the rest is deleted. */
    private final class FromTrash implements Act {
        @Override
        public Swept preview(SweepRule rule, Loose block) throws IOException {
            if (rule.isNeeded().test(block.cid())) {
                return blocks.status(block.cid()).isPresent()
                        ? Swept.deleted(block.size())
                        : Swept.restored(block.size());
            }
            return rule.isDue(block.cid(), block.mtime()) ? Swept.deleted(block.size()) : Swept.waiting(block.size());
        }

        @Override
        public Swept run(SweepRule rule, Swept due, Cid cid, Path file) throws IOException {
            if (rule.isNeeded().test(cid)) {
                try {
                    // Also if it exists there: that file may be damaged, or not durable.
                    trash.read(cid).ifPresent(block -> store.put(block));
                } catch (CorruptBlockException | UnsupportedHashException e) {
                    // As long as it is needed, it stays here.
                    return Swept.NOTHING;
                }
            }
            disk.delete(file);
            return due;
        }

        @Override
        public void end(Path folder) {
            // What comes back to the trash with a loss of power is deleted by a later run.
        }
    }

    @Override
    public Optional<Block> look(Cid cid) {
        return store.look(cid);
    }
}
