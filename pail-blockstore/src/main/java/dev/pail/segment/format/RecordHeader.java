package dev.pail.segment.format;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import org.jspecify.annotations.Nullable;

/**
 * The header of a record (Rule SEG3): its type and its lengths.
 *
 * @param length the size of the header itself in bytes
 * @param payload the size of the payload in bytes, without its checksum
 * @param isPacked whether the payload is a packed delta
 */
public record RecordHeader(Content content, int length, int payload, boolean isPacked) {
    /** What a header says beside the lengths. */
    public sealed interface Content {}

    /**
     * A block.
     *
     * @param base the record to which the payload is a delta; null if the payload is the block itself
     * @param generation how many blocks lead from one that is stored whole to this one, each made from the one before
     * @param size of the block in bytes
     */
    public record BlockContent(Cid cid, @Nullable Location base, int generation, int size) implements Content {
        /** Whether a CID names this block: CIDs with the same multihash do. */
        public boolean isOf(Cid name) {
            return isSame(cid, name);
        }
    }

    /** Whether two CIDs have the same multihash. */
    public static boolean isSame(Cid cid, Cid other) {
        return cid.equals(other) || cid.raw().equals(other.raw());
    }

    /**
     * A commit: the records before it count. Rule SEG7.
     *
     * @param sequence from 1
     * @param previous the offset of the commit before it in this segment, or 0
     * @param records how many records of blocks there are since that
     * @param durableEnd up to where the segment was known to be durable when this commit was written
     */
    public record Commit(long sequence, long previous, int records, long durableEnd) implements Content {}

    /**
     * The end of a segment. Rule SEG8.
     *
     * @param records how many blocks the segment has
     * @param checksum of all bytes before
     */
    public record Seal(int records, int checksum) implements Content {}

    public static final int MAGIC = 0x31524c50;

    /** What all headers begin with: magic, type, length of the header, length of the payload. */
    public static final int START = 11;

    static final int MOST = START + Location.ENCODED + 8 + Cid.MAX_BYTES + Output.CHECKSUM;
    public static final int COMMIT = START + 8 + 4 + 4 + 4 + Output.CHECKSUM;
    public static final int SEAL = START + 4 + 4 + Output.CHECKSUM;

    private static final int FULL_TYPE = 1;
    private static final int DELTA_TYPE = 2;
    private static final int COMMIT_TYPE = 3;
    private static final int SEAL_TYPE = 4;
    private static final int PACKED_TYPE = 5;

    /** The whole record in bytes. */
    int recordSize() {
        return length + (payload == 0 ? 0 : payload + Output.CHECKSUM);
    }

    /** Writes a record. Its header has a checksum that depends on its offset. */
    public static void write(Output out, Content content, byte[] payload, int salt, long offset) {
        write(out, content, payload, false, salt, offset);
    }

    /**
     * As {@link #write(Output, Content, byte[], int, long)}.
     *
     * @param isPacked whether the payload is a packed delta
     */
    public static void write(Output out, Content content, byte[] payload, boolean isPacked, int salt, long offset) {
        int start = out.size();
        out.integer(4, MAGIC);
        if (content instanceof BlockContent block) {
            int length =
                    START + (block.base == null ? 0 : Location.ENCODED + 8) + block.cid.byteLength() + Output.CHECKSUM;
            begin(out, block.base == null ? FULL_TYPE : isPacked ? PACKED_TYPE : DELTA_TYPE, length, payload.length);
            if (block.base != null) {
                block.base.write(out);
                out.integer(4, block.generation).integer(4, block.size);
            }
            out.write(block.cid.toBytes());
        } else if (content instanceof Commit commit) {
            begin(out, COMMIT_TYPE, COMMIT, 0);
            out.integer(8, commit.sequence).integer(4, commit.previous).integer(4, commit.records);
            out.integer(4, commit.durableEnd);
        } else if (content instanceof Seal seal) {
            begin(out, SEAL_TYPE, SEAL, 0);
            out.integer(4, seal.records).integer(4, seal.checksum);
        }
        out.integer(4, out.checksum(seed(salt, offset), start));
        if (payload.length > 0) {
            int from = out.size();
            out.write(payload);
            out.integer(4, out.checksum(0, from));
        }
    }

    private static void begin(Output out, int type, int length, int payload) {
        out.integer(1, type).integer(2, length).integer(4, payload);
    }

    /** The seed of the checksum of a header: at another offset, or in another segment, it does not match. */
    private static int seed(int salt, long offset) {
        return salt ^ (int) offset;
    }

    /** Whether a header may start with these bytes. */
    static boolean isMagic(byte[] bytes, int at) {
        return bytes[at] == (byte) MAGIC
                && bytes[at + 1] == (byte) (MAGIC >>> 8)
                && bytes[at + 2] == (byte) (MAGIC >>> 16)
                && bytes[at + 3] == (byte) (MAGIC >>> 24);
    }

    /** The size of the record whose header is there, as it says without a look at its checksum; 0 if there is none. */
    static int likelySize(byte[] bytes, int from) {
        if (!isMagic(bytes, from)) {
            return 0;
        }
        int payload = payloadLength(bytes, from);
        boolean isPossible = payload >= 0 && payload <= Block.MAX_SIZE;
        return isPossible ? headerLength(bytes, from) + (payload == 0 ? 0 : payload + Output.CHECKSUM) : 0;
    }

    /** Whether a header says that its record is a whole block with a CID. Does not look at its checksum. */
    static boolean isLikelyWhole(byte[] bytes, int from, Cid cid) {
        int length = START + cid.byteLength();
        return bytes[from + Integer.BYTES] == FULL_TYPE
                && headerLength(bytes, from) == length + Output.CHECKSUM
                && cid.equalsBytes(bytes, from + START, from + length);
    }

    private static int headerLength(byte[] bytes, int from) {
        return (bytes[from + 5] & 0xff) | (bytes[from + 6] & 0xff) << 8;
    }

    private static int payloadLength(byte[] bytes, int from) {
        return (bytes[from + 7] & 0xff)
                | (bytes[from + 8] & 0xff) << 8
                | (bytes[from + 9] & 0xff) << 16
                | bytes[from + 10] << 24;
    }

    /**
     * Reads a header.
     *
     * @param from where it starts in the bytes
     * @param end where the bytes end
     * @throws DamageException if there is none, or one from another place
     */
    public static RecordHeader read(byte[] bytes, int from, int end, int salt, long offset) throws DamageException {
        if (end - from < START || !isMagic(bytes, from)) {
            throw new DamageException("no record");
        }
        Input in = new Input(bytes, from + 4, end);
        int type = (int) in.integer(1);
        int length = (int) in.integer(2);
        int payload = in.integer();
        if (length < START + Output.CHECKSUM || length > end - from || payload < 0 || payload > Block.MAX_SIZE) {
            throw new DamageException("a record of impossible size");
        }
        int covered = length - Output.CHECKSUM;
        int checksum = new Input(bytes, from + covered, end).integer();
        if (checksum != Output.checksum(seed(salt, offset), bytes, from, covered)) {
            throw new DamageException("the head of a record with a wrong checksum");
        }
        return new RecordHeader(
                content(new Input(bytes, in.position(), from + covered), bytes, type, payload),
                length,
                payload,
                type == PACKED_TYPE);
    }

    private static Content content(Input in, byte[] bytes, int type, int payload) throws DamageException {
        return switch (type) {
            // Rule SEG5.
            case FULL_TYPE -> new BlockContent(cid(in, bytes), null, 0, payload);
            // Rule SEG6.
            case DELTA_TYPE, PACKED_TYPE -> {
                Location base = Location.read(in);
                int generation = in.integer();
                int size = in.integer();
                if (size < 0 || size > Block.MAX_SIZE) {
                    throw new DamageException("a block of " + (size & 0xffffffffL) + " bytes, more than a block has");
                }
                yield new BlockContent(cid(in, bytes), base, generation, size);
            }
            case COMMIT_TYPE ->
                last(in, payload, new Commit(in.integer(8), in.integer(4), in.integer(), in.integer(4)));
            case SEAL_TYPE -> last(in, payload, new Seal(in.integer(), in.integer()));
            default -> throw new DamageException("a record of unknown type " + type);
        };
    }

    /** Checks that nothing follows in the header, and that there is no payload. */
    private static Content last(Input in, int payload, Content read) throws DamageException {
        if (payload > 0 || in.remaining() > 0) {
            throw new DamageException("something behind a commit or a seal");
        }
        return read;
    }

    private static Cid cid(Input in, byte[] bytes) throws DamageException {
        try {
            return Cid.fromBytes(bytes, in.position(), in.position() + in.remaining());
        } catch (MalformedDataException e) {
            throw new DamageException("a record without a CID");
        }
    }
}
