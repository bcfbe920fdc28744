package dev.pail.bench;

import dev.pail.ipld.Cid;
import java.util.function.BiConsumer;

/** An ordered map that is measured, in the version that was made last. For one thread. */
interface Store {
    /** Gives a key a value, and keeps the new version. */
    void put(String key, Cid value);

    /** Puts all entries, in their order, in one version. */
    void batch(Entries entries);

    /** Looks a key up; whether it has a value. */
    boolean get(String key);

    /** The same lookup by a handle that has read nothing yet. */
    boolean coldGet(String key);

    /** Visits all entries in order, as what they are here, and returns how many there are. */
    long scan();

    /** All entries in order, for checking. */
    void forEach(BiConsumer<String, Cid> action);

    /** Returns a store that starts at this version and leaves this one unchanged. */
    Store fork();

    /** Lists the keys whose values differ from the version that this store started at, and returns their number. */
    long diff();

    /**
     * How many blocks two handles that have read nothing yet read for {@link #diff}, for each shard that only the later
     * version has; 0, where that does not apply.
     */
    double readsForEachNewShard();

    /** Gives up what older versions need. Not measured. */
    void prune();

    /** What hashing what was stored takes alone, in nanoseconds; 0, if that was not asked for. */
    long floor();
}
