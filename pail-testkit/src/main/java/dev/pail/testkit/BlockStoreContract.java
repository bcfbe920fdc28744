package dev.pail.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.BlockStore;
import dev.pail.OriginHints;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link BlockStore} as tests. Extend it for each store; the number in a test's name is the rule of the contract that
 * the test checks.
 *
 * <pre>{@code
 * class MyStoreTest extends BlockStoreContract {
 *     protected BlockStore newStore() {
 *         return new MemoryBlockStore(); // the store to test, without blocks
 *     }
 * }
 * }</pre>
 */
public abstract class BlockStoreContract {
    private BlockStore store;

    /** Tests of the store that {@link #newStore} gives. */
    protected BlockStoreContract() {}

    /** A store without blocks. */
    protected abstract BlockStore newStore() throws Exception;

    /** The store under test. */
    protected final BlockStore opened() {
        return store;
    }

    /** Opens a new store for each test. */
    @BeforeEach
    public void open() throws Exception {
        store = newStore();
    }

    /** Closes the store. */
    @AfterEach
    public void close() {
        store.close();
    }

    /** A small block; each number gives another one. */
    protected static Block block(int number) {
        return Block.of(Cid.RAW, new byte[] {(byte) number, (byte) (number >> 8), 'x'});
    }

    @Test
    public void c1_whatWasPutIsThere() {
        Block block = Block.of(Cid.DAG_CBOR, new byte[] {1, 2, 3});
        store.put(block);
        assertThat(store.get(block.cid())).contains(block);
        assertThat(store.get(block.cid()).orElseThrow().bytes()).containsExactly(1, 2, 3);
        assertThat(store.has(block.cid())).isTrue();
    }

    @Test
    public void c1_theEmptyBlock() {
        Block empty = Block.of(Cid.RAW, new byte[0]);
        store.put(empty);
        assertThat(store.get(empty.cid())).contains(empty);
        assertThat(store.has(empty.cid())).isTrue();
    }

    @Test
    public void c1_largeBlocksAndOtherHashes() throws Exception {
        Block large = Block.of(Cid.RAW, new byte[Block.MAX_SIZE]);
        byte[] bytes = {7};
        byte[] digest = java.security.MessageDigest.getInstance("SHA-512").digest(bytes);
        byte[] cid = new byte[4 + digest.length];
        cid[0] = 1;
        cid[1] = 0x55;
        cid[2] = 0x13;
        cid[3] = 64;
        System.arraycopy(digest, 0, cid, 4, digest.length);
        Block sha512 = Block.verified(Cid.fromBytes(cid), bytes);
        store.putAll(List.of(large, sha512));
        assertThat(store.get(large.cid())).contains(large);
        assertThat(store.get(sha512.cid())).contains(sha512);
    }

    @Test
    public void c2_whatWasNotPutIsNotThere() {
        store.put(block(1));
        assertThat(store.get(block(2).cid())).isEmpty();
        assertThat(store.has(block(2).cid())).isFalse();
    }

    @Test
    public void c3_theBlockHasTheCidThatWasAskedFor() {
        Block raw = block(1);
        store.put(raw);
        Cid other = Block.of(Cid.DAG_CBOR, raw.bytes()).cid();
        store.get(other).ifPresent(found -> assertThat(found.cid()).isEqualTo(other));
        assertThat(store.has(other)).isEqualTo(store.get(other).isPresent());
    }

    @Test
    public void c4_puttingAgainChangesNothing() {
        store.put(block(1));
        store.put(block(1));
        assertThat(store.get(block(1).cid())).contains(block(1));
    }

    @Test
    public void c5_manyAtOnce() {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            blocks.add(block(i));
        }
        blocks.add(block(0));
        store.putAll(blocks);
        store.putAll(List.of());
        assertThat(blocks)
                .allSatisfy(block -> assertThat(store.get(block.cid())).contains(block));
    }

    @Test
    public void c7_identityBlocksAreNotKept() {
        Cid identity = Cid.parse("bafkqaaa");
        assertThat(store.get(identity)).isEmpty();
        assertThat(store.has(identity)).isFalse();
    }

    /** Any CID can be a value, also one that is too long for the name of a file (K3, I4). */
    @Test
    public void c7_whatCanNameNoBlockIsAbsent() {
        store.put(block(1));
        for (int length : new int[] {0, 8, 19, 129, 250, 2_000}) {
            byte[] bytes = new byte[(length < 128 ? 4 : 5) + length];
            bytes[0] = 1;
            bytes[1] = 0x55;
            bytes[2] = 0x22;
            bytes[3] = (byte) (length < 128 ? length : (length & 0x7f) | 0x80);
            if (length >= 128) {
                bytes[4] = (byte) (length >> 7);
            }
            for (byte function : new byte[] {0, 0x12, 0x22}) {
                bytes[2] = function;
                Cid cid = Cid.fromBytes(bytes);
                assertThat(store.get(cid)).isEmpty();
                assertThat(store.getChecked(cid)).isEmpty();
                assertThat(store.has(cid)).isFalse();
            }
        }
    }

    @Test
    public void c8_severalThreads() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> all = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            int from = t * 50;
            all.add(threads.submit(() -> {
                for (int i = from; i < from + 100; i++) {
                    store.put(block(i));
                    assertThat(store.get(block(i).cid())).contains(block(i));
                }
            }));
        }
        for (Future<?> each : all) {
            each.get();
        }
        threads.shutdown();
    }

    @Test
    public void c10_nothingAfterClose() {
        store.put(block(1));
        store.close();
        store.close();
        List<Runnable> calls = List.of(
                () -> store.get(block(1).cid()),
                () -> store.getChecked(block(1).cid()),
                () -> store.require(block(1).cid()),
                () -> store.getAll(List.of(block(1).cid())),
                () -> store.has(block(1).cid()),
                () -> store.put(block(1)),
                () -> store.putAll(List.of(block(1))));
        for (int i = 0; i < calls.size(); i++) {
            Runnable call = calls.get(i);
            assertThatThrownBy(call::run)
                    .as("call %d", i)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
    }

    @Test
    public void c11_whatWouldNotBeReadIsNotPut() {
        Block larger = Block.of(Cid.RAW, new byte[Block.MAX_SIZE + 1]);
        assertThatThrownBy(() -> store.put(larger))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(larger.cid().toString());
        assertThatThrownBy(() -> store.putAll(List.of(block(1), larger, block(2))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> OriginHints.putAll(store, List.of(block(1), larger), Map.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(store.get(larger.cid())).isEmpty();
        assertThat(store.get(block(1).cid())).isEmpty();
        store.put(block(3));
        assertThat(store.get(block(3).cid())).contains(block(3));
    }

    @Test
    public void c12_allOfThemAreThoseThatAreThere() {
        store.putAll(List.of(block(1), block(2), block(3)));
        List<Cid> asked = List.of(block(3).cid(), block(4).cid(), block(1).cid(), block(3).cid());
        assertThat(store.getAll(asked)).isEqualTo(Map.of(block(1).cid(), block(1), block(3).cid(), block(3)));
        assertThat(store.getAll(List.of())).isEmpty();
        assertThat(store.hasAll(asked)).isEqualTo(Set.of(block(1).cid(), block(3).cid()));
        assertThat(store.hasAll(List.of())).isEmpty();
        store.close();
        assertThatThrownBy(() -> store.hasAll(asked)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> store.getAll(asked)).isInstanceOf(IllegalStateException.class);
    }
}
