package dev.pail.unixfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.pail.BlockStore;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Folders that are written: the same root in any order, and the one that a slow and simple writer makes. */
class FolderWriterTest {
    private final MemoryBlockStore blocks = new MemoryBlockStore();
    private final Forged forged = new Forged(blocks);
    private final Random random = Randomness.random("FolderWriterTest");

    /** Makes folders from a tree of maps, in memory. */
    private final class SlowTwin {
        private final TreeMap<String, Object> root = new TreeMap<>();

        @SuppressWarnings("unchecked")
        void add(String path, DagPb.Link file) {
            TreeMap<String, Object> folder = root;
            String[] names = path.split("/", -1);
            for (int i = 0; i < names.length - 1; i++) {
                folder = (TreeMap<String, Object>) folder.computeIfAbsent(names[i], name -> new TreeMap<>());
            }
            folder.put(names[names.length - 1], file);
        }

        DagPb.Link finish() {
            return folder("", root);
        }

        @SuppressWarnings("unchecked")
        private DagPb.Link folder(String name, Map<String, Object> entries) {
            List<DagPb.Link> links = new ArrayList<>();
            entries.forEach((each, value) -> links.add(
                    value instanceof DagPb.Link file
                            ? new DagPb.Link(file.cid(), each, file.treeSize())
                            : folder(each, (Map<String, Object>) value)));
            byte[] data = Forged.type(UnixFsData.FOLDER);
            // In the order of code points, as TreeMap does not have it.
            links.sort((one, other) -> Arrays.compareUnsigned(utf8(one.name()), utf8(other.name())));
            byte[] flat = DagPb.encode(links, data);
            return flat.length <= 262_144
                    ? made(name, flat, links)
                    : trie(links).made(name);
        }

        private Trie trie(List<DagPb.Link> links) {
            Trie trie = new Trie();
            links.forEach(link -> trie.put(link, 0));
            return trie;
        }

        DagPb.Link made(String name, byte[] bytes, List<DagPb.Link> links) {
            return new DagPb.Link(
                    Block.of(Cid.DAG_PB, bytes).cid(),
                    name,
                    bytes.length
                            + links.stream().mapToLong(DagPb.Link::treeSize).sum());
        }

        private byte[] utf8(String name) {
            return name.getBytes(StandardCharsets.UTF_8);
        }

        /** Takes one entry after the other, and moves two that meet to a trie below. */
        private final class Trie {
            private final @Nullable Object[] places = new Object[256];

            void put(DagPb.Link link, int level) {
                int place = Integer.parseInt(Forged.place(link.name(), level), 16);
                if (places[place] instanceof Trie below) {
                    below.put(link, level + 1);
                } else if (places[place] instanceof DagPb.Link other) {
                    Trie below = new Trie();
                    below.put(other, level + 1);
                    below.put(link, level + 1);
                    places[place] = below;
                } else {
                    places[place] = link;
                }
            }

            DagPb.Link made(String name) {
                List<DagPb.Link> links = new ArrayList<>();
                List<String> names = new ArrayList<>();
                for (int i = 0; i < places.length; i++) {
                    String place = String.format("%02X", i);
                    if (places[i] instanceof Trie below) {
                        links.add(below.made(place));
                    } else if (places[i] instanceof DagPb.Link link) {
                        links.add(new DagPb.Link(link.cid(), place + link.name(), link.treeSize()));
                    } else {
                        continue;
                    }
                    names.add(place);
                }
                return SlowTwin.this.made(name, DagPb.encode(links, Forged.shardData(names, 256)), links);
            }
        }
    }

    private DagPb.Link file(int length) throws IOException {
        FileNode.Part file =
                FileWriter.write(blocks, new FileLayout(100, 3), new ByteArrayInputStream(FileTest.bytes(length)));
        return new DagPb.Link(file.cid(), "", file.treeSize());
    }

    private String name() {
        StringBuilder name = new StringBuilder();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            name.appendCodePoint(
                    switch (random.nextInt(8)) {
                        case 0 -> 0x1f600 + random.nextInt(3);
                        case 1 -> 0xfffd;
                        case 2 -> "-. !".charAt(random.nextInt(4));
                        default -> 'a' + random.nextInt(3);
                    });
        }
        return name.toString();
    }

    /** Random paths; none is below another. */
    private Map<String, DagPb.Link> tree(int count) throws IOException {
        TreeSet<String> paths = new TreeSet<>();
        TreeSet<String> folders = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            StringBuilder path = new StringBuilder(name());
            for (int depth = random.nextInt(4); depth > 0; depth--) {
                path.append('/').append(name());
            }
            String made = path.toString();
            List<String> above = above(made);
            if (!folders.contains(made) && above.stream().noneMatch(paths::contains) && isPath(made)) {
                paths.add(made);
                folders.addAll(above);
            }
        }
        Map<String, DagPb.Link> files = new TreeMap<>();
        for (String path : paths) {
            files.put(path, file(random.nextInt(500)));
        }
        return files;
    }

    private static List<String> above(String path) {
        List<String> above = new ArrayList<>();
        for (int at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
            above.add(path.substring(0, at));
        }
        return above;
    }

    private static boolean isPath(String path) {
        return Arrays.stream(path.split("/")).allMatch(FolderNode::isName);
    }

    private Cid write(Map<String, DagPb.Link> files, List<String> order) {
        FolderWriter writer = new FolderWriter(blocks, blocks);
        order.forEach(path -> writer.add(path, files.get(path).cid()));
        return writer.finish();
    }

    @Test
    void theRootDependsOnPathsAndFilesAlone_FS10_FS13() throws IOException {
        for (int run = 0; run < Randomness.times(200, 5_000); run++) {
            Map<String, DagPb.Link> files = tree(1 + random.nextInt(40));
            SlowTwin twin = new SlowTwin();
            files.forEach(twin::add);
            List<String> order = new ArrayList<>(files.keySet());
            Cid root = write(files, order);
            assertThat(root).isEqualTo(twin.finish().cid());
            Collections.shuffle(order, random);
            assertThat(write(files, order)).isEqualTo(root);
            TreeSet<String> paths = new TreeSet<>(files.keySet());
            files.keySet().forEach(path -> paths.addAll(above(path)));
            assertThat(Forged.paths(UnixFs.walk(blocks, root))).isEqualTo(paths);
        }
    }

    /** Around 256 KiB, and far beyond. */
    @Test
    void largeFoldersAreSharded_FS12() throws IOException {
        DagPb.Link file = file(1);
        for (int run = 0; run < Randomness.times(12, 100); run++) {
            SlowTwin twin = new SlowTwin();
            FolderWriter writer = new FolderWriter(blocks, blocks);
            int length = 100 + random.nextInt(100);
            int count = run % 3 == 0 ? 3000 : 262_144 / (length + 44 + 4) + random.nextInt(5) - 2;
            TreeSet<String> paths = new TreeSet<>();
            while (paths.size() < count) {
                String name = String.format("%0" + length + "d", random.nextInt(1_000_000));
                // Folders in it count as files do.
                paths.add("large/" + name + (run % 2 == 0 ? "" : "/file"));
            }
            paths.add("small");
            for (String path : paths) {
                writer.add(path, file.cid());
                twin.add(path, file);
            }
            assertThat(writer.finish())
                    .as("%d names of %d", count, length)
                    .isEqualTo(twin.finish().cid());
        }
    }

    /** The largest folder in one node, and the one with a byte more. */
    @Test
    void aNodeOf256KiBIsNotSharded_FS12() throws IOException {
        DagPb.Link file = file(1);
        Map<String, DagPb.Link> files = new TreeMap<>();
        for (int i = 0; i < 1000; i++) {
            files.put(String.format("%0210d", i), file);
        }
        int size = blocks.require(write(files, new ArrayList<>(files.keySet()))).size();
        assertThat(size).isBetween(250_000, 262_144 - 300);
        String last = "x".repeat(262_144 - size - 50);
        files.put(last, file);
        while (blocks.require(write(files, new ArrayList<>(files.keySet()))).size() < 262_144) {
            files.remove(last);
            last += "x";
            files.put(last, file);
        }
        assertThat(blocks.require(write(files, new ArrayList<>(files.keySet()))).size())
                .isEqualTo(262_144);
        files.remove(last);
        files.put(last + "x", file);
        Cid sharded = write(files, new ArrayList<>(files.keySet()));
        assertThat(blocks.require(sharded).size()).isLessThan(200_000);
        assertThat(Forged.paths(UnixFs.walk(blocks, sharded))).hasSize(1001);
    }

    /** Keeps what is put in order, and refuses reads. */
    private static final class Sink implements BlockStore {
        private final List<Block> put = new ArrayList<>();

        @Override
        public Optional<Block> get(Cid cid) {
            throw new AssertionError("read");
        }

        @Override
        public void putAll(Collection<Block> some) {
            put.addAll(some);
        }

        @Override
        public boolean has(Cid cid) {
            throw new AssertionError("read");
        }

        @Override
        public void close() {}
    }

    @Test
    void pathsInTheOrderOfTextsStoreEachFolderOnceAndReadNone_FS13() throws IOException {
        for (int run = 0; run < 50; run++) {
            Map<String, DagPb.Link> files = tree(60);
            Sink sink = new Sink();
            FolderWriter writer = new FolderWriter(blocks, sink);
            files.keySet().forEach(path -> writer.add(path, files.get(path).cid()));
            Cid root = writer.finish();
            TreeSet<String> folders = new TreeSet<>();
            files.keySet().forEach(path -> folders.addAll(above(path)));
            assertThat(sink.put).hasSize(folders.size() + 1);
            assertThat(sink.put.get(folders.size()).cid()).isEqualTo(root);
        }
    }

    /** A file may claim any size of its tree. What is written can be read. */
    @Test
    void sizesOfTreesDoNotOverflow_FS1() {
        Cid file = forged.store(
                List.of(Forged.link(forged.raw(), "a".getBytes(StandardCharsets.US_ASCII), Long.MAX_VALUE)),
                Forged.type(UnixFsData.FOLDER));
        FolderWriter writer = new FolderWriter(blocks, blocks);
        writer.add("f/a", file);
        writer.add("f/b", file);
        assertThat(Forged.paths(UnixFs.walk(blocks, writer.finish())))
                .containsExactly("f", "f/a", "f/a/a", "f/b", "f/b/a");
    }

    /** The largest names that are taken make shards that fit a block. */
    @Test
    void longNamesMakeShardsThatFitABlock_FS13() throws IOException {
        Cid file = file(3).cid();
        FolderWriter writer = new FolderWriter(blocks, blocks);
        for (int i = 0; i < 256; i++) {
            writer.add(String.format("%016384d", i), file);
        }
        Cid root = writer.finish();
        assertThat(blocks.require(root).size()).isBetween(1 << 20, Block.MAX_SIZE);
        assertThat(Forged.paths(UnixFs.walk(blocks, root))).hasSize(256);
    }

    @Test
    void anEmptyFolderIsOne_FS10() {
        Cid empty = new FolderWriter(blocks, blocks).finish();
        assertThat(empty).hasToString("bafybeiczsscdsbs7ffqz55asqdf3smv6klcw3gofszvwlyarci47bgf354");
        assertThat(UnixFs.walk(blocks, empty).hasNext()).isFalse();
    }

    private void assertConflict(String path, String below, List<String> order) throws IOException {
        FolderWriter writer = new FolderWriter(blocks, blocks);
        Cid file = file(3).cid();
        for (String each : order.subList(0, order.size() - 1)) {
            writer.add(each, file);
        }
        assertThatExceptionOfType(PathConflictException.class)
                .isThrownBy(() -> writer.add(order.get(order.size() - 1), file))
                .withMessage("\"" + path + "\" is a file, so \"" + below + "\" cannot be below it in a folder")
                .satisfies(e -> assertThat(e.path()).isEqualTo(path))
                .satisfies(e -> assertThat(e.other()).isEqualTo(below))
                .satisfies(e -> assertThat(e.code()).isEqualTo("path-conflict"));
        // The folder is as before.
        writer.add("z", file);
        List<String> rest = new ArrayList<>(order.subList(0, order.size() - 1));
        rest.add("z");
        FolderWriter again = new FolderWriter(blocks, blocks);
        rest.forEach(each -> again.add(each, file));
        assertThat(writer.finish()).isEqualTo(again.finish());
    }

    @Test
    void aPathIsNotAFileAndAFolder_FS13() throws IOException {
        assertConflict("a", "a/b", List.of("a", "a/b"));
        assertConflict("a", "a/b", List.of("a/b", "a"));
        assertConflict("a", "a/b/c", List.of("a", "a-b", "a/b/c"));
        assertConflict("a", "a/b", List.of("a/b/c", "q/r", "a"));
        assertConflict("a/b", "a/b/c/d", List.of("a/b", "q/r", "a/b/c/d"));
        assertConflict("a/b", "a/b/c", List.of("a/b/c/d", "q/r", "a/c", "q/s", "a/b"));
    }

    @Test
    void aFolderIsAddedWhole_FS13() throws IOException {
        Cid file = file(3).cid();
        FolderWriter inner = new FolderWriter(blocks, blocks);
        inner.add("b/c", file);
        Cid folder = inner.finish();
        for (List<String> order : List.of(List.of("a", "x/y"), List.of("x/y", "a"))) {
            FolderWriter writer = new FolderWriter(blocks, blocks);
            order.forEach(path -> writer.add(path, path.equals("a") ? folder : file));
            assertThatExceptionOfType(PathConflictException.class).isThrownBy(() -> writer.add("a/d", file));
            assertThatIllegalArgumentException().isThrownBy(() -> writer.add("a", folder));
            FolderWriter flat = new FolderWriter(blocks, blocks);
            flat.add("a/b/c", file);
            flat.add("x/y", file);
            assertThat(writer.finish()).isEqualTo(flat.finish());
        }
        FolderWriter writer = new FolderWriter(blocks, blocks);
        writer.add("a/d", file);
        assertThatExceptionOfType(PathConflictException.class).isThrownBy(() -> writer.add("a", folder));
    }

    @Test
    void pathsHaveNames_FS9() throws IOException {
        Cid file = file(3).cid();
        FolderWriter writer = new FolderWriter(blocks, blocks);
        for (String path : List.of("", "/", "/a", "a/", "a//b", ".", "..", "a/../b", "a/.", "a\0b", "\ud800")) {
            assertThatIllegalArgumentException().as(path).isThrownBy(() -> writer.add(path, file));
        }
        for (String path : List.of(
                "é".repeat((16 << 10) / 2 + 1), "a/".repeat(1000) + "a", ("x".repeat(15_000) + "/").repeat(5) + "x")) {
            assertThatIllegalArgumentException().isThrownBy(() -> writer.add(path, file));
        }
        writer.add("a", file);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> writer.add("a", file))
                .withMessage("the path \"a\" was added before");
        assertThat(Forged.paths(UnixFs.walk(blocks, writer.finish()))).containsExactly("a");
        assertThatIllegalStateException().isThrownBy(() -> writer.add("b", file));
        assertThatIllegalStateException().isThrownBy(writer::finish);
    }

    @Test
    void whatIsNoFileIsRefused() throws IOException {
        FolderWriter writer = new FolderWriter(blocks, blocks);
        Cid missing = Block.of(Cid.RAW, new byte[77]).cid();
        Cid cbor = Block.of(Cid.DAG_CBOR, new byte[1]).cid();
        blocks.put(Block.of(Cid.DAG_CBOR, new byte[1]));
        Cid damaged = forged.store(List.of(), new byte[] {8, 9});
        for (Cid cid : List.of(missing, cbor, damaged)) {
            assertThatExceptionOfType(DamagedFileException.class)
                    .isThrownBy(() -> writer.add("new/folder/file", cid))
                    .satisfies(e -> assertThat(e.cid()).isEqualTo(cid));
        }
        assertThat(writer.finish()).isEqualTo(new FolderWriter(blocks, blocks).finish());
    }

    /** Undoes the last steps of a round of the hash for one half, so that a second block leads to a state. */
    private static long unmixed(long state, long other, int rotation, long added) {
        long before = (state - added)
                * BigInteger.valueOf(5).modInverse(BigInteger.TWO.pow(64)).longValue();
        return Long.rotateRight(before - other, rotation);
    }

    private static long inverse(long odd) {
        return BigInteger.valueOf(odd).modInverse(BigInteger.TWO.pow(64)).longValue();
    }

    private static final long C1 = 0x87c37b91114253d5L;
    private static final long C2 = 0x4cf5ad432745937fL;

    /** The state of the hash behind 16 bytes, from another state. */
    private static long[] round(long[] state, long k1, long k2) {
        long h1 = state[0] ^ Long.rotateLeft(k1 * C1, 31) * C2;
        h1 = (Long.rotateLeft(h1, 27) + state[1]) * 5 + 0x52dce729;
        long h2 = state[1] ^ Long.rotateLeft(k2 * C2, 33) * C1;
        h2 = (Long.rotateLeft(h2, 31) + h1) * 5 + 0x38495ab5;
        return new long[] {h1, h2};
    }

    private static byte[] bytes(long... words) {
        byte[] bytes = new byte[words.length * 8];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (words[i / 8] >>> (8 * (i % 8)));
        }
        return bytes;
    }

    private long letters() {
        long word = 0;
        for (int i = 0; i < 8; i++) {
            word = word << 8 | 'a' + random.nextInt(26);
        }
        return word;
    }

    /** Another name of 32 ASCII characters that has the hash of a name of 32. */
    private String sameHash(long[] target) {
        while (true) {
            long k1 = letters();
            long k2 = letters();
            long[] state = round(new long[2], k1, k2);
            long h1 = state[0] ^ unmixed(target[0], state[1], 27, 0x52dce729);
            long h2 = state[1] ^ unmixed(target[1], target[0], 31, 0x38495ab5);
            long k3 = Long.rotateRight(h1 * inverse(C2), 31) * inverse(C1);
            long k4 = Long.rotateRight(h2 * inverse(C1), 33) * inverse(C2);
            byte[] name = bytes(k1, k2, k3, k4);
            String text = new String(name, StandardCharsets.US_ASCII);
            boolean isAscii = true;
            for (byte each : name) {
                isAscii &= each > 0;
            }
            if (isAscii && FolderNode.isName(text)) {
                return text;
            }
        }
    }

    /** The hash is not cryptographic: names with the same hash can be made. */
    @Test
    void namesWithTheSameHashAreRefusedWhereTheyNeedAPlace_FS12() throws IOException {
        long[] words = {letters(), letters(), letters(), letters()};
        String one = new String(bytes(words), StandardCharsets.US_ASCII);
        String other = sameHash(round(round(new long[2], words[0], words[1]), words[2], words[3]));
        assertThat(Murmur3.hash(other.getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo(Murmur3.hash(one.getBytes(StandardCharsets.US_ASCII)));
        assertThat(other).isNotEqualTo(one);
        Cid file = file(3).cid();
        FolderWriter small = new FolderWriter(blocks, blocks);
        small.add("f/" + one, file);
        small.add("f/" + other, file);
        assertThat(Forged.paths(UnixFs.walk(blocks, small.finish()))).contains("f/" + one, "f/" + other);
        FolderWriter large = new FolderWriter(blocks, blocks);
        large.add("f/" + one, file);
        large.add("f/" + other, file);
        for (int i = 0; i < 10_000; i++) {
            large.add("f/n" + i, file);
        }
        assertThatExceptionOfType(PathConflictException.class)
                .isThrownBy(large::finish)
                .withMessageContaining("have the same hash")
                .satisfies(e ->
                        assertThat(List.of(e.path(), e.other())).containsExactlyInAnyOrder("f/" + one, "f/" + other));
    }
}
