package dev.pail;

import static dev.pail.HostileCbor.array;
import static dev.pail.HostileCbor.bytes;
import static dev.pail.HostileCbor.hex;
import static dev.pail.HostileCbor.join;
import static dev.pail.HostileCbor.link;
import static dev.pail.HostileShards.data;
import static dev.pail.HostileShards.entry;
import static dev.pail.HostileShards.v0;
import static dev.pail.HostileShards.v1;
import static dev.pail.HostileShards.v2;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Rows H7 to H11: links to what is no CID, no shard, or not what it says. */
final class HostileCidInputs {
    private static final byte[] DIGEST = HostileShards.value(1).toBytes();
    private static final byte[] LEAF = v0(entry("a"));

    private final List<HostileInput> all = new ArrayList<>();

    private HostileCidInputs() {}

    static List<HostileInput> all() {
        HostileCidInputs inputs = new HostileCidInputs();
        noCids().forEach(inputs::addNoCid);
        inputs.addBadTags();
        inputs.addBadTexts();
        opaque().forEach(inputs::addOpaque);
        inputs.addConfusedCodecs();
        inputs.addWrongBytes();
        inputs.addLyingStores();
        return inputs.all;
    }

    /** A CID of these parts, each in hex, and a digest of {@code digestLength} bytes. */
    private static byte[] cid(String head, int digestLength) {
        byte[] digest = new byte[digestLength];
        for (int i = 0; i < digestLength; i++) {
            digest[i] = DIGEST[4 + i % 32];
        }
        return join(hex(head), digest);
    }

    /** Bytes that are no CID for any reader. */
    private static Map<String, byte[]> noCids() {
        Map<String, byte[]> cids = new LinkedHashMap<>();
        cids.put("of no bytes", new byte[0]);
        cids.put("of a version only", hex("01"));
        cids.put("of version 2", cid("02711220", 32));
        cids.put("of version 3", cid("03711220", 32));
        cids.put("of version 0 with a codec", cid("00701220", 32));
        cids.put("of version 0, too short", cid("1220", 31));
        cids.put("of version 0, too long", cid("1220", 33));
        cids.put("of version 0 with another hash", cid("1620", 32));
        cids.put("of version 18", cid("12711220", 32));
        cids.put("with a digest cut short", cid("01711220", 31));
        cids.put("with a byte behind", cid("01711220", 33));
        cids.put("without a digest", cid("01711220", 0));
        cids.put("with a digest of 2,044 bytes", cid("01711efc0f", 2_044));
        cids.put("of an unknown hash of 2^63-1 bytes", cid("0171ffff7fffffffffffffffff7f", 32));
        cids.put("of a sha2-256 of 2^32+32 bytes", cid("017112a080808010", 32));
        cids.put("of 2,044 bytes of identity", cid("015500fc0f", 2_044));
        cids.put("of 3,000 bytes of identity", cid("015500b817", 3_000));
        cids.put("of identity that is cut", cid("01550003", 2));
        cids.put("with a needless byte in its version", cid("8100711220", 32));
        cids.put("with a needless byte in its codec", cid("01f1001220", 32));
        cids.put("with a needless byte in its length", cid("017112a000", 32));
        cids.put("with a codec of ten bytes", cid("01ffffffffffffffffff011220", 32));
        cids.put("with a codec without an end", hex("01ffffffffff"));
        cids.put("in text", HostileShards.value(1).toString().getBytes(StandardCharsets.US_ASCII));
        return cids;
    }

    private void malformed(String name, Supplier<byte[]> root) {
        all.add(HostileInput.malformed(name, root));
    }

    private void noShard(String name, Supplier<byte[]> root) {
        all.add(HostileInput.noShard(name, root));
    }

    private void addNoCid(String what, byte[] cid) {
        String row = what.contains("identity") ? "H8" : "H7";
        malformed(row + " a CID " + what + " as a value", () -> v0(entry("a", link(cid))));
        malformed(row + " a CID " + what + " as a shard link", () -> v0(entry("a", array(link(cid)))));
        all.add(HostileInput.refusedCall(row + " a CID " + what + " as bytes", () -> Cid.fromBytes(cid)));
    }

    private void addBadTags() {
        byte[] cid = HostileShards.value(1).toBytes();
        noShard(
                "H7 a CID in a byte string without a tag as a value",
                () -> v0(entry("a", bytes(join(hex("00"), cid)))));
        Map<String, byte[]> links = new LinkedHashMap<>();
        links.put("without its 0", join(HostileCbor.LINK_TAG, bytes(cid)));
        links.put("with a 1 before it", join(HostileCbor.LINK_TAG, bytes(join(hex("01"), cid))));
        links.put("with two zeros before it", link(join(hex("00"), cid)));
        links.put("in an empty byte string", join(HostileCbor.LINK_TAG, hex("40")));
        links.put("behind two tags", join(HostileCbor.LINK_TAG, link(cid)));
        links.put("as a tagged array", join(HostileCbor.LINK_TAG, array(bytes(cid))));
        links.forEach((what, link) -> {
            malformed("H7 a CID " + what + " as a value", () -> v0(entry("a", link)));
            malformed("H7 a CID " + what + " as a shard link", () -> v0(entry("a", array(link))));
            all.add(HostileInput.refusedCall(
                    "H7 a CID " + what + ", read alone", () -> new DagCborReader(link).readLink()));
        });
    }

    private void addBadTexts() {
        String good = HostileShards.value(1).toString();
        List<String> texts = List.of(
                "",
                "b",
                "Q",
                "Qm",
                good.substring(1),
                good + "a",
                good + "=",
                "b" + good,
                good.replace('a', '1'),
                "z" + good.substring(1),
                "\u0000" + good,
                good.replace('a', '\u0430'),
                good + "\n",
                "b\ud83d\ude00",
                "Qm" + "1".repeat(44),
                "Qm" + "0".repeat(44),
                "z" + "1".repeat(4_095),
                "z" + "z".repeat(4_095),
                "9" + "9".repeat(4_095),
                "b" + "a".repeat(1_000_000),
                "x".repeat(46));
        for (int i = 0; i < texts.size(); i++) {
            String text = texts.get(i);
            all.add(HostileInput.refusedCall("H7 text " + i + " that is no CID", text.length(), () -> Cid.parse(text)));
        }
    }

    /** CIDs that name no shard, and some of them no block: each can be a value. */
    private static Map<String, byte[]> opaque() {
        Map<String, byte[]> cids = new LinkedHashMap<>();
        cids.put("H8 identity of no bytes", cid("01550000", 0));
        cids.put("H8 identity of 3 bytes", cid("01550003", 3));
        cids.put("H8 identity of 128 bytes", cid("0155008001", 128));
        cids.put("H8 identity of 200 bytes", cid("015500c801", 200));
        cids.put("H8 identity of 2,043 bytes", cid("015500fb0f", 2_043));
        cids.put("H7 a digest of no bytes", cid("01711200", 0));
        cids.put("H7 sha2-256 of 31 bytes", cid("0171121f", 31));
        cids.put("H7 sha2-256 of 33 bytes", cid("01711221", 33));
        cids.put("H7 sha2-256 of 20 bytes", cid("01711214", 20));
        cids.put("H7 sha2-512 of 32 bytes", cid("01711320", 32));
        cids.put("H7 sha3-256 of 64 bytes", cid("01711640", 64));
        cids.put("H7 blake2b-256 of 31 bytes", cid("0171a0e4021f", 31));
        cids.put("H7 an unknown hash of 251 bytes", cid("0171ffff7ffb01", 251));
        cids.put("H7 an unknown hash of 2,041 bytes", cid("0171ffff7ff90f", 2_041));
        cids.put("H9 md5", cid("0171d50110", 16));
        cids.put("H9 murmur3", cid("01712208", 8));
        cids.put("H9 crc32", cid("0171b20204", 4));
        cids.put("H8 identity of a shard", join(hex("017100"), new byte[] {(byte) LEAF.length}, LEAF));
        cids.put("H9 sha1", cid("01711114", 20));
        cids.put("H9 an unknown hash", cid("0171ffff7f20", 32));
        cids.put("H9 blake2b-256", cid("0171a0e40220", 32));
        cids.put("H9 a function of 2^32+18", cid("0171928080801020", 32));
        cids.put("H9 sha2-512", cid("01711340", 64));
        cids.put("H10 raw", cid("01551220", 32));
        cids.put("H10 dag-pb", cid("01701220", 32));
        cids.put("H10 dag-pb of version 0", cid("1220", 32));
        cids.put("H10 a codec of 2^32+113", cid("01f1808080101220", 32));
        return cids;
    }

    private void addOpaque(String what, byte[] cid) {
        all.add(HostileInput.soundRoot(what + " as a value", "a", () -> v0(entry("a", link(cid)))));
        all.add(HostileInput.acceptedCall(
                what + " as text and back",
                () -> HostilePail.require(
                        Arrays.equals(Cid.parse(Cid.fromBytes(cid).toString()).toBytes(), cid), "the same bytes")));
        noShard(what + " as a shard link", () -> v0(entry("a", array(link(cid)))));
        noShard(what + " as a shard link with data", () -> v0(entry("a", array(link(cid), data(1)))));
        noShard(what + " as a shard link of v1", () -> v1("", entry("a", array(link(cid)))));
        all.add(HostileInput.pail(what + " as a root", HostileInput.Expected.REFUSED, () -> {
            Cid name = Cid.fromBytes(cid);
            HostilePail pail = HostilePail.of(LEAF, "a");
            pail.store().lie(name, pail.store().last());
            return pail.at(name);
        }));
        all.add(HostileInput.refusedCall(
                what + " does not vouch for other bytes", () -> Block.verified(Cid.fromBytes(cid), LEAF)));
    }

    /** The bytes are those of a shard, and the hash is right; the codec is another. */
    private void addConfusedCodecs() {
        Map.of("v0", LEAF, "v1", v1("", entry("a")), "v2", v2("", entry("a"))).forEach((format, shard) -> {
            Block raw = Block.of(Cid.RAW, shard);
            all.add(HostileInput.pail(
                    "H10 a " + format + " shard as a raw root",
                    HostileInput.Expected.REFUSED,
                    () -> HostilePail.of(blocks -> blocks.add(raw), "a")));
            all.add(HostileInput.pail(
                    "H10 a raw block in place of a " + format + " root", HostileInput.Expected.REFUSED, () -> {
                        Cid asked = HostileShards.block(shard).cid();
                        return HostilePail.of(blocks -> blocks.lie(asked, raw), "a")
                                .at(asked);
                    }));
        });
        Block raw = Block.of(Cid.RAW, LEAF);
        noShard("H10 a raw block of a shard as a shard link", () -> v0(entry("a", raw)));
    }

    private void addWrongBytes() {
        List<String> codes = List.of(
                "1114",
                "1220",
                "1340",
                "1440",
                "1530",
                "1620",
                "171c",
                "2030",
                "1b20",
                "a0e40220",
                "1e20",
                "1214",
                "1320");
        for (String code : codes) {
            byte[] head = hex("0155" + code);
            byte[] cid = cid("0155" + code, head[head.length - 1]);
            all.add(HostileInput.refusedCall(
                    "H11 bytes that do not match a hash " + code,
                    () -> Block.verified(Cid.fromBytes(cid), new byte[] {1, 2, 3})));
        }
        byte[] own = Block.of(Cid.RAW, LEAF).cid().toBytes();
        byte[] other = join(hex("0171928080801020"), Arrays.copyOfRange(own, 4, own.length));
        all.add(HostileInput.refusedCall(
                "H9 the SHA2-256 of the bytes under a function of 2^32+18",
                () -> Block.verified(Cid.fromBytes(other), LEAF)));
        byte[] identity = join(hex("015500"), new byte[] {(byte) LEAF.length}, LEAF);
        all.add(HostileInput.refusedCall(
                "H9 bytes under themselves", () -> Block.verified(Cid.fromBytes(identity), LEAF)));
        all.add(HostileInput.acceptedCall(
                "H11 bytes that do match",
                () -> Block.verified(Block.of(Cid.RAW, LEAF).cid(), LEAF)));
    }

    private void addLyingStores() {
        Block leaf = HostileShards.block(LEAF);
        Block other = HostileShards.block(v0(entry("z")));
        Block root = HostileShards.block(v0(entry("a"), entry("b", leaf)));
        all.add(HostileInput.pail(
                "H11 another sound shard as the root",
                HostileInput.Expected.REFUSED,
                () -> HostilePail.of(blocks -> blocks.lie(root.cid(), other), "ba")
                        .at(root.cid())));
        all.add(HostileInput.below("H11 another sound shard below", "ba", blocks -> {
            blocks.lie(leaf.cid(), other);
            blocks.add(root);
        }));
        all.add(HostileInput.below("H11 a corrupt shard below", "ba", blocks -> {
            blocks.refuse(leaf.cid(), new CorruptBlockException(leaf.cid(), "other bytes"));
            blocks.add(root);
        }));
        all.add(HostileInput.below("H11 a missing shard below", "ba", blocks -> blocks.add(root)));
        all.add(HostileInput.pail(
                "H11 a root that is not there",
                HostileInput.Expected.REFUSED,
                () -> HostilePail.of(blocks -> blocks.add(root), "ba").at(other.cid())));
        all.add(HostileInput.refusedCall(
                "H11 another block as a value", () -> verifyWithValue(Block.of(Cid.RAW, LEAF))));
    }

    /** Verifies a pail with one value, for which the store has another block. */
    private static void verifyWithValue(Block given) {
        HostileBlocks blocks = new HostileBlocks();
        blocks.lie(HostileShards.value(7), given);
        Cid root = blocks.shard(LEAF).cid();
        for (Verification.Problem problem : Verification.of(blocks, root).problems()) {
            throw problem.cause();
        }
    }
}
