package dev.pail.unixfs;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.bytes.Utf8;
import dev.pail.dag.Span;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.unsafe.UnsafeBlocks;

/** Reads the blocks of files and folders. */
final class Nodes {
    private Nodes() {}

    /**
     * The bytes of a block. Those of an identity CID are in the CID.
     *
     * @throws BlockException if it is missing or corrupt
     */
    static byte[] bytes(BlockStore blocks, Cid cid) {
        return cid.hashFunction() == Cid.IDENTITY ? cid.digest() : UnsafeBlocks.bytes(blocks.require(cid));
    }

    /** @throws DamagedFileException if it is missing, corrupt or malformed */
    static UnixFsNode read(BlockStore blocks, Cid cid) {
        try {
            byte[] bytes = bytes(blocks, cid);
            if (cid.codec() == Cid.RAW) {
                return UnixFsNode.file(bytes.length);
            }
            DagPb dagPb = dagPb(cid, bytes);
            UnixFsData data = UnixFsData.decode(dagPb.data());
            return switch (data.type()) {
                case UnixFsData.FOLDER, UnixFsData.SHARD ->
                    new UnixFsNode(NodeKind.FOLDER, 0, "", data.mode(), data.mtime());
                case UnixFsData.LINK ->
                    new UnixFsNode(NodeKind.LINK, 0, target(dagPb, data.content()), data.mode(), data.mtime());
                case UnixFsData.METADATA ->
                    UnixFsNode.file(FileNode.of(described(dagPb), bytes(blocks, described(dagPb)))
                            .size());
                default ->
                    new UnixFsNode(NodeKind.FILE, FileNode.of(dagPb, data).size(), "", data.mode(), data.mtime());
            };
        } catch (BlockException | MalformedDataException e) {
            throw DamagedFileException.ofNode(cid, e);
        }
    }

    /** The node of dag-pb in a block that is none of raw bytes. */
    static DagPb dagPb(Cid cid, byte[] bytes) {
        if (cid.codec() != Cid.DAG_PB) {
            throw new MalformedDataException(0, "a node of UnixFS is raw or dag-pb");
        }
        return DagPb.decode(bytes);
    }

    /**
     * The root node of a file. A node of metadata leads to it.
     *
     * @throws DamagedFileException if it is missing, corrupt, malformed or none of a file
     */
    static FileNode file(BlockStore blocks, Cid root) {
        try {
            byte[] bytes = bytes(blocks, root);
            if (root.codec() != Cid.RAW) {
                DagPb dagPb = dagPb(root, bytes);
                UnixFsData data = UnixFsData.decode(dagPb.data());
                if (data.type() != UnixFsData.METADATA) {
                    return FileNode.of(dagPb, data);
                }
                Cid described = described(dagPb);
                return FileNode.of(described, bytes(blocks, described));
            }
            return FileNode.of(root, bytes);
        } catch (BlockException | MalformedDataException e) {
            throw DamagedFileException.ofFile(root, 0, e);
        }
    }

    /** The file that a node of metadata is about. */
    private static Cid described(DagPb metadata) {
        DagPb.Links links = metadata.links();
        if (!links.next()) {
            throw new MalformedDataException(0, "metadata link to a file");
        }
        return links.link().cid();
    }

    private static String target(DagPb node, Span bytes) {
        if (node.linkCount() > 0) {
            throw new MalformedDataException(0, "a symbolic link has no links of dag-pb");
        }
        int malformed = Utf8.firstMalformed(bytes.array(), bytes.from(), bytes.to());
        if (malformed >= 0) {
            throw new MalformedDataException(malformed, "the target of a symbolic link is UTF-8");
        }
        return Utf8.decode(bytes.array(), bytes.from(), bytes.to());
    }
}
