package dev.pail.repository;

import dev.pail.MergeRules;
import dev.pail.ShardFormat;

/**
 * The objects that a repository is made of. The facade and its parts share one core and do not know each other. Immutable, and safe for
 * use by several threads.
 *
 * @param stores the stores, and what reads versions from them
 * @param updates moves refs
 * @param rules the rules of merges
 */
record RepositoryCore(OpenStores stores, RefUpdates updates, MergeRules rules) {
    static RepositoryCore of(RefStore store, RepositoryBlocks stored, ShardFormat format) {
        OpenStores stores = OpenStores.of(store, stored, format);
        return new RepositoryCore(stores, RefUpdates.of(stores), MergeRules.installed());
    }

    /** The same repository, whose ref updates get another note. */
    RepositoryCore with(Note note) {
        return new RepositoryCore(stores, updates.with(note), rules);
    }

    /** The same repository, with other rules for merges. */
    RepositoryCore with(MergeRules other) {
        return new RepositoryCore(stores, updates, other);
    }

    /** Makes versions, and moves branches to them. */
    VersionUpdates versions() {
        return new VersionUpdates(stores, updates);
    }
}
