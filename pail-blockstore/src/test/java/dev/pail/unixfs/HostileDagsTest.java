package dev.pail.unixfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.dag.Protobuf;
import dev.pail.ipld.Cid;
import dev.pail.testkit.LyingBlockStore;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Random files and folders with one node that lies or has changed bytes: exactly the rest can be read. */
class HostileDagsTest {
    private static final WalkLimits LIMITS = new WalkLimits(30, 5000, 1 << 20);

    private final long seed = Randomness.seed("HostileDagsTest");

    /** For the DAG, and for what is wrong in it: so that the rest is the same with and without that. */
    private Random random = new Random();

    private Random wrongs = new Random();

    /** What a node consists of before it is a block. */
    private static final class Parts {
        private final List<byte[]> links;
        private final byte[] data;

        Parts(List<byte[]> links, byte[] data) {
            this.links = links;
            this.data = data;
        }

        byte[] bytes() {
            return Forged.node(links, data);
        }
    }

    /** Builds a DAG from the leaves up, and lets a liar change one node of dag-pb on the way. */
    private final class Builder {
        final MemoryBlockStore blocks = new MemoryBlockStore();
        final Forged forged = new Forged(blocks);
        private final int wrong;
        private final Function<Parts, byte[]> liar;
        private int nodes;
        Cid lie = forged.raw();
        Cid root = lie;

        Builder(int wrong, Function<Parts, byte[]> liar) {
            this.wrong = wrong;
            this.liar = liar;
        }

        private Cid store(List<byte[]> links, byte[] data) {
            Parts parts = new Parts(links, data);
            boolean isWrong = nodes++ == wrong;
            Cid cid = forged.store(isWrong ? liar.apply(parts) : parts.bytes());
            if (isWrong) {
                lie = cid;
            }
            return cid;
        }

        private byte[] some(int most) {
            byte[] bytes = new byte[random.nextInt(most + 1)];
            random.nextBytes(bytes);
            return bytes;
        }

        private FileNode.Part file(int depth) {
            if (depth == 0 || random.nextInt(3) == 0) {
                byte[] bytes = some(20);
                return new FileNode.Part(forged.raw(bytes), bytes.length, bytes.length);
            }
            byte[] own = some(5);
            List<byte[]> links = new ArrayList<>();
            List<Long> sizes = new ArrayList<>();
            long size = own.length;
            for (int i = random.nextInt(4); i > 0; i--) {
                FileNode.Part part = file(depth - 1);
                links.add(Forged.link(part.cid(), ""));
                sizes.add(part.size());
                size += part.size();
            }
            int type = random.nextBoolean() ? UnixFsData.FILE : UnixFsData.RAW;
            return new FileNode.Part(store(links, Forged.fileData(type, own, size, sizes)), size, 0);
        }

        Cid folder(int depth) {
            Map<String, Cid> entries = new TreeMap<>();
            for (int i = random.nextInt(8); i > 0; i--) {
                entries.put("n" + random.nextInt(1000), node(depth - 1));
            }
            if (random.nextBoolean()) {
                return shard(new ArrayList<>(entries.keySet()), entries, 0);
            }
            List<byte[]> links = new ArrayList<>();
            entries.forEach((name, cid) -> links.add(Forged.link(cid, name)));
            return store(links, Forged.type(UnixFsData.FOLDER));
        }

        private Cid shard(List<String> names, Map<String, Cid> entries, int level) {
            Map<String, List<String>> places = new TreeMap<>();
            names.forEach(name -> places.computeIfAbsent(Forged.place(name, level), place -> new ArrayList<>())
                    .add(name));
            List<byte[]> links = new ArrayList<>();
            places.forEach((place, there) -> links.add(
                    there.size() == 1 && (level == 7 || random.nextInt(4) > 0)
                            ? Forged.link(entries.get(there.get(0)), place + there.get(0))
                            : Forged.link(shard(there, entries, level + 1), place)));
            return store(links, Forged.shardData(new ArrayList<>(places.keySet()), 256));
        }

        private Cid node(int depth) {
            return switch (random.nextInt(depth > 0 ? 6 : 4)) {
                case 0 ->
                    store(
                            List.of(),
                            new Protobuf.Writer()
                                    .number(1, UnixFsData.LINK)
                                    .bytes(2, new byte[] {'t'})
                                    .toByteArray());
                case 4, 5 -> folder(depth);
                default -> file(3).cid();
            };
        }

        /** All that can be read below a root: the bytes of files, and other things as text. What cannot is added to the refused. */
        Map<String, String> read(Set<Cid> refused) {
            Map<String, String> found = new TreeMap<>();
            try {
                FolderWalk walk = UnixFs.walk(blocks, root, LIMITS);
                while (hasNext(walk, refused)) {
                    read(walk, found, refused);
                }
            } catch (DamagedFileException e) {
                refused.add(e.cid());
            }
            return found;
        }

        private boolean hasNext(FolderWalk walk, Set<Cid> refused) {
            while (true) {
                try {
                    return walk.hasNext();
                } catch (DamagedFileException e) {
                    refused.add(e.cid());
                }
            }
        }

        private void read(FolderWalk walk, Map<String, String> found, Set<Cid> refused) {
            try {
                FolderEntry entry = walk.next();
                for (String name : entry.path().split("/", -1)) {
                    assertThat(FolderNode.isName(name)).as(entry.path()).isTrue();
                }
                if (entry.node().kind() == NodeKind.FILE) {
                    byte[] bytes = new byte[10_000];
                    int length = FileTest.readFully(UnixFs.open(blocks, entry.cid()), bytes);
                    assertThat(length)
                            .isEqualTo((int) Math.min(bytes.length, entry.node().size()));
                    found.put(entry.path(), Arrays.toString(Arrays.copyOf(bytes, length)));
                } else {
                    found.put(entry.path(), entry.node().kind() + entry.node().target());
                }
            } catch (DamagedFileException e) {
                refused.add(e.cid());
            }
        }
    }

    /** Lies that no reader may believe, in any node. */
    private final List<Function<Parts, byte[]>> lies = List.of(
            parts -> Forged.node(parts.links, new byte[] {8, (byte) 0x81, 0}),
            parts -> Forged.node(parts.links, new byte[0]),
            parts -> Forged.node(
                    parts.links,
                    Forged.fileData(2, new byte[0], 1L << 62, Collections.nCopies(parts.links.size(), 0L))),
            parts -> Forged.node(
                    parts.links, Forged.fileData(2, new byte[0], -1, Collections.nCopies(parts.links.size() + 1, 0L))),
            parts -> Forged.node(parts.links, UnixFsData.shard(new byte[] {1, 0}, 0x12, 256)),
            parts -> Forged.node(parts.links, UnixFsData.shard(new byte[] {1, 0}, Murmur3.CODE, 1 << 30)),
            parts -> Forged.node(parts.links, UnixFsData.shard(new byte[] {1, -1, -1, -1}, Murmur3.CODE, 256)),
            parts -> Arrays.copyOf(parts.bytes(), parts.bytes().length + 1 + wrongs.nextInt(5)),
            parts -> Arrays.copyOf(parts.bytes(), wrongs.nextInt(parts.bytes().length)),
            parts -> relinked(parts, cid -> Forged.link(cid, "..")),
            parts -> relinked(parts, cid -> Forged.link(cid, "00/etc/passwd")),
            parts -> relinked(parts, cid -> Forged.link(cid, new byte[] {'a', -1}, 1)),
            parts -> relinked(parts, cid -> new byte[] {0x0a, 3, 1, 2, 3}),
            parts -> {
                List<byte[]> twice = new ArrayList<>(parts.links);
                twice.add(twice.isEmpty() ? new byte[0] : twice.get(wrongs.nextInt(twice.size())));
                return Forged.node(twice, parts.data);
            });

    /** With another link in the place of one. Of a node without links, nothing. */
    private byte[] relinked(Parts parts, Function<Cid, byte[]> change) {
        if (parts.links.isEmpty()) {
            return new byte[0];
        }
        List<byte[]> links = new ArrayList<>(parts.links);
        int index = wrongs.nextInt(links.size());
        DagPb.Links old = DagPb.decode(Forged.node(List.of(links.get(index)), new byte[0]))
                .links();
        assertThat(old.next()).isTrue();
        links.set(index, change.apply(old.link().cid()));
        return Forged.node(links, parts.data);
    }

    private Builder build(int run, int wrong, Function<Parts, byte[]> liar) {
        random = Randomness.random(seed + run);
        wrongs = Randomness.random(~seed + run);
        Builder builder = new Builder(wrong, liar);
        builder.root = builder.folder(4);
        return builder;
    }

    @Test
    void aLieIsRefusedAndTheRestIsReadAsItIs_FS6_FS9_FS10_FS11() {
        int lied = 0;
        int unseen = 0;
        long read = 0;
        for (int run = 0; lied < Randomness.times(1500, 50_000); run++) {
            Builder sound = build(run, -1, Parts::bytes);
            Set<Cid> refused = new HashSet<>();
            Map<String, String> expected = sound.read(refused);
            assertThat(refused).as("run %d", run).isEmpty();
            Builder forged = build(run, run * 7 % sound.nodes, lies.get(run % lies.size()));
            Map<String, String> found = forged.read(refused);
            lied++;
            read += found.size();
            assertThat(expected.entrySet()).as("run %d", run).containsAll(found.entrySet());
            if (refused.isEmpty()) {
                // A node that another one of the same name has replaced.
                assertThat(found).as("run %d", run).isEqualTo(expected);
                unseen++;
            } else {
                assertThat(refused).as("run %d", run).containsExactly(forged.lie);
            }
        }
        System.out.println("HostileDagsTest: " + lied + " lies, " + unseen + " unseen, " + read + " entries read");
        assertThat(unseen).isLessThan(lied / 10);
        assertThat(read).isGreaterThan(lied);
    }

    @Test
    void changedBytesAreReadOrRefused() {
        int refusals = 0;
        for (int run = 0; run < Randomness.times(3000, 100_000); run++) {
            int nodes = build(run, -1, Parts::bytes).nodes;
            Builder changed = build(run, run * 7 % nodes, parts -> changed(parts.bytes()));
            Set<Cid> refused = new HashSet<>();
            changed.read(refused);
            refusals += refused.size();
        }
        assertThat(refusals).isPositive();
    }

    private byte[] changed(byte[] bytes) {
        byte[] changed = bytes.clone();
        for (int i = 1 + wrongs.nextInt(3); i > 0; i--) {
            int at = wrongs.nextInt(changed.length);
            changed[at] = (byte) (wrongs.nextBoolean() ? wrongs.nextInt(256) : changed[at] ^ 1 << wrongs.nextInt(8));
        }
        return changed;
    }

    /** A store that gives another block than the one it is asked for: the only way to a cycle. */
    @Test
    void aCycleNeedsAStoreThatLies_FS14() {
        MemoryBlockStore blocks = new MemoryBlockStore();
        Forged forged = new Forged(blocks);
        Cid inner = forged.folder("a", forged.raw());
        Cid root = forged.folder("b", inner);
        FolderWalk walk = UnixFs.walk(new LyingBlockStore(blocks, inner, root), root);
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(walk::next)
                .satisfies(e -> assertThat(e.cid()).isEqualTo(inner));
        assertThat(walk.hasNext()).isFalse();
    }
}
