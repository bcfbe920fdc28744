package dev.pail.repository.spi;

import dev.pail.ipld.Cid;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.model.RepositoryException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The records of erased blocks of a store, and the removal of their bytes. A store reads the records before it returns or takes a block.
 * {@link dev.pail.repository.Erasing} decides which blocks are erased. Safe for use by several threads.
 *
 * <pre>{@code
 * Erasures erasures = Erasures.unsupported();
 * boolean isErased = erasures.isErased(value);
 * }</pre>
 */
public interface Erasures {
    /** The most records of a repository. */
    int MOST = 500_000;

    /** Whether a block has a mark, under any CID with its multihash. */
    boolean isErased(Cid cid);

    /**
     * Returns the record of each block, in the order of their CIDs. Lifted marks are among them.
     *
     * @throws RepositoryException if the records are damaged
     */
    List<Erasure> all();

    /**
     * Checks that the store can erase.
     *
     * @throws RepositoryException if it cannot
     */
    void check();

    /**
     * Adds records. Of each block the latest record stays. They are durable when this returns. The caller is in an update of refs.
     *
     * @throws RepositoryException if the store cannot erase, or its records are damaged, or there would be too many. Nothing has changed
     */
    void add(Collection<Erasure> records);

    /**
     * Removes the bytes of all blocks with a mark from the store and its trash. When this returns, no file of the store has them, and no
     * delta needs them. The caller is in an update of refs.
     *
     * @throws dev.pail.StoreIOException if that failed. The marks stay, and a later call finishes the work
     */
    void remove();

    /** Whether the bytes of a block are in the store or its trash, with a mark or without. */
    boolean isStored(Cid cid);

    /** Returns those of some blocks whose bytes are in the store or its trash. */
    default Set<Cid> stored(Set<Cid> cids) {
        return cids.stream().filter(this::isStored).collect(Collectors.toSet());
    }

    /** Returns the blocks with a mark whose bytes may still be in the store. */
    List<Cid> left();

    /** Returns the erasures of a store that cannot erase: it has no records, and refuses new ones. */
    static Erasures unsupported() {
        return new Erasures() {
            @Override
            public boolean isErased(Cid cid) {
                Objects.requireNonNull(cid, "cid");
                return false;
            }

            @Override
            public List<Erasure> all() {
                return List.of();
            }

            @Override
            public void check() {
                throw new RepositoryException(
                        RepositoryException.Reason.NOT_ERASABLE,
                        "this kind of store cannot erase a value",
                        "copy the repository to a folder, and erase the value there",
                        null);
            }

            @Override
            public void add(Collection<Erasure> records) {
                if (!records.isEmpty()) {
                    check();
                }
            }

            @Override
            public void remove() {
                // It has no marks.
            }

            @Override
            public boolean isStored(Cid cid) {
                return false;
            }

            @Override
            public List<Cid> left() {
                return List.of();
            }
        };
    }
}
