package dev.pail.car;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** CARs put together by hand, with nothing of what is tested. */
final class Cars {
    private Cars() {}

    static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.writeBytes(part);
        }
        return joined.toByteArray();
    }

    static byte[] varint(long value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long rest = value;
        while (rest >= 128) {
            out.write((int) (rest % 128 + 128));
            rest /= 128;
        }
        out.write((int) rest);
        return out.toByteArray();
    }

    static byte[] withLength(byte[] content) {
        return join(varint(content.length), content);
    }

    /** A header with less than 24 roots. */
    static byte[] header(Cid... roots) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(hex("a2 65 726f6f7473"));
        out.write(0x80 + roots.length);
        for (Cid root : roots) {
            out.writeBytes(hex("d82a58"));
            out.write(root.byteLength() + 1);
            out.write(0);
            out.writeBytes(root.toBytes());
        }
        out.writeBytes(hex("67 76657273696f6e 01"));
        return withLength(out.toByteArray());
    }

    static byte[] section(Cid cid, byte[] bytes) {
        return withLength(join(cid.toBytes(), bytes));
    }

    static byte[] section(Block block) {
        return section(block.cid(), block.bytes());
    }

    /** A CAR of version 1 with one root, the first block. */
    static byte[] car(List<Block> blocks) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(header(blocks.get(0).cid()));
        blocks.forEach(block -> out.writeBytes(section(block)));
        return out.toByteArray();
    }

    static byte[] v2Header(long data, long size, long index) {
        byte[] header = new byte[40];
        ByteBuffer.wrap(header)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(16, data)
                .putLong(24, size)
                .putLong(32, index);
        return join(hex("0a a1 67 76657273696f6e 02"), header);
    }

    /** A CAR of version 2 around one of version 1: with padding before the data, and before an index of some bytes, if any. */
    static byte[] v2(byte[] data, int padding, int index) {
        long end = 51L + padding + data.length;
        return index == 0
                ? join(v2Header(51 + padding, data.length, 0), new byte[padding], data)
                : join(
                        v2Header(51 + padding, data.length, end + padding),
                        new byte[padding],
                        data,
                        new byte[padding],
                        new byte[index]);
    }

    static Block raw(String text) {
        return Block.of(Cid.RAW, text.getBytes(StandardCharsets.US_ASCII));
    }

    static List<Block> randomBlocks(Random random, int count, int maxSize) {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] bytes = new byte[random.nextInt(maxSize)];
            random.nextBytes(bytes);
            blocks.add(Block.of(random.nextBoolean() ? Cid.RAW : Cid.DAG_CBOR, bytes));
        }
        return blocks;
    }

    static CarReader reader(byte[] car) {
        return CarReader.of(new ByteArrayInputStream(car), "test.car");
    }

    static List<CarSection> sections(byte[] car) {
        try (CarReader reader = reader(car)) {
            List<CarSection> sections = new ArrayList<>();
            reader.forEach(sections::add);
            return sections;
        }
    }

    static List<Block> blocks(byte[] car) {
        return sections(car).stream().map(CarSection::block).toList();
    }

    static byte[] export(CarExport export) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        export.writeTo(out, "test.car");
        return out.toByteArray();
    }
}
