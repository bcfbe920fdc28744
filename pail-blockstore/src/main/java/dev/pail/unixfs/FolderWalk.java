package dev.pail.unixfs;

import dev.pail.BlockStore;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * A walk through all entries below a folder, depth first: a folder before its entries, and the names of a folder in the order of its
 * nodes. It returns symbolic links and does not follow them. {@link UnixFs#walk} starts a walk.
 *
 * <p>Each entry costs a read of its root block. The walk holds the nodes on the path to an entry; {@link WalkLimits} bounds it. After
 * an exception, the next call continues behind the unreadable entry or shard. An entry whose name is none, or is there before, is such an
 * entry.
 *
 * <p>Not for use by several threads at once.
 *
 * <pre>{@code
 * FolderWalk walk = UnixFs.walk(blocks, value);
 * while (walk.hasNext()) {
 *     FolderEntry entry = walk.next();
 *     System.out.println(entry.path() + " " + entry.node().size());
 * }
 * }</pre>
 */
public final class FolderWalk implements Iterator<FolderEntry> {
    /** The longest path in characters. */
    static final int MOST_PATH = 64 << 10;

    private final BlockStore blocks;
    private final WalkLimits limits;
    private final Deque<Level> levels = new ArrayDeque<>();
    private final Budget budget;

    /** The path of the last entry. */
    private final StringBuilder path = new StringBuilder();

    /**
     * A folder on the way.
     *
     * @param pathLength of what stands in a path before the names in it
     */
    private record Level(Folder folder, int pathLength) {}

    /** What is left of limits. */
    static final class Budget implements Folder.Budget {
        private final WalkLimits limits;
        private long held;
        private long followed;

        Budget(WalkLimits limits) {
            this.limits = limits;
        }

        @Override
        public void hold(Cid cid, int bytes) {
            if (bytes > limits.nodeBytes() - held) {
                throw refused(cid, "the nodes on the way to an entry have at most " + limits.nodeBytes() + " bytes");
            }
            held += bytes;
        }

        @Override
        public void release(int bytes) {
            held -= bytes;
        }

        @Override
        public void follow(Cid cid) {
            if (followed == limits.entries()) {
                throw refused(cid, "a folder has at most " + limits.entries() + " entries, with those below it");
            }
            followed++;
        }
    }

    FolderWalk(BlockStore blocks, Cid root, WalkLimits limits) {
        this.blocks = blocks;
        this.limits = limits;
        this.budget = new Budget(limits);
        levels.push(new Level(new Folder(blocks, root, budget, false), 0));
    }

    private static DamagedFileException refused(Cid cid, String rule) {
        return DamagedFileException.ofNode(cid, new MalformedDataException(0, rule));
    }

    /** @throws DamagedFileException if a node of a folder cannot be read, or a limit is reached */
    @Override
    public boolean hasNext() {
        while (!levels.isEmpty()) {
            Level level = levels.element();
            try {
                if (level.folder.hasNext()) {
                    return true;
                }
            } catch (DamagedFileException e) {
                path.setLength(level.pathLength);
                throw e;
            }
            levels.pop();
        }
        return false;
    }

    /** @throws DamagedFileException if the entry or a node of a folder cannot be read, or a limit is reached */
    @Override
    public FolderEntry next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        Level level = levels.element();
        DagPb.Link link = level.folder.next();
        path.setLength(level.pathLength);
        path.append(link.name());
        level.folder.checkName();
        if (levels.size() > limits.depth()) {
            throw refused(link.cid(), "a path has at most " + limits.depth() + " names");
        }
        if (path.length() > MOST_PATH) {
            throw refused(link.cid(), "a path has at most " + MOST_PATH + " characters");
        }
        Nodes.Root root = Nodes.read(blocks, link.cid());
        FolderEntry entry = new FolderEntry(path.toString(), link.cid(), root.node());
        if (root.node().kind() == NodeKind.FOLDER && root.dagPb() != null && root.data() != null) {
            path.append('/');
            Folder folder = new Folder(blocks, link.cid(), root.dagPb(), root.data(), budget);
            levels.push(new Level(folder, path.length()));
        }
        return entry;
    }

    /**
     * Returns the path of the last entry, which {@link #next} returned or could not read. After {@link #hasNext} has failed, it is that of
     * the folder.
     */
    public String path() {
        boolean isFolder = path.length() > 0 && path.charAt(path.length() - 1) == '/';
        return path.substring(0, path.length() - (isFolder ? 1 : 0));
    }
}
