package dev.pail.unixfs;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.bytes.Utf8;
import dev.pail.dag.Protobuf;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.unsafe.UnsafeBlocks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a folder: in one node, or sharded by the hashes of their names over many. Gives names as they are: they may be anything
 * that is UTF-8, {@code ..} and slashes among it. Holds one node a level.
 *
 * <p>Not for use by several threads at once.
 */
final class Folder implements Iterator<DagPb.Link> {
    private static final int TYPE = 1;
    private static final int FANOUT = 6;
    private static final int TYPE_FOLDER = 1;
    private static final int TYPE_SHARD = 5;

    /** As many as a hash of 64 bits has, if each level takes two bits. Programs take eight. */
    private static final int MOST_LEVELS = 32;

    private static final int MOST_FANOUT = 1024;

    private static final byte[] FOLDER =
            new Protobuf.Writer().number(TYPE, TYPE_FOLDER).toByteArray();

    private final BlockStore blocks;
    private final Deque<Node> levels = new ArrayDeque<>();
    private DagPb.@Nullable Link next;

    /**
     * A node of the folder.
     *
     * @param digits how many characters of each name tell the place in a shard; 0 if the folder is one node
     */
    private record Node(Iterator<DagPb.Link> links, int digits) {}

    /**
     * The folder of a root.
     *
     * @throws DamagedFileException if the root cannot be read, or is no folder
     */
    Folder(BlockStore blocks, Cid root) {
        this.blocks = blocks;
        levels.push(node(root));
    }

    /** The block of a folder in one node. The entries may be in any order. */
    static Block block(List<DagPb.Link> entries) {
        List<DagPb.Link> sorted = new ArrayList<>(entries);
        sorted.sort(Comparator.comparing(entry -> Utf8.encode(entry.name()), Arrays::compareUnsigned));
        return Block.of(Cid.DAG_PB, DagPb.encode(sorted, FOLDER));
    }

    @Override
    public boolean hasNext() {
        if (next == null) {
            next = advance();
        }
        return next != null;
    }

    @Override
    public DagPb.Link next() {
        DagPb.Link found = next == null ? advance() : next;
        if (found == null) {
            throw new NoSuchElementException();
        }
        next = null;
        return found;
    }

    private DagPb.@Nullable Link advance() {
        for (Node node = levels.peek(); node != null; node = levels.peek()) {
            if (!node.links.hasNext()) {
                levels.pop();
                continue;
            }
            DagPb.Link link = node.links.next();
            if (link.name().length() < node.digits) {
                throw DamagedFileException.malformed(link.cid(), 0, "a name in a sharded folder starts with its place");
            }
            String name = link.name().substring(node.digits);
            if (node.digits == 0 || !name.isEmpty()) {
                return new DagPb.Link(link.cid(), name, link.treeSize());
            }
            if (levels.size() == MOST_LEVELS) {
                throw DamagedFileException.malformed(
                        link.cid(), 0, "a sharded folder has at most " + MOST_LEVELS + " levels");
            }
            levels.push(node(link.cid()));
        }
        return null;
    }

    private Node node(Cid cid) {
        try {
            if (cid.codec() != Cid.DAG_PB) {
                throw new MalformedDataException(0, "a folder is a node of dag-pb");
            }
            DagPb node = DagPb.decode(UnsafeBlocks.bytes(blocks.require(cid)));
            return new Node(node.links().iterator(), digits(node));
        } catch (BlockException | MalformedDataException e) {
            throw new DamagedFileException(cid, 0, e);
        }
    }

    private static int digits(DagPb node) {
        long type = -1;
        long fanout = 0;
        for (Protobuf.Reader folder = new Protobuf.Reader(node.data()); folder.next(); ) {
            if (folder.field() == TYPE) {
                type = folder.number();
            } else if (folder.field() == FANOUT) {
                fanout = folder.number();
            }
        }
        if (type == TYPE_FOLDER) {
            return 0;
        }
        if (type != TYPE_SHARD) {
            throw new MalformedDataException(node.data().from(), "the node is no folder");
        }
        if (fanout < 2 || fanout > MOST_FANOUT || Long.bitCount(fanout) != 1) {
            throw new MalformedDataException(
                    node.data().from(), "the fanout of a sharded folder is a power of two up to " + MOST_FANOUT);
        }
        return Long.toHexString(fanout - 1).length();
    }
}
