package dev.pail.unixfs;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.ipld.UnsupportedHashException;
import java.util.function.Consumer;

/** Reads files and folders to the end, and reports what breaks a rule. */
final class FileCheck {
    /** The most problems of one folder: a walk that has reached a limit reports each entry behind it. */
    private static final int MOST_PROBLEMS = 1000;

    private static final int PORTION = 1 << 16;

    private final BlockStore blocks;
    private final Consumer<DamagedFileException> problems;

    FileCheck(BlockStore blocks, Consumer<DamagedFileException> problems) {
        this.blocks = blocks;
        this.problems = problems;
    }

    void check(Cid value) {
        try {
            if (!DagPb.hasData(Nodes.bytes(blocks, value))) {
                return;
            }
        } catch (BlockException | MalformedDataException | UnsupportedHashException e) {
            // A missing block is not for this check, and a malformed one is found again.
        }
        isSound(() -> {
            UnixFsNode node = Nodes.read(blocks, value).node();
            if (node.kind() == NodeKind.FILE) {
                readAll(value);
            } else if (node.kind() == NodeKind.FOLDER) {
                readFolder(new FolderWalk(blocks, value, WalkLimits.DEFAULT));
            }
        });
    }

    private void readFolder(FolderWalk walk) {
        for (int found = 0; found < MOST_PROBLEMS; ) {
            boolean[] isMore = {true};
            boolean isSound = isSound(() -> {
                isMore[0] = walk.hasNext();
                if (isMore[0]) {
                    FolderEntry entry = walk.next();
                    if (entry.node().kind() == NodeKind.FILE) {
                        readAll(entry.cid());
                    }
                }
            });
            if (!isMore[0]) {
                return;
            }
            found += isSound ? 0 : 1;
        }
    }

    private void readAll(Cid file) {
        UnixFsFile in = new UnixFsFile(blocks, file);
        byte[] portion = new byte[PORTION];
        int count;
        do {
            count = in.read(portion, 0, PORTION);
        } while (count >= 0);
    }

    private boolean isSound(Runnable read) {
        try {
            read.run();
            return true;
        } catch (DamagedFileException e) {
            if (e.getCause() instanceof MalformedDataException) {
                problems.accept(e);
            }
            return false;
        }
    }
}
