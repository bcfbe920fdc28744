package dev.pail.clock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The Merkle tree over events, against the definition of RFC 6962. */
class HistoryTreeTest {
    /** The leaves of the vectors of Certificate Transparency, and the roots of the trees over the first 0 to 8 of them. */
    private static final List<String> LEAVES =
            List.of("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f");

    private static final List<String> ROOTS = List.of(
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328");

    private static List<Cid> events(int count) {
        List<Cid> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(Block.of(Cid.DAG_CBOR, new byte[] {(byte) i, (byte) (i >> 8)})
                    .cid());
        }
        return events;
    }

    /** The hash of RFC 6962, as its text defines it. */
    private static byte[] root(List<Cid> events) throws Exception {
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        if (events.size() == 1) {
            sha256.update((byte) 0);
            return sha256.digest(events.get(0).toBytes());
        }
        int half = 1;
        while (half * 2 < events.size()) {
            half *= 2;
        }
        byte[] left = root(events.subList(0, half));
        byte[] right = root(events.subList(half, events.size()));
        sha256.update((byte) 1);
        sha256.update(left);
        return sha256.digest(right);
    }

    @Test
    void rootsAreThoseOfTheVectors_DE10() {
        HistoryTree tree = HistoryTree.empty();
        for (int i = 0; i < ROOTS.size(); i++) {
            assertThat(HexFormat.of().formatHex(tree.root())).as("size " + i).isEqualTo(ROOTS.get(i));
            if (i < LEAVES.size()) {
                tree = tree.append(HistoryTree.leaf(HexFormat.of().parseHex(LEAVES.get(i))));
            }
        }
    }

    @Test
    void rootsAndPathsOfAllSmallSizesAreThoseOfTheDefinition_DE10() throws Exception {
        List<Cid> all = events(200);
        HistoryTree tree = HistoryTree.empty();
        for (int size = 1; size <= all.size(); size++) {
            tree = tree.append(all.get(size - 1));
            List<Cid> events = all.subList(0, size);
            assertThat(tree.size()).isEqualTo(size);
            assertThat(tree.root()).as("size " + size).isEqualTo(root(events));
            for (int index = 0; index < size; index++) {
                checkPath(tree, events, index);
            }
        }
    }

    @Test
    void rootsAndPathsOfLargeSizesAreThoseOfTheDefinition_DE10() throws Exception {
        long seed = Randomness.seed("HistoryTreeTest.large");
        for (int i = 0; i < Randomness.times(20, 1000); i++) {
            Random random = Randomness.random(seed + i);
            List<Cid> events = events(200 + random.nextInt(5000));
            HistoryTree tree = HistoryTree.of(events);
            assertThat(tree.root())
                    .as("size " + events.size() + " of -Dpail.seed=" + seed)
                    .isEqualTo(root(events));
            checkPath(tree, events, random.nextInt(events.size()));
        }
    }

    private static void checkPath(HistoryTree tree, List<Cid> events, int index) {
        List<byte[]> path = HistoryTree.path(events, index);
        Cid event = events.get(index);
        String what = index + " of " + events.size();
        assertThat(path.size())
                .as(what)
                .isLessThanOrEqualTo(Integer.SIZE - Integer.numberOfLeadingZeros(events.size()));
        assertThat(HistoryTree.has(tree.root(), tree.size(), index, event, path))
                .as(what)
                .isTrue();
        assertThat(HistoryTree.has(tree.root(), tree.size(), index + 1, event, path))
                .as("the index after " + what)
                .isFalse();
        Cid other = Block.of(Cid.RAW, event.toBytes()).cid();
        assertThat(HistoryTree.has(tree.root(), tree.size(), index, other, path))
                .as("another event than " + what)
                .isFalse();
        List<byte[]> longer = new ArrayList<>(path);
        longer.add(new byte[HistoryTree.HASH]);
        assertThat(HistoryTree.has(tree.root(), tree.size(), index, event, longer))
                .as("a longer path than " + what)
                .isFalse();
        if (!path.isEmpty()) {
            assertThat(HistoryTree.has(tree.root(), tree.size(), index, event, path.subList(0, path.size() - 1)))
                    .as("a shorter path than " + what)
                    .isFalse();
            path.get(path.size() - 1)[0] ^= 1;
            assertThat(HistoryTree.has(tree.root(), tree.size(), index, event, path))
                    .as("another hash on the path of " + what)
                    .isFalse();
        }
    }

    @Test
    void anIndexOutsideOfTheTreeHasNoPath_DE10() {
        Cid event = events(1).get(0);
        byte[] root = HistoryTree.of(List.of(event)).root();
        assertThat(HistoryTree.has(root, 1, 0, event, List.of())).isTrue();
        assertThat(HistoryTree.has(root, 1, -1, event, List.of())).isFalse();
        assertThat(HistoryTree.has(root, 0, 0, event, List.of())).isFalse();
        assertThat(HistoryTree.has(root, Long.MAX_VALUE, 0, event, List.of())).isFalse();
    }
}
