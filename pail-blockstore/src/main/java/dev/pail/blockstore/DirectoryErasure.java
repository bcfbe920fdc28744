package dev.pail.blockstore;

import dev.pail.disk.Disk;
import dev.pail.disk.Unfinished;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The removal of some blocks from a folder of blocks and its trash, for good. It also deletes the temporary files of ended processes, since
 * one of them may have the bytes of a block.
 */
final class DirectoryErasure {
    private final Disk disk;
    private final List<BlockFiles> places;

    /** @param places the folders where a block may be */
    DirectoryErasure(Disk disk, List<BlockFiles> places) {
        this.disk = disk;
        this.places = places;
    }

    /** Whether a file of a block is in one of the folders. */
    boolean isThere(Cid cid) throws IOException {
        for (BlockFiles each : places) {
            if (cid.canNameBlock() && each.status(cid).isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** Removes the blocks durably. A file that is not there may be the work of a removal that was cut off, so its folder is synced too. */
    void remove(Collection<Cid> cids) throws IOException {
        Set<Cid> raw = new HashSet<>();
        cids.forEach(cid -> raw.add(cid.raw()));
        for (BlockFiles each : places) {
            Set<Path> touched = new LinkedHashSet<>();
            for (Cid cid : cids) {
                Path file = each.file(cid);
                if (disk.isDirectory(Disk.parent(file))) {
                    disk.delete(file);
                    touched.add(Disk.parent(file));
                }
            }
            Path temporary = each.folder().resolve(BlockWriter.TEMPORARY);
            if (disk.isDirectory(temporary)) {
                removeUnfinished(temporary, raw);
                touched.add(temporary);
            }
            for (Path folder : touched) {
                disk.syncDirectory(folder);
            }
        }
    }

    private void removeUnfinished(Path temporary, Set<Cid> raw) throws IOException {
        for (Path file : disk.list(temporary)) {
            if (!Unfinished.isOfRunningProcess(file) || isOf(file, raw)) {
                disk.delete(file);
            }
        }
    }

    /** Whether the file of a process that runs has one of these blocks. */
    private boolean isOf(Path file, Set<Cid> raw) throws IOException {
        try {
            Optional<Disk.FileStatus> status = disk.status(file);
            return status.isPresent()
                    && status.get().isFile()
                    && status.get().size() <= Block.MAX_SIZE
                    && raw.contains(
                            Block.of(Cid.RAW, disk.read(file, Block.MAX_SIZE)).cid());
        } catch (NoSuchFileException e) {
            // It has its name now, or its process has deleted it.
            return false;
        }
    }
}
