package dev.pail.repository;

import dev.pail.BlockStore;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.repository.merge.OpenConflicts;
import dev.pail.repository.model.ConflictEntry;
import dev.pail.repository.model.MergeResult;
import dev.pail.repository.update.RepositoryCore;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The open conflicts of branches: keys and rows that were changed on several sides in different ways, and not since. A merge without a policy
 * gives such a key the same value in all replicas, and keeps the conflict until someone changes the key. Safe for use by several threads.
 *
 * <pre>{@code
 * repository.merge("main", "draft", MergeOptions.DEFAULT);
 * List<ConflictEntry> open = repository.conflicts().of("main");
 * List<String> keys = open.stream().map(each -> each.conflict().key()).toList();
 * MergeResult decided = repository.conflicts().resolve("main", keys, (each, blocks) -> each.conflict().theirs());
 * }</pre>
 *
 * <p>Which conflicts are open follows from the events of a head alone (spec rules M22 to M24). A first question reads all events; the answer
 * is cached.
 */
public final class Conflicts {
    private final OpenConflicts open;

    Conflicts(RepositoryCore core) {
        this.open = new OpenConflicts(core);
    }

    /** Returns the open conflicts of a branch, in the order of keys. */
    public List<ConflictEntry> of(String branch) {
        return open.of(branch);
    }

    /** Counts the open conflicts of a head. Faster than {@link #of}, which also finds the values of both sides. */
    public long count(Head head) {
        return open.count(Objects.requireNonNull(head, "head"));
    }

    /**
     * Counts the open conflicts of a branch that its events since their common ancestor made: after a merge, what this left open. Reads no more than
     * the merge did.
     */
    public long countNew(String branch) {
        return open.countNew(branch);
    }

    /**
     * Decides conflicts of a branch by one change. It ends a conflict in each copy that takes it in, also if the value stays as it is.
     *
     * @param keys the keys to decide; none, and nothing changes
     * @param decision returns the value of a key, or empty to remove the key. It may put blocks into the store that it is given. It is
     *     called again if another writer was faster
     * @throws dev.pail.repository.model.RepositoryException if a key is not in conflict
     */
    public MergeResult resolve(
            String branch, Collection<String> keys, BiFunction<ConflictEntry, BlockStore, Optional<Cid>> decision) {
        return open.resolve(branch, List.copyOf(keys), Objects.requireNonNull(decision, "decision"));
    }
}
