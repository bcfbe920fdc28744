package dev.pail.folder;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.unixfs.DamagedFileException;
import dev.pail.unixfs.FolderEntry;
import dev.pail.unixfs.FolderWalk;
import dev.pail.unixfs.NodeKind;
import dev.pail.unixfs.UnixFs;
import dev.pail.values.LongBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * An import of a UnixFS folder whose blocks a repository has: each entry that is no folder becomes the value of a key, and the branch moves
 * once. A symbolic link, or an entry in another codec, is a value, too. Only nodes of folders and the root blocks of files are read.
 *
 * <pre>{@code
 * CarImport blocks = CarImport.of(car, repository.blocks()); // such as a file of ipfs dag export
 * Cid folder = blocks.header().roots().get(0);
 * FolderImport.Result result = FolderImport.of(folder, FolderImportOptions.DEFAULT.withPrefix("www"))
 *         .into(repository, "main");
 * System.out.println(result.files() + " files, " + result.damaged() + " cannot be read"); // keys such as www/css/main.css
 * }</pre>
 *
 * <p>Immutable; safe for use by several threads, if the keys and the listener are. It holds the keys and CIDs of all entries in memory.
 */
@CheckReturnValue
public final class FolderImport {
    private final Cid root;
    private final FolderImportOptions options;

    /**
     * What an import has changed. All numbers are counts.
     *
     * @param root the root of the branch after the import
     * @param files the files and the entries in another codec
     * @param links the symbolic links
     * @param damaged the entries that cannot be read, which have no keys. The listener has heard their paths in the folder
     */
    public record Result(Cid root, long files, long links, long damaged) {
        public Result {
            Objects.requireNonNull(root, "root");
        }
    }

    /** What a walk has found. */
    private static final class Found {
        final Map<String, Cid> values = new TreeMap<>();
        final List<String> damaged = new ArrayList<>();
        long links;
    }

    private FolderImport(Cid root, FolderImportOptions options) {
        this.root = root;
        this.options = options;
    }

    /** An import of a folder. Nothing is read yet. */
    public static FolderImport of(Cid root, FolderImportOptions options) {
        return new FolderImport(Objects.requireNonNull(root, "root"), Objects.requireNonNull(options, "options"));
    }

    /**
     * Puts the entries into a branch, in one update.
     *
     * @throws FolderException if the root is no folder, names cannot be keys, or the options are strict and an entry cannot be read. No key
     *     has changed
     * @throws dev.pail.BlockException if the block of the root is missing or corrupt. No key has changed
     * @throws DamagedFileException if the root is of dag-pb, and no node of UnixFS. No key has changed
     * @throws dev.pail.repository.model.RepositoryException if there is no such branch
     * @throws dev.pail.StoreIOException if the repository cannot be written. No key has changed
     */
    public Result into(Repository repository, String branch) {
        Objects.requireNonNull(repository, "repository");
        CheckedKeys keys = new CheckedKeys(repository.pail(Objects.requireNonNull(branch, "branch")), options.keys());
        Found found = found(walk(repository.blocks()), keys);
        keys.requireAllowed();
        if (!found.damaged.isEmpty() && options.strict()) {
            throw new FolderException(
                    FolderException.Reason.DAMAGED,
                    "entries of the folder cannot be read: " + found.damaged.size() + ", the first is "
                            + Escapes.brief(found.damaged.get(0)) + "; no key was changed");
        }
        Cid changed = repository
                .update(branch, "import --files: " + found.values.size() + " files", pail -> {
                    LongBatch batch = new LongBatch(pail);
                    found.values.forEach((key, value) -> batch.change(changes -> changes.put(key, value)));
                    return batch.commit();
                })
                .root();
        return new Result(changed, found.values.size() - found.links, found.links, found.damaged.size());
    }

    private FolderWalk walk(BlockStore blocks) {
        // A block in another codec than raw and dag-pb is no node, but a value.
        if (isUnixFs(root) && UnixFs.node(blocks, root).kind() == NodeKind.FOLDER) {
            return UnixFs.walk(blocks, root);
        }
        throw new FolderException(
                FolderException.Reason.NO_FOLDER,
                "the root is one " + (isUnixFs(root) ? "file or link" : "block that is none of UnixFS")
                        + ", and no folder, so no key was changed: " + root);
    }

    private Found found(FolderWalk walk, CheckedKeys keys) {
        Found found = new Found();
        while (true) {
            Cid value;
            boolean isEntry = false;
            try {
                if (!walk.hasNext()) {
                    return found;
                }
                isEntry = true;
                FolderEntry entry = walk.next();
                if (entry.node().kind() == NodeKind.FOLDER) {
                    continue;
                }
                found.links += entry.node().kind() == NodeKind.LINK ? 1 : 0;
                value = entry.cid();
            } catch (DamagedFileException e) {
                if (!isEntry || isUnixFs(e.cid())) {
                    found.damaged.add(walk.path());
                    options.listener().damaged(walk.path(), e);
                    continue;
                }
                value = e.cid();
            }
            found.values.put(keys.key(options.prefix() + walk.path()), value);
            options.listener().done();
        }
    }

    private static boolean isUnixFs(Cid cid) {
        return cid.codec() == Cid.RAW || cid.codec() == Cid.DAG_PB;
    }
}
