package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.BlockStore;
import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import dev.pail.unixfs.FileLayout;
import dev.pail.unixfs.FolderEntry;
import dev.pail.unixfs.FolderWalk;
import dev.pail.unixfs.FolderWriter;
import dev.pail.unixfs.NodeKind;
import dev.pail.unixfs.UnixFs;
import dev.pail.unixfs.UnixFsFile;
import dev.pail.unixfs.UnixFsNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random files and folders: npm {@code ipfs-unixfs-importer} gives them the same CIDs, and each side reads what the other wrote. */
class InteropUnixfsRandomTest {
    private final InteropNode node = InteropNode.required();
    private final Random random = new Random(Randomness.seed("InteropUnixfsRandomTest"));

    @TempDir
    Path folder;

    private InteropUnixfs ours;
    private InteropUnixfs theirs;
    private BlockStore blocks;
    private BlockStore theirBlocks;

    @BeforeEach
    void open() {
        ours = new InteropUnixfs(node, folder.resolve("ours"));
        theirs = new InteropUnixfs(node, folder.resolve("theirs"));
        blocks = DirectoryBlockStore.open(ours.blocks());
        theirBlocks = DirectoryBlockStore.open(theirs.blocks());
    }

    @AfterEach
    void close() {
        blocks.close();
        theirBlocks.close();
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** The lengths where something changes, and others. */
    private InteropUnixfs.Cut cut(int run) {
        int chunk = run % 50 == 0 ? 1 : 20 + random.nextInt(60);
        int links = 2 + random.nextInt(5);
        int length = switch (run % 8) {
            case 0 -> 0;
            case 1 -> 1;
            case 2 -> chunk - 1 + random.nextInt(3);
            case 3 -> chunk * links - 1 + random.nextInt(3);
            case 4 -> chunk * links * links - 1 + random.nextInt(3);
            case 5 -> chunk * links * links + random.nextInt(chunk * links);
            default -> random.nextInt(chunk * 50);
        };
        return new InteropUnixfs.Cut(bytes(length), new FileLayout(chunk, links));
    }

    private Cid write(InteropUnixfs.Cut file) throws IOException {
        return UnixFs.write(blocks, new ByteArrayInputStream(file.bytes()), file.layout());
    }

    private static byte[] range(byte[] bytes, long[] range) {
        int from = (int) Math.min(range[0], bytes.length);
        return Arrays.copyOfRange(bytes, from, (int) Math.min(from + range[1], bytes.length));
    }

    @Test
    void filesHaveTheSameCidsAndAreReadByBothSides_FS7_FS8() throws IOException {
        int count = Randomness.times(100, 5000);
        List<InteropUnixfs.Cut> files = new ArrayList<>();
        List<Cid> roots = new ArrayList<>();
        List<long[]> ranges = new ArrayList<>();
        for (int run = 0; run < count; run++) {
            InteropUnixfs.Cut file = cut(run);
            files.add(file);
            roots.add(write(file));
            // The exporter refuses an offset or a length beyond the end.
            int offset = random.nextInt(file.bytes().length + 1);
            ranges.add(new long[] {offset, random.nextInt(file.bytes().length - offset + 1)});
        }
        assertThat(theirs.write(files)).isEqualTo(roots);
        List<byte[]> whole = ours.read(roots);
        List<byte[]> parts = ours.read(roots, ranges);
        for (int run = 0; run < count; run++) {
            byte[] expected = files.get(run).bytes();
            long[] range = ranges.get(run);
            byte[] part = range(expected, range);
            assertThat(whole.get(run)).isEqualTo(expected);
            assertThat(parts.get(run)).isEqualTo(part);
            UnixFsFile file = UnixFs.open(theirBlocks, roots.get(run));
            assertThat(file.range(range[0], range[1]).readAllBytes()).isEqualTo(part);
            assertThat(file.readAllBytes()).isEqualTo(expected);
        }
    }

    private String name(int length) {
        StringBuilder name = new StringBuilder();
        while (name.length() < length) {
            name.appendCodePoint(
                    switch (random.nextInt(12)) {
                        case 0 -> 0xe0 + random.nextInt(30);
                        case 1 -> 0x1f600 + random.nextInt(40);
                        case 2 -> " -._~%+&#".charAt(random.nextInt(9));
                        default -> 'a' + random.nextInt(26);
                    });
        }
        return "n" + name;
    }

    /** Paths with files: some folders in each other, and every tenth time one that has to be sharded. */
    private Map<String, byte[]> tree(int run) {
        Map<String, byte[]> files = new TreeMap<>();
        List<String> folders = new ArrayList<>(List.of(""));
        for (int i = random.nextInt(6); i > 0; i--) {
            folders.add(folders.get(random.nextInt(folders.size())) + "f" + name(3) + "/");
        }
        for (int i = 1 + random.nextInt(30); i > 0; i--) {
            files.put(
                    folders.get(random.nextInt(folders.size())) + name(1 + random.nextInt(20)),
                    bytes(random.nextInt(9)));
        }
        if (run % 10 == 0) {
            String large = folders.get(random.nextInt(folders.size()));
            int length = 20 + random.nextInt(150);
            byte[] content = bytes(5);
            // Around the 256 KiB at which a folder is sharded, or far beyond.
            int count = (256 << 10) / (length * 5 / 4 + 50) * (90 + random.nextInt(run % 20 == 0 ? 20 : 300)) / 100;
            for (int i = 0; i < count; i++) {
                files.put(large + name(length) + i, content);
            }
        }
        return files;
    }

    private Cid writeFolder(Map<String, byte[]> tree, List<String> order) throws IOException {
        FolderWriter writer = new FolderWriter(blocks, blocks);
        for (String path : order) {
            writer.add(path, UnixFs.write(blocks, new ByteArrayInputStream(tree.get(path))));
        }
        return writer.finish();
    }

    private static Map<String, InteropUnixfs.Found> walk(BlockStore blocks, Cid root) throws IOException {
        Map<String, InteropUnixfs.Found> found = new LinkedHashMap<>();
        FolderWalk walk = UnixFs.walk(blocks, root);
        while (walk.hasNext()) {
            FolderEntry entry = walk.next();
            boolean isFile = entry.node().kind() == NodeKind.FILE;
            String bytes = isFile
                    ? InteropUnixfs.base64(UnixFs.open(blocks, entry.cid()).readAllBytes())
                    : "";
            found.put(
                    entry.path(),
                    new InteropUnixfs.Found(entry.path(), entry.node().kind().name(), entry.cid(), bytes));
        }
        return found;
    }

    @Test
    void foldersHaveTheSameCidsAndAreReadByBothSides_FS10_FS11_FS12() throws IOException {
        int count = Randomness.times(20, 400);
        List<Map<String, byte[]>> trees = new ArrayList<>();
        List<Cid> roots = new ArrayList<>();
        int sharded = 0;
        for (int run = 0; run < count; run++) {
            Map<String, byte[]> tree = tree(run);
            trees.add(tree);
            Cid root = writeFolder(tree, new ArrayList<>(tree.keySet()));
            if (tree.size() < 100) {
                List<String> shuffled = new ArrayList<>(tree.keySet());
                Collections.shuffle(shuffled, random);
                assertThat(writeFolder(tree, shuffled)).isEqualTo(root);
            } else {
                sharded++;
            }
            roots.add(root);
        }
        assertThat(sharded).isPositive();
        assertThat(theirs.writeFolders(trees)).isEqualTo(roots);
        List<Map<String, InteropUnixfs.Found>> found = ours.walk(roots);
        for (int run = 0; run < count; run++) {
            Map<String, InteropUnixfs.Found> walked = walk(blocks, roots.get(run));
            // Not isEqualTo: a message would have thousands of entries.
            assertThat(found.get(run).equals(walked))
                    .as("their walk of folder %d", run)
                    .isTrue();
            assertThat(walk(theirBlocks, roots.get(run)).equals(walked))
                    .as("our walk of folder %d", run)
                    .isTrue();
            Map<String, String> files = new TreeMap<>();
            walked.values().stream()
                    .filter(each -> each.kind().equals("FILE"))
                    .forEach(each -> files.put(each.path(), each.bytes()));
            Map<String, String> expected = new TreeMap<>();
            trees.get(run).forEach((path, bytes) -> expected.put(path, InteropUnixfs.base64(bytes)));
            assertThat(files.equals(expected)).as("files of folder %d", run).isTrue();
        }
    }

    /** One small folder and one that is sharded. */
    @Test
    void heliaReadsOurFolders_FS10_FS11_FS12() throws IOException {
        for (int run = 20; run < 22; run++) {
            Map<String, byte[]> tree = tree(run);
            Cid root = writeFolder(tree, new ArrayList<>(tree.keySet()));
            Map<String, String> read = new TreeMap<>();
            node.run("read-unixfs.js", List.of(), ours.blocks(), root)
                    .forEach(file -> read.put(
                            file.get("path").asText(), file.get("bytes").asText()));
            Map<String, String> expected = new TreeMap<>();
            tree.forEach((path, bytes) -> expected.put(path, InteropUnixfs.base64(bytes)));
            assertThat(read.equals(expected)).as("folder %d", run).isTrue();
        }
    }

    @Test
    void linksModesAndTimesAreRead_FS3_FS5() {
        byte[] bytes = {1, 2, 3};
        Cid root = theirs.writeFolder(List.of(
                Map.of("path", "plain", "bytes", InteropUnixfs.base64(bytes)),
                Map.of("path", "script", "bytes", InteropUnixfs.base64(bytes), "mode", 04755, "mtime", 1_700_000_000),
                Map.of("path", "old", "bytes", InteropUnixfs.base64(bytes), "mtime", -5),
                Map.of("path", "empty", "mode", 0700),
                Map.of("path", "link", "link", "../plain")));
        Map<String, UnixFsNode> nodes = new TreeMap<>();
        UnixFs.walk(theirBlocks, root).forEachRemaining(entry -> nodes.put(entry.path(), entry.node()));
        assertThat(nodes)
                .isEqualTo(Map.of(
                        "plain",
                        new UnixFsNode(NodeKind.FILE, 3, "", OptionalInt.empty(), Optional.empty()),
                        "script",
                        new UnixFsNode(
                                NodeKind.FILE,
                                3,
                                "",
                                OptionalInt.of(04755),
                                Optional.of(Instant.ofEpochSecond(1_700_000_000))),
                        "old",
                        new UnixFsNode(
                                NodeKind.FILE, 3, "", OptionalInt.empty(), Optional.of(Instant.ofEpochSecond(-5))),
                        "empty",
                        new UnixFsNode(NodeKind.FOLDER, 0, "", OptionalInt.of(0700), Optional.empty()),
                        "link",
                        new UnixFsNode(NodeKind.LINK, 0, "../plain", OptionalInt.empty(), Optional.empty())));
    }
}
