package dev.pail.bench;

import dev.pail.ipld.Cid;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** A RocksDB with its defaults and a cache of {@link History#CACHE_BYTES}, a sync for each change, and no older versions. */
final class RocksHistory implements History {
    private final Path folder;
    private final Options options = new Options().setCreateIfMissing(true);
    private final LRUCache cache = new LRUCache(CACHE_BYTES);
    private final WriteOptions synced = new WriteOptions().setSync(true);
    private RocksDB database;

    RocksHistory(Path folder) {
        this.folder = folder;
        options.setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache));
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
        forEach(all::put);
        return all;
    }

    @Override
    public boolean get(String key) {
        try {
            return database.get(key.getBytes(StandardCharsets.UTF_8)) != null;
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void forEach(BiConsumer<String, Cid> action) {
        try (RocksIterator entry = database.newIterator()) {
            for (entry.seekToFirst(); entry.isValid(); entry.next()) {
                action.accept(new String(entry.key(), StandardCharsets.UTF_8), Cid.fromBytes(entry.value()));
            }
        }
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
        cache.close();
    }
}
