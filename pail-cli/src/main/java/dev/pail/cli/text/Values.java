package dev.pail.cli.text;

import dev.pail.Escapes;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** CIDs as people write and paste them: alone, as {@code /ipfs/CID} or as {@code ipfs://CID}, with or without blanks around them. */
public final class Values {
    private static final Pattern ADDRESS = Pattern.compile("(?:/ipfs/|(?i:ipfs)://)([^/?#]+)/*");

    /** A CID, and behind it the path of something below it: alone, in an address, or in that of a gateway. */
    private static final Pattern PATH =
            Pattern.compile("(?:.*/ipfs/|(?i:ipfs)://|https?://|)(\\w+)(?:\\.ipfs\\.[^/?#]+)?/+([^/?#][^?#]*).*");

    private static final Pattern IPNS = Pattern.compile("(?i)(?:.*[/.]ipns[/.]|ipns://).*");

    /** CIDs in base58: of version 0, and in the base that most programs write. */
    private static final Pattern BASE58 = Pattern.compile("Q[mM]\\w{44}|Z\\w{40,}");

    private static final Pattern WORD = Pattern.compile("\\w+");

    /** Characters that a shell and an address take as they are. */
    private static final Pattern PLAIN = Pattern.compile("[\\w./-]+");

    /** The commands that take a text and bytes as they are. */
    public static final String AS_TEXT = "pail put KEY --text TEXT; to keep bytes: pail put KEY --file FILE";

    private Values() {}

    /** How many characters a CID in base58, and a multihash in base32, has at least. */
    private static final int LEAST_BASE58 = 41;

    private static final int LEAST_MULTIHASH = 35;

    /** A value that a person gave, and a sentence that says in which form, if it is not in the base that pail writes. */
    public record Given(Cid cid, @Nullable String form) {}

    /**
     * The CID that a person gave as a value where bytes could be meant. Takes the forms in which programs show CIDs. What else may be read
     * as a CID is refused, as texts such as {@code f01550000} are that by accident.
     *
     * @param asText the command or the form that takes a text as it is
     */
    public static Given given(String text, String asText) {
        Cid cid = parse(text, "a value is a CID", "; to keep a text: " + asText);
        String alone = alone(text);
        if (!isShown(alone)) {
            throw new Failure.Found(
                    Exit.USAGE,
                    "bad-value",
                    "a value is a CID that begins with b, k, z or Qm: " + Escapes.brief(text),
                    "if the CID " + cid + " is meant, give it with --cid; if this text is the value: " + asText);
        }
        return new Given(
                cid,
                cid.toString().equals(alone)
                        ? null
                        : "the value is the CID " + cid + ", given as " + Escapes.brief(text));
    }

    /** The CID that a text is, in a form in which programs show CIDs; null if it is none. Most values of a load are such. */
    static @Nullable Cid shown(String text) {
        String alone = alone(text);
        return isShown(alone) ? cid(alone) : null;
    }

    /** Whether a CID begins as in the forms in which programs show CIDs: base32, version 0, base58 and base36. */
    private static boolean isShown(String cid) {
        return !cid.isEmpty() && ("bBkKz".indexOf(cid.charAt(0)) >= 0 || cid.startsWith("Qm"));
    }

    /** What a CID begins with, and 30 more characters: too long for a word. */
    private static final Pattern LIKE_CID = Pattern.compile("(?:[bBkKzZ]|Q[mM])\\w{30,}");

    /**
     * Whether a text is a CID, or was one before it was cut or changed, or has one in it. Other texts are meant as they are, but for a blank one:
     * that is a variable without a value.
     */
    public static boolean looksLikeCid(String text) {
        String alone = alone(text);
        return alone.isEmpty()
                || cid(alone) != null
                || hint(text) != null
                || text.contains("/ipfs/")
                || text.contains("ipfs:")
                || text.contains("ipns:")
                || LIKE_CID.matcher(text.strip()).matches();
    }

    /** The CID that a person gave as a value. */
    public static Cid parse(String text) {
        return parse(text, "a value is a CID; to keep a text: " + AS_TEXT, "");
    }

    /**
     * The CID that a text is.
     *
     * @param unknown the hint, unless the text tells a better one
     * @param more what follows either hint
     */
    private static Cid parse(String text, String unknown, String more) {
        try {
            return Cid.parse(alone(text));
        } catch (MalformedDataException e) {
            String known = hint(text);
            String message = "not a CID: " + Escapes.brief(text) + (known == null ? ": " + e.rule() : "");
            throw new Failure.Found(Exit.USAGE, "bad-value", message, (known == null ? unknown : known) + more);
        }
    }

    /** What is left of a text without blanks around it, and without the beginning of an IPFS address. */
    public static String alone(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isBlank(text.charAt(from))) {
            from++;
        }
        while (to > from && isBlank(text.charAt(to - 1))) {
            to--;
        }
        String stripped = text.substring(from, to);
        if (stripped.indexOf('/') < 0) {
            return stripped;
        }
        Matcher address = ADDRESS.matcher(stripped);
        return address.matches() ? address.group(1) : stripped;
    }

    private static boolean isBlank(char c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    /** What to do about a text that is not a CID, but was one or has one in it; null if that cannot be told. */
    public static @Nullable String hint(String text) {
        String alone = alone(text);
        if (text.length() > Cid.MAX_TEXT || cid(alone) != null) {
            return null;
        }
        boolean hasSlash = alone.indexOf('/') >= 0;
        if ((hasSlash || alone.indexOf('.') >= 0) && IPNS.matcher(alone).matches()) {
            return "an IPNS name changes; give the CID that this prints: ipfs resolve -r /ipns/NAME";
        }
        String below = hasSlash ? below(alone) : null;
        if (below != null) {
            return below;
        }
        for (Matcher words = WORD.matcher(alone); words.find(); ) {
            String word = words.group();
            Cid cid = cid(word);
            if (cid != null) {
                return "give the CID alone: " + word;
            }
            boolean isOneCase = word.length() >= LEAST_BASE58
                    && (word.equals(word.toLowerCase(Locale.ROOT)) || word.equals(word.toUpperCase(Locale.ROOT)));
            if (isOneCase && BASE58.matcher(word.toUpperCase(Locale.ROOT)).matches()) {
                return "this was a CID in base58 before its letters were all made small or capital; copy it from where it has both";
            }
        }
        return alone.length() < LEAST_MULTIHASH ? null : multihash(alone);
    }

    /** What to do about the path of something below a CID. */
    private static @Nullable String below(String text) {
        Matcher path = PATH.matcher(text);
        if (!path.matches() || cid(path.group(1)) == null) {
            return null;
        }
        String rest = PLAIN.matcher(path.group(2)).matches() ? path.group(2) : "PATH";
        return "what is below a CID has another; give the one that this prints: ipfs resolve -r /ipfs/" + path.group(1)
                + "/" + rest;
    }

    private static @Nullable String multihash(String text) {
        try {
            Cid cid = Cid.ofMultihashName("B" + text);
            return cid.canNameBlock()
                    ? "this is a multihash, which has no codec; if the block is bytes without structure, its CID is "
                            + cid
                    : null;
        } catch (MalformedDataException e) {
            return null;
        }
    }

    /** The CID that a text is, without anything around it; null if it is none. */
    public static @Nullable Cid cid(String text) {
        if (!mayBeCid(text)) {
            return null;
        }
        try {
            return Cid.parse(text);
        } catch (MalformedDataException e) {
            return null;
        }
    }

    /**
     * Whether a text begins as a CID does: with Qm, or with the character of a base and the first digit of a version 1. Tells words apart from
     * CIDs without an exception.
     */
    private static boolean mayBeCid(String text) {
        if (text.length() < 2) {
            return false;
        }
        char digit = text.charAt(1);
        return switch (text.charAt(0)) {
            case 'b', 'B', 'c', 'C' -> digit == 'a' || digit == 'A';
            case 'f', 'F', 'v', 'V', 't', 'T' -> digit == '0';
            case 'm', 'M', 'u', 'U' -> digit == 'A';
            case 'k', 'K', 'z', 'Z' -> true;
            default -> digit == 'm';
        };
    }
}
