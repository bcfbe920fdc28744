package dev.pail.table.document;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Texts that stand for times, dates and bytes. Spec rule T15. */
public final class TypedTexts {
    private static final String DATE = "(\\d{4})-(\\d{2})-(\\d{2})";
    private static final Pattern DATE_ALONE = Pattern.compile(DATE);
    private static final Pattern TIMESTAMP = Pattern.compile(
            DATE + "T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)");

    /** The longest text of a timestamp: a longer one is not matched. */
    private static final int MAX_LENGTH = 35;

    private TypedTexts() {}

    public static boolean isTimestamp(String text) {
        return is(TIMESTAMP, text);
    }

    public static boolean isDate(String text) {
        return is(DATE_ALONE, text);
    }

    private static boolean is(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text.length() <= MAX_LENGTH ? text : "");
        if (!matcher.matches()) {
            return false;
        }
        try {
            LocalDate unused = LocalDate.of(
                    Integer.parseInt(matcher.group(1)),
                    Integer.parseInt(matcher.group(2)),
                    Integer.parseInt(matcher.group(3)));
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    /** Whether a text is the base64 of bytes: with padding, and without bits that stand for nothing. */
    public static boolean isBase64(String text) {
        if (text.chars().anyMatch(c -> c >= 0x80)) {
            return false;
        }
        try {
            return Base64.getEncoder()
                    .encodeToString(Base64.getDecoder().decode(text))
                    .equals(text);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
