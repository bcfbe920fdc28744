package dev.pail.unixfs;

import dev.pail.bytes.Utf8;
import dev.pail.dag.ByteSpan;
import dev.pail.dag.Protobuf;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A node of dag-pb: links, and data. All of it is checked when it is decoded, and links are made one at a time after that, so that a
 * node takes no more memory than its bytes. Rule FS1.
 */
final class DagPb {
    private static final int DATA = 1;
    private static final int LINK = 2;
    private static final int HASH = 1;
    private static final int NAME = 2;
    private static final int TREE_SIZE = 3;

    /** The longest name in bytes: far beyond those of file systems, and small beside a block. */
    static final int MOST_NAME = 64 << 10;

    private final byte[] bytes;
    private final ByteSpan data;
    private final int linkCount;

    /**
     * A link.
     *
     * @param name empty if it has none; with replacements if it is not UTF-8, which {@link FolderNode#checkName} refuses
     * @param treeSize the size of the block that it leads to and of all below, as far as the node says
     */
    record Link(Cid cid, String name, long treeSize) {}

    private DagPb(byte[] bytes, ByteSpan data, int linkCount) {
        this.bytes = bytes;
        this.data = data;
        this.linkCount = linkCount;
    }

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

    /** @throws MalformedDataException if it is no node with data, or a link has no CID */
    static DagPb decode(byte[] bytes) {
        int links = 0;
        ByteSpan data = null;
        boolean isEnded = false;
        Protobuf.Reader node = Protobuf.Reader.strict(ByteSpan.of(bytes));
        while (node.next()) {
            if (node.field() == LINK) {
                if (isEnded) {
                    throw new MalformedDataException(
                            node.position(), "a node of dag-pb has its links together, before or behind its data");
                }
                link(node.bytes());
                links++;
            } else if (node.field() == DATA && data == null) {
                data = node.bytes();
                isEnded = links > 0;
            } else {
                throw new MalformedDataException(node.position(), "a node of dag-pb has links, and data once");
            }
        }
        if (data == null) {
            throw new MalformedDataException(bytes.length, "a node of UnixFS has data");
        }
        return new DagPb(bytes, data, links);
    }

    /** Whether a block has data, as all nodes of UnixFS have. Other programs have nodes of dag-pb without data. */
    static boolean hasData(byte[] bytes) {
        Protobuf.Reader node = new Protobuf.Reader(ByteSpan.of(bytes));
        while (node.next()) {
            if (node.field() == DATA) {
                return true;
            }
        }
        return false;
    }

    /** The data. */
    ByteSpan data() {
        return data;
    }

    /** How many links there are. */
    int linkCount() {
        return linkCount;
    }

    /** The number of bytes of the block. */
    int size() {
        return bytes.length;
    }

    /** The size of the block and of all below it, as far as the links say. */
    long treeSize() {
        long size = bytes.length;
        Links links = links();
        while (links.next()) {
            size = sum(size, links.link().treeSize());
        }
        return size;
    }

    /** The sum of two tree sizes, or the largest number: what others wrote may be any. */
    static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    /** Goes through the links. */
    Links links() {
        return new Links(bytes);
    }

    /** A place among the links. */
    static final class Links {
        private final Protobuf.Reader node;
        private int offset;

        private Links(byte[] bytes) {
            this.node = Protobuf.Reader.strict(ByteSpan.of(bytes));
        }

        /** Whether there is another link. Then {@link #link} gives it. */
        boolean next() {
            while (node.next()) {
                if (node.field() == LINK) {
                    offset = node.bytes().from();
                    return true;
                }
            }
            return false;
        }

        Link link() {
            return DagPb.link(node.bytes());
        }

        /** The name, as it stands in the block; an empty range if the link has none. */
        ByteSpan name() {
            Protobuf.Reader link = Protobuf.Reader.strict(node.bytes());
            while (link.next()) {
                if (link.field() == NAME) {
                    return link.bytes();
                }
            }
            return new ByteSpan(node.bytes().array(), offset, offset);
        }

        /** Where in the block the link begins. */
        int offset() {
            return offset;
        }
    }

    private static Link link(ByteSpan bytes) {
        Cid cid = null;
        String name = null;
        long treeSize = -1;
        Protobuf.Reader link = Protobuf.Reader.strict(bytes);
        while (link.next()) {
            if (link.field() == HASH && cid == null && name == null && treeSize < 0) {
                cid = link.bytes().cid();
            } else if (link.field() == NAME && name == null && treeSize < 0) {
                name = name(link.bytes());
            } else if (link.field() == TREE_SIZE && treeSize < 0) {
                treeSize = link.number();
            } else {
                throw new MalformedDataException(
                        link.position(), "a link of dag-pb has a CID, a name and a size, each once, in this order");
            }
        }
        if (cid == null) {
            throw new MalformedDataException(bytes.from(), "a link of dag-pb has a CID");
        }
        return new Link(cid, name == null ? "" : name, Math.max(treeSize, 0));
    }

    private static String name(ByteSpan bytes) {
        if (bytes.length() > MOST_NAME) {
            throw new MalformedDataException(bytes.from(), "the name of a link has at most 64 KiB");
        }
        return new String(bytes.array(), bytes.from(), bytes.length(), StandardCharsets.UTF_8);
    }
}
