package dev.pail.unixfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.dag.Protobuf;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Walks of folders, sound and forged. */
class FolderWalkTest {
    private final MemoryBlockStore blocks = new MemoryBlockStore();
    private final Forged forged = new Forged(blocks);
    private final Cid file = forged.raw((byte) 1);

    private List<String> paths(Cid root) {
        List<String> paths = new ArrayList<>();
        UnixFs.walk(blocks, root).forEachRemaining(entry -> paths.add(entry.path()));
        return paths;
    }

    /** Refused, with the CID of the node and a place in it. */
    private void assertRefused(Cid root, Cid node, String... words) {
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(() -> paths(root))
                .withMessageContainingAll(words)
                .withMessageContainingAll(node.toString(), "(at offset ")
                .satisfies(e -> assertThat(e.cid()).isEqualTo(node))
                .satisfies(e -> assertThat(e.offset()).isZero());
    }

    private void assertRefused(Cid root, String... words) {
        assertRefused(root, root, words);
        // The same below another folder.
        assertRefused(forged.folder("folder", root), root, words);
    }

    @Test
    void foldersComeBeforeWhatIsInThemAndNamesInTheOrderOfTheNode_FS10() {
        Cid inner = forged.folder(List.of(Forged.link(file, "z"), Forged.link(file, "a")));
        Cid link = forged.store(
                List.of(),
                new Protobuf.Writer().number(1, 4).bytes(2, new byte[] {'z'}).toByteArray());
        Cid root = forged.folder(List.of(
                Forged.link(inner, "m"),
                Forged.link(file, "b"),
                Forged.link(forged.folder(List.of()), "empty"),
                Forged.link(link, "c")));
        assertThat(paths(root)).containsExactly("m", "m/z", "m/a", "b", "empty", "c");
        FolderWalk walk = UnixFs.walk(blocks, root);
        List<FolderEntry> entries = new ArrayList<>();
        walk.forEachRemaining(entries::add);
        assertThat(entries.get(0)).isEqualTo(new FolderEntry("m", inner, UnixFs.node(blocks, inner)));
        assertThat(entries.get(5).node().target()).isEqualTo("z");
        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(walk::next);
        assertThat(paths(forged.folder(List.of()))).isEmpty();
    }

    @Test
    void namesThatAreNoneAreRefused_FS9() {
        for (String name : List.of("", ".", "..", "/", "a/b", "../a", "/etc/passwd", "a\0", "\0")) {
            assertRefused(
                    forged.folder(List.of(Forged.link(file, "sound"), Forged.link(file, name))),
                    "a name is not empty, \".\" or \"..\"");
            String inShard = Forged.place(name, 0) + name;
            if (!name.isEmpty()) {
                assertRefused(forged.shard(List.of(inShard), file), "a name is not empty, \".\" or \"..\"");
            }
        }
        // A link without a name, and names that are only strange.
        byte[] nameless = new Protobuf.Writer().bytes(1, file.toBytes()).toByteArray();
        assertRefused(forged.folder(List.of(nameless)), "a name is not empty");
        assertThat(paths(forged.folder(
                        List.of(Forged.link(file, "..."), Forged.link(file, "\\"), Forged.link(file, "\u202e\n")))))
                .containsExactly("...", "\\", "\u202e\n");
        // The message has no control character.
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(() -> paths(forged.folder("a/\033[31m", file)))
                .withMessageContaining("\"a/\\u{1b}[31m\"");
    }

    @Test
    void aNameIsThereOnce_FS10() {
        assertRefused(
                forged.folder(List.of(Forged.link(file, "a"), Forged.link(forged.raw(), "a"))),
                "a folder has each name once");
        List<byte[]> links = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            links.add(Forged.link(file, "n" + i * 37 % 100));
        }
        assertThat(paths(forged.folder(links))).hasSize(100).startsWith("n0", "n37");
        links.add(50, Forged.link(file, "n99"));
        assertRefused(forged.folder(links), "a folder has each name once");
    }

    /** The paths of a walk that continues behind what it cannot read; what that is has a question mark. */
    private List<String> allPaths(Cid folder) {
        List<String> paths = new ArrayList<>();
        FolderWalk walk = UnixFs.walk(blocks, folder);
        while (true) {
            try {
                if (!walk.hasNext()) {
                    return paths;
                }
                paths.add(walk.next().path());
                assertThat(walk.path()).isEqualTo(paths.get(paths.size() - 1));
            } catch (DamagedFileException e) {
                paths.add("?" + walk.path());
            }
        }
    }

    @Test
    void walkLeavesOutTheEntryAlone_FS9_FS10() {
        Cid inner = forged.folder(List.of(
                Forged.link(file, "z"),
                Forged.link(file, ".."),
                Forged.link(forged.raw(), "z"),
                Forged.link(file, ""),
                Forged.link(file, "a")));
        Cid outer = forged.folder(List.of(Forged.link(file, "a"), Forged.link(inner, "b"), Forged.link(file, "c/d")));
        assertThat(allPaths(outer)).containsExactly("a", "b", "b/z", "?b/..", "?b/z", "?b", "b/a", "?c/d");
        assertThatExceptionOfType(DamagedFileException.class).isThrownBy(() -> UnixFs.find(blocks, inner, "z"));
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(() -> UnixFs.links(blocks, inner, Optional.empty(), WalkLimits.DEFAULT));
    }

    /** A shard has the place of the hash of the bytes, and a file ignores the names of its parts. */
    @Test
    void walkLeavesOutNamesThatAreNotUtf8_FS9_FS11() {
        byte[] latin = {'c', 'a', 'f', (byte) 0xe9};
        Cid folder =
                forged.folder(List.of(Forged.link(file, "a"), Forged.link(file, latin, 1), Forged.link(file, "d")));
        assertThat(allPaths(folder)).containsExactly("a", "?caf\ufffd", "d");
        assertThat(UnixFs.value(blocks, folder).kind()).isEqualTo(NodeKind.FOLDER);
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(() -> UnixFs.find(blocks, folder, "caf\ufffd"))
                .withMessageContaining("the name of a link is UTF-8; this one is not: \"caf\ufffd\"");
        String place = String.format("%02X", Murmur3.hash(latin) >>> 56);
        String other = name("a", 0, "05");
        byte[] inShard = new byte[2 + latin.length];
        System.arraycopy(place.getBytes(StandardCharsets.US_ASCII), 0, inShard, 0, 2);
        System.arraycopy(latin, 0, inShard, 2, latin.length);
        List<byte[]> links = List.of(Forged.link(file, "05" + other), Forged.link(file, inShard, 1));
        assertThat(allPaths(forged.store(links, Forged.shardData(List.of("05", place), 256))))
                .containsExactly(other, "?caf\ufffd");
        Cid part = forged.raw((byte) 'x');
        byte[] data = new Protobuf.Writer()
                .number(1, UnixFsData.FILE)
                .number(3, 1)
                .number(4, 1)
                .toByteArray();
        assertThat(UnixFs.value(blocks, forged.store(List.of(Forged.link(part, latin, 1)), data))
                        .size())
                .isEqualTo(1);
    }

    @Test
    void otherNodesAreNoFolders_FS10() {
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(() -> UnixFs.walk(blocks, file))
                .withMessageContaining("a node of UnixFS is raw or dag-pb");
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(() -> UnixFs.walk(blocks, forged.store(List.of(), Forged.type(UnixFsData.FILE))))
                .withMessageContaining("a file is no folder");
    }

    private static String name(String prefix, int level, String place) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> prefix + i)
                .filter(name -> Forged.place(name, level).equals(place))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shardsAreReadInOrderAndNamesAreInTheShardOfTheirHash_FS11() {
        String one = name("one", 0, "00");
        String two = name("two", 0, "7F");
        Cid inner = forged.store(
                List.of(Forged.link(file, Forged.place(two, 1) + two)),
                Forged.shardData(List.of(Forged.place(two, 1) + two), 256));
        List<byte[]> links = List.of(Forged.link(file, "00" + one), Forged.link(inner, "7F"));
        Cid root = forged.store(links, Forged.shardData(List.of("00", "7F"), 256));
        assertThat(paths(root)).containsExactly(one, two);

        assertRefused(forged.shard(List.of("01" + one), file), "a name is in the shard of its hash");
        Cid wrongPlace = forged.store(List.of(Forged.link(inner, "7E")), Forged.shardData(List.of("7E"), 256));
        assertRefused(wrongPlace, inner, "a name is in the shard of its hash");
        assertRefused(
                forged.store(
                        List.of(Forged.link(file, "00" + one), Forged.link(file, "00" + one)),
                        Forged.shardData(List.of("00"), 256)),
                "a name in a shard starts with a place of its own");
        for (String wrong : List.of("0", "7f", "0G", "", "-1", "\u0660\u0660")) {
            assertRefused(
                    forged.store(List.of(Forged.link(inner, wrong)), Forged.shardData(List.of(), 256)),
                    "a name in a shard starts with a place of its own");
        }
    }

    @Test
    void theBitsOfAShardMarkItsPlaces_FS11() {
        String one = name("one", 0, "00");
        for (List<String> marked : List.of(List.of("01"), List.<String>of(), List.of("00", "FF"))) {
            assertRefused(
                    forged.store(List.of(Forged.link(file, "00" + one)), Forged.shardData(marked, 256)),
                    "the bits of a shard mark the places that have links");
        }
        assertRefused(
                forged.store(List.of(), UnixFsData.shard(new byte[33], Murmur3.CODE, 256)),
                "a shard has a bit for each of its places");
        // With zeros before it, it is the same number.
        byte[] padded = new byte[32];
        padded[31] = 1;
        assertThat(paths(forged.store(
                        List.of(Forged.link(file, "00" + one)), UnixFsData.shard(padded, Murmur3.CODE, 256))))
                .containsExactly(one);
    }

    @Test
    void shardsHaveAFanoutAndTheOneHashFunction_FS11() {
        for (long fanout : new long[] {0, 1, 2, 4, 9, 255, 2048, Long.MAX_VALUE}) {
            assertRefused(
                    forged.store(List.of(), UnixFsData.shard(new byte[1], Murmur3.CODE, fanout)),
                    "the fanout of a sharded folder is a power of two from 8 to 1024");
        }
        for (int fanout = 8; fanout <= 1024; fanout *= 2) {
            int digits = Integer.toHexString(fanout - 1).length();
            int place = (int) (Murmur3.hash("a".getBytes(StandardCharsets.US_ASCII))
                    >>> (Long.SIZE - Integer.numberOfTrailingZeros(fanout)));
            String name = String.format("%0" + digits + "Xa", place);
            Cid shard = forged.store(List.of(Forged.link(file, name)), Forged.shardData(List.of(name), fanout));
            assertThat(paths(shard)).as("fanout %d", fanout).containsExactly("a");
        }
        assertRefused(
                forged.store(List.of(), UnixFsData.shard(new byte[1], 0x12, 256)),
                "the hash function of a sharded folder is murmur3-x64-64");
        assertRefused(
                forged.store(
                        List.of(),
                        new Protobuf.Writer().number(1, 5).number(6, 256).toByteArray()),
                "murmur3-x64-64");
    }

    @Test
    void shardsLeadToShardsAsFarAsAHashGoes_FS11() {
        Cid flat = forged.folder("a", file);
        assertRefused(
                forged.store(List.of(Forged.link(flat, "00")), Forged.shardData(List.of("00"), 256)),
                flat,
                "a folder is no shard of a folder");
        Cid shard = forged.store(List.of(), Forged.shardData(List.of(), 256));
        Cid ninth = shard;
        for (int level = 0; level < 8; level++) {
            shard = forged.store(List.of(Forged.link(shard, "00")), Forged.shardData(List.of("00"), 256));
        }
        assertRefused(shard, ninth, "a name in a sharded folder has a hash of 64 bits");
    }

    private static WalkLimits limits(int depth, long entries, long nodeBytes) {
        return new WalkLimits(depth, entries, nodeBytes);
    }

    private void assertEnds(Cid root, WalkLimits limits, int given, String words) {
        FolderWalk walk = UnixFs.walk(blocks, root, limits);
        List<String> paths = new ArrayList<>();
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(() -> walk.forEachRemaining(entry -> paths.add(entry.path())))
                .withMessageContaining(words);
        assertThat(paths).hasSize(given);
    }

    @Test
    void aPathHasABoundedNumberOfNames_FS14() {
        Cid deep = file;
        for (int level = 0; level < 5; level++) {
            deep = forged.folder("d", deep);
        }
        assertThat(UnixFs.walk(blocks, deep, limits(5, 5, 1000))).toIterable().hasSize(5);
        assertEnds(deep, limits(4, 5, 1000), 4, "a path has at most 4 names");
        assertEnds(deep, limits(0, 5, 1000), 0, "a path has at most 0 names");
        for (int level = 0; level < 2000; level++) {
            deep = forged.folder("d", deep);
        }
        assertEnds(deep, WalkLimits.DEFAULT, 1000, "a path has at most 1000 names");
    }

    @Test
    void entriesAreBoundedWithThoseOfRepeatedFolders_FS14() {
        Cid wide = forged.folder(List.of());
        for (int level = 0; level < 8; level++) {
            List<byte[]> links = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                links.add(Forged.link(wide, "n" + i));
            }
            wide = forged.folder(links);
        }
        assertEnds(wide, limits(10, 1000, 1 << 20), 1000, "a folder has at most 1000 entries");
        // Shards count, too: these have no entries at all.
        Cid shards = forged.store(List.of(), Forged.shardData(List.of(), 256));
        for (int level = 0; level < 7; level++) {
            List<String> places = IntStream.range(0, 256)
                    .mapToObj(i -> String.format("%02X", i))
                    .toList();
            shards = forged.shard(places, shards);
        }
        assertEnds(shards, limits(10, 10_000, 1 << 20), 0, "a folder has at most 10000 entries");
    }

    @Test
    void nodesOnTheWayAreBounded_FS14() {
        Cid inner = forged.folder("b", file);
        Cid root = forged.folder(List.of(Forged.link(inner, "a"), Forged.link(inner, "b")));
        long bytes = size(root) + size(inner);
        assertThat(UnixFs.walk(blocks, root, limits(9, 9, bytes))).toIterable().hasSize(4);
        assertEnds(root, limits(9, 9, bytes - 1), 0, "at most " + (bytes - 1) + " bytes");
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(() -> UnixFs.walk(blocks, root, limits(9, 9, 10)));
    }

    private long size(Cid cid) {
        return blocks.require(cid).size();
    }

    @Test
    void aPathIsBoundedInCharacters_FS14() {
        Cid root = forged.folder("x".repeat(40_000), forged.folder("y".repeat(25_535), file));
        assertThat(paths(root)).hasSize(2);
        Cid longer = forged.folder("x".repeat(40_001), forged.folder("y".repeat(25_535), file));
        assertRefused(longer, file, "a path has at most 65536 characters");
    }

    /** The walk throws once for what is missing or malformed, and continues behind it. */
    @Test
    void aWalkContinuesBehindWhatCannotBeRead() {
        Cid missing = Block.of(Cid.RAW, new byte[99]).cid();
        Cid damaged = forged.folder("..", file);
        Cid cbor = Block.of(Cid.DAG_CBOR, new byte[1]).cid();
        blocks.put(Block.of(Cid.DAG_CBOR, new byte[1]));
        Cid root = forged.folder(List.of(
                Forged.link(missing, "a"),
                Forged.link(file, "b"),
                Forged.link(damaged, "c"),
                Forged.link(cbor, "d"),
                Forged.link(file, "e")));
        FolderWalk walk = UnixFs.walk(blocks, root);
        List<String> paths = new ArrayList<>();
        List<Cid> refused = new ArrayList<>();
        while (walk.hasNext()) {
            try {
                paths.add(walk.next().path());
            } catch (DamagedFileException e) {
                refused.add(e.cid());
            }
        }
        assertThat(paths).containsExactly("b", "c", "e");
        assertThat(refused).containsExactly(missing, damaged, cbor);
    }
}
