package dev.pail.s3;

import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.car.CarWriter;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.trace.Trace;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The bytes of a pack: a CAR of version 2 with an index of the codec 0x0401, sorted by multihashes. Rule OS3. */
final class PackFile {
    /** The largest pack that is made of more than one block, in bytes of blocks. */
    static final int MOST_BYTES = 8 << 20;

    /** How many blocks a pack has at most. */
    static final int MOST_BLOCKS = 50_000;

    private static final byte[] PRAGMA = HexFormat.of().parseHex("0aa16776657273696f6e02");
    private static final int HEADER = 40;
    private static final int DATA = PRAGMA.length + HEADER;
    private static final int INDEX_CODEC = 0x0401;

    /** Where the header says where the index begins. */
    private static final int INDEX_AT = 43;

    private static final int OFFSET = Long.BYTES;
    private static final SecureRandom RANDOM = new SecureRandom();

    private PackFile() {}

    /**
     * A pack and its bytes.
     *
     * @param bytes are not changed
     */
    @SuppressWarnings("ArrayRecordComponent") // They go into an object as they are.
    record Made(Pack pack, byte[] bytes) {}

    /** A name that no other pack has. */
    static String newName(long commit) {
        byte[] random = new byte[16];
        RANDOM.nextBytes(random);
        return Keys.digits(commit) + "-" + HexFormat.of().formatHex(random);
    }

    /**
     * Makes a pack.
     *
     * @param blocks each multihash once
     */
    static Made make(String name, Collection<Block> blocks, Instant stamp) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[DATA]);
        Map<Long, Map<Integer, List<byte[]>>> entries = new TreeMap<>();
        long end;
        try (CarWriter writer = CarWriter.of(out, name, List.of())) {
            for (Block block : blocks) {
                byte[] digest = block.cid().digest();
                byte[] entry = new byte[digest.length + OFFSET];
                ByteBuffer.wrap(entry)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put(digest)
                        .putLong(writer.size());
                entries.computeIfAbsent(block.cid().hashFunction(), any -> new TreeMap<>())
                        .computeIfAbsent(entry.length, any -> new ArrayList<>())
                        .add(entry);
                writer.write(block);
            }
            writer.flush();
            end = DATA + writer.size();
        }
        byte[] index = index(entries);
        out.writeBytes(index);
        byte[] bytes = out.toByteArray();
        ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        header.put(PRAGMA)
                .putLong(0)
                .putLong(0)
                .putLong(DATA)
                .putLong(end - DATA)
                .putLong(end);
        Cid checksum = Block.of(Cid.RAW, index).cid();
        return new Made(new Pack(name, bytes.length, end, blocks.size(), stamp, checksum, null), bytes);
    }

    private static ByteBuffer little(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] index(Map<Long, Map<Integer, List<byte[]>>> entries) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        // The codec as a varint.
        out.write((INDEX_CODEC & 0x7f) | 0x80);
        out.write(INDEX_CODEC >> 7);
        out.writeBytes(little(4).putInt(entries.size()).array());
        entries.forEach((function, widths) -> {
            out.writeBytes(little(12).putLong(function).putInt(widths.size()).array());
            widths.forEach((width, all) -> {
                out.writeBytes(little(12)
                        .putInt(width)
                        .putLong((long) width * all.size())
                        .array());
                all.sort(Arrays::compareUnsigned);
                all.forEach(out::writeBytes);
            });
        });
        return out.toByteArray();
    }

    /**
     * Reads an index.
     *
     * @param pack the pack that it is of
     * @param bytes as the pack says them to be
     * @throws MalformedDataException if it is none
     */
    static PackIndex index(Pack pack, byte[] bytes) {
        List<PackIndex.Entry> entries = entries(pack, bytes);
        if (entries.size() != pack.blocks()) {
            throw new MalformedDataException(bytes.length, "an index of another number of blocks");
        }
        return new PackIndex(pack, entries);
    }

    /** Reads what an object is as a pack that no commit describes; empty, if it is gone or no pack. */
    static Optional<Pack> look(Bucket bucket, String name, Instant modified) {
        byte[] bytes = bucket.get(Keys.pack(name)).orElse(new byte[0]);
        try {
            long index = bytes.length < DATA
                    ? -1
                    : ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(INDEX_AT);
            if (index < DATA || index >= bytes.length) {
                return Optional.empty();
            }
            byte[] end = Arrays.copyOfRange(bytes, (int) index, bytes.length);
            Cid checksum = Block.of(Cid.RAW, end).cid();
            long blocks = count(new Pack(name, bytes.length, index, bytes.length, modified, checksum, null), end);
            return Optional.of(new Pack(name, bytes.length, index, blocks, modified, checksum, null));
        } catch (StoreIOException e) {
            throw e;
        } catch (PailException e) {
            Trace.swallowed("a pack is left out", e);
            return Optional.empty();
        }
    }

    /** How many blocks an index has. The pack says where it begins. */
    private static long count(Pack pack, byte[] bytes) {
        return entries(pack, bytes).size();
    }

    private static List<PackIndex.Entry> entries(Pack pack, byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        List<PackIndex.Entry> entries = new ArrayList<>();
        if (in.remaining() < 6 || ((in.get() & 0x7f) | in.get() << 7) != INDEX_CODEC) {
            throw new MalformedDataException(in.position(), "another kind of index");
        }
        for (int functions = in.getInt(); functions > 0; functions--) {
            check(in, 12);
            long function = in.getLong();
            for (int widths = in.getInt(); widths > 0; widths--) {
                check(in, 12);
                int width = in.getInt();
                long length = in.getLong();
                if (width <= OFFSET || length < 0 || length > in.remaining() || length % width != 0) {
                    throw new MalformedDataException(in.position(), "an index of impossible sizes");
                }
                for (long left = length / width; left > 0; left--) {
                    byte[] digest = new byte[width - OFFSET];
                    in.get(digest);
                    long offset = in.getLong();
                    if (offset < 0 || offset >= pack.index() - DATA) {
                        throw new MalformedDataException(in.position(), "an index that points out of its pack");
                    }
                    entries.add(new PackIndex.Entry(raw(function, digest), DATA + offset));
                }
            }
        }
        if (in.hasRemaining()) {
            throw new MalformedDataException(in.position(), "an index with bytes behind it");
        }
        return entries;
    }

    private static void check(ByteBuffer in, int needed) {
        if (in.remaining() < needed) {
            throw new MalformedDataException(in.position(), "an index that ends early");
        }
    }

    private static Cid raw(long function, byte[] digest) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        varint(out, 1);
        varint(out, Cid.RAW);
        varint(out, function);
        varint(out, digest.length);
        out.writeBytes(digest);
        return Cid.fromBytes(out.toByteArray());
    }

    private static void varint(ByteArrayOutputStream out, long value) {
        long rest = value;
        for (; rest >= 0x80 || rest < 0; rest >>>= 7) {
            out.write((int) (rest & 0x7f) | 0x80);
        }
        out.write((int) rest);
    }

    /**
     * The bytes of a block in its section.
     *
     * @throws MalformedDataException if they are not that section of the block
     */
    static byte[] content(Cid raw, byte[] section) {
        long length = 0;
        int at = 0;
        for (int shift = 0; at < section.length && shift < 63; shift += 7) {
            byte next = section[at++];
            length |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                break;
            }
        }
        if (length != section.length - at) {
            throw new MalformedDataException(at, "a section of another length");
        }
        int name = Cid.lengthAt(section, at, section.length);
        if (!Cid.fromBytes(section, at, at + name).raw().equals(raw)) {
            throw new MalformedDataException(at, "a section of another block");
        }
        return Arrays.copyOfRange(section, at + name, section.length);
    }

    /** The CID in a section, as it was put. */
    static Cid name(byte[] section) {
        int at = 0;
        while (at < section.length && section[at] < 0) {
            at++;
        }
        int length = Cid.lengthAt(section, at + 1, section.length);
        return Cid.fromBytes(section, at + 1, at + 1 + length);
    }
}
