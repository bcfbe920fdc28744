package dev.pail.update;

import dev.pail.ipld.Cid;

/**
 * Follows the making of a version of an empty one: gets the keys of the new version in their order, each once, and the versions on the way
 * that it asks for. So an update makes its events without reading the new version again. Not for use by several threads at once.
 */
public interface BuildListener {
    /** Whether {@link #version} shall follow, with the version of the keys so far, before the next key. Asked before each key but the first. */
    boolean isFull(String key, Cid value);

    /** Gets the root of the version of the keys so far. Its shards are stored. */
    void version(Cid root);

    /** Gets a key, which is behind all before, and its value. */
    void put(String key, Cid value);

    /** Gets the root of the version of all keys. Its shards are stored. */
    void end(Cid root);
}
