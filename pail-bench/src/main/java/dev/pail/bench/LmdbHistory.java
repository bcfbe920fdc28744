package dev.pail.bench;

import dev.pail.ipld.Cid;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.lmdbjava.CursorIterable;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.Txn;

/** An LMDB with its defaults: a transaction, and so a sync, for each change, and no older versions. */
final class LmdbHistory implements History {
    private static final long MOST = 1L << 30;
    private static final int LONGEST = 128;

    private final Path folder;
    private final ByteBuffer key = ByteBuffer.allocateDirect(LONGEST);
    private final ByteBuffer value = ByteBuffer.allocateDirect(LONGEST);
    private Env<ByteBuffer> env;
    private Dbi<ByteBuffer> entries;

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
        try (Txn<ByteBuffer> transaction = env.txnWrite()) {
            change(step, transaction);
            transaction.commit();
        }
    }

    @Override
    public void fill(List<Step> puts) {
        try (Txn<ByteBuffer> transaction = env.txnWrite()) {
            puts.forEach(put -> change(put, transaction));
            transaction.commit();
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
        env.close();
        env = open();
        entries = env.openDbi("entries");
    }

    @Override
    public Map<String, Cid> version(int changes) {
        Map<String, Cid> all = new HashMap<>();
        try (Txn<ByteBuffer> read = env.txnRead();
                CursorIterable<ByteBuffer> entry = entries.iterate(read)) {
            entry.forEach(each -> {
                byte[] bytes = new byte[each.val().remaining()];
                each.val().get(bytes);
                all.put(StandardCharsets.UTF_8.decode(each.key()).toString(), Cid.fromBytes(bytes));
            });
        }
        return all;
    }

    @Override
    public int versions() {
        return 1;
    }

    @Override
    public void close() {
        env.close();
    }
}
