package dev.pail.cli.text;

import dev.pail.BlockStore;
import dev.pail.MissingBlockException;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.unixfs.DamagedFileException;
import dev.pail.unixfs.FolderWalk;
import dev.pail.unixfs.UnixFs;
import dev.pail.unixfs.UnixFsNode;
import dev.pail.values.ValueBytes;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** What people are shown of a value: its codec and its size. */
public final class Codecs {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
    private static final int STEP = 1024;

    private Codecs() {}

    /** The codec of a CID by its name in the table of multicodecs, or by its number. */
    public static String name(Cid cid) {
        long code = cid.codec();
        return switch (code > Integer.MAX_VALUE ? -1 : (int) code) {
            case 0x51 -> "cbor";
            case 0x55 -> "raw";
            case 0x70 -> "dag-pb";
            case 0x71 -> "dag-cbor";
            case 0x72 -> "libp2p-key";
            case 0x78 -> "git-raw";
            case 0x85 -> "dag-jose";
            case 0x0129 -> "dag-json";
            case 0x0200 -> "json";
            default -> "0x" + Long.toHexString(code);
        };
    }

    /** A number of values whose codec says nothing of their links here. */
    public static String unfollowed(long values) {
        return values == 1
                ? "1 value has a codec whose links are unknown"
                : values + " values have codecs whose links are unknown";
    }

    /** As {@link #name}, for a sentence. */
    public static String described(Cid cid) {
        String name = name(cid);
        return name.startsWith("0x") ? "in codec " + name : name;
    }

    /**
     * How many bytes a value has: a file, all files below a folder, the target of a symbolic link, or another block. None if a block that
     * has to be read for that is not here.
     */
    public static OptionalLong size(BlockStore blocks, Cid value) {
        if (value.codec() == Cid.DAG_PB) {
            try {
                UnixFsNode node = UnixFs.value(blocks, value);
                return OptionalLong.of(
                        switch (node.kind()) {
                            case FILE -> node.size();
                            case LINK -> Utf8.encode(node.target()).length;
                            case FOLDER -> below(UnixFs.walk(blocks, value));
                        });
            } catch (DamagedFileException e) {
                if (!(e.getCause() instanceof MalformedDataException)) {
                    return OptionalLong.empty();
                }
            } catch (MissingBlockException | UnsupportedHashException e) {
                return OptionalLong.empty();
            }
        }
        return blockSize(blocks, value);
    }

    private static long below(FolderWalk walk) {
        long sum = 0;
        while (walk.hasNext()) {
            sum += walk.next().node().size();
            if (sum < 0) {
                return Long.MAX_VALUE;
            }
        }
        return sum;
    }

    private static OptionalLong blockSize(BlockStore blocks, Cid value) {
        return block(blocks, value).map(bytes -> OptionalLong.of(bytes.length)).orElse(OptionalLong.empty());
    }

    /** The bytes of the block of a value, or of the CID itself; empty if they are not here. */
    public static Optional<byte[]> block(BlockStore blocks, Cid value) {
        return ValueBytes.inlined(value)
                .or(() -> Block.isVerifiable(value) ? blocks.getChecked(value).map(Block::bytes) : Optional.empty());
    }

    /** A number of bytes with a unit, to two or three digits. */
    public static String human(long bytes) {
        double number = bytes;
        int unit = 0;
        while (number >= STEP && unit < UNITS.length - 1) {
            number /= STEP;
            unit++;
        }
        String digits = unit == 0 || number >= 10 ? "%.0f" : "%.1f";
        return String.format(Locale.ROOT, digits + " %s", number, UNITS[unit]);
    }
}
