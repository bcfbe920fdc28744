package dev.pail.bench;

import dev.pail.Batch;
import dev.pail.Entry;
import dev.pail.KeyChange;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.ipld.Cid;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** This project's map over a memory store. */
final class PailStore implements Store {
    private final VersionStore versions;
    private final @Nullable Hashing hashing;
    private final Pail start;
    private Pail pail;

    private PailStore(VersionStore versions, @Nullable Hashing hashing, Pail start) {
        this.versions = versions;
        this.hashing = hashing;
        this.start = start;
        this.pail = start;
    }

    static PailStore empty(ShardFormat format) {
        VersionStore versions = new VersionStore();
        return new PailStore(versions, null, Pail.create(versions, format));
    }

    /** One that finds out its floor, and is slower for it. */
    static PailStore hashed(ShardFormat format) {
        VersionStore versions = new VersionStore();
        Hashing hashing = new Hashing(versions);
        return new PailStore(versions, hashing, Pail.create(hashing, format));
    }

    @Override
    public void put(String key, Cid value) {
        pail = pail.put(key, value);
    }

    @Override
    public void batch(Entries entries) {
        Batch batch = pail.batch();
        for (int i = 0; i < entries.size(); i++) {
            batch.put(entries.keys().get(i), entries.values().get(i));
        }
        pail = batch.commit();
    }

    @Override
    public boolean get(String key) {
        return pail.get(key).isPresent();
    }

    @Override
    public boolean coldGet(String key) {
        return Pail.open(pail.blocks(), pail.root()).get(key).isPresent();
    }

    @Override
    public long scan() {
        Scan scan = new Scan();
        pail.entries().forEach(scan);
        return scan.count;
    }

    @Override
    public void forEach(BiConsumer<String, Cid> action) {
        pail.entries().forEach(entry -> action.accept(entry.key(), entry.value()));
    }

    @Override
    public Store fork() {
        return new PailStore(versions, hashing, pail);
    }

    @Override
    public long diff() {
        Changes changes = new Changes();
        start.diff(pail).keys().forEach(changes);
        return changes.count;
    }

    @Override
    public double readsForEachNewShard() {
        Counting counting = new Counting(versions);
        Pail.open(counting, start.root())
                .diff(Pail.open(counting, pail.root()))
                .keys()
                .forEach(new Changes());
        int shards = start.diff(pail).shards().added().size();
        return shards == 0 ? 0 : (double) counting.reads() / shards;
    }

    @Override
    public void prune() {
        versions.prune(List.of(start.root(), pail.root()));
    }

    @Override
    public long floor() {
        return hashing == null ? 0 : hashing.nanos();
    }

    /** Looks at key and new value of each change. */
    private static final class Changes implements Consumer<KeyChange> {
        private long count;

        @Override
        public void accept(KeyChange change) {
            if (!change.key().isEmpty() && change.after().isPresent()) {
                count++;
            }
        }
    }

    /** Looks at key and value of each entry. */
    private static final class Scan implements Consumer<Entry> {
        private long count;

        @Override
        public void accept(Entry entry) {
            if (!entry.key().isEmpty() && entry.value().codec() == Cid.RAW) {
                count++;
            }
        }
    }
}
