package dev.pail.repository.refs;

import dev.pail.repository.model.Hint;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.RefLog;
import dev.pail.repository.spi.RefStore;
import org.jspecify.annotations.Nullable;

/** The last entry of the log of a removed branch: its reason says whether another branch continues it. See REP30. */
public final class Removal {
    private static final String RENAME = "rename to ";

    private Removal() {}

    /** Returns the reason of the entry of a branch that was renamed. */
    public static String renamedTo(String name) {
        return RENAME + name;
    }

    private static boolean isRename(LogEntry entry) {
        return entry.reason().startsWith(RENAME);
    }

    /** Whether an entry removed its branch. */
    public static boolean is(LogEntry entry) {
        return entry.to().isEmpty() && (isRename(entry) || entry.reason().equals(RefStore.Update.REMOVED));
    }

    /** Makes the exception for a reader of a branch that is not present. */
    public static RepositoryException of(Refs refs, BranchState state) {
        LogEntry last = newest(refs, state);
        String name = last != null && is(last) && isRename(last) ? last.reason().substring(RENAME.length()) : "";
        boolean isRename = !name.isEmpty();
        return new RepositoryException(
                RepositoryException.Reason.NO_BRANCH,
                "branch " + state.name() + " was " + (isRename ? "renamed to " + name : "removed") + ": "
                        + refs.store().location(),
                isRename
                        ? Hint.of("continue with: ", Hint.Action.CHANGES, name)
                        : Hint.of("see its updates with: ", Hint.Action.LOG, state.name()),
                null);
    }

    private static @Nullable LogEntry newest(Refs refs, BranchState state) {
        try (RefLog log = refs.store().log(state)) {
            return log.next();
        }
    }
}
