package dev.pail.unixfs;

import dev.pail.BlockStore;
import dev.pail.dag.Protobuf;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Nodes as a stranger may have written them, sound or not. Each is stored when it is made. */
final class Forged {
    private final BlockStore blocks;

    Forged(BlockStore blocks) {
        this.blocks = blocks;
    }

    /** A link of dag-pb, field by field. */
    static byte[] link(Cid cid, byte[] name, long treeSize) {
        return new Protobuf.Writer()
                .bytes(1, cid.toBytes())
                .bytes(2, name)
                .number(3, treeSize)
                .toByteArray();
    }

    static byte[] link(Cid cid, String name) {
        return link(cid, name.getBytes(StandardCharsets.UTF_8), 1);
    }

    /** A block of dag-pb with these links and data. */
    static byte[] node(List<byte[]> links, byte[] data) {
        Protobuf.Writer node = new Protobuf.Writer();
        links.forEach(link -> node.bytes(2, link));
        return node.bytes(1, data).toByteArray();
    }

    Cid store(byte[] dagPb) {
        Block block = Block.of(Cid.DAG_PB, dagPb);
        blocks.put(block);
        return block.cid();
    }

    Cid store(List<byte[]> links, byte[] data) {
        return store(node(links, data));
    }

    Cid raw(byte... bytes) {
        Block block = Block.of(Cid.RAW, bytes);
        blocks.put(block);
        return block.cid();
    }

    /** Bytes that are in their CID. */
    static Cid identity(long codec, byte[] bytes) {
        byte[] cid = new byte[4 + bytes.length];
        cid[0] = 1;
        cid[1] = (byte) codec;
        cid[3] = (byte) bytes.length;
        System.arraycopy(bytes, 0, cid, 4, bytes.length);
        return Cid.fromBytes(cid);
    }

    static byte[] type(int type) {
        return new Protobuf.Writer().number(1, type).toByteArray();
    }

    Cid folder(List<byte[]> links) {
        return store(links, type(UnixFsData.FOLDER));
    }

    Cid folder(String name, Cid cid) {
        return folder(List.of(link(cid, name)));
    }

    /** The data of a shard with the places that the links have. */
    static byte[] shardData(List<String> names, int fanout) {
        BigInteger places = BigInteger.ZERO;
        for (String name : names) {
            places = places.setBit(Integer.parseInt(
                    name.substring(0, Integer.toHexString(fanout - 1).length()), 16));
        }
        byte[] bits = places.toByteArray();
        int from = bits.length > 1 && bits[0] == 0 ? 1 : 0;
        return UnixFsData.shard(Arrays.copyOfRange(bits, from, bits.length), Murmur3.CODE, fanout);
    }

    /** A shard of 256 places. The names have their places before them. */
    Cid shard(List<String> names, Cid each) {
        List<byte[]> links = new ArrayList<>();
        names.forEach(name -> links.add(link(each, name)));
        return store(links, shardData(names, 256));
    }

    /** The place of a name on a level, of 256. */
    static String place(String name, int level) {
        long hash = Murmur3.hash(name.getBytes(StandardCharsets.UTF_8));
        return String.format("%02X", (int) (hash >>> (56 - 8 * level)) & 0xff);
    }

    /** The data of a file. */
    static byte[] fileData(int type, byte[] own, long size, List<Long> parts) {
        Protobuf.Writer file = new Protobuf.Writer().number(1, type);
        if (own.length > 0) {
            file.bytes(2, own);
        }
        if (size >= 0) {
            file.number(3, size);
        }
        parts.forEach(part -> file.number(4, part));
        return file.toByteArray();
    }

    /** A file of parts. */
    Cid file(List<Cid> parts, List<Long> sizes) {
        List<byte[]> links = new ArrayList<>();
        parts.forEach(part -> links.add(link(part, "")));
        long sum = sizes.stream().mapToLong(Long::longValue).sum();
        return store(links, fileData(UnixFsData.FILE, new byte[0], sum, sizes));
    }

    /** All paths below a folder. */
    static Set<String> paths(FolderWalk walk) {
        Set<String> paths = new TreeSet<>();
        walk.forEachRemaining(entry -> paths.add(entry.path()));
        return paths;
    }
}
