package dev.pail.unixfs;

import dev.pail.BlockStore;
import dev.pail.dag.ByteSpan;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A node of a file: bytes of its own, and then parts below it, each a node or a chunk. As a block it is dag-pb with data of UnixFS, or
 * raw, which has bytes alone. Parts are made one at a time, so that a node takes no more memory than its bytes. Rule FS6.
 */
final class FileNode {
    private final ByteSpan own;
    private final long size;
    private final @Nullable DagPb dagPb;
    private final @Nullable UnixFsData data;

    /** The sizes of the parts, if the node does not have them. */
    private final long @Nullable [] found;

    /**
     * A part of a file.
     *
     * @param size how many bytes of the file it has
     * @param treeSize the size of its block and all below it; what other programs show as the size on disk
     */
    record Part(Cid cid, long size, long treeSize) {}

    private FileNode(
            ByteSpan own, long size, @Nullable DagPb dagPb, @Nullable UnixFsData data, long @Nullable [] found) {
        this.own = own;
        this.size = size;
        this.dagPb = dagPb;
        this.data = data;
        this.found = found;
    }

    /** A file that is these bytes. */
    static FileNode bytes(byte[] bytes) {
        return new FileNode(ByteSpan.of(bytes), bytes.length, null, null, null);
    }

    /** The block of a node without bytes of its own. */
    static Block block(List<Part> parts) {
        return block(parts, OptionalInt.empty(), Optional.empty());
    }

    /** The same, for the root of a file with permissions or a time. */
    static Block block(List<Part> parts, OptionalInt mode, Optional<Instant> mtime) {
        List<DagPb.Link> links = new ArrayList<>();
        long size = 0;
        for (Part part : parts) {
            size = Math.addExact(size, part.size);
            links.add(new DagPb.Link(part.cid, "", part.treeSize));
        }
        byte[] data = UnixFsData.file(size, parts.stream().map(Part::size).toList(), mode, mtime);
        return Block.of(Cid.DAG_PB, DagPb.encode(links, data));
    }

    /**
     * The node that a block is.
     *
     * @throws MalformedDataException if it is none of a file, or its sizes do not agree
     */
    static FileNode of(BlockStore blocks, Cid cid, byte[] bytes) {
        if (cid.codec() == Cid.RAW) {
            return bytes(bytes);
        }
        DagPb dagPb = Nodes.dagPb(cid, bytes);
        return of(blocks, dagPb, UnixFsData.decode(dagPb.data()));
    }

    /** @param blocks have the parts, whose sizes may be needed */
    static FileNode of(BlockStore blocks, DagPb dagPb, UnixFsData data) {
        long[] found = isSized(dagPb, data) ? null : new PartSizes(blocks).of(dagPb);
        return new FileNode(data.content(), size(data, found), dagPb, data, found);
    }

    /** Whether a node of a file has the sizes of its parts. Old programs left them out. */
    static boolean isSized(DagPb dagPb, UnixFsData data) {
        if (data.type() != UnixFsData.FILE && data.type() != UnixFsData.RAW) {
            throw new MalformedDataException(data.offset(), data.typeName() + " is no file");
        }
        if (data.partCount() != 0 && data.partCount() != dagPb.linkCount()) {
            throw new MalformedDataException(data.offset(), "a node of a file has one size for each link, or none");
        }
        return data.partCount() == dagPb.linkCount();
    }

    /** The size of a file, with all below a node. */
    static long size(UnixFsData data, long @Nullable [] found) {
        long size = UnixFsData.sum(data.content().length(), data.partSizes(), data.offset());
        if (found != null) {
            for (long part : found) {
                size = UnixFsData.sum(size, part, data.offset());
            }
        }
        if (data.fileSize() >= 0 && data.fileSize() != size) {
            throw new MalformedDataException(data.offset(), "the size of a file is the sum of its parts");
        }
        return size;
    }

    /** The bytes of its own. */
    ByteSpan own() {
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
        return new Parts(dagPb == null ? null : dagPb.links(), data == null ? null : data.sizes(), found);
    }

    /** A place among the parts. */
    static final class Parts {
        private final DagPb.@Nullable Links links;
        private final UnixFsData.@Nullable Sizes sizes;

        private final long @Nullable [] found;
        private int count;

        private Parts(DagPb.@Nullable Links links, UnixFsData.@Nullable Sizes sizes, long @Nullable [] found) {
            this.links = links;
            this.sizes = sizes;
            this.found = found;
        }

        /** The next part, or null behind the last one. */
        @Nullable
        Part next() {
            if (links == null || sizes == null || !links.next()) {
                return null;
            }
            DagPb.Link link = links.link();
            return new Part(link.cid(), found == null ? sizes.next() : found[count++], link.treeSize());
        }
    }
}
