package dev.pail.bench;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A block store that measures how long the hashing of its blocks alone takes: the floor for every store. It hashes each block
 * once more, a megabyte at a time, to keep the costs of the clock and of memory out of the measurement. For one thread.
 */
final class Hashing implements BlockStore {
    private static final int PORTION = 1 << 20;

    private final BlockStore store;
    private final MessageDigest sha256 = sha256();
    private final List<byte[]> pending = new ArrayList<>();
    private long pendingBytes;
    private long nanos;
    private long hashedBytes;
    private int consumed;

    Hashing(BlockStore store) {
        this.store = store;
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The time that it took to hash what was put so far. */
    long nanos() {
        hashPending();
        return nanos;
    }

    /** How much was hashed in that time. */
    long hashedBytes() {
        return hashedBytes;
    }

    /** Something that depends on all hashes, so that none can be left out. */
    int consumed() {
        return consumed;
    }

    private void hashPending() {
        long start = System.nanoTime();
        for (byte[] bytes : pending) {
            consumed += sha256.digest(bytes)[0];
        }
        nanos += pending.isEmpty() ? 0 : System.nanoTime() - start;
        hashedBytes += pendingBytes;
        pending.clear();
        pendingBytes = 0;
    }

    @Override
    public void putAll(Collection<Block> blocks) {
        store.putAll(blocks);
        blocks.forEach(this::hashLater);
    }

    private void hashLater(Block block) {
        pending.add(block.bytes());
        pendingBytes += block.size();
        if (pendingBytes >= PORTION) {
            hashPending();
        }
    }

    @Override
    public Optional<Block> get(Cid cid) {
        return store.get(cid);
    }

    @Override
    public boolean has(Cid cid) {
        return store.has(cid);
    }

    @Override
    public void close() {
        store.close();
    }
}
