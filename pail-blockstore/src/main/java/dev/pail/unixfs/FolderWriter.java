package dev.pail.unixfs;

import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A writer of a folder and its subfolders, from paths and files. The root depends only on the paths and files, not on their order.
 * Rule FS13.
 *
 * <p>The writer holds the entries of the folders on the last path, some 200 bytes each. When a path leaves a folder, it stores the nodes
 * of that folder. If all paths of a folder come one after the other, as in the order of {@link String#compareTo}, it stores each folder
 * once. For a later path into a stored folder, it reads the folder from {@code nodes} and stores it again; the old nodes stay.
 *
 * <p>Not for use by several threads at once.
 *
 * <pre>{@code
 * FolderWriter writer = new FolderWriter(blocks, blocks);
 * pail.entries().forEach(entry -> writer.add(entry.key(), entry.value()));
 * Cid root = writer.finish();
 * }</pre>
 */
public final class FolderWriter {
    /** The longest name in bytes, so that a shard with 256 of them is one block. */
    private static final int MOST_NAME = 16 << 10;

    private final BlockStore files;
    private final BlockStore nodes;
    private final PendingBlocks pending;

    /** From the root to the folder of the last path. */
    private final List<Open> open = new ArrayList<>(List.of(new Open("")));

    /** The paths of folders that were added whole. */
    private final Set<String> whole = new HashSet<>();

    private boolean isFinished;

    /** A folder that is not stored yet. */
    private static final class Open {
        final String path;
        final Map<String, DagPb.Link> entries = new HashMap<>();

        Open(String path) {
            this.path = path;
        }

        String path(String name) {
            return path.isEmpty() ? name : path + '/' + name;
        }
    }

    /**
     * Creates a writer of one folder.
     *
     * @param files has the root block of each file, which the writer reads for its size
     * @param nodes receives the nodes of folders
     */
    public FolderWriter(BlockStore files, BlockStore nodes) {
        this.files = Objects.requireNonNull(files, "files");
        this.nodes = Objects.requireNonNull(nodes, "nodes");
        this.pending = new PendingBlocks(nodes);
    }

    /**
     * Adds a file. A symbolic link, or a folder with all that is in it, is added in the same way; no other path can be below it.
     *
     * @param path 1 to 1,000 names joined by {@code /}, at most 65,536 characters. No name is empty, {@code .} or {@code ..}, has a NUL or a
     *     lone surrogate, or has more than 16 KiB in UTF-8
     * @param file its root block: raw, or a node of dag-pb
     * @throws IllegalArgumentException if the path breaks these rules, or was added before
     * @throws PathConflictException if the path or one above it is both a file and a folder. The folder is as before
     * @throws DamagedFileException if the root block is missing, corrupt, or none of UnixFS. The folder is as before
     * @throws IllegalStateException after {@link #finish}
     */
    public void add(String path, Cid file) {
        String[] names = names(path);
        Objects.requireNonNull(file, "file");
        if (isFinished) {
            throw new IllegalStateException("the folder is finished");
        }
        Nodes.Root root = Nodes.read(files, file);
        Open folder = enter(names, path);
        String name = names[names.length - 1];
        DagPb.Link there = folder.entries.get(name);
        if (there != null) {
            Folder below = whole.contains(path) ? null : opened(there);
            if (below != null && below.hasNext()) {
                throw PathConflictException.below(
                        path, path + '/' + below.next().name());
            }
            throw new IllegalArgumentException("the path " + Escapes.brief(path) + " was added before");
        }
        folder.entries.put(name, new DagPb.Link(file, name, root.treeSize()));
        if (root.node().kind() == NodeKind.FOLDER) {
            whole.add(path);
        }
    }

    /**
     * Stores the remaining nodes, and returns the root of the folder.
     *
     * @throws IllegalStateException if it was called before
     */
    public Cid finish() {
        if (isFinished) {
            throw new IllegalStateException("the folder is finished");
        }
        isFinished = true;
        leave(1);
        DagPb.Link root = FolderNodes.store(pending, "", open.get(0).entries.values());
        pending.flush();
        return root.cid();
    }

    private static String[] names(String path) {
        String[] names = path.split("/", -1);
        if (path.length() > FolderWalk.MOST_PATH || names.length > WalkLimits.DEFAULT.depth()) {
            throw new IllegalArgumentException("a path has at most " + FolderWalk.MOST_PATH + " characters and "
                    + WalkLimits.DEFAULT.depth() + " names; the path is " + Escapes.brief(path));
        }
        for (String name : names) {
            if (!FolderNode.isName(name)) {
                throw new IllegalArgumentException(FolderNode.NAME_RULE + "; the path is " + Escapes.brief(path));
            }
        }
        if (Utf8.loneSurrogate(path) >= 0) {
            throw new IllegalArgumentException("a path has no lone surrogate; this is " + Escapes.brief(path));
        }
        for (String name : names) {
            if (Utf8.encode(name).length > MOST_NAME) {
                throw new IllegalArgumentException(
                        "a name has at most 16 KiB in UTF-8; the path is " + Escapes.brief(path));
            }
        }
        return names;
    }

    /** Goes to the folder of a path: leaves those that it is not in, and enters others. */
    private Open enter(String[] names, String path) {
        int depth = 1;
        while (depth < names.length
                && depth < open.size()
                && open.get(depth).path.equals(open.get(depth - 1).path(names[depth - 1]))) {
            depth++;
        }
        leave(depth);
        for (; depth < names.length; depth++) {
            Open parent = open.get(depth - 1);
            String name = names[depth - 1];
            Open child = new Open(parent.path(name));
            DagPb.Link there = parent.entries.get(name);
            if (there != null) {
                Folder left = whole.contains(child.path) ? null : opened(there);
                if (left == null) {
                    throw PathConflictException.below(child.path, path);
                }
                while (left.hasNext()) {
                    DagPb.Link entry = left.next();
                    child.entries.put(entry.name(), entry);
                }
                parent.entries.remove(name);
            }
            open.add(child);
        }
        return open.get(open.size() - 1);
    }

    /** Stores the folders beyond a depth. */
    private void leave(int depth) {
        while (open.size() > depth) {
            Open left = open.get(open.size() - 1);
            DagPb.Link stored = FolderNodes.store(pending, left.path, left.entries.values());
            open.remove(open.size() - 1);
            open.get(open.size() - 1).entries.put(stored.name(), stored);
        }
    }

    /** The folder of ours that an entry is, or null if it is something else. */
    private @Nullable Folder opened(DagPb.Link entry) {
        if (entry.cid().codec() != Cid.DAG_PB) {
            return null;
        }
        pending.flush();
        if (!nodes.has(entry.cid()) || Nodes.read(nodes, entry.cid()).node().kind() != NodeKind.FOLDER) {
            return null;
        }
        return new Folder(nodes, entry.cid(), Folder.UNLIMITED, true);
    }
}
