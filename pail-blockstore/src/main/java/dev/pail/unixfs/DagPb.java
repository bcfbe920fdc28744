package dev.pail.unixfs;

import dev.pail.bytes.Utf8;
import dev.pail.dag.Protobuf;
import dev.pail.dag.Span;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.util.ArrayList;
import java.util.List;

/** A node of dag-pb: links, and data. */
record DagPb(Span data, List<Link> links) {
    private static final int DATA = 1;
    private static final int LINK = 2;
    private static final int HASH = 1;
    private static final int NAME = 2;
    private static final int TREE_SIZE = 3;

    /**
     * A link.
     *
     * @param name empty where it has none
     * @param treeSize the size of the block that it leads to and of all below, as far as the node says
     */
    record Link(Cid cid, String name, long treeSize) {}

    /** Writes a node: its links, in this order, and then its data. */
    static byte[] encode(List<Link> links, byte[] data) {
        Protobuf.Writer node = new Protobuf.Writer();
        for (Link link : links) {
            node.bytes(
                    LINK,
                    new Protobuf.Writer()
                            .bytes(HASH, link.cid.toBytes())
                            .bytes(NAME, Utf8.encode(link.name))
                            .number(TREE_SIZE, link.treeSize)
                            .toByteArray());
        }
        return node.bytes(DATA, data).toByteArray();
    }

    /** @throws MalformedDataException if it is no node with data, or a name is no UTF-8 */
    static DagPb decode(byte[] bytes) {
        List<Link> links = new ArrayList<>();
        Span data = null;
        for (Protobuf.Reader node = new Protobuf.Reader(Span.of(bytes)); node.next(); ) {
            if (node.field() == LINK) {
                links.add(link(node.bytes()));
            } else if (node.field() == DATA && data == null) {
                data = node.bytes();
            } else {
                throw new MalformedDataException(0, "a node of dag-pb has links, and data once");
            }
        }
        if (data == null) {
            throw new MalformedDataException(0, "a node of UnixFS has data");
        }
        return new DagPb(data, links);
    }

    private static Link link(Span bytes) {
        Cid cid = null;
        String name = "";
        long treeSize = 0;
        for (Protobuf.Reader link = new Protobuf.Reader(bytes); link.next(); ) {
            switch (link.field()) {
                case HASH -> cid = link.bytes().cid();
                case NAME -> name = name(link.bytes());
                case TREE_SIZE -> treeSize = link.number();
                default -> {}
            }
        }
        if (cid == null) {
            throw new MalformedDataException(bytes.from(), "a link of dag-pb has a CID");
        }
        return new Link(cid, name, treeSize);
    }

    private static String name(Span bytes) {
        int malformed = Utf8.firstMalformed(bytes.array(), bytes.from(), bytes.to());
        if (malformed >= 0) {
            throw new MalformedDataException(malformed, "the name of a link is UTF-8");
        }
        return Utf8.decode(bytes.array(), bytes.from(), bytes.to());
    }
}
