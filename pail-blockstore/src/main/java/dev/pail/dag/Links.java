package dev.pail.dag;

import dev.pail.MalformedShardException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.MalformedDataException;
import dev.pail.ipld.UnsafeBlocks;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the links of a block in dag-cbor, in the order in which they are written. What a link is for follows from where it
 * stands: in a shard (a map with {@code entries}) an array of one or two links is a shard and perhaps user data; in an
 * event (a map of {@code data} and {@code parents}) there are events, and in the data the {@code root} of a pail.
 *
 * <p>Whether a shard keeps the rules of its format is not looked at here.
 */
public final class Links {
    private static final int SHARD_AND_DATA = 2;

    private final DagCborReader reader;
    private final List<Link> found = new ArrayList<>();

    private Links(Block block) {
        this.reader = new DagCborReader(UnsafeBlocks.bytes(block));
    }

    /**
     * The links of a block that was reached in a role. A block in another codec has none.
     *
     * @throws MalformedShardException if a block that is needed is not what its role says
     */
    public static List<Link> of(Block block, Link.Role role) {
        if (block.cid().codec() != Cid.DAG_CBOR) {
            if (role == Link.Role.SHARD || role == Link.Role.EVENT) {
                throw malformed(block, 0, "a " + name(role) + " is a dag-cbor block");
            }
            return List.of();
        }
        try {
            Links links = new Links(block);
            links.read(block, role);
            links.reader.end();
            return links.found;
        } catch (MalformedDataException e) {
            if (role == Link.Role.VALUE) {
                // It is what somebody has put, as others may write it; what it links to must not be lost for that.
                List<Link> found = new ArrayList<>();
                CborLinks.forEach(UnsafeBlocks.bytes(block), cid -> add(found, cid, role));
                return found;
            }
            throw malformed(block, e.offset(), e.rule());
        }
    }

    private static MalformedShardException malformed(Block block, int offset, String rule) {
        return new MalformedShardException(block.cid(), offset, rule);
    }

    private static String name(Link.Role role) {
        return role == Link.Role.EVENT ? "event" : "shard";
    }

    private void read(Block block, Link.Role role) {
        Link.Role shape = role == Link.Role.VALUE ? role : shape(block);
        if (role != Link.Role.ROOT && role != shape) {
            throw malformed(block, 0, "a link to a " + name(role) + " leads to one");
        }
        switch (shape) {
            case SHARD -> readShard();
            case EVENT -> readEvent();
            default -> readAll(Link.Role.VALUE);
        }
    }

    /** What a block looks like: the fields are in the order of dag-cbor. */
    private static Link.Role shape(Block block) {
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

    /** Reads the data of an event, of whatever kind they are. */
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

    /**
     * A value with an identity CID is no block, but may have links. It is so short that this does not go deep. In another codec it is a
     * link, as a block is: who knows the codec may look into it.
     */
    private static void add(List<Link> found, Cid cid, Link.Role role) {
        boolean isInlined = role == Link.Role.VALUE && cid.hashFunction() == Cid.IDENTITY;
        if (isInlined && cid.codec() == Cid.DAG_CBOR) {
            found.addAll(of(Block.of(Cid.DAG_CBOR, cid.digest()), role));
        } else {
            found.add(new Link(cid, role));
        }
    }
}
