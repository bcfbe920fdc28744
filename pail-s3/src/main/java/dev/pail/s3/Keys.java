package dev.pail.s3;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The keys of the objects of a repository, below its prefix. Rule OS1. */
final class Keys {
    static final String REPOSITORY = "repository";
    static final String HINT = "hint";
    static final String PROBE = "probe";
    static final String LOG = "log/";
    static final String CHECKPOINTS = "checkpoints/";
    static final String PACKS = "packs/";

    private static final String PACK_END = ".car";
    private static final Pattern NUMBER = Pattern.compile("[0-9]{20}");
    private static final Pattern PACK = Pattern.compile("[0-9]{20}-[0-9a-f]{32}");

    private Keys() {}

    /** A number in 20 digits, so that keys are in the order of numbers. */
    static String digits(long number) {
        return String.format("%020d", number);
    }

    static String log(long number) {
        return LOG + digits(number);
    }

    static String checkpoint(long number) {
        return CHECKPOINTS + digits(number);
    }

    static String pack(String name) {
        return PACKS + name + PACK_END;
    }

    static boolean isPackName(String name) {
        return PACK.matcher(name).matches();
    }

    /** The name of the pack in a key; null, if it is of another form. */
    static @Nullable String packName(String key) {
        if (!key.startsWith(PACKS) || !key.endsWith(PACK_END) || key.length() < PACKS.length() + PACK_END.length()) {
            return null;
        }
        String name = key.substring(PACKS.length(), key.length() - PACK_END.length());
        return isPackName(name) ? name : null;
    }

    /** The number in the name of a pack: that of the commit that its writer expected; -1, if there is no such number. */
    static long packNumber(String name) {
        return number("", name.substring(0, name.indexOf('-')));
    }

    /** The number at the end of a key; -1, if it is of another form. */
    static long number(String prefix, String key) {
        if (!key.startsWith(prefix)
                || !NUMBER.matcher(key.substring(prefix.length())).matches()) {
            return -1;
        }
        try {
            return Long.parseLong(key.substring(prefix.length()));
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
