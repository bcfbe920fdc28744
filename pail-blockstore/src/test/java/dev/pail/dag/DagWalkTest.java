package dev.pail.dag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.StoreIOException;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.car.CountingBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DagWalkTest {
    private final MemoryBlockStore blocks = new MemoryBlockStore();
    private int reads;

    private Optional<Block> read(Cid cid) {
        reads++;
        return blocks.get(cid);
    }

    /** What a walk comes to, in its order, and what it did not find. */
    private List<List<Cid>> walk(List<Cid> values, int maxHeld) {
        List<Cid> found = new ArrayList<>();
        List<Cid> absent = new ArrayList<>();
        reads = 0;
        DagWalk walk = new DagWalk(
                this::read, link -> true, block -> found.add(block.cid()), link -> absent.add(link.cid()), maxHeld);
        walk.walk(values.stream().map(cid -> new Link(cid, Link.Role.VALUE)).toList());
        return List.of(found, absent);
    }

    /** The slow twin recurses. */
    @Test
    void alongEachPathABlockComesAsOftenAsLinksLeadToIt() {
        Random random = new Random(Randomness.seed("DagWalkTest"));
        for (int i = 0; i < 200; i++) {
            RandomDag dag = new RandomDag(random, 1 + random.nextInt(12));
            dag.blocks().values().stream()
                    .filter(block -> random.nextInt(8) > 0)
                    .forEach(blocks::put);
            Link root = new Link(dag.nodes().get(dag.nodes().size() - 1), Link.Role.VALUE);
            List<Cid> expected = new ArrayList<>();
            List<Cid> expectedAbsent = new ArrayList<>();
            // An identity CID is no block: the links in it take its place.
            Links.ofValue(root.cid()).forEach(each -> recurse(each, expected, expectedAbsent));
            List<Cid> found = new ArrayList<>();
            List<Cid> absent = new ArrayList<>();
            DagWalk.alongEachPath(blocks::get, block -> found.add(block.cid()), link -> absent.add(link.cid()))
                    .walk(List.of(root));
            assertThat(found).isEqualTo(expected);
            assertThat(absent).isEqualTo(expectedAbsent);
        }
    }

    private void recurse(Link link, List<Cid> found, List<Cid> absent) {
        Optional<Block> block = blocks.get(link.cid());
        if (block.isEmpty()) {
            absent.add(link.cid());
            return;
        }
        found.add(link.cid());
        Links.of(block.get(), Link.Role.VALUE).forEach(each -> recurse(each, found, absent));
    }

    /** The blocks on the path are read again, and nothing else is different. */
    @Test
    void theOrderDoesNotDependOnWhatIsHeld() {
        Random random = new Random(Randomness.seed("DagWalkTest"));
        for (int i = 0; i < 100; i++) {
            RandomDag dag = new RandomDag(random, 1 + random.nextInt(200));
            dag.blocks().values().stream()
                    .filter(block -> random.nextInt(8) > 0)
                    .forEach(blocks::put);
            Set<Cid> there = dag.blocks().keySet().stream().filter(blocks::has).collect(Collectors.toSet());
            Cid root = dag.nodes().get(dag.nodes().size() - 1);
            List<List<Cid>> all = walk(List.of(root), Integer.MAX_VALUE);
            int once = reads;
            assertThat(all.get(0)).doesNotHaveDuplicates();
            assertThat(all.get(1)).doesNotHaveDuplicates();
            assertThat(once).isEqualTo(all.get(0).size() + all.get(1).size());
            List<Cid> reached = List.copyOf(dag.reach(root, there));
            assertThat(all.get(0))
                    .isEqualTo(reached.stream().filter(there::contains).toList());
            assertThat(all.get(1))
                    .isEqualTo(
                            reached.stream().filter(cid -> !there.contains(cid)).toList());
            assertThat(walk(List.of(root), random.nextInt(6))).isEqualTo(all);
            assertThat(reads).isGreaterThanOrEqualTo(once);
        }
    }

    /** A store that must be asked for many blocks together. */
    private final class Asked extends CountingBlockStore {
        int many;
        boolean fails;

        Asked() {
            super(blocks);
        }

        @Override
        public boolean has(Cid cid) {
            throw new AssertionError("asks for one alone");
        }

        @Override
        public Set<Cid> hasAll(Collection<Cid> cids) {
            many++;
            if (fails) {
                throw new StoreIOException("cannot look", "here", new IOException("no"));
            }
            return blocks.hasAll(cids);
        }
    }

    /** The slow twin reads each value when it comes to it. */
    @Test
    void absentValuesAreFoundTogether() {
        Random random = new Random(Randomness.seed("DagWalkTest"));
        long savedReads = 0;
        for (int i = 0; i < 200; i++) {
            RandomDag dag = new RandomDag(random, 1 + random.nextInt(200));
            dag.blocks().values().stream()
                    .filter(block -> random.nextInt(8) > 0)
                    .forEach(blocks::put);
            List<Cid> roots =
                    List.of(dag.nodes().get(dag.nodes().size() - 1), dag.nodes().get(0));
            List<List<Cid>> expected = walk(roots, Integer.MAX_VALUE);
            Asked store = new Asked();
            store.fails = i % 4 == 0;
            List<Cid> found = new ArrayList<>();
            List<Cid> absent = new ArrayList<>();
            new DagWalk(store, link -> true, block -> found.add(block.cid()), link -> absent.add(link.cid()))
                    .walk(roots.stream()
                            .map(cid -> new Link(cid, Link.Role.VALUE))
                            .toList());
            assertThat(found).isEqualTo(expected.get(0));
            assertThat(absent).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(expected.get(1));
            assertThat(store.reads()).isBetween((long) found.size(), (long) reads);
            assertThat(store.many).isLessThanOrEqualTo(found.size() + 1);
            savedReads += reads - store.reads();
        }
        assertThat(savedReads).isGreaterThan(0);
    }

    /** Of a chain of blocks with many links each, no more than some are held. */
    @Test
    void aPathOfWideBlocksIsReadAgain() {
        Block below = Block.of(Cid.RAW, new byte[0]);
        for (int level = 0; level < 50; level++) {
            DagCborWriter writer = new DagCborWriter().array(1000).link(below.cid());
            for (int i = 1; i < 1000; i++) {
                writer.link(Block.of(Cid.RAW, new byte[] {(byte) level, (byte) i, (byte) (i >> 8)})
                        .cid());
            }
            below = Block.of(Cid.DAG_CBOR, writer.toByteArray());
            blocks.put(below);
        }
        List<List<Cid>> all = walk(List.of(below.cid()), Integer.MAX_VALUE);
        int once = reads;
        assertThat(all.get(0)).hasSize(50);
        assertThat(all.get(1)).hasSize(50 * 999 + 1);
        assertThat(walk(List.of(below.cid()), 5000)).isEqualTo(all);
        assertThat(reads - once).isBetween(40, 50);
    }

    /** Identity CIDs in identity CIDs, as deep as a CID allows: the links stand in their places. */
    @Test
    void identityCidsInEachOther_G4() {
        Cid first = Block.of(Cid.RAW, new byte[] {1}).cid();
        Cid second = Block.of(Cid.RAW, new byte[] {2}).cid();
        Cid nested = RandomDag.identity(
                Cid.DAG_CBOR, new DagCborWriter().array(1).link(first).toByteArray());
        for (Cid next = nested; next.byteLength() < 110; ) {
            nested = next;
            next = RandomDag.identity(
                    Cid.DAG_CBOR, new DagCborWriter().array(1).link(next).toByteArray());
        }
        Cid leaf = RandomDag.identity(0x0200, first.toBytes());
        byte[] bytes = new DagCborWriter()
                .array(3)
                .link(nested)
                .link(leaf)
                .link(second)
                .toByteArray();
        assertThat(Links.of(Block.of(Cid.DAG_CBOR, bytes), Link.Role.VALUE))
                .extracting(Link::cid)
                .containsExactly(first, second);
    }
}
