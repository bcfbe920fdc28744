package dev.pail.repository;

import dev.pail.clock.Head;
import dev.pail.repository.model.RefName;
import dev.pail.repository.spi.RefStore;
import dev.pail.repository.update.RefUpdates;
import dev.pail.repository.update.RepositoryCore;
import java.util.List;
import java.util.Optional;

/**
 * The tags of a repository: names of versions. Safe for use by several threads.
 *
 * <pre>{@code
 * repository.tags().create("v1", repository.head("main"));
 * Optional<Head> first = repository.tags().head("v1");
 * }</pre>
 */
public final class Tags {
    private final RefStore store;
    private final RefUpdates updates;

    Tags(RepositoryCore core) {
        this.store = core.stores().store();
        this.updates = core.updates();
    }

    /** Returns the names of all tags, in order. */
    public List<String> names() {
        return store.tags();
    }

    /** Returns the head that a tag names; empty if there is no such tag. */
    public Optional<Head> head(String tag) {
        RefName.check("a tag", tag);
        return store.tag(tag);
    }

    /**
     * Creates a tag: a name for a version. The version stays readable for as long as the tag exists.
     *
     * @param head the head to name, with the same conditions as for {@link Repository#move}; not empty
     * @throws dev.pail.repository.model.RepositoryException if there is a tag or a branch of this name, or it is the CID of a version or an event
     */
    public void create(String tag, Head head) {
        if (head.isEmpty()) {
            throw new IllegalArgumentException("a tag stands at an event");
        }
        updates.createTag(tag, head);
    }

    /**
     * Removes a tag, which may be damaged, or a foreign file among the tags.
     *
     * @throws dev.pail.repository.model.RepositoryException if there is no such tag
     */
    public void remove(String tag) {
        updates.removeTag(tag);
    }
}
