package dev.pail.unixfs;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.ipld.UnsupportedHashException;
import java.util.HashMap;
import java.util.Map;

/** Finds how large parts of a file are, for nodes that do not say so: reads the parts. Each block once (FS6). */
final class PartSizes {
    /** The most blocks that are read for one node. Parts of 256 KiB are 4 GiB then. */
    private static final int MOST_BLOCKS = 16 << 10;

    private final BlockStore blocks;
    private final Map<Cid, Long> known = new HashMap<>();

    PartSizes(BlockStore blocks) {
        this.blocks = blocks;
    }

    /** @throws DamagedFileException if a part cannot be read, is none of a file, or there are too many */
    long[] of(DagPb node) {
        return of(node, 1);
    }

    private long[] of(DagPb node, int level) {
        long[] sizes = new long[node.linkCount()];
        DagPb.Links links = node.links();
        for (int i = 0; links.next(); i++) {
            Cid cid = links.link().cid();
            Long size = known.get(cid);
            if (size == null) {
                size = size(cid, level);
                known.put(cid, size);
            }
            sizes[i] = size;
        }
        return sizes;
    }

    /** Goes down at most as many levels as a file has. */
    private long size(Cid cid, int level) {
        try {
            if (known.size() == MOST_BLOCKS || level == UnixFsFile.MOST_LEVELS) {
                throw new MalformedDataException(
                        0,
                        "without the sizes of its parts, a file has at most " + MOST_BLOCKS + " parts on "
                                + UnixFsFile.MOST_LEVELS + " levels");
            }
            byte[] bytes = Nodes.bytes(blocks, cid);
            if (cid.codec() == Cid.RAW) {
                return bytes.length;
            }
            DagPb node = Nodes.dagPb(cid, bytes);
            UnixFsData data = UnixFsData.decode(node.data());
            return FileNode.size(data, FileNode.isSized(node, data) ? null : of(node, level + 1));
        } catch (DamagedFileException e) {
            throw e;
        } catch (BlockException | MalformedDataException | UnsupportedHashException e) {
            throw DamagedFileException.ofNode(cid, e);
        }
    }
}
