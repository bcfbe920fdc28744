package dev.pail.bench;

import dev.pail.ipld.Cid;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** A RocksDB with its defaults, a sync for each change, and no older versions. */
final class RocksHistory implements History {
    private final Path folder;
    private final Options options = new Options().setCreateIfMissing(true);
    private final WriteOptions synced = new WriteOptions().setSync(true);
    private RocksDB database;

    RocksHistory(Path folder) {
        this.folder = folder;
        this.database = open();
    }

    private RocksDB open() {
        try {
            return RocksDB.open(options, folder.toString());
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void apply(Step step) {
        byte[] key = step.key().getBytes(StandardCharsets.UTF_8);
        try {
            if (step.value() == null) {
                database.delete(synced, key);
            } else {
                database.put(synced, key, step.value().toBytes());
            }
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void fill(List<Step> puts) {
        try (WriteBatch batch = new WriteBatch()) {
            for (Step put : puts) {
                batch.put(
                        put.key().getBytes(StandardCharsets.UTF_8),
                        Objects.requireNonNull(put.value()).toBytes());
            }
            database.write(synced, batch);
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void reopen() {
        database.close();
        database = open();
    }

    @Override
    public Map<String, Cid> version(int changes) {
        Map<String, Cid> all = new HashMap<>();
        try (RocksIterator entry = database.newIterator()) {
            for (entry.seekToFirst(); entry.isValid(); entry.next()) {
                all.put(new String(entry.key(), StandardCharsets.UTF_8), Cid.fromBytes(entry.value()));
            }
        }
        return all;
    }

    @Override
    public int versions() {
        return 1;
    }

    @Override
    public void close() {
        database.close();
        synced.close();
        options.close();
    }
}
