package dev.pail.bench;

import dev.pail.ipld.Cid;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.CursorIterable;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.Txn;

/** An LMDB with its defaults: a transaction, and so a sync, for each change, and no older versions. */
final class LmdbHistory implements History {
    /** The most that the file may grow to: addresses are set aside, but no space. */
    private static final long MOST = 64L << 30;

    private static final int LONGEST = 128;

    private final Path folder;
    private final ByteBuffer key = ByteBuffer.allocateDirect(LONGEST);
    private final ByteBuffer value = ByteBuffer.allocateDirect(LONGEST);
    private Env<ByteBuffer> env;
    private Dbi<ByteBuffer> entries;

    /** The transaction of lookups; null after a change. */
    private @Nullable Txn<ByteBuffer> reading;

    LmdbHistory(Path folder) {
        this.folder = folder;
        this.env = open();
        this.entries = env.openDbi("entries", DbiFlags.MDB_CREATE);
    }

    private Env<ByteBuffer> open() {
        return Env.create().setMapSize(MOST).setMaxDbs(1).open(folder.toFile());
    }

    @Override
    public void apply(Step step) {
        endReading();
        try (Txn<ByteBuffer> transaction = env.txnWrite()) {
            change(step, transaction);
            transaction.commit();
        }
    }

    @Override
    public void fill(List<Step> puts) {
        endReading();
        try (Txn<ByteBuffer> transaction = env.txnWrite()) {
            puts.forEach(put -> change(put, transaction));
            transaction.commit();
        }
    }

    private void endReading() {
        if (reading != null) {
            reading.close();
            reading = null;
        }
    }

    private void change(Step step, Txn<ByteBuffer> transaction) {
        set(key, step.key().getBytes(StandardCharsets.UTF_8));
        if (step.value() == null) {
            entries.delete(transaction, key);
        } else {
            set(value, step.value().toBytes());
            entries.put(transaction, key, value);
        }
    }

    private static void set(ByteBuffer buffer, byte[] bytes) {
        buffer.clear().put(bytes).flip();
    }

    @Override
    public void reopen() {
        endReading();
        env.close();
        env = open();
        entries = env.openDbi("entries");
    }

    @Override
    public Map<String, Cid> version(int changes) {
        Map<String, Cid> all = new HashMap<>();
        forEach(all::put);
        return all;
    }

    @Override
    public boolean get(String wanted) {
        if (reading == null) {
            reading = env.txnRead();
        }
        set(key, wanted.getBytes(StandardCharsets.UTF_8));
        return entries.get(reading, key) != null;
    }

    @Override
    public void forEach(BiConsumer<String, Cid> action) {
        // A thread has one such transaction.
        endReading();
        try (Txn<ByteBuffer> read = env.txnRead();
                CursorIterable<ByteBuffer> entry = entries.iterate(read)) {
            entry.forEach(each -> action.accept(
                    new String(bytes(each.key()), StandardCharsets.UTF_8), Cid.fromBytes(bytes(each.val()))));
        }
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    @Override
    public int versions() {
        return 1;
    }

    @Override
    public void close() {
        endReading();
        env.close();
    }
}
