package dev.pail.dag;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A random graph of blocks in all codecs that have links, in raw, and in one codec that always makes leaves. Nodes share other nodes,
 * and some are identity CIDs. It records the edges as it makes the blocks: {@link #reach} follows those and reads no block.
 */
public final class RandomDag {
    private static final long CBOR = 0x51;
    private static final long GIT_RAW = 0x78;
    private static final long DAG_JOSE = 0x85;
    private static final long DAG_JSON = 0x0129;
    private static final long JSON = 0x0200;
    private static final int LARGEST_IDENTITY = 120;

    private final Random random;
    private final List<Cid> nodes = new ArrayList<>();
    private final Map<Cid, List<Cid>> edges = new LinkedHashMap<>();
    private final Map<Cid, Block> blocks = new LinkedHashMap<>();

    /** Makes {@code size} nodes. Each links to some earlier ones. */
    public RandomDag(Random random, int size) {
        this.random = random;
        for (int i = 0; i < size; i++) {
            List<Cid> links = new ArrayList<>();
            for (int n = nodes.isEmpty() || random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(4); n > 0; n--) {
                // Mostly to new ones, so that it goes deep.
                int back = random.nextInt(3) == 0
                        ? random.nextInt(nodes.size())
                        : random.nextInt(Math.min(3, nodes.size()));
                links.add(nodes.get(nodes.size() - 1 - back));
            }
            add(links, i);
        }
    }

    private void add(List<Cid> wanted, int number) {
        long codec = List.of(Cid.DAG_CBOR, CBOR, Cid.DAG_PB, DAG_JSON, DAG_JOSE, GIT_RAW, GIT_RAW, Cid.RAW, JSON)
                .get(random.nextInt(9));
        List<Cid> links = codec == GIT_RAW ? gitNodes(wanted.size()) : wanted;
        byte[] bytes = switch ((int) codec) {
            case (int) Cid.DAG_CBOR -> dagCbor(links, number);
            case (int) CBOR -> cbor(links, number);
            case (int) Cid.DAG_PB -> dagPb(links, number);
            case (int) DAG_JOSE -> jose(links, number);
            case (int) GIT_RAW -> git(links, number);
            default -> dagJson(links, number);
        };
        boolean isLeaf = codec == Cid.RAW || codec == JSON;
        Cid cid;
        if (codec == GIT_RAW) {
            cid = sha1(bytes);
            blocks.put(cid, Block.verified(cid, bytes));
        } else if (bytes.length <= LARGEST_IDENTITY && random.nextInt(3) == 0) {
            cid = identity(codec, bytes);
        } else {
            Block block = Block.of(codec, bytes);
            cid = block.cid();
            blocks.put(cid, block);
        }
        nodes.add(cid);
        edges.put(cid, isLeaf ? List.of() : links);
    }

    /** The newest objects of Git, as these link to nothing else. */
    private List<Cid> gitNodes(int most) {
        List<Cid> found = nodes.stream().filter(node -> node.codec() == GIT_RAW).toList();
        return found.subList(Math.max(0, found.size() - most), found.size());
    }

    /** The CID of an object of Git. */
    static Cid sha1(byte[] bytes) {
        try {
            return Cid.fromBytes(HexFormat.of()
                    .parseHex("01781114"
                            + HexFormat.of()
                                    .formatHex(
                                            MessageDigest.getInstance("SHA-1").digest(bytes))));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** A tree or a commit. */
    private byte[] git(List<Cid> links, int number) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        boolean isTree = random.nextBoolean();
        for (int i = 0; i < links.size(); i++) {
            if (isTree) {
                out.writeBytes(("40000 \n" + i + number + "\0").getBytes(UTF_8));
                out.writeBytes(links.get(i).digest());
            } else {
                String sha1 = HexFormat.of().formatHex(links.get(i).digest());
                out.writeBytes(((i == 0 ? "tree " : "parent ") + sha1 + "\n").getBytes(UTF_8));
            }
        }
        if (!isTree) {
            out.writeBytes(("author " + number + "\n\nparent " + "0".repeat(40) + "\n").getBytes(UTF_8));
        }
        ByteArrayOutputStream object = new ByteArrayOutputStream();
        object.writeBytes(((isTree ? "tree " : "commit ") + out.size() + "\0").getBytes(UTF_8));
        object.writeBytes(out.toByteArray());
        return object.toByteArray();
    }

    /** A signature whose payload is the first link. */
    private static byte[] jose(List<Cid> links, int number) {
        DagCborWriter writer = new DagCborWriter().map(2);
        writer.text("payload")
                .bytes(links.isEmpty() ? new byte[] {1} : links.get(0).toBytes());
        writer.text("signatures").array(1 + Math.max(0, links.size() - 1)).integer(number);
        links.stream().skip(1).forEach(writer::link);
        return writer.toByteArray();
    }

    /** The identity CID of bytes. */
    public static Cid identity(long codec, byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(1);
        varint(out, codec);
        out.write(0);
        varint(out, bytes.length);
        out.writeBytes(bytes);
        return Cid.fromBytes(out.toByteArray());
    }

    private static void varint(ByteArrayOutputStream out, long value) {
        long rest = value;
        for (; rest >= 0x80; rest >>>= 7) {
            out.write((int) (rest | 0x80));
        }
        out.write((int) rest);
    }

    private static byte[] dagCbor(List<Cid> links, int number) {
        DagCborWriter writer = new DagCborWriter().array(links.size() + 1).integer(number);
        links.forEach(writer::link);
        return writer.toByteArray();
    }

    /** A map without an end, of text in chunks to links whose heads are too long. */
    private static byte[] cbor(List<Cid> links, int number) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {(byte) 0xbf, 0x61, 'n', 0x19, (byte) (number >> 8), (byte) number});
        for (Cid link : links) {
            byte[] cid = link.toBytes();
            out.writeBytes(new byte[] {0x7f, 0x61, 'a', (byte) 0xff, (byte) 0xd9, 0, 42, 0x59});
            out.write((cid.length + 1) >> 8);
            out.write(cid.length + 1);
            out.write(0);
            out.writeBytes(cid);
        }
        out.write(0xff);
        return out.toByteArray();
    }

    private static byte[] dagPb(List<Cid> links, int number) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Cid link : links) {
            ByteArrayOutputStream field = new ByteArrayOutputStream();
            field(field, 1, link.toBytes());
            field(field, 2, new byte[] {'n'});
            field(out, 2, field.toByteArray());
        }
        field(out, 1, Integer.toString(number).getBytes(UTF_8));
        return out.toByteArray();
    }

    private static void field(ByteArrayOutputStream out, int number, byte[] content) {
        out.write(number << 3 | 2);
        varint(out, content.length);
        out.writeBytes(content);
    }

    private static byte[] dagJson(List<Cid> links, int number) {
        StringBuilder out = new StringBuilder("{\"n\":" + number);
        for (int i = 0; i < links.size(); i++) {
            out.append(",\"a")
                    .append(i)
                    .append("\":[{\"/\":\"")
                    .append(links.get(i))
                    .append("\"}]");
        }
        return out.append('}').toString().getBytes(UTF_8);
    }

    /** All nodes, identity CIDs among them, each behind those that it links to. */
    public List<Cid> nodes() {
        return List.copyOf(nodes);
    }

    /** The blocks by their CIDs. */
    public Map<Cid, Block> blocks() {
        return Map.copyOf(blocks);
    }

    /** The blocks, there or not, that a node leads to over those that are there, itself among them. */
    public Set<Cid> reach(Cid from, Set<Cid> there) {
        Set<Cid> reached = new LinkedHashSet<>();
        reach(from, there, new LinkedHashSet<>(), reached);
        return reached;
    }

    private void reach(Cid from, Set<Cid> there, Set<Cid> seen, Set<Cid> reached) {
        if (!seen.add(from)) {
            return;
        }
        boolean isBlock = blocks.containsKey(from);
        if (isBlock) {
            reached.add(from);
        }
        if (!isBlock || there.contains(from)) {
            edges.get(from).forEach(link -> reach(link, there, seen, reached));
        }
    }
}
