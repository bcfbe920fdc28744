package dev.pail.bench;

import dev.pail.ipld.Cid;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/** A map of H2's MVStore in a file, with the bytes of CIDs as values: for each change a commit and a sync, and no version is given up. */
final class MvHistory implements History {
    private final List<Long> commits = new ArrayList<>();
    private final Keeper.Syncs syncs;
    private final MVStore store;
    private final MVMap<String, byte[]> map;

    MvHistory(Path file, Keeper.Syncs syncs) {
        this.syncs = syncs;
        this.store = new MVStore.Builder()
                .fileName(file.toString())
                .autoCommitDisabled()
                .autoCompactFillRate(0)
                .open();
        store.setVersionsToKeep(Integer.MAX_VALUE);
        store.setRetentionTime(-1);
        store.getFileStore().setReuseSpace(false);
        this.map = store.openMap("entries");
        store.commit();
    }

    @Override
    public void apply(Step step) {
        change(step);
        // The commit makes of this the version with that number.
        commits.add(store.getCurrentVersion());
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

    /** Nothing: older versions cannot be opened any more after it was closed. All is in the file already. */
    @Override
    public void reopen() {}

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
