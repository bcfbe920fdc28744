package dev.pail.unixfs;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one folder: in one node, or sharded by the hashes of their names over many. Holds one node a level.
 *
 * <p>Not for use by several threads at once.
 */
final class Folder {
    static final String NAME_RULE = "a name is not empty, \".\" or \"..\", and has no slash and no NUL";

    private static final int MOST_FANOUT = 1024;

    private final BlockStore blocks;
    private final Budget budget;
    private final Deque<Node> levels = new ArrayDeque<>();
    private DagPb.@Nullable Link next;

    /** What the reader of folders may still use. */
    interface Budget {
        /** Charges a node that is held from now on. */
        void hold(Cid cid, int bytes);

        /** A node is held no more. */
        void release(int bytes);

        /** Charges a link that is followed. */
        void follow(Cid cid);
    }

    /** For folders that this program made. */
    static final Budget UNLIMITED = new Budget() {
        @Override
        public void hold(Cid cid, int bytes) {}

        @Override
        public void release(int bytes) {}

        @Override
        public void follow(Cid cid) {}
    };

    /**
     * A node of the folder.
     *
     * @param digits how many characters of each name tell the place in a shard; 0 if the folder is one node
     */
    private record Node(Cid cid, DagPb dagPb, DagPb.Links links, int digits) {}

    /** @throws DamagedFileException if the root cannot be read, or is no folder */
    Folder(BlockStore blocks, Cid root, Budget budget) {
        this.blocks = blocks;
        this.budget = budget;
        push(root);
    }

    boolean hasNext() {
        if (next == null) {
            next = advance();
        }
        return next != null;
    }

    DagPb.Link next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        DagPb.Link found = next;
        next = null;
        return found;
    }

    private DagPb.@Nullable Link advance() {
        for (Node node = levels.peek(); node != null; node = levels.peek()) {
            if (!node.links.next()) {
                levels.pop();
                budget.release(node.dagPb.size());
                continue;
            }
            DagPb.Link link = node.links.link();
            budget.follow(link.cid());
            if (node.digits == 0) {
                return link;
            }
            String name = link.name().substring(node.digits);
            if (!name.isEmpty()) {
                return new DagPb.Link(link.cid(), name, link.treeSize());
            }
            push(link.cid());
        }
        return null;
    }

    private void push(Cid cid) {
        try {
            DagPb dagPb = Nodes.dagPb(cid, Nodes.bytes(blocks, cid));
            UnixFsData data = UnixFsData.decode(dagPb.data());
            int digits = digits(data);
            if (levels.size() * digits * 4 > Long.SIZE) {
                throw new MalformedDataException(0, "a hash of 64 bits leads through the shards of a folder");
            }
            check(dagPb, digits);
            budget.hold(cid, dagPb.size());
            levels.push(new Node(cid, dagPb, dagPb.links(), digits));
        } catch (DamagedFileException e) {
            throw e;
        } catch (BlockException | MalformedDataException e) {
            throw DamagedFileException.ofNode(cid, e);
        }
    }

    private static void check(DagPb node, int digits) {
        DagPb.Links links = node.links();
        while (links.next()) {
            String name = links.link().name();
            if (name.length() < digits) {
                throw new MalformedDataException(links.offset(), "a name in a sharded folder starts with its place");
            }
            if (digits == 0 || name.length() > digits) {
                check(name.substring(digits), links.offset());
            }
        }
    }

    private static void check(String name, int offset) {
        if (!isName(name)) {
            throw new MalformedDataException(offset, NAME_RULE + "; this one is " + Escapes.brief(name));
        }
    }

    /** Whether a text can name an entry: a program that makes files of entries need not check it again. */
    static boolean isName(String name) {
        return !name.isEmpty()
                && !name.equals(".")
                && !name.equals("..")
                && name.indexOf('/') < 0
                && name.indexOf(0) < 0;
    }

    private static int digits(UnixFsData data) {
        if (data.type() == UnixFsData.FOLDER) {
            return 0;
        }
        if (data.type() != UnixFsData.SHARD) {
            throw new MalformedDataException(data.offset(), data.typeName() + " is no folder");
        }
        long fanout = data.fanout();
        if (fanout < 8 || fanout > MOST_FANOUT || Long.bitCount(fanout) != 1) {
            throw new MalformedDataException(
                    data.offset(), "the fanout of a sharded folder is a power of two from 8 to " + MOST_FANOUT);
        }
        return Long.toHexString(fanout - 1).length();
    }
}
