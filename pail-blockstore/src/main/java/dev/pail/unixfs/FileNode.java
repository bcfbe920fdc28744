package dev.pail.unixfs;

import dev.pail.dag.Protobuf;
import dev.pail.dag.Span;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.unsafe.UnsafeBlocks;
import java.util.ArrayList;
import java.util.List;

/**
 * A node of a file: bytes of its own, and then parts below it, each a node or a chunk. As a block it is dag-pb with a message of UnixFS in
 * it, or raw, which has bytes alone.
 *
 * @param own the bytes of its own
 */
record FileNode(Span own, List<Part> parts) {
    // The fields of UnixFS, and its types.
    private static final int TYPE = 1;
    private static final int CONTENT = 2;
    private static final int FILE_SIZE = 3;
    private static final int BLOCK_SIZE = 4;
    private static final int TYPE_RAW = 0;
    private static final int TYPE_FILE = 2;
    private static final String[] TYPES = {
        "raw bytes", "a folder", "a file", "metadata", "a symbolic link", "a sharded folder"
    };

    /**
     * A part of a file.
     *
     * @param size how many bytes of the file it has
     * @param treeSize the size of its block and all below it; what other programs show as the size on disk
     */
    record Part(Cid cid, long size, long treeSize) {}

    /** How many bytes of the file the node has, with all below it. */
    long size() {
        long size = own.length();
        for (Part part : parts) {
            size = Math.addExact(size, part.size);
        }
        return size;
    }

    /** A node without bytes of its own, and its block. */
    static Block block(List<Part> parts) {
        List<DagPb.Link> links = new ArrayList<>();
        long size = 0;
        for (Part part : parts) {
            size = Math.addExact(size, part.size);
            links.add(new DagPb.Link(part.cid, "", part.treeSize));
        }
        Protobuf.Writer file = new Protobuf.Writer().number(TYPE, TYPE_FILE).number(FILE_SIZE, size);
        parts.forEach(part -> file.number(BLOCK_SIZE, part.size));
        return Block.of(Cid.DAG_PB, DagPb.encode(links, file.toByteArray()));
    }

    /**
     * The node that a block is.
     *
     * @throws MalformedDataException if it is none of a file, or its sizes do not agree
     */
    static FileNode of(Block block) {
        byte[] bytes = UnsafeBlocks.bytes(block);
        return block.cid().codec() == Cid.DAG_PB ? file(DagPb.decode(bytes)) : new FileNode(Span.of(bytes), List.of());
    }

    private static FileNode file(DagPb dagPb) {
        List<DagPb.Link> links = dagPb.links();
        int start = dagPb.data().from();
        long type = -1;
        long size = -1;
        Span own = new Span(dagPb.data().array(), start, start);
        List<Part> parts = new ArrayList<>();
        for (Protobuf.Reader file = new Protobuf.Reader(dagPb.data()); file.next(); ) {
            switch (file.field()) {
                case TYPE -> type = file.number();
                case CONTENT -> own = file.bytes();
                case FILE_SIZE -> size = file.number();
                case BLOCK_SIZE -> {
                    if (parts.size() == links.size()) {
                        throw new MalformedDataException(start, "a node of a file has one size for each link");
                    }
                    DagPb.Link link = links.get(parts.size());
                    parts.add(new Part(link.cid(), file.number(), link.treeSize()));
                }
                default -> {}
            }
        }
        if (type != TYPE_FILE && type != TYPE_RAW) {
            throw new MalformedDataException(
                    start, type >= 0 && type < TYPES.length ? TYPES[(int) type] + " is no file" : "no type of UnixFS");
        }
        if (parts.size() < links.size()) {
            throw new MalformedDataException(start, "a node of a file has one size for each link");
        }
        FileNode node = new FileNode(own, List.copyOf(parts));
        try {
            if (size >= 0 && size != node.size()) {
                throw new MalformedDataException(start, "the size of a file is the sum of its parts");
            }
        } catch (ArithmeticException e) {
            throw new MalformedDataException(start, "the size of a file has at most 63 bits");
        }
        return node;
    }
}
