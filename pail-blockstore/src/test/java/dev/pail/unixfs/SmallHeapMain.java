package dev.pail.unixfs;

import dev.pail.BlockStore;
import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.ipld.Cid;
import java.io.IOException;
import java.nio.file.Path;

/** Reads what a stranger has put into a folder of blocks. For a process with a small heap. */
final class SmallHeapMain {
    private SmallHeapMain() {}

    /** Takes the folder, and CIDs. Prints for each how many entries and bytes were read, and why no more. */
    public static void main(String[] arguments) throws IOException {
        try (BlockStore blocks = DirectoryBlockStore.open(Path.of(arguments[0]))) {
            for (int i = 1; i < arguments.length; i++) {
                System.out.println(read(blocks, Cid.parse(arguments[i])));
            }
        }
    }

    private static String read(BlockStore blocks, Cid root) throws IOException {
        long entries = 0;
        long bytes = 0;
        try {
            if (UnixFs.node(blocks, root).kind() == NodeKind.FOLDER) {
                FolderWalk walk = UnixFs.walk(blocks, root);
                while (walk.hasNext()) {
                    walk.next();
                    entries++;
                }
            } else {
                UnixFsFile file = UnixFs.open(blocks, root);
                file = file.range(Math.max(0, file.size() - 1000), 1000);
                bytes = file.readAllBytes().length;
            }
            return entries + " entries, " + bytes + " bytes";
        } catch (DamagedFileException e) {
            return entries + " entries, " + bytes + " bytes; " + e.getMessage();
        }
    }
}
