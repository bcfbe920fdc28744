package dev.pail.unixfs;

import dev.pail.bytes.Utf8;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Makes the nodes of one folder: one, or shards by the hashes of the names if that would have more than 256 KiB. Rule FS12. */
final class FolderNodes {
    /** The largest block of a folder in one node. */
    private static final int MOST_BYTES = 256 << 10;

    private static final int FANOUT = 256;

    /** As many as a hash has bytes. */
    private static final int MOST_LEVELS = Long.BYTES;

    /** The tag and the length of empty data. */
    private static final int EMPTY_DATA = 2;

    private final PendingBlocks blocks;
    private final String path;

    /** An entry, and the place of its name. */
    private record Placed(DagPb.Link link, long hash) {}

    private FolderNodes(PendingBlocks blocks, String path) {
        this.blocks = blocks;
        this.path = path;
    }

    /**
     * Stores the nodes of a folder, and returns the link to it.
     *
     * @param path of the folder; its last name is the name of the link
     * @throws PathConflictException if two names have the same hash in a folder that has to be sharded
     */
    static DagPb.Link store(PendingBlocks blocks, String path, Collection<DagPb.Link> entries) {
        FolderNodes nodes = new FolderNodes(blocks, path);
        DagPb.Link folder = fitsOneNode(entries) ? nodes.flat(entries) : nodes.sharded(entries);
        return new DagPb.Link(folder.cid(), path.substring(path.lastIndexOf('/') + 1), folder.treeSize());
    }

    private static boolean fitsOneNode(Collection<DagPb.Link> entries) {
        long size = EMPTY_DATA;
        size += UnixFsData.folder().length;
        for (DagPb.Link entry : entries) {
            size += DagPb.encode(List.of(entry), new byte[0]).length - EMPTY_DATA;
            if (size > MOST_BYTES) {
                return false;
            }
        }
        return true;
    }

    private DagPb.Link flat(Collection<DagPb.Link> entries) {
        List<DagPb.Link> sorted = new ArrayList<>(entries);
        sorted.sort(Comparator.comparing(entry -> Utf8.encode(entry.name()), Arrays::compareUnsigned));
        return store("", sorted, UnixFsData.folder());
    }

    private DagPb.Link sharded(Collection<DagPb.Link> entries) {
        List<Placed> placed = new ArrayList<>(entries.size());
        entries.forEach(entry -> placed.add(new Placed(entry, Murmur3.hash(Utf8.encode(entry.name())))));
        placed.sort((one, other) -> Long.compareUnsigned(one.hash, other.hash));
        return shard("", placed, 0);
    }

    /** Stores a shard with all below it. These are at most {@value #MOST_LEVELS} levels. */
    private DagPb.Link shard(String name, List<Placed> entries, int level) {
        if (level == MOST_LEVELS) {
            throw PathConflictException.sameHash(
                    inFolder(entries.get(0).link.name()),
                    inFolder(entries.get(1).link.name()));
        }
        List<DagPb.Link> links = new ArrayList<>();
        byte[] places = new byte[FANOUT / Byte.SIZE];
        int to;
        for (int from = 0; from < entries.size(); from = to) {
            int place = place(entries.get(from), level);
            to = from + 1;
            while (to < entries.size() && place(entries.get(to), level) == place) {
                to++;
            }
            places[places.length - 1 - place / Byte.SIZE] |= (byte) (1 << place % Byte.SIZE);
            String prefix = String.format("%02X", place);
            DagPb.Link only = entries.get(from).link;
            links.add(
                    to - from == 1
                            ? new DagPb.Link(only.cid(), prefix + only.name(), only.treeSize())
                            : shard(prefix, entries.subList(from, to), level + 1));
        }
        int first = 0;
        while (places[first] == 0) {
            first++;
        }
        byte[] occupied = Arrays.copyOfRange(places, first, places.length);
        return store(name, links, UnixFsData.shard(occupied, Murmur3.CODE, FANOUT));
    }

    private String inFolder(String name) {
        return path.isEmpty() ? name : path + '/' + name;
    }

    private static int place(Placed entry, int level) {
        return (int) (entry.hash >>> (Long.SIZE - Byte.SIZE * (level + 1))) & (FANOUT - 1);
    }

    private DagPb.Link store(String name, List<DagPb.Link> links, byte[] data) {
        Block block = Block.of(Cid.DAG_PB, DagPb.encode(links, data));
        long treeSize = block.size();
        for (DagPb.Link link : links) {
            treeSize = DagPb.sum(treeSize, link.treeSize());
        }
        blocks.add(block);
        return new DagPb.Link(block.cid(), name, treeSize);
    }
}
