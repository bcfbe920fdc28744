package dev.pail.repository.refs;

import dev.pail.PailException;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.model.Hint;
import dev.pail.repository.model.RefChangedException;
import dev.pail.repository.model.RefName;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.Epoch;
import dev.pail.repository.spi.RefLog;
import dev.pail.repository.spi.RefStore;
import dev.pail.trace.Trace;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** The refs of a repository, by the rules of names that a ref store does not check. */
public record Refs(RefStore store) {
    private static final Pattern DEVICE =
            Pattern.compile("(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\\..*)?", Pattern.CASE_INSENSITIVE);

    /**
     * Where a branch stands.
     *
     * @throws RepositoryException if there is no such branch, or what is stored of it is damaged
     */
    public BranchState branch(String name) {
        RefName.check("a branch", name);
        BranchState state = store.branch(name);
        if (state.isPresent()) {
            return state;
        }
        if (name.equals(RefName.MAIN)) {
            throw store.missing(name);
        }
        throw new RepositoryException(
                RepositoryException.Reason.NO_BRANCH,
                "no branch " + name + ": " + store.location(),
                "there are: " + String.join(", ", store.branches()),
                null);
    }

    /**
     * Where a branch stands that was listed. It may have been removed since, and made again since then, so only one read decides.
     *
     * @return nothing, if it is not there any more
     * @throws RepositoryException if what is stored of it is damaged
     */
    public Optional<BranchState> listed(String name) {
        return ifKnown(name).filter(BranchState::isPresent).or(() -> {
            if (name.equals(RefName.MAIN)) {
                throw store.missing(name);
            }
            return Optional.empty();
        });
    }

    /** What is stored of a branch that was listed, or whose log was; nothing, if neither is there any more. */
    public Optional<BranchState> ifKnown(String name) {
        try {
            BranchState state = store.branch(name);
            return state.isPresent() || state.hasLog() ? Optional.of(state) : Optional.empty();
        } catch (RepositoryException e) {
            if (e.reason() == RepositoryException.Reason.NO_BRANCH) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Where all branches stand, by their names. One that is removed while they are read is not among them. */
    public SortedMap<String, Head> heads() {
        SortedMap<String, Head> all = new TreeMap<>();
        for (String name : store.branches()) {
            listed(name).ifPresent(state -> all.put(name, state.head()));
        }
        all.computeIfAbsent(RefName.MAIN, name -> branch(name).head());
        return all;
    }

    /**
     * Whether there is a branch of this name, even if its stored form is damaged.
     *
     * @throws RepositoryException if no branch can have this name, or its head was lost
     */
    public boolean has(String name) {
        RefName.check("a branch", name);
        return store.branches().contains(name)
                || name.equals(RefName.MAIN)
                || store.branch(name).isPresent();
    }

    /** The updates of a branch, newest first, also of one that was removed. */
    public RefLog log(String name) {
        return store.log(logged(name));
    }

    /** Where a branch stands that is present or has a log. */
    public BranchState logged(String name) {
        RefName.check("a branch", name);
        BranchState state = store.branch(name);
        return state.hasLog() ? state : branch(name);
    }

    /** The epoch, or {@link Epoch#UNKNOWN} if it cannot be read: for callers that can do without it. */
    public Epoch epochIfReadable() {
        try {
            return store.epoch();
        } catch (PailException e) {
            Trace.swallowed("the epoch of the garbage collector cannot be read, and counts as unknown", e);
            return Epoch.UNKNOWN;
        }
    }

    /**
     * Checks the name of a new branch or tag.
     *
     * @throws RepositoryException if it would hide something: there is a tag or a branch of this name, or it is a CID
     */
    public void checkFree(String name) {
        RefName.check("a tag", name);
        Optional<Head> tag = store.tag(name);
        if (isCid(name)) {
            throw new RepositoryException(
                    RepositoryException.Reason.NAME,
                    "not a name: " + name + " is a CID, and names a version by its content",
                    "choose another name",
                    null);
        }
        checkDistinct(name);
        boolean isBranch = store.branch(name).isPresent();
        if (isBranch || tag.isPresent()) {
            throw new RepositoryException(
                    RepositoryException.Reason.EXISTS,
                    "there is a " + (isBranch ? "branch " : "tag ") + name + " already: " + store.location(),
                    isBranch
                            ? Hint.of("choose another name")
                            : Hint.of("choose another name, or remove it with: ", Hint.Action.REMOVE_TAG, name),
                    null);
        }
    }

    /** Refuses names that other systems take for another name, or for none: repositories go from one to another. */
    private void checkDistinct(String name) {
        if (DEVICE.matcher(name).matches()) {
            throw new RepositoryException(
                    RepositoryException.Reason.NAME,
                    "not a name: " + name + " is the name of a device on Windows",
                    "choose another name",
                    null);
        }
        Optional<String> other = store.names(each -> name.equalsIgnoreCase(each) && !name.equals(each)).stream()
                .findFirst();
        if (other.isPresent()) {
            throw new RepositoryException(
                    RepositoryException.Reason.NAME,
                    "not a name: " + name + " differs from " + other.get() + " only in case",
                    "choose another name: some file systems take both for one",
                    null);
        }
    }

    /** Whether this can be the CID of an event or a root, which a name must not hide. */
    private static boolean isCid(String name) {
        try {
            return Cid.parse(name).isShardLink();
        } catch (MalformedDataException e) {
            return false;
        }
    }

    /** Does again, this number of times at most, what a store without a lock refuses because another writer was faster. */
    public static <T> T again(int most, Supplier<T> attempt) {
        for (int races = 1; ; races++) {
            try {
                return attempt.get();
            } catch (RefChangedException e) {
                if (races == most) {
                    throw e;
                }
            }
        }
    }
}
