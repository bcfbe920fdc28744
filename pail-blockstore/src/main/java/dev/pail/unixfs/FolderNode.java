package dev.pail.unixfs;

import dev.pail.Escapes;
import dev.pail.bytes.Utf8;
import dev.pail.dag.ByteSpan;
import dev.pail.ipld.MalformedDataException;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** A node of a folder: all entries, or a shard of it, which has those whose names hash to it. */
final class FolderNode {
    static final String NAME_RULE = "a name is not empty, \".\" or \"..\", and has no slash and no NUL";

    private static final int LEAST_FANOUT = 8;
    private static final int MOST_FANOUT = 1024;
    private static final int BITS_OF_DIGIT = 4;
    private static final int HEX = 16;

    private final DagPb dagPb;

    /** How many bits of a hash choose a place in this shard; 0 if the folder is one node. */
    private final int bits;

    /** How many bits of a hash lead to this shard, and these bits. */
    private final int depth;

    private final long path;

    /** Where the names begin that an entry before has, too. A bit for each byte, so that no input makes this large. */
    private final BitSet repeated;

    private FolderNode(DagPb dagPb, int bits, int depth, long path) {
        this.dagPb = dagPb;
        this.bits = bits;
        this.depth = depth;
        this.path = path;
        this.repeated = bits == 0 ? repeated(dagPb) : new BitSet();
    }

    /**
     * The node of a folder that a node of UnixFS is. The names of its entries are not checked.
     *
     * @param above the shard that links to it, or null
     * @param place of the link in that shard
     * @throws MalformedDataException if it is none of a folder, or does not belong there
     */
    static FolderNode of(DagPb dagPb, UnixFsData data, @Nullable FolderNode above, int place) {
        if (data.type() == UnixFsData.FOLDER && above == null) {
            return new FolderNode(dagPb, 0, 0, 0);
        }
        if (data.type() != UnixFsData.SHARD) {
            throw new MalformedDataException(
                    data.offset(), data.typeName() + (above == null ? " is no folder" : " is no shard of a folder"));
        }
        long fanout = data.fanout();
        if (fanout < LEAST_FANOUT || fanout > MOST_FANOUT || Long.bitCount(fanout) != 1) {
            throw new MalformedDataException(
                    data.offset(), "the fanout of a sharded folder is a power of two from 8 to " + MOST_FANOUT);
        }
        if (data.hashType() != Murmur3.CODE) {
            throw new MalformedDataException(data.offset(), "the hash function of a sharded folder is murmur3-x64-64");
        }
        FolderNode node = new FolderNode(
                dagPb,
                Long.numberOfTrailingZeros(fanout),
                above == null ? 0 : above.depth + above.bits,
                above == null ? 0 : above.path << above.bits | place);
        if (node.depth + node.bits > Long.SIZE) {
            throw new MalformedDataException(0, "a name in a sharded folder has a hash of 64 bits");
        }
        node.checkPlaces(data.content());
        return node;
    }

    /** Whether a text can name an entry. Rule FS9. */
    static boolean isName(String name) {
        return !name.isEmpty()
                && !name.equals(".")
                && !name.equals("..")
                && name.indexOf('/') < 0
                && name.indexOf(0) < 0;
    }

    /** @throws MalformedDataException if a name is none, or there twice */
    FolderNode checkNames() {
        DagPb.Links links = links();
        while (links.next()) {
            if (isEntry(links.link())) {
                checkName(links);
            }
        }
        return this;
    }

    /** Whether a link leads to an entry; if not, it leads to a shard. */
    boolean isEntry(DagPb.Link link) {
        return bits == 0 || !name(link).isEmpty();
    }

    /** @throws MalformedDataException if the name of an entry is none, or an entry before has it. Rule FS10 */
    void checkName(DagPb.Links links) {
        String name = name(links.link());
        ByteSpan bytes = links.name();
        int malformed = Utf8.firstMalformed(bytes.array(), bytes.from(), bytes.to());
        if (malformed >= 0) {
            throw new MalformedDataException(
                    malformed, "the name of a link is UTF-8; this one is not: " + Escapes.brief(name));
        }
        if (!isName(name)) {
            throw new MalformedDataException(links.offset(), NAME_RULE + "; this one is " + Escapes.brief(name));
        }
        if (repeated.get(bytes.from())) {
            throw new MalformedDataException(
                    links.offset(), "a folder has each name once; this one is there again: " + Escapes.brief(name));
        }
    }

    /** Sorts the names, if they are not. They stay in the block, so that this takes some 30 bytes of memory for each. */
    private static BitSet repeated(DagPb dagPb) {
        BitSet repeated = new BitSet();
        if (isSorted(dagPb)) {
            return repeated;
        }
        ByteSpan[] names = new ByteSpan[dagPb.linkCount()];
        DagPb.Links links = dagPb.links();
        for (int i = 0; links.next(); i++) {
            names[i] = links.name();
        }
        Arrays.sort(names, FolderNode::compare);
        for (int i = 1; i < names.length; i++) {
            if (compare(names[i - 1], names[i]) == 0) {
                repeated.set(names[i].from());
            }
        }
        return repeated;
    }

    /** Whether each name comes after the one before. */
    private static boolean isSorted(DagPb dagPb) {
        ByteSpan before = null;
        DagPb.Links links = dagPb.links();
        while (links.next()) {
            ByteSpan name = links.name();
            if (before != null && compare(before, name) >= 0) {
                return false;
            }
            before = name;
        }
        return true;
    }

    private static int compare(ByteSpan one, ByteSpan other) {
        return Arrays.compareUnsigned(one.array(), one.from(), one.to(), other.array(), other.from(), other.to());
    }

    /** Each name starts with a place that no other has, and that is marked as occupied; and hashes to it. Rule FS11. */
    private void checkPlaces(ByteSpan occupied) {
        BitSet places = new BitSet();
        DagPb.Links links = links();
        while (links.next()) {
            DagPb.Link link = links.link();
            int place = place(link);
            if (place < 0 || places.get(place)) {
                throw new MalformedDataException(
                        links.offset(), "a name in a shard starts with a place of its own, in hexadecimal");
            }
            places.set(place);
            ByteSpan name = links.name();
            if (name.length() > digits()) {
                long hash = Murmur3.hash(Arrays.copyOfRange(name.array(), name.from() + digits(), name.to()));
                if (hash >>> (Long.SIZE - depth - bits) != ((path << bits) | place)) {
                    throw new MalformedDataException(
                            links.offset(),
                            "a name is in the shard of its hash"
                                    + (depth == 0 ? "; a shard from within a folder is not read by itself" : ""));
                }
            }
        }
        if (occupied.length() > (1 << bits) / Byte.SIZE) {
            throw new MalformedDataException(occupied.from(), "a shard has a bit for each of its places");
        }
        byte[] marked = new byte[occupied.length()];
        for (int i = 0; i < marked.length; i++) {
            marked[marked.length - 1 - i] = occupied.array()[occupied.from() + i];
        }
        if (!BitSet.valueOf(marked).equals(places)) {
            throw new MalformedDataException(occupied.from(), "the bits of a shard mark the places that have links");
        }
    }

    private int digits() {
        return (bits + BITS_OF_DIGIT - 1) / BITS_OF_DIGIT;
    }

    /** The name of an entry, or an empty text for a link to a shard. */
    String name(DagPb.Link link) {
        return link.name().substring(digits());
    }

    /**
     * The link on the way to a name: of the entry, or of the shard that would have it. Null if this node leads to no such name.
     */
    DagPb.@Nullable Link towards(String name) {
        return towards(name, links());
    }

    /** The same among the links that follow a place. The place is then behind it. */
    DagPb.@Nullable Link towards(String name, DagPb.Links links) {
        int place = bits == 0
                ? -1
                : (int) (Murmur3.hash(Utf8.encode(name)) >>> (Long.SIZE - depth - bits)) & ((1 << bits) - 1);
        while (links.next()) {
            DagPb.Link link = links.link();
            String found = name(link);
            if (found.equals(name) || (found.isEmpty() && place(link) == place)) {
                return link;
            }
        }
        return null;
    }

    /** The place of a link in this shard, or -1 if its name does not say. */
    int place(DagPb.Link link) {
        String name = link.name();
        int place = 0;
        for (int i = 0; i < digits(); i++) {
            char digit = i < name.length() ? name.charAt(i) : '-';
            boolean isDigit = (digit >= '0' && digit <= '9') || (digit >= 'A' && digit <= 'F');
            if (!isDigit) {
                return -1;
            }
            place = place * HEX + Character.digit(digit, HEX);
        }
        return place < 1 << bits ? place : -1;
    }

    /** Goes through the links. */
    DagPb.Links links() {
        return dagPb.links();
    }

    /** The number of bytes of the block. */
    int size() {
        return dagPb.size();
    }
}
