package dev.pail.bench;

import dev.pail.ipld.Cid;
import java.util.function.BiConsumer;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/** A map of H2's MVStore in memory, with the bytes of CIDs as values. Each version is a commit. */
final class MvStore implements Store {
    private final MVStore store = MVStore.open(null);
    private final MVMap<String, byte[]> map = store.openMap("entries");

    @Override
    public void put(String key, Cid value) {
        map.put(key, value.toBytes());
        store.commit();
    }

    @Override
    public void batch(Entries entries) {
        for (int i = 0; i < entries.size(); i++) {
            map.put(entries.keys().get(i), entries.values().get(i).toBytes());
        }
        store.commit();
    }

    @Override
    public boolean get(String key) {
        return map.get(key) != null;
    }

    /** Nothing is encoded in memory, so there is nothing to decode. */
    @Override
    public boolean coldGet(String key) {
        throw new UnsupportedOperationException("nothing is cold in memory");
    }

    @Override
    public long scan() {
        long count = 0;
        for (Cursor<String, byte[]> cursor = map.cursor(null); cursor.hasNext(); ) {
            if (!cursor.next().isEmpty() && cursor.getValue().length > 0) {
                count++;
            }
        }
        return count;
    }

    @Override
    public void forEach(BiConsumer<String, Cid> action) {
        for (Cursor<String, byte[]> cursor = map.cursor(null); cursor.hasNext(); ) {
            action.accept(cursor.next(), Cid.fromBytes(cursor.getValue()));
        }
    }

    @Override
    public Store fork() {
        throw new UnsupportedOperationException("the store has one version that can be written");
    }

    /** Pages have no names, so versions can only be compared entry by entry. */
    @Override
    public long diff() {
        throw new UnsupportedOperationException("two versions have nothing to be compared by");
    }

    @Override
    public double readsForEachNewShard() {
        return 0;
    }

    @Override
    public void prune() {}

    @Override
    public long floor() {
        return 0;
    }
}
