package dev.pail.repository.update;

import dev.pail.repository.model.HeadMovedException;
import dev.pail.repository.model.Hint;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.RefName;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.refs.Removal;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.RefStore;

/** Removes and renames branches, and says which is the current one. Safe for use by several threads. */
public record BranchUpdates(OpenStores stores, RefUpdates updates) {
    /** As {@link dev.pail.repository.Branches#remove}. */
    public void remove(String branch) {
        String unused = RefUpdates.again(() -> updates.updated(update -> {
            if (!update.removeStray(branch)) {
                remove(update, stores.refs().branch(branch));
            }
            return branch;
        }));
    }

    /** As {@link dev.pail.repository.Branches#remove(Snapshot)}. */
    public void remove(Snapshot expected) {
        String unused = RefUpdates.again(() -> updates.updated(update -> {
            BranchState state = stores.refs().branch(expected.branch());
            if (!Snapshots.isAt(expected, state)) {
                throw new HeadMovedException(state.name(), expected.generation(), state.generation());
            }
            remove(update, state);
            return state.name();
        }));
    }

    private void remove(RefStore.Update update, BranchState state) {
        String branch = state.name();
        boolean isMain = branch.equals(RefName.MAIN);
        if (isMain || branch.equals(stores.store().current())) {
            throw new RepositoryException(
                    RepositoryException.Reason.IN_USE,
                    (isMain ? "every repository has the branch " : "the current branch is ") + branch
                            + ": it is not removed",
                    isMain ? Hint.of("remove another") : Hint.of("first: ", Hint.Action.SWITCH_TO, RefName.MAIN),
                    null);
        }
        stores.snapshots().forget(branch);
        update.remove(state, RefStore.Update.REMOVED, entry -> updates.tell(update, branch, entry));
    }

    /** As {@link dev.pail.repository.Branches#rename}. */
    public void rename(String branch, String name) {
        String unused = RefUpdates.again(() -> updates.updated(update -> {
            BranchState from = stores.refs().branch(branch);
            if (branch.equals(RefName.MAIN)) {
                throw new RepositoryException(
                        RepositoryException.Reason.IN_USE,
                        "every repository has the branch " + branch + ": it is not renamed",
                        Hint.of("make another branch at the same version with: ", Hint.Action.CREATE_BRANCH, name),
                        null);
            }
            RefName.check("a branch", name);
            BranchState to = stores.store().branch(name);
            stores.refs().checkFree(name);
            // The old branch leads to all of it until the new one does, so that no collector takes any of it away.
            if (from.head().isEmpty()) {
                update.create(to, stores.store().epoch());
            } else {
                LogEntry entry = update.move(
                        to,
                        from.head(),
                        "rename " + branch,
                        updates.note(),
                        stores.store().epoch());
                updates.tell(update, name, entry);
            }
            if (branch.equals(stores.store().current())) {
                update.current(name);
            }
            stores.snapshots().forget(branch);
            update.remove(from, Removal.renamedTo(name), entry -> updates.tell(update, branch, entry));
            return name;
        }));
    }

    /** As {@link dev.pail.repository.Branches#switchTo}. */
    public void switchTo(String branch) {
        String unused = RefUpdates.again(() -> updates.updated(update -> {
            stores.refs().branch(branch);
            update.current(branch);
            return branch;
        }));
    }
}
