package dev.pail.blockstore;

import dev.pail.CorruptBlockException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.unsafe.UnsafeBlocks;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** A folder of blocks, each in a file of its own: how they are named (Rule REP8), and how they are read. */
record BlockFiles(Disk disk, Path folder) {
    private static final String SUFFIX = ".data";
    private static final Pattern SUBFOLDER = Pattern.compile("[A-Z2-7]{2}");

    /** The file of a block, which may not be there. */
    Path file(Cid cid) {
        String name = cid.multihashName();
        return folder.resolve(name.substring(name.length() - 2) + '/' + name + SUFFIX);
    }

    /**
     * The block that a file name stands for, as the raw CID of its multihash. Empty if the name is no multihash that a block can
     * have, or if the file is in the wrong folder.
     */
    static Optional<Cid> cid(Path file) {
        String name = String.valueOf(file.getFileName());
        if (!name.startsWith("B") || !name.endsWith(SUFFIX)) {
            return Optional.empty();
        }
        String multihash = name.substring(0, name.length() - SUFFIX.length());
        String around = String.valueOf(Disk.parent(file).getFileName());
        if (around.length() != 2 || !multihash.endsWith(around)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Cid.ofMultihashName(multihash)).filter(Cid::canNameBlock);
        } catch (MalformedDataException e) {
            return Optional.empty();
        }
    }

    /** What is known of the file of a block, if it is there. */
    Optional<Disk.FileStatus> status(Cid cid) throws IOException {
        return disk.status(file(cid));
    }

    /** The block of a file, if it is there. */
    Optional<Block> read(Cid cid) throws IOException {
        Path file = file(cid);
        try {
            Optional<Disk.FileStatus> status = disk.status(file);
            if (status.isEmpty()) {
                return Optional.empty();
            }
            if (!status.get().isFile()) {
                throw new CorruptBlockException(cid, "something that is no file");
            }
            if (status.get().size() > Block.MAX_SIZE) {
                throw new CorruptBlockException(cid, status.get().size() + " bytes, more than a block has");
            }
            return Optional.of(UnsafeBlocks.verified(cid, disk.read(file, Block.MAX_SIZE)));
        } catch (NoSuchFileException e) {
            // It has just been moved.
            return Optional.empty();
        } catch (CorruptBlockException e) {
            throw new CorruptBlockException(cid, e.found() + ", in " + file);
        }
    }

    /** The folders in it that hold blocks, in order. */
    List<Path> subfolders() throws IOException {
        return disk.isDirectory(folder)
                ? disk.list(folder).stream()
                        .filter(each -> SUBFOLDER
                                        .matcher(String.valueOf(each.getFileName()))
                                        .matches()
                                && disk.isDirectory(each))
                        .toList()
                : List.of();
    }
}
