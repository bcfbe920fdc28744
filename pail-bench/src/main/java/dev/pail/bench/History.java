package dev.pail.bench;

import dev.pail.ipld.Cid;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** A map that is measured while it is changed: each change is durable, as far as that is promised, when it returns. For one thread. */
interface History extends AutoCloseable {
    /** The cache of a store that has one, in bytes: as large as that of a repository with a heap of 1 GiB or more. */
    long CACHE_BYTES = 128 << 20;

    void apply(Step step);

    /** Makes all these changes, which are puts, at once. */
    void fill(List<Step> puts);

    /** Closes it and opens it again, where it is not in memory: what is read then is what was kept. */
    void reopen();

    /** Returns all entries after {@code changes} single changes. A history without versions has only the last one. */
    Map<String, Cid> version(int changes);

    /** Looks a key up in the last version; whether it has a value. */
    default boolean get(String key) {
        throw new UnsupportedOperationException();
    }

    /** Visits all entries of the last version in the order of their keys. */
    default void forEach(BiConsumer<String, Cid> action) {
        throw new UnsupportedOperationException();
    }

    /** How many versions can be had, each looked up by what names it. */
    int versions();

    @Override
    void close();
}
