package dev.pail.ipld;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Any CBOR, canonical or not, read recursively into a tree; and whether such a tree is dag-cbor, rule by rule. A twin for
 * comparing with.
 */
final class PlainCbor {
    /**
     * An item.
     *
     * @param width how many bytes the argument takes behind the initial byte; -1 for indefinite lengths
     * @param content of a byte string or a text, its bytes
     * @param items of an array, a map (keys and values in turn) or a tag, what is in it
     */
    record Item(int major, int width, long argument, ByteBuffer content, List<Item> items) {
        byte[] bytes() {
            byte[] bytes = new byte[content.remaining()];
            content.duplicate().get(bytes);
            return bytes;
        }

        String text() {
            return StandardCharsets.UTF_8.decode(content.duplicate()).toString();
        }

        /** The value of a text key in a map, or null. */
        Item get(String key) {
            for (int i = 0; i < items.size(); i += 2) {
                if (items.get(i).text().equals(key)) {
                    return items.get(i + 1);
                }
            }
            return null;
        }
    }

    private static final int MAX_DEPTH = 128;
    private static final int BREAK = 0xff;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final ByteBuffer in;

    private PlainCbor(byte[] bytes) {
        in = ByteBuffer.wrap(bytes);
    }

    /** @throws RuntimeException if this is not one item of CBOR */
    static Item read(byte[] bytes) {
        PlainCbor reader = new PlainCbor(bytes);
        Item item = reader.item();
        if (reader.in.hasRemaining()) {
            throw new IllegalArgumentException("more than one item");
        }
        return item;
    }

    /** Whether these bytes are the dag-cbor of something. */
    static boolean isDagCbor(byte[] bytes) {
        Item item;
        try {
            item = read(bytes);
        } catch (RuntimeException e) {
            return false;
        }
        return isDagCbor(item, 0);
    }

    private Item item() {
        int initial = in.get() & 0xff;
        int major = initial >> 5;
        int information = initial & 31;
        if (information == 31) {
            return indefinite(major);
        }
        int width = width(information);
        long argument = switch (width) {
            case 0 -> information;
            case 1 -> in.get() & 0xffL;
            case 2 -> in.getShort() & 0xffffL;
            case 4 -> in.getInt() & 0xffff_ffffL;
            default -> in.getLong();
        };
        return switch (major) {
            case 2, 3 -> new Item(major, width, argument, content(argument), List.of());
            case 4, 6 -> new Item(major, width, argument, NOTHING, items(major == 6 ? 1 : argument));
            case 5 -> new Item(major, width, argument, NOTHING, items(Math.multiplyExact(2, argument)));
            default -> new Item(major, width, argument, NOTHING, List.of());
        };
    }

    private static int width(int information) {
        if (information > 27) {
            throw new IllegalArgumentException("reserved additional information");
        }
        return information < 24 ? 0 : 1 << (information - 24);
    }

    private ByteBuffer content(long length) {
        if (length < 0 || length > in.remaining()) {
            throw new IllegalArgumentException("fewer bytes remain");
        }
        byte[] content = new byte[(int) length];
        in.get(content);
        return ByteBuffer.wrap(content);
    }

    private List<Item> items(long count) {
        if (count < 0 || count > in.remaining()) {
            throw new IllegalArgumentException("fewer bytes remain than items");
        }
        List<Item> items = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            items.add(item());
        }
        return items;
    }

    private Item indefinite(int major) {
        if (major < 2 || major > 5) {
            throw new IllegalArgumentException("no indefinite length here");
        }
        List<Item> items = new ArrayList<>();
        while ((in.get(in.position()) & 0xff) != BREAK) {
            items.add(item());
        }
        in.get();
        return new Item(major, -1, 0, NOTHING, items);
    }

    /** @param around how many arrays and maps the item is in */
    private static boolean isDagCbor(Item item, int around) {
        if (item.major == 7) {
            return isSimple(item);
        }
        return isShortest(item)
                && switch (item.major) {
                    case 3 -> isUtf8(item.bytes());
                    case 4 -> isContainer(item, around);
                    case 5 -> isContainer(item, around) && hasOrderedKeys(item);
                    case 6 -> item.argument == 42 && isLink(item.items.get(0));
                    default -> true;
                };
    }

    private static boolean isContainer(Item item, int around) {
        return around < MAX_DEPTH && item.items.stream().allMatch(each -> isDagCbor(each, around + 1));
    }

    private static boolean isShortest(Item item) {
        int width = Long.compareUnsigned(item.argument, 24) < 0
                ? 0
                : Long.compareUnsigned(item.argument, 1L << 8) < 0
                        ? 1
                        : Long.compareUnsigned(item.argument, 1L << 16) < 0
                                ? 2
                                : Long.compareUnsigned(item.argument, 1L << 32) < 0 ? 4 : 8;
        return item.width == width;
    }

    private static boolean isUtf8(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static boolean hasOrderedKeys(Item map) {
        for (int i = 0; i < map.items.size(); i += 2) {
            byte[] key = map.items.get(i).bytes();
            if (map.items.get(i).major != 3) {
                return false;
            }
            if (i > 0) {
                byte[] previous = map.items.get(i - 2).bytes();
                boolean ordered = previous.length != key.length
                        ? previous.length < key.length
                        : Arrays.compareUnsigned(previous, key) < 0;
                if (!ordered) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isLink(Item item) {
        byte[] bytes = item.bytes();
        return item.major == 2
                && isShortest(item)
                && bytes.length > 0
                && bytes[0] == 0
                && PlainCid.isCid(Arrays.copyOfRange(bytes, 1, bytes.length));
    }

    private static boolean isSimple(Item item) {
        if (item.width == 0) {
            return item.argument == 20 || item.argument == 21 || item.argument == 22;
        }
        boolean negativeZero = item.argument == 1L << 63;
        return item.width == 8 && !negativeZero && Double.isFinite(Double.longBitsToDouble(item.argument));
    }
}
