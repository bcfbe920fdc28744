package dev.pail.unixfs;

import dev.pail.dag.Span;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node of a file: bytes of its own, and then parts below it, each a node or a chunk. As a block it is dag-pb with data of UnixFS, or
 * raw, which has bytes alone. Parts are made one at a time, so that a node takes no more memory than its bytes. Rule FS6.
 */
final class FileNode {
    private final Span own;
    private final long size;
    private final @Nullable DagPb dagPb;
    private final @Nullable UnixFsData data;

    /**
     * A part of a file.
     *
     * @param size how many bytes of the file it has
     * @param treeSize the size of its block and all below it; what other programs show as the size on disk
     */
    record Part(Cid cid, long size, long treeSize) {}

    private FileNode(Span own, long size, @Nullable DagPb dagPb, @Nullable UnixFsData data) {
        this.own = own;
        this.size = size;
        this.dagPb = dagPb;
        this.data = data;
    }

    /** The block of a node without bytes of its own. */
    static Block block(List<Part> parts) {
        List<DagPb.Link> links = new ArrayList<>();
        long size = 0;
        for (Part part : parts) {
            size = Math.addExact(size, part.size);
            links.add(new DagPb.Link(part.cid, "", part.treeSize));
        }
        byte[] data = UnixFsData.file(size, parts.stream().map(Part::size).toList());
        return Block.of(Cid.DAG_PB, DagPb.encode(links, data));
    }

    /**
     * The node that a block is.
     *
     * @throws MalformedDataException if it is none of a file, or its sizes do not agree
     */
    static FileNode of(Cid cid, byte[] bytes) {
        if (cid.codec() == Cid.RAW) {
            return new FileNode(Span.of(bytes), bytes.length, null, null);
        }
        DagPb dagPb = Nodes.dagPb(cid, bytes);
        return of(dagPb, UnixFsData.decode(dagPb.data()));
    }

    static FileNode of(DagPb dagPb, UnixFsData data) {
        if (data.type() != UnixFsData.FILE && data.type() != UnixFsData.RAW) {
            throw new MalformedDataException(data.offset(), data.typeName() + " is no file");
        }
        if (data.partCount() != dagPb.linkCount()) {
            throw new MalformedDataException(data.offset(), "a node of a file has one size for each link");
        }
        long size = UnixFsData.sum(data.content().length(), data.partSizes(), data.offset());
        if (data.fileSize() >= 0 && data.fileSize() != size) {
            throw new MalformedDataException(data.offset(), "the size of a file is the sum of its parts");
        }
        DagPb.Links links = dagPb.links();
        while (links.next()) {
            if (!links.link().name().isEmpty()) {
                throw new MalformedDataException(links.offset(), "a part of a file has no name");
            }
        }
        return new FileNode(data.content(), size, dagPb, data);
    }

    /** The bytes of its own. */
    Span own() {
        return own;
    }

    /** How many bytes of the file the node has, with all below it. */
    long size() {
        return size;
    }

    /** How many bytes of memory it takes: those of its block. */
    int weight() {
        return own.array().length;
    }

    /** Goes through the parts. */
    Parts parts() {
        return new Parts(dagPb == null ? null : dagPb.links(), data == null ? null : data.sizes());
    }

    /** A place among the parts. */
    static final class Parts {
        private final DagPb.@Nullable Links links;
        private final UnixFsData.@Nullable Sizes sizes;

        private Parts(DagPb.@Nullable Links links, UnixFsData.@Nullable Sizes sizes) {
            this.links = links;
            this.sizes = sizes;
        }

        /** The next part, or null behind the last one. */
        @Nullable
        Part next() {
            if (links == null || sizes == null || !links.next()) {
                return null;
            }
            DagPb.Link link = links.link();
            return new Part(link.cid(), sizes.next(), link.treeSize());
        }
    }
}
