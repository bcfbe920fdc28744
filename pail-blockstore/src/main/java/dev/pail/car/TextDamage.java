package dev.pail.car;

import dev.pail.Escapes;
import dev.pail.PailException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes a CAR that a program took for text, or that has text behind its sections. Says so only if the bytes prove it: a header or a
 * block is whole after the translation is undone, or the last section is whole and what follows is no beginning of a section.
 */
final class TextDamage {
    static final String TRANSLATED =
            "the file was translated as text, and has a carriage return before each line feed: get it"
                    + " again in a way that keeps its bytes (CAR4)";

    /** Of fewer characters, all may belong to the length of a section. */
    private static final int LEAST_TEXT = 4;

    private TextDamage() {}

    /** What happened to a file whose header cannot be read; null if that is not known. */
    static @Nullable String ofHeader(byte[] begin) {
        return !isHeader(begin) && isHeader(untranslated(begin)) ? TRANSLATED : null;
    }

    /**
     * What happened to a file in which a section cannot be read; null if that is not known.
     *
     * @param last the bytes of the section before; null if there is none
     * @param rest what follows it
     * @param isEnd whether the file ends behind the rest
     */
    static @Nullable String ofSections(byte @Nullable [] last, byte[] rest, boolean isEnd) {
        boolean isWhole = last == null || isWhole(last);
        if (last != null && !isWhole && isWhole(translatedBack(last, rest))) {
            return TRANSLATED;
        }
        if (isZero(rest)) {
            return "zeros pad the file, as for Filecoin, and the sections end here: cut the zeros off (CAR4)";
        }
        if (!isWhole || !isEnd) {
            return null;
        }
        if (isBlank(rest)) {
            // The first may be a length, but no CID begins with the second.
            return rest.length == 1
                    ? null
                    : "a line end or blanks follow the last section, as programs for text add them: cut them off (CAR4)";
        }
        String text = rest.length < LEAST_TEXT ? null : OtherFormat.text(rest);
        return text == null
                ? null
                : "text follows the last section, perhaps the error of the program that wrote the file: "
                        + Escapes.brief(text) + " (CAR4)";
    }

    /** As many bytes as the last section has, from its beginning on, without what the translation added. */
    private static byte[] translatedBack(byte[] last, byte[] rest) {
        byte[] both = Arrays.copyOf(last, last.length + rest.length);
        System.arraycopy(rest, 0, both, last.length, rest.length);
        byte[] original = untranslated(both);
        return Arrays.copyOf(original, Math.min(last.length, original.length));
    }

    private static boolean isZero(byte[] bytes) {
        for (byte each : bytes) {
            if (each != 0) {
                return false;
            }
        }
        return bytes.length > 0;
    }

    private static boolean isBlank(byte[] bytes) {
        for (byte each : bytes) {
            if (each != '\r' && each != '\n' && each != ' ' && each != '\t') {
                return false;
            }
        }
        return bytes.length > 0;
    }

    /** Whether the bytes of a section are a CID and the block that it names. */
    private static boolean isWhole(byte[] bytes) {
        try {
            int length = Cid.lengthAt(bytes, 0, bytes.length);
            Cid cid = Cid.fromBytes(bytes, 0, length);
            if (cid.hashFunction() != Cid.IDENTITY) {
                Block unused = Block.verified(cid, Arrays.copyOfRange(bytes, length, bytes.length));
            }
            return true;
        } catch (PailException e) {
            return false;
        }
    }

    /** Whether the bytes begin with the length of a header and a header. */
    private static boolean isHeader(byte[] bytes) {
        long length = 0;
        int at = 0;
        for (int shift = 0; at < bytes.length && shift < Long.SIZE - 1; shift += 7) {
            length |= (long) (bytes[at] & 0x7f) << shift;
            if (bytes[at++] >= 0) {
                break;
            }
        }
        if (length > bytes.length - at) {
            return false;
        }
        try {
            CarHeader.decode(Arrays.copyOfRange(bytes, at, at + (int) length));
            return true;
        } catch (MalformedDataException e) {
            return false;
        }
    }

    /** The bytes with each carriage return left out that a line feed follows. */
    private static byte[] untranslated(byte[] bytes) {
        ByteArrayOutputStream original = new ByteArrayOutputStream(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '\r' || i + 1 == bytes.length || bytes[i + 1] != '\n') {
                original.write(bytes[i]);
            }
        }
        return original.toByteArray();
    }
}
