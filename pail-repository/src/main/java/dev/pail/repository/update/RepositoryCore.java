package dev.pail.repository.update;

import dev.pail.MergeRules;
import dev.pail.ShardFormat;
import dev.pail.repository.model.Note;
import dev.pail.repository.spi.RefStore;
import dev.pail.repository.spi.RepositoryBlocks;

/**
 * The objects that a repository is made of. The facade and its parts share one core and do not know each other. Immutable, and safe for
 * use by several threads.
 *
 * @param stores the stores, and what reads versions from them
 * @param updates moves refs
 * @param rules the rules of merges
 */
public record RepositoryCore(OpenStores stores, RefUpdates updates, MergeRules rules) {
    public static RepositoryCore of(RefStore store, RepositoryBlocks stored, ShardFormat format) {
        OpenStores stores = OpenStores.of(store, stored, format);
        return new RepositoryCore(
                stores, RefUpdates.of(stores, new ChangeLines(store.location())), MergeRules.installed());
    }

    /** The same repository, whose ref updates get another note. */
    public RepositoryCore with(Note note) {
        return with(new Signature(note, updates.signature().flatMap(Signature::time)));
    }

    /** The same repository, whose ref updates get another signature. */
    public RepositoryCore with(Signature signature) {
        return new RepositoryCore(stores, updates.with(signature), rules);
    }

    /** The same repository, with other rules for merges. */
    public RepositoryCore with(MergeRules other) {
        return new RepositoryCore(stores, updates, other);
    }

    /** The same repository, whose blocks are read and put elsewhere. Both have the same listeners. */
    public RepositoryCore over(RepositoryBlocks stored) {
        OpenStores other = stores.over(stored);
        return new RepositoryCore(other, updates.over(other), rules);
    }

    /** Makes versions, and moves branches to them. */
    public VersionUpdates versions() {
        return new VersionUpdates(stores, updates);
    }

    /** Removes and renames branches. */
    public BranchUpdates branches() {
        return new BranchUpdates(stores, updates);
    }
}
