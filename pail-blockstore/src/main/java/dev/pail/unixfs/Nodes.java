package dev.pail.unixfs;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.bytes.Utf8;
import dev.pail.dag.ByteSpan;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.unsafe.UnsafeBlocks;
import org.jspecify.annotations.Nullable;

/** Reads the blocks of files and folders. */
final class Nodes {
    private Nodes() {}

    /**
     * The bytes of a block. Those of an identity CID are in the CID. Rule FS4.
     *
     * @throws BlockException if it is missing or corrupt
     */
    static byte[] bytes(BlockStore blocks, Cid cid) {
        return cid.hashFunction() == Cid.IDENTITY ? cid.digest() : UnsafeBlocks.bytes(blocks.require(cid));
    }

    /**
     * A root block.
     *
     * @param size the number of its bytes
     * @param dagPb null if it is raw; so is the data
     */
    record Root(
            UnixFsNode node,
            int size,
            @Nullable DagPb dagPb,
            @Nullable UnixFsData data) {
        /** The size of the block and of all below it, as far as it says. */
        long treeSize() {
            return dagPb == null ? size : dagPb.treeSize();
        }
    }

    /** @throws DamagedFileException if it is missing, corrupt or malformed */
    static Root read(BlockStore blocks, Cid cid) {
        try {
            return read(blocks, cid, bytes(blocks, cid));
        } catch (DamagedFileException e) {
            throw e;
        } catch (BlockException | UnsupportedHashException e) {
            throw DamagedFileException.ofNode(cid, e);
        }
    }

    /**
     * The root block that bytes are.
     *
     * @throws DamagedFileException if they are malformed
     */
    static Root read(BlockStore blocks, Cid cid, byte[] bytes) {
        try {
            if (cid.codec() == Cid.RAW) {
                return new Root(UnixFsNode.file(bytes.length), bytes.length, null, null);
            }
            DagPb dagPb = dagPb(cid, bytes);
            UnixFsData data = UnixFsData.decode(dagPb.data());
            UnixFsNode node = switch (data.type()) {
                case UnixFsData.FOLDER, UnixFsData.SHARD -> node(NodeKind.FOLDER, 0, "", data);
                case UnixFsData.LINK -> node(NodeKind.LINK, 0, target(dagPb, data.content()), data);
                case UnixFsData.METADATA ->
                    UnixFsNode.file(described(blocks, dagPb).size());
                default -> node(NodeKind.FILE, FileNode.of(blocks, dagPb, data).size(), "", data);
            };
            return new Root(node, bytes.length, dagPb, data);
        } catch (DamagedFileException e) {
            throw e;
        } catch (BlockException | MalformedDataException | UnsupportedHashException e) {
            throw DamagedFileException.ofNode(cid, e);
        }
    }

    private static UnixFsNode node(NodeKind kind, long size, String target, UnixFsData data) {
        return new UnixFsNode(kind, size, target, data.mode(), data.mtime());
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
            if (root.codec() == Cid.RAW) {
                return FileNode.of(blocks, root, bytes);
            }
            DagPb dagPb = dagPb(root, bytes);
            UnixFsData data = UnixFsData.decode(dagPb.data());
            return data.type() == UnixFsData.METADATA ? described(blocks, dagPb) : FileNode.of(blocks, dagPb, data);
        } catch (DamagedFileException e) {
            throw e;
        } catch (BlockException | MalformedDataException | UnsupportedHashException e) {
            throw DamagedFileException.ofFile(root, 0, e);
        }
    }

    /** The file that a node of metadata is about. Rule FS5. */
    private static FileNode described(BlockStore blocks, DagPb metadata) {
        DagPb.Links links = metadata.links();
        if (!links.next()) {
            throw new MalformedDataException(0, "metadata link to a file");
        }
        Cid file = links.link().cid();
        return FileNode.of(blocks, file, bytes(blocks, file));
    }

    private static String target(DagPb node, ByteSpan bytes) {
        if (node.linkCount() > 0) {
            throw new MalformedDataException(0, "a symbolic link has no links of dag-pb");
        }
        if (bytes.length() > DagPb.MOST_NAME) {
            throw new MalformedDataException(bytes.from(), "the target of a symbolic link has at most 64 KiB");
        }
        int malformed = Utf8.firstMalformed(bytes.array(), bytes.from(), bytes.to());
        if (malformed >= 0) {
            throw new MalformedDataException(malformed, "the target of a symbolic link is UTF-8");
        }
        return Utf8.decode(bytes.array(), bytes.from(), bytes.to());
    }
}
