package dev.pail.shard;

import dev.pail.MalformedShardException;
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

    private final Layout layout;
    private final KeyBytes prefix;
    private final Cid cid;
    private final byte[] bytes;

    private int[] starts = new int[0];
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
     * @throws MalformedShardException if a rule is broken
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
            entries(new DagCborReader(bytes, header.length, end));
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

    private void entries(DagCborReader reader) {
        int count = reader.readArray();
        starts = new int[1 + Math.min(count, FIRST_ENTRIES)];
        KeyBytes last = null;
        for (int entry = 0; entry < count; entry++) {
            if (entry + 1 == starts.length) {
                starts = Arrays.copyOf(starts, 1 + Math.min(count, 2 * entry));
            }
            starts[entry] = reader.position();
            last = entry(reader, last);
        }
        starts[count] = reader.position();
        reader.end();
    }

    private KeyBytes entry(DagCborReader reader, @Nullable KeyBytes last) {
        // Rule S5.
        if (reader.readArray() != 2) {
            throw broken(reader.position(), "an entry is a key and a value (S5)");
        }
        int from = reader.readTextSpan();
        int to = reader.position();
        boolean linked = value(reader);
        KeyBytes key = new KeyBytes(bytes, from, to);
        // Rule S6.
        if (last != null && Utf8.compare(last.array, last.from, last.to, bytes, from, to) >= 0) {
            throw broken(from, "keys are in order and each is there once (S6)");
        }
        overlapping |= lastLinked != null && key.startsWith(lastLinked);
        // Rule S8.
        String rule = key.isEmpty() && (linked || !prefix.isEmpty())
                ? "the empty key is in the root shard and not linked (S8)"
                : layout.brokenRule(prefix, last, key, linked);
        if (rule != null) {
            throw broken(from, rule);
        }
        if (linked) {
            lastLinked = key;
            anyLink = true;
        }
        return key;
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

    private MalformedShardException broken(int offset, String rule) {
        return new MalformedShardException(cid, offset, rule);
    }
}
