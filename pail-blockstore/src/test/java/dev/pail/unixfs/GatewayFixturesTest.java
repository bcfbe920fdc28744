package dev.pail.unixfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pail.BlockStore;
import dev.pail.WatchedBlockStore;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.car.CarImport;
import dev.pail.car.CarReader;
import dev.pail.ipld.Cid;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Files and folders that Kubo has made, from the fixtures of ipfs/gateway-conformance. */
class GatewayFixturesTest {
    private final BlockStore blocks = new MemoryBlockStore();

    private Cid load(String name) throws IOException {
        String file = "gateway-conformance/" + name + ".car";
        try (InputStream in = Objects.requireNonNull(GatewayFixturesTest.class.getResourceAsStream(file));
                CarReader car = CarReader.of(in, name)) {
            return CarImport.of(car, blocks).header().roots().get(0);
        }
    }

    /** The sizes of files, and other things, by their paths. */
    private Map<String, String> walk(String name) throws IOException {
        Map<String, String> found = new TreeMap<>();
        FolderWalk walk = UnixFs.walk(blocks, load(name));
        while (walk.hasNext()) {
            FolderEntry entry = walk.next();
            UnixFsNode node = entry.node();
            if (node.kind() == NodeKind.FILE) {
                assertThat(UnixFs.open(blocks, entry.cid()).readAllBytes().length)
                        .isEqualTo((int) node.size());
            }
            found.put(entry.path(), node.kind() == NodeKind.FILE ? "" + node.size() : node.kind() + node.target());
        }
        return found;
    }

    @Test
    void foldersAreRead_FS10() throws IOException {
        assertThat(walk("dir-with-files"))
                .isEqualTo(
                        Map.of("ascii-copy.txt", "31", "ascii.txt", "31", "hello.txt", "12", "multiblock.txt", "1026"));
        assertThat(walk("subdir-with-mixed-block-files"))
                .isEqualTo(Map.of(
                        "subdir", "FOLDER",
                        "subdir/ascii.txt", "31",
                        "subdir/hello.txt", "12",
                        "subdir/multiblock.txt", "1026"));
        assertThat(walk("dir-listing")).hasSize(9).containsEntry("ą/ę/file-źł.txt", "34");
        assertThat(walk("dir-with-percent-encoded-filename"))
                .containsOnlyKeys("Portugal%2C+España=Peninsula Ibérica.txt");
        // Of CIDs of version 0, with chunks within dag-pb.
        assertThat(walk("symlink")).isEqualTo(Map.of("bar", "LINKfoo", "foo", "8"));
    }

    @Test
    void aShardedFolderIsRead_FS11() throws IOException {
        Map<String, String> found = walk("single-layer-hamt-with-multi-block-files");
        assertThat(found).hasSize(1000).containsEntry("470.txt", "1026");
        assertThat(found.values()).containsOnly("1026");
    }

    /** The slow twin is a walk through all names. */
    @Test
    void aNameIsFoundWithoutAWalk_FS11() throws IOException {
        for (String fixture : List.of("single-layer-hamt-with-multi-block-files", "dir-listing")) {
            Cid root = load(fixture);
            List<String> names = new ArrayList<>();
            UnixFs.names(blocks, root, WalkLimits.DEFAULT).forEachRemaining(names::add);
            List<String> walked = new ArrayList<>();
            FolderWalk walk = UnixFs.walk(blocks, root);
            while (walk.hasNext()) {
                FolderEntry entry = walk.next();
                if (!entry.path().contains("/")) {
                    walked.add(entry.path());
                    assertThat(UnixFs.find(blocks, root, entry.path())).contains(entry.cid());
                }
                assertThat(UnixFs.find(blocks, root, entry.path() + "0")).isEmpty();
            }
            assertThat(names).isEqualTo(walked);
            for (String none : List.of("", ".", "..", "0", "FF", "\ud800", "a/b")) {
                assertThat(UnixFs.find(blocks, root, none)).isEmpty();
            }
        }
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(() -> UnixFs.find(
                        blocks, UnixFs.find(blocks, load("symlink"), "foo").orElseThrow(), "a"))
                .withMessageContaining("is no folder");
        Cid sharded = load("single-layer-hamt-with-multi-block-files");
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(() -> UnixFs.names(blocks, sharded, new WalkLimits(1, 100, 1 << 20))
                        .forEachRemaining(name -> {}))
                .withMessageContaining("at most 100 entries");
    }

    /** The rest of a folder begins behind any of its names, and costs no more than to find that name. */
    @Test
    void aFolderIsReadOnBehindAName_FS11() throws IOException {
        for (String fixture : List.of("single-layer-hamt-with-multi-block-files", "dir-listing")) {
            Cid root = load(fixture);
            List<FolderLink> all = links(root, Optional.empty());
            for (int i = 0; i < all.size(); i++) {
                assertThat(links(root, Optional.of(all.get(i).name()))).isEqualTo(all.subList(i + 1, all.size()));
                assertThat(UnixFs.find(blocks, root, all.get(i).name()))
                        .contains(all.get(i).cid());
            }
            for (String none : List.of("", "none", "FF", "\ud800")) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> links(root, Optional.of(none)))
                        .withMessageContaining("has no entry");
            }
            AtomicInteger reads = new AtomicInteger();
            BlockStore watched = new WatchedBlockStore(blocks, read -> reads.incrementAndGet());
            String last = all.get(all.size() - 1).name();
            UnixFs.find(watched, root, last);
            int found = reads.getAndSet(0);
            assertThat(UnixFs.links(watched, root, Optional.of(last), WalkLimits.DEFAULT))
                    .isExhausted();
            assertThat(reads.get()).isEqualTo(found);
        }
    }

    private List<FolderLink> links(Cid folder, Optional<String> after) {
        List<FolderLink> links = new ArrayList<>();
        UnixFs.links(blocks, folder, after, WalkLimits.DEFAULT).forEachRemaining(links::add);
        return links;
    }

    @Test
    void namesThatLeadOutOfTheFolderAreRefused_FS9() throws IOException {
        for (String name : List.of("inside-root", "outside-root")) {
            Cid root = load(name);
            List<String> paths = new ArrayList<>();
            assertThatExceptionOfType(DamagedFileException.class)
                    .isThrownBy(() -> UnixFs.walk(blocks, root).forEachRemaining(entry -> paths.add(entry.path())))
                    .withMessageMatching(".*; this one is \"\\.\\./(file|foo)\" .*");
            assertThat(paths).doesNotContain("foobar/../file", "../foo");
        }
    }

    @Test
    void otherCodecsInAFolderAreNamed_FS1() throws IOException {
        Cid root = load("dir-with-dag-cbor-with-links");
        FolderWalk walk = UnixFs.walk(blocks, root);
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(walk::next)
                .withMessageContaining("a node of UnixFS is raw or dag-pb")
                .satisfies(e -> assertThat(e.cid().codec()).isEqualTo(Cid.DAG_CBOR));
        assertThat(walk.hasNext()).isFalse();
    }

    @Test
    void rangesAroundAMissingBlockAreRead_FS7() throws IOException {
        Cid root = load("file-3k-and-3-blocks-missing-block");
        UnixFsFile file = UnixFs.open(blocks, root);
        assertThat(file.size()).isEqualTo(3072);
        assertThat(file.range(0, 1024).readAllBytes()).hasSize(1024);
        assertThat(file.range(2048, 1024).readAllBytes()).hasSize(1024);
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(() -> file.range(1023, 2).readAllBytes())
                .satisfies(e -> assertThat(e.offset()).isEqualTo(1024));
    }
}
