package dev.pail.dag;

import dev.pail.MalformedBlockException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.MalformedDataException;
import dev.pail.unsafe.UnsafeBlocks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Knows the links of blocks, in the order in which they are written: the one rule for exports, collections, checks and imports
 * (Rule G4). Six codecs have links: dag-cbor, CBOR, dag-pb, dag-json, dag-jose and git-raw. Blocks in raw, JSON and libp2p-key have none. A
 * block in any other codec is a leaf, whose links are unknown. An identity CID is no block; in its place are the links of the bytes in it.
 *
 * <p>The place of a link gives its role. In a shard (a map with {@code entries}), an array of one or two links is a shard and perhaps
 * user data. In an event (a map of {@code data} and {@code parents}), the parents are events, and the data has the {@code root} of a
 * pail. This class does not check whether a shard keeps the rules of its format.
 *
 * <p>A value may break the rules of its codec: its links are those before the first byte that cannot be read.
 */
public final class Links {
    private static final int SHARD_AND_DATA = 2;
    private static final int CBOR = 0x51;
    private static final int LIBP2P_KEY = 0x72;
    private static final int GIT_RAW = 0x78;
    private static final int DAG_JOSE = 0x85;
    private static final int DAG_JSON = 0x0129;
    private static final int JSON = 0x0200;

    private final DagCborReader reader;
    private final List<Link> found;

    private Links(Block block, List<Link> found) {
        this.reader = new DagCborReader(UnsafeBlocks.bytes(block));
        this.found = found;
    }

    /** Whether blocks in this codec may have links. The others need not be read. */
    public static boolean has(long codec) {
        return codec == Cid.DAG_CBOR
                || codec == Cid.DAG_PB
                || codec == CBOR
                || codec == DAG_JSON
                || codec == DAG_JOSE
                || codec == GIT_RAW;
    }

    /** Whether this class knows the links of blocks in this codec. Raw blocks, JSON and public keys have none. */
    public static boolean isKnown(long codec) {
        return has(codec) || codec == Cid.RAW || codec == JSON || codec == LIBP2P_KEY;
    }

    /**
     * The links of a block that was reached in a role.
     *
     * @throws MalformedBlockException if a block that is needed is not what its role says
     */
    public static List<Link> of(Block block, Link.Role role) {
        List<Link> found = new ArrayList<>();
        boolean isCbor = block.cid().codec() == Cid.DAG_CBOR;
        if (!isCbor && (role == Link.Role.SHARD || role == Link.Role.EVENT)) {
            throw malformed(block, 0, "a " + name(role) + " is a dag-cbor block");
        }
        if (!isCbor || role == Link.Role.VALUE) {
            direct(block.cid().codec(), UnsafeBlocks.bytes(block), cid -> add(found, cid, Link.Role.VALUE));
            return found;
        }
        try {
            Links links = new Links(block, found);
            links.read(block, role);
            links.reader.end();
            return found;
        } catch (MalformedDataException e) {
            throw malformed(block, e.offset(), e.rule());
        }
    }

    /** A value as a link, or, of an identity CID, the links of what is in it. */
    public static List<Link> ofValue(Cid cid) {
        List<Link> found = new ArrayList<>();
        add(found, cid, Link.Role.VALUE);
        return found;
    }

    /** The links in bytes of a codec, identity CIDs among them. */
    private static void direct(long codec, byte[] bytes, Consumer<Cid> action) {
        if (codec == Cid.DAG_CBOR || codec == CBOR) {
            CborLinks.forEach(bytes, action);
        } else if (codec == Cid.DAG_PB) {
            DagPbLinks.forEach(bytes, action);
        } else if (codec == DAG_JSON) {
            DagJsonLinks.forEach(bytes, action);
        } else if (codec == DAG_JOSE) {
            JoseLinks.forEach(bytes, action);
        } else if (codec == GIT_RAW) {
            GitLinks.forEach(bytes, action);
        }
    }

    private static MalformedBlockException malformed(Block block, long offset, String rule) {
        return MalformedBlockException.ofShard(block.cid(), offset, rule);
    }

    private static String name(Link.Role role) {
        return role == Link.Role.EVENT ? "event" : "shard";
    }

    private void read(Block block, Link.Role role) {
        Link.Role shape = shape(block);
        if (role != Link.Role.ROOT && role != shape) {
            throw malformed(block, 0, "a link to a " + name(role) + " leads to one");
        }
        switch (shape) {
            case SHARD -> readShard();
            case EVENT -> readEvent();
            default -> readAll(Link.Role.VALUE);
        }
    }

    /**
     * What a block in dag-cbor looks like: a shard, an event, or a root that is neither (spec rule CAR12).
     *
     * @throws MalformedDataException if it is not canonical as far as that takes
     */
    public static Link.Role shape(Block block) {
        DagCborReader look = new DagCborReader(UnsafeBlocks.bytes(block));
        if (look.peek() != DagCborReader.Kind.MAP) {
            return Link.Role.ROOT;
        }
        boolean data = false;
        boolean parents = false;
        int pairs = look.readMap();
        for (int pair = 0; pair < pairs; pair++) {
            String field = look.readText();
            boolean array = look.peek() == DagCborReader.Kind.ARRAY;
            if (field.equals("entries") && array) {
                return Link.Role.SHARD;
            }
            data |= field.equals("data");
            parents |= field.equals("parents") && array;
            look.skip();
        }
        return data && parents && pairs == 2 ? Link.Role.EVENT : Link.Role.ROOT;
    }

    /** Whether a block looks like an event. What breaks the rules of dag-cbor is none. */
    public static boolean isEvent(Block block) {
        try {
            return block.cid().isShardLink() && shape(block) == Link.Role.EVENT;
        } catch (MalformedDataException e) {
            return false;
        }
    }

    private void readShard() {
        for (int pairs = reader.readMap(); pairs > 0; pairs--) {
            if (reader.readText().equals("entries")) {
                for (int entries = reader.readArray(); entries > 0; entries--) {
                    readEntry();
                }
            } else {
                readAll(Link.Role.VALUE);
            }
        }
    }

    private void readEntry() {
        int at = reader.position();
        if (reader.readArray() != 2) {
            throw new MalformedDataException(at, "an entry is a key and a value (S5)");
        }
        reader.readTextSpan();
        if (reader.peek() == DagCborReader.Kind.LINK) {
            add(Link.Role.VALUE);
            return;
        }
        at = reader.position();
        int links = reader.readArray();
        if (links < 1 || links > SHARD_AND_DATA) {
            throw new MalformedDataException(at, "a value is a link, or an array of one or two (S5)");
        }
        add(Link.Role.SHARD);
        if (links == SHARD_AND_DATA) {
            add(Link.Role.VALUE);
        }
    }

    private void readEvent() {
        reader.readMap();
        reader.readTextSpan();
        readData();
        reader.readTextSpan();
        readAll(Link.Role.EVENT);
    }

    /** Reads the data of an event, of any kind. */
    private void readData() {
        if (reader.peek() != DagCborReader.Kind.MAP) {
            readAll(Link.Role.VALUE);
            return;
        }
        for (int pairs = reader.readMap(); pairs > 0; pairs--) {
            boolean root = reader.readText().equals("root");
            if (root && reader.peek() == DagCborReader.Kind.LINK) {
                add(Link.Role.SHARD);
            } else {
                readAll(Link.Role.VALUE);
            }
        }
    }

    /** Reads an item with all that is in it, whose links have one role. */
    private void readAll(Link.Role role) {
        for (long due = 1; due > 0; due--) {
            switch (reader.peek()) {
                case ARRAY -> due += reader.readArray();
                case MAP -> due += 2L * reader.readMap();
                case LINK -> add(role);
                default -> reader.skip();
            }
        }
    }

    private void add(Link.Role role) {
        add(found, reader.readLink(), role);
    }

    /** Adds a link. An identity CID may have others in it, and those again: each level is shorter than the one around it. */
    private static void add(List<Link> found, Cid cid, Link.Role role) {
        if (role != Link.Role.VALUE || cid.hashFunction() != Cid.IDENTITY) {
            found.add(new Link(cid, role));
            return;
        }
        Deque<Cid> due = new ArrayDeque<>(List.of(cid));
        for (Cid next = due.poll(); next != null; next = due.poll()) {
            if (next.hashFunction() != Cid.IDENTITY) {
                found.add(new Link(next, role));
            } else if (has(next.codec())) {
                Deque<Cid> inner = new ArrayDeque<>();
                direct(next.codec(), next.digest(), inner::push);
                inner.forEach(due::push);
            }
        }
    }
}
