package dev.pail.repository.update;

import dev.pail.EntryCounts;
import dev.pail.ShardFormat;
import dev.pail.clock.ConflictCache;
import dev.pail.clock.HistoryTrees;
import dev.pail.repository.collect.CollectionPlace;
import dev.pail.repository.collect.Promised;
import dev.pail.repository.history.Histories;
import dev.pail.repository.refs.Refs;
import dev.pail.repository.spi.DerivedRoots;
import dev.pail.repository.spi.RefStore;
import dev.pail.repository.spi.RepositoryBlocks;
import java.util.Optional;

/**
 * The stores of a repository, with what reads versions from them. All copies of a repository share them.
 *
 * @param refs the store of branches and tags, with the rules of names
 * @param stored the blocks of all versions
 * @param format the format of new pails
 * @param blocks the same blocks, as callers see them
 * @param histories the events in them
 * @param snapshots the versions of branches
 * @param derived the roots of merged events
 * @param conflicts the open conflicts of heads
 * @param trees the trees of described events
 */
public record OpenStores(
        Refs refs,
        RepositoryBlocks stored,
        ShardFormat format,
        StagedBlocks blocks,
        Histories histories,
        Snapshots snapshots,
        DerivedRoots derived,
        ConflictCache conflicts,
        HistoryTrees trees) {
    static OpenStores of(RefStore store, RepositoryBlocks stored, ShardFormat format) {
        return of(
                new Refs(store),
                stored,
                format,
                store.entryCounts(),
                store.derivedRoots(),
                store.conflictCache(),
                store.historyTrees());
    }

    private static OpenStores of(
            Refs refs,
            RepositoryBlocks stored,
            ShardFormat format,
            EntryCounts counts,
            DerivedRoots derived,
            ConflictCache conflicts,
            HistoryTrees trees) {
        StagedBlocks blocks = new StagedBlocks(stored, refs.store().location(), counts);
        Histories histories = new Histories(blocks, format);
        Snapshots snapshots = new Snapshots(blocks, refs, histories, derived);
        return new OpenStores(refs, stored, format, blocks, histories, snapshots, derived, conflicts, trees);
    }

    /** These with other blocks. */
    OpenStores over(RepositoryBlocks other) {
        return of(refs, other, format, blocks.entryCounts(), derived, conflicts, trees);
    }

    public RefStore store() {
        return refs.store();
    }

    /** What a remote promises to this part of a repository; empty if it is no part. */
    public Optional<Promised> promised() {
        return Promised.of(store(), cid -> stored.swept().look(cid));
    }

    /** What collections and erasures work on. */
    public CollectionPlace place() {
        return new CollectionPlace(store(), stored.swept(), format, stored.erasures());
    }
}
