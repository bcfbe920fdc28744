package dev.pail.repository;

import dev.pail.MalformedBlockException;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.StoreIOException;
import dev.pail.clock.Head;
import dev.pail.clock.ReplicatedPail;
import dev.pail.repository.model.PailChange;
import dev.pail.repository.model.Revision;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.update.BranchUpdates;
import dev.pail.repository.update.OpenStores;
import dev.pail.repository.update.RepositoryCore;
import dev.pail.repository.update.VersionUpdates;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.UnaryOperator;

/**
 * The branches of a repository, and the name of the current one. A branch has a head, which moves, and a log of its moves. Safe for use
 * by several threads.
 *
 * <pre>{@code
 * Branches branches = repository.branches();
 * Snapshot draft = branches.create("draft", repository.head("main"));
 * branches.rename("draft", "next");
 * System.out.println(branches.names());
 * }</pre>
 */
public final class Branches {
    private final OpenStores stores;
    private final BranchUpdates updates;
    private final VersionUpdates versions;

    Branches(RepositoryCore core) {
        this.stores = core.stores();
        this.updates = core.branches();
        this.versions = core.versions();
    }

    /** Returns the names of all branches, in order. */
    public List<String> names() {
        return stores.store().branches();
    }

    /**
     * Whether there is a branch of this name. Does not read its files; {@link Repository#MAIN} is always there.
     *
     * @throws dev.pail.repository.model.RepositoryException if no branch can have this name, or its head is missing although its log has no removal
     * @throws StoreIOException if reading failed
     */
    public boolean contains(String branch) {
        return stores.refs().has(branch);
    }

    /**
     * Returns the heads of all branches, by name, in order. Leaves out a branch that is removed meanwhile.
     *
     * @throws dev.pail.repository.model.RepositoryException if the files of a branch are damaged, or the head of {@link Repository#MAIN} is missing
     * @throws StoreIOException if the files cannot be read
     */
    public SortedMap<String, Head> heads() {
        return stores.refs().heads();
    }

    /** Returns the names of the removed branches that have a log, in order. */
    public List<String> removed() {
        List<String> names = new ArrayList<>(stores.store().logs());
        names.removeAll(names());
        return names;
    }

    /** Returns the name of the current branch. Commands use it as the default; the methods of a repository do not. */
    public String current() {
        return stores.store().current();
    }

    /**
     * Makes a branch the current one.
     *
     * @throws dev.pail.repository.model.RepositoryException if there is no such branch
     */
    public void switchTo(String branch) {
        updates.switchTo(branch);
    }

    /**
     * Creates a branch. It continues the log of a removed branch of this name.
     *
     * @param head the head of the branch, with the same conditions as for {@link Repository#move}
     * @throws dev.pail.repository.model.RepositoryException if there is a branch or a tag of this name, or it is the CID of a version or an event
     */
    public Snapshot create(String branch, Head head) {
        Objects.requireNonNull(head, "head");
        return versions.create(branch, head);
    }

    /**
     * Creates a branch at a resolved version: at its head or, if it has none, with the version as the first event.
     *
     * @throws dev.pail.repository.model.RepositoryException as {@link #create(String, Head)}
     * @throws MissingBlockException if an event or a shard is missing. Nothing has changed
     */
    public Snapshot create(String branch, Revision revision) {
        Objects.requireNonNull(branch, "branch");
        Objects.requireNonNull(revision, "revision");
        return versions.create(branch, revision);
    }

    /**
     * Creates a branch that begins with a version, which may have another format. Its entries become an event, or several if they do not
     * fit in one; an empty pail of the repository's format makes none. All of its shards must be in the repository.
     *
     * @throws dev.pail.repository.model.RepositoryException as {@link #create(String, Head)}
     * @throws MissingBlockException if a shard is missing. Nothing has changed
     * @throws MalformedBlockException if a shard breaks a rule. Nothing has changed
     */
    public Snapshot create(String branch, Pail version) {
        Objects.requireNonNull(version, "version");
        return versions.create(branch, version);
    }

    /**
     * Creates a branch at the version that a function makes from the empty pail of the repository's format. If the function puts nothing,
     * the branch has no event. This throws what the function throws; then nothing has changed.
     *
     * @param <E> the exception that the function may throw
     * @throws dev.pail.repository.model.RepositoryException as {@link #create(String, Head)}
     */
    public <E extends Exception> Snapshot create(String branch, PailChange<E> beginning) throws E {
        Objects.requireNonNull(beginning, "beginning");
        return versions.create(branch, beginning);
    }

    /**
     * Creates a branch as {@link Repository#change} changes one: by a function of the replicated pail, which is empty here.
     *
     * @return the new branch
     * @throws dev.pail.repository.model.RepositoryException as {@link #create(String, Head)}
     */
    public ReplicatedPail create(String branch, String reason, UnaryOperator<ReplicatedPail> beginning) {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(beginning, "beginning");
        return versions.create(branch, reason, beginning);
    }

    /**
     * Checks that a new branch or tag may have a name.
     *
     * @throws dev.pail.repository.model.RepositoryException if it is no valid name, or is in use, or is the CID of a version or an event
     */
    public void checkFree(String name) {
        stores.refs().checkFree(name);
    }

    /**
     * Removes a branch, or a foreign file among the heads. The log stays: {@code NAME@{1}} names the last head, and a new branch of this
     * name continues the log.
     *
     * @throws dev.pail.repository.model.RepositoryException if there is no such branch, or it is {@link Repository#MAIN}, or the current one
     * @throws StoreIOException if writing failed. The branch may then be without events or be gone; its log has its last head.
     *     Listeners learn of it with the next ref update
     */
    public void remove(String branch) {
        updates.remove(branch);
    }

    /**
     * As {@link #remove(String)}, if the branch is still as it was seen.
     *
     * @throws dev.pail.repository.model.HeadMovedException if it has moved since. Nothing has changed
     */
    public void remove(Snapshot expected) {
        updates.remove(expected);
    }

    /**
     * Renames a branch: creates a branch with the same head, makes it the current one if the old one was, and removes the old one. The log
     * of the old name stays, as for a removed branch. If a step fails, both branches may be there.
     *
     * @throws dev.pail.repository.model.RepositoryException if there is no such branch, or it is {@link Repository#MAIN}, or the new name is not {@linkplain #checkFree free}
     */
    public void rename(String branch, String name) {
        Objects.requireNonNull(name, "name");
        updates.rename(branch, name);
    }
}
