package dev.pail.bench;

import dev.pail.ipld.Cid;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/** A map of H2's MVStore in a file, with the bytes of CIDs as values: for each change a commit and a sync. */
final class MvHistory implements History {
    private final List<Long> commits = new ArrayList<>();
    private final Path file;
    private final Keeper.Syncs syncs;
    private final Versions kept;
    private MVStore store;
    private MVMap<String, byte[]> map;

    /** Which versions are kept. */
    enum Versions {
        ALL,
        /** The newest, and those that MVStore keeps by its defaults. */
        NEWEST
    }

    MvHistory(Path file, Keeper.Syncs syncs, Versions kept) {
        this.file = file;
        this.syncs = syncs;
        this.kept = kept;
        this.store = open();
        this.map = store.openMap("entries");
        store.commit();
    }

    private MVStore open() {
        MVStore.Builder builder = new MVStore.Builder().fileName(file.toString());
        if (kept == Versions.NEWEST) {
            return builder.cacheSize((int) (CACHE_BYTES >> 20)).open();
        }
        MVStore opened = builder.autoCommitDisabled().autoCompactFillRate(0).open();
        opened.setVersionsToKeep(Integer.MAX_VALUE);
        opened.setRetentionTime(-1);
        opened.getFileStore().setReuseSpace(false);
        return opened;
    }

    @Override
    public void apply(Step step) {
        change(step);
        if (kept == Versions.ALL) {
            // The commit makes of this the version with that number.
            commits.add(store.getCurrentVersion());
        }
        commit();
    }

    private void commit() {
        store.commit();
        if (syncs == Keeper.Syncs.AS_PROMISED) {
            store.sync();
        }
    }

    private void change(Step step) {
        if (step.value() == null) {
            map.remove(step.key());
        } else {
            map.put(step.key(), step.value().toBytes());
        }
    }

    @Override
    public void fill(List<Step> puts) {
        puts.forEach(this::change);
        commit();
    }

    /** With all versions nothing: older ones cannot be opened any more after it was closed. All is in the file already. */
    @Override
    public void reopen() {
        if (kept == Versions.NEWEST) {
            store.close();
            store = open();
            map = store.openMap("entries");
        }
    }

    @Override
    public boolean get(String key) {
        return map.get(key) != null;
    }

    @Override
    public void forEach(BiConsumer<String, Cid> action) {
        for (Cursor<String, byte[]> cursor = map.cursor(null); cursor.hasNext(); ) {
            String key = cursor.next();
            action.accept(key, Cid.fromBytes(cursor.getValue()));
        }
    }

    @Override
    public Map<String, Cid> version(int changes) {
        Map<String, Cid> all = new HashMap<>();
        map.openVersion(commits.get(changes - 1)).forEach((key, value) -> all.put(key, Cid.fromBytes(value)));
        return all;
    }

    @Override
    public int versions() {
        int there = 0;
        for (long commit : commits) {
            if (map.openVersion(commit).getVersion() == commit) {
                there++;
            }
        }
        return there;
    }

    @Override
    public void close() {
        store.close();
    }
}
