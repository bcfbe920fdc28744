package dev.pail.unixfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.BlockStore;
import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.blockstore.SmallHeap;
import dev.pail.dag.Protobuf;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files and folders that are made to take memory, read in a process with a heap of 64 MiB and little stack. */
class HostileMemoryTest {
    /** The shortest CID: no bytes, as raw bytes. */
    private static final Cid EMPTY = Forged.identity(Cid.RAW, new byte[0]);

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    /** Links as they stand in a node, up to a size in bytes. */
    private static final class ManyLinks {
        private final ByteArrayOutputStream links = new ByteArrayOutputStream();

        void add(byte[] link) {
            links.writeBytes(new Protobuf.Writer().bytes(2, link).toByteArray());
        }

        int size() {
            return links.size();
        }

        byte[] node(byte[] data) {
            links.writeBytes(new Protobuf.Writer().bytes(1, data).toByteArray());
            return links.toByteArray();
        }
    }

    /** Names in an order that is not theirs, so that a reader has to look for equal ones. */
    private static ManyLinks manyNames(int bytes) {
        ManyLinks links = new ManyLinks();
        for (int i = 0; links.size() < bytes; i++) {
            String name = Integer.toString(Integer.reverse(i) >>> 8, Character.MAX_RADIX);
            links.add(Forged.link(EMPTY, name));
        }
        return links;
    }

    private static Cid folders(Forged forged, int levels) {
        Cid inner = EMPTY;
        for (int level = 0; level < levels; level++) {
            ManyLinks links = new ManyLinks();
            // First, so that the walk enters it with all others before it.
            links.add(Forged.link(inner, "zzzzzzz"));
            byte[] rest = manyNames(Block.MAX_SIZE - 100).node(Forged.type(UnixFsData.FOLDER));
            ByteArrayOutputStream node = new ByteArrayOutputStream();
            node.writeBytes(links.links.toByteArray());
            node.writeBytes(rest);
            inner = forged.store(node.toByteArray());
        }
        return inner;
    }

    /** Nodes of 8 MiB of empty parts, and behind these one with all bytes. */
    private static Cid file(Forged forged, int levels) {
        Cid inner = forged.raw(new byte[1000]);
        for (int level = 0; level < levels; level++) {
            ManyLinks links = new ManyLinks();
            List<Long> sizes = new ArrayList<>();
            byte[] empty = new Protobuf.Writer().bytes(1, EMPTY.toBytes()).toByteArray();
            while (links.size() + 2 * sizes.size() < Block.MAX_SIZE - 200) {
                links.add(empty);
                sizes.add(0L);
            }
            links.add(Forged.link(inner, ""));
            sizes.add(1000L);
            inner = forged.store(links.node(Forged.fileData(UnixFsData.FILE, new byte[0], 1000, sizes)));
        }
        return inner;
    }

    private static Cid longNames(Forged forged) {
        Cid inner = EMPTY;
        for (int level = 0; level < 2000; level++) {
            inner = forged.folder(level == 1999 ? "é".repeat(30_000) : "é".repeat(15), inner);
        }
        return inner;
    }

    private static Cid repeated(Forged forged) {
        ManyLinks links = new ManyLinks();
        for (int i = 0; i < 10_000; i++) {
            links.add(Forged.link(EMPTY, "n" + i));
        }
        Cid inner = forged.store(links.node(Forged.type(UnixFsData.FOLDER)));
        for (int level = 0; level < 5; level++) {
            List<byte[]> wide = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                wide.add(Forged.link(inner, "n" + i));
            }
            inner = forged.folder(wide);
        }
        return inner;
    }

    @Test
    void forgedDagsDoNotTakeTheMemory_FS7_FS14() throws Exception {
        List<String> roots = new ArrayList<>();
        try (BlockStore blocks = DirectoryBlockStore.open(folder)) {
            Forged forged = new Forged(blocks);
            byte[] target = new byte[7 << 20];
            roots.add(folders(forged, 6).toString());
            roots.add(file(forged, 3).toString());
            roots.add(file(forged, 8).toString());
            roots.add(longNames(forged).toString());
            roots.add(repeated(forged).toString());
            roots.add(forged.store(
                            List.of(),
                            new Protobuf.Writer().number(1, 4).bytes(2, target).toByteArray())
                    .toString());
            roots.add(forged.folder(Collections.nCopies(50, Forged.link(EMPTY, "é".repeat(60_000))))
                    .toString());
        }
        List<String> said = run(roots);
        assertThat(said).hasSize(roots.size());
        assertThat(said.get(0)).contains("the nodes on the way to an entry have at most 33554432 bytes");
        assertThat(said.get(1)).isEqualTo("0 entries, 1000 bytes");
        assertThat(said.get(2)).contains("the nodes above a chunk, and the chunk, have at most 32 MiB");
        assertThat(said.get(3)).startsWith("1000 entries").contains("a path has at most 1000 names");
        assertThat(said.get(4)).contains("a folder has at most 1000000 entries");
        assertThat(said.get(5)).contains("the target of a symbolic link has at most 64 KiB");
        assertThat(said.get(6)).contains("the name of a link has at most 64 KiB");
    }

    private List<String> run(List<String> roots) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(folder.toString()));
        arguments.addAll(roots);
        return SmallHeap.run(SmallHeapMain.class, arguments);
    }
}
