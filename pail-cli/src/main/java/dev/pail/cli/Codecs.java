package dev.pail.cli;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Locale;
import java.util.OptionalLong;

/** What people are shown of a value: its codec and its size. */
final class Codecs {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
    private static final int STEP = 1024;

    private Codecs() {}

    /** The codec of a CID by its name in the table of multicodecs, or by its number. */
    static String name(Cid cid) {
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

    /** As {@link #name}, for a sentence. */
    static String described(Cid cid) {
        String name = name(cid);
        return name.startsWith("0x") ? "in codec " + name : name;
    }

    /** How many bytes the value's own block has, if it is here and its hash can be computed. */
    static OptionalLong size(BlockStore blocks, Cid value) {
        if (!Block.isVerifiable(value)) {
            return OptionalLong.empty();
        }
        return Values.inlined(value)
                .or(() -> blocks.getChecked(value).map(Block::bytes))
                .map(bytes -> OptionalLong.of(bytes.length))
                .orElse(OptionalLong.empty());
    }

    /** A number of bytes with a unit, to two or three digits. */
    static String human(long bytes) {
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
