package dev.pail.shard;

import dev.pail.MalformedBlockException;
import dev.pail.bytes.CborHead;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.MalformedDataException;
import dev.pail.unsafe.UnsafeBlocks;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one shard and checks it against every rule (spec rules S1 to S9). It does so in one pass over the bytes:
 * canonical form leaves a shard only one header, so what stands around the entries is compared with that.
 */
final class ShardDecoder {
    private static final int FIRST_ENTRIES = 1024;

    /** The first byte of an entry: an array of two. */
    private static final byte PAIR = (byte) 0x82;

    /** The head of a text is this and its length, or {@link #TEXT_OF_ONE_BYTE_LENGTH} and a byte. */
    private static final int TEXT = CborHead.TEXT << 5;

    private static final int FEWEST_OF_ONE_BYTE_LENGTH = 24;
    private static final int TEXT_OF_ONE_BYTE_LENGTH = TEXT + FEWEST_OF_ONE_BYTE_LENGTH;
    private static final byte BYTES_OF_ONE_BYTE_LENGTH = (byte) ((CborHead.BYTES << 5) + FEWEST_OF_ONE_BYTE_LENGTH);
    private static final int DIGEST_LENGTH = 32;

    private final Layout layout;
    private final KeyBytes prefix;
    private final Cid cid;
    private final byte[] bytes;

    private int[] starts = new int[0];

    /** Of the entry that was read last: where its key starts and ends, where it ends itself, and whether it links to a shard. */
    private int keyStart;

    private int keyEnd;
    private int entryEnd;
    private boolean linked;

    private boolean anyLink;
    private boolean overlapping;

    /** The key of the last entry that links to a shard. */
    private @Nullable KeyBytes lastLinked;

    private ShardDecoder(Layout layout, Block block, KeyBytes prefix) {
        this.layout = layout;
        this.prefix = prefix;
        this.cid = block.cid();
        this.bytes = UnsafeBlocks.bytes(block);
    }

    /**
     * @param prefix the path on which the shard was found: what all keys in it start with
     * @throws MalformedBlockException if a rule is broken
     */
    static Shard decode(Layout layout, Block block, KeyBytes prefix) {
        return new ShardDecoder(layout, block, prefix).decode();
    }

    private Shard decode() {
        byte[] header = layout.header(prefix);
        byte[] trailer = layout.trailer(prefix);
        compare(header, 0);
        int end = Math.max(header.length, bytes.length - trailer.length);
        try {
            entries(header.length, end);
        } catch (MalformedDataException e) {
            throw broken(e.offset(), e.rule());
        }
        compare(trailer, end);
        int count = starts.length - 1;
        // Rule S9.
        if (count == 0 && !prefix.isEmpty()) {
            throw broken(header.length, "only the root shard may be empty (S9)");
        }
        return new Shard(bytes, starts, anyLink ? new @Nullable ShardRef[count] : null, overlapping, Midstates.NONE);
    }

    /** Compares what is around the entries with the header that the place of the shard demands. Rule S3. */
    private void compare(byte[] expected, int at) {
        int i = Arrays.mismatch(expected, 0, expected.length, bytes, at, Math.min(bytes.length, at + expected.length));
        if (i >= 0) {
            throw broken(at + i, "a shard has the layout, configuration and prefix of its place in the pail (S2, S3)");
        }
    }

    private void entries(int from, int end) {
        DagCborReader reader = new DagCborReader(bytes, from, end);
        int count = reader.readArray();
        int at = reader.position();
        starts = new int[1 + Math.min(count, FIRST_ENTRIES)];
        KeyBytes last = null;
        for (int entry = 0; entry < count; entry++) {
            if (entry + 1 == starts.length) {
                starts = Arrays.copyOf(starts, 1 + Math.min(count, 2 * entry));
            }
            starts[entry] = at;
            if (!readPlain(at, end)) {
                readAny(at, end);
            }
            KeyBytes key = new KeyBytes(bytes, keyStart, keyEnd);
            check(key, last, linked);
            last = key;
            at = entryEnd;
        }
        starts[count] = at;
        if (at != end) {
            throw broken(at, "a block is one item and nothing behind it (C1)");
        }
    }

    /**
     * Reads an entry as nearly all are: a key in ASCII of at most 255 bytes, and links with digests of 32 bytes. Checks what {@link
     * #readAny} checks.
     *
     * @return whether it is such an entry
     */
    private boolean readPlain(int at, int end) {
        if (end - at < 3 || bytes[at] != PAIR) {
            return false;
        }
        int head = bytes[at + 1] & 0xff;
        int length = head - TEXT;
        keyStart = at + 2;
        if (head == TEXT_OF_ONE_BYTE_LENGTH) {
            length = bytes[at + 2] & 0xff;
            keyStart = at + 3;
            if (length < FEWEST_OF_ONE_BYTE_LENGTH) {
                return false;
            }
        } else if (length < 0 || length >= FEWEST_OF_ONE_BYTE_LENGTH) {
            return false;
        }
        if (end - keyStart <= length) {
            return false;
        }
        keyEnd = keyStart + length;
        if (!Utf8.isAscii(bytes, keyStart, keyEnd)) {
            return false;
        }
        linked = bytes[keyEnd] != ShardKeys.DATA;
        if (!linked) {
            entryEnd = keyEnd + ShardRef.ENCODED_LENGTH;
            return isCommonLink(keyEnd, end);
        }
        int link = keyEnd + 1;
        entryEnd = link + ShardRef.ENCODED_LENGTH;
        return bytes[keyEnd] == ShardKeys.LINK
                && isCommonLink(link, end)
                && Cid.isShardLink(bytes, entryEnd - ShardRef.CID_LENGTH, entryEnd);
    }

    /** Whether a link starts at an index and ends before another, to a CID of version 1 with a digest of 32 bytes, as {@link Cid} has it. */
    private boolean isCommonLink(int at, int end) {
        int cid = at + ShardRef.ENCODED_LENGTH - ShardRef.CID_LENGTH;
        return end - at >= ShardRef.ENCODED_LENGTH
                && bytes[at] == ShardKeys.DATA
                && bytes[at + 1] == CborHead.LINK_TAG
                && bytes[at + 2] == BYTES_OF_ONE_BYTE_LENGTH
                && bytes[at + 3] == 1 + ShardRef.CID_LENGTH
                && bytes[at + 4] == 0
                && bytes[cid] == 1
                && bytes[cid + 1] >= 0
                && bytes[cid + 2] >= 0
                && bytes[cid + 3] == DIGEST_LENGTH;
    }

    private void readAny(int at, int end) {
        DagCborReader reader = new DagCborReader(bytes, at, end);
        // Rule S5.
        if (reader.readArray() != 2) {
            throw broken(reader.position(), "an entry is a key and a value (S5)");
        }
        keyStart = reader.readTextSpan();
        keyEnd = reader.position();
        linked = value(reader);
        entryEnd = reader.position();
    }

    private void check(KeyBytes key, @Nullable KeyBytes last, boolean linked) {
        // Rule S6.
        if (last != null && Utf8.compare(last.array, last.from, last.to, bytes, key.from, key.to) >= 0) {
            throw broken(key.from, "keys are in order and each is there once (S6)");
        }
        if (lastLinked != null) {
            // In this order, the keys that start with it come directly behind it.
            if (key.startsWith(lastLinked)) {
                overlapping = true;
            } else {
                lastLinked = null;
            }
        }
        // Rule S8.
        String rule = key.isEmpty() && (linked || !prefix.isEmpty())
                ? "the empty key is in the root shard and not linked (S8)"
                : layout.brokenRule(prefix, last, key, linked);
        if (rule != null) {
            throw broken(key.from, rule);
        }
        if (linked) {
            lastLinked = key;
            anyLink = true;
        }
    }

    /** Reads a value and says whether it links to a shard. */
    private boolean value(DagCborReader reader) {
        // Rule K3: user data is any CID, so nothing but its form is checked.
        if (reader.peek() == DagCborReader.Kind.LINK) {
            reader.readLinkSpan();
            return false;
        }
        int at = reader.position();
        int links = reader.readArray();
        if (links != 1 && links != 2) {
            throw broken(at, "a value is a link, or an array of a shard link and perhaps user data (S5)");
        }
        int link = reader.readLinkSpan();
        if (!Cid.isShardLink(bytes, link, reader.position())) {
            throw broken(link, "a shard is a dag-cbor block named by SHA2-256 (S1)");
        }
        if (links == 2) {
            reader.readLinkSpan();
        }
        return true;
    }

    private MalformedBlockException broken(long offset, String rule) {
        return MalformedBlockException.ofShard(cid, offset, rule);
    }
}
