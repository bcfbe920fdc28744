package dev.pail.server.gateway;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.MalformedDataException;
import dev.pail.server.http.Refusal;
import dev.pail.unixfs.UnixFs;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The blocks that a path leads through: names of entries in folders of UnixFS, and keys and indexes in dag-cbor.
 *
 * @param ends the root, and the end of each link that was followed
 * @param followed how many names lead to the last of these. The others lead to a place within that block
 */
record ContentPath(List<Cid> ends, int followed) {
    private static final Pattern INDEX = Pattern.compile("0|[1-9][0-9]{0,8}");

    /**
     * Follows a path. Reads from the store only blocks on the way, and not the one at its end, unless that is dag-cbor with names within.
     *
     * @throws Refusal if the path leads nowhere
     * @throws BlockException if a block on the way is missing or corrupt
     */
    static ContentPath resolve(BlockStore blocks, Cid root, List<String> names) {
        List<Cid> ends = new ArrayList<>(List.of(root));
        int followed = 0;
        while (followed < names.size()) {
            Cid cid = ends.get(ends.size() - 1);
            List<String> rest = names.subList(followed, names.size());
            int steps =
                    cid.codec() == Cid.DAG_CBOR ? inCbor(blocks, cid, rest, ends) : inFolder(blocks, cid, rest, ends);
            if (steps == 0) {
                break;
            }
            followed += steps;
        }
        return new ContentPath(List.copyOf(ends), followed);
    }

    /** The CID of the last block. */
    Cid end() {
        return ends.get(ends.size() - 1);
    }

    private static int inFolder(BlockStore blocks, Cid folder, List<String> names, List<Cid> ends) {
        try {
            ends.add(UnixFs.find(blocks, folder, names.get(0)).orElseThrow(() -> absent(folder)));
            return 1;
        } catch (BlockException e) {
            if (e.getCause() instanceof MalformedDataException) {
                throw Refusal.notFound("a path leads through folders and dag-cbor: " + e.getMessage());
            }
            throw Refusal.root(e);
        }
    }

    private static Refusal absent(Cid cid) {
        return Refusal.notFound("a name of the path is not in " + cid);
    }

    /** Adds the CID that names in a block lead to, and returns how many these are; 0 if they end within the block. */
    private static int inCbor(BlockStore blocks, Cid cid, List<String> names, List<Cid> ends) {
        byte[] bytes = cid.hashFunction() == Cid.IDENTITY
                ? cid.digest()
                : blocks.require(cid).bytes();
        try {
            DagCborReader reader = new DagCborReader(bytes);
            for (int i = 0; i < names.size(); i++) {
                if (!enter(reader, names.get(i))) {
                    throw absent(cid);
                }
                if (reader.peek() == DagCborReader.Kind.LINK) {
                    ends.add(reader.readLink());
                    return i + 1;
                }
            }
            return 0;
        } catch (MalformedDataException e) {
            throw Refusal.notFound(
                    "the path leads through a block that is no dag-cbor: " + cid + ": " + e.getMessage());
        }
    }

    /** Goes to the value of a key, or to an item of an array. */
    private static boolean enter(DagCborReader reader, String name) {
        DagCborReader.Kind kind = reader.peek();
        if (kind == DagCborReader.Kind.MAP) {
            for (int pairs = reader.readMap(); pairs > 0; pairs--) {
                if (reader.readText().equals(name)) {
                    return true;
                }
                reader.skip();
            }
        } else if (kind == DagCborReader.Kind.ARRAY && INDEX.matcher(name).matches()) {
            int index = Integer.parseInt(name);
            int items = reader.readArray();
            for (int i = 0; i < index && index < items; i++) {
                reader.skip();
            }
            return index < items;
        }
        return false;
    }
}
