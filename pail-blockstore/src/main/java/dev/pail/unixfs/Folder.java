package dev.pail.unixfs;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.ipld.UnsupportedHashException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one folder, in the order of its nodes: of one node, or of shards. Holds one node a level. After an exception, the next
 * call continues behind the shard that cannot be read.
 *
 * <p>Not for use by several threads at once.
 */
final class Folder {
    /** For folders that this program made. */
    static final Budget UNLIMITED = new Budget() {
        @Override
        public void hold(Cid cid, int bytes) {}

        @Override
        public void release(int bytes) {}

        @Override
        public void follow(Cid cid) {}
    };

    private final BlockStore blocks;
    private final Budget budget;
    private final boolean isStrict;
    private final Deque<Level> levels = new ArrayDeque<>();
    private DagPb.@Nullable Link next;

    /** What a reader of folders may still use. Each method throws {@link DamagedFileException} if that is too little. */
    interface Budget {
        /** Charges a node that is held from now on. */
        void hold(Cid cid, int bytes);

        /** A node is held no more. */
        void release(int bytes);

        /** Charges a link that is followed. */
        void follow(Cid cid);
    }

    private record Level(Cid cid, FolderNode node, DagPb.Links links) {}

    /**
     * The folder of a root.
     *
     * @param isStrict whether to refuse a node whose names are not sound; else {@link #checkName} refuses the entry
     * @throws DamagedFileException if the root cannot be read, or is no folder
     */
    Folder(BlockStore blocks, Cid root, Budget budget, boolean isStrict) {
        this.blocks = blocks;
        this.budget = budget;
        this.isStrict = isStrict;
        load(root, null, 0);
    }

    /**
     * The folder of a root that was read before. {@link #checkName} refuses entries whose names are not sound.
     *
     * @throws DamagedFileException if it is no folder
     */
    Folder(BlockStore blocks, Cid cid, DagPb dagPb, UnixFsData data, Budget budget) {
        this.blocks = blocks;
        this.budget = budget;
        this.isStrict = false;
        try {
            push(cid, FolderNode.of(dagPb, data, null, 0));
        } catch (MalformedDataException e) {
            throw DamagedFileException.ofNode(cid, e);
        }
    }

    /** @throws DamagedFileException if a shard cannot be read, or the budget is used up */
    boolean hasNext() {
        if (next == null) {
            next = advance();
        }
        return next != null;
    }

    /** The next entry. */
    DagPb.Link next() {
        DagPb.Link found = next == null ? advance() : next;
        if (found == null) {
            throw new NoSuchElementException();
        }
        next = null;
        return found;
    }

    /** @throws DamagedFileException if the name of the last entry is none, or an entry before has it */
    void checkName() {
        Level level = levels.element();
        try {
            level.node.checkName(level.links);
        } catch (MalformedDataException e) {
            throw DamagedFileException.ofNode(level.cid, e);
        }
    }

    private DagPb.@Nullable Link advance() {
        for (Level level = levels.peek(); level != null; level = levels.peek()) {
            FolderNode node = level.node;
            if (!level.links.next()) {
                levels.pop();
                budget.release(node.size());
                continue;
            }
            DagPb.Link link = level.links.link();
            budget.follow(link.cid());
            if (node.isEntry(link)) {
                return new DagPb.Link(link.cid(), node.name(link), link.treeSize());
            }
            load(link.cid(), node, node.place(link));
        }
        return null;
    }

    /**
     * Skips the entries up to one, and that one. Reads only the nodes on the way to it. For a folder without a read entry.
     *
     * @return whether there is one of this name
     * @throws DamagedFileException if one of these nodes cannot be read, or the budget is used up
     */
    boolean skipThrough(String name) {
        if (Utf8.loneSurrogate(name) >= 0) {
            return false;
        }
        while (true) {
            Level level = levels.element();
            DagPb.Link link = level.node.towards(name, level.links);
            if (link == null || !level.node.name(link).isEmpty()) {
                return link != null;
            }
            budget.follow(link.cid());
            load(link.cid(), level.node, level.node.place(link));
        }
    }

    /**
     * The root of an entry, if the folder has one of this name. Reads only the nodes on the way to it.
     *
     * @throws DamagedFileException if one of these cannot be read, or the root is no folder
     */
    static Optional<Cid> find(BlockStore blocks, Cid folder, String name) {
        FolderNode node = read(blocks, folder, null, 0, true);
        if (Utf8.loneSurrogate(name) >= 0) {
            return Optional.empty();
        }
        for (DagPb.Link link = node.towards(name); link != null; link = node.towards(name)) {
            if (!node.name(link).isEmpty()) {
                return Optional.of(link.cid());
            }
            node = read(blocks, link.cid(), node, node.place(link), true);
        }
        return Optional.empty();
    }

    private static FolderNode read(
            BlockStore blocks, Cid cid, @Nullable FolderNode above, int place, boolean isStrict) {
        try {
            DagPb dagPb = Nodes.dagPb(cid, Nodes.bytes(blocks, cid));
            FolderNode node = FolderNode.of(dagPb, UnixFsData.decode(dagPb.data()), above, place);
            return isStrict ? node.checkNames() : node;
        } catch (BlockException | MalformedDataException | UnsupportedHashException e) {
            throw DamagedFileException.ofNode(cid, e);
        }
    }

    private void load(Cid cid, @Nullable FolderNode above, int place) {
        push(cid, read(blocks, cid, above, place, isStrict));
    }

    private void push(Cid cid, FolderNode node) {
        budget.hold(cid, node.size());
        levels.push(new Level(cid, node, node.links()));
    }
}
