package dev.pail.unixfs;

import dev.pail.dag.ByteSpan;
import dev.pail.dag.Protobuf;
import dev.pail.ipld.MalformedDataException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/** The data of a node of UnixFS: its type, and what nodes of that type have. Rule FS2. */
final class UnixFsData {
    static final int RAW = 0;
    static final int FOLDER = 1;
    static final int FILE = 2;
    static final int METADATA = 3;
    static final int LINK = 4;
    static final int SHARD = 5;

    private static final String[] TYPES = {
        "raw bytes", "a folder", "a file", "metadata", "a symbolic link", "a sharded folder"
    };

    private static final int TYPE = 1;
    private static final int CONTENT = 2;
    private static final int FILE_SIZE = 3;
    private static final int PART_SIZE = 4;
    private static final int HASH_TYPE = 5;
    private static final int FANOUT = 6;
    private static final int MODE = 7;
    private static final int MTIME = 8;
    private static final int SECONDS = 1;
    private static final int NANOSECONDS = 2;

    /** The bits of a mode that have a meaning. */
    private static final int MODE_BITS = 07777;

    private static final int MOST_NANOSECONDS = 999_999_999;

    private final ByteSpan bytes;
    private ByteSpan content;
    private int type = -1;
    private long fileSize = -1;
    private int partCount;
    private long partSizes;
    private long hashType = -1;
    private long fanout = -1;
    private long mode = -1;
    private Optional<Instant> mtime = Optional.empty();

    private UnixFsData(ByteSpan bytes) {
        this.bytes = bytes;
        this.content = new ByteSpan(bytes.array(), bytes.to(), bytes.to());
    }

    /** @throws MalformedDataException if they are none */
    static UnixFsData decode(ByteSpan bytes) {
        UnixFsData data = new UnixFsData(bytes);
        int seen = 0;
        Protobuf.Reader reader = Protobuf.Reader.strict(bytes);
        while (reader.next()) {
            int field = reader.field();
            if (field != PART_SIZE && field <= MTIME) {
                if ((seen & 1 << field) != 0) {
                    throw new MalformedDataException(reader.position(), "field " + field + " is there once");
                }
                seen |= 1 << field;
            }
            data.read(reader);
        }
        if (data.type < 0) {
            throw new MalformedDataException(bytes.from(), "the data of UnixFS have a type");
        }
        return data;
    }

    private void read(Protobuf.Reader reader) {
        switch (reader.field()) {
            case TYPE -> {
                if (reader.number() >= TYPES.length) {
                    throw new MalformedDataException(reader.position(), "a type of UnixFS is a number from 0 to 5");
                }
                type = (int) reader.number();
            }
            case CONTENT -> content = reader.bytes();
            case FILE_SIZE -> fileSize = reader.number();
            case PART_SIZE -> {
                partCount++;
                partSizes = sum(partSizes, reader.number(), reader.position());
            }
            case HASH_TYPE -> hashType = reader.number();
            case FANOUT -> fanout = reader.number();
            case MODE -> mode = reader.signedNumber() & MODE_BITS;
            case MTIME -> mtime = time(reader.bytes());
            default -> {}
        }
    }

    /** The sum of two sizes. */
    static long sum(long one, long other, int offset) {
        long sum = one + other;
        if (sum < 0) {
            throw new MalformedDataException(offset, "the size of a file has at most 63 bits");
        }
        return sum;
    }

    /** A time; none if it has no seconds, or is none that exists: then the file is read without one (FS3). */
    private static Optional<Instant> time(ByteSpan bytes) {
        boolean isThere = false;
        long seconds = 0;
        long nanoseconds = 0;
        Protobuf.Reader time = Protobuf.Reader.strict(bytes);
        while (time.next()) {
            if (time.field() == SECONDS) {
                isThere = true;
                seconds = time.signedNumber();
            } else if (time.field() == NANOSECONDS) {
                nanoseconds = time.fixedNumber();
            }
        }
        if (!isThere || nanoseconds > MOST_NANOSECONDS) {
            return Optional.empty();
        }
        try {
            return Optional.of(Instant.ofEpochSecond(seconds, nanoseconds));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** One of the types above. */
    int type() {
        return type;
    }

    /** The type, for messages. */
    String typeName() {
        return TYPES[type];
    }

    /** Bytes of its own: of a file, the target of a link, the occupied places of a shard. Empty if it has none. */
    ByteSpan content() {
        return content;
    }

    /** The size of a file as the field says it, or -1 if there is none. */
    long fileSize() {
        return fileSize;
    }

    /** How many sizes of parts there are. */
    int partCount() {
        return partCount;
    }

    /** The sum of these. */
    long partSizes() {
        return partSizes;
    }

    /** The number of the hash function of a shard, or -1. */
    long hashType() {
        return hashType;
    }

    /** How many places a shard has, or -1. */
    long fanout() {
        return fanout;
    }

    /** The permissions, without the bits that have no meaning. Rule FS3. */
    OptionalInt mode() {
        return mode < 0 ? OptionalInt.empty() : OptionalInt.of((int) mode);
    }

    /** When the file was changed last. */
    Optional<Instant> mtime() {
        return mtime;
    }

    /** Where in the block the data begin. */
    int offset() {
        return bytes.from();
    }

    /** Goes through the sizes of the parts. */
    Sizes sizes() {
        return new Sizes(bytes);
    }

    /** A place among the sizes of the parts. */
    static final class Sizes {
        private final Protobuf.Reader reader;

        private Sizes(ByteSpan bytes) {
            this.reader = Protobuf.Reader.strict(bytes);
        }

        /** Returns the next size. There must be one. */
        long next() {
            while (reader.next()) {
                if (reader.field() == PART_SIZE) {
                    return reader.number();
                }
            }
            throw new IllegalStateException("no more sizes");
        }
    }

    /** The data of a file. */
    static byte[] file(long size, Iterable<Long> partSizes, OptionalInt mode, Optional<Instant> mtime) {
        Protobuf.Writer file = new Protobuf.Writer().number(TYPE, FILE).number(FILE_SIZE, size);
        partSizes.forEach(part -> file.number(PART_SIZE, part));
        mode.ifPresent(bits -> file.number(MODE, bits & MODE_BITS));
        mtime.ifPresent(time -> file.bytes(MTIME, encode(time)));
        return file.toByteArray();
    }

    private static byte[] encode(Instant time) {
        Protobuf.Writer mtime = new Protobuf.Writer().number(SECONDS, time.getEpochSecond());
        return (time.getNano() == 0 ? mtime : mtime.fixed(NANOSECONDS, time.getNano())).toByteArray();
    }

    /** The data of a folder in one node. */
    static byte[] folder() {
        return new Protobuf.Writer().number(TYPE, FOLDER).toByteArray();
    }

    /**
     * The data of a shard of a folder.
     *
     * @param places the bits of the occupied places, the last place first
     */
    static byte[] shard(byte[] places, long hashType, long fanout) {
        return new Protobuf.Writer()
                .number(TYPE, SHARD)
                .bytes(CONTENT, places)
                .number(HASH_TYPE, hashType)
                .number(FANOUT, fanout)
                .toByteArray();
    }
}
