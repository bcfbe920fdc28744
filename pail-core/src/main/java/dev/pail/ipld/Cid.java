package dev.pail.ipld;

import com.google.errorprone.annotations.CheckReturnValue;
import java.security.DigestException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Objects;

/**
 * A content identifier: the codec and the hash of some bytes. Versions 0 and 1, any codec, any hash function, any digest; spec
 * rules I1 to I6.
 *
 * <p>Immutable, equal by its binary form, and safe for use by several threads.
 *
 * <pre>{@code
 * Cid cid = Cid.parse("bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy");
 * boolean isRaw = cid.codec() == Cid.RAW; // true
 * Cid same = Cid.fromBytes(cid.toBytes()); // equal to cid
 * }</pre>
 */
public final class Cid implements Comparable<Cid> {
    /** The codec of bytes without structure. */
    public static final long RAW = 0x55;

    /** The codec of shards and events. */
    public static final long DAG_CBOR = 0x71;

    /** The codec that version 0 implies. */
    public static final long DAG_PB = 0x70;

    /** The code of the hash function for the blocks of a pail. */
    public static final long SHA2_256 = 0x12;

    /** The code of no hash function at all: the "digest" is the data. */
    public static final long IDENTITY = 0x00;

    /** The maximum length of a binary form, in bytes. Rule I5. */
    public static final int MAX_BYTES = 2048;

    /** The maximum length of a text form, in characters. */
    public static final int MAX_TEXT = 4096;

    /** The shortest and the longest digest that can name a block, in bytes. */
    private static final int MIN_DIGEST = 20;

    private static final int MAX_DIGEST = 128;
    private static final int V0_LENGTH = 34;
    private static final int SHA2_256_LENGTH = 32;

    /** Of version 1: the version, the codec and the hash function. */
    private static final int VARINTS_BEFORE_LENGTH = 3;

    private final byte[] bytes;

    private Cid(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Reads the text form: base58btc without a multibase character for version 0, multibase for version 1 (spec rule I6 lists the bases).
     *
     * @throws MalformedDataException if the text is not a CID; its message has the text, truncated if it is very long
     */
    public static Cid parse(String text) {
        try {
            return parsed(text);
        } catch (MalformedDataException e) {
            throw MalformedDataException.ofCid(text, e);
        }
    }

    private static Cid parsed(String text) {
        if (text.length() > MAX_TEXT) {
            throw new MalformedDataException(MAX_TEXT, "a CID has at most " + MAX_TEXT + " characters");
        }
        if (text.length() == 46 && text.startsWith("Qm")) {
            return ofText(decodedV0(text));
        }
        byte[] bytes = Multibases.decode(text);
        if (bytes.length > 0 && bytes[0] == SHA2_256) {
            throw new MalformedDataException(0, "a CID of version 0 is written without a multibase character");
        }
        return ofText(bytes);
    }

    private static byte[] decodedV0(String text) {
        try {
            return Multibases.decode("z" + text);
        } catch (MalformedDataException e) {
            throw new MalformedDataException(e.offset() - 1, e.rule());
        }
    }

    /** The CID that a text stands for. */
    private static Cid ofText(byte[] bytes) {
        try {
            return fromBytes(bytes);
        } catch (MalformedDataException e) {
            // A byte has no place in the text: in some bases all characters have a part in it.
            throw new MalformedDataException(0, e.rule());
        }
    }

    /**
     * Reads the binary form.
     *
     * @throws MalformedDataException if the bytes are not exactly one CID
     */
    public static Cid fromBytes(byte[] bytes) {
        return fromBytes(bytes, 0, bytes.length);
    }

    /**
     * Reads the binary form from a range of bytes, and copies it.
     *
     * @throws MalformedDataException if the range is not exactly one CID; the offset is an index into {@code bytes}
     * @throws IndexOutOfBoundsException if the bytes have no such range
     */
    public static Cid fromBytes(byte[] bytes, int from, int to) {
        Objects.checkFromToIndex(from, to, bytes.length);
        check(bytes, from, to);
        return checked(bytes, from, to);
    }

    static Cid checked(byte[] bytes, int from, int to) {
        return new Cid(Arrays.copyOfRange(bytes, from, to));
    }

    /**
     * The CID that has bytes in itself, with the identity in the place of a hash function: a reader needs no block. Equal bytes have this name
     * only if they are named so everywhere.
     *
     * <pre>{@code
     * Cid cid = Cid.ofIdentity(Cid.RAW, new byte[] {1});
     * byte[] bytes = cid.digest();
     * }</pre>
     *
     * @throws IllegalArgumentException if the codec is negative, or the CID would have more than {@link #MAX_BYTES}
     */
    public static Cid ofIdentity(long codec, byte[] data) {
        if (codec < 0) {
            throw new IllegalArgumentException("a codec is not negative: " + codec);
        }
        int head = 1 + Varint.lengthOf(codec) + 1;
        int from = head + Varint.lengthOf(data.length);
        if (data.length > MAX_BYTES - from) {
            throw new IllegalArgumentException("a CID has at most " + MAX_BYTES + " bytes, and none has " + data.length
                    + " bytes of data in itself");
        }
        byte[] bytes = new byte[from + data.length];
        bytes[0] = 1;
        Varint.write(bytes, 1, codec);
        bytes[head - 1] = (byte) IDENTITY;
        Varint.write(bytes, head, data.length);
        System.arraycopy(data, 0, bytes, from, data.length);
        return new Cid(bytes);
    }

    /**
     * The CID of version 1 for what a digest of SHA2-256 was fed with. The digest is reset.
     *
     * @throws IllegalArgumentException if the codec is negative
     */
    static Cid ofSha256(long codec, MessageDigest sha256) {
        if (codec < 0) {
            throw new IllegalArgumentException("a codec is not negative: " + codec);
        }
        int head = 1 + Varint.lengthOf(codec) + 2;
        byte[] bytes = new byte[head + SHA2_256_LENGTH];
        bytes[0] = 1;
        Varint.write(bytes, 1, codec);
        bytes[head - 2] = (byte) SHA2_256;
        bytes[head - 1] = SHA2_256_LENGTH;
        try {
            sha256.digest(bytes, head, SHA2_256_LENGTH);
        } catch (DigestException e) {
            throw new IllegalStateException("a digest of SHA2-256 has 32 bytes", e);
        }
        return new Cid(bytes);
    }

    /** Checks that a range is exactly one CID, without making one. Rule I1. */
    static void check(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length > MAX_BYTES) {
            throw new MalformedDataException(from, "a CID has at most " + MAX_BYTES + " bytes (I5)");
        }
        if (isV0(bytes, from, to) || isCommon(bytes, from, to)) {
            return;
        }
        int at = from;
        int step = Varint.length(bytes, at, to);
        if (Varint.value(bytes, at) != 1) {
            throw new MalformedDataException(at, "a CID has version 0 or 1 (I1)");
        }
        at += step;
        at += Varint.length(bytes, at, to);
        checkMultihash(bytes, at, to);
    }

    /** Whether it is version 1 with a digest of 32 bytes, and four numbers of one byte before it: as nearly all are. */
    private static boolean isCommon(byte[] bytes, int from, int to) {
        return to - from == 36
                && bytes[from] == 1
                && bytes[from + 1] >= 0
                && bytes[from + 2] >= 0
                && bytes[from + 3] == 32;
    }

    private static void checkMultihash(byte[] bytes, int from, int to) {
        int at = from;
        at += Varint.length(bytes, at, to);
        int step = Varint.length(bytes, at, to);
        // Rule I3.
        if (Varint.value(bytes, at) != to - at - step) {
            throw new MalformedDataException(at, "the declared length of a digest is the one it has (I3)");
        }
    }

    /**
     * Returns the length in bytes of the CID at the start of a range. Reads only as much of the CID as its length takes, and nothing behind
     * it: {@link #fromBytes(byte[], int, int)} checks the CID.
     *
     * @throws MalformedDataException if no CID ends within the range; the offset is an index into {@code bytes}
     * @throws IndexOutOfBoundsException if the bytes have no such range
     */
    public static int lengthAt(byte[] bytes, int from, int to) {
        Objects.checkFromToIndex(from, to, bytes.length);
        if (to - from >= V0_LENGTH && isV0(bytes, from, from + V0_LENGTH)) {
            return V0_LENGTH;
        }
        int at = from;
        for (int varint = 0; varint < VARINTS_BEFORE_LENGTH; varint++) {
            at += Varint.length(bytes, at, to);
        }
        int step = Varint.length(bytes, at, to);
        long digest = Varint.value(bytes, at);
        if (digest > to - at - step) {
            throw new MalformedDataException(at, "the declared length of a digest is the one it has (I3)");
        }
        return at + step + (int) digest - from;
    }

    private static boolean isV0(byte[] bytes, int from, int to) {
        return to - from == V0_LENGTH && bytes[from] == SHA2_256 && bytes[from + 1] == SHA2_256_LENGTH;
    }

    /** Returns the version: 0 or 1. */
    public int version() {
        return isV0(bytes, 0, bytes.length) ? 0 : 1;
    }

    /** Returns the code of the codec of the bytes, from the table of multicodecs. */
    public long codec() {
        return version() == 0 ? DAG_PB : Varint.value(bytes, 1);
    }

    /** Returns the code of the hash function, from the table of multicodecs. */
    public long hashFunction() {
        return Varint.value(bytes, multihashStart());
    }

    /** Returns a copy of the multihash: code of the function, length of the digest, digest. */
    public byte[] multihash() {
        return Arrays.copyOfRange(bytes, multihashStart(), bytes.length);
    }

    /** Returns a copy of the digest; for an identity CID, of the bytes in it. */
    public byte[] digest() {
        return Arrays.copyOfRange(bytes, digestStart(), bytes.length);
    }

    private int digestStart() {
        int length = multihashStart() + Varint.length(bytes, multihashStart(), bytes.length);
        return length + Varint.length(bytes, length, bytes.length);
    }

    /** The length of the digest in bytes. */
    int digestLength() {
        return bytes.length - digestStart();
    }

    /**
     * Whether a block can have this CID: the hash function is not the identity, and the digest has 20 to 128 bytes (spec rule
     * I4). Block stores hold no block with any other CID.
     */
    public boolean canNameBlock() {
        int length = digestLength();
        return length >= MIN_DIGEST && length <= MAX_DIGEST && hashFunction() != IDENTITY;
    }

    /** Returns the multihash as multibase base32upper, {@code B} and capitals. Block stores use it in file names. */
    public String multihashName() {
        return Multibases.base32Upper(multihash());
    }

    /**
     * Reads a text as {@link #multihashName} writes it, and returns the raw CID with that multihash.
     *
     * @throws MalformedDataException if the text is no such name
     */
    public static Cid ofMultihashName(String name) {
        if (name.length() > MAX_TEXT) {
            throw new MalformedDataException(MAX_TEXT, "a multihash has at most " + MAX_TEXT + " characters");
        }
        if (!name.startsWith("B")) {
            throw new MalformedDataException(0, "a multihash is named in base32upper");
        }
        byte[] multihash = Multibases.decode(name);
        byte[] bytes = new byte[2 + multihash.length];
        bytes[0] = 1;
        bytes[1] = (byte) RAW;
        System.arraycopy(multihash, 0, bytes, 2, multihash.length);
        Cid cid = ofText(bytes);
        if (!cid.multihashName().equals(name)) {
            throw new MalformedDataException(0, "a multihash is named in base32upper");
        }
        return cid;
    }

    /** Returns the raw CID, of version 1, with the same multihash. It is the same for all CIDs of a block. */
    @CheckReturnValue
    public Cid raw() {
        if (version() == 1 && codec() == RAW) {
            return this;
        }
        int start = multihashStart();
        byte[] raw = new byte[2 + bytes.length - start];
        raw[0] = 1;
        raw[1] = (byte) RAW;
        System.arraycopy(bytes, start, raw, 2, bytes.length - start);
        return checked(raw, 0, raw.length);
    }

    private int multihashStart() {
        return version() == 0 ? 0 : 1 + Varint.length(bytes, 1, bytes.length);
    }

    /** Whether a hash begins with the digest, which may be cut short. */
    boolean isStartOf(byte[] hash) {
        int length = digestLength();
        return length <= hash.length && Arrays.equals(bytes, bytes.length - length, bytes.length, hash, 0, length);
    }

    /** Whether a shard can have this CID: version 1, dag-cbor, SHA2-256. Rule S1. */
    public boolean isShardLink() {
        return isShardLink(bytes, 0, bytes.length);
    }

    /**
     * Whether a range of bytes is a CID for which {@link #isShardLink()} holds.
     *
     * @throws IndexOutOfBoundsException if the bytes have no such range
     */
    public static boolean isShardLink(byte[] bytes, int from, int to) {
        Objects.checkFromToIndex(from, to, bytes.length);
        return to - from == 36
                && bytes[from] == 1
                && bytes[from + 1] == DAG_CBOR
                && bytes[from + 2] == SHA2_256
                && bytes[from + 3] == SHA2_256_LENGTH;
    }

    /** Returns the length of the binary form, in bytes. */
    public int byteLength() {
        return bytes.length;
    }

    /** Returns a copy of the binary form. */
    public byte[] toBytes() {
        return bytes.clone();
    }

    /** Writes the binary form and returns the index behind it. */
    public int writeTo(byte[] out, int at) {
        Objects.requireNonNull(out, "out");
        System.arraycopy(bytes, 0, out, at, bytes.length);
        return at + bytes.length;
    }

    /** Whether the binary form is a range of bytes. */
    public boolean equalsBytes(byte[] other, int from, int to) {
        return Arrays.equals(bytes, 0, bytes.length, other, from, to);
    }

    /** Returns the text form: base32 for version 1, base58btc for version 0. */
    @Override
    public String toString() {
        return version() == 0 ? Multibases.base58btc(bytes).substring(1) : Multibases.base32(bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Cid cid && Arrays.equals(bytes, cid.bytes);
    }

    /** Returns the end of the digest, which is as good as random. */
    @Override
    public int hashCode() {
        int hash = 0;
        for (int i = Math.max(0, bytes.length - 4); i < bytes.length; i++) {
            hash = (hash << 8) | (bytes[i] & 0xff);
        }
        return hash;
    }

    /** Compares the binary forms, as unsigned bytes. */
    @Override
    public int compareTo(Cid other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }
}
